//! What somebody may: the rights of his roles, or the narrower set chosen for him, below his tenant's ceiling.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use kernel::{PermissionSet, Result};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait, QueryFilter, QuerySelect, sea_query::Expr,
};

use crate::entity::{rights_version, role_permission, user, user_permission, user_role};

/// The rights of users, kept until any right changes.
#[derive(Debug, Default)]
pub struct KeptRights {
    by_user: Mutex<HashMap<i64, (i64, PermissionSet)>>,
}

const KEPT_AT_MOST: usize = 10_000;

impl KeptRights {
    /// The rights of a user as of `version`, which the caller has just read.
    pub(crate) async fn of(
        &self,
        db: &impl ConnectionTrait,
        user: Holder,
        version: i64,
    ) -> Result<PermissionSet> {
        let kept = self.by_user.lock().unwrap_or_else(PoisonError::into_inner).get(&user.id).copied();
        if let Some((_, rights)) = kept.filter(|(known, _)| *known == version) {
            return Ok(rights);
        }
        let rights = effective(db, user).await?;
        let mut by_user = self.by_user.lock().unwrap_or_else(PoisonError::into_inner);
        if by_user.len() >= KEPT_AT_MOST {
            by_user.clear();
        }
        by_user.insert(user.id, (version, rights));
        Ok(rights)
    }
}

/// Whose rights are asked for.
#[derive(Debug, Clone, Copy)]
pub struct Holder {
    pub id: i64,
    pub tenant_id: Option<i64>,
    pub narrowed: bool,
}

impl From<&user::Model> for Holder {
    fn from(user: &user::Model) -> Self {
        Self { id: user.id, tenant_id: user.tenant_id, narrowed: user.narrowed }
    }
}

/// Roles ∩ narrowed set ∩ ceiling.
#[expect(clippy::disallowed_methods, reason = "rights are what a scope is made of")]
pub async fn effective(db: &impl ConnectionTrait, user: Holder) -> Result<PermissionSet> {
    let of_roles: Vec<String> = role_permission::Entity::find()
        .select_only()
        .column(role_permission::Column::Permission)
        .distinct()
        .filter(
            role_permission::Column::RoleId.in_subquery(sea_orm::QueryTrait::into_query(
                user_role::Entity::find()
                    .select_only()
                    .column(user_role::Column::RoleId)
                    .filter(user_role::Column::UserId.eq(user.id)),
            )),
        )
        .into_tuple()
        .all(db)
        .await?;
    let mut rights = PermissionSet::parse(of_roles.iter().map(String::as_str));
    if user.narrowed {
        let chosen = user_permission::Entity::find()
            .filter(user_permission::Column::UserId.eq(user.id))
            .all(db)
            .await?;
        rights = rights.intersection(PermissionSet::parse(chosen.iter().map(|row| row.permission.as_str())));
    }
    if let Some(tenant) = user.tenant_id {
        rights = rights.intersection(tenancy::tenant::ceiling(db, tenant).await?);
    }
    Ok(rights)
}

/// To be called in every transaction that changes a user, a role or a ceiling.
#[expect(clippy::disallowed_methods, reason = "not a row of anybody")]
pub(crate) async fn changed(db: &impl ConnectionTrait) -> Result<()> {
    rights_version::Entity::update_many()
        .col_expr(rights_version::Column::Version, Expr::col(rights_version::Column::Version).add(1))
        .exec(db)
        .await?;
    Ok(())
}
