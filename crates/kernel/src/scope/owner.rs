//! Who owns rows, and so whose rows a caller sees and writes.

use sea_orm::{ColumnTrait, Condition, DbBackend, ModelTrait};

use super::{Scope, Scoped};
use crate::{audit, id::TenantId};

/// Who owns the rows of a table.
pub enum Owner<C> {
    /// Platform-wide master data: read by whoever holds the permission, written by tenant-less callers only.
    Platform,
    /// Each row belongs to the tenant in this column.
    Tenant(C),
    /// Each row belongs to the tenant in this column or, where it is empty, to the platform.
    TenantOrPlatform(C),
    /// The same of a table that is distributed by tenant, whose key holds no NULL: the platform's rows have 0 there.
    TenantOrNobody(C),
    /// Each row belongs to the user in this column.
    User(C),
}

/// What stands in the place of a tenant where there is none ([`Owner::TenantOrNobody`]).
pub(super) const NOBODY: i64 = 0;

impl Scope {
    /// The tenant whose rows alone the caller sees of a table, if there is one.
    pub(crate) fn sees_only<E: Scoped>(&self) -> Option<TenantId> {
        // What sees by another rule may see more.
        self.writes_only::<E>().filter(|_| E::visible_to(self) == self.own::<E>())
    }

    /// A condition that names the tenant whose rows alone the caller sees; empty where there are others. It
    /// leads to one shard, and it is for PostgreSQL only: SQLite would read all rows of the tenant where it
    /// can look up ids.
    pub(crate) fn on_one_shard<E: Scoped>(&self, backend: DbBackend) -> Condition {
        let sole = self.sees_only::<E>().zip(owner_of::<E>());
        let sole = sole.filter(|_| backend == DbBackend::Postgres);
        Condition::all().add_option(sole.map(|(tenant, owner)| owner.eq(tenant)))
    }

    /// The tenant whose rows alone the caller writes of a table, if there is one.
    pub(crate) fn writes_only<E: Scoped>(&self) -> Option<TenantId> {
        match E::OWNER {
            Owner::Tenant(_) | Owner::TenantOrPlatform(_) | Owner::TenantOrNobody(_) => self.tenant,
            Owner::Platform | Owner::User(_) => None,
        }
    }
}

/// The tenant whose row this is, if it is one's.
pub(crate) fn tenant_of<E: Scoped>(row: &E::Model) -> Option<TenantId> {
    match E::OWNER {
        Owner::Tenant(column) | Owner::TenantOrPlatform(column) => audit::id(row.get(column)).map(TenantId),
        Owner::TenantOrNobody(column) => audit::id(row.get(column)).filter(|id| *id != NOBODY).map(TenantId),
        Owner::Platform | Owner::User(_) => None,
    }
}

/// The column that says whose a row is.
pub(super) fn owner_of<E: Scoped>() -> Option<E::Column> {
    match E::OWNER {
        Owner::Platform => None,
        Owner::Tenant(column)
        | Owner::TenantOrPlatform(column)
        | Owner::TenantOrNobody(column)
        | Owner::User(column) => Some(column),
    }
}
