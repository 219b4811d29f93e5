//! Statuses of invitations, written beside the fields that users edit.

use kernel::{Instant, Result};
use sea_orm::{
    ActiveEnum, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait,
    sea_query::Expr,
};

use crate::entity::{
    one_time_link,
    user::{Column, Entity as Users, Status},
};

/// The mail of an invitation has left, or could not: nothing waits any more.
#[expect(clippy::disallowed_methods, reason = "the outbox tells of its own mails")]
pub async fn invitation_is_out(tx: &impl ConnectionTrait, id: i64) -> Result<()> {
    Users::update_many()
        .col_expr(Column::Status, Expr::value(Status::InvitationPending.to_value()))
        .filter(Column::Id.eq(id))
        .filter(Column::Status.eq(Status::InvitationQueued))
        .exec(tx)
        .await?;
    Ok(())
}

/// How far an invitation has come; not a change that anybody's form could overwrite.
#[expect(clippy::disallowed_methods, reason = "of a user whom the caller may change")]
pub(crate) async fn set_status(tx: &impl ConnectionTrait, id: i64, status: Status) -> Result<()> {
    Users::update_many()
        .col_expr(Column::Status, Expr::value(status.to_value()))
        .filter(Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Invitations that nobody can accept any more, so that lists find them by what they are.
#[expect(clippy::disallowed_methods, reason = "as time goes by, whoever they belong to")]
pub(crate) async fn expire_invitations(tx: &impl ConnectionTrait, now: Instant) -> Result<()> {
    let open = one_time_link::Entity::find()
        .select_only()
        .column(one_time_link::Column::UserId)
        .filter(one_time_link::Column::ExpiresAt.gt(now))
        .filter(one_time_link::Column::UsedAt.is_null());
    Users::update_many()
        .col_expr(Column::Status, Expr::value(Status::InvitationExpired.to_value()))
        .filter(Column::Status.is_in([Status::InvitationQueued, Status::InvitationPending]))
        .filter(Column::Id.not_in_subquery(open.into_query()))
        .exec(tx)
        .await?;
    Ok(())
}
