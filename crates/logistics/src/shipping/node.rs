//! Shipping nodes: the places that goods travel between.

pub mod closure;
pub mod entity;

pub use self::entity::{ActiveModel, Column, Entity as ShippingNodes, Model as ShippingNode};
