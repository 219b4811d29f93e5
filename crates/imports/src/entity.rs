//! The tables of imports, nothing else.

pub mod import;
pub mod import_error;
pub mod import_row;
pub mod unresolved_number;
pub mod unresolved_row;
