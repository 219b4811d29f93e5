//! The uploader of a file: the scope in which it is imported, and the rights that it takes.

use kernel::{Code, Database, Language, Permission, PermissionSet, Principal, Result, Scope};

use crate::{import_type::ImportType, registry::Registry};

/// Where an upload comes from.
#[derive(Debug, Clone, Copy)]
pub struct Uploader<'a> {
    pub scope: &'a Scope,
    /// What they may do, whatever they act for.
    pub rights: PermissionSet,
    pub language: Language,
}

/// Refuses what is not accepted, before a file is kept.
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

/// As whom a file is imported; refused where somebody may not.
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

/// The rights of a feed or an external API for files of a type: to import them, and to read import profiles of that type.
pub fn needs_of_feed(r#type: ImportType) -> Vec<Permission> {
    r#type.needs().iter().copied().chain([Permission::CreateImport]).chain(r#type.content()).collect()
}

/// The rights that a principal must hold to do what `needs` some for a type of imports.
pub(crate) fn demanded(
    principal: Principal,
    r#type: ImportType,
    mut needs: Vec<Permission>,
) -> Vec<Permission> {
    match principal {
        Principal::User(_) => needs.push(Permission::CreateImport),
        Principal::Feed(_) | Principal::ExternalApi(_) => needs.extend(needs_of_feed(r#type)),
    }
    needs
}

/// The message that a principal may import no longer.
pub(crate) fn not_permitted(principal: Principal) -> Code {
    match principal {
        Principal::User(_) => Code::CreatorGone,
        Principal::Feed(_) | Principal::ExternalApi(_) => Code::TenantNotPermitted,
    }
}

pub(crate) fn check_rights(rights: PermissionSet, needed: &[Permission]) -> Result<()> {
    match needed.iter().find(|permission| !rights.contains(**permission)) {
        Some(missing) => Err(Code::Forbidden.with("permission", missing.as_str()).into()),
        None => Ok(()),
    }
}
