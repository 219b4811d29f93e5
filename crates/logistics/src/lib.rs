//! Logistics: the calendar, warehouses and when they are ready, what lies in them, and what other systems call articles and warehouses.

pub mod entity;

pub mod availability;
pub mod calendar;
pub mod changes;
pub mod closure;
pub mod directory;
pub mod holiday;
pub mod matching;
pub mod matching_import;
pub mod meta_data_import;
pub mod place_columns;
pub mod readiness;
pub mod region;
pub mod stock;
pub mod stock_import;
pub mod stock_items;
pub mod template;
pub mod unresolved;
pub mod warehouse;

#[cfg(any(test, feature = "testbed"))]
pub mod testbed;
