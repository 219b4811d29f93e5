//! Warehouses and the days on which they are closed, matchings, and stocks with the order of their changes.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{
    column::{
        create_table, execute, folded, index, integer, optional_integer, optional_json, optional_text,
        optional_time, reference, text, time,
    },
    tenant_table::TenantTable,
};

pub(super) const TABLES: &[&str] =
    &["warehouse", "warehouse_cut_off", "closure", "matching", "stock", "stock_change", "stock_gone"];

const PRICES: &str = "(internal_price IS NULL) = (internal_price_unit IS NULL) \
    AND (internal_price IS NULL) = (internal_price_quantity IS NULL) \
    AND (external_price IS NULL) = (external_price_unit IS NULL) \
    AND (external_price IS NULL) = (external_price_quantity IS NULL) \
    AND coalesce(internal_price, 0) >= 0 AND coalesce(external_price, 0) >= 0 \
    AND coalesce(internal_price_quantity, 1) > 0 AND coalesce(external_price_quantity, 1) > 0";

pub(super) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    create_warehouses(manager).await?;
    create_matchings(manager).await?;
    create_stocks(manager).await?;
    create_changes(manager).await
}

async fn create_warehouses(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    TenantTable::of_records("warehouse")
        .column(text("name"))
        .column(folded(manager, "name_fold"))
        .column(folded(manager, "name_sort"))
        .column(text("short_code"))
        .column(folded(manager, "short_code_fold"))
        .column(folded(manager, "short_code_sort"))
        .column(integer("preparation_duration_before"))
        .column(optional_text("address"))
        .column(folded(manager, "address_fold"))
        .column(optional_text("region"))
        .check("preparation_duration_before", "preparation_duration_before BETWEEN 0 AND 43200")
        .unique(&["name_fold"])
        .unique(&["short_code_fold"])
        .listed_as("name_sort", &["name_sort"])
        .listed_as("short_code_sort", &["short_code_sort"])
        .create(manager)
        .await?;
    // Weekday 1 is Monday; 0 stands for every day without a row of its own.
    TenantTable::of_parts("warehouse_cut_off", "warehouse_id", "warehouse", &["weekday"])
        .column(integer("weekday"))
        .column(text("cut_off"))
        .check("weekday", "weekday BETWEEN 0 AND 7")
        .check("cut_off", "length(cut_off) = 5 AND cut_off BETWEEN '00:00' AND '23:59'")
        .create(manager)
        .await?;
    // Of one warehouse, or with the key 0 of all that the tenant has.
    TenantTable::of_records("closure")
        .column(optional_integer("warehouse_id"))
        .column(integer("warehouse_key"))
        .column(ColumnDef::new("date").date().not_null().take())
        .column(text("name"))
        .column(folded(manager, "name_fold"))
        .check("warehouse_key", "warehouse_key = coalesce(warehouse_id, 0)")
        .part_of_within_tenant("warehouse_id", "warehouse")
        .unique(&["warehouse_key", "date"])
        .listed_by(&["date"])
        .create(manager)
        .await
}

/// Creates the matchings: the names that other systems have for a tenant's articles and warehouses, or for
/// the tenant.
async fn create_matchings(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // A folded identifier is empty where there is none, so that the key holds no NULL.
    TenantTable::of_records("matching")
        .column(text("name"))
        .column(optional_integer("article_id"))
        .column(optional_text("external_article_number"))
        .column(folded(manager, "external_article_number_fold"))
        .column(folded(manager, "external_article_number_sort"))
        .column(optional_integer("warehouse_id"))
        .column(optional_text("external_warehouse_identifier"))
        .column(folded(manager, "external_warehouse_identifier_fold"))
        .column(folded(manager, "external_warehouse_identifier_sort"))
        .column(optional_text("external_tenant_identifier"))
        .column(folded(manager, "external_tenant_identifier_fold"))
        .check("article_id", "(article_id IS NULL) = (external_article_number IS NULL)")
        .check("warehouse_id", "(warehouse_id IS NULL) = (external_warehouse_identifier IS NULL)")
        .check(
            "name",
            "article_id IS NOT NULL OR warehouse_id IS NOT NULL OR external_tenant_identifier IS NOT NULL",
        )
        .refers_to_platform("article_id", "article")
        .refers_within_tenant("warehouse_id", "warehouse")
        .unique_as("external", &["external_article_number_fold", "external_warehouse_identifier_fold"])
        .listed_as("external_warehouse", &["external_warehouse_identifier_fold"])
        .listed_as("external_article_number_sort", &["external_article_number_sort"])
        .listed_as("external_warehouse_identifier_sort", &["external_warehouse_identifier_sort"])
        .create(manager)
        .await
}

async fn create_stocks(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // A dimension that a stock does not have is 0, so that the key holds no NULL. Both sides have a version
    // and a time of their own: `version` and `updated_at` are those of the quantity side. `change` is the
    // number of the last change.
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
        .column(optional_integer("change"))
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
        .listed_by(&["change"])
        .create(manager)
        .await?;
    // Empty ones come first on both databases, as the lists sort.
    let nulls = if manager.get_database_backend() == DbBackend::Postgres { " NULLS FIRST" } else { "" };
    let empty_first = ["quantity", "price_updated_at"].map(|column| {
        format!("CREATE INDEX stock_tenant_id_{column}_id_index ON stock (tenant_id, {column}{nulls}, id)")
    });
    execute(manager, &empty_first).await
}

/// Creates the order of the changes of stocks, of which nothing is skipped: numbers are given once a change
/// is committed.
async fn create_changes(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // The last number that was given, and the last one of a deletion that is no longer remembered.
    let change = Table::create()
        .table("stock_change")
        .col(integer("tenant_id").primary_key())
        .col(integer("last"))
        .col(integer("forgotten"))
        .foreign_key(&mut reference("stock_change", "tenant_id", "tenant"))
        .take();
    create_table(manager, &change, []).await?;
    let gone = Table::create()
        .table("stock_gone")
        .col(integer("tenant_id"))
        .col(integer("stock_id"))
        .col(text("name"))
        .col(optional_integer("change"))
        .col(time("gone_at"))
        .primary_key(Index::create().col("tenant_id").col("stock_id"))
        .foreign_key(&mut reference("stock_gone", "tenant_id", "tenant"))
        .take();
    let indexes =
        [index("stock_gone", &["tenant_id", "change"], false), index("stock_gone", &["gone_at"], false)];
    create_table(manager, &gone, indexes).await
}
