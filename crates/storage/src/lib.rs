//! Storage of uploaded files, and processing of pictures.

mod bucket;
pub mod codes;
mod files;
pub mod picture;
mod spool;

pub use tempfile::TempPath;

pub use bucket::{Bucket, BucketAddress};
pub use files::{Bytes, FileStream, PutPayload, Reserve, Room, Storage, StoredFile, sha256};
pub use spool::Spool;
