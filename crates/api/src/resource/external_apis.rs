//! External APIs over HTTP: the settings, the state of the connection and the last calls.

mod meta_data;
mod request_test;
mod schedule;

use chrono::{DateTime, Utc};
use feeds::{
    external_api::{
        self, ApiStore, ExternalApi, ExternalApiDetail, ExternalApiInput, ExternalApis,
        call_log::{self, CallPurpose, LoggedCall},
        connection_state::{ConnectionState, ConnectionStatus, FetchOutcome},
        fields::{Authentication, AvailabilityEndpoint, MetaDataEndpoints},
    },
    may,
    settings::fields::Schedule,
};
use http_api::{
    access::Authorized,
    answer::{OkJson, Unpaged, ok_json},
    input::{Db, Id, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use lists::{Creatable, Detailed, Managed, UnversionedField};
use serde::Serialize;
use store::Scope;
use tenancy::external_api_kind::ExternalApiKind;
use utoipa::ToSchema;
use values::{Code, Language, Result, Validated};

use crate::{
    resource::{crud::operations, tenants::TenantReference, view::HasView},
    state::{Server, State},
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<ExternalApis>(routes, "/api/admin/external-apis")
        .list::<may::ConfigureExternalApi>("Lists external APIs; a tenant has at most one of each kind.")
        .create::<may::ConfigureExternalApi>("Creates an external API of the acting tenant.")
        .view::<may::ConfigureExternalApi>("Shows an external API, without its secret.")
        .update::<may::ConfigureExternalApi>(
            "Changes an external API. Its secret is removed if the address changes and the secret is not entered again.",
        )
        .delete::<may::ConfigureExternalApi>("Deletes an external API with its secret and its calls.");
    publish!(routes, ExternalApis: options, calls, close_breaker);
    meta_data::routes(routes);
    schedule::routes(routes);
    request_test::routes(routes);
}

/// System of a tenant that is called over HTTPS.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalApi)]
pub(crate) struct ExternalApiView {
    id: i64,
    tenant: TenantReference,
    kind: ExternalApiKind,
    /// Base address of all paths.
    #[schema(example = "https://erp.lieferant.example/api/v2")]
    base_url: String,
    authentication: Authentication,
    /// User name, or the client id with OAuth2.
    #[schema(required, example = "nordstahl")]
    username: Option<String>,
    /// Name of the header with the key.
    #[schema(required, example = "X-Api-Key")]
    header_name: Option<String>,
    /// Address that issues OAuth2 tokens.
    #[schema(required, example = "https://login.lieferant.example/oauth2/token")]
    token_url: Option<String>,
    /// OAuth2 scope to request.
    #[schema(required, example = "stock.read")]
    scope: Option<String>,
    /// True if a password, token, key or client secret is stored; it is never shown.
    secret_set: bool,
    /// CA certificates (PEM) that are trusted for the server.
    #[schema(required, example = "-----BEGIN CERTIFICATE-----")]
    ca_certificate: Option<String>,
    /// Timeout of a call, in milliseconds.
    #[schema(example = 3000)]
    timeout_ms: i64,
    /// Time in seconds for which an answer counts as live.
    #[schema(example = 60)]
    cache_seconds: i64,
    /// False if only tests call the API.
    active: bool,
    #[schema(required)]
    availability: Option<AvailabilityEndpoint>,
    meta_data: MetaDataEndpoints,
    #[schema(required)]
    schedule: Option<Schedule>,
    state: StateView,
    #[schema(required)]
    last_fetch: Option<FetchView>,
    /// Number of changes so far; send it back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// The state of the connection.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalApiState)]
struct StateView {
    status: ConnectionStatus,
    /// Number of failed calls since the last success.
    #[schema(example = 0)]
    failures_in_row: i64,
    /// Time before which the API is not called, and from which a single call is tried. `null` if it is called
    /// normally.
    #[schema(required)]
    open_until: Option<DateTime<Utc>>,
    #[schema(required)]
    last_success_at: Option<DateTime<Utc>>,
    #[schema(required)]
    last_failure: Option<LastFailureView>,
}

/// Last failed call.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalApiFailure)]
struct LastFailureView {
    at: DateTime<Utc>,
    code: Code,
    /// Reason and advice, in the language of `Accept-Language`.
    #[schema(example = "Der Server „erp.lieferant.example“ hat nicht rechtzeitig geantwortet.")]
    text: String,
}

impl StateView {
    fn new(state: &ConnectionState, is_active: bool, language: Language) -> Self {
        let last_failure = state.failure().zip(state.last_failure_at).map(|(message, at)| LastFailureView {
            at,
            code: message.code,
            text: message.text(language),
        });
        Self {
            status: state.status(is_active),
            failures_in_row: state.failures_in_row,
            open_until: state.open_until,
            last_success_at: state.last_success_at,
            last_failure,
        }
    }
}

/// The last fetch of the lists, by schedule or by hand.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalApiFetch)]
struct FetchView {
    at: DateTime<Utc>,
    /// Import of the fetched lists.
    #[schema(required, example = 42)]
    import_id: Option<i64>,
    /// Reason for a failure and advice, in the language of `Accept-Language`.
    #[schema(required, example = "Der Server „erp.lieferant.example“ hat nicht rechtzeitig geantwortet.")]
    failure: Option<String>,
    /// True if no list has changed since the last import: no new import was made.
    #[schema(example = false)]
    unchanged: bool,
}

impl FetchView {
    fn new(state: &ConnectionState, language: Language) -> Option<Self> {
        let outcome = state.fetch_outcome?;
        Some(Self {
            at: state.fetched_at?,
            import_id: state.fetch_import_id.filter(|_| outcome == FetchOutcome::Imported),
            failure: state.fetch_failure().map(|message| message.text(language)),
            unchanged: outcome == FetchOutcome::Unchanged,
        })
    }
}

impl From<(ExternalApiDetail, Language)> for ExternalApiView {
    fn from((detail, language): (ExternalApiDetail, Language)) -> Self {
        let ExternalApiDetail { api, tenant, state } = detail;
        Self {
            id: api.id,
            tenant: TenantReference::new(api.tenant_id, tenant),
            kind: api.kind,
            base_url: api.base_url,
            authentication: api.authentication,
            username: api.username,
            header_name: api.header_name,
            token_url: api.token_url,
            scope: api.scope,
            secret_set: api.secret_set_at.is_some(),
            ca_certificate: api.ca_certificate,
            timeout_ms: api.timeout_ms,
            cache_seconds: api.cache_seconds,
            active: api.active,
            availability: api.availability,
            meta_data: api.meta_data,
            schedule: api.schedule,
            last_fetch: FetchView::new(&state, language),
            state: StateView::new(&state, api.active, language),
            version: api.version,
            created_at: api.created_at,
            updated_at: api.updated_at,
        }
    }
}

impl HasView for ExternalApis {
    type Source = State;
    type View = ExternalApiView;
}

impl Detailed<State> for ExternalApis {
    type Detail = ExternalApiDetail;

    async fn detailed(
        state: &State,
        scope: &Scope,
        rows: Vec<ExternalApi>,
    ) -> Result<Vec<ExternalApiDetail>> {
        Self::detailed(&state.db, scope, rows).await
    }
}

impl Managed<State> for ExternalApis {
    type Input = ExternalApiInput;
    const UNVERSIONED_FIELDS: &'static [(&'static str, UnversionedField)] =
        &[("state", UnversionedField::Derived), ("last_fetch", UnversionedField::Derived)];

    async fn update(
        state: &State,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<ExternalApiInput>>,
    ) -> Result<ExternalApiDetail> {
        external_api::update(store(state), scope, id, input).await
    }
}

impl Creatable<State> for ExternalApis {
    async fn create(
        state: &State,
        scope: &Scope,
        input: impl Into<Validated<ExternalApiInput>>,
    ) -> Result<ExternalApiDetail> {
        external_api::create(store(state), scope, input).await
    }
}

fn store(state: &State) -> ApiStore<'_> {
    ApiStore { db: &state.db, keys: &state.keys, zone: state.time_zone() }
}

/// Choices that this server offers.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalApiOptions)]
struct OptionsView {
    /// False if the server has no key to encrypt secrets: no secret can be saved.
    #[schema(example = true)]
    secrets_available: bool,
    /// Kinds of interfaces.
    kinds: &'static [ExternalApiKind],
}

/// Shows the choices for external APIs on this server.
#[utoipa::path(get, path = "/api/admin/external-apis/options")]
async fn options(
    _: Authorized<may::ConfigureExternalApi>,
    Server(state): Server,
) -> Answer<OkJson<OptionsView>> {
    let secrets_available = state.keys.is_configured();
    Ok(ok_json(OptionsView { secrets_available, kinds: ExternalApiKind::ALL }))
}

/// Call of an external API. Bodies, headers and queries are not recorded.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalApiCall)]
struct CallView {
    at: DateTime<Utc>,
    purpose: CallPurpose,
    #[schema(example = "GET")]
    method: String,
    #[schema(example = "/api/v2/stock/HEB-200")]
    path: String,
    /// HTTP status; `null` without an answer.
    #[schema(required, example = 200)]
    status: Option<i64>,
    #[schema(example = 412)]
    duration_ms: i64,
    /// Number of entries that were read.
    #[schema(example = 1)]
    lines: i64,
    /// Reason why the call gave nothing, in the language of `Accept-Language`.
    #[schema(required, example = "Der Server „erp.lieferant.example“ hat nicht rechtzeitig geantwortet.")]
    failure: Option<String>,
}

impl CallView {
    fn new(call: LoggedCall, language: Language) -> Self {
        let failure = call.message().map(|message| message.text(language));
        Self {
            at: call.created_at,
            purpose: call.purpose,
            method: call.method,
            path: call.path,
            status: call.status,
            duration_ms: call.duration_ms,
            lines: call.lines,
            failure,
        }
    }
}

/// Shows the last 50 calls of an external API, the newest first.
#[utoipa::path(get, path = "/api/admin/external-apis/{id}/calls")]
async fn calls(
    by: Authorized<may::ConfigureExternalApi>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<Unpaged<CallView>>> {
    let calls = call_log::list(&db, by.scope(), id).await?;
    let data = calls.into_iter().map(|call| CallView::new(call, request.language)).collect();
    Ok(ok_json(Unpaged { data }))
}

/// Resumes calls of an external API immediately, after failures have stopped them.
#[utoipa::path(post, path = "/api/admin/external-apis/{id}/close-breaker")]
async fn close_breaker(
    by: Authorized<may::ConfigureExternalApi>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<ExternalApiView>> {
    let detail = external_api::retry_now(&db, by.scope(), id).await?;
    Ok(ok_json((detail, request.language)))
}
