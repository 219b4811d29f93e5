//! Key of a list in page indexes and cached totals.

use crate::id::TenantId;

/// List, independent of the page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct ListKey {
    pub(crate) table: &'static str,
    /// Tenant to which all rows of the list belong; `None` if the list may show rows of several.
    pub(crate) tenant: Option<TenantId>,
    /// Statement with its values, and anything else by which lists differ.
    pub(crate) query: String,
}

impl ListKey {
    /// True if the statement may read this table.
    pub(crate) fn names(&self, table: &str) -> bool {
        self.query.contains(&format!("\"{table}\""))
    }

    /// True if the statement may read other tables than its own.
    pub(crate) fn reads_further_tables(&self) -> bool {
        self.query.matches("FROM ").count() > 1 || self.query.contains("JOIN ")
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.query.len()
    }
}
