//! Error codes that this crate uses.

pub use kernel::codes::*;
