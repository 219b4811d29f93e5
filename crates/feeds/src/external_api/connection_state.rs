//! State of the connection to an external API: a circuit breaker that all processes share.
//!
//! It opens for 60 seconds after 5 failures in a row, or for as long as `Retry-After` requests. Then one
//! process tries again, for all of them: its success closes the breaker, its failure opens it again.

use std::{collections::HashMap, time::Duration};

use chrono::TimeDelta;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromJsonQueryResult, QueryFilter, QuerySelect,
    QueryTrait,
    entity::prelude::*,
    sea_query::{Expr, ExprTrait},
};
use serde::{Deserialize, Serialize};
use store::{Database, Scope, Write};
use utoipa::ToSchema;
use values::{Error, Instant, Message, Result, TenantId, now};

use super::{Column as ApiColumn, ExternalApi, ExternalApis, call::ApiFailure, due, fields::EndpointName};
use crate::codes;

/// The failures in a row after which the breaker opens.
pub const FAILURES_MAX: i64 = 5;
/// The time for which it stays open.
pub const OPEN_FOR: TimeDelta = TimeDelta::seconds(60);
/// The time after which a probe without an outcome is given up, beyond the longest time budget of an API.
const PROBE_WITHIN: TimeDelta = TimeDelta::seconds(30);

/// Row of the table `external_api_state`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "external_api_state")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: TenantId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub api_id: i64,
    pub failures_in_row: i64,
    /// Time until which nothing is called; stays set until a call has succeeded.
    pub open_until: Option<Instant>,
    /// Time until which one call tries again and all others wait for its outcome.
    pub probe_until: Option<Instant>,
    pub last_success_at: Option<Instant>,
    pub last_failure_at: Option<Instant>,
    /// The last failure: a `values::Message` as JSON.
    pub last_failure: Option<String>,
    /// Time of the last fetch of the lists.
    pub fetched_at: Option<Instant>,
    /// Due time of the last scheduled fetch that came to its end.
    pub fetch_due_at: Option<Instant>,
    pub fetch_outcome: Option<FetchOutcome>,
    /// Reason for a failed fetch: a `values::Message` as JSON.
    pub fetch_failure: Option<String>,
    /// Id of the last import of fetched lists, which may have been deleted.
    pub fetch_import_id: Option<i64>,
    #[sea_orm(column_type = "JsonBinary")]
    pub list_tags: Option<ListTags>,
}

/// The outcome of a fetch of lists: an import was queued, no list has changed, or it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum FetchOutcome {
    Imported,
    Unchanged,
    Failed,
}

/// The tags (`ETag`) of the lists that were imported last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
pub struct ListTags {
    /// The version of the settings: others may read the same answer in another way.
    pub version: i64,
    pub lists: Vec<(EndpointName, String)>,
}

impl ListTags {
    /// Returns the tag of the last answer of a list.
    pub fn get(&self, name: EndpointName) -> Option<&str> {
        self.lists.iter().find(|(list, _)| *list == name).map(|(_, tag)| tag.as_str())
    }
}

/// A fetch of lists that has ended.
#[derive(Debug)]
pub(super) struct FetchRecord {
    pub(super) outcome: FetchOutcome,
    pub(super) failure: Option<Message>,
    pub(super) import_id: Option<i64>,
    /// The due time, of a scheduled fetch that has succeeded.
    pub(super) due_at: Option<Instant>,
    /// New tags; `None` leaves the existing ones.
    pub(super) tags: Option<ListTags>,
}

impl FetchRecord {
    pub(super) fn new(outcome: FetchOutcome) -> Self {
        Self { outcome, failure: None, import_id: None, due_at: None, tags: None }
    }

    pub(super) fn failed(failure: Message) -> Self {
        Self { failure: Some(failure), ..Self::new(FetchOutcome::Failed) }
    }
}

pub use Model as ConnectionState;

/// Relations of the table `external_api_state`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// The state of a connection in one word: never called, fine, failing but still called, not called after
/// failures, or switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ExternalApiStatus)]
pub enum ConnectionStatus {
    Unused,
    Ok,
    Failing,
    Open,
    Inactive,
}

impl ConnectionState {
    /// The state of an API that was never called.
    pub(super) fn unused(api: &ExternalApi) -> Self {
        Self {
            tenant_id: api.tenant_id,
            api_id: api.id,
            failures_in_row: 0,
            open_until: None,
            probe_until: None,
            last_success_at: None,
            last_failure_at: None,
            last_failure: None,
            fetched_at: None,
            fetch_due_at: None,
            fetch_outcome: None,
            fetch_failure: None,
            fetch_import_id: None,
            list_tags: None,
        }
    }

    /// Returns the status of the connection.
    pub fn status(&self, is_active: bool) -> ConnectionStatus {
        if !is_active {
            ConnectionStatus::Inactive
        } else if self.open_until.is_some() {
            ConnectionStatus::Open
        } else if self.failures_in_row > 0 {
            ConnectionStatus::Failing
        } else if self.last_success_at.is_some() {
            ConnectionStatus::Ok
        } else {
            ConnectionStatus::Unused
        }
    }

    /// The last failure.
    pub fn failure(&self) -> Option<Message> {
        serde_json::from_str(self.last_failure.as_deref()?).ok()
    }

    /// The reason why the last fetch of lists has failed.
    pub fn fetch_failure(&self) -> Option<Message> {
        serde_json::from_str(self.fetch_failure.as_deref()?).ok()
    }
}

fn this(tenant: TenantId, api_id: i64) -> Condition {
    Condition::all().add(Column::TenantId.eq(tenant)).add(Column::ApiId.eq(api_id))
}

/// The states of some APIs, by their ids.
#[expect(clippy::disallowed_methods, reason = "parts of APIs that have been found through a scope")]
pub(super) async fn load(
    db: &impl ConnectionTrait,
    apis: &[ExternalApi],
) -> Result<HashMap<i64, ConnectionState>> {
    if apis.is_empty() {
        return Ok(HashMap::new());
    }
    let tenants = apis.iter().map(|api| api.tenant_id);
    let states = Entity::find()
        .filter(Column::TenantId.is_in(tenants))
        .filter(Column::ApiId.is_in(apis.iter().map(|api| api.id)));
    Ok(states.all(db).await?.into_iter().map(|state| (state.api_id, state)).collect())
}

/// The state of an API.
#[expect(clippy::disallowed_methods, reason = "a part of an API that is about to be called")]
pub(super) async fn load_state(
    db: &impl ConnectionTrait,
    api: &ExternalApi,
) -> Result<Option<ConnectionState>> {
    Ok(Entity::find().filter(this(api.tenant_id, api.id)).one(db).await?)
}

/// Counts active external APIs that are not called after failures, or whose scheduled lists could not be
/// fetched: up to `max`, among those visible to the caller.
#[expect(clippy::disallowed_methods, reason = "narrowed by the APIs that the caller may see")]
pub async fn count_troubled(db: &impl ConnectionTrait, scope: &Scope, max: u64) -> Result<u64> {
    let failing = Condition::any()
        .add(Column::OpenUntil.is_not_null())
        .add(Column::FetchOutcome.eq(FetchOutcome::Failed));
    let states = Entity::find().select_only().column(Column::ApiId).filter(failing).into_query();
    let apis = scope
        .find::<ExternalApis>()
        .filter(ApiColumn::Active.eq(true))
        .filter(ApiColumn::Id.in_subquery(states))
        .limit(max)
        .all(db)
        .await?;
    let mut states = load(db, &apis).await?;
    let is_troubled = |api: &&ExternalApi| {
        let is_open = states.remove(&api.id).is_some_and(|state| state.open_until.is_some());
        is_open || due::timetable(api).is_some()
    };
    Ok(apis.iter().filter(is_troubled).count() as u64)
}

/// Records a fetch of lists. False if the API has been deleted, or if the same scheduled fetch was recorded
/// before.
#[expect(clippy::disallowed_methods, reason = "a part of an API that was called")]
pub(super) async fn record_fetch(tx: &Write, api: &ExternalApi, record: FetchRecord) -> Result<bool> {
    let FetchRecord { outcome, failure, import_id, due_at, tags } = record;
    let failure = failure.as_ref().map(serde_json::to_string).transpose().map_err(Error::internal)?;
    let mut update = Entity::update_many()
        .col_expr(Column::FetchedAt, Expr::value(now()))
        .col_expr(Column::FetchOutcome, Expr::value(outcome))
        .col_expr(Column::FetchFailure, Expr::value(failure))
        .filter(this(api.tenant_id, api.id));
    if let Some(due_at) = due_at {
        let is_new = Condition::any().add(Column::FetchDueAt.is_null()).add(Column::FetchDueAt.ne(due_at));
        update = update.col_expr(Column::FetchDueAt, Expr::value(due_at)).filter(is_new);
    }
    if let Some(import_id) = import_id {
        update = update.col_expr(Column::FetchImportId, Expr::value(import_id));
    }
    if let Some(tags) = tags {
        update = update.col_expr(Column::ListTags, Expr::value(tags));
    }
    Ok(update.exec(tx).await?.rows_affected > 0)
}

#[expect(clippy::disallowed_methods, reason = "a part of the API that this transaction has created")]
pub(super) async fn create(tx: &Write, api: &ExternalApi) -> Result<()> {
    let row = ActiveModel {
        tenant_id: Set(api.tenant_id),
        api_id: Set(api.id),
        failures_in_row: Set(0),
        ..Default::default()
    };
    Entity::insert(row).exec_without_returning(tx).await?;
    Ok(())
}

/// Closes the breaker, so that calls are allowed again.
#[expect(clippy::disallowed_methods, reason = "a part of an API that has been found through a scope")]
pub(super) async fn close_breaker(tx: &Write, api: &ExternalApi) -> Result<()> {
    let update = Entity::update_many()
        .col_expr(Column::FailuresInRow, Expr::value(0))
        .col_expr(Column::OpenUntil, Expr::value(None::<Instant>))
        .col_expr(Column::ProbeUntil, Expr::value(None::<Instant>));
    update.filter(this(api.tenant_id, api.id)).exec(tx).await?;
    Ok(())
}

/// Reason why an API is not called at present; `None` if it is, or may be tried again.
pub async fn pause_message(db: &Database, api: &ExternalApi) -> Result<Option<Message>> {
    let state = load_state(db, api).await?;
    let open_until = state.and_then(|state| state.open_until).filter(|until| *until > now());
    Ok(open_until.map(|_| codes::API_PAUSED.into()))
}

/// Admits a call, or returns the reason against it. After a pause one call in all processes is admitted as a
/// probe.
///
/// # Errors
/// [`codes::API_PAUSED`] while the breaker is open.
#[expect(clippy::disallowed_methods, reason = "a part of an API that is about to be called")]
pub async fn admit(db: &Database, api: &ExternalApi) -> Result<Result<(), Message>> {
    let state = load_state(db, api).await?;
    let Some(open_until) = state.and_then(|state| state.open_until) else { return Ok(Ok(())) };
    let now = now();
    let refused = Ok(Err(codes::API_PAUSED.into()));
    if open_until > now {
        return refused;
    }
    let tx = db.begin().await?;
    let is_free = Condition::any().add(Column::ProbeUntil.is_null()).add(Column::ProbeUntil.lt(now));
    let probe = Entity::update_many()
        .col_expr(Column::ProbeUntil, Expr::value(now + PROBE_WITHIN))
        .filter(this(api.tenant_id, api.id))
        .filter(Column::OpenUntil.lte(now))
        .filter(is_free);
    let is_probe = probe.exec(&tx).await?.rows_affected == 1;
    tx.commit().await?;
    if is_probe { Ok(Ok(())) } else { refused }
}

/// Records the outcome of a call. False if the API has been deleted.
#[expect(clippy::disallowed_methods, reason = "a part of an API that was called")]
pub(super) async fn record(tx: &Write, api: &ExternalApi, failure: Option<&ApiFailure>) -> Result<bool> {
    let now = now();
    let update = match failure {
        None => Entity::update_many()
            .col_expr(Column::FailuresInRow, Expr::value(0))
            .col_expr(Column::OpenUntil, Expr::value(None::<Instant>))
            .col_expr(Column::ProbeUntil, Expr::value(None::<Instant>))
            .col_expr(Column::LastSuccessAt, Expr::value(now)),
        Some(failure) => {
            let text = serde_json::to_string(&failure.message).map_err(Error::internal)?;
            let pause = failure.retry_after.filter(|pause| !pause.is_zero());
            let pause = pause.and_then(|pause: Duration| TimeDelta::from_std(pause).ok());
            let many = Expr::col(Column::FailuresInRow).gte(FAILURES_MAX - 1);
            let open_until: Expr = match pause {
                Some(pause) => Expr::value(now + pause),
                None => {
                    Expr::case(many, Expr::value(now + OPEN_FOR)).finally(Expr::col(Column::OpenUntil)).into()
                }
            };
            Entity::update_many()
                .col_expr(Column::FailuresInRow, Expr::col(Column::FailuresInRow).add(1))
                .col_expr(Column::OpenUntil, open_until)
                .col_expr(Column::ProbeUntil, Expr::value(None::<Instant>))
                .col_expr(Column::LastFailureAt, Expr::value(now))
                .col_expr(Column::LastFailure, Expr::value(text))
        }
    };
    Ok(update.filter(this(api.tenant_id, api.id)).exec(tx).await?.rows_affected == 1)
}
