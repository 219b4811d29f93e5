//! Changed e-mail addresses. A change is announced at the former and the new address; the mail to the former one holds a link that
//! takes the change back: nobody takes over an account unnoticed by changing its address. The link's secret never stands in an
//! address that a server sees.

use std::collections::HashMap;

use chrono::TimeDelta;
use kernel::{Code, Database, Error, Instant, Result, Scope, Write, fold, fold_email};
use mail::{
    EmailNotice, Kind, Mail,
    outbox::{self, Recipient},
};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    SqlErr, sea_query::Expr,
};

pub use crate::entity::email_change::Model as EmailChange;
use crate::{
    audit,
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

/// How long a change can be taken back.
const LIFETIME: TimeDelta = TimeDelta::days(7);
/// How long changes are shown to the user whose address it was.
const REMEMBERED: TimeDelta = TimeDelta::days(365);

const WINDOW: TimeDelta = TimeDelta::hours(1);
/// Mails about changes that a user gets in a window: three changes, each announced at two addresses.
const MAILS_PER_ACCOUNT: u64 = 6;

/// Whether a link takes a change back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkState {
    Open,
    Expired,
    /// The change was taken back, by this link or by that of an earlier change.
    Used,
}

/// An address that was set back.
#[derive(Debug)]
pub struct Restored {
    pub email: String,
    /// Id and secret of a link for a new password; `None` where the user has no password or is disabled.
    pub reset: Option<(String, String)>,
}

/// Announces a change at both addresses. A user who has never had a password is not written to: nobody has proved yet that the former
/// address is theirs.
///
/// # Errors
/// When the user's address has been changed too often within an hour.
#[expect(clippy::disallowed_methods, reason = "of a user whom the caller has just changed through his scope")]
pub(crate) async fn announce(
    tx: &Write,
    scope: &Scope,
    (before, after): (&User, &User),
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
    // what stands behind # is never sent to a server, and so is in no log
    let undo = format!("{site}/email-undo?id={}#{}", row.public_id, secret.text);
    let days = LIFETIME.num_days();
    let mail = Mail::EmailChange(EmailNotice::Changed { at: now, from, to, by, undo: &undo, days });
    outbox::queue(tx, before.recipient(), &mail, now).await?;
    let sign_in = format!("{site}/login");
    let mail = Mail::EmailChange(EmailNotice::Arrived { at: now, from, to, by, sign_in: &sign_in });
    outbox::queue(tx, after.recipient(), &mail, now).await
}

/// A change by its link. A wrong id, a wrong secret, a user who is gone: all the same to the caller.
#[expect(clippy::disallowed_methods, reason = "the link is the right to this one row")]
async fn find(db: &impl ConnectionTrait, id: &str, secret: &str) -> Result<(EmailChange, User)> {
    let hash = secret::presented(PREFIX, secret).ok_or_else(invalid)?;
    let found = EmailChanges::find().filter(Column::TokenHash.eq(hash)).filter(Column::PublicId.eq(id));
    let change = found.one(db).await?.ok_or_else(invalid)?;
    let user = lookup::by_id(db, change.user_id).await?.ok_or_else(invalid)?;
    Ok((change, user))
}

impl EmailChange {
    pub fn state(&self, now: Instant) -> LinkState {
        match self.undone_at {
            Some(_) => LinkState::Used,
            None if self.expires_at <= now => LinkState::Expired,
            None => LinkState::Open,
        }
    }
}

/// Shows the change that a link takes back, and the user; does not use the link up.
pub async fn view(db: &impl ConnectionTrait, id: &str, secret: &str) -> Result<(EmailChange, User)> {
    find(db, id, secret).await
}

/// Sets an address back and uses the link up. All sessions end and the password counts no longer, whoever has set it: a new one is
/// chosen by the link that is given back and sent to the restored address. Access tokens that were made since go as well.
///
/// # Errors
/// When the link is wrong, used or expired, or another account has the address by now.
pub async fn undo(
    db: &Database,
    passwords: &Passwords,
    (id, secret): (&str, &str),
    site: &str,
    now: Instant,
) -> Result<Restored> {
    usable(&find(db, id, secret).await?.0, now)?;
    // a password that nobody knows; hashing takes its time, so that it is done before the transaction
    let hash = passwords.hash(Secret::new(PREFIX)?.text).await?;
    let tx = db.begin().await?;
    let (change, before) = find(&tx, id, secret).await?;
    usable(&change, now)?;
    use_up(&tx, &change, now).await?;
    let after = restore(&tx, &before, &change.former_email, hash, now).await?;
    lock_out::lock_out(&tx, before.id).await?;
    token::revoke_since(&tx, &before, change.created_at).await?;
    audit::changed_by_link(&tx, &before, &after);
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
    Ok(Restored { email: after.email, reset: reset.map(|link| (link.public_id, link.secret)) })
}

fn usable(change: &EmailChange, now: Instant) -> Result<()> {
    match change.state(now) {
        LinkState::Open => Ok(()),
        LinkState::Expired => Err(Code::LinkExpired.into()),
        LinkState::Used => Err(Code::LinkUsed.into()),
    }
}

/// Uses a link up, and with it those of later changes, which are taken back as well. Of many who try at once one succeeds.
#[expect(clippy::disallowed_methods, reason = "the link is the right to these rows")]
async fn use_up(tx: &impl ConnectionTrait, change: &EmailChange, now: Instant) -> Result<()> {
    let used = EmailChanges::update_many()
        .col_expr(Column::UndoneAt, Expr::value(now))
        .filter(Column::UserId.eq(change.user_id))
        .filter(Column::Id.gte(change.id))
        .filter(Column::UndoneAt.is_null())
        .exec(tx)
        .await?;
    if used.rows_affected == 0 { Err(Code::LinkUsed.into()) } else { Ok(()) }
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
        Some(SqlErr::UniqueConstraintViolation(_)) => Error::from(Code::FormerEmailTaken),
        _ => error.into(),
    })
}

/// Changes of a user's address, the newest first, with the names of those who made them.
#[expect(clippy::disallowed_methods, reason = "of the caller, or of a user whom the scope has shown")]
pub async fn of_user(
    db: &impl ConnectionTrait,
    user: i64,
) -> Result<(Vec<EmailChange>, HashMap<i64, String>)> {
    let changes = EmailChanges::find().filter(Column::UserId.eq(user)).order_by_desc(Column::Id);
    let changes = changes.all(db).await?;
    let names = lookup::names(db, changes.iter().filter_map(|change| change.changed_by)).await?;
    Ok((changes, names.into_iter().collect()))
}

/// Changes that are too old to be shown.
#[expect(clippy::disallowed_methods, reason = "as time goes by, whoever they belong to")]
pub async fn clean_up(db: &impl ConnectionTrait, now: Instant) -> Result<()> {
    EmailChanges::delete_many().filter(Column::CreatedAt.lte(now - REMEMBERED)).exec(db).await?;
    Ok(())
}
