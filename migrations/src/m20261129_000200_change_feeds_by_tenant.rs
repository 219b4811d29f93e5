//! Counters of changes and deletions begin with their tenant, so that both can stand beside the rows that
//! they number.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::column::execute;

#[derive(Debug, Clone, Copy)]
pub(crate) struct ChangeFeedsByTenant;

impl MigrationName for ChangeFeedsByTenant {
    fn name(&self) -> &'static str {
        "m20261129_000200_change_feeds_by_tenant"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ChangeFeedsByTenant {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        reorder(manager, "tenant_id, record_table").await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        reorder(manager, "record_table, tenant_id").await
    }
}

/// Both tables with their columns on SQLite, and those of their key behind the table and the tenant.
const TABLES: [(&str, &str, &str); 2] = [
    (
        "change_counter",
        "record_table text NOT NULL, tenant_id integer NOT NULL, part integer NOT NULL, last integer NOT NULL, \
         forgotten integer NOT NULL",
        "part",
    ),
    (
        "deleted_record",
        "record_table text NOT NULL, tenant_id integer NOT NULL, part integer NOT NULL, record_id integer NOT NULL, \
         name text NOT NULL, change integer, deleted_at timestamp_with_timezone_text NOT NULL",
        "part, record_id",
    ),
];

/// Gives the keys and the index of both tables another order. SQLite makes a table anew for that.
async fn reorder(manager: &SchemaManager<'_>, leading: &str) -> Result<(), DbErr> {
    let postgres = manager.get_database_backend() == DbBackend::Postgres;
    for (table, columns, key) in TABLES {
        let key = format!("PRIMARY KEY ({leading}, {key})");
        let statements = if postgres {
            vec![
                format!("ALTER TABLE {table} DROP CONSTRAINT {table}_pkey"),
                format!("ALTER TABLE {table} ADD CONSTRAINT {table}_pkey {key}"),
            ]
        } else {
            vec![
                format!("ALTER TABLE {table} RENAME TO former_{table}"),
                format!("CREATE TABLE \"{table}\" ({columns}, {key})"),
                format!("INSERT INTO {table} SELECT * FROM former_{table}"),
                format!("DROP TABLE former_{table}"),
            ]
        };
        execute(manager, &statements).await?;
    }
    let name = |leading: &str| format!("deleted_record_{}_part_change_index", leading.replace(", ", "_"));
    let is_ahead = leading.starts_with("tenant_id");
    let former = name(if is_ahead { "record_table, tenant_id" } else { "tenant_id, record_table" });
    let mut indexes = vec![format!("DROP INDEX IF EXISTS {former}")];
    indexes.push(format!("CREATE INDEX {} ON deleted_record ({leading}, part, change)", name(leading)));
    if !postgres {
        indexes
            .push("CREATE INDEX deleted_record_deleted_at_index ON deleted_record (deleted_at)".to_owned());
    }
    execute(manager, &indexes).await
}
