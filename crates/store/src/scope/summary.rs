//! History entries that summarise in numbers a change of many rows that belong to a record.

use sea_orm::ModelTrait;

use super::{Recorded, Scope, owner::tenant_of};
use crate::audit::{self, Action, HistoryEntry};

impl Scope {
    /// Entry for a record without changed fields, with user and channel of the caller.
    pub fn summary<E: Recorded>(&self, action: Action, row: &E::Model) -> HistoryEntry {
        let mut entry = HistoryEntry::new(action, audit::table::<E>(), audit::id(row.get(E::ID)));
        (entry.name, entry.tenant) = (audit::text(row.get(E::NAME)), tenant_of::<E>(row));
        self.sign(&mut entry);
        entry
    }
}
