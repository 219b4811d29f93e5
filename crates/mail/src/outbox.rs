//! The outbox of mails: a mail is written in the transaction of what it tells about, so that neither is without the other.
//! It is tried until it has left, for a day; a sender holds it by a lease, and so a mail comes twice only where a sender
//! was killed between sending it and noting it.

use std::collections::HashSet;

use background::{
    Figures, Leased,
    outbox::{self, Attempt, Outbox, Retries, Waiting},
};
use chrono::TimeDelta;
use kernel::{Database, Instant, Language, Result};
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};

pub use background::outbox::{Failure, Fate};

pub use crate::entity::Model as Letter;
use crate::{
    Kind, Mail,
    entity::{ActiveModel, Column, Entity as Mails},
};

/// That a mail was sent is remembered for so long; a file that it was written into is kept as long.
pub(crate) const REMEMBERED: TimeDelta = TimeDelta::days(30);

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

impl Outbox for Mails {
    const CREATED: Column = Column::CreatedAt;
    const DUE: Column = Column::DueAt;
    const SENT: Column = Column::SentAt;
    const FAILED: Column = Column::FailedAt;
    const ERROR: Column = Column::Error;
    const CONTENT: &'static [Column] = &[Column::Text, Column::Html];
    const RETRIES: Retries = Retries {
        first_pause: TimeDelta::minutes(1),
        longest_pause: TimeDelta::hours(1),
        give_up_after: TimeDelta::hours(24),
        // its text holds a secret
        abandon_after: TimeDelta::days(7),
    };

    fn attempt(letter: &Letter) -> Attempt {
        Attempt { number: letter.attempts, written_at: letter.created_at }
    }
}

/// The mail that is due longest; now it is `owner`'s.
pub async fn claim(db: &Database, owner: &str, now: Instant) -> Result<Option<Letter>> {
    outbox::claim::<Mails>(db, owner, now).await
}

/// The outbox as a queue.
pub async fn figures(db: &impl ConnectionTrait, now: Instant) -> Result<Figures> {
    outbox::figures::<Mails>(db, now).await
}

/// How many mails wait, and for how long.
pub async fn waiting(db: &impl ConnectionTrait) -> Result<Waiting> {
    outbox::waiting::<Mails>(db).await
}

/// Notes how an attempt went. `None`: the mail was taken back, or is another sender's by now.
pub async fn record(
    tx: &impl ConnectionTrait,
    letter: &Letter,
    outcome: &Result<(), Failure>,
    now: Instant,
) -> Result<Option<Fate>> {
    outbox::record::<Mails>(tx, letter, outcome, now).await
}

/// Forgets what has left, or could not, long ago, and gives up what has waited for too long.
pub async fn clean_up(db: &impl ConnectionTrait, now: Instant) -> Result<()> {
    outbox::clean_up::<Mails>(db, REMEMBERED, now).await
}

#[cfg(test)]
mod tests;
