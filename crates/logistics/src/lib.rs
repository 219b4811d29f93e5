//! Logistics: the calendar, warehouses and when they are ready, and what other systems call articles and warehouses.

pub mod entity;

pub mod calendar;
pub mod closure;
pub mod holiday;
pub mod matching;
pub mod matching_import;
pub mod readiness;
pub mod region;
pub mod warehouse;
