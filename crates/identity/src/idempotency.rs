//! Idempotency keys: a call with a key is executed once, and its answer is repeated for a day. The key is
//! taken and the answer stored in the transaction of the call, so that neither exists without the other.

use std::time::Duration;

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use chrono::TimeDelta;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, FromQueryResult, QueryFilter, Statement, Value,
};
use sha2::{Digest, Sha256};
use store::{Database, Scope, Write};
use values::{Error, Instant, Result};

use crate::{
    codes,
    entity::idempotency::{Column, Entity},
};

/// Time for which an answer is stored.
pub fn answer_lifetime() -> TimeDelta {
    TimeDelta::hours(24)
}

/// Maximum number of keys of a user within that time.
pub const KEYS_MAX: i64 = 10_000;
/// Maximum total size of a user's stored answers; once it is reached, no further key is accepted.
pub const BYTES_MAX: i64 = 64 << 20;

/// Takes a key if it is unused or has expired.
const TAKE: &str = "INSERT INTO idempotency (user_id, \"key\", fingerprint, answer, status, created_at) VALUES ($1, $2, $3, '', 0, $4) \
    ON CONFLICT (user_id, \"key\") DO UPDATE SET fingerprint = excluded.fingerprint, answer = '', status = 0, location = NULL, \
    created_at = excluded.created_at \
    WHERE idempotency.created_at < $5 RETURNING user_id";
/// Usage by the user's other keys: their number, the bytes of their answers, and the time of the oldest.
const USAGE: &str = "SELECT count(*) AS keys, CAST(coalesce(sum(octet_length(answer)), 0) AS BIGINT) AS bytes, min(created_at) AS oldest \
    FROM idempotency WHERE user_id = $1 AND \"key\" <> $2 AND created_at >= $3";
const ANSWER: &str =
    "UPDATE idempotency SET answer = $1, status = $2, location = $3 WHERE user_id = $4 AND \"key\" = $5";

/// Idempotency key of a call.
#[derive(Debug, Clone)]
pub struct Key {
    /// Key that the client has chosen; unique per user.
    key: String,
    /// Fingerprint of the whole request.
    fingerprint: String,
}

#[derive(FromQueryResult)]
struct KeyUsage {
    keys: i64,
    bytes: i64,
    oldest: Option<Instant>,
}

/// Result of taking a key.
#[derive(Debug)]
pub enum Claim {
    /// First call with the key: execute it. A repetition waits for the end of the transaction.
    New,
    /// Repeated call, with the stored answer.
    Answered(String),
}

/// Answer to a call.
#[derive(Debug, Clone)]
pub struct StoredAnswer {
    pub status: i64,
    /// Path of the created record.
    pub location: Option<String>,
    pub answer: String,
}

/// Polls for the answer of a first call that is still running: number of polls and pause between them.
const LOOKS: u32 = 20;
const BETWEEN_LOOKS: Duration = Duration::from_millis(100);

impl Key {
    /// Creates the key of a call with this request.
    pub fn new(key: String, request: &[u8]) -> Self {
        Self { key, fingerprint: BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(request)) }
    }

    /// Takes the key.
    ///
    /// # Errors
    /// [`codes::KEY_REUSED`] if it was taken for another request; [`codes::TOO_MANY_KEYS`] if no further
    /// answer can be stored until the oldest expires. Concurrent calls may each take the last place.
    pub async fn claim(&self, tx: &Write, scope: &Scope, now: Instant) -> Result<Claim> {
        let user = user(scope)?;
        if tx.query_one_raw(self.take(tx.get_database_backend(), user, now)).await?.is_some() {
            self.refuse_too_many(tx, user, now).await?;
            return Ok(Claim::New);
        }
        let row = find(user, &self.key).one(tx).await?.ok_or(codes::STALE)?;
        if row.fingerprint != self.fingerprint {
            return Err(codes::KEY_REUSED.into());
        }
        Ok(Claim::Answered(row.answer))
    }

    /// Statement that takes the key and returns a row if it was free.
    pub fn take(&self, backend: DbBackend, user: i64, now: Instant) -> Statement {
        let values = [
            user.into(),
            self.key.as_str().into(),
            self.fingerprint.as_str().into(),
            now.into(),
            (now - answer_lifetime()).into(),
        ];
        Statement::from_sql_and_values(backend, TAKE, values)
    }

    /// Returns the stored answer for the key, if there is one.
    ///
    /// # Errors
    /// [`codes::KEY_REUSED`] if it was taken for another request; [`codes::ALREADY_DONE`] if the answer is
    /// missing.
    pub async fn stored(&self, db: &Database, user: i64, now: Instant) -> Result<Option<StoredAnswer>> {
        for look in 0..LOOKS {
            if look > 0 {
                tokio::time::sleep(BETWEEN_LOOKS).await;
            }
            let row =
                find(user, &self.key).filter(Column::CreatedAt.gte(now - answer_lifetime())).one(db).await?;
            match row {
                None => return Ok(None),
                Some(row) if row.fingerprint != self.fingerprint => return Err(codes::KEY_REUSED.into()),
                Some(row) if row.status > 0 => {
                    let (status, location, answer) = (row.status, row.location, row.answer);
                    return Ok(Some(StoredAnswer { status, location, answer }));
                }
                Some(_) => {}
            }
        }
        Err(codes::ALREADY_DONE.into())
    }

    /// Stores the answer to a call whose transaction has taken the key.
    pub async fn store(&self, db: &Database, user: i64, stored: &StoredAnswer) -> Result<()> {
        let tx = db.begin().await?;
        self.write(&tx, user, stored).await?;
        tx.commit().await
    }

    async fn write(&self, tx: &Write, user: i64, stored: &StoredAnswer) -> Result<()> {
        let values = [
            stored.answer.as_str().into(),
            stored.status.into(),
            stored.location.clone().into(),
            user.into(),
            self.key.as_str().into(),
        ];
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), ANSWER, values)).await?;
        Ok(())
    }

    /// Checks that the user has room for another answer.
    ///
    /// # Errors
    /// [`codes::TOO_MANY_KEYS`] if there is none.
    pub async fn refuse_too_many(&self, tx: &impl ConnectionTrait, user: i64, now: Instant) -> Result<()> {
        let values = [user.into(), self.key.as_str().into(), (now - answer_lifetime()).into()];
        let others = KeyUsage::find_by_statement(statement(tx, USAGE, values)).one(tx).await?;
        let Some(KeyUsage { keys, bytes, oldest: Some(oldest) }) = others else { return Ok(()) };
        if keys < KEYS_MAX && bytes < BYTES_MAX {
            return Ok(());
        }
        let seconds = (oldest + answer_lifetime() - now).num_seconds().max(0).unsigned_abs() + 1;
        Err(Error::Later { code: codes::TOO_MANY_KEYS, seconds })
    }

    /// Stores the answer in the transaction that has taken the key.
    pub async fn answer(&self, tx: &Write, scope: &Scope, answer: &str) -> Result<()> {
        let stored = StoredAnswer { status: 200, location: None, answer: answer.to_owned() };
        self.write(tx, user(scope)?, &stored).await
    }
}

/// Deletes expired answers.
#[expect(clippy::disallowed_methods, reason = "expiry concerns the rows of all users")]
pub async fn clean_up(tx: &Write, now: Instant) -> Result<()> {
    Entity::delete_many().filter(Column::CreatedAt.lt(now - answer_lifetime())).exec(tx).await?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "the caller's own")]
fn find(user: i64, key: &str) -> sea_orm::Select<Entity> {
    Entity::find_by_id((user, key.to_owned()))
}

fn user(scope: &Scope) -> Result<i64> {
    scope.user().map(i64::from).ok_or_else(|| Error::internal("nobody calls"))
}

fn statement(tx: &impl ConnectionTrait, sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(tx.get_database_backend(), sql, values)
}
