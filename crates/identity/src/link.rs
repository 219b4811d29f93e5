//! One-time links: bound to a user and a purpose, used once, with a limited lifetime. Viewing a link does not
//! use it up.

use std::collections::HashMap;

use chrono::TimeDelta;
use mail::{Kind, outbox};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::Expr,
};
use store::{Database, audit::Action};
use values::{Error, Instant, Result, Violations};

use crate::{
    audit, codes,
    entity::user::{Model as User, Status},
    entity::{
        one_time_link::{ActiveModel, Column, Entity as Links, Model as Link},
        user as table,
    },
    password::{self, Passwords, Strength},
    rights,
    secret::{self, Secret},
    user::lookup,
    user::status,
};

const PREFIX: &str = "lnk_";

/// Purpose of a link, which is valid for no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Invitation,
    PasswordReset,
}

impl Purpose {
    fn as_str(self) -> &'static str {
        match self {
            Self::Invitation => "invitation",
            Self::PasswordReset => "password_reset",
        }
    }
}

/// New link; its secret is available only now.
#[derive(Debug)]
pub(crate) struct NewLink {
    pub public_id: String,
    pub secret: String,
}

/// Creates a link and voids earlier ones with this purpose.
#[expect(clippy::disallowed_methods, reason = "the user's own link")]
pub(crate) async fn open(
    tx: &impl ConnectionTrait,
    user_id: i64,
    purpose: Purpose,
    bound_to: Option<String>,
    lifetime: TimeDelta,
    now: Instant,
) -> Result<NewLink> {
    void(tx, user_id, purpose).await?;
    let secret = Secret::new(PREFIX)?;
    let public_id = secret::public_id()?;
    let row = ActiveModel {
        user_id: Set(user_id),
        purpose: Set(purpose.as_str().to_owned()),
        token_hash: Set(secret.hash),
        public_id: Set(Some(public_id.clone())),
        bound_to: Set(bound_to),
        created_at: Set(now),
        expires_at: Set(now + lifetime),
        used_at: Set(None),
        ..Default::default()
    };
    row.insert(tx).await?;
    Ok(NewLink { public_id, secret: secret.text })
}

/// Voids the links of a user with this purpose.
#[expect(clippy::disallowed_methods, reason = "of a user whom the caller may change")]
pub(crate) async fn void(tx: &impl ConnectionTrait, user_id: i64, purpose: Purpose) -> Result<()> {
    Links::delete_many()
        .filter(Column::UserId.eq(user_id))
        .filter(Column::Purpose.eq(purpose.as_str()))
        .exec(tx)
        .await?;
    Ok(())
}

/// Finds a valid link. Wrong, used and expired links and those for another purpose give the same error.
#[expect(clippy::disallowed_methods, reason = "the link is the right to this one row")]
pub(crate) async fn find(
    db: &impl ConnectionTrait,
    purpose: Purpose,
    token: &str,
    now: Instant,
) -> Result<Link> {
    let hash = secret::presented(PREFIX, token).ok_or_else(invalid)?;
    Links::find()
        .filter(Column::TokenHash.eq(hash))
        .filter(Column::Purpose.eq(purpose.as_str()))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .one(db)
        .await?
        .ok_or_else(invalid)
}

/// Marks a link as used. Of concurrent attempts one succeeds.
#[expect(clippy::disallowed_methods, reason = "the link is the right to this one row")]
pub(crate) async fn use_up(tx: &impl ConnectionTrait, link: &Link, now: Instant) -> Result<()> {
    let used = Links::update_many()
        .col_expr(Column::UsedAt, Expr::value(now))
        .filter(Column::Id.eq(link.id))
        .filter(Column::UsedAt.is_null())
        .exec(tx)
        .await?;
    if used.rows_affected == 0 { Err(invalid()) } else { Ok(()) }
}

/// Deletes used and expired links.
#[expect(clippy::disallowed_methods, reason = "nobody's any more")]
pub async fn clean_up(db: &impl ConnectionTrait, now: Instant) -> Result<()> {
    let over = Condition::any().add(Column::ExpiresAt.lte(now)).add(Column::UsedAt.is_not_null());
    Links::delete_many().filter(over).exec(db).await?;
    status::expire_invitations(db, now).await
}

/// Time during which an invitation can be accepted.
pub fn invitation_lifetime() -> TimeDelta {
    TimeDelta::days(7)
}

/// URL of an invitation on this site.
pub fn invitation_address(site: &str, token: &str) -> String {
    format!("{site}/verification?token={token}")
}

/// Creates a link by which a user sets their first password, to be passed on by the caller.
pub async fn invite(db: &Database, user_id: i64, now: Instant) -> Result<String> {
    let tx = db.begin().await?;
    let token = open_invitation(&tx, user_id, now).await?;
    status::set_status(&tx, user_id, Status::InvitationPending).await?;
    tx.commit().await?;
    Ok(token)
}

pub(crate) async fn open_invitation(tx: &impl ConnectionTrait, user_id: i64, now: Instant) -> Result<String> {
    Ok(open(tx, user_id, Purpose::Invitation, None, invitation_lifetime(), now).await?.secret)
}

/// Voids all links of a user and removes mails with such links from the outbox.
#[expect(clippy::disallowed_methods, reason = "parts of a row that has just been changed through the scope")]
pub(crate) async fn void_all(db: &impl ConnectionTrait, user_id: i64) -> Result<()> {
    Links::delete_many().filter(Column::UserId.eq(user_id)).exec(db).await?;
    outbox::withdraw(db, user_id, &[Kind::Invitation, Kind::PasswordReset]).await
}

/// Times until which the invitations of users can be accepted; users without a valid one are absent.
#[expect(clippy::disallowed_methods, reason = "the caller has found the users through their scope")]
pub(crate) async fn invitations(
    db: &impl ConnectionTrait,
    users: impl IntoIterator<Item = i64>,
    now: Instant,
) -> Result<HashMap<i64, Instant>> {
    let users: Vec<i64> = users.into_iter().collect();
    if users.is_empty() {
        return Ok(HashMap::new());
    }
    let open = Links::find()
        .filter(Column::UserId.is_in(users))
        .filter(Column::Purpose.eq(Purpose::Invitation.as_str()))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(now));
    Ok(open.all(db).await?.into_iter().map(|link| (link.user_id, link.expires_at)).collect())
}

/// Finds the user of a link. Wrong, used and expired links give the same error.
pub async fn holder(db: &impl ConnectionTrait, token: &str, now: Instant) -> Result<User> {
    let link = find(db, Purpose::Invitation, token, now).await?;
    lookup::by_id(db, link.user_id).await?.ok_or_else(invalid)
}

/// Rates a password for the user of a link.
pub async fn strength(
    db: &impl ConnectionTrait,
    passwords: &Passwords,
    token: &str,
    password: &str,
    now: Instant,
) -> Result<Strength> {
    let holder = holder(db, token, now).await?;
    passwords.strength(password, password::words(&holder.name, &holder.email)).await
}

/// Sets the password of the link's user and uses the link up.
#[expect(clippy::disallowed_methods, reason = "the link is the right to this one row")]
pub async fn accept(
    db: &Database,
    passwords: &Passwords,
    token: &str,
    new_password: String,
    now: Instant,
) -> Result<()> {
    let holder = holder(db, token, now).await?;
    let mut violations = Violations::new();
    let words = password::words(&holder.name, &holder.email);
    passwords.check(&mut violations, "password", &new_password, words).await?;
    violations.check()?;
    let hash = passwords.hash(new_password).await?;

    let tx = db.begin().await?;
    let link = find(&tx, Purpose::Invitation, token, now).await?;
    use_up(&tx, &link, now).await?;
    outbox::withdraw(&tx, holder.id, &[Kind::Invitation]).await?;
    let row = table::ActiveModel {
        id: Set(holder.id),
        password_hash: Set(Some(hash)),
        status: Set(Status::Verified),
        updated_at: Set(now),
        version: Set(holder.version + 1),
        ..Default::default()
    };
    row.update(&tx).await?;
    audit::record_by_link(&tx, Action::Verified, &holder);
    rights::changed(&tx).await?;
    tx.commit().await
}

pub(crate) fn invalid() -> Error {
    codes::INVALID_LINK.into()
}
