//! Links by which a user sets a new password.

use chrono::TimeDelta;
use sea_orm::ConnectionTrait;
use values::{Error, Instant, Result};

use crate::{
    codes,
    entity::user::Model as User,
    link::{self, NewLink, Purpose},
    secret::hash_of,
};

pub(crate) const LIFETIME: TimeDelta = TimeDelta::minutes(60);

pub(crate) const WINDOW: TimeDelta = TimeDelta::hours(1);

/// Creates a link for a new password; earlier ones become void.
pub(crate) async fn open(tx: &impl ConnectionTrait, user: &User, now: Instant) -> Result<NewLink> {
    link::open(tx, user.id, Purpose::PasswordReset, binding(user), LIFETIME, now).await
}

/// URL of such a link. The fragment after # is never sent to a server, so no log contains it.
pub(crate) fn address(site: &str, link: &NewLink) -> String {
    format!("{site}/password-reset?id={}#{}", link.public_id, link.secret)
}

/// Value that voids the link when the password changes.
pub(crate) fn binding(user: &User) -> Option<String> {
    user.password_hash.as_deref().map(hash_of)
}

pub(crate) fn too_many(free: Instant, now: Instant) -> Error {
    let wait = (free - now).clamp(TimeDelta::seconds(1), WINDOW);
    Error::Later { code: codes::TOO_MANY_REQUESTS, seconds: wait.num_seconds().unsigned_abs() }
}
