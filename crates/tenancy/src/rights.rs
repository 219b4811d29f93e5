//! A number that grows with every change of a right, so that callers can be kept in memory and are never stale.

use kernel::Result;
use sea_orm::{ConnectionTrait, EntityTrait, ExprTrait, sea_query::Expr};

use crate::entity::rights_version::{Column, Entity};

/// To be called in every transaction that changes a user, a role or a ceiling.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub async fn changed(db: &impl ConnectionTrait) -> Result<()> {
    Entity::update_many().col_expr(Column::Version, Expr::col(Column::Version).add(1)).exec(db).await?;
    Ok(())
}
