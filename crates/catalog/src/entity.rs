//! The tables of the catalogue, nothing else.

pub mod article;
pub mod article_image;
pub mod article_other_number;
pub mod article_type;
pub mod article_type_attribute;
pub mod article_type_group;
pub mod attribute;
pub mod attribute_option;
pub mod category;
pub mod category_image;
pub mod material;
pub mod processing;
pub mod trade_dimension;
pub mod trade_dimension_cluster;
