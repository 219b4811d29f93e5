//! Key of a list in page indexes and cached totals.

use values::id::TenantId;

/// List, independent of the page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ListKey {
    pub table: &'static str,
    /// Tenant to which all rows of the list belong; `None` if the list may show rows of several.
    pub tenant: Option<TenantId>,
    /// Statement with its values, and anything else by which lists differ.
    pub query: String,
}

impl ListKey {
    /// True if the statement may read this table.
    pub fn names(&self, table: &str) -> bool {
        self.query.contains(&format!("\"{table}\""))
    }

    /// True if the statement may read other tables than its own.
    pub fn reads_further_tables(&self) -> bool {
        self.query.matches("FROM ").count() > 1 || self.query.contains("JOIN ")
    }

    /// Size in memory.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.query.len()
    }
}
