//! Imports: files that people upload, read row by row, applied in the background exactly once, and reported on.

pub mod file;
pub mod import_type;
