//! Rules for granting permissions: users can grant only permissions that they have, and never above the
//! maximum permissions of the tenant in which they grant them. They cannot change users or roles with more
//! permissions than their own.

use std::collections::HashMap;

use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, Func},
};
use values::{Code, Message, Permission, PermissionSet, Result, Violations, codes};

use crate::scope::Scope;

/// Checks permissions that the caller is about to put into a role or to leave to a user. `ceiling` is the
/// maximum of the tenant, `None` on the platform.
pub fn check_grant(
    violations: &mut Violations,
    path: &str,
    scope: &Scope,
    ceiling: Option<PermissionSet>,
    permissions: PermissionSet,
) {
    let above = ceiling.map_or(PermissionSet::default(), |ceiling| permissions.difference(ceiling));
    let foreign = missing_permissions(scope, permissions).difference(above);
    for (code, beyond) in [(codes::ABOVE_CEILING, above), (codes::NOT_GRANTABLE, foreign)] {
        if !beyond.is_empty() {
            violations.add(path, permissions_message(code, beyond));
        }
    }
}

/// Permissions among these that the caller does not have.
pub fn missing_permissions(scope: &Scope, rights: PermissionSet) -> PermissionSet {
    rights.difference(scope.rights())
}

/// Refuses to change a user or role with permissions that the caller does not have.
pub fn require_authority_over(scope: &Scope, permissions: PermissionSet) -> Result<()> {
    let beyond = missing_permissions(scope, permissions);
    if beyond.is_empty() { Ok(()) } else { Err(permissions_message(codes::BEYOND_OWN_RIGHTS, beyond).into()) }
}

/// Message of a code with the names of permissions.
pub fn permissions_message(code: Code, permissions: PermissionSet) -> Message {
    const SHOWN: usize = 5;
    let mut names: Vec<_> = permissions.iter().take(SHOWN).map(Permission::as_str).collect();
    if permissions.iter().count() > SHOWN {
        names.push("…");
    }
    code.with("permissions", names.join(", "))
}

/// Permissions of each holder, from a table with a row for each permission. The database aggregates them,
/// so that a holder with all permissions is read as one row instead of a hundred.
#[expect(clippy::disallowed_methods, reason = "rights are what a scope is made of")]
pub async fn permissions_by_holder<E: EntityTrait>(
    db: &impl ConnectionTrait,
    holder: E::Column,
    permission: E::Column,
    holders: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, PermissionSet>> {
    let holders: Vec<i64> = holders.into_iter().collect();
    if holders.is_empty() {
        return Ok(HashMap::new());
    }
    let names = Expr::expr(Func::cust("string_agg").arg(Expr::col(permission)).arg(" "));
    let packed = E::find()
        .select_only()
        .column(holder)
        .column_as(names, "names")
        .filter(holder.is_in(holders))
        .group_by(holder);
    let packed: Vec<(i64, String)> = packed.into_tuple().all(db).await?;
    Ok(packed.into_iter().map(|(holder, names)| (holder, PermissionSet::parse(names.split(' ')))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use values::{
        id::{TenantId, UserId},
        inventory,
        permission::DeclaredPermissions,
    };

    const CREATE_USER: Permission = Permission::from_name("grant_test.create_user");
    const LIST_ARTICLES: Permission = Permission::from_name("grant_test.list_articles");
    const LIST_USERS: Permission = Permission::from_name("grant_test.list_users");
    const VIEW_TENANT: Permission = Permission::from_name("grant_test.view_tenant");

    inventory::submit! {
        DeclaredPermissions {
            crate_name: "tests of grants",
            permissions: &[CREATE_USER, LIST_ARTICLES, LIST_USERS, VIEW_TENANT],
        }
    }

    fn set(permissions: &[Permission]) -> PermissionSet {
        permissions.iter().copied().collect()
    }

    #[expect(clippy::disallowed_methods, reason = "a caller for the test")]
    fn caller(rights: PermissionSet) -> Scope {
        Scope::granted_by_authentication(Some(TenantId(1)), None, Some(UserId(1)), rights).unwrap()
    }

    #[test]
    fn users_grant_only_their_own_permissions_within_the_ceiling() {
        let giver = caller(set(&[LIST_ARTICLES, LIST_USERS]));
        let all = set(&[LIST_ARTICLES, LIST_USERS, CREATE_USER]);
        for (granted, ceiling, codes) in [
            (&[LIST_ARTICLES, LIST_USERS][..], all, &[][..]),
            (&[], all, &[]),
            (&[CREATE_USER], all, &[codes::NOT_GRANTABLE]),
            (&[VIEW_TENANT], all, &[codes::ABOVE_CEILING]),
            (&[CREATE_USER, VIEW_TENANT], all, &[codes::ABOVE_CEILING, codes::NOT_GRANTABLE]),
            (&[LIST_USERS], set(&[LIST_ARTICLES]), &[codes::ABOVE_CEILING]),
        ] {
            let mut violations = Violations::new();
            check_grant(&mut violations, "permissions", &giver, Some(ceiling), set(granted));
            let actual_codes: Vec<_> = violations.iter().map(|violation| violation.message.code).collect();
            assert_eq!(actual_codes, codes, "{granted:?}");
        }
    }

    #[test]
    fn users_with_more_permissions_cannot_be_managed() {
        let caller = caller(set(&[LIST_ARTICLES, LIST_USERS]));
        assert!(require_authority_over(&caller, set(&[LIST_ARTICLES])).is_ok());
        assert!(require_authority_over(&caller, set(&[LIST_USERS, CREATE_USER])).is_err());
    }
}
