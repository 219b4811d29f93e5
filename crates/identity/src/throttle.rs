//! Wrong passwords are slowed down; right ones never are, and no owner is locked out.
//!
//! A try is counted before anybody looks whether it is right, so that many at once are no way past; a right one is taken
//! back. Counted are tries at an account from one place, or from a session that asks for the password again (five free, then
//! doubling up to half a minute), at an account from wherever (forty, and one more each half minute: 160 an hour), and from
//! one address (thirty, and one more each two seconds). Who has signed in from a place before is kept from there by
//! what has happened at that place only.

use chrono::TimeDelta;
use kernel::{Code, Database, Error, Instant, Result, Write, fold_email};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::{Expr, OnConflict},
};

use crate::{
    audit::ADDRESSES_KEPT,
    entity::{
        sign_in_failure::{ActiveModel, Column, Entity as Failures, Model as Failure},
        sign_in_place::{self, Entity as Places},
    },
    password::Passwords,
    secret::hash_of,
};

/// Nobody waits longer, wherever they are and whoever else tries.
const LONGEST_BLOCK: TimeDelta = TimeDelta::seconds(30);
/// After so long without a try a place starts afresh.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::hours(1);

/// How a number of tries is limited.
#[derive(Debug, Clone, Copy)]
enum Limit {
    /// So many are free; those behind them come ever more slowly, until one is right.
    Doubling { free: i64 },
    /// So many at once, and one more each time that this has passed.
    Bucket { size: i32, each: TimeDelta },
}

const PLACE_FREE: i64 = 5;
const PLACE: Limit = Limit::Doubling { free: PLACE_FREE };
/// With those that are free at two places where its owner has signed in, 170 an hour.
const ACCOUNT: Limit = Limit::Bucket { size: 40, each: LONGEST_BLOCK };
const ADDRESS: Limit = Limit::Bucket { size: 30, each: TimeDelta::seconds(2) };

impl Limit {
    /// From when on there can be another try behind this one, which is so many since the last that was right.
    fn open_from(self, known: Option<&Failure>, tries: i64, now: Instant) -> Instant {
        match self {
            Self::Doubling { free } if tries < free => now,
            Self::Doubling { free } => {
                now + TimeDelta::seconds(1 << (tries - free).min(5)).min(LONGEST_BLOCK)
            }
            Self::Bucket { size, each } => {
                let full = now - each * (size - 1);
                known.map_or(full, |known| known.blocked_until.max(full)) + each
            }
        }
    }

    /// The same without the last try.
    fn open_before(self, blocked_until: Instant, now: Instant) -> Instant {
        match self {
            Self::Doubling { .. } => now,
            Self::Bucket { each, .. } => blocked_until - each,
        }
    }
}

/// Where a sign-in comes from and whom it names.
#[derive(Debug, Clone)]
pub struct Source {
    place: String,
    account: String,
    address: String,
    is_session: bool,
}

const BY_ADDRESS: &str = "address:";

impl Source {
    pub fn new(email: &str, address: &str) -> Self {
        let email = fold_email(email);
        Self {
            place: hash_of(&format!("{email}|{address}")),
            account: format!("account:{}", hash_of(&email)),
            address: format!("{BY_ADDRESS}{address}"),
            is_session: false,
        }
    }

    /// Somebody who is signed in already: whoever has stolen a session guesses no faster, and the owner's own sessions
    /// are not slowed by him.
    pub fn of_session(session: i64, email: &str, address: &str) -> Self {
        Self { place: format!("session:{session}"), is_session: true, ..Self::new(email, address) }
    }

    /// Where the attempt came from.
    pub(crate) fn address(&self) -> &str {
        self.address.strip_prefix(BY_ADDRESS).unwrap_or_default()
    }

    fn limits(&self) -> [(&str, Limit); 3] {
        [(&self.place, PLACE), (&self.account, ACCOUNT), (&self.address, ADDRESS)]
    }
}

/// Whether this is the password. It counts as wrong until [`succeeded`] says otherwise.
///
/// # Errors
/// [`Code::TooManyAttempts`] while it has to wait, [`Code::Busy`] when nobody had time to look.
pub(crate) async fn verify(
    db: &Database,
    passwords: &Passwords,
    source: &Source,
    password: String,
    hash: Option<String>,
    now: Instant,
) -> Result<bool> {
    attempt(db, source, now).await?;
    match passwords.verify(password, hash).await {
        Ok(right) => Ok(right),
        Err(error) => {
            undone(db, source, now).await?;
            Err(error)
        }
    }
}

/// Counts a try that has yet to be looked at.
///
/// # Errors
/// [`Code::TooManyAttempts`] while it has to wait; then it is neither counted nor looked at.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
async fn attempt(db: &Database, source: &Source, now: Instant) -> Result<()> {
    // one after the other: each sees the ones before
    let tx = db.begin_alone::<Failures>().await?;
    let sources = source.limits().map(|(source, _)| source);
    let rows = Failures::find().filter(Column::Source.is_in(sources)).all(&tx).await?;
    let counted = |source: &str| rows.iter().find(|row| row.source == source).filter(|row| counts(row, now));
    let is_known = source.is_session || Places::find_by_id(&source.place).one(&tx).await?.is_some();
    let at_place = counted(&source.place);
    let is_trusted = is_known && at_place.is_none_or(|row| row.failures < PLACE_FREE);
    let blocks = source.limits().into_iter().take(if is_trusted { 1 } else { 3 });
    let blocks = blocks.filter_map(|(source, _)| counted(source)).map(|row| row.blocked_until - now);
    if let Some(wait) = blocks.filter(|wait| *wait > TimeDelta::zero()).max() {
        let seconds = wait.min(LONGEST_BLOCK).num_milliseconds().unsigned_abs().div_ceil(1000);
        return Err(Error::Later { code: Code::TooManyAttempts, seconds });
    }
    for (source, limit) in source.limits() {
        count(&tx, source, limit, counted(source), now).await?;
    }
    tx.commit().await
}

/// Whether a row still says something. One that lies ahead by more than anybody ever waits was written by a clock that has
/// been set back since.
fn counts(row: &Failure, now: Instant) -> bool {
    now - row.last_at < FORGOTTEN_AFTER && row.last_at - now <= LONGEST_BLOCK
}

#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
async fn count(tx: &Write, source: &str, limit: Limit, known: Option<&Failure>, now: Instant) -> Result<()> {
    let tries = 1 + known.map_or(0, |known| known.failures);
    let row = ActiveModel {
        source: Set(source.to_owned()),
        failures: Set(tries),
        last_at: Set(now),
        blocked_until: Set(limit.open_from(known, tries, now)),
    };
    let again = OnConflict::column(Column::Source)
        .update_columns([Column::Failures, Column::LastAt, Column::BlockedUntil])
        .to_owned();
    Failures::insert(row).on_conflict(again).exec_without_returning(tx).await?;
    Ok(())
}

/// A try was right: it is taken back, what was counted at this place is forgotten, and the place is known from now on.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub(crate) async fn succeeded(tx: &Write, source: &Source, user: i64, now: Instant) -> Result<()> {
    take_back(tx, source, now).await?;
    Failures::delete_by_id(&source.place).exec(tx).await?;
    if source.is_session {
        return Ok(());
    }
    let row = sign_in_place::ActiveModel {
        place: Set(source.place.clone()),
        user_id: Set(user),
        last_at: Set(now),
    };
    let again = OnConflict::column(sign_in_place::Column::Place)
        .update_columns([sign_in_place::Column::UserId, sign_in_place::Column::LastAt])
        .to_owned();
    Places::insert(row).on_conflict(again).exec_without_returning(tx).await?;
    Ok(())
}

/// A try that nobody has looked at was none.
pub(crate) async fn undone(db: &Database, source: &Source, now: Instant) -> Result<()> {
    let tx = db.begin().await?;
    take_back(&tx, source, now).await?;
    tx.commit().await
}

#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
async fn take_back(tx: &Write, source: &Source, now: Instant) -> Result<()> {
    for (source, limit) in source.limits() {
        // written before it is read: from then on nobody else writes it
        Failures::update_many()
            .col_expr(Column::Failures, sea_orm::ExprTrait::sub(Expr::col(Column::Failures), 1))
            .filter(Column::Source.eq(source))
            .exec(tx)
            .await?;
        let Some(known) = Failures::find_by_id(source).one(tx).await? else { continue };
        Failures::update_many()
            .col_expr(Column::BlockedUntil, Expr::value(limit.open_before(known.blocked_until, now)))
            .filter(Column::Source.eq(source))
            .exec(tx)
            .await?;
    }
    Ok(())
}

/// Rows that no longer slow anybody down, and places where nobody has signed in for long.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub async fn clean_up(db: &impl ConnectionTrait, now: Instant) -> Result<()> {
    Failures::delete_many().filter(Column::LastAt.lt(now - FORGOTTEN_AFTER)).exec(db).await?;
    let long_ago = sign_in_place::Column::LastAt.lt(now - ADDRESSES_KEPT);
    Places::delete_many().filter(long_ago).exec(db).await?;
    Ok(())
}

#[cfg(test)]
mod tests;
