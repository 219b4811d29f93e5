//! Sessions: opened by e-mail and password, ended by signing out, idleness or age.

use chrono::TimeDelta;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder,
    QuerySelect,
};
use store::{Database, audit::Action};
use values::{Error, Instant, Result};

use crate::{
    audit,
    caller::Caller,
    codes,
    device::Device,
    entity::session::{ActiveModel, Column, Entity as Sessions},
    entity::user::Status,
    password::Passwords,
    secret::Secret,
    source::Source,
    throttle,
    user::lookup,
};

pub(crate) const PREFIX: &str = "ses_";
const PER_USER_AT_MOST: u64 = 10;

/// Lifetime of a session.
#[derive(Debug, Clone, Copy)]
pub struct Lifetime {
    /// Maximum time without a request; mere polls do not count.
    pub idle: TimeDelta,
    /// Maximum age.
    pub absolute: TimeDelta,
}

impl Default for Lifetime {
    fn default() -> Self {
        Self { idle: TimeDelta::minutes(30), absolute: TimeDelta::hours(12) }
    }
}

/// Credentials of a sign-in.
#[derive(Debug, Clone)]
pub struct Credentials {
    pub email: String,
    pub password: String,
    pub source: Source,
    pub user_agent: Option<String>,
}

/// Opens a session and returns its token, which is available only now.
pub async fn open(
    db: &Database,
    passwords: &Passwords,
    lifetime: Lifetime,
    credentials: Credentials,
    now: Instant,
) -> Result<String> {
    let user = lookup::by_email(db, &credentials.email).await?;
    let hash = user
        .as_ref()
        .filter(|user| user.status == Status::Verified)
        .and_then(|user| user.password_hash.clone());
    let right = throttle::verify(db, passwords, &credentials.source, credentials.password, hash, now).await?;

    let tx = db.begin().await?;
    let Some(user) = user.as_ref().filter(|_| right) else {
        audit::record_sign_in(&tx, Action::SignInFailed, user.as_ref(), &credentials.source);
        tx.commit().await?;
        return Err(codes::INVALID_CREDENTIALS.into());
    };
    throttle::succeeded(&tx, &credentials.source, user.id, now).await?;
    audit::record_sign_in(&tx, Action::SignedIn, Some(user), &credentials.source);
    end_oldest(&tx, user.id).await?;
    let secret = Secret::new(PREFIX)?;
    insert(&tx, user.id, &secret, credentials.user_agent, lifetime, now).await?;
    tx.commit().await?;
    Ok(secret.text)
}

/// Ends a session.
#[expect(clippy::disallowed_methods, reason = "the id is the caller's own session")]
pub async fn close(db: &Database, caller: &Caller, id: i64) -> Result<()> {
    let tx = db.begin().await?;
    audit::record_own_sessions(&tx, Action::SignedOut, caller.id).await?;
    Sessions::delete_by_id(id).exec(&tx).await?;
    tx.commit().await
}

/// Session as its owner sees it.
#[derive(Debug, Clone)]
pub struct OwnSession {
    pub id: i64,
    pub device: Device,
    pub created_at: Instant,
    pub last_used_at: Instant,
    /// True for the session of this request.
    pub current: bool,
}

/// Loads the caller's active sessions, last used first.
#[expect(clippy::disallowed_methods, reason = "the caller's own sessions")]
pub async fn own(
    db: &impl ConnectionTrait,
    lifetime: Lifetime,
    caller: &Caller,
    session: i64,
    now: Instant,
) -> Result<Vec<OwnSession>> {
    let alive = Sessions::find()
        .filter(Column::UserId.eq(caller.id))
        .filter(Column::ExpiresAt.gt(now))
        .filter(Column::LastUsedAt.gt(now - lifetime.idle))
        .order_by_desc(Column::LastUsedAt)
        .order_by_desc(Column::Id);
    let own = alive.all(db).await?.into_iter().map(|row| OwnSession {
        id: row.id,
        device: Device::read(row.user_agent.as_deref().unwrap_or_default()),
        created_at: row.created_at,
        last_used_at: row.last_used_at,
        current: row.id == session,
    });
    Ok(own.collect())
}

/// Ends one of the caller's sessions.
#[expect(clippy::disallowed_methods, reason = "the caller's own sessions")]
pub async fn end(db: &Database, caller: &Caller, id: i64) -> Result<()> {
    let tx = db.begin().await?;
    let own = Sessions::delete_many().filter(Column::Id.eq(id)).filter(Column::UserId.eq(caller.id));
    if own.exec(&tx).await?.rows_affected == 0 {
        return Err(Error::not_found());
    }
    audit::record_own_sessions(&tx, Action::SessionsEnded, caller.id).await?;
    tx.commit().await
}

/// Ends all sessions of the caller except this one.
pub async fn end_others(db: &Database, caller: &Caller, session: i64) -> Result<()> {
    let tx = db.begin().await?;
    remove_others(&tx, caller, session).await?;
    audit::record_own_sessions(&tx, Action::SessionsEnded, caller.id).await?;
    tx.commit().await
}

/// True if the session has not been ended meanwhile.
#[expect(clippy::disallowed_methods, reason = "the caller's own sessions")]
pub(crate) async fn still_open(db: &impl ConnectionTrait, session: i64) -> Result<bool> {
    Ok(Sessions::find_by_id(session).one(db).await?.is_some())
}

#[expect(clippy::disallowed_methods, reason = "the caller's own sessions")]
pub(crate) async fn remove_others(db: &impl ConnectionTrait, caller: &Caller, session: i64) -> Result<()> {
    Sessions::delete_many()
        .filter(Column::UserId.eq(caller.id))
        .filter(Column::Id.ne(session))
        .exec(db)
        .await?;
    Ok(())
}

/// Deletes expired sessions.
#[expect(clippy::disallowed_methods, reason = "nobody's any more")]
pub async fn clean_up(db: &impl ConnectionTrait, now: Instant) -> Result<()> {
    Sessions::delete_many().filter(Column::ExpiresAt.lt(now)).exec(db).await?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the user has just proved their identity")]
async fn insert(
    db: &impl ConnectionTrait,
    user_id: i64,
    secret: &Secret,
    user_agent: Option<String>,
    lifetime: Lifetime,
    now: Instant,
) -> Result<()> {
    let row = ActiveModel {
        user_id: Set(user_id),
        token_hash: Set(secret.hash.clone()),
        user_agent: Set(user_agent.map(|agent| agent.chars().take(255).collect())),
        created_at: Set(now),
        last_used_at: Set(now),
        expires_at: Set(now + lifetime.absolute),
        ..Default::default()
    };
    row.insert(db).await?;
    Ok(())
}

/// Ends the oldest sessions of a user to make room for another.
#[expect(clippy::disallowed_methods, reason = "the user has just proved their identity")]
async fn end_oldest(db: &impl ConnectionTrait, user_id: i64) -> Result<()> {
    let surplus: Vec<i64> = Sessions::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::UserId.eq(user_id))
        .order_by_desc(Column::LastUsedAt)
        .offset(PER_USER_AT_MOST - 1)
        .limit(1000)
        .into_tuple()
        .all(db)
        .await?;
    if !surplus.is_empty() {
        Sessions::delete_many().filter(Column::Id.is_in(surplus)).exec(db).await?;
    }
    Ok(())
}
