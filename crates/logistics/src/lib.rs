//! Logistics: calendar, warehouses and their readiness, stocks, shipping, and matchings of other systems'
//! numbers.

pub mod cache_topics;
pub mod calendar;
pub mod codes;
pub mod matching;
pub mod permissions;
pub mod shipping;
pub mod stock;
pub mod template;
pub mod warehouse;

#[cfg(any(test, feature = "testbed"))]
pub mod testbed;

pub use permissions::may;
