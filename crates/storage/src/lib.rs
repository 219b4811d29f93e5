//! Files that are kept: whatever was uploaded, and pictures, which are looked at before.

mod files;
pub mod picture;
mod spool;

pub use tempfile::TempPath;

pub use files::{Bytes, PutPayload, Reserve, Room, Storage, Stored, sha256};
pub use spool::Spool;
