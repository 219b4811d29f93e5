//! Invalidation of cached permissions: a version that grows with every change of one.

use sea_orm::ConnectionTrait;
use store::versioned_cache;
use values::Result;

use crate::cache_topics;

/// Raises the version; must be called in every transaction that changes a user, a role or maximum
/// permissions.
pub async fn changed(db: &impl ConnectionTrait) -> Result<()> {
    versioned_cache::changed(db, cache_topics::RIGHTS).await
}
