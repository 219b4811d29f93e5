//! The last calls of an external API: durations and outcomes, never bodies, headers or queries.

use std::time::Duration;

use outbound::http::HttpsUrl;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    entity::prelude::*,
    sea_query::{Expr, ExprTrait},
};
use serde::{Deserialize, Serialize};
use store::{Database, Owner, Scope, Scoped, Write};
use utoipa::ToSchema;
use values::{Error, Instant, Message, Result, TenantId, now};

use super::{ExternalApi, ExternalApis};

/// Number of calls that are stored for each API.
pub const CALLS_KEPT: u64 = 50;

/// The reason for a call.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = ExternalApiCallPurpose)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum CallPurpose {
    Availability,
    MetaData,
    Test,
}

/// Row of the table `external_api_call`.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "external_api_call")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub tenant_id: TenantId,
    pub api_id: i64,
    pub purpose: CallPurpose,
    pub method: String,
    /// Path without the query.
    pub path: String,
    /// `None` if there was no answer.
    pub status: Option<i64>,
    pub duration_ms: i64,
    /// The number of entries that were read from the answer.
    pub lines: i64,
    /// The reason why it brought nothing: a `values::Message` as JSON.
    pub failure: Option<String>,
    pub created_at: Instant,
    pub updated_at: Instant,
}

pub use Entity as ApiCalls;
pub use Model as LoggedCall;

/// Relations of the table `external_api_call`.
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Scoped for Entity {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl LoggedCall {
    /// The reason why it brought nothing.
    pub fn message(&self) -> Option<Message> {
        serde_json::from_str(self.failure.as_deref()?).ok()
    }
}

/// A call that has ended.
#[derive(Debug)]
pub struct CallReport<'a> {
    pub purpose: CallPurpose,
    pub method: &'a str,
    pub url: &'a HttpsUrl,
    pub status: Option<u16>,
    pub duration: Duration,
    pub lines: usize,
    pub failure: Option<&'a Message>,
}

/// Adds a call to the log of an API, and removes all but the last 50.
#[expect(clippy::disallowed_methods, reason = "a log that the program writes for an API that it has called")]
pub(super) async fn add(tx: &Write, api: &ExternalApi, report: CallReport<'_>) -> Result<()> {
    let now = now();
    let failure = report.failure.map(serde_json::to_string).transpose().map_err(Error::internal)?;
    let row = ActiveModel {
        tenant_id: Set(api.tenant_id),
        api_id: Set(api.id),
        purpose: Set(report.purpose),
        method: Set(report.method.to_owned()),
        path: Set(report.url.path().to_owned()),
        status: Set(report.status.map(i64::from)),
        duration_ms: Set(i64::try_from(report.duration.as_millis()).unwrap_or(i64::MAX)),
        lines: Set(i64::try_from(report.lines).unwrap_or(i64::MAX)),
        failure: Set(failure),
        created_at: Set(now),
        updated_at: Set(now),
        ..Default::default()
    };
    let of_api = Condition::all().add(Column::TenantId.eq(api.tenant_id)).add(Column::ApiId.eq(api.id));
    let latest_ids = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(of_api.clone())
        .order_by_desc(Column::Id)
        .limit(CALLS_KEPT)
        .into_query();
    Entity::insert(row).exec_without_returning(tx).await?;
    let old = Entity::delete_many().filter(of_api).filter(Expr::col(Column::Id).not_in_subquery(latest_ids));
    old.exec(tx).await?;
    Ok(())
}

/// Removes the calls of an API that is deleted.
#[expect(clippy::disallowed_methods, reason = "parts of an API that has been found through a scope")]
pub(super) async fn remove(tx: &Write, api: &ExternalApi) -> Result<()> {
    let of_api = Condition::all().add(Column::TenantId.eq(api.tenant_id)).add(Column::ApiId.eq(api.id));
    Entity::delete_many().filter(of_api).exec(tx).await?;
    Ok(())
}

/// The last calls of an API, the newest first.
pub async fn list(db: &Database, scope: &Scope, api_id: i64) -> Result<Vec<LoggedCall>> {
    let api = scope.get::<ExternalApis>(db, api_id).await?;
    let calls = scope
        .find::<Entity>()
        .filter(Column::TenantId.eq(api.tenant_id))
        .filter(Column::ApiId.eq(api.id))
        .order_by_desc(Column::Id)
        .limit(CALLS_KEPT);
    Ok(calls.all(db).await?)
}
