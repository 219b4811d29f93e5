//! The catalogue: materials, attributes, trade dimensions, article types, articles. Platform-wide master data.

mod designation;
pub mod entity;
mod former;
pub mod gtin;
mod option_measure;

pub mod article;
pub mod article_effect;
pub mod article_image;
pub mod article_import;
pub mod article_type;
pub mod article_type_group;
pub mod attribute;
pub mod blueprint;
pub mod catalogue;
pub mod category;
pub mod category_image;
pub mod image;
pub mod material;
pub mod measured;
pub mod processing;
pub mod quantity;
pub mod shape;
pub mod template;
pub mod trade_dimension;
pub mod traded;
pub mod value;
pub mod weight;

#[cfg(test)]
use testkit::rules as testdata;
