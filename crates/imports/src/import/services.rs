//! Services with which files are queued as imports.

use storage::Storage;
use store::Database;

use crate::registry::Registry;

/// Database, file storage and types of the imports of a server.
#[derive(Clone, Copy)]
pub struct ImportServices<'a> {
    pub db: &'a Database,
    pub storage: &'a Storage,
    pub registry: &'a Registry,
}
