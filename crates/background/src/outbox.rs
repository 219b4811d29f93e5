//! Outboxes: messages that wait in a table until they are sent.
//!
//! A message is written in the transaction that it reports. A sender claims it by a lease, and each claim is
//! an attempt. Failed attempts are repeated with growing pauses until the message is given up.

use chrono::TimeDelta;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, IdenStatic, PaginatorTrait, QueryFilter, QuerySelect,
    sea_query::Expr,
};
use store::Database;
use values::{Instant, Result};

use crate::{Figures, Leased, lease};

/// Maximum length of a stored cause, in characters.
const ERROR_CHARACTERS: usize = 255;

/// Pauses between the attempts of a message, and the time after which it is given up.
#[derive(Debug, Clone, Copy)]
pub struct Retries {
    /// The pause after the first attempt, and after each one that did not reach the other side.
    pub first_pause: TimeDelta,
    /// The longest pause: pauses double with each attempt that was put off.
    pub longest_pause: TimeDelta,
    /// The age at which a message whose attempt has failed is given up.
    pub give_up_after: TimeDelta,
    /// The age at which a message that could not even be tried is given up.
    pub abandon_after: TimeDelta,
}

/// Facts about a message that its retries depend on.
#[derive(Debug, Clone, Copy)]
pub struct Attempt {
    /// The number of attempts, this one included.
    pub number: i64,
    /// The time at which the message was written.
    pub written_at: Instant,
}

/// Table of messages. A message waits while it has a due time; afterwards it was sent or given up.
pub trait Outbox: Leased {
    const CREATED: Self::Column;
    const DUE: Self::Column;
    const SENT: Self::Column;
    const FAILED: Self::Column;
    const ERROR: Self::Column;
    /// Texts that are cleared when a message no longer waits.
    const CONTENT: &'static [Self::Column];
    const RETRIES: Retries;

    fn attempt(message: &Self::Model) -> Attempt;
}

/// Reason why a message was not sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The other side does not answer or rejects us, so no message can be sent.
    Unreachable(String),
    /// Temporary rejection of this message.
    Deferred(String),
    /// Permanent rejection of this message.
    Refused(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Self::Unreachable(cause) | Self::Deferred(cause) | Self::Refused(cause)) = self;
        f.write_str(cause)
    }
}

impl Failure {
    /// Cause as it is stored: one line of limited length.
    fn cause(&self) -> String {
        let text = self.to_string();
        text.chars().filter(|character| !character.is_control()).take(ERROR_CHARACTERS).collect()
    }
}

/// State of a message after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Sent,
    /// Retried at this time.
    Waits(Instant),
    GivenUp,
}

/// Messages that are not sent yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    pub messages: i64,
    /// Time at which the oldest of them was written.
    pub since: Option<Instant>,
}

/// Claims the message that has been due longest, for `owner`.
pub async fn claim<E: Outbox>(db: &Database, owner: &str, now: Instant) -> Result<Option<E::Model>> {
    let next = format!(
        "SELECT i.{id} FROM {table} i WHERE i.{due} <= $1 AND (i.{until} IS NULL OR i.{until} <= $1) \
         ORDER BY i.{due}, i.{id}",
        table = E::default().table_name(),
        id = E::ID.as_str(),
        due = E::DUE.as_str(),
        until = E::UNTIL.as_str(),
    );
    lease::claim::<E>(db, owner, now, &next, &[]).await
}

/// State of a message after an attempt with this outcome. The pause is constant if the other side is
/// unreachable, and grows if it defers the message.
pub fn fate<E: Outbox>(outcome: &Result<(), Failure>, message: &E::Model, now: Instant) -> Fate {
    let Retries { first_pause, longest_pause, give_up_after, .. } = E::RETRIES;
    let Attempt { number, written_at } = E::attempt(message);
    let pause = match outcome {
        Ok(()) => return Fate::Sent,
        Err(Failure::Refused(_)) => return Fate::GivenUp,
        Err(Failure::Unreachable(_)) => first_pause,
        Err(Failure::Deferred(_)) => {
            let doublings = u32::try_from(number - 1).unwrap_or_default().min(16);
            (first_pause * 2_i32.pow(doublings)).min(longest_pause)
        }
    };
    if now - written_at >= give_up_after { Fate::GivenUp } else { Fate::Waits(now + pause) }
}

/// Records the outcome of an attempt. `None` if the message was withdrawn, or another sender has claimed it.
#[expect(clippy::disallowed_methods, reason = "the sender's own message, by the number of its attempt")]
pub async fn record<E: Outbox>(
    tx: &impl ConnectionTrait,
    message: &E::Model,
    outcome: &Result<(), Failure>,
    now: Instant,
) -> Result<Option<Fate>> {
    let fate = fate::<E>(outcome, message, now);
    let error = outcome.as_ref().err().map(Failure::cause);
    let update = lease::released(E::update_many()).col_expr(E::ERROR, Expr::value(error));
    let update = match fate {
        Fate::Waits(until) => update.col_expr(E::DUE, Expr::value(until)),
        Fate::Sent => without_content::<E>(update).col_expr(E::SENT, Expr::value(now)),
        Fate::GivenUp => without_content::<E>(update).col_expr(E::FAILED, Expr::value(now)),
    };
    let recorded = lease::change(tx, message, update).await?;
    Ok(recorded.then_some(fate))
}

/// Clears the due time and the texts of a message.
fn without_content<E: Outbox>(update: sea_orm::UpdateMany<E>) -> sea_orm::UpdateMany<E> {
    let update = update.col_expr(E::DUE, Expr::value(None::<Instant>));
    E::CONTENT.iter().fold(update, |update, column| update.col_expr(*column, Expr::value(None::<String>)))
}

/// Counts the messages that wait.
#[expect(clippy::disallowed_methods, reason = "a figure of the whole installation")]
pub async fn waiting<E: Outbox>(db: &impl ConnectionTrait) -> Result<Waiting> {
    let waiting = E::find()
        .select_only()
        .column_as(E::ID.count(), "messages")
        .column_as(E::CREATED.min(), "since")
        .filter(E::DUE.is_not_null());
    let (messages, since) = waiting.into_tuple().one(db).await?.unwrap_or_default();
    Ok(Waiting { messages, since })
}

/// Figures of an outbox as a queue.
#[expect(clippy::disallowed_methods, reason = "a figure of the whole installation")]
pub async fn figures<E: Outbox>(db: &impl ConnectionTrait, now: Instant) -> Result<Figures>
where
    E::Model: Sync,
{
    let Waiting { messages, since } = waiting::<E>(db).await?;
    let running = E::find().filter(E::DUE.is_not_null()).filter(E::UNTIL.gt(now));
    let running = i64::try_from(running.count(db).await?).unwrap_or(i64::MAX);
    let failed = E::find().filter(E::FAILED.gt(now - TimeDelta::days(1)));
    let failed = i64::try_from(failed.count(db).await?).unwrap_or(i64::MAX);
    Ok(Figures { waiting: messages - running, waiting_since: since, running, failed })
}

/// Deletes messages that were sent or given up more than `remembered` ago, and gives up those that have
/// waited too long.
#[expect(clippy::disallowed_methods, reason = "an outbox belongs to no tenant")]
pub async fn clean_up<E: Outbox>(
    db: &impl ConnectionTrait,
    remembered: TimeDelta,
    now: Instant,
) -> Result<()> {
    let long_ago = now - remembered;
    let over = Condition::any().add(E::SENT.lt(long_ago)).add(E::FAILED.lt(long_ago));
    E::delete_many().filter(over).exec(db).await?;
    let abandon_after = E::RETRIES.abandon_after;
    let error = format!("not delivered within {} days", abandon_after.num_days());
    lease::released(without_content::<E>(E::update_many()))
        .col_expr(E::FAILED, Expr::value(now))
        .col_expr(E::ERROR, Expr::value(error))
        .filter(E::DUE.is_not_null())
        .filter(E::CREATED.lt(now - abandon_after))
        .exec(db)
        .await?;
    Ok(())
}
