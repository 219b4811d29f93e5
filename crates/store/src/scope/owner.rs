//! Ownership of rows, which decides on the rows that a caller may read and write.

use sea_orm::{ColumnTrait, Condition, DbBackend, ModelTrait};
use values::id::TenantId;

use super::{Scope, Scoped};
use crate::audit;

/// Owner of the rows of a table.
pub enum Owner<C> {
    /// Platform-wide master data: read by any caller with the permission, written only by callers without a
    /// tenant.
    Platform,
    /// Tenant in this column of each row.
    Tenant(C),
    /// Tenant in this column, or the platform if the column is NULL.
    TenantOrPlatform(C),
    /// Tenant in this column, or the platform if the column is 0: for a table that is distributed by tenant,
    /// whose key cannot be NULL.
    TenantOrZero(C),
    /// User in this column of each row.
    User(C),
}

/// Placeholder for a missing tenant ([`Owner::TenantOrZero`]).
pub(super) const NO_TENANT: i64 = 0;

impl Scope {
    /// Tenant to which the caller's visible rows of a table are restricted, if there is one.
    pub fn sees_only<E: Scoped>(&self) -> Option<TenantId> {
        // A table with another rule of visibility may show more.
        self.writes_only::<E>().filter(|_| E::visible_to(self) == self.own::<E>())
    }

    /// Condition with the tenant to which the visible rows are restricted; empty if there are others. It
    /// leads to one shard and is for PostgreSQL only: SQLite would read all rows of the tenant instead of
    /// looking up ids.
    pub fn on_one_shard<E: Scoped>(&self, backend: DbBackend) -> Condition {
        let sole = self.sees_only::<E>().zip(owner_of::<E>());
        let sole = sole.filter(|_| backend == DbBackend::Postgres);
        Condition::all().add_option(sole.map(|(tenant, owner)| owner.eq(tenant)))
    }

    /// Tenant to which the caller's writes to a table are restricted, if there is one.
    pub(crate) fn writes_only<E: Scoped>(&self) -> Option<TenantId> {
        match E::OWNER {
            Owner::Tenant(_) | Owner::TenantOrPlatform(_) | Owner::TenantOrZero(_) => self.tenant,
            Owner::Platform | Owner::User(_) => None,
        }
    }
}

/// Tenant that owns this row, if there is one.
pub(crate) fn tenant_of<E: Scoped>(row: &E::Model) -> Option<TenantId> {
    match E::OWNER {
        Owner::Tenant(column) | Owner::TenantOrPlatform(column) => audit::id(row.get(column)).map(TenantId),
        Owner::TenantOrZero(column) => audit::id(row.get(column)).filter(|id| *id != NO_TENANT).map(TenantId),
        Owner::Platform | Owner::User(_) => None,
    }
}

/// Column with the owner of a row.
pub(super) fn owner_of<E: Scoped>() -> Option<E::Column> {
    match E::OWNER {
        Owner::Platform => None,
        Owner::Tenant(column)
        | Owner::TenantOrPlatform(column)
        | Owner::TenantOrZero(column)
        | Owner::User(column) => Some(column),
    }
}
