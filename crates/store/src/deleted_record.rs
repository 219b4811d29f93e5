//! Deletions for change feeds: deleted rows of tables whose changes are numbered.

use sea_orm::{ConnectionTrait, Statement};
use values::{clock::now, error::Result, id::TenantId};

use crate::database::Write;

/// Column with the number of the last change, and the column that splits an owner's rows into separate
/// sequences.
#[derive(Debug, Clone, Copy)]
pub struct NumberedColumns<C> {
    pub change: C,
    pub part: Option<C>,
}

impl<C> NumberedColumns<C> {
    /// Numbers all rows of an owner in one sequence.
    pub const fn by_owner(change: C) -> Self {
        Self { change, part: None }
    }

    /// Numbers the rows of an owner in one sequence for each value of a column.
    pub const fn by_part(part: C, change: C) -> Self {
        Self { change, part: Some(part) }
    }
}

/// Names of a table and its columns for SQL statements.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NumberedTable {
    pub table: &'static str,
    pub(crate) id: &'static str,
    /// Column with the display name of a row.
    pub name: &'static str,
    pub change: &'static str,
    pub owner: Option<&'static str>,
    pub part: Option<&'static str>,
}

impl NumberedTable {
    /// Stores rows of one tenant, or of the platform, that are about to be deleted.
    pub(crate) async fn remember_deleted(
        &self,
        tx: &Write,
        tenant: Option<TenantId>,
        ids: &[i64],
    ) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
        let mut condition = format!("{} IN ({})", self.id, ids.join(", "));
        if let (Some(owner), Some(tenant)) = (self.owner, tenant) {
            condition = format!("{owner} = {tenant} AND {condition}");
        }
        let Self { table, name, owner, part, .. } = self;
        let (owner, part) = (owner.unwrap_or("0"), part.unwrap_or("0"));
        let sql = format!(
            "INSERT INTO deleted_record (record_table, tenant_id, part, record_id, name, change, deleted_at) \
             SELECT '{table}', {owner}, {part}, id, {name}, NULL, $1 FROM {table} WHERE {condition} \
             ON CONFLICT (record_table, tenant_id, part, record_id) \
             DO UPDATE SET name = excluded.name, change = NULL, deleted_at = excluded.deleted_at"
        );
        let statement = Statement::from_sql_and_values(tx.get_database_backend(), sql, [now().into()]);
        tx.for_tenant(tenant).execute_raw(statement).await?;
        Ok(())
    }
}
