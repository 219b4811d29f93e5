//! Packed rows of imports, and confirmations of stocks, which rows of imports were read for before. Rows that
//! are stored one by one stay as they are.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{
    column::{execute, time},
    tenant_table::TenantTable,
};

/// The migration's name: processes that do not know it do not read packed rows.
pub const PACKED_IMPORT_ROWS: &str = "m20261129_000700_packed_import_rows";

const CONFIRMATIONS: &str = "stock_confirmation";

#[derive(Debug, Clone, Copy)]
pub(crate) struct PackedImportRows;

impl MigrationName for PackedImportRows {
    fn name(&self) -> &'static str {
        PACKED_IMPORT_ROWS
    }
}

#[async_trait::async_trait]
impl MigrationTrait for PackedImportRows {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        TenantTable::of_parts(CONFIRMATIONS, "stock_id", "stock", &[])
            .column(time("confirmed_at"))
            .create(manager)
            .await?;
        if manager.get_database_backend() == DbBackend::Postgres {
            // each row is written again every day: with room in its page, in place of the one before it
            execute(manager, &[format!("ALTER TABLE {CONFIRMATIONS} SET (fillfactor = 50)")]).await?;
        }
        // unlike that of `before` and `after`, the type takes no binary form that is larger than the text
        let json = if manager.get_database_backend() == DbBackend::Postgres { "json" } else { "json_text" };
        execute(
            manager,
            &[
                format!("ALTER TABLE import_row ADD COLUMN packed {json}"),
                format!(
                    "INSERT INTO {CONFIRMATIONS} (tenant_id, stock_id, confirmed_at) \
                     SELECT r.tenant_id, r.record_id, max(i.finished_at) FROM import_row r \
                     JOIN import i ON i.id = r.import_id AND i.tenant_id = r.tenant_id \
                     JOIN stock s ON s.id = r.record_id AND s.tenant_id = r.tenant_id \
                     WHERE r.record = 'stock' AND i.finished_at IS NOT NULL AND i.undoes IS NULL AND NOT i.dry_run \
                     GROUP BY r.tenant_id, r.record_id"
                ),
            ],
        )
        .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let statements = [
            // the key of a packed row is that of the first row in it
            "UPDATE import_row SET line = -line WHERE packed IS NOT NULL",
            "INSERT INTO import_row (import_id, tenant_id, line, outcome, record, record_id, record_name, last_month) \
             SELECT r.import_id, r.tenant_id, CAST(single.key AS bigint) - r.line, r.outcome, r.record, \
             CASE WHEN r.outcome = 'unchanged' THEN CAST(single.value ->> 0 AS bigint) END, \
             single.value ->> 1, r.last_month \
             FROM import_row r JOIN json_each(r.packed) AS single ON true WHERE r.packed IS NOT NULL",
            "DELETE FROM import_row WHERE packed IS NOT NULL",
            "ALTER TABLE import_row DROP COLUMN packed",
        ];
        execute(manager, &statements.map(str::to_owned)).await?;
        manager.drop_table(Table::drop().table(CONFIRMATIONS).take()).await
    }
}
