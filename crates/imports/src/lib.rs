//! Imports: files that people upload, read row by row, applied in the background exactly once, and reported on.

mod article;
pub mod entity;
pub mod import;
pub mod import_type;
mod queue;
pub mod refusal;
pub mod report;
pub mod retention;
mod runner;
#[cfg(test)]
mod testbed;
pub mod worker;

pub use article::export::export as export_articles;
