//! Outbox of mails: a mail is written in the transaction that it reports, so that neither exists without the
//! other. It is retried for a day. A sender claims it by a lease, so a mail is sent twice only if a sender
//! was killed between sending and recording it.

use std::collections::HashSet;

use background::{
    Figures, Leased,
    outbox::{self, Attempt, Outbox, Retries, Waiting},
};
use chrono::TimeDelta;
use sea_orm::{
    ActiveModelTrait, ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};
use store::Database;
use values::{Instant, Language, Result};

pub use background::outbox::{Failure, Fate};

pub use crate::entity::Model as Letter;
use crate::{
    Kind, Mail,
    entity::{ActiveModel, Column, Entity as Mails},
};

/// Time for which sent mails are remembered; files that mails are written into are stored equally long.
pub(crate) const REMEMBERED: TimeDelta = TimeDelta::days(30);

/// Recipient of a mail.
#[derive(Debug, Clone, Copy)]
pub struct Recipient<'a> {
    pub user_id: i64,
    pub name: &'a str,
    pub address: &'a str,
    /// Language that the recipient has chosen; German if none.
    pub language: Option<Language>,
}

/// Puts a mail into the outbox; it is sent once `tx` is committed.
#[expect(clippy::disallowed_methods, reason = "the outbox belongs to no tenant")]
pub async fn queue(
    tx: &impl ConnectionTrait,
    to: Recipient<'_>,
    mail: &Mail<'_>,
    now: Instant,
) -> Result<()> {
    let language = to.language.unwrap_or_default();
    let written = mail.render(to.name, language);
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

/// Withdraws unsent mails of these kinds, and deletes failed ones.
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

/// Withdraws the mail written to a user at this time; returns true if it was unsent. A mail that is just
/// being sent still arrives.
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

/// Counts the mails of a kind written to a user since a given time.
#[expect(clippy::disallowed_methods, reason = "of a user whom the caller may change")]
pub async fn count(tx: &impl ConnectionTrait, user_id: i64, kind: Kind, since: Instant) -> Result<u64> {
    let mails = Mails::find()
        .filter(Column::UserId.eq(user_id))
        .filter(Column::Kind.eq(kind))
        .filter(Column::CreatedAt.gt(since));
    Ok(mails.count(tx).await?)
}

/// Loads the mails written to a user, sent or not.
#[expect(clippy::disallowed_methods, reason = "the caller has found the user through their scope")]
pub async fn letters_to_user(db: &impl ConnectionTrait, user_id: i64) -> Result<Vec<Letter>> {
    Ok(Mails::find().filter(Column::UserId.eq(user_id)).order_by_asc(Column::Id).all(db).await?)
}

/// Returns those users to whom a mail of this kind could not be delivered.
#[expect(clippy::disallowed_methods, reason = "the caller has found the users through their scope")]
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
    /// Number of attempts; each claim is one.
    const FENCE: Column = Column::Attempts;
    /// Maximum time for sending one mail; longer than the timeout of [`crate::transport`].
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
        // The text contains a secret.
        abandon_after: TimeDelta::days(7),
    };

    fn attempt(letter: &Letter) -> Attempt {
        Attempt { number: letter.attempts, written_at: letter.created_at }
    }
}

/// Claims the mail that has been due longest, for `owner`.
pub async fn claim(db: &Database, owner: &str, now: Instant) -> Result<Option<Letter>> {
    outbox::claim::<Mails>(db, owner, now).await
}

/// Figures of the outbox as a queue.
pub async fn figures(db: &impl ConnectionTrait, now: Instant) -> Result<Figures> {
    outbox::figures::<Mails>(db, now).await
}

/// Number of waiting mails, and the time of the oldest.
pub async fn waiting(db: &impl ConnectionTrait) -> Result<Waiting> {
    outbox::waiting::<Mails>(db).await
}

/// Records the result of an attempt. `None` if the mail was withdrawn, or another sender has claimed it.
pub async fn record(
    tx: &impl ConnectionTrait,
    letter: &Letter,
    outcome: &Result<(), Failure>,
    now: Instant,
) -> Result<Option<Fate>> {
    outbox::record::<Mails>(tx, letter, outcome, now).await
}

/// Deletes mails that were sent or failed long ago, and gives up those that have waited too long.
pub async fn clean_up(db: &impl ConnectionTrait, now: Instant) -> Result<()> {
    outbox::clean_up::<Mails>(db, REMEMBERED, now).await
}

#[cfg(test)]
mod tests;
