//! Invitations of users: how far they have come, and the mails and links that carry them.

use kernel::{Code, Database, Instant, Result, Scope, audit::Action};
use mail::{Kind, Mail, outbox};
use sea_orm::{
    ActiveEnum, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect, QueryTrait,
    sea_query::Expr,
};

use super::{Column, Status, Users, within_reach};
use crate::{
    entity::one_time_link,
    link::{self, Purpose},
};

/// Invites a user to set his first password, by a mail and by a link that is shown this once; earlier links are void.
pub async fn invite(db: &Database, scope: &Scope, id: i64, site: &str, now: Instant) -> Result<String> {
    let tx = db.begin().await?;
    let found = within_reach(&tx, scope, id).await?;
    if found.user.status == Status::Disabled {
        return Err(Code::UserDisabled.into());
    }
    if found.user.password_hash.is_some() {
        return Err(Code::AlreadyVerified.into());
    }
    let link = link::invitation_address(site, &link::open_invitation(&tx, id, now).await?);
    outbox::withdraw(&tx, id, &[Kind::Invitation]).await?;
    let mail = Mail::Invitation { link: &link, days: link::invitation_lifetime().num_days() };
    outbox::queue(&tx, found.user.recipient(), &mail, now).await?;
    set_status(&tx, id, Status::InvitationQueued).await?;
    scope.note::<Users>(&tx, Action::Invited, Some(&found.user), Some(&found.user));
    tx.commit().await?;
    Ok(link)
}

/// Voids the invitation of a user; a mail that has not left stays here.
pub async fn revoke_invitation(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    let tx = db.begin().await?;
    let found = within_reach(&tx, scope, id).await?;
    link::void(&tx, id, Purpose::Invitation).await?;
    outbox::withdraw(&tx, id, &[Kind::Invitation]).await?;
    if found.user.status.is_invited() {
        scope.note::<Users>(&tx, Action::InvitationRevoked, Some(&found.user), Some(&found.user));
        set_status(&tx, id, Status::NotInvited).await?;
    }
    tx.commit().await
}

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
