//! Numbers of changes for articles, materials, warehouses, matchings and list prices, beside those of stocks.

use sea_orm_migration::prelude::*;

use crate::column::{create_table, execute, index, integer, optional_integer, text, time};

#[derive(Debug, Clone, Copy)]
pub(crate) struct ChangeFeeds;

impl MigrationName for ChangeFeeds {
    fn name(&self) -> &'static str {
        "m20261128_000080_change_feeds"
    }
}

/// Tables whose changes are numbered from now on, with the columns that find a number.
const NUMBERED: [(&str, &str); 5] = [
    ("article", "change, id"),
    ("material", "change, id"),
    ("warehouse", "tenant_id, change, id"),
    ("matching", "tenant_id, change, id"),
    ("price_list_entry", "tenant_id, price_list_id, change, id"),
];

#[async_trait::async_trait]
impl MigrationTrait for ChangeFeeds {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, columns) in NUMBERED {
            let add = Table::alter().table(table).add_column(optional_integer("change")).take();
            manager.alter_table(add).await?;
            let index = format!("CREATE INDEX {} ON {table} ({columns})", index_name(table, columns));
            execute(manager, &[index]).await?;
        }
        create_counters(manager).await?;
        let moved = [
            "INSERT INTO change_counter (record_table, tenant_id, part, last, forgotten) \
             SELECT 'stock', tenant_id, 0, last, forgotten FROM stock_change",
            "INSERT INTO deleted_record (record_table, tenant_id, part, record_id, name, change, deleted_at) \
             SELECT 'stock', tenant_id, 0, stock_id, name, change, gone_at FROM stock_gone",
            "DROP TABLE stock_change",
            "DROP TABLE stock_gone",
        ];
        execute(manager, &moved).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let undo = [
            "CREATE TABLE stock_change (tenant_id bigint NOT NULL PRIMARY KEY REFERENCES tenant (id), \
             last bigint NOT NULL, forgotten bigint NOT NULL)",
            "INSERT INTO stock_change (tenant_id, last, forgotten) \
             SELECT tenant_id, last, forgotten FROM change_counter WHERE record_table = 'stock'",
            "CREATE TABLE stock_gone (tenant_id bigint NOT NULL REFERENCES tenant (id), stock_id bigint NOT NULL, \
             name text NOT NULL, change bigint, gone_at timestamp with time zone NOT NULL, \
             PRIMARY KEY (tenant_id, stock_id))",
            "INSERT INTO stock_gone (tenant_id, stock_id, name, change, gone_at) \
             SELECT tenant_id, record_id, name, change, deleted_at FROM deleted_record WHERE record_table = 'stock'",
            "CREATE INDEX stock_gone_tenant_id_change_index ON stock_gone (tenant_id, change)",
            "CREATE INDEX stock_gone_gone_at_index ON stock_gone (gone_at)",
            "DROP TABLE deleted_record",
            "DROP TABLE change_counter",
        ];
        execute(manager, &undo).await?;
        for (table, columns) in NUMBERED {
            let index = format!("DROP INDEX {}", index_name(table, columns));
            execute(manager, &[index, format!("ALTER TABLE {table} DROP COLUMN change")]).await?;
        }
        Ok(())
    }
}

/// Creates the counter of each stream, and the deletions that are remembered.
async fn create_counters(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // The last number of a stream, and the last one of a deletion that is no longer remembered. A stream has
    // the rows of a tenant, or of the platform (0), or those of one part of these.
    let counter = Table::create()
        .table("change_counter")
        .col(text("record_table"))
        .col(integer("tenant_id"))
        .col(integer("part"))
        .col(integer("last"))
        .col(integer("forgotten"))
        .primary_key(Index::create().col("record_table").col("tenant_id").col("part"))
        .take();
    create_table(manager, &counter, []).await?;
    let deleted = Table::create()
        .table("deleted_record")
        .col(text("record_table"))
        .col(integer("tenant_id"))
        .col(integer("part"))
        .col(integer("record_id"))
        .col(text("name"))
        .col(optional_integer("change"))
        .col(time("deleted_at"))
        .primary_key(Index::create().col("record_table").col("tenant_id").col("part").col("record_id"))
        .take();
    let stream = ["record_table", "tenant_id", "part", "change"];
    let indexes = [index("deleted_record", &stream, false), index("deleted_record", &["deleted_at"], false)];
    create_table(manager, &deleted, indexes).await
}

fn index_name(table: &str, columns: &str) -> String {
    match table {
        // all columns together are too long for a name
        "price_list_entry" => "price_list_entry_price_list_id_change_index".to_owned(),
        _ => format!("{table}_{}_index", columns.replace(", ", "_")),
    }
}
