//! Changes of e-mail addresses. A change is announced at the former and the new address. The mail to the
//! former one has a link that undoes the change, so that an account cannot be taken over unnoticed. The
//! link's secret is in the fragment of the URL, which no server receives.

use std::collections::HashMap;

use chrono::TimeDelta;
use mail::{
    EmailNotice, Kind, Mail,
    outbox::{self, Recipient},
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    SqlErr, sea_query::Expr,
};
use store::{Database, Scope, Write};
use values::{Error, Instant, Result, fold, fold_email};

pub use crate::entity::email_change::Model as EmailChange;
use crate::{
    audit, codes,
    entity::user::{Model as User, Status},
    entity::{
        email_change::{ActiveModel, Column, Entity as EmailChanges},
        user as table,
    },
    link::invalid,
    password::Passwords,
    reset_link, rights,
    secret::{self, Secret},
    token,
    user::lock_out,
    user::lookup,
};

const PREFIX: &str = "lnk_";

/// Time during which a change can be undone.
const LIFETIME: TimeDelta = TimeDelta::days(7);
/// Time for which changes are shown to the user.
const REMEMBERED: TimeDelta = TimeDelta::days(365);

const WINDOW: TimeDelta = TimeDelta::hours(1);
/// Maximum number of mails about changes that a user gets in a window: three changes, each announced at two
/// addresses.
const MAILS_PER_ACCOUNT: u64 = 6;

/// State of a link that undoes a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkState {
    Open,
    Expired,
    /// Change that was undone, by this link or by that of an earlier change.
    Used,
}

/// Account whose address was restored.
#[derive(Debug)]
pub struct RestoredAddress {
    pub email: String,
    /// Id and secret of a link for a new password; `None` if the user has no password or is disabled.
    pub reset: Option<(String, String)>,
}

/// Announces a change at both addresses. Nothing is sent if the user has never had a password, because their
/// former address is unverified.
///
/// # Errors
/// If the user's address has been changed too often within an hour.
#[expect(clippy::disallowed_methods, reason = "the caller has just changed the user through their scope")]
pub(crate) async fn announce(
    tx: &Write,
    scope: &Scope,
    before: &User,
    after: &User,
    site: &str,
    now: Instant,
) -> Result<()> {
    if before.password_hash.is_none() {
        return Ok(());
    }
    if outbox::count(tx, after.id, Kind::EmailChanged, now - WINDOW).await? >= MAILS_PER_ACCOUNT {
        return Err(reset_link::too_many(now + WINDOW, now));
    }
    let changed_by = scope.user().map(|user| user.0);
    let secret = Secret::new(PREFIX)?;
    let row = ActiveModel {
        user_id: Set(after.id),
        former_email: Set(before.email.clone()),
        new_email: Set(after.email.clone()),
        changed_by: Set(changed_by),
        public_id: Set(secret::public_id()?),
        token_hash: Set(secret.hash),
        created_at: Set(now),
        expires_at: Set(now + LIFETIME),
        undone_at: Set(None),
        ..Default::default()
    };
    let row = row.insert(tx).await?;
    let names = lookup::names(tx, changed_by.filter(|user| *user != after.id)).await?;
    let by = names.first().map(|(_, name)| name.as_str());
    let (from, to) = (before.email.as_str(), after.email.as_str());
    // The fragment after # is never sent to a server, so no log contains it.
    let undo = format!("{site}/email-undo?id={}#{}", row.public_id, secret.text);
    let days = LIFETIME.num_days();
    let mail = Mail::EmailChange(EmailNotice::Changed { at: now, from, to, by, undo: &undo, days });
    outbox::queue(tx, before.recipient(), &mail, now).await?;
    let sign_in = format!("{site}/login");
    let mail = Mail::EmailChange(EmailNotice::Arrived { at: now, from, to, by, sign_in: &sign_in });
    outbox::queue(tx, after.recipient(), &mail, now).await
}

/// Finds a change by its link. A wrong id, a wrong secret and a deleted user give the same error.
#[expect(clippy::disallowed_methods, reason = "the link is the right to this one row")]
async fn find(db: &impl ConnectionTrait, id: &str, secret: &str) -> Result<(EmailChange, User)> {
    let hash = secret::presented(PREFIX, secret).ok_or_else(invalid)?;
    let query = EmailChanges::find().filter(Column::TokenHash.eq(hash)).filter(Column::PublicId.eq(id));
    let change = query.one(db).await?.ok_or_else(invalid)?;
    let user = lookup::by_id(db, change.user_id).await?.ok_or_else(invalid)?;
    Ok((change, user))
}

impl EmailChange {
    /// State of the link that undoes the change.
    pub fn state(&self, now: Instant) -> LinkState {
        match self.undone_at {
            Some(_) => LinkState::Used,
            None if self.expires_at <= now => LinkState::Expired,
            None => LinkState::Open,
        }
    }
}

/// Returns the change that a link undoes, and the user; does not use the link up.
pub async fn view(db: &impl ConnectionTrait, id: &str, secret: &str) -> Result<(EmailChange, User)> {
    find(db, id, secret).await
}

/// Restores an address and uses the link up. All sessions end and the current password becomes invalid; a new
/// one is set by a link that is returned and sent to the restored address. Access tokens created since the
/// change are revoked.
///
/// # Errors
/// If the link is wrong, used or expired, or another account has the address now.
pub async fn undo(
    db: &Database,
    passwords: &Passwords,
    id: &str,
    secret: &str,
    site: &str,
    now: Instant,
) -> Result<RestoredAddress> {
    usable(&find(db, id, secret).await?.0, now)?;
    // An unknown password. Hashing is slow, so it is done before the transaction.
    let hash = passwords.hash(Secret::new(PREFIX)?.text).await?;
    let tx = db.begin().await?;
    let (change, before) = find(&tx, id, secret).await?;
    usable(&change, now)?;
    use_up(&tx, &change, now).await?;
    let after = restore(&tx, &before, &change.former_email, hash, now).await?;
    lock_out::lock_out(&tx, before.id).await?;
    token::revoke_since(&tx, &before, change.created_at).await?;
    audit::record_change_by_link(&tx, &before, &after);
    rights::changed(&tx).await?;
    let reset =
        if after.status == Status::Verified { Some(reset_link::open(&tx, &after, now).await?) } else { None };
    let sign_in = format!("{site}/login");
    let address = reset.as_ref().map(|link| reset_link::address(site, link));
    let page = address.as_deref().unwrap_or(&sign_in);
    let mail = Mail::EmailChange(EmailNotice::Restored { email: &after.email, page });
    outbox::queue(&tx, after.recipient(), &mail, now).await?;
    let dropped = Recipient { address: &before.email, ..after.recipient() };
    let mail = Mail::EmailChange(EmailNotice::Dropped { email: &before.email, sign_in: &sign_in });
    outbox::queue(&tx, dropped, &mail, now).await?;
    tx.commit().await?;
    Ok(RestoredAddress { email: after.email, reset: reset.map(|link| (link.public_id, link.secret)) })
}

fn usable(change: &EmailChange, now: Instant) -> Result<()> {
    match change.state(now) {
        LinkState::Open => Ok(()),
        LinkState::Expired => Err(codes::LINK_EXPIRED.into()),
        LinkState::Used => Err(codes::LINK_USED.into()),
    }
}

/// Marks a link as used, and with it those of later changes, which are undone too. Of concurrent attempts one
/// succeeds.
#[expect(clippy::disallowed_methods, reason = "the link is the right to these rows")]
async fn use_up(tx: &impl ConnectionTrait, change: &EmailChange, now: Instant) -> Result<()> {
    let used = EmailChanges::update_many()
        .col_expr(Column::UndoneAt, Expr::value(now))
        .filter(Column::UserId.eq(change.user_id))
        .filter(Column::Id.gte(change.id))
        .filter(Column::UndoneAt.is_null())
        .exec(tx)
        .await?;
    if used.rows_affected == 0 { Err(codes::LINK_USED.into()) } else { Ok(()) }
}

#[expect(clippy::disallowed_methods, reason = "the link is the right to this one row")]
async fn restore(
    tx: &impl ConnectionTrait,
    before: &User,
    email: &str,
    hash: String,
    now: Instant,
) -> Result<User> {
    let row = table::ActiveModel {
        id: Set(before.id),
        email: Set(email.to_owned()),
        email_fold: Set(fold(email)),
        email_key: Set(fold_email(email)),
        password_hash: Set(before.password_hash.as_ref().map(|_| hash)),
        updated_at: Set(now),
        version: Set(before.version + 1),
        ..Default::default()
    };
    row.update(tx).await.map_err(|error| match error.sql_err() {
        Some(SqlErr::UniqueConstraintViolation(_)) => Error::from(codes::FORMER_EMAIL_TAKEN),
        _ => error.into(),
    })
}

/// Loads the address changes of a user, newest first, with the names of those who made them.
#[expect(clippy::disallowed_methods, reason = "of the caller, or of a user whom the scope has shown")]
pub async fn find_by_user(
    db: &impl ConnectionTrait,
    user: i64,
) -> Result<(Vec<EmailChange>, HashMap<i64, String>)> {
    let changes = EmailChanges::find().filter(Column::UserId.eq(user)).order_by_desc(Column::Id);
    let changes = changes.all(db).await?;
    let names = lookup::names(db, changes.iter().filter_map(|change| change.changed_by)).await?;
    Ok((changes, names.into_iter().collect()))
}

/// Deletes changes that are too old to be shown.
#[expect(clippy::disallowed_methods, reason = "expiry concerns the rows of all users")]
pub async fn clean_up(db: &impl ConnectionTrait, now: Instant) -> Result<()> {
    EmailChanges::delete_many().filter(Column::CreatedAt.lte(now - REMEMBERED)).exec(db).await?;
    Ok(())
}
