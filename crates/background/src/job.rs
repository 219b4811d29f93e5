//! Jobs that run repeatedly. The next due time is stored in a row, so that a restart does not change it and
//! only one of several processes runs a job at a time.

use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::BoxFuture;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, QueryFilter,
    sea_query::{Expr, OnConflict},
};
use store::Database;
use values::{Error, Instant, Result, now};

use crate::{
    Backoff, Figures, Leased, NextStep, Panics, Queue, ShutdownSignal,
    entity::{ActiveModel, Column, Entity as Jobs, Model as JobRow},
    lease,
    leased_run::{self, End, Frame},
    queue::name_span,
};

/// Repeated job. It may be interrupted at any point and then starts again.
pub struct Job<C> {
    pub name: &'static str,
    pub every: Duration,
    /// Time after which a run is aborted as stuck.
    pub limit: Duration,
    pub run: fn(C, Instant) -> BoxFuture<'static, Result<()>>,
}

impl<C> Job<C> {
    /// Creates a job that runs once an hour and may take an hour.
    pub const fn hourly(name: &'static str, run: fn(C, Instant) -> BoxFuture<'static, Result<()>>) -> Self {
        Self { name, every: Duration::from_hours(1), limit: Duration::from_hours(1), run }
    }
}

impl<C> std::fmt::Debug for Job<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Job").field("name", &self.name).field("every", &self.every).finish_non_exhaustive()
    }
}

/// First pause after a failure; the longest one is the interval of the job.
const FIRST_PAUSE: Duration = Duration::from_mins(1);

impl Leased for Jobs {
    const ID: Column = Column::Name;
    const OWNER: Column = Column::LeaseOwner;
    const UNTIL: Column = Column::LeaseUntil;
    const FENCE: Column = Column::Fence;
    const LEASE: TimeDelta = TimeDelta::seconds(60);
}

/// Queue of the jobs that are due.
pub(crate) struct JobQueue<C: 'static> {
    pub(crate) db: Database,
    pub(crate) context: C,
    pub(crate) jobs: &'static [Job<C>],
    pub(crate) panics: Panics,
}

impl<C: Clone + Send + Sync + 'static> Queue for JobQueue<C> {
    type Item = JobRow;

    const NAME: &'static str = "jobs";
    const CONCURRENCY: usize = 2;
    const POLL: Duration = Duration::from_secs(5);
    const PATIENCE: Duration = Duration::from_secs(10);

    /// Creates rows for new jobs, which are due immediately.
    #[expect(clippy::disallowed_methods, reason = "jobs belong to no tenant")]
    async fn prepare(&self, _dead: Option<&str>) -> Result<()> {
        let rows = self.names().map(|name| ActiveModel {
            name: Set(name.to_owned()),
            due_at: Set(now()),
            fence: Set(0),
            failures_in_row: Set(0),
            runs: Set(0),
            failed_runs: Set(0),
            ..Default::default()
        });
        let tx = self.db.begin().await?;
        let unknown = OnConflict::column(Column::Name).do_nothing().to_owned();
        Jobs::insert_many(rows).on_conflict(unknown).exec_without_returning(&tx).await?;
        tx.commit().await
    }

    async fn claim(&self, owner: &str) -> Result<Option<JobRow>> {
        self.claim_at(owner, now()).await
    }

    async fn work(&self, row: JobRow, ending: ShutdownSignal) -> NextStep {
        let Some(job) = self.jobs.iter().find(|job| job.name == row.name) else { return NextStep::Next };
        name_span(job.name);
        let end = self.run(job, &row, ending).await;
        match self.note(job, &row, end, now()).await {
            Ok(true) => {}
            Ok(false) => tracing::warn!(job = job.name, "a job was lost to another process"),
            // The lease expires, and the run then counts as interrupted.
            Err(error) => {
                tracing::warn!(job = job.name, %error, "how a job has ended cannot be noted");
            }
        }
        NextStep::Next
    }

    #[expect(clippy::disallowed_methods, reason = "jobs belong to no tenant")]
    async fn figures(&self, now: Instant) -> Result<Figures> {
        let mut figures = Figures::default();
        for row in Jobs::find().filter(Column::Name.is_in(self.names())).all(&self.db).await? {
            if row.is_running(now) {
                figures.running += 1;
            } else if row.due_at <= now {
                figures.waiting += 1;
                figures.waiting_since = figures.waiting_since.into_iter().chain([row.due_at]).min();
            }
            figures.failed += i64::from(row.failures_in_row > 0);
        }
        Ok(figures)
    }

    fn can_work(&self) -> bool {
        self.db.health().fault().is_none()
    }
}

impl<C: Clone + Send + Sync + 'static> JobQueue<C> {
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> + use<C> {
        self.jobs.iter().map(|job| job.name)
    }

    async fn claim_at(&self, owner: &str, now: Instant) -> Result<Option<JobRow>> {
        // A process of another version may have other jobs.
        let names: Vec<_> = self.names().map(|name| format!("'{name}'")).collect();
        let next = format!(
            "SELECT i.name FROM background_job i WHERE i.due_at <= $1 \
             AND (i.lease_until IS NULL OR i.lease_until < $1) AND i.name IN ({}) ORDER BY i.due_at, i.name",
            names.join(", ")
        );
        // An expired lease was left by a process that died or could not record the end.
        let if_interrupted = |then: &str, otherwise: &str| {
            format!("CASE WHEN lease_owner IS NOT NULL THEN {then} ELSE {otherwise} END")
        };
        let plus = |column: &str| format!("{column} = {}", if_interrupted(&format!("{column} + 1"), column));
        let set = [
            "started_at = $1".to_owned(),
            plus("failures_in_row"),
            plus("failed_runs"),
            plus("runs"),
            format!("failed_at = {}", if_interrupted("$1", "failed_at")),
            format!("failure = {}", if_interrupted("'interrupted'", "failure")),
        ];
        lease::claim::<Jobs>(&self.db, owner, now, &next, &set.each_ref().map(String::as_str)).await
    }

    async fn run(&self, job: &Job<C>, row: &JobRow, ending: ShutdownSignal) -> End<()> {
        let began = now();
        let frame = Frame { name: job.name, limit: job.limit, panics: &self.panics };
        let context = self.context.clone();
        let work = async { (job.run)(context, began).await };
        leased_run::run::<Jobs, _>(&self.db, row, frame, ending, work).await
    }

    /// Records the end of a run; false if another process has taken over the job.
    #[expect(clippy::disallowed_methods, reason = "jobs belong to no tenant")]
    async fn note(&self, job: &Job<C>, row: &JobRow, end: End<()>, now: Instant) -> Result<bool> {
        let plus_one = |column: Column| Expr::col(column).add(1_i64);
        let update = lease::released(Jobs::update_many());
        let update = match end {
            End::Lost => return Ok(false),
            // Due as before, for the next process.
            End::Interrupted => update,
            End::Finished(()) => update
                .col_expr(Column::Runs, plus_one(Column::Runs))
                .col_expr(Column::FinishedAt, Expr::value(now))
                .col_expr(Column::FailuresInRow, Expr::value(0_i64))
                .col_expr(Column::DueAt, Expr::value(after(row.started_at.unwrap_or(now), job.every)?)),
            End::Failed(failure) | End::GivenUp(failure) => {
                let failures = u32::try_from(row.failures_in_row + 1).unwrap_or(u32::MAX);
                let backoff = Backoff { first: FIRST_PAUSE.min(job.every), longest: job.every };
                let pause = backoff.pause(failures);
                update
                    .col_expr(Column::Runs, plus_one(Column::Runs))
                    .col_expr(Column::FailedRuns, plus_one(Column::FailedRuns))
                    .col_expr(Column::FailuresInRow, plus_one(Column::FailuresInRow))
                    .col_expr(Column::FinishedAt, Expr::value(now))
                    .col_expr(Column::FailedAt, Expr::value(now))
                    .col_expr(Column::Failure, Expr::value(failure))
                    .col_expr(Column::DueAt, Expr::value(after(now, pause)?))
            }
        };
        let tx = self.db.begin().await?;
        let noted = lease::change::<Jobs>(&tx, row, update).await?;
        tx.commit().await?;
        Ok(noted)
    }
}

pub(crate) fn after(moment: Instant, time: Duration) -> Result<Instant> {
    Ok(moment + TimeDelta::from_std(time).map_err(Error::internal)?)
}

impl JobRow {
    /// True if a process has an unexpired lease on it.
    pub fn is_running(&self, now: Instant) -> bool {
        self.lease_until.is_some_and(|until| until >= now)
    }
}

/// Loads the rows of these jobs.
#[expect(clippy::disallowed_methods, reason = "jobs belong to no tenant")]
pub(crate) async fn rows(db: &impl ConnectionTrait, names: Vec<&'static str>) -> Result<Vec<JobRow>> {
    Ok(Jobs::find().filter(Column::Name.is_in(names)).all(db).await?)
}

#[cfg(test)]
mod tests;
