//! Logistics: the calendar, warehouses and when they are ready, what lies in them, and what other systems call articles and warehouses.

pub mod calendar;
pub mod matching;
pub mod shipping;
pub mod stock;
pub mod template;
pub mod warehouse;

#[cfg(any(test, feature = "testbed"))]
pub mod testbed;
