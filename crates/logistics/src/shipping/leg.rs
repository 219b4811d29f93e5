//! Shipping legs: the ways from one node to another, with their departures.

pub mod entity;
pub mod timetable;

pub use self::entity::{ActiveModel, Column, Entity as ShippingLegs, Model as ShippingLeg};
