//! Imports: files that people upload, read row by row, applied in the background exactly once, and reported on. What a row
//! means is the matter of its type ([`importer`]), which lives beside its domain.

mod applier;
pub mod cells;
pub mod columns;
mod contention;
pub mod direct;
pub mod entity;
pub mod import;
pub mod import_type;
pub mod importer;
pub mod inspection;
pub mod mapping;
pub mod moving;
mod queue;
pub mod refusal;
pub mod report;
pub mod retention;
mod reverser;
pub mod reversible;
pub mod row;
mod runner;
mod seen;
pub mod staging;
pub mod stopping;
pub mod strategy;
#[cfg(any(test, feature = "testbed"))]
pub mod testbed;
pub mod undo;
pub mod unresolved;
pub mod worker;
