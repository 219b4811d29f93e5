//! Schedules: repeated work of tenants, with a row for each. Several processes share the due rows, and none
//! runs twice; missed runs are made up for by a single one.
//!
//! The kinds of work are registered like jobs ([`crate::Background::schedules`]). After a run its kind
//! calculates the next due time from the current settings. Feeds are the first kind (`api::feed_runs`).

use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::BoxFuture;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, ExprTrait, PaginatorTrait, QueryFilter, QueryOrder,
    sea_query::{Expr, OnConflict},
};
use store::{Database, Write};
use values::{Code, Instant, Result, TenantId, now};

pub use self::entity::Model as ScheduleRow;
use self::entity::{ActiveModel, Column, Entity as Schedules};
use crate::{
    Backoff, Figures, Leased, NextStep, Panics, Queue, ShutdownSignal, job, lease,
    leased_run::{self, End, Frame},
    queue::name_span,
};

mod entity;

/// Backoff after runs that failed for technical reasons.
const BACKOFF: Backoff = Backoff { first: Duration::from_mins(1), longest: Duration::from_hours(1) };
/// Number of processes that may die in the same run before it is skipped until its next regular time.
const INTERRUPTED_MAX: i64 = 3;

/// Calculates the next due time in the transaction that records a run.
pub type Next<C> = for<'a> fn(&'a C, &'a Write, &'a ScheduleRow, Instant) -> NextDue<'a>;
/// Next due time; `None` if its schedule is paused or deleted.
pub type NextDue<'a> = BoxFuture<'a, Result<Option<Instant>>>;

/// Kind of scheduled work.
pub struct ScheduleKind<C> {
    pub name: &'static str,
    /// Time after which a run is aborted as stuck.
    pub limit: Duration,
    /// Does the work. `due_at` of the row identifies the run: an interrupted run is repeated with the same.
    pub run: fn(C, ScheduleRow) -> BoxFuture<'static, Result<ScheduledOutcome>>,
    /// Next time after a given one, according to the current settings.
    pub next: Next<C>,
}

impl<C> std::fmt::Debug for ScheduleKind<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScheduleKind")
            .field("name", &self.name)
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

/// Result of a completed run. Both wait for their next regular time; an `Err` is retried sooner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduledOutcome {
    Succeeded,
    /// Failure that would occur again at the next attempt.
    Failed(Code),
}

/// Subject of a schedule: a kind, and the row of a tenant that has the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject {
    pub tenant: TenantId,
    pub kind: &'static str,
    pub id: i64,
}

impl Subject {
    fn condition(self) -> Condition {
        Condition::all()
            .add(Column::TenantId.eq(self.tenant))
            .add(Column::Kind.eq(self.kind))
            .add(Column::SubjectId.eq(self.id))
    }
}

/// Sets the next due time in the transaction that saves the settings; `None` pauses the schedule. A running
/// run continues.
#[expect(
    clippy::disallowed_methods,
    reason = "the subject is a row that the caller has found through their scope"
)]
pub async fn set_due(tx: &Write, subject: Subject, due_at: Option<Instant>) -> Result<()> {
    let row = ActiveModel {
        tenant_id: Set(subject.tenant),
        kind: Set(subject.kind.to_owned()),
        subject_id: Set(subject.id),
        due_at: Set(due_at),
        fence: Set(0),
        interrupted: Set(0),
        failures_in_row: Set(0),
        ..Default::default()
    };
    let same = OnConflict::columns([Column::TenantId, Column::Kind, Column::SubjectId])
        .update_column(Column::DueAt)
        .to_owned();
    Schedules::insert(row).on_conflict(same).exec_without_returning(tx).await?;
    Ok(())
}

/// Removes the schedule of deleted work. A running run continues and records nothing.
#[expect(
    clippy::disallowed_methods,
    reason = "the subject is a row that the caller has found through their scope"
)]
pub async fn remove(tx: &Write, subject: Subject) -> Result<()> {
    Schedules::delete_many().filter(subject.condition()).exec(tx).await?;
    Ok(())
}

/// Finds the schedule of some work, with its last result.
#[expect(
    clippy::disallowed_methods,
    reason = "the subject is a row that the caller has found through their scope"
)]
pub async fn find(db: &impl ConnectionTrait, subject: Subject) -> Result<Option<ScheduleRow>> {
    Ok(Schedules::find().filter(subject.condition()).order_by_asc(Column::Id).one(db).await?)
}

impl Leased for Schedules {
    const ID: Column = Column::Id;
    const OWNER: Column = Column::LeaseOwner;
    const UNTIL: Column = Column::LeaseUntil;
    const FENCE: Column = Column::Fence;
    const LEASE: TimeDelta = TimeDelta::seconds(60);
}

/// Queue of the schedules of these kinds.
pub(crate) struct ScheduleQueue<C: 'static> {
    pub(crate) db: Database,
    pub(crate) context: C,
    pub(crate) kinds: &'static [ScheduleKind<C>],
    pub(crate) panics: Panics,
}

impl<C: Clone + Send + Sync + 'static> Queue for ScheduleQueue<C> {
    type Item = ScheduleRow;

    const NAME: &'static str = "schedules";
    const CONCURRENCY: usize = 4;
    const POLL: Duration = Duration::from_secs(5);
    const PATIENCE: Duration = Duration::from_secs(10);

    async fn prepare(&self, dead: Option<&str>) -> Result<()> {
        match dead {
            Some(dead) => lease::release_all_of::<Schedules>(&self.db, dead).await,
            None => Ok(()),
        }
    }

    async fn claim(&self, owner: &str) -> Result<Option<ScheduleRow>> {
        self.claim_at(owner, now()).await
    }

    async fn work(&self, row: ScheduleRow, ending: ShutdownSignal) -> NextStep {
        let Some(kind) = self.kinds.iter().find(|kind| kind.name == row.kind) else { return NextStep::Next };
        name_span(kind.name);
        let end = self.run(kind, &row, ending).await;
        match self.record(kind, &row, end, now()).await {
            Ok(true) => {}
            Ok(false) => {
                tracing::warn!(job = kind.name, schedule = row.id, "a run was lost to another process");
            }
            // The lease expires, and the run then counts as interrupted.
            Err(error) => {
                tracing::warn!(job = kind.name, schedule = row.id, %error, "an outcome cannot be recorded");
            }
        }
        NextStep::Next
    }

    #[expect(clippy::disallowed_methods, reason = "figures of the whole installation")]
    async fn figures(&self, now: Instant) -> Result<Figures> {
        let all = || Schedules::find().filter(Column::Kind.is_in(self.names()));
        let count = async |rows: sea_orm::Select<Schedules>| -> Result<i64> {
            Ok(i64::try_from(rows.count(&self.db).await?).unwrap_or(i64::MAX))
        };
        let waits = Condition::any().add(Column::LeaseUntil.is_null()).add(Column::LeaseUntil.lt(now));
        let due = all().filter(Column::DueAt.lte(now)).filter(waits);
        let oldest = due.clone().order_by_asc(Column::DueAt).order_by_asc(Column::Id).one(&self.db).await?;
        let failed = all().filter(Column::Failure.is_not_null());
        Ok(Figures {
            waiting: count(due).await?,
            waiting_since: oldest.and_then(|row| row.due_at),
            running: count(all().filter(Column::LeaseUntil.gte(now))).await?,
            failed: count(failed.filter(Column::FinishedAt.gt(now - TimeDelta::days(1)))).await?,
        })
    }

    fn can_work(&self) -> bool {
        self.db.health().fault().is_none()
    }
}

impl<C: Clone + Send + Sync + 'static> ScheduleQueue<C> {
    fn names(&self) -> impl Iterator<Item = &'static str> + use<C> {
        self.kinds.iter().map(|kind| kind.name)
    }

    async fn claim_at(&self, owner: &str, now: Instant) -> Result<Option<ScheduleRow>> {
        // A process of another version may have other kinds.
        let names: Vec<_> = self.names().map(|name| format!("'{name}'")).collect();
        let next = format!(
            "SELECT i.id FROM schedule i WHERE i.due_at <= $1 AND (i.lease_until IS NULL OR i.lease_until < $1) \
             AND i.kind IN ({}) ORDER BY i.due_at, i.id",
            names.join(", ")
        );
        // An expired lease was left by a process that died or could not record the result.
        let interrupted = "interrupted = CASE WHEN lease_owner IS NOT NULL THEN interrupted + 1 ELSE 0 END";
        lease::claim::<Schedules>(&self.db, owner, now, &next, &["started_at = $1", interrupted]).await
    }

    async fn run(
        &self,
        kind: &ScheduleKind<C>,
        row: &ScheduleRow,
        ending: ShutdownSignal,
    ) -> End<ScheduledOutcome> {
        if row.interrupted >= INTERRUPTED_MAX {
            tracing::error!(job = kind.name, schedule = row.id, "a run that ends its process is given up");
            return End::GivenUp("interrupted");
        }
        let frame = Frame { name: kind.name, limit: kind.limit, panics: &self.panics };
        let context = self.context.clone();
        let work = async { (kind.run)(context, row.clone()).await };
        leased_run::run::<Schedules, _>(&self.db, row, frame, ending, work).await
    }

    /// Records the result of a run and the next due time; false if another process has taken over the row.
    #[expect(clippy::disallowed_methods, reason = "the worker's own row, by its fence")]
    async fn record(
        &self,
        kind: &ScheduleKind<C>,
        row: &ScheduleRow,
        end: End<ScheduledOutcome>,
        now: Instant,
    ) -> Result<bool> {
        let (failure, pause) = match end {
            End::Lost => return Ok(false),
            // Due as before, for the next process.
            End::Interrupted => {
                let tx = self.db.begin().await?;
                let recorded = lease::change(&tx, row, lease::released(Schedules::update_many())).await?;
                tx.commit().await?;
                return Ok(recorded);
            }
            End::Finished(ScheduledOutcome::Succeeded) => (None, None),
            End::Finished(ScheduledOutcome::Failed(code)) => (Some(code.as_str()), None),
            End::GivenUp(word) => (Some(word), None),
            End::Failed(word) => {
                let failures = u32::try_from(row.failures_in_row + 1).unwrap_or(u32::MAX);
                (Some(word), Some(BACKOFF.pause(failures)))
            }
        };
        let tx = self.db.begin().await?;
        // Changed settings wait for this result from here on, or were saved before it.
        if !lease::lock_if_owned::<Schedules>(&tx, row).await? {
            return Ok(false);
        }
        let regular = (kind.next)(&self.context, &tx, row, now).await?;
        let due_at = match (regular, pause) {
            (Some(regular), Some(pause)) => Some(Ord::min(regular, job::after(now, pause)?)),
            (regular, _) => regular,
        };
        let failures = match failure {
            None => Expr::value(0_i64),
            Some(_) => Expr::col(Column::FailuresInRow).add(1_i64),
        };
        let update = lease::released(Schedules::update_many())
            .col_expr(Column::DueAt, Expr::value(due_at))
            .col_expr(Column::Interrupted, Expr::value(0_i64))
            .col_expr(Column::FinishedAt, Expr::value(now))
            .col_expr(Column::Failure, Expr::value(failure.map(str::to_owned)))
            .col_expr(Column::FailuresInRow, failures);
        let recorded = lease::change(&tx, row, update).await?;
        tx.commit().await?;
        Ok(recorded)
    }
}

#[cfg(test)]
mod tests;
