//! The tables of pricing, nothing else.

pub mod held_price;
pub mod listing;
