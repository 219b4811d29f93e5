//! The one reader of what people write: numbers, prices with their unit, quantities with their unit. Durations are read by
//! [`crate::Minutes`]. Strict and exact; nothing is ever a float.
//!
//! `frontend/src/lib/reader.ts` is its twin: both pass `testdata/rules/decimal.json` and `reader.json`, and agree on the
//! 10,000 spellings of `spellings.tsv`.

mod amount;
mod number;

pub use amount::{
    BasisReading, NoPrice, PriceReading, QuantityReading, decimal_sign, read_basis, read_no_price,
    read_price, read_quantity,
};
pub use number::{NumberReading, Style, is_scientific, read_number};
