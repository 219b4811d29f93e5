//! Wrong passwords slow their source down; right ones never do, and no owner is locked out.
//!
//! Counted per account and address, or per session that asks for the password again (five free, then doubling up to 15
//! minutes), and per address (thirty a minute).

use crate::{
    entity::sign_in_failure::{ActiveModel, Column, Entity as Failures, Model as Failure},
    secret::hash_of,
};
use kernel::{Code, Error, Instant, Result, fold};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, sea_query::OnConflict,
};

const FREE_PER_ACCOUNT: i64 = 5;
const FREE_PER_ADDRESS: i64 = 30;
const LONGEST_BLOCK_SECONDS: i64 = 15 * 60;
/// After so long without a failure a source starts afresh.
const FORGOTTEN_AFTER_SECONDS: i64 = 60 * 60;
const ADDRESS_WINDOW_SECONDS: i64 = 60;

/// Where a sign-in comes from and whom it names.
#[derive(Debug, Clone)]
pub struct Source {
    account: String,
    address: String,
}

const BY_ADDRESS: &str = "address:";

impl Source {
    pub fn new(email: &str, address: &str) -> Self {
        let account = hash_of(&format!("{}|{address}", fold(email)));
        Self { account, address: format!("{BY_ADDRESS}{address}") }
    }

    /// Where the attempt came from.
    pub(crate) fn address(&self) -> &str {
        self.address.strip_prefix(BY_ADDRESS).unwrap_or_default()
    }

    /// Somebody who is signed in already: whoever has stolen a session guesses no faster, and the owner's own sessions
    /// are not slowed by him.
    pub fn of_session(session: i64, address: &str) -> Self {
        Self { account: format!("session:{session}"), address: format!("address:{address}") }
    }
}

/// Refuses while the source is blocked.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub(crate) async fn admit(db: &impl ConnectionTrait, source: &Source, now: Instant) -> Result<()> {
    let blocks = Failures::find()
        .filter(Column::Source.is_in([&source.account, &source.address]))
        .filter(Column::BlockedUntil.gt(now))
        .all(db)
        .await?;
    match blocks.iter().map(|failure| (failure.blocked_until - now).num_seconds() + 1).max() {
        Some(seconds) => Err(Error::Later { code: Code::TooManyAttempts, seconds: seconds.unsigned_abs() }),
        None => Ok(()),
    }
}

/// Counts a failure against both sources.
pub(crate) async fn failed(db: &impl ConnectionTrait, source: &Source, now: Instant) -> Result<()> {
    count(db, &source.account, now, FORGOTTEN_AFTER_SECONDS, |failures| {
        let beyond = failures - FREE_PER_ACCOUNT;
        if beyond < 0 { 0 } else { (1 << beyond.min(20)).min(LONGEST_BLOCK_SECONDS) }
    })
    .await?;
    count(db, &source.address, now, ADDRESS_WINDOW_SECONDS, |failures| {
        if failures < FREE_PER_ADDRESS { 0 } else { ADDRESS_WINDOW_SECONDS }
    })
    .await
}

/// A success clears what was counted against the account from this address.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub(crate) async fn succeeded(db: &impl ConnectionTrait, source: &Source) -> Result<()> {
    Failures::delete_many().filter(Column::Source.eq(&source.account)).exec(db).await?;
    Ok(())
}

/// Rows that no longer slow anybody down.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub async fn clean_up(db: &impl ConnectionTrait, now: Instant) -> Result<()> {
    let forgotten = now - chrono::TimeDelta::seconds(FORGOTTEN_AFTER_SECONDS);
    Failures::delete_many().filter(Column::LastAt.lt(forgotten)).exec(db).await?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
async fn count(
    db: &impl ConnectionTrait,
    source: &str,
    now: Instant,
    window_seconds: i64,
    block_seconds: impl Fn(i64) -> i64,
) -> Result<()> {
    let known: Option<Failure> = Failures::find_by_id(source).one(db).await?;
    let window = chrono::TimeDelta::seconds(window_seconds);
    let failures = 1 + known.filter(|known| now - known.last_at < window).map_or(0, |known| known.failures);
    let row = ActiveModel {
        source: Set(source.to_owned()),
        failures: Set(failures),
        last_at: Set(now),
        blocked_until: Set(now + chrono::TimeDelta::seconds(block_seconds(failures))),
    };
    let again = OnConflict::column(Column::Source)
        .update_columns([Column::Failures, Column::LastAt, Column::BlockedUntil])
        .to_owned();
    Failures::insert(row).on_conflict(again).exec_without_returning(db).await?;
    Ok(())
}
