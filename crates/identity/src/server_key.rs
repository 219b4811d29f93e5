//! Keys that all processes on one database share, one for each purpose.

use sea_orm::{ActiveValue::Set, ConnectionTrait, EntityTrait, sea_query::OnConflict};
use values::{Error, Result};

use crate::entity::server_key::{ActiveModel, Column, Entity as Keys};

/// Finds the key for a purpose.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub async fn find(db: &impl ConnectionTrait, purpose: &str) -> Result<Option<String>> {
    Ok(Keys::find_by_id(purpose).one(db).await?.map(|row| row.key))
}

/// Stores the key for a purpose unless another process was faster, and returns the stored one.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub async fn find_or_create(tx: &impl ConnectionTrait, purpose: &str, key: String) -> Result<String> {
    let row = ActiveModel { purpose: Set(purpose.to_owned()), key: Set(key) };
    let first = OnConflict::column(Column::Purpose).do_nothing().to_owned();
    Keys::insert(row).on_conflict(first).exec_without_returning(tx).await?;
    find(tx, purpose).await?.ok_or_else(|| Error::internal("the key has just been written"))
}
