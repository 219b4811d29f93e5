//! The tables of imports, nothing else.

pub mod import;
pub mod import_error;
pub mod import_row;
