//! The tables of logistics, nothing else.

pub mod closure;
pub mod matching;
pub mod stock;
pub mod warehouse;
pub mod warehouse_cut_off;
