//! Uploader of a file: the scope in which it is imported, and the required permissions.

use store::{Database, Scope};
use values::{Code, Language, Permission, PermissionSet, Principal, Result};

use crate::{codes, import_type::ImportType, permissions, registry::Registry};

/// Caller who uploads a file.
#[derive(Debug, Clone, Copy)]
pub struct Uploader<'a> {
    pub scope: &'a Scope,
    /// Permissions of the caller, independent of the tenant for which they act.
    pub rights: PermissionSet,
    pub language: Language,
}

/// Refuses an upload that is not permitted, before the file is stored.
pub(crate) fn check(
    registry: &Registry,
    scope: &Scope,
    rights: PermissionSet,
    r#type: ImportType,
) -> Result<()> {
    scope.tenant()?;
    r#type.demand(rights)?;
    registry.claim(r#type, scope)
}

/// Scope in which a file is imported; refuses callers who may not import it.
pub(crate) async fn writer(
    db: &Database,
    registry: &Registry,
    by: Uploader<'_>,
    r#type: ImportType,
    aim: Option<i64>,
) -> Result<Scope> {
    let writer = registry.get(r#type)?.writer(db, by.scope, aim).await?;
    check(registry, &writer, by.rights, r#type)?;
    Ok(writer)
}

/// Permissions of a feed or an external API for files of a type: to import them, and to read import profiles
/// of that type.
pub fn needs_of_feed(r#type: ImportType) -> Vec<Permission> {
    r#type.needs().iter().copied().chain([permissions::CREATE_IMPORT]).chain(r#type.content()).collect()
}

/// Permissions that a principal must have, given the ones that a type of import `needs`.
pub(crate) fn demanded(
    principal: Principal,
    r#type: ImportType,
    mut needs: Vec<Permission>,
) -> Vec<Permission> {
    match principal {
        Principal::User(_) => needs.push(permissions::CREATE_IMPORT),
        Principal::Feed(_) | Principal::ExternalApi(_) => needs.extend(needs_of_feed(r#type)),
    }
    needs
}

/// Error if a principal may no longer import.
pub(crate) fn not_permitted(principal: Principal) -> Code {
    match principal {
        Principal::User(_) => codes::CREATOR_GONE,
        Principal::Feed(_) | Principal::ExternalApi(_) => codes::TENANT_NOT_PERMITTED,
    }
}

pub(crate) fn check_rights(rights: PermissionSet, needed: &[Permission]) -> Result<()> {
    match needed.iter().find(|permission| !rights.contains(**permission)) {
        Some(missing) => Err(codes::FORBIDDEN.with("permission", missing.as_str()).into()),
        None => Ok(()),
    }
}
