//! Journal of runs: a run is opened when it is requested or due, finished once, and deleted after 90 days.

use background::schedule::{self, Subject};
use chrono::TimeDelta;
use lists::{ListQuery, Page};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter,
    QueryOrder, QueryTrait, sea_query::Expr,
};
use store::{Database, Scope, Write, retention};
use values::{Error, FeedId, Instant, Message, Principal, Result, TenantId, UserId, now};

use super::{Column, FeedRun, FeedRuns, RunCause, RunOutcome, entity::ActiveModel};
use crate::{
    codes,
    settings::{FtpSettings, FtpSettingsTable, due, fields::FileKind},
};

/// Time for which runs are stored.
pub const RUNS_KEPT: TimeDelta = TimeDelta::days(90);

/// The feed of a tenant for a kind of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Feed {
    pub tenant: TenantId,
    pub settings_id: i64,
    pub kind: FileKind,
}

impl Feed {
    /// The feed that a run is of.
    pub fn from_run(run: &FeedRun) -> Self {
        Self { tenant: run.tenant_id, settings_id: run.settings_id, kind: run.kind }
    }

    pub(super) fn new(settings: &FtpSettings, kind: FileKind) -> Self {
        Self { tenant: settings.tenant_id, settings_id: settings.id, kind }
    }

    pub(super) fn principal(self) -> Principal {
        Principal::Feed(FeedId(self.settings_id))
    }

    fn subject(self) -> Subject {
        Subject { tenant: self.tenant, kind: self.kind.schedule_kind(), id: self.settings_id }
    }

    fn open_runs(self) -> Condition {
        Condition::all()
            .add(Column::TenantId.eq(self.tenant))
            .add(Column::SettingsId.eq(self.settings_id))
            .add(Column::Kind.eq(self.kind))
            .add(Column::FinishedAt.is_null())
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "the settings have been reached through a scope, or are due"
    )]
    async fn open_run(self, db: &impl ConnectionTrait) -> Result<Option<FeedRun>> {
        Ok(FeedRuns::find().filter(self.open_runs()).order_by_asc(Column::Id).one(db).await?)
    }
}

/// The end of a run.
#[derive(Debug, Clone, Default)]
pub(super) struct RunEnd {
    pub(super) failure: Option<Message>,
    pub(super) answer: Option<String>,
    pub(super) file: Option<RunFile>,
    pub(super) import_id: Option<i64>,
}

/// File of a run; the hash is set once it was fetched.
#[derive(Debug, Clone, Default)]
pub(super) struct RunFile {
    pub(super) name: String,
    pub(super) bytes: Option<u64>,
    pub(super) sha256: Option<String>,
}

/// Runs of some settings, the latest first.
pub async fn list(
    db: &Database,
    scope: &Scope,
    settings_id: i64,
    query: &ListQuery<FeedRuns>,
) -> Result<Page<FeedRun>> {
    let settings = scope.get::<FtpSettingsTable>(db, settings_id).await?;
    let runs = scope
        .find::<FeedRuns>()
        .filter(Column::TenantId.eq(settings.tenant_id))
        .filter(Column::SettingsId.eq(settings.id));
    query.fetch_from(db, runs.into_query()).await
}

impl FeedRun {
    /// The reason for waiting or failing.
    pub fn message(&self) -> Option<Message> {
        serde_json::from_str(self.failure.as_deref()?).ok()
    }
}

/// Requests a run now. Until it has ended, a further request returns the same run.
///
/// # Errors
/// [`codes::FEED_FILE_DISABLED`] if the files are not fetched.
pub async fn request(db: &Database, scope: &Scope, settings_id: i64, kind: FileKind) -> Result<FeedRun> {
    let tx = db.begin().await?;
    // The first one of concurrent requests opens the run.
    let settings = scope.get_locked::<FtpSettingsTable>(&tx, settings_id).await?;
    if !due::is_enabled(&settings, kind) {
        return Err(codes::FEED_FILE_DISABLED.into());
    }
    let feed = Feed::new(&settings, kind);
    let now = now();
    let run = match feed.open_run(&tx).await? {
        Some(run) => run,
        None => open(&tx, feed, RunCause::ByHand, scope.user(), None, now).await?,
    };
    if run.started_at.is_none() {
        schedule::set_due(&tx, feed.subject(), Some(now)).await?;
    }
    tx.commit().await?;
    Ok(run)
}

/// Starts the requested run, or continues an interrupted one, or opens one for this cause.
pub(super) async fn begin(
    db: &Database,
    feed: Feed,
    cause: RunCause,
    asked_by: Option<UserId>,
) -> Result<FeedRun> {
    let tx = db.begin().await?;
    let now = now();
    let run = match feed.open_run(&tx).await? {
        Some(run) => {
            let started = [(Column::StartedAt, Expr::value(now)), (Column::UpdatedAt, Expr::value(now))];
            change_open(&tx, &run, started).await?;
            FeedRun { started_at: Some(now), ..run }
        }
        None => open(&tx, feed, cause, asked_by, Some(now), now).await?,
    };
    tx.commit().await?;
    Ok(run)
}

#[expect(clippy::disallowed_methods, reason = "a log that the program writes for a feed that it has found")]
pub(super) async fn open(
    tx: &Write,
    feed: Feed,
    cause: RunCause,
    asked_by: Option<UserId>,
    started_at: Option<Instant>,
    now: Instant,
) -> Result<FeedRun> {
    let row = ActiveModel {
        tenant_id: Set(feed.tenant),
        settings_id: Set(feed.settings_id),
        kind: Set(feed.kind),
        cause: Set(cause),
        asked_by: Set(asked_by),
        started_at: Set(started_at),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    };
    Ok(FeedRuns::insert(row).exec_with_returning(tx).await?)
}

/// Finishes a run in a transaction; false if it was finished before.
pub(super) async fn finish_in(tx: &Write, run: &FeedRun, outcome: RunOutcome, end: RunEnd) -> Result<bool> {
    let failure = end.failure.as_ref().map(serde_json::to_string).transpose().map_err(Error::internal)?;
    let file = end.file.unwrap_or_default();
    let bytes = file.bytes.and_then(|bytes| i64::try_from(bytes).ok());
    let now = now();
    change_open(
        tx,
        run,
        [
            (Column::Outcome, Expr::value(outcome)),
            (Column::Failure, Expr::value(failure)),
            (Column::Answer, Expr::value(end.answer)),
            (Column::FileName, Expr::value(Some(file.name).filter(|name| !name.is_empty()))),
            (Column::Bytes, Expr::value(bytes)),
            (Column::Sha256, Expr::value(file.sha256)),
            (Column::ImportId, Expr::value(end.import_id)),
            (Column::FinishedAt, Expr::value(now)),
            (Column::UpdatedAt, Expr::value(now)),
        ],
    )
    .await
}

/// The same in a transaction of its own.
pub(super) async fn finish(db: &Database, run: &FeedRun, outcome: RunOutcome, end: RunEnd) -> Result<()> {
    let tx = db.begin().await?;
    finish_in(&tx, run, outcome, end).await?;
    tx.commit().await
}

#[expect(clippy::disallowed_methods, reason = "the run that this process has begun")]
async fn change_open(
    tx: &Write,
    run: &FeedRun,
    changes: impl IntoIterator<Item = (Column, Expr)>,
) -> Result<bool> {
    let update = changes
        .into_iter()
        .fold(FeedRuns::update_many(), |update, (column, value)| update.col_expr(column, value));
    let this = Condition::all()
        .add(Column::TenantId.eq(run.tenant_id))
        .add(Column::Id.eq(run.id))
        .add(Column::FinishedAt.is_null());
    Ok(update.filter(this).exec(tx).await?.rows_affected > 0)
}

/// A run as it is now.
#[expect(clippy::disallowed_methods, reason = "the run that this process has begun")]
pub(super) async fn find(tx: &Write, run: &FeedRun) -> Result<Option<FeedRun>> {
    let runs = FeedRuns::find().filter(Column::TenantId.eq(run.tenant_id));
    Ok(runs.filter(Column::Id.eq(run.id)).one(tx).await?)
}

/// Removes a run that only looked after files of earlier ones.
#[expect(clippy::disallowed_methods, reason = "the run that this process has begun")]
pub(super) async fn remove(db: &Database, run: &FeedRun) -> Result<()> {
    let tx = db.begin().await?;
    let this = Condition::all().add(Column::TenantId.eq(run.tenant_id)).add(Column::Id.eq(run.id));
    FeedRuns::delete_many().filter(this).exec(&tx).await?;
    tx.commit().await
}

/// Finishes runs that were begun and not ended, once their schedule has ended without them.
pub(super) async fn give_up_interrupted(tx: &Write, feed: Feed) -> Result<()> {
    let Some(run) = feed.open_run(tx).await?.filter(|run| run.started_at.is_some()) else { return Ok(()) };
    let end = RunEnd { failure: Some(codes::FEED_RUN_INTERRUPTED.into()), ..RunEnd::default() };
    finish_in(tx, &run, RunOutcome::Failed, end).await?;
    Ok(())
}

/// True if a requested run has not started.
#[expect(clippy::disallowed_methods, reason = "the feed whose schedule has ended")]
pub(super) async fn is_requested(tx: &Write, feed: Feed) -> Result<bool> {
    let waiting = FeedRuns::find().filter(feed.open_runs()).filter(Column::StartedAt.is_null());
    Ok(waiting.count(tx).await? > 0)
}

/// Deletes runs after 90 days.
#[expect(clippy::disallowed_methods, reason = "as time goes by, for all tenants")]
pub async fn clean_up(db: &Database, now: Instant) -> Result<()> {
    let oldest =
        retention::oldest::<FeedRuns>(Column::Id, Column::UpdatedAt, now - RUNS_KEPT, Condition::all());
    let batch = FeedRuns::delete_many().filter(Column::Id.in_subquery(oldest));
    retention::in_batches(db, &batch).await
}
