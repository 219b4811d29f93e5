//! Roles: named sets of rights; those without a tenant are usable by every tenant.

use kernel::{Code, Database, Owner, PermissionSet, Result, Scope, Scoped, Violations, fold, rule};
use sea_orm::{ActiveValue::Set, EntityTrait, sea_query::OnConflict};

pub use crate::entity::role::{Column, Entity as Roles, Model as Role};
use crate::{
    entity::{role::ActiveModel, role_permission},
    rights,
};

impl Scoped for Roles {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [(&'static str, &'static str, Code)] = &[("name_fold", "name", Code::Taken)];
}

/// What a role is made of.
#[derive(Debug, Clone)]
pub struct RoleInput {
    pub name: String,
    pub permissions: PermissionSet,
}

#[expect(
    clippy::disallowed_methods,
    reason = "the permissions are part of the role, which has just been written"
)]
pub async fn create(db: &Database, scope: &Scope, input: RoleInput) -> Result<Role> {
    let mut violations = Violations::new();
    rule::required(&mut violations, "name", &input.name);
    violations.check()?;

    let tx = db.begin().await?;
    let row = ActiveModel { name_fold: Set(fold(&input.name)), name: Set(input.name), ..Default::default() };
    let role = scope.create::<Roles>(&tx, row).await?;
    let permissions = input.permissions.iter().map(|permission| role_permission::ActiveModel {
        role_id: Set(role.id),
        permission: Set(permission.as_str().to_owned()),
    });
    role_permission::Entity::insert_many(permissions)
        .on_conflict(OnConflict::new().do_nothing().to_owned())
        .exec_without_returning(&tx)
        .await?;
    rights::changed(&tx).await?;
    tx.commit().await?;
    Ok(role)
}
