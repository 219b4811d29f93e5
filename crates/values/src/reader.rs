//! Parser of text that people write: numbers, prices with their unit, quantities with their unit. Durations
//! are parsed by [`crate::Minutes`]. Strict and exact; no value is ever a float.
//!
//! `frontend/src/lib/reader.ts` is the same parser in TypeScript: both pass `testdata/rules/decimal.json` and
//! `reader.json`, and agree on the 10,000 spellings of `spellings.tsv`.

mod amount;
mod number;

pub use amount::{
    BasisReading, NoPrice, PriceReading, QuantityReading, decimal_sign, read_basis, read_no_price,
    read_price, read_quantity,
};
pub use number::{NumberReading, Style, is_scientific, read_number};
