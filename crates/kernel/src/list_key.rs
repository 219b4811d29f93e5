//! The key of a list in page indexes and totals.

use crate::id::TenantId;

/// A list, whatever its page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ListKey {
    pub(crate) table: &'static str,
    /// The only one whose rows the list shows.
    pub(crate) tenant: Option<TenantId>,
    /// The statement with its values, and what else tells lists apart.
    pub(crate) query: String,
}

impl ListKey {
    /// Whether the statement may read this table.
    pub(crate) fn names(&self, table: &str) -> bool {
        self.query.contains(&format!("\"{table}\""))
    }

    /// Whether the statement may read another table than its own.
    pub(crate) fn reads_further_tables(&self) -> bool {
        self.query.matches("FROM ").count() > 1 || self.query.contains("JOIN ")
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.query.len()
    }
}
