//! Imports: uploaded files that are read row by row, applied in the background exactly once, and reported on.
//!
//! The types are defined here by name ([`import_type`]): their names on the wire, the required permissions,
//! and if their files take effect as a whole. The meaning of a row is defined by its [`importer`], in a file
//! next to its domain, and so is the target of a file ([`importer::Aim`]).

pub mod apply;
pub mod cells;
pub mod codes;
pub mod columns;
pub mod import;
pub mod import_profile;
pub mod import_type;
pub mod importer;
pub mod permissions;
mod record_permissions;
pub mod registry;
pub mod revert;
pub mod run;
#[cfg(any(test, feature = "testbed"))]
pub mod testbed;
pub mod unresolved;

pub use permissions::may;
