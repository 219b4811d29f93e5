//! Surcharge tables: alloy, scrap or energy surcharges by month, and price adjustments that take their value from one.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{
    column::{boolean, folded, integer, json, optional_integer, optional_time, text},
    m20261124_000210_price_adjustments::{self as adjustments, create_parts, optional_json},
    tenant_table::{TenantTable, drop_all},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Parts before their whole.
const ADJUSTMENTS: &[&str] = &["price_adjustment_tenant", "price_adjustment_record", "price_adjustment"];

/// The columns that adjustments have before and after.
const KEPT: &str = "id, tenant_id, name, name_fold, name_sort, position, active, operation, value, calculation_type, conditions, \
                    ignore_on_further_adjustments, apply_to, tenant_ids, tenant_group_ids, purchase_constraints, valid_from, \
                    valid_until, version, created_at, updated_at";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        TenantTable::of_records("surcharge_table")
            .column(text("name"))
            .column(folded(manager, "name_fold"))
            .column(folded(manager, "name_sort"))
            .column(text("kind"))
            .column(text("keyed_by"))
            .column(optional_integer("base_table_id"))
            .check("kind", "kind IN ('alloy', 'scrap', 'energy', 'other')")
            .check("keyed_by", "keyed_by IN ('material', 'article_type')")
            .check("base_table_id", "base_table_id IS NULL OR base_table_id <> id")
            .unique(&["name_fold"])
            .listed_by(&["name_sort"])
            .refers_within_table("base_table_id")
            .create(manager)
            .await?;
        // `key_id` is the material or the article type.
        TenantTable::of_parts(
            "surcharge_value",
            "surcharge_table_id",
            "surcharge_table",
            &["key_id", "month"],
        )
        .column(integer("key_id"))
        .column(optional_integer("material_id"))
        .column(optional_integer("article_type_id"))
        .column(text("month"))
        .column(integer("value"))
        .check("value", "value >= 0")
        .check(
            "key_id",
            "key_id = coalesce(material_id, article_type_id) AND (material_id IS NULL OR article_type_id IS NULL)",
        )
        .refers_to_platform("material_id", "material")
        .refers_to_platform("article_type_id", "article_type")
        .create(manager)
        .await?;
        set_aside(manager).await?;
        drop_all(manager, ADJUSTMENTS).await?;
        TenantTable::of_records("price_adjustment")
            .column(text("name"))
            .column(folded(manager, "name_fold"))
            .column(folded(manager, "name_sort"))
            .column(integer("position"))
            .column(boolean("active"))
            .column(text("operation"))
            .column(optional_integer("value"))
            .column(optional_integer("surcharge_table_id"))
            .column(text("calculation_type"))
            .column(optional_json("conditions"))
            .column(boolean("ignore_on_further_adjustments"))
            .column(json("apply_to"))
            .column(json("tenant_ids"))
            .column(json("tenant_group_ids"))
            .column(optional_json("purchase_constraints"))
            .column(optional_time("valid_from"))
            .column(optional_time("valid_until"))
            .check("operation", "operation IN ('discount', 'surcharge')")
            .check("value", "value > 0")
            .check("surcharge_table_id", "(value IS NULL) <> (surcharge_table_id IS NULL)")
            .check("valid_until", "valid_from IS NULL OR valid_until IS NULL OR valid_until > valid_from")
            .unique(&["name_fold"])
            .listed_by(&["position"])
            .listed_by(&["name_sort"])
            .refers_within_tenant("surcharge_table_id", "surcharge_table")
            .create(manager)
            .await?;
        create_parts(manager).await?;
        put_back(manager).await
    }

    /// What takes its value from a table goes.
    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        for part in ["price_adjustment_tenant", "price_adjustment_record"] {
            let sql = format!(
                "DELETE FROM {part} WHERE adjustment_id IN (SELECT id FROM price_adjustment WHERE value IS NULL)"
            );
            connection.execute_unprepared(&sql).await?;
        }
        connection.execute_unprepared("DELETE FROM price_adjustment WHERE value IS NULL").await?;
        set_aside(manager).await?;
        drop_all(manager, ADJUSTMENTS).await?;
        adjustments::Migration.up(manager).await?;
        put_back(manager).await?;
        drop_all(manager, &["surcharge_value", "surcharge_table"]).await
    }
}

/// SQLite cannot change what a column may hold: the rows wait elsewhere while the table is made anew, and with them the last id,
/// which may be that of a row that is gone: the history still tells of it, and no other row may ever have it.
async fn set_aside(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    for table in ADJUSTMENTS {
        let sql = format!("CREATE TEMPORARY TABLE {table}_aside AS SELECT * FROM {table}");
        connection.execute_unprepared(&sql).await?;
    }
    let last = if manager.get_database_backend() == DbBackend::Postgres {
        "SELECT pg_sequence_last_value(pg_get_serial_sequence('price_adjustment', 'id')::regclass) AS id"
    } else {
        "SELECT seq AS id FROM sqlite_sequence WHERE name = 'price_adjustment'"
    };
    connection.execute_unprepared(&format!("CREATE TEMPORARY TABLE last_aside AS {last}")).await?;
    Ok(())
}

async fn put_back(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let connection = manager.get_connection();
    for table in ADJUSTMENTS.iter().rev() {
        let columns = match *table {
            "price_adjustment" => KEPT,
            "price_adjustment_tenant" => "tenant_id, adjustment_id, named_tenant_id",
            _ => {
                "tenant_id, adjustment_id, number, article_id, article_type_id, category_id, material_id, processing_id, \
                 warehouse_id, named_tenant_group_id"
            }
        };
        let sql = format!("INSERT INTO {table} ({columns}) SELECT {columns} FROM {table}_aside");
        connection.execute_unprepared(&sql).await?;
        connection.execute_unprepared(&format!("DROP TABLE {table}_aside")).await?;
    }
    let last: &[&str] = if manager.get_database_backend() == DbBackend::Postgres {
        &[
            "SELECT setval(pg_get_serial_sequence('price_adjustment', 'id'), id) FROM last_aside WHERE id IS NOT NULL",
        ]
    } else {
        &[
            "DELETE FROM sqlite_sequence WHERE name = 'price_adjustment'",
            "INSERT INTO sqlite_sequence (name, seq) SELECT 'price_adjustment', id FROM last_aside",
        ]
    };
    for sql in last {
        connection.execute_unprepared(sql).await?;
    }
    connection.execute_unprepared("DROP TABLE last_aside").await?;
    Ok(())
}
