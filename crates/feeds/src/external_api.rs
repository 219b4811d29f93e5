//! External APIs: systems of tenants that answer over HTTPS for quantities and lists of numbers.
//!
//! A tenant has one API of each kind. The secret is sealed ([`secrets`]) and never shown; it is cleared when
//! the origin, the authentication or one of its names changes without it, so that it cannot be sent to
//! another server. Requests come from templates ([`template`]), answers are read by JSON pointers
//! ([`reading`]), and calls go out through `outbound` ([`call`]).

pub mod call;
pub mod call_log;
pub mod connection_state;
pub mod due;
pub mod entity;
pub mod fetch;
pub mod fields;
pub mod meta_data;
pub mod oauth;
pub mod quantities;
pub mod reading;
pub mod request_test;
pub mod rules;
pub mod target;
pub mod template;

use chrono_tz::Tz;
use lists::{Deletable, Detailed, Field, Listed, listed_reference};
use outbound::http::HttpsUrl;
use sea_orm::{
    ActiveValue::{NotSet, Set},
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::Expr,
};
use secrets::{Keys, SealedColumn};
use serde::Deserialize;
use store::{Database, Owner, Recorded, Resource, Scope, Scoped, Unique, Write, scope::refuse_stale, usage};
use tenancy::{
    external_api_kind::ExternalApiKind,
    tenant::{self, Tenants},
};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    ExternalApiId, Input, Phrase, Result, TenantId, Validated,
    input::{Text, trim_or_none},
    now,
    rule::printable,
};

use self::{
    connection_state::ConnectionState,
    fields::{Authentication, AvailabilityEndpoint, MetaDataEndpoints},
};
use crate::{
    codes, permissions,
    settings::{entered_secret::EnteredSecret, fields::Schedule, rules::password},
};

pub use self::entity::{ActiveModel, Column, Entity as ExternalApis, Model as ExternalApi};

/// The sealed secrets.
pub const SECRET: SealedColumn = SealedColumn { table: "external_api", column: "secret_sealed" };

const TIMEOUT_MS: i64 = 3000;
const CACHE_SECONDS: i64 = 60;

impl Scoped for ExternalApis {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for ExternalApis {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "external_apis",
        Phrase { de: "externe APIs", en: "external APIs" },
        permissions::CONFIGURE_EXTERNAL_API,
    )
    .refers(&[listed_reference::<Self, Tenants>("tenant_id")]);
    const NAME: Column = Column::BaseUrl;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] =
        &[Unique::new("external_api_tenant_id_kind_key", "kind", codes::EXTERNAL_API_EXISTS)];
    const WHOLE: &'static [Column] = &[Column::Availability, Column::MetaData, Column::Schedule];
}

impl Listed for ExternalApis {
    const FIELDS: &'static [Field] = &[
        Field::choice("authentication", &Column::Authentication, Authentication::NAMES).unsorted(),
        Field::id("tenant_id", &Column::TenantId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "-updated_at";
}

/// Input to create or change an external API.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ExternalApiInput {
    #[serde(default)]
    pub kind: ExternalApiKind,
    /// The address that all paths begin with.
    #[schema(min_length = 1, max_length = 2000, example = "https://erp.lieferant.example/api/v2")]
    #[validate(length(min = 1, max = 2000), custom(function = printable))]
    pub base_url: String,
    pub authentication: Authentication,
    /// The user name, or the client id with OAuth2.
    #[schema(max_length = 255, example = "nordstahl")]
    #[validate(length(max = 255), custom(function = printable))]
    pub username: Option<String>,
    /// The header that carries the key.
    #[schema(max_length = 100, example = "X-Api-Key")]
    #[validate(length(max = 100), custom(function = printable))]
    pub header_name: Option<String>,
    /// The address that issues OAuth2 tokens for client id and secret.
    #[schema(max_length = 2000, example = "https://login.lieferant.example/oauth2/token")]
    #[validate(length(max = 2000), custom(function = printable))]
    pub token_url: Option<String>,
    /// OAuth2 scope of the token request.
    #[schema(max_length = 1000, example = "stock.read")]
    #[validate(length(max = 1000), custom(function = printable))]
    pub scope: Option<String>,
    /// A new password, token, key or client secret; an empty text removes it. Without it the stored one stays, unless
    /// the origin of the base URL, the authentication, the user name, the header or the token URL change: then it is
    /// removed.
    #[schema(value_type = Option<String>, write_only, max_length = 1024, example = "geheim")]
    #[validate(custom(function = password))]
    pub secret: Option<EnteredSecret>,
    /// Certificates of authorities (PEM) that are trusted for the server, in addition to those that browsers
    /// trust.
    #[schema(max_length = 65536, example = "-----BEGIN CERTIFICATE-----")]
    #[validate(length(max = 65_536))]
    pub ca_certificate: Option<String>,
    /// The time that a question may take, in milliseconds.
    #[serde(default = "default_timeout")]
    #[schema(minimum = 500, maximum = 10000, example = 3000)]
    #[validate(range(min = 500, max = 10_000))]
    pub timeout_ms: i64,
    /// The time for which an answer counts as live, in seconds.
    #[serde(default = "default_cache")]
    #[schema(minimum = 0, maximum = 86400, example = 60)]
    #[validate(range(min = 0, max = 86_400))]
    pub cache_seconds: i64,
    /// True if the API is called; otherwise only tests call it.
    #[schema(example = true)]
    pub active: bool,
    #[validate(nested)]
    pub availability: Option<AvailabilityEndpoint>,
    #[serde(default)]
    #[validate(nested)]
    pub meta_data: MetaDataEndpoints,
    #[serde(default)]
    #[validate(nested)]
    pub schedule: Option<Schedule>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

fn default_timeout() -> i64 {
    TIMEOUT_MS
}

fn default_cache() -> i64 {
    CACHE_SECONDS
}

impl Input for ExternalApiInput {
    fn tidy(&mut self) {
        self.base_url.trim_in_place();
        for text in [
            &mut self.username,
            &mut self.header_name,
            &mut self.token_url,
            &mut self.scope,
            &mut self.ca_certificate,
        ] {
            trim_or_none(text);
        }
        if let Some(endpoint) = &mut self.availability {
            endpoint.path.trim_in_place();
            trim_or_none(&mut endpoint.body);
        }
        let MetaDataEndpoints { articles, warehouses, tenants } = &mut self.meta_data;
        for endpoint in [articles, warehouses, tenants].into_iter().flatten() {
            endpoint.path.trim_in_place();
        }
        if let Some(schedule) = &mut self.schedule {
            schedule.tidy();
        }
    }
}

/// The parts of a server that external APIs depend on.
#[derive(Debug, Clone, Copy)]
pub struct ApiStore<'a> {
    pub db: &'a Database,
    pub keys: &'a Keys,
    /// The time zone of schedules.
    pub zone: Tz,
}

impl ExternalApi {
    /// The name of the server.
    pub fn host(&self) -> String {
        HttpsUrl::parse(&self.base_url).map(|url| url.host().to_owned()).unwrap_or_default()
    }
}

/// An external API with its tenant's short code and the state of its connection.
#[derive(Debug, Clone)]
pub struct ExternalApiDetail {
    pub api: ExternalApi,
    pub tenant: String,
    pub state: ConnectionState,
}

impl<C: ConnectionTrait> Detailed<C> for ExternalApis {
    type Detail = ExternalApiDetail;

    /// External APIs with their tenants and states.
    async fn detailed(db: &C, scope: &Scope, rows: Vec<ExternalApi>) -> Result<Vec<ExternalApiDetail>> {
        let codes = tenant::short_codes(db, scope, rows.iter().map(|row| row.tenant_id)).await?;
        let mut states = connection_state::load(db, &rows).await?;
        let detail = |api: ExternalApi| ExternalApiDetail {
            tenant: codes.get(&api.tenant_id).cloned().unwrap_or_default(),
            state: states.remove(&api.id).unwrap_or_else(|| ConnectionState::unused(&api)),
            api,
        };
        Ok(rows.into_iter().map(detail).collect())
    }
}

/// Creates an external API of the acting tenant.
///
/// # Errors
/// All violated rules at their fields; an existing API of this kind; a secret without a key to seal it.
pub async fn create(
    store: ApiStore<'_>,
    scope: &Scope,
    input: impl Into<Validated<ExternalApiInput>>,
) -> Result<ExternalApiDetail> {
    let (mut row, entered) = read(input.into())?;
    let entered = entered.filter(|secret| !secret.is_empty());
    refuse_unsealable(store, entered.as_ref())?;
    row.secret_set_at = Set(entered.as_ref().map(|_| now()));
    let tx = store.db.begin().await?;
    let mut api = scope.create::<ExternalApis>(&tx, row).await?;
    if let Some(secret) = entered {
        api = seal(&tx, store.keys, api, &secret).await?;
    }
    connection_state::create(&tx, &api).await?;
    due::update(&tx, store.zone, None, &api, now()).await?;
    finish(tx, scope, api).await
}

/// Changes an external API; a secret that is not entered again is removed if it would be sent elsewhere.
///
/// # Errors
/// All violated rules at their fields; an older version; a secret without a key to seal it.
pub async fn update(
    store: ApiStore<'_>,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<ExternalApiInput>>,
) -> Result<ExternalApiDetail> {
    let input = input.into();
    let version = input.version;
    let before = scope.get::<ExternalApis>(store.db, id).await?;
    let writer = scope.acting_for(Some(before.tenant_id));
    let target = SecretTarget::from_input(&input).is_same(&before);
    let (mut row, entered) = read(input)?;
    refuse_unsealable(store, entered.as_ref())?;
    let tx = store.db.begin().await?;
    let before = writer.get_locked::<ExternalApis>(&tx, id).await?;
    refuse_stale(version, before.version)?;
    row.secret_sealed = match entered {
        None if target => NotSet,
        Some(secret) if !secret.is_empty() => {
            Set(Some(store.keys.seal(SECRET.cell(before.id), secret.secret())?))
        }
        _ => Set(None),
    };
    if let Set(sealed) = &row.secret_sealed {
        row.secret_set_at = Set(sealed.as_ref().map(|_| now()));
    }
    let api = writer.update_from::<ExternalApis>(&tx, &before, row).await?;
    if api.version != before.version {
        // other settings deserve another try
        connection_state::close_breaker(&tx, &api).await?;
        due::update(&tx, store.zone, Some(&before), &api, now()).await?;
    }
    finish(tx, &writer, api).await
}

impl Deletable for ExternalApis {
    /// Deletes an external API with its calls and its state.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        let tx = db.begin().await?;
        let api = usage::release::<Self>(&tx, scope, id, |_| Ok(())).await?;
        call_log::remove(&tx, &api).await?;
        due::remove(&tx, &api).await?;
        scope.delete::<Self>(&tx, id).await?;
        tx.commit().await
    }
}

/// Allows calls of an API again immediately, after failures.
pub async fn retry_now(db: &Database, scope: &Scope, id: i64) -> Result<ExternalApiDetail> {
    let api = scope.get::<ExternalApis>(db, id).await?;
    let tx = db.begin().await?;
    connection_state::close_breaker(&tx, &api).await?;
    finish(tx, scope, api).await
}

/// The active external API of a tenant that answers for quantities.
#[expect(
    clippy::disallowed_methods,
    reason = "the stocks that it answers for have been found through a scope"
)]
pub async fn for_quantities(db: &impl ConnectionTrait, tenant: TenantId) -> Result<Option<ExternalApi>> {
    let apis = ExternalApis::find().filter(Column::TenantId.eq(tenant)).filter(Column::Active.eq(true));
    Ok(apis.one(db).await?.filter(|api| api.availability.is_some()))
}

/// The external API of a tenant that work in the background is about.
#[expect(clippy::disallowed_methods, reason = "an external API looks at its own settings")]
pub async fn by_id(
    db: &impl ConnectionTrait,
    tenant: TenantId,
    ExternalApiId(id): ExternalApiId,
) -> Result<Option<ExternalApi>> {
    let this = Condition::all().add(Column::TenantId.eq(tenant)).add(Column::Id.eq(id));
    Ok(ExternalApis::find().filter(this).one(db).await?)
}

/// The hosts of external APIs that the caller may see, by id.
pub async fn hosts(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>> {
    let ids: Vec<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let apis = scope.find::<ExternalApis>().filter(Column::Id.is_in(ids)).all(db).await?;
    Ok(apis.into_iter().map(|api| (api.id, api.host())).collect())
}

/// The place and the names that a secret is sent with.
#[derive(Clone, Copy, PartialEq, Eq)]
struct SecretTarget<'a> {
    base_url: &'a str,
    authentication: Authentication,
    names: [Option<&'a str>; 3],
}

impl<'a> SecretTarget<'a> {
    fn from_input(input: &'a ExternalApiInput) -> Self {
        let names = [&input.username, &input.header_name, &input.token_url].map(Option::as_deref);
        Self { base_url: &input.base_url, authentication: input.authentication, names }
    }

    fn from_row(api: &'a ExternalApi) -> Self {
        let names = [&api.username, &api.header_name, &api.token_url].map(Option::as_deref);
        Self { base_url: &api.base_url, authentication: api.authentication, names }
    }

    /// True if a secret of saved settings would be sent to the same place.
    fn is_same(self, saved: &ExternalApi) -> bool {
        let saved = SecretTarget::from_row(saved);
        let origin = |url: &str| HttpsUrl::parse(url).ok();
        let is_same_origin = match (origin(self.base_url), origin(saved.base_url)) {
            (Some(ours), Some(theirs)) => ours.is_same_origin(&theirs),
            _ => false,
        };
        is_same_origin && self.authentication == saved.authentication && self.names == saved.names
    }
}

/// Converts a valid input to a row and its secret.
fn read(input: Validated<ExternalApiInput>) -> Result<(ActiveModel, Option<EnteredSecret>)> {
    let (input, mut wrong) = input.parts();
    rules::check(&input, &mut wrong);
    wrong.check()?;
    let row = ActiveModel {
        kind: Set(input.kind),
        base_url: Set(input.base_url),
        authentication: Set(input.authentication),
        username: Set(input.username),
        header_name: Set(input.header_name),
        token_url: Set(input.token_url),
        scope: Set(input.scope),
        ca_certificate: Set(input.ca_certificate),
        timeout_ms: Set(input.timeout_ms),
        cache_seconds: Set(input.cache_seconds),
        active: Set(input.active),
        availability: Set(input.availability),
        meta_data: Set(input.meta_data),
        schedule: Set(input.schedule),
        ..Default::default()
    };
    Ok((row, input.secret))
}

/// Refuses a secret while the server has no key to seal it.
fn refuse_unsealable(store: ApiStore<'_>, entered: Option<&EnteredSecret>) -> Result<()> {
    if entered.is_some_and(|secret| !secret.is_empty()) && !store.keys.is_configured() {
        return Err(codes::SECRET_KEY_MISSING.into());
    }
    Ok(())
}

/// Stores the secret of a row that was just created: it is bound to its id.
#[expect(clippy::disallowed_methods, reason = "the row that this transaction has created")]
async fn seal(tx: &Write, keys: &Keys, api: ExternalApi, secret: &EnteredSecret) -> Result<ExternalApi> {
    let sealed = Some(keys.seal(SECRET.cell(api.id), secret.secret())?);
    let this = Condition::all().add(Column::Id.eq(api.id)).add(Column::TenantId.eq(api.tenant_id));
    let update = ExternalApis::update_many().col_expr(Column::SecretSealed, Expr::value(sealed.clone()));
    update.filter(this).exec(tx).await?;
    Ok(ExternalApi { secret_sealed: sealed, ..api })
}

async fn finish(tx: Write, scope: &Scope, api: ExternalApi) -> Result<ExternalApiDetail> {
    let detail = ExternalApis::detailed(&tx, scope, vec![api]).await?.remove(0);
    tx.commit().await?;
    Ok(detail)
}
