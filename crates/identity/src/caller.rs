//! Who is calling: the session of a token, its user, and his rights as they are now.

use chrono::TimeDelta;
use kernel::{Code, Database, Instant, Language, Permission, PermissionSet, Result, Scope};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, Statement, sea_query::Expr,
};

use crate::{
    entity::session,
    rights::{self, Holder, KeptRights},
    secret,
    session::{Lifetime, PREFIX},
    user::{self, Status},
};

/// A signed-in user.
#[derive(Debug, Clone)]
pub struct Caller {
    pub id: i64,
    pub name: String,
    pub email: String,
    /// `None` for platform administrators.
    pub tenant_id: Option<i64>,
    pub language: Option<Language>,
    pub rights: PermissionSet,
    pub session: CurrentSession,
}

/// The session of a call.
#[derive(Debug, Clone, Copy)]
pub struct CurrentSession {
    pub id: i64,
    pub expires_at: Instant,
    pub idle_expires_at: Instant,
}

impl Caller {
    pub fn may(&self, permission: Permission) -> bool {
        self.rights.contains(permission)
    }

    /// What he reaches when he acts for `tenant`.
    #[expect(clippy::disallowed_methods, reason = "this is authentication")]
    pub fn scope(&self, tenant: Option<i64>) -> Result<Scope> {
        Scope::granted_by_authentication(self.tenant_id, tenant, Some(self.id), self.rights)
    }
}

#[derive(Debug, FromQueryResult)]
struct Row {
    session_id: i64,
    last_used_at: Instant,
    expires_at: Instant,
    user_id: i64,
    tenant_id: Option<i64>,
    name: String,
    email: String,
    language: Option<String>,
    status: Status,
    narrowed: bool,
    rights_version: i64,
}

/// One look-up by index: the session, its user, and the version of all rights.
const FIND: &str = "SELECT s.id AS session_id, s.last_used_at, s.expires_at, u.id AS user_id, u.tenant_id, u.name, \
    u.email, u.language, u.status, u.narrowed, v.version AS rights_version \
    FROM session s JOIN \"user\" u ON u.id = s.user_id CROSS JOIN rights_version v WHERE s.token_hash = $1";

/// The caller behind a bearer token. A passive call, a mere poll, does not keep the session alive.
pub async fn authenticate(
    db: &Database,
    kept: &KeptRights,
    lifetime: Lifetime,
    token: &str,
    passive: bool,
    now: Instant,
) -> Result<Caller> {
    let hash = secret::presented(PREFIX, token).ok_or(Code::Unauthenticated)?;
    let statement = Statement::from_sql_and_values(db.get_database_backend(), FIND, [hash.into()]);
    let row = Row::find_by_statement(statement).one(db).await?.ok_or(Code::Unauthenticated)?;
    if row.status != Status::Verified || row.expires_at <= now || row.last_used_at + lifetime.idle <= now {
        return Err(Code::Unauthenticated.into());
    }
    let mut last_used_at = row.last_used_at;
    if !passive && now - row.last_used_at >= TimeDelta::minutes(1) {
        touch(db, row.session_id, now).await?;
        last_used_at = now;
    }
    let holder = Holder { id: row.user_id, tenant_id: row.tenant_id, narrowed: row.narrowed };
    Ok(Caller {
        id: row.user_id,
        name: row.name,
        email: row.email,
        tenant_id: row.tenant_id,
        language: user::language_of(row.language.as_deref()),
        rights: kept.of(db, holder, row.rights_version).await?,
        session: CurrentSession {
            id: row.session_id,
            expires_at: row.expires_at,
            idle_expires_at: row.expires_at.min(last_used_at + lifetime.idle),
        },
    })
}

/// The scope of a job that a user started earlier, if he may still do it.
#[expect(clippy::disallowed_methods, reason = "this is authentication")]
pub async fn of_job(db: &Database, user_id: i64, tenant: i64, needs: &[Permission]) -> Result<Option<Scope>> {
    let Some(user) = user::by_id(db, user_id).await?.filter(|user| user.status == Status::Verified) else {
        return Ok(None);
    };
    let rights = rights::effective(db, Holder::from(&user)).await?;
    if !needs.iter().all(|permission| rights.contains(*permission)) {
        return Ok(None);
    }
    Ok(Scope::granted_by_authentication(user.tenant_id, Some(tenant), Some(user.id), rights).ok())
}

/// At most once a minute for each session.
#[expect(clippy::disallowed_methods, reason = "the caller's own session")]
async fn touch(db: &Database, session: i64, now: Instant) -> Result<()> {
    let tx = db.begin().await?;
    session::Entity::update_many()
        .col_expr(session::Column::LastUsedAt, Expr::value(now))
        .filter(session::Column::Id.eq(session))
        .exec(&tx)
        .await?;
    tx.commit().await
}
