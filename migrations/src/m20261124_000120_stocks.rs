//! Stocks: what a tenant has of an article in a warehouse, and what they ask for it.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{
    column::{integer, optional_integer, optional_text, optional_time, text},
    tenant_table::{TenantTable, drop_all},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const PRICES: &str = "(internal_price IS NULL) = (internal_price_unit IS NULL) \
    AND (internal_price IS NULL) = (internal_price_quantity IS NULL) \
    AND (external_price IS NULL) = (external_price_unit IS NULL) \
    AND (external_price IS NULL) = (external_price_quantity IS NULL) \
    AND coalesce(internal_price, 0) >= 0 AND coalesce(external_price, 0) >= 0 \
    AND coalesce(internal_price_quantity, 1) > 0 AND coalesce(external_price_quantity, 1) > 0";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // A dimension that a stock does not have is 0, so that the key holds no NULL. Both sides have a version and a time of
        // their own: `version` and `updated_at` are those of the quantity side.
        TenantTable::of_records("stock")
            .column(text("name"))
            .column(integer("article_id"))
            .column(integer("warehouse_id"))
            .column(integer("length"))
            .column(integer("width"))
            .column(integer("height"))
            .column(text("availability_type"))
            .column(optional_integer("quantity"))
            .column(optional_integer("lead_time"))
            .column(optional_integer("internal_price"))
            .column(optional_integer("internal_price_quantity"))
            .column(optional_text("internal_price_unit"))
            .column(optional_json("internal_bulk_prices"))
            .column(optional_integer("external_price"))
            .column(optional_integer("external_price_quantity"))
            .column(optional_text("external_price_unit"))
            .column(optional_json("external_bulk_prices"))
            .column(integer("price_version").default(1).take())
            .column(optional_time("price_updated_at"))
            .check("length", "length >= 0 AND width >= 0 AND height >= 0")
            .check(
                "quantity",
                "(availability_type = 'quantity') = (quantity IS NOT NULL) AND coalesce(quantity, 0) >= 0",
            )
            .check("lead_time", "coalesce(lead_time, 0) BETWEEN 0 AND 43200")
            .check("price", PRICES)
            .refers_to_platform("article_id", "article")
            .refers_within_tenant("warehouse_id", "warehouse")
            .unique_as("place", &["article_id", "warehouse_id", "length", "width", "height"])
            .create(manager)
            .await?;
        for column in ["quantity", "price_updated_at"] {
            manager.get_connection().execute_unprepared(&empty_first(manager, column)).await?;
        }
        // What the tenant's guard of prices bears; none: the usual.
        manager
            .alter_table(
                Table::alter().table("tenant").add_column(optional_integer("price_guard_percent")).take(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("tenant").drop_column("price_guard_percent").take()).await?;
        drop_all(manager, &["stock"]).await
    }
}

/// NULL first on both databases, as the lists sort.
fn empty_first(manager: &SchemaManager<'_>, column: &str) -> String {
    let nulls = if manager.get_database_backend() == DbBackend::Postgres { " NULLS FIRST" } else { "" };
    format!("CREATE INDEX stock_tenant_id_{column}_id_index ON stock (tenant_id, {column}{nulls}, id)")
}

fn optional_json(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).json_binary().null().take()
}
