//! Status of invitations, written independently of the fields that users edit.

use sea_orm::{
    ActiveEnum, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait,
    sea_query::Expr,
};
use values::{Instant, Result};

use crate::entity::{
    one_time_link,
    user::{Column, Entity as Users, Status},
};

/// Records that the mail of an invitation was sent or has failed, so it is no longer queued.
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

/// Sets the status of an invitation. The version stays, so forms being edited do not conflict.
#[expect(clippy::disallowed_methods, reason = "of a user whom the caller may change")]
pub(crate) async fn set_status(tx: &impl ConnectionTrait, id: i64, status: Status) -> Result<()> {
    Users::update_many()
        .col_expr(Column::Status, Expr::value(status.to_value()))
        .filter(Column::Id.eq(id))
        .exec(tx)
        .await?;
    Ok(())
}

/// Marks invitations that have expired, so that lists can filter by the status.
#[expect(clippy::disallowed_methods, reason = "expiry concerns the rows of all users")]
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
