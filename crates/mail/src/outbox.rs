//! The outbox: a mail is written in the transaction of what it tells about, so that neither is without the other. It
//! is tried until it has left, for a day; a sender holds it by a lease, and so a mail comes twice only where a sender
//! was killed between sending it and noting it.

use std::collections::HashSet;

use background::{Figures, Leased, lease};
use chrono::TimeDelta;
use kernel::{Database, Instant, Language, Result};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

pub use crate::entity::Model as Letter;
use crate::{
    Kind, Mail,
    entity::{ActiveModel, Column, Entity as Mails},
    transport::Failure,
};

const FIRST_PAUSE: TimeDelta = TimeDelta::minutes(1);
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(1);
const GIVEN_UP_AFTER: TimeDelta = TimeDelta::hours(24);
/// What could not even be tried is not kept for longer: its text holds a secret.
const TEXT_KEPT: TimeDelta = TimeDelta::days(7);
/// That a mail was sent is remembered for so long; a file that it was written into is kept as long.
pub(crate) const REMEMBERED: TimeDelta = TimeDelta::days(30);
const ERROR_CHARACTERS: usize = 255;

/// Who gets a mail.
#[derive(Debug, Clone, Copy)]
pub struct Recipient<'a> {
    pub user_id: i64,
    pub name: &'a str,
    pub address: &'a str,
    /// German if he has not chosen one.
    pub language: Option<Language>,
}

/// Puts a mail into the outbox; it leaves once `tx` is committed.
#[expect(clippy::disallowed_methods, reason = "the outbox belongs to no tenant")]
pub async fn queue(
    tx: &impl ConnectionTrait,
    to: Recipient<'_>,
    mail: &Mail<'_>,
    now: Instant,
) -> Result<()> {
    let language = to.language.unwrap_or_default();
    let written = mail.written(to.name, language);
    let row = ActiveModel {
        user_id: Set(Some(to.user_id)),
        kind: Set(mail.kind()),
        name: Set(to.name.to_owned()),
        address: Set(to.address.to_owned()),
        language: Set(match language {
            Language::De => "de".to_owned(),
            Language::En => "en".to_owned(),
        }),
        subject: Set(written.subject),
        text: Set(Some(written.text)),
        html: Set(Some(written.html)),
        created_at: Set(now),
        attempts: Set(0),
        due_at: Set(Some(now)),
        ..Default::default()
    };
    row.insert(tx).await?;
    Ok(())
}

/// Takes mails of these kinds back that have not left, and forgets those that could not.
#[expect(clippy::disallowed_methods, reason = "of a user whom the caller may change")]
pub async fn withdraw(tx: &impl ConnectionTrait, user_id: i64, kinds: &[Kind]) -> Result<()> {
    Mails::delete_many()
        .filter(Column::UserId.eq(user_id))
        .filter(Column::Kind.is_in(kinds.iter().copied()))
        .filter(Column::SentAt.is_null())
        .exec(tx)
        .await?;
    Ok(())
}

/// Takes back what a user was written at that moment; whether it had not left. What is being sent just now leaves all
/// the same.
#[expect(clippy::disallowed_methods, reason = "of a user whom the caller may change")]
pub async fn withdraw_written(
    tx: &impl ConnectionTrait,
    user_id: i64,
    kind: Kind,
    at: Instant,
) -> Result<bool> {
    let withdrawn = Mails::delete_many()
        .filter(Column::UserId.eq(user_id))
        .filter(Column::Kind.eq(kind))
        .filter(Column::CreatedAt.eq(at))
        .filter(Column::DueAt.is_not_null())
        .exec(tx)
        .await?;
    Ok(withdrawn.rows_affected > 0)
}

/// How many mails of a kind a user was written since.
#[expect(clippy::disallowed_methods, reason = "of a user whom the caller may change")]
pub async fn count(tx: &impl ConnectionTrait, user_id: i64, kind: Kind, since: Instant) -> Result<u64> {
    let mails = Mails::find()
        .filter(Column::UserId.eq(user_id))
        .filter(Column::Kind.eq(kind))
        .filter(Column::CreatedAt.gt(since));
    Ok(mails.count(tx).await?)
}

/// What a user was written, or is to be.
#[expect(clippy::disallowed_methods, reason = "of a user whom the caller has found through his scope")]
pub async fn of_user(db: &impl ConnectionTrait, user_id: i64) -> Result<Vec<Letter>> {
    Ok(Mails::find().filter(Column::UserId.eq(user_id)).order_by_asc(Column::Id).all(db).await?)
}

/// To whom of these users a mail of this kind could not be delivered.
#[expect(clippy::disallowed_methods, reason = "of users whom the caller has found through his scope")]
pub async fn undelivered(
    db: &impl ConnectionTrait,
    users: impl IntoIterator<Item = i64>,
    kind: Kind,
) -> Result<HashSet<i64>> {
    let users: Vec<i64> = users.into_iter().collect();
    if users.is_empty() {
        return Ok(HashSet::new());
    }
    let failed = Mails::find()
        .select_only()
        .column(Column::UserId)
        .filter(Column::UserId.is_in(users))
        .filter(Column::Kind.eq(kind))
        .filter(Column::FailedAt.is_not_null());
    let failed: Vec<Option<i64>> = failed.into_tuple().all(db).await?;
    Ok(failed.into_iter().flatten().collect())
}

impl Leased for Mails {
    const ID: Column = Column::Id;
    const OWNER: Column = Column::LeaseOwner;
    const UNTIL: Column = Column::LeaseUntil;
    /// Each claim is an attempt.
    const FENCE: Column = Column::Attempts;
    /// How long a sender may take for one mail; longer than [`crate::transport`] waits.
    const LEASE: TimeDelta = TimeDelta::minutes(2);

    fn open() -> Condition {
        Condition::all().add(Column::DueAt.is_not_null())
    }
}

const NEXT: &str = "SELECT i.id FROM mail i WHERE i.due_at <= $1 \
    AND (i.lease_until IS NULL OR i.lease_until <= $1) ORDER BY i.due_at, i.id";

/// The mail that is due longest; now it is `owner`'s.
pub async fn claim(db: &Database, owner: &str, now: Instant) -> Result<Option<Letter>> {
    lease::claim::<Mails>(db, owner, now, NEXT, &[]).await
}

/// The outbox as a queue.
#[expect(clippy::disallowed_methods, reason = "a figure of the whole installation")]
pub async fn figures(db: &impl ConnectionTrait, now: Instant) -> Result<Figures> {
    let Waiting { mails, since } = waiting(db).await?;
    let running = Mails::find().filter(Column::DueAt.is_not_null()).filter(Column::LeaseUntil.gt(now));
    let running = i64::try_from(running.count(db).await?).unwrap_or(i64::MAX);
    let failed = Mails::find().filter(Column::FailedAt.gt(now - TimeDelta::days(1)));
    let failed = i64::try_from(failed.count(db).await?).unwrap_or(i64::MAX);
    Ok(Figures { waiting: mails - running, waiting_since: since, running, failed })
}

/// What has not left yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    pub mails: i64,
    /// When the oldest of them was written.
    pub since: Option<Instant>,
}

/// How many mails wait, and for how long.
#[expect(clippy::disallowed_methods, reason = "a figure of the whole installation")]
pub async fn waiting(db: &impl ConnectionTrait) -> Result<Waiting> {
    let waiting = Mails::find()
        .select_only()
        .column_as(Column::Id.count(), "mails")
        .column_as(Column::CreatedAt.min(), "since")
        .filter(Column::DueAt.is_not_null());
    let (mails, since) = waiting.into_tuple().one(db).await?.unwrap_or_default();
    Ok(Waiting { mails, since })
}

/// What becomes of a mail after an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Sent,
    /// It is tried again at this time.
    Waits(Instant),
    GivenUp,
}

/// A house that cannot be reached is knocked at every minute; who puts a mail off is asked ever less often. Either for
/// a day.
fn fate(outcome: &Result<(), Failure>, letter: &Letter, now: Instant) -> Fate {
    let pause = match outcome {
        Ok(()) => return Fate::Sent,
        Err(Failure::Refused(_)) => return Fate::GivenUp,
        Err(Failure::Unreachable(_)) => FIRST_PAUSE,
        Err(Failure::Deferred(_)) => {
            let doublings = u32::try_from(letter.attempts - 1).unwrap_or_default().min(6);
            (FIRST_PAUSE * 2_i32.pow(doublings)).min(LONGEST_PAUSE)
        }
    };
    if now - letter.created_at >= GIVEN_UP_AFTER { Fate::GivenUp } else { Fate::Waits(now + pause) }
}

/// Notes how an attempt went. `None`: the mail was taken back, or is another sender's by now.
#[expect(clippy::disallowed_methods, reason = "the sender's own mail, by the number of its attempt")]
pub async fn record(
    tx: &impl ConnectionTrait,
    letter: &Letter,
    outcome: &Result<(), Failure>,
    now: Instant,
) -> Result<Option<Fate>> {
    let fate = fate(outcome, letter, now);
    let error = outcome.as_ref().err().map(|failure| {
        failure
            .to_string()
            .chars()
            .filter(|character| !character.is_control())
            .take(ERROR_CHARACTERS)
            .collect()
    });
    let mut row = ActiveModel { error: Set(error), ..Default::default() };
    match fate {
        Fate::Waits(until) => row.due_at = Set(Some(until)),
        Fate::Sent => row.sent_at = Set(Some(now)),
        Fate::GivenUp => row.failed_at = Set(Some(now)),
    }
    if !matches!(fate, Fate::Waits(_)) {
        (row.due_at, row.text, row.html) = (Set(None), Set(None), Set(None));
    }
    let noted = lease::change(tx, letter, lease::ended(Mails::update_many().set(row))).await?;
    Ok(noted.then_some(fate))
}

/// Forgets what has left, or could not, long ago, and gives up what has waited for too long.
#[expect(clippy::disallowed_methods, reason = "the outbox belongs to no tenant")]
pub async fn clean_up(db: &impl ConnectionTrait, now: Instant) -> Result<()> {
    let long_ago = now - REMEMBERED;
    let over = Condition::any().add(Column::SentAt.lt(long_ago)).add(Column::FailedAt.lt(long_ago));
    Mails::delete_many().filter(over).exec(db).await?;
    let given_up = ActiveModel {
        due_at: Set(None),
        lease_owner: Set(None),
        lease_until: Set(None),
        text: Set(None),
        html: Set(None),
        failed_at: Set(Some(now)),
        error: Set(Some(format!("not delivered within {} days", TEXT_KEPT.num_days()))),
        ..Default::default()
    };
    Mails::update_many()
        .set(given_up)
        .filter(Column::DueAt.is_not_null())
        .filter(Column::CreatedAt.lt(now - TEXT_KEPT))
        .exec(db)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests;
