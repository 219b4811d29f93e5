//! Imports: files that people upload, read row by row, applied in the background exactly once, and reported on. What a row
//! means is the matter of its type ([`importer`]), which lives beside its domain.

mod apply;
pub mod cells;
pub mod columns;
pub mod import;
pub mod import_type;
pub mod importer;
mod revert;
mod run;
#[cfg(any(test, feature = "testbed"))]
pub mod testbed;
pub mod unresolved;
