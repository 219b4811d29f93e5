//! History of records: the entries of a record, its changes as data and as text. The audit log lists it, undo
//! reverts it.

pub(super) mod changes;
mod condition_texts;
pub(super) mod texts;

use identity::audit::{self, AuditEntries};
use imports::import::row;
use sea_orm::{
    ColumnTrait, ConnectionTrait, QueryFilter, QueryTrait,
    sea_query::{SelectStatement, UnionType},
};
use store::Scope;

use crate::work::IMPORT_TYPES;

/// Selects all entries about records of a kind, including changes by rows of imports.
pub(super) fn select_history(
    db: &impl ConnectionTrait,
    scope: &Scope,
    record: &str,
    ids: &[i64],
) -> SelectStatement {
    let mut entries = scope
        .find::<AuditEntries>()
        .filter(audit::Column::Record.eq(record))
        .filter(audit::Column::RecordId.is_in(ids.iter().copied()))
        .into_query();
    // entries about records of the platform have no tenant, not even that of the imported file
    let is_platforms = IMPORT_TYPES.is_platforms(record);
    match scope.home() {
        Some(_) if is_platforms => entries,
        home => entries
            .union(UnionType::All, row::history(db.get_database_backend(), record, ids, home, is_platforms))
            .take(),
    }
}
