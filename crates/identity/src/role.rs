//! Roles: named sets of permissions. Every tenant can use those of the platform; a tenant's own are its own
//! alone. A name is unique among the roles that its owner sees.

use std::collections::HashMap;

use lists::{Creatable, Deletable, Detailed, Field, Listed, Managed, listed_reference};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, QueryFilter, QuerySelect};
use serde::Deserialize;
use store::{
    Database, Owner, Recorded, Resource, Scope, Scoped, Unique, Write, grant,
    scope::{Part, refuse_stale},
    usage,
};
use tenancy::tenant::{self, Tenants};
use utoipa::ToSchema;
use validator::Validate;
use values::{Permission, PermissionSet, Phrase, Result, TenantId, Validated, fold, rule::printable, tidy};

use crate::{
    codes,
    entity::{
        role::ActiveModel,
        role_permission::{self, Entity as RolePermissions},
        user_role,
    },
    permissions, rights,
};

pub use crate::entity::role::{Column, Entity as Roles, Model as Role};

impl Scoped for Roles {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::TenantOrPlatform(Column::TenantId);

    fn visible_to(scope: &Scope) -> Condition {
        match scope.tenant() {
            Ok(tenant) => Condition::any().add(Column::TenantId.is_null()).add(Column::TenantId.eq(tenant)),
            Err(_) => Condition::all(),
        }
    }
}

impl Recorded for Roles {
    const RESOURCE: &'static Resource =
        &Resource::new::<Self>("roles", Phrase { de: "Rollen", en: "roles" }, permissions::LIST_ROLES)
            .refers(&[listed_reference::<Self, Tenants>("tenant_id")]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] =
        &[Unique::new("role_tenant_id_name_fold_key", "name", codes::ROLE_NAME_TAKEN)];

    async fn remove_parts(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
        scope.remove_parts::<RolePermissions>(tx, id, Condition::all()).await
    }
}

impl Listed for Roles {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold),
        Field::id("tenant_id", &Column::TenantId).optional(),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

impl Part for RolePermissions {
    type Whole = Roles;
    const WHOLE: role_permission::Column = role_permission::Column::RoleId;
}

/// Input to create or change a role.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct RoleInput {
    /// Name; unique among the roles of the platform and those of the own tenant, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Disposition")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Permissions; only those that the caller has.
    pub permissions: Vec<Permission>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(RoleInput: trim name;);

/// Role with its permissions.
#[derive(Debug, Clone)]
pub struct RoleDetail {
    pub role: Role,
    /// Company name of its tenant.
    pub tenant: Option<String>,
    pub permissions: PermissionSet,
    /// Number of users with the role whom the caller sees.
    pub user_count: u64,
    /// True if the caller may change the role. Roles of the platform are reserved to the platform, and the
    /// role must have no permission that the caller lacks.
    pub writable: bool,
}

/// Loads a role with its permissions.
pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<RoleDetail> {
    let role = scope.get::<Roles>(db, id).await?;
    Ok(Roles::detailed(db, scope, vec![role]).await?.remove(0))
}

impl Managed for Roles {
    type Input = RoleInput;

    /// Updates a role.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<RoleInput>>,
    ) -> Result<RoleDetail> {
        let input = input.into();
        let tx = db.begin().await?;
        let before = within_reach(&tx, scope, id).await?;
        refuse_stale(input.version, before.role.version)?;
        let had_administrator = before.role.tenant_id.is_none() && rights::has_administrator(&tx).await?;
        let row = row(&tx, scope, before.role.tenant_id, Some(id), &input).await?;
        scope.update::<Self>(&tx, id, input.version, row).await?;
        write_permissions(&tx, scope, id, &input.permissions).await?;
        rights::require_remaining_administrator(&tx, had_administrator).await?;
        finish(tx, scope, id).await
    }
}

impl Creatable for Roles {
    /// Creates a role.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<RoleInput>>,
    ) -> Result<RoleDetail> {
        let input = input.into();
        let tx = db.begin().await?;
        let row = row(&tx, scope, scope.tenant().ok(), None, &input).await?;
        let role = scope.create::<Self>(&tx, row).await?;
        write_permissions(&tx, scope, role.id, &input.permissions).await?;
        finish(tx, scope, role.id).await
    }
}

impl Deletable for Roles {
    /// Deletes a role. Refused while users have it.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        within_reach(db, scope, id).await?;
        usage::delete::<Self>(db, scope, id, |_| Ok(())).await
    }
}

/// Loads a role that the caller may change. Roles of the platform are reserved to the platform, and a role
/// must not have permissions that the caller lacks.
async fn within_reach(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<RoleDetail> {
    let detail = get(db, scope, id).await?;
    if detail.role.tenant_id.is_none() && !scope.is_platform() {
        return Err(codes::PLATFORM_ONLY.into());
    }
    grant::require_authority_over(scope, detail.permissions)?;
    Ok(detail)
}

async fn row(
    db: &impl ConnectionTrait,
    scope: &Scope,
    tenant: Option<TenantId>,
    id: Option<i64>,
    input: &Validated<RoleInput>,
) -> Result<ActiveModel> {
    let (name, mut violations) = (input.name.clone(), input.broken().clone());
    if is_taken(db, scope, id, &name).await? {
        violations.add("name", codes::ROLE_NAME_TAKEN);
    }
    let ceiling = match tenant {
        Some(tenant) => Some(tenant::ceiling(db, tenant).await?),
        None => None,
    };
    let permissions = input.permissions.iter().copied().collect();
    grant::check_grant(&mut violations, "permissions", scope, ceiling, permissions);
    violations.check()?;
    Ok(ActiveModel { name_fold: Set(fold(&name)), name: Set(name), ..Default::default() })
}

/// True if another role visible to the tenant has this name. Its lists include the platform's roles.
async fn is_taken(db: &impl ConnectionTrait, scope: &Scope, id: Option<i64>, name: &str) -> Result<bool> {
    if scope.tenant().is_err() {
        return Ok(false);
    }
    let same = scope.find::<Roles>().filter(Column::NameFold.eq(fold(name)));
    let other = id.map(|id| Column::Id.ne(id));
    Ok(same.filter(Condition::all().add_option(other)).one(db).await?.is_some())
}

async fn write_permissions(tx: &Write, scope: &Scope, role: i64, permissions: &[Permission]) -> Result<()> {
    scope.remove_parts::<RolePermissions>(tx, role, Condition::all()).await?;
    let set: PermissionSet = permissions.iter().copied().collect();
    let rows = set.iter().map(|permission| role_permission::ActiveModel {
        permission: Set(permission.as_str().to_owned()),
        ..Default::default()
    });
    scope.add_parts::<RolePermissions>(tx, role, rows).await?;
    rights::changed(tx).await
}

async fn finish(tx: Write, scope: &Scope, id: i64) -> Result<RoleDetail> {
    let detail = get(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(detail)
}

impl<C: ConnectionTrait> Detailed<C> for Roles {
    type Detail = RoleDetail;

    /// Loads the permissions of roles and the numbers of users who have them.
    async fn detailed(db: &C, scope: &Scope, roles: Vec<Role>) -> Result<Vec<RoleDetail>> {
        let ids: Vec<i64> = roles.iter().map(|role| role.id).collect();
        let permissions = rights::load_role_permissions(db, ids.iter().copied()).await?;
        let counts = counts(db, scope, ids).await?;
        let tenants = roles.iter().filter_map(|role| role.tenant_id);
        let companies: HashMap<TenantId, String> =
            tenant::companies(db, scope, tenants).await?.into_iter().collect();
        let detail = |role: Role| {
            let permissions = permissions.get(&role.id).copied().unwrap_or_default();
            let own = role.tenant_id.is_some() || scope.is_platform();
            RoleDetail {
                tenant: role.tenant_id.and_then(|tenant| companies.get(&tenant).cloned()),
                permissions,
                user_count: counts.get(&role.id).copied().unwrap_or_default().unsigned_abs(),
                writable: own && permissions.is_subset(scope.rights()),
                role,
            }
        };
        Ok(roles.into_iter().map(detail).collect())
    }
}

async fn counts(
    db: &impl ConnectionTrait,
    scope: &Scope,
    roles: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, i64>> {
    let rows: Vec<(i64, i64)> = scope
        .all_parts::<user_role::Entity>()
        .select_only()
        .column(user_role::Column::RoleId)
        .column_as(user_role::Column::UserId.count(), "users")
        .filter(user_role::Column::RoleId.is_in(roles))
        .group_by(user_role::Column::RoleId)
        .into_tuple()
        .all(db)
        .await?;
    Ok(rows.into_iter().collect())
}
