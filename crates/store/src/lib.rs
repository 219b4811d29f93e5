//! Database: writes and their queue, the scope that leads to rows, versions, caches, history entries and
//! change feeds. Independent of HTTP.

pub mod audit;
mod blocking;
mod bulk;
pub mod change_feed;
pub mod column;
pub mod constraint;
pub mod database;
pub mod deadline;
mod deleted_record;
pub mod first_commit;
pub mod grant;
pub mod health;
pub mod list_key;
pub mod months;
pub mod page_index;
pub mod past;
mod recent;
pub mod reconstruction;
pub mod retention;
pub mod scope;
pub mod spans;
pub mod standing;
pub mod statements;
pub mod totals;
pub mod usage;
pub mod versioned_cache;
pub mod writes;

#[doc(hidden)]
pub use inventory;

pub use blocking::run_blocking;
pub use database::{Database, MIGRATING, POSTGRES_CONNECTIONS, ReplicaFigures, Snapshot, Write};
pub use deleted_record::NumberedColumns;
pub use recent::Recent;
pub use scope::{
    Owner, Part, Recorded, Scope, Scoped, Unique,
    many::Keyed,
    resource::{self, Reference, Resource},
};
pub use versioned_cache::{CacheTopic, Compiled, PriceRole, VersionedCache, Versions};
pub use writes::ChangedRows;
