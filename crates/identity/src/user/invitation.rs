//! Invitations of users: their status, mails and links.

use mail::{Kind, Mail, outbox};
use store::{Database, Scope, audit::Action};
use values::{Instant, Result};

use super::{Status, Users, status::set_status, within_reach};
use crate::{
    codes,
    link::{self, Purpose},
};

/// Invites a user to set their first password, by mail and by a link that is returned once; earlier links
/// become void.
pub async fn invite(db: &Database, scope: &Scope, id: i64, site: &str, now: Instant) -> Result<String> {
    let tx = db.begin().await?;
    let detail = within_reach(&tx, scope, id).await?;
    if detail.user.status == Status::Disabled {
        return Err(codes::USER_DISABLED.into());
    }
    if detail.user.password_hash.is_some() {
        return Err(codes::ALREADY_VERIFIED.into());
    }
    let link = link::invitation_address(site, &link::open_invitation(&tx, id, now).await?);
    outbox::withdraw(&tx, id, &[Kind::Invitation]).await?;
    let mail = Mail::Invitation { link: &link, days: link::invitation_lifetime().num_days() };
    outbox::queue(&tx, detail.user.recipient(), &mail, now).await?;
    set_status(&tx, id, Status::InvitationQueued).await?;
    scope.note::<Users>(&tx, Action::Invited, Some(&detail.user), Some(&detail.user));
    tx.commit().await?;
    Ok(link)
}

/// Voids the invitation of a user and withdraws its mail if that is still unsent.
pub async fn revoke_invitation(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    let tx = db.begin().await?;
    let detail = within_reach(&tx, scope, id).await?;
    link::void(&tx, id, Purpose::Invitation).await?;
    outbox::withdraw(&tx, id, &[Kind::Invitation]).await?;
    if detail.user.status.is_invited() {
        scope.note::<Users>(&tx, Action::InvitationRevoked, Some(&detail.user), Some(&detail.user));
        set_status(&tx, id, Status::NotInvited).await?;
    }
    tx.commit().await
}
