//! Mails before tokens expire: 14 days and one day before, by calendar day (UTC), so that an owner gets at
//! most one mail a day for all tokens that are due.

use std::collections::BTreeMap;

use chrono::{Days, NaiveTime, TimeDelta};
use futures_util::future::BoxFuture;
use mail::{ExpiringToken, Kind, Mail, outbox};
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, sea_query::Expr};
use store::{Database, Write};
use values::{Instant, Result};

use super::{Column, Token, Tokens};
use crate::{
    entity::user::{Model as User, Status},
    user::lookup,
};

/// Numbers of days before the expiry at which the owner gets a mail, latest first.
const DAYS_BEFORE: [u64; 2] = [1, 14];

/// Start of the current reminder period: midnight of the latest reminder day so far. `None` before the first
/// one, and after the expiry.
pub(super) fn notice(expires_at: Instant, now: Instant) -> Option<Instant> {
    let day = |before| expires_at.date_naive().checked_sub_days(Days::new(before));
    let start_if_reached =
        |before| Some(day(before)?.and_time(NaiveTime::MIN).and_utc()).filter(|start| *start <= now);
    if expires_at > now { DAYS_BEFORE.into_iter().find_map(start_if_reached) } else { None }
}

/// Further handler of expiring tokens, besides the mail to their owners.
pub trait ExpiryNotice: Send + Sync {
    /// Called in the transaction that queues the mail to the owner.
    fn token_expires<'a>(
        &'a self,
        tx: &'a Write,
        owner: &'a User,
        token: &'a Token,
    ) -> BoxFuture<'a, Result<()>>;
}

/// Sends mails to the owners of tokens that expire soon. `site` is the URL of this installation.
#[expect(clippy::disallowed_methods, reason = "of all users, before their tokens end")]
pub async fn remind(db: &Database, site: &str, events: &dyn ExpiryNotice, now: Instant) -> Result<()> {
    let soon = Tokens::find()
        .filter(Column::ReplacedAt.is_null())
        .filter(Column::ExpiresAt.gt(now))
        .filter(Column::ExpiresAt.lt(now + TimeDelta::days(15)))
        .order_by_asc(Column::Id);
    let mut due = BTreeMap::<i64, Vec<(Token, Instant)>>::new();
    for token in soon.all(db).await? {
        let Some(start) = notice(token.expires_at, now) else { continue };
        if token.reminded_at.is_none_or(|reminded| reminded < start) {
            due.entry(token.user_id).or_default().push((token, start));
        }
    }
    let page = format!("{site}/tokens");
    for (owner, tokens) in due {
        remind_one(db, events, owner, &tokens, &page, now).await?;
    }
    Ok(())
}

async fn remind_one(
    db: &Database,
    events: &dyn ExpiryNotice,
    owner: i64,
    due: &[(Token, Instant)],
    page: &str,
    now: Instant,
) -> Result<()> {
    let owner = lookup::by_id(db, owner).await?;
    let Some(owner) = owner.filter(|user| user.status == Status::Verified) else { return Ok(()) };
    let tx = db.begin().await?;
    let mut tokens = Vec::new();
    for (token, start) in due {
        if claim(&tx, token.id, *start, now).await? {
            events.token_expires(&tx, &owner, token).await?;
            tokens.push(ExpiringToken { name: &token.name, at: token.expires_at });
        }
    }
    tokens.sort_by_key(|token| token.at);
    if !tokens.is_empty() {
        let mail = Mail::TokensExpire { tokens: &tokens, page };
        outbox::queue(&tx, owner.recipient(), &mail, now).await?;
    }
    tx.commit().await
}

/// Claims a reminder, so that only one process sends it; fails if the token has been deleted or replaced.
#[expect(clippy::disallowed_methods, reason = "of all users, before their tokens end")]
async fn claim(tx: &Write, token: i64, start: Instant, now: Instant) -> Result<bool> {
    let unaware = Condition::any().add(Column::RemindedAt.is_null()).add(Column::RemindedAt.lt(start));
    let claimed = Tokens::update_many()
        .col_expr(Column::RemindedAt, Expr::value(now))
        .filter(Column::Id.eq(token))
        .filter(Column::ReplacedAt.is_null())
        .filter(unaware)
        .exec(tx)
        .await?;
    Ok(claimed.rows_affected > 0)
}

/// Withdraws the mail about a token if it is still unsent; its other tokens get a new reminder.
#[expect(clippy::disallowed_methods, reason = "of the owner of a token that the caller may end")]
pub(super) async fn withdraw(tx: &Write, token: &Token) -> Result<()> {
    let Some(reminded_at) = token.reminded_at else { return Ok(()) };
    if outbox::withdraw_written(tx, token.user_id, Kind::TokenExpires, reminded_at).await? {
        Tokens::update_many()
            .col_expr(Column::RemindedAt, Expr::value(None::<Instant>))
            .filter(Column::UserId.eq(token.user_id))
            .filter(Column::RemindedAt.eq(reminded_at))
            .exec(tx)
            .await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reminders_are_due_a_fortnight_and_a_day_before_expiry() {
        let at = |text: &str| text.parse::<Instant>().unwrap();
        let (fortnight, day) = (Some(at("2026-11-16T00:00:00Z")), Some(at("2026-11-29T00:00:00Z")));
        for (now, expected) in [
            ("2026-06-01T12:00:00Z", None),
            ("2026-11-15T23:59:59Z", None),
            ("2026-11-16T00:00:00Z", fortnight),
            ("2026-11-20T12:00:00Z", fortnight),
            ("2026-11-28T23:59:59Z", fortnight),
            ("2026-11-29T00:00:00Z", day),
            ("2026-11-30T14:59:59Z", day),
            ("2026-11-30T15:00:00Z", None),
            ("2026-12-01T00:00:00Z", None),
        ] {
            assert_eq!(notice(at("2026-11-30T15:00:00Z"), at(now)), expected, "{now}");
        }
    }
}
