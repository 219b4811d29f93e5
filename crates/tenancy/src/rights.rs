//! Rights are kept in memory; a version that grows with every change of one says when they are out of date.

use kernel::{Result, Topic, kept};
use sea_orm::ConnectionTrait;

/// To be called in every transaction that changes a user, a role or a ceiling.
pub async fn changed(db: &impl ConnectionTrait) -> Result<()> {
    kept::changed(db, Topic::Rights).await
}
