//! Callers: users of a session or of a personal access token, with their current permissions.

use std::time::Duration;

use chrono::TimeDelta;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, Statement,
    sea_query::Expr,
};
use store::{Database, Recent, Scope, Versions, audit::Channel};
use tenancy::cache_topics;
use values::{Error, Instant, Language, Permission, PermissionSet, Principal, Result, TenantId, UserId};

use crate::{
    ability::{self, Ability},
    codes,
    entity::user::{ImportNotices, Status},
    entity::{personal_access_token, session},
    rights::{self, PermissionSubject, RightsCache},
    secret,
    session::{self as sessions, Lifetime},
    token,
    user::lookup,
};

/// User who calls, in person or through a program.
#[derive(Debug, Clone)]
pub struct Caller {
    pub id: i64,
    pub name: String,
    pub email: String,
    /// Tenant of the user; `None` for platform administrators.
    pub tenant_id: Option<TenantId>,
    pub language: Option<Language>,
    pub import_notices: ImportNotices,
    pub version: i64,
    /// Current permissions; for a token limited by its abilities.
    pub rights: PermissionSet,
    pub credential: Credential,
    pub(crate) versions: Versions,
}

/// Credential of a call.
#[derive(Debug, Clone)]
pub enum Credential {
    Session(CurrentSession),
    Token(CurrentToken),
}

/// Personal access token of a call.
#[derive(Debug, Clone)]
pub struct CurrentToken {
    pub id: i64,
    pub name: String,
    pub abilities: Vec<Ability>,
}

/// Session of a call.
#[derive(Debug, Clone, Copy)]
pub struct CurrentSession {
    pub id: i64,
    pub expires_at: Instant,
    pub idle_expires_at: Instant,
}

impl Caller {
    /// True if the caller has the permission, which a token also limits by its abilities.
    pub fn may(&self, permission: Permission) -> bool {
        self.rights.contains(permission)
    }

    /// Scope of the caller when acting for `tenant`.
    #[expect(clippy::disallowed_methods, reason = "this is authentication")]
    pub fn scope(&self, tenant: Option<TenantId>) -> Result<Scope> {
        let scope =
            Scope::granted_by_authentication(self.tenant_id, tenant, Some(UserId(self.id)), self.rights)?;
        let scope = scope.knowing(self.versions);
        Ok(match &self.credential {
            Credential::Session(_) => scope,
            Credential::Token(token) => scope.through(Channel::Token(token.id)),
        })
    }
}

/// Cache of sessions, tokens and permissions, so that a burst of calls looks them up once.
///
/// A commit of this process to them takes effect at the next call, one of another process within
/// [`LOOKUP_LIFETIME`].
#[derive(Debug)]
pub struct Callers {
    rights: RightsCache,
    sessions: Recent<String, SessionRow>,
    tokens: Recent<String, TokenRow>,
}

/// Lifetime of a cached session or token, together with its user and versions.
pub const LOOKUP_LIFETIME: Duration = Duration::from_millis(100);

const LOOKUPS_MAX: usize = 10_000;

impl Default for Callers {
    fn default() -> Self {
        Self::new(LOOKUP_LIFETIME)
    }
}

impl Callers {
    /// Creates a cache with another lifetime of its entries.
    pub fn new(lifetime: Duration) -> Self {
        Self {
            rights: RightsCache::default(),
            sessions: Recent::new(&["session", "user", "kept_version"], lifetime, LOOKUPS_MAX),
            tokens: Recent::new(&["personal_access_token", "user", "kept_version"], lifetime, LOOKUPS_MAX),
        }
    }
}

/// Credential and circumstances of a call.
#[derive(Debug, Clone, Copy)]
pub struct RequestCredential<'a> {
    /// Bearer token.
    pub token: &'a str,
    /// True for a mere poll, which does not keep a session alive.
    pub passive: bool,
    /// Address of the client.
    pub address: &'a str,
}

/// Authenticates the caller by their bearer token.
pub async fn authenticate(
    db: &Database,
    callers: &Callers,
    lifetime: Lifetime,
    credential: RequestCredential<'_>,
    now: Instant,
) -> Result<Caller> {
    let of_session = secret::presented(sessions::PREFIX, credential.token);
    let of_token = secret::presented(token::PREFIX, credential.token);
    match (of_session, of_token) {
        (Some(hash), _) => authenticate_session(db, callers, lifetime, hash, credential.passive, now).await,
        (_, Some(hash)) => authenticate_token(db, callers, hash, credential.address, now).await,
        _ => Err(codes::UNAUTHENTICATED.into()),
    }
}

#[derive(Debug, Clone, FromQueryResult)]
struct Owner {
    user_id: i64,
    tenant_id: Option<TenantId>,
    name: String,
    email: String,
    language: Option<String>,
    import_notices: ImportNotices,
    version: i64,
    status: Status,
    narrowed: bool,
    versions: String,
}

impl Owner {
    fn is_let_in(&self) -> bool {
        self.status == Status::Verified
    }

    async fn into_caller(self, db: &Database, cache: &RightsCache, credential: Credential) -> Result<Caller> {
        let holder =
            PermissionSubject { id: self.user_id, tenant_id: self.tenant_id, narrowed: self.narrowed };
        let versions = Versions::parse(&self.versions);
        let version = versions.version(cache_topics::RIGHTS);
        let version = version.ok_or_else(|| Error::internal("permissions without a version"))?;
        let permissions = cache.effective(db, holder, version).await?;
        let rights = match &credential {
            Credential::Session(_) => permissions,
            Credential::Token(token) => ability::rights(&token.abilities, permissions),
        };
        let Self { user_id: id, tenant_id, name, email, language, import_notices, version, .. } = self;
        let language = lookup::language_of(language.as_deref());
        Ok(Caller {
            id,
            name,
            email,
            tenant_id,
            language,
            import_notices,
            version,
            rights,
            credential,
            versions,
        })
    }
}

#[derive(Debug, Clone, FromQueryResult)]
struct SessionRow {
    session_id: i64,
    last_used_at: Instant,
    expires_at: Instant,
    #[sea_orm(nested)]
    owner: Owner,
}

async fn authenticate_session(
    db: &Database,
    callers: &Callers,
    lifetime: Lifetime,
    hash: String,
    passive: bool,
    now: Instant,
) -> Result<Caller> {
    let read = find::<SessionRow>(db, "t.id AS session_id", "session", hash.clone());
    let row = callers.sessions.get_or_read(db, hash, read).await?.ok_or(codes::UNAUTHENTICATED)?;
    let SessionRow { session_id: id, mut last_used_at, expires_at, owner } = row;
    if !owner.is_let_in() || expires_at <= now || last_used_at + lifetime.idle <= now {
        return Err(codes::UNAUTHENTICATED.into());
    }
    if !passive && now - last_used_at >= touch_interval() && was_recorded(touch_session(db, id, now).await)? {
        last_used_at = now;
    }
    let idle_expires_at = expires_at.min(last_used_at + lifetime.idle);
    owner
        .into_caller(
            db,
            &callers.rights,
            Credential::Session(CurrentSession { id, expires_at, idle_expires_at }),
        )
        .await
}

#[derive(Debug, Clone, FromQueryResult)]
struct TokenRow {
    token_id: i64,
    token_name: String,
    abilities: String,
    last_used_at: Option<Instant>,
    expires_at: Instant,
    #[sea_orm(nested)]
    owner: Owner,
}

async fn authenticate_token(
    db: &Database,
    callers: &Callers,
    hash: String,
    address: &str,
    now: Instant,
) -> Result<Caller> {
    let columns = "t.id AS token_id, t.name AS token_name, t.abilities";
    let read = find::<TokenRow>(db, columns, "personal_access_token", hash.clone());
    let Some(row) = callers.tokens.get_or_read(db, hash.clone(), read).await? else {
        let revoked = token::was_revoked(db, &hash).await?;
        return Err(if revoked { codes::TOKEN_REVOKED } else { codes::UNAUTHENTICATED }.into());
    };
    let TokenRow { token_id: id, token_name: name, abilities, last_used_at, expires_at, owner } = row;
    if !owner.is_let_in() {
        return Err(codes::UNAUTHENTICATED.into());
    }
    if expires_at <= now {
        return Err(codes::TOKEN_EXPIRED.with("name", name).into());
    }
    if last_used_at.is_none_or(|last| now - last >= touch_interval()) {
        was_recorded(touch_token(db, id, address, now).await)?;
    }
    let abilities = ability::parse_all(&abilities);
    owner.into_caller(db, &callers.rights, Credential::Token(CurrentToken { id, name, abilities })).await
}

/// Reads one indexed row: the session or token, its user, and the versions of the caches.
async fn find<R: FromQueryResult>(
    db: &Database,
    columns: &str,
    table: &str,
    hash: String,
) -> Result<Option<R>> {
    let sql = format!(
        "SELECT {columns}, t.last_used_at, t.expires_at, u.id AS user_id, u.tenant_id, u.name, u.email, \
         u.language, u.import_notices, u.version, u.status, u.narrowed, {} AS versions \
         FROM {table} t JOIN \"user\" u ON u.id = t.user_id WHERE t.token_hash = $1",
        Versions::COLUMN
    );
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [hash.into()]);
    Ok(R::find_by_statement(statement).one(db).await?)
}

/// Returns true if the use was recorded. A full disk or a busy database is logged and does not fail the call.
fn was_recorded(outcome: Result<()>) -> Result<bool> {
    match outcome {
        Ok(()) => Ok(true),
        Err(error) if error.fault().is_some() => {
            tracing::warn!(%error, "the use of a session or token was not noted");
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// Interval at which the use of a session or token is recorded.
fn touch_interval() -> TimeDelta {
    TimeDelta::minutes(1)
}

/// Scope of a job that a user, a feed or an external API has started earlier, or `None` if it is no longer
/// permitted. A feed or an external API gets only the permissions that the job needs, and only while its
/// tenant has them.
pub async fn scope_of_job(
    db: &Database,
    principal: Principal,
    tenant: TenantId,
    needs: &[Permission],
) -> Result<Option<Scope>> {
    match principal {
        Principal::User(user) => scope_of_user(db, user, tenant, needs).await,
        Principal::Feed(_) | Principal::ExternalApi(_) => scope_of_source(db, principal, tenant, needs).await,
    }
}

#[expect(clippy::disallowed_methods, reason = "this is authentication")]
async fn scope_of_source(
    db: &Database,
    source: Principal,
    tenant: TenantId,
    needs: &[Permission],
) -> Result<Option<Scope>> {
    let needs: PermissionSet = needs.iter().copied().collect();
    let ceiling = tenancy::tenant::ceiling(db, tenant).await?;
    let is_permitted = needs.difference(ceiling).is_empty();
    Ok(is_permitted.then(|| Scope::granted_to_source(tenant, source, needs)))
}

#[expect(clippy::disallowed_methods, reason = "this is authentication")]
async fn scope_of_user(
    db: &Database,
    user: UserId,
    tenant: TenantId,
    needs: &[Permission],
) -> Result<Option<Scope>> {
    let Some(user) = lookup::by_id(db, user.0).await?.filter(|user| user.status == Status::Verified) else {
        return Ok(None);
    };
    let rights = rights::effective(db, PermissionSubject::from(&user)).await?;
    if !needs.iter().all(|permission| rights.contains(*permission)) {
        return Ok(None);
    }
    Ok(Scope::granted_by_authentication(user.tenant_id, Some(tenant), Some(UserId(user.id)), rights).ok())
}

#[expect(clippy::disallowed_methods, reason = "the caller's own session")]
async fn touch_session(db: &Database, session: i64, now: Instant) -> Result<()> {
    let tx = db.begin().await?;
    session::Entity::update_many()
        .col_expr(session::Column::LastUsedAt, Expr::value(now))
        .filter(session::Column::Id.eq(session))
        .exec(&tx)
        .await?;
    tx.commit().await
}

/// Records the use of a token; of concurrent calls only the first one writes.
#[expect(clippy::disallowed_methods, reason = "the caller's own token")]
async fn touch_token(db: &Database, token: i64, address: &str, now: Instant) -> Result<()> {
    use personal_access_token::{Column, Entity};
    let long_ago = Condition::any()
        .add(Column::LastUsedAt.is_null())
        .add(Column::LastUsedAt.lte(now - touch_interval()));
    let tx = db.begin().await?;
    Entity::update_many()
        .col_expr(Column::LastUsedAt, Expr::value(now))
        .col_expr(Column::LastUsedAddress, Expr::value(address))
        .filter(Column::Id.eq(token))
        .filter(long_ago)
        .exec(&tx)
        .await?;
    tx.commit().await
}
