//! Imports: files that people upload, read row by row, applied in the background exactly once, and reported on.
//!
//! The types are known here by name ([`import_type`]): what each is called on the wire, which permissions it needs, and whether its
//! files become effective as a whole. The meaning of a row is the matter of its [`importer`], a file beside its domain, and so is
//! what a file goes into ([`importer::Aim`]).

pub mod apply;
pub mod cells;
pub mod columns;
pub mod import;
pub mod import_profile;
pub mod import_type;
pub mod importer;
pub mod registry;
pub mod revert;
pub mod run;
#[cfg(any(test, feature = "testbed"))]
pub mod testbed;
pub mod unresolved;
