//! What somebody may give to others: only rights that he holds himself, and never above the ceiling of the tenant that
//! they are given in. Whoever holds more than he does is out of his reach.

use crate::{
    code::{Code, Message},
    error::{Result, Violations},
    permission::{Permission, PermissionSet},
    scope::Scope,
};

/// Rights that the caller is about to put into a role or leave to a user. `ceiling` is that of the tenant that they are
/// given in, none on the platform.
pub fn check(
    violations: &mut Violations,
    path: &str,
    scope: &Scope,
    ceiling: Option<PermissionSet>,
    given: PermissionSet,
) {
    let above = ceiling.map_or(PermissionSet::default(), |ceiling| given.difference(ceiling));
    let foreign = beyond(scope, given).difference(above);
    for (code, beyond) in [(Code::AboveCeiling, above), (Code::NotGrantable, foreign)] {
        if !beyond.is_empty() {
            violations.add(path, named(code, beyond));
        }
    }
}

/// What of these rights the caller does not hold.
pub fn beyond(scope: &Scope, rights: PermissionSet) -> PermissionSet {
    rights.difference(scope.rights())
}

/// Refuses to touch what holds more than the caller.
pub fn reach(scope: &Scope, held: PermissionSet) -> Result<()> {
    let beyond = beyond(scope, held);
    if beyond.is_empty() { Ok(()) } else { Err(named(Code::BeyondOwnRights, beyond).into()) }
}

/// A code that names the permissions in question.
pub fn named(code: Code, permissions: PermissionSet) -> Message {
    const NAMED: usize = 5;
    let mut names: Vec<_> = permissions.iter().take(NAMED).map(Permission::as_str).collect();
    if permissions.iter().count() > NAMED {
        names.push("…");
    }
    code.with("permissions", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{TenantId, UserId};
    use crate::permission::Permission::{CreateUser, ListArticles, ListUsers, ViewTenant};

    fn set(permissions: &[Permission]) -> PermissionSet {
        permissions.iter().copied().collect()
    }

    #[expect(clippy::disallowed_methods, reason = "a caller for the test")]
    fn caller(rights: PermissionSet) -> Scope {
        Scope::granted_by_authentication(Some(TenantId(1)), None, Some(UserId(1)), rights).unwrap()
    }

    #[test]
    fn nobody_gives_what_he_does_not_hold_nor_what_the_tenant_may_not_have() {
        let giver = caller(set(&[ListArticles, ListUsers]));
        let all = set(&[ListArticles, ListUsers, CreateUser]);
        for (given, ceiling, codes) in [
            (&[ListArticles, ListUsers][..], all, &[][..]),
            (&[], all, &[]),
            (&[CreateUser], all, &[Code::NotGrantable]),
            (&[ViewTenant], all, &[Code::AboveCeiling]),
            (&[CreateUser, ViewTenant], all, &[Code::AboveCeiling, Code::NotGrantable]),
            (&[ListUsers], set(&[ListArticles]), &[Code::AboveCeiling]),
        ] {
            let mut violations = Violations::new();
            check(&mut violations, "permissions", &giver, Some(ceiling), set(given));
            let found: Vec<_> = violations.iter().map(|violation| violation.message.code).collect();
            assert_eq!(found, codes, "{given:?}");
        }
    }

    #[test]
    fn who_holds_more_is_out_of_reach() {
        let caller = caller(set(&[ListArticles, ListUsers]));
        assert!(reach(&caller, set(&[ListArticles])).is_ok());
        assert!(reach(&caller, set(&[ListUsers, CreateUser])).is_err());
    }
}
