//! The catalogue: materials, attributes, article types, articles. Platform-wide master data.

pub mod entity;

pub mod article;
pub mod material;
pub mod weight;
