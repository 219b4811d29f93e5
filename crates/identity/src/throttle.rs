//! Wrong passwords are slowed down; right ones never are, and no owner is locked out.
//!
//! A try is counted before anybody looks whether it is right, so that many at once are no way past; a right one is taken
//! back. Where tries that nobody has judged yet are all that is in the way, the next one waits for the verdict instead of
//! being refused ([`queue`]): right passwords never slow each other. Counted are tries at an account from one place, or from a session that asks for the password again (five free, then
//! doubling up to half a minute), at an account from wherever (forty, and one more each half minute: 160 an hour), and from
//! one address (thirty, and one more each two seconds). Who has signed in from a place before is kept from there by
//! what has happened at that place only.

use std::time::Duration;

use chrono::{DateTime, TimeDelta};
use kernel::{Code, Database, Error, Instant, Result, Write};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::{CaseStatement, Expr, OnConflict, SimpleExpr},
};
use tokio::time::{sleep, timeout_at};

use crate::{
    entity::{
        sign_in_failure::{ActiveModel, Column, Entity as Failures, Model as Failure},
        sign_in_place::{self, Entity as Places},
    },
    password::Passwords,
    retention::ADDRESSES_KEPT,
    source::Source,
};

pub(crate) mod queue;

/// Nobody waits longer, wherever they are and whoever else tries.
const LONGEST_BLOCK: TimeDelta = TimeDelta::seconds(30);
/// After so long without a try a place starts afresh.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::hours(1);
/// A verdict takes less. What is pending for longer was left by a process that died, and counts as wrong.
const VERDICT_WITHIN: TimeDelta = TimeDelta::seconds(5);
/// Longest wait for the verdicts on other tries; a client gives up after ten seconds.
const QUEUED_AT_MOST: Duration = Duration::from_secs(8);
/// Pause between two looks of the first one in a queue.
const POLL: Duration = Duration::from_millis(20);

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
            Self::Doubling { free } if tries < free => DateTime::UNIX_EPOCH,
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

/// Returns true if this is the password. A right one stays pending until [`succeeded`] or [`undone`] is called.
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
    admit(db, passwords, source, now).await?;
    let verdict = passwords.verify(password, hash).await;
    match verdict {
        Ok(true) => {}
        Ok(false) => record_wrong(db, source).await?,
        Err(_) => undone(db, source).await?,
    }
    verdict
}

/// The answer to a try.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Admission {
    /// It is counted and may be looked at.
    Admitted,
    /// It has to wait and is not counted.
    Blocked { seconds: u64 },
    /// It is not counted; the verdicts on pending tries at this source decide.
    Pending { source: String },
}

/// Counts a try that has yet to be looked at, once the verdicts on those before it are known.
///
/// # Errors
/// [`Code::TooManyAttempts`] while it has to wait; then it is neither counted nor looked at.
async fn admit(db: &Database, passwords: &Passwords, source: &Source, now: Instant) -> Result<()> {
    let begun = tokio::time::Instant::now();
    let deadline = begun + QUEUED_AT_MOST;
    let mut turn: Option<queue::Turn> = None;
    loop {
        let now = now + TimeDelta::from_std(begun.elapsed()).unwrap_or_default();
        let pending = match attempt(db, source, now).await? {
            Admission::Admitted => return Ok(()),
            Admission::Blocked { seconds } => {
                return Err(Error::Later { code: Code::TooManyAttempts, seconds });
            }
            Admission::Pending { source } => source,
        };
        if tokio::time::Instant::now() >= deadline {
            return Err(Error::Later { code: Code::Busy, seconds: 1 });
        }
        if turn.as_ref().is_some_and(|turn| turn.source() == pending) {
            sleep(POLL).await;
        } else {
            // left before the next one is entered: nobody waits in two queues
            drop(turn.take());
            let entered = timeout_at(deadline, passwords.sign_in_queues().enter(pending)).await;
            turn = Some(entered.map_err(|_| Error::Later { code: Code::Busy, seconds: 1 })?);
        }
    }
}

/// Counts a try if nothing blocks it.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
async fn attempt(db: &Database, source: &Source, now: Instant) -> Result<Admission> {
    // one after the other: each sees the ones before
    let tx = db.begin_alone::<Failures>().await?;
    let sources = source_limits(source).map(|(source, _)| source);
    let rows = Failures::find().filter(Column::Source.is_in(sources)).all(&tx).await?;
    let counted = |source: &str| rows.iter().find(|row| row.source == source).filter(|row| counts(row, now));
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

/// True while a verdict on one of the row's tries is still to come.
fn is_pending(row: &Failure, now: Instant) -> bool {
    row.pending > 0 && now - row.last_at < VERDICT_WITHIN
}

/// Whether a row still says something. One that lies ahead by more than anybody ever waits was written by a clock that has
/// been set back since.
fn counts(row: &Failure, now: Instant) -> bool {
    now - row.last_at < FORGOTTEN_AFTER && row.last_at - now <= LONGEST_BLOCK
}

#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
async fn count(tx: &Write, source: &str, limit: Limit, known: Option<&Failure>, now: Instant) -> Result<()> {
    let tries = 1 + known.map_or(0, |known| known.failures);
    let pending = 1 + known.filter(|known| is_pending(known, now)).map_or(0, |known| known.pending);
    let row = ActiveModel {
        source: Set(source.to_owned()),
        failures: Set(tries),
        pending: Set(pending),
        last_at: Set(now),
        blocked_until: Set(limit.open_from(known, tries, now)),
    };
    let again = OnConflict::column(Column::Source)
        .update_columns([Column::Failures, Column::Pending, Column::LastAt, Column::BlockedUntil])
        .to_owned();
    Failures::insert(row).on_conflict(again).exec_without_returning(tx).await?;
    Ok(())
}

/// Takes back a try that was right, forgets the wrong ones at its place and remembers the place.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub(crate) async fn succeeded(tx: &Write, source: &Source, user: i64, now: Instant) -> Result<()> {
    take_back(tx, source).await?;
    // what nobody has judged yet goes on counting
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

/// Notes that a try was wrong: it stays counted and is no longer pending.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
async fn record_wrong(db: &Database, source: &Source) -> Result<()> {
    let tx = db.begin().await?;
    // in the order in which everybody else writes them
    for (source, _) in source_limits(source) {
        Failures::update_many()
            .col_expr(Column::Pending, one_less(Column::Pending))
            .filter(Column::Source.eq(source))
            .exec(&tx)
            .await?;
    }
    tx.commit().await
}

/// Takes back a try that nobody has looked at.
pub(crate) async fn undone(db: &Database, source: &Source) -> Result<()> {
    let tx = db.begin().await?;
    take_back(&tx, source).await?;
    tx.commit().await
}

#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
async fn take_back(tx: &Write, source: &Source) -> Result<()> {
    for (source, limit) in source_limits(source) {
        // written before it is read: from then on nobody else writes it
        Failures::update_many()
            .col_expr(Column::Failures, one_less(Column::Failures))
            .col_expr(Column::Pending, one_less(Column::Pending))
            .filter(Column::Source.eq(source))
            .exec(tx)
            .await?;
        let Some(known) = Failures::find_by_id(source).one(tx).await? else { continue };
        Failures::update_many()
            .col_expr(Column::BlockedUntil, Expr::value(limit.open_before(known.blocked_until)))
            .filter(Column::Source.eq(source))
            .exec(tx)
            .await?;
    }
    Ok(())
}

/// The column less one, never below zero.
fn one_less(column: Column) -> SimpleExpr {
    use sea_orm::ExprTrait as _; // not above: its `max` is not that of `Ord`

    let less = CaseStatement::new().case(Expr::col(column).gt(0), Expr::col(column).sub(1)).finally(0);
    less.into()
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
