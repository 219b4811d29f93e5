//! Lock-out of users: the end of their sessions and links.

use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use values::Result;

use crate::{entity::session, link};

/// Ends all sessions and voids all links of a user.
pub(crate) async fn lock_out(db: &impl ConnectionTrait, id: i64) -> Result<()> {
    end_sessions(db, id).await?;
    link::void_all(db, id).await
}

#[expect(clippy::disallowed_methods, reason = "parts of a row that has just been changed through the scope")]
pub(crate) async fn end_sessions(db: &impl ConnectionTrait, id: i64) -> Result<()> {
    session::Entity::delete_many().filter(session::Column::UserId.eq(id)).exec(db).await?;
    Ok(())
}
