//! Catalogue: materials, attributes, commercial lengths, article types, articles. Platform-wide master data.

pub mod cache_topics;
pub mod cascade;
pub mod codes;
mod designation;
pub mod gtin;

pub mod article;
pub mod article_summary;
pub mod article_type;
pub mod article_units;
pub mod attribute;
pub mod blueprint;
pub mod catalogue;
pub mod category;
pub mod image;
pub mod material;
pub mod permissions;
pub mod processing;
pub mod quantity;
pub mod shape;
pub mod template;
pub mod trade_dimension;
pub mod value;
pub mod weight;
mod words;

pub use permissions::may;

#[cfg(test)]
use testkit::rules as testdata;
