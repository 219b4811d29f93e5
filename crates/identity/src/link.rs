//! One-time links: bound to a user and a purpose, used once, valid for a while. Reading one never uses it up.

use std::collections::HashMap;

use chrono::TimeDelta;
use kernel::{Code, Database, Error, Instant, Result, Violations};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::Expr,
};

use crate::{
    entity::{
        one_time_link::{ActiveModel, Column, Entity as Links, Model as Link},
        user as table,
    },
    password::{self, Passwords, Strength},
    rights,
    secret::{self, Secret},
    user::{self, Status, User},
};

const PREFIX: &str = "lnk_";
const INVITATION: &str = "invitation";

/// How long an invitation can be accepted.
pub fn invitation_lifetime() -> TimeDelta {
    TimeDelta::days(7)
}

/// A link by which a user sets his first password.
#[expect(clippy::disallowed_methods, reason = "the user's own, made for him")]
pub async fn invite(db: &Database, user_id: i64, now: Instant) -> Result<String> {
    let tx = db.begin().await?;
    void(&tx, user_id, INVITATION).await?;
    let secret = Secret::new(PREFIX)?;
    let row = ActiveModel {
        user_id: Set(user_id),
        purpose: Set(INVITATION.to_owned()),
        token_hash: Set(secret.hash),
        created_at: Set(now),
        expires_at: Set(now + invitation_lifetime()),
        used_at: Set(None),
        ..Default::default()
    };
    row.insert(&tx).await?;
    tx.commit().await?;
    Ok(secret.text)
}

/// Voids the invitation of a user.
pub async fn revoke_invitation(db: &Database, user_id: i64) -> Result<()> {
    let tx = db.begin().await?;
    void(&tx, user_id, INVITATION).await?;
    tx.commit().await
}

#[expect(clippy::disallowed_methods, reason = "of a user whom the caller may change")]
async fn void(db: &impl ConnectionTrait, user_id: i64, purpose: &str) -> Result<()> {
    Links::delete_many()
        .filter(Column::UserId.eq(user_id))
        .filter(Column::Purpose.eq(purpose))
        .exec(db)
        .await?;
    Ok(())
}

/// Until when the invitations of users can be accepted; of those that cannot be, nothing.
#[expect(clippy::disallowed_methods, reason = "of users whom the caller has found through his scope")]
pub(crate) async fn invitations(
    db: &impl ConnectionTrait,
    users: impl IntoIterator<Item = i64>,
    now: Instant,
) -> Result<HashMap<i64, Instant>> {
    let open = Links::find()
        .filter(Column::UserId.is_in(users))
        .filter(Column::Purpose.eq(INVITATION))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(now));
    Ok(open.all(db).await?.into_iter().map(|link| (link.user_id, link.expires_at)).collect())
}

/// Whose link this is. Wrong, used, expired: all the same to the caller.
pub async fn holder(db: &impl ConnectionTrait, token: &str, now: Instant) -> Result<User> {
    let link = find(db, token, now).await?;
    user::by_id(db, link.user_id).await?.ok_or_else(invalid)
}

/// How good a password would be for the link's holder.
pub async fn strength(
    db: &impl ConnectionTrait,
    token: &str,
    password: &str,
    now: Instant,
) -> Result<Strength> {
    Ok(password::strength(password, &words(&holder(db, token, now).await?)))
}

/// What a guesser who knows the holder tries first.
fn words(holder: &User) -> [&str; 3] {
    [&holder.name, &holder.email, "stalhof"]
}

/// Sets the password of the link's holder and uses the link up.
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
    password::check(&mut violations, "password", &new_password, &words(&holder));
    violations.check()?;
    let hash = passwords.hash(new_password).await?;

    let tx = db.begin().await?;
    let link = find(&tx, token, now).await?;
    let used = Links::update_many()
        .col_expr(Column::UsedAt, Expr::value(now))
        .filter(Column::Id.eq(link.id))
        .filter(Column::UsedAt.is_null())
        .exec(&tx)
        .await?;
    if used.rows_affected == 0 {
        return Err(invalid());
    }
    let row = table::ActiveModel {
        id: Set(holder.id),
        password_hash: Set(Some(hash)),
        status: Set(Status::Verified),
        updated_at: Set(now),
        version: Set(holder.version + 1),
        ..Default::default()
    };
    row.update(&tx).await?;
    rights::changed(&tx).await?;
    tx.commit().await
}

#[expect(clippy::disallowed_methods, reason = "the link is the right to this one row")]
async fn find(db: &impl ConnectionTrait, token: &str, now: Instant) -> Result<Link> {
    let hash = secret::presented(PREFIX, token).ok_or_else(invalid)?;
    Links::find()
        .filter(Column::TokenHash.eq(hash))
        .filter(Column::UsedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .one(db)
        .await?
        .ok_or_else(invalid)
}

fn invalid() -> Error {
    Code::InvalidLink.into()
}
