//! Error codes that this crate uses.

pub use values::codes::*;
