//! The tables of the catalogue, nothing else.

pub mod article;
pub mod material;
