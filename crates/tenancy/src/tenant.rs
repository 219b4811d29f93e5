//! Tenants: a user of a tenant sees his own alone; the short code is unique.

use std::collections::HashMap;

use kernel::{
    Code, Database, Field, ListQuery, Listed, Owner, Page, PermissionSet, Result, Scope, Scoped, Violations,
    fold, rule,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::OnConflict,
};

pub use crate::entity::tenant::{Entity as Tenants, Model as Tenant};
use crate::entity::{
    tenant::{ActiveModel, Column},
    tenant_permission,
};

impl Scoped for Tenants {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [(&'static str, &'static str, Code)] =
        &[("short_code_fold", "short_code", Code::Taken)];

    fn visible_to(scope: &Scope) -> Condition {
        Condition::all().add_option(scope.tenant().ok().map(|tenant| Column::Id.eq(tenant)))
    }
}

impl Listed for Tenants {
    const FIELDS: &'static [Field] = &[
        Field::text("company", &Column::CompanyFold),
        Field::text("short_code", &Column::ShortCodeFold),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "company";
}

/// What a tenant is made of.
#[derive(Debug, Clone)]
pub struct TenantInput {
    pub company: String,
    pub short_code: String,
    pub email: Option<String>,
    /// What the tenant's users can be allowed at most.
    pub ceiling: PermissionSet,
}

/// Platform administrators choose among all tenants, whichever they act for; others see their own.
pub async fn list(db: &Database, scope: &Scope, query: &ListQuery<Tenants>) -> Result<Page<Tenant>> {
    query.fetch(db, &choice(scope), |select| select).await
}

pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<Tenant> {
    choice(scope).get::<Tenants>(db, id).await
}

/// The companies of tenants, for records that say whose they are.
pub async fn companies(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>> {
    let tenants = choice(scope).find::<Tenants>().filter(Column::Id.is_in(ids)).all(db).await?;
    Ok(tenants.into_iter().map(|tenant| (tenant.id, tenant.company)).collect())
}

pub async fn create(db: &Database, scope: &Scope, input: TenantInput) -> Result<Tenant> {
    let mut violations = Violations::new();
    rule::required(&mut violations, "company", &input.company);
    rule::short_code(&mut violations, "short_code", &input.short_code);
    violations.check()?;

    let tx = db.begin().await?;
    let row = ActiveModel {
        company_fold: Set(fold(&input.company)),
        company: Set(input.company),
        short_code_fold: Set(fold(&input.short_code)),
        short_code: Set(input.short_code),
        email: Set(input.email),
        ..Default::default()
    };
    let tenant = scope.create::<Tenants>(&tx, row).await?;
    grant(&tx, tenant.id, input.ceiling).await?;
    tx.commit().await?;
    Ok(tenant)
}

/// What the users of a tenant can be allowed at most.
pub async fn ceiling(db: &impl ConnectionTrait, tenant: i64) -> Result<PermissionSet> {
    Ok(ceilings(db, [tenant]).await?.remove(&tenant).unwrap_or_default())
}

/// The ceilings of tenants, by their ids.
#[expect(
    clippy::disallowed_methods,
    reason = "part of the tenant, asked for by authentication before a scope exists"
)]
pub async fn ceilings(
    db: &impl ConnectionTrait,
    tenants: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, PermissionSet>> {
    let rows = tenant_permission::Entity::find()
        .filter(tenant_permission::Column::TenantId.is_in(tenants))
        .all(db)
        .await?;
    let mut by_tenant: HashMap<i64, PermissionSet> = HashMap::new();
    for row in rows {
        let known = by_tenant.entry(row.tenant_id).or_default();
        *known = known.union(PermissionSet::parse([&*row.permission]));
    }
    Ok(by_tenant)
}

#[expect(clippy::disallowed_methods, reason = "part of the tenant, which its caller has just written")]
async fn grant(db: &impl ConnectionTrait, tenant_id: i64, permissions: PermissionSet) -> Result<()> {
    let rows = permissions.iter().map(|permission| tenant_permission::ActiveModel {
        tenant_id: Set(tenant_id),
        permission: Set(permission.as_str().to_owned()),
    });
    tenant_permission::Entity::insert_many(rows)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// The tenant chosen by a platform administrator does not narrow the list he chooses from.
fn choice(scope: &Scope) -> Scope {
    if scope.is_platform() { Scope::platform() } else { *scope }
}
