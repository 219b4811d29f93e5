//! Entries of the history that tell in numbers what was done to much that belongs to a record.

use sea_orm::ModelTrait;

use super::{Recorded, Scope, owner::tenant_of};
use crate::audit::{self, Action, HistoryEntry};

impl Scope {
    /// An entry of a record without changes of the record itself, signed by the caller.
    pub fn summary<E: Recorded>(&self, action: Action, row: &E::Model) -> HistoryEntry {
        let mut entry = HistoryEntry::new(action, audit::table::<E>(), audit::id(row.get(E::ID)));
        (entry.name, entry.tenant) = (audit::text(row.get(E::NAME)), tenant_of::<E>(row));
        self.sign(&mut entry);
        entry
    }
}
