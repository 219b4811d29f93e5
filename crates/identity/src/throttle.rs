//! Limits on failed sign-ins: wrong passwords are slowed down, right ones are not, and owners are never
//! locked out.
//!
//! An attempt is counted before the password is checked, so that concurrent attempts cannot bypass the limit;
//! a successful one is uncounted. If only attempts without a result are in the way, the next one waits for
//! the result instead of being refused ([`queue`]), so right passwords never slow each other.
//!
//! Limits:
//!
//! - Account and place, or a session that asks for the password again: five attempts are free, then the pause
//!   doubles up to half a minute.
//! - Account from any place: forty attempts, and one more each half minute: 160 an hour.
//! - Address: thirty attempts, and one more every two seconds.
//!
//! At a place where the user has signed in before, only the limit of that place applies.

use std::time::Duration;

use chrono::{DateTime, TimeDelta};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::{CaseStatement, Expr, OnConflict, SimpleExpr},
};
use store::{Database, Write};
use tokio::time::{sleep, timeout_at};
use values::{Error, Instant, Result};

use crate::{
    codes,
    entity::{
        sign_in_failure::{ActiveModel, Column, Entity as Failures, Model as Failure},
        sign_in_place::{self, Entity as Places},
    },
    password::Passwords,
    retention::ADDRESSES_KEPT,
    source::Source,
};

pub(crate) mod queue;

/// Maximum wait, independent of place and of other attempts.
const LONGEST_BLOCK: TimeDelta = TimeDelta::seconds(30);
/// Time without an attempt after which a source starts afresh.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::hours(1);
/// Maximum time of a password check. An attempt pending for longer was left by a crashed process and counts
/// as failed.
const VERDICT_WITHIN: TimeDelta = TimeDelta::seconds(5);
/// Maximum wait for the results of other attempts; a client gives up after ten seconds.
const QUEUED_AT_MOST: Duration = Duration::from_secs(8);
/// Pause between two polls of the first attempt in a queue.
const POLL: Duration = Duration::from_millis(20);

/// Limit on the number of attempts.
#[derive(Debug, Clone, Copy)]
enum Limit {
    /// Pause that doubles with each attempt after the first `free` ones, until one succeeds.
    Doubling { free: i64 },
    /// Up to `size` attempts together, and one more after each period.
    Bucket { size: i32, each: TimeDelta },
}

const PLACE_FREE: i64 = 5;
const PLACE: Limit = Limit::Doubling { free: PLACE_FREE };
/// Together with the free attempts at two known places of the owner: 170 an hour.
const ACCOUNT: Limit = Limit::Bucket { size: 40, each: LONGEST_BLOCK };
const ADDRESS: Limit = Limit::Bucket { size: 30, each: TimeDelta::seconds(2) };

impl Limit {
    /// Time at which the next attempt is allowed; `tries` counts those since the last success.
    fn open_from(self, previous: Option<&Failure>, tries: i64, now: Instant) -> Instant {
        match self {
            Self::Doubling { free } if tries < free => DateTime::UNIX_EPOCH,
            Self::Doubling { free } => {
                now + TimeDelta::seconds(1 << (tries - free).min(5)).min(LONGEST_BLOCK)
            }
            Self::Bucket { size, each } => {
                let full = now - each * (size - 1);
                previous.map_or(full, |failure| failure.blocked_until.max(full)) + each
            }
        }
    }

    /// Same time without the last attempt.
    fn open_before(self, blocked_until: Instant) -> Instant {
        match self {
            Self::Doubling { .. } => DateTime::UNIX_EPOCH,
            Self::Bucket { each, .. } => blocked_until - each,
        }
    }
}

fn source_limits(source: &Source) -> [(&str, Limit); 3] {
    [(&source.place, PLACE), (&source.account, ACCOUNT), (&source.address, ADDRESS)]
}

/// Returns true if the password is right. The attempt then stays pending until [`succeeded`] or
/// [`uncount_unchecked`] is called.
///
/// # Errors
/// [`codes::TOO_MANY_ATTEMPTS`] while attempts are blocked, [`codes::BUSY`] if the check could not start in
/// time.
pub(crate) async fn verify(
    db: &Database,
    passwords: &Passwords,
    source: &Source,
    password: String,
    hash: Option<String>,
    now: Instant,
) -> Result<bool> {
    admit(db, passwords, source, now).await?;
    let verdict = passwords.verify(password, hash).await;
    match verdict {
        Ok(true) => {}
        Ok(false) => record_wrong(db, source).await?,
        Err(_) => uncount_unchecked(db, source).await?,
    }
    verdict
}

/// Decision on an attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Admission {
    /// Counted; the password may be checked.
    Admitted,
    /// Blocked and not counted.
    Blocked { seconds: u64 },
    /// Undecided and uncounted; depends on the results of pending attempts at this source.
    Pending { source: String },
}

/// Counts an attempt before its password is checked, after the results of earlier ones are known.
///
/// # Errors
/// [`codes::TOO_MANY_ATTEMPTS`] while attempts are blocked; it is then neither counted nor checked.
async fn admit(db: &Database, passwords: &Passwords, source: &Source, now: Instant) -> Result<()> {
    let queued_at = tokio::time::Instant::now();
    let deadline = queued_at + QUEUED_AT_MOST;
    let mut first_place: Option<queue::FirstPlace> = None;
    loop {
        let now = now + TimeDelta::from_std(queued_at.elapsed()).unwrap_or_default();
        let pending = match attempt(db, source, now).await? {
            Admission::Admitted => return Ok(()),
            Admission::Blocked { seconds } => {
                return Err(Error::Later { code: codes::TOO_MANY_ATTEMPTS, seconds });
            }
            Admission::Pending { source } => source,
        };
        if tokio::time::Instant::now() >= deadline {
            return Err(Error::Later { code: codes::BUSY, seconds: 1 });
        }
        if first_place.as_ref().is_some_and(|first_place| first_place.source() == pending) {
            sleep(POLL).await;
        } else {
            // Leaves one queue before it enters the next, so that no attempt waits in two.
            drop(first_place.take());
            let entered = timeout_at(deadline, passwords.sign_in_queues().enter(pending)).await;
            first_place = Some(entered.map_err(|_| Error::Later { code: codes::BUSY, seconds: 1 })?);
        }
    }
}

/// Counts an attempt unless it is blocked.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
async fn attempt(db: &Database, source: &Source, now: Instant) -> Result<Admission> {
    // Exclusive, so that each attempt sees the earlier ones.
    let tx = db.begin_alone::<Failures>().await?;
    let sources = source_limits(source).map(|(source, _)| source);
    let rows = Failures::find().filter(Column::Source.is_in(sources)).all(&tx).await?;
    let counted =
        |source: &str| rows.iter().find(|row| row.source == source).filter(|row| is_relevant(row, now));
    let is_known = source.is_session || Places::find_by_id(&source.place).one(&tx).await?.is_some();
    let at_place = counted(&source.place);
    let is_trusted = is_known && at_place.is_none_or(|row| row.failures < PLACE_FREE);
    let limits = source_limits(source).into_iter().take(if is_trusted { 1 } else { 3 });
    let blocking: Vec<&Failure> =
        limits.filter_map(|(source, _)| counted(source)).filter(|row| row.blocked_until > now).collect();
    if let Some(certain) =
        blocking.iter().filter(|row| !is_pending(row, now)).map(|row| row.blocked_until).max()
    {
        let wait = (certain - now).min(LONGEST_BLOCK);
        let seconds = wait.num_milliseconds().unsigned_abs().div_ceil(1000).max(1);
        return Ok(Admission::Blocked { seconds });
    }
    if let Some(row) = blocking.first() {
        return Ok(Admission::Pending { source: row.source.clone() });
    }
    for (source, limit) in source_limits(source) {
        count(&tx, source, limit, counted(source), now).await?;
    }
    tx.commit().await?;
    Ok(Admission::Admitted)
}

/// True if one of the row's attempts has no result yet.
fn is_pending(row: &Failure, now: Instant) -> bool {
    row.pending > 0 && now - row.last_at < VERDICT_WITHIN
}

/// True if a row is still relevant. One further in the future than the maximum wait was written before the
/// clock was set back.
fn is_relevant(row: &Failure, now: Instant) -> bool {
    now - row.last_at < FORGOTTEN_AFTER && row.last_at - now <= LONGEST_BLOCK
}

#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
async fn count(
    tx: &Write,
    source: &str,
    limit: Limit,
    previous: Option<&Failure>,
    now: Instant,
) -> Result<()> {
    let tries = 1 + previous.map_or(0, |failure| failure.failures);
    let pending =
        1 + previous.filter(|failure| is_pending(failure, now)).map_or(0, |failure| failure.pending);
    let row = ActiveModel {
        source: Set(source.to_owned()),
        failures: Set(tries),
        pending: Set(pending),
        last_at: Set(now),
        blocked_until: Set(limit.open_from(previous, tries, now)),
    };
    let again = OnConflict::column(Column::Source)
        .update_columns([Column::Failures, Column::Pending, Column::LastAt, Column::BlockedUntil])
        .to_owned();
    Failures::insert(row).on_conflict(again).exec_without_returning(tx).await?;
    Ok(())
}

/// Uncounts a successful attempt, clears the failed ones at its place and remembers the place.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub(crate) async fn succeeded(tx: &Write, source: &Source, user: i64, now: Instant) -> Result<()> {
    uncount(tx, source).await?;
    // Attempts without a result stay counted.
    Failures::update_many()
        .col_expr(Column::Failures, Expr::col(Column::Pending))
        .filter(Column::Source.eq(&source.place))
        .exec(tx)
        .await?;
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

/// Records a failed attempt: it stays counted and is no longer pending.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
async fn record_wrong(db: &Database, source: &Source) -> Result<()> {
    let tx = db.begin().await?;
    // Same order as in all other writes.
    for (source, _) in source_limits(source) {
        Failures::update_many()
            .col_expr(Column::Pending, one_less(Column::Pending))
            .filter(Column::Source.eq(source))
            .exec(&tx)
            .await?;
    }
    tx.commit().await
}

/// Uncounts an attempt that was not checked.
pub(crate) async fn uncount_unchecked(db: &Database, source: &Source) -> Result<()> {
    let tx = db.begin().await?;
    uncount(&tx, source).await?;
    tx.commit().await
}

#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
async fn uncount(tx: &Write, source: &Source) -> Result<()> {
    for (source, limit) in source_limits(source) {
        // Written before it is read, which locks the row.
        Failures::update_many()
            .col_expr(Column::Failures, one_less(Column::Failures))
            .col_expr(Column::Pending, one_less(Column::Pending))
            .filter(Column::Source.eq(source))
            .exec(tx)
            .await?;
        let Some(failure) = Failures::find_by_id(source).one(tx).await? else { continue };
        Failures::update_many()
            .col_expr(Column::BlockedUntil, Expr::value(limit.open_before(failure.blocked_until)))
            .filter(Column::Source.eq(source))
            .exec(tx)
            .await?;
    }
    Ok(())
}

/// Column minus one, at least zero.
fn one_less(column: Column) -> SimpleExpr {
    use sea_orm::ExprTrait as _; // not above: its `max` is not that of `Ord`

    let less = CaseStatement::new().case(Expr::col(column).gt(0), Expr::col(column).sub(1)).finally(0);
    less.into()
}

/// Deletes rows that no longer block attempts, and places without a recent sign-in.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub async fn clean_up(db: &impl ConnectionTrait, now: Instant) -> Result<()> {
    Failures::delete_many().filter(Column::LastAt.lt(now - FORGOTTEN_AFTER)).exec(db).await?;
    let long_ago = sign_in_place::Column::LastAt.lt(now - ADDRESSES_KEPT);
    Places::delete_many().filter(long_ago).exec(db).await?;
    Ok(())
}

#[cfg(test)]
mod tests;
