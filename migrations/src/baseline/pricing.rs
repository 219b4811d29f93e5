//! Prices under review, price lists, surcharge tables, price adjustments, prices of processings, and sample
//! carts.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::{
    column::{
        boolean, create_table, execute, folded, index, integer, json, optional_integer, optional_json,
        optional_text, optional_time, part_of, record, records, reference, text, time,
    },
    tenant_table::TenantTable,
};

pub(super) const TABLES: &[&str] = &[
    "prices_version",
    "held_price",
    "price_list",
    "price_list_tenant",
    "price_list_excluded_tenant",
    "price_list_tenant_group",
    "price_list_entry",
    "price_list_stage",
    "surcharge_table",
    "surcharge_value",
    "price_adjustment",
    "price_adjustment_record",
    "price_adjustment_tenant",
    "processing_price",
    "sample_cart",
    "sample_cart_record",
    "sample_cart_buyer",
    "sample_cart_acceptance",
];

const LIST_PRICE: &str = "(price IS NULL) = (price_unit IS NULL) AND (price IS NULL) = (price_quantity IS NULL) \
    AND coalesce(price, 0) >= 0 AND coalesce(price_quantity, 1) > 0 \
    AND (price IS NOT NULL OR bulk_prices IS NOT NULL OR held IS NOT NULL)";

pub(super) async fn create(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    create_versions(manager).await?;
    create_held_prices(manager).await?;
    create_price_lists(manager).await?;
    create_list_prices(manager).await?;
    create_surcharge_tables(manager).await?;
    create_adjustments(manager).await?;
    create_processing_prices(manager).await?;
    create_sample_carts(manager).await
}

/// Creates the versions of a tenant's prices by their parts, so that only changed ones are compiled anew: the
/// rules (0), the stocks (-1), each list by its id, and lists that a write does not name (-2).
async fn create_versions(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let versions = Table::create()
        .table("prices_version")
        .col(integer("tenant_id"))
        .col(integer("part"))
        .col(integer("version"))
        .primary_key(Index::create().col("tenant_id").col("part"))
        .take();
    create_table(manager, &versions, []).await
}

/// Creates the prices that wait for a release, those of each user apart.
async fn create_held_prices(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    TenantTable::of_records("held_price")
        .column(text("name"))
        .column(integer("stock_id"))
        .column(integer("created_by").default(0).take())
        .column(json("wanted"))
        .column(optional_json("mended"))
        .column(json("suspicions"))
        .column(optional_integer("import_id"))
        .column(optional_integer("line"))
        .part_of_within_tenant("stock_id", "stock")
        .unique(&["stock_id", "created_by"])
        .listed_by(&["import_id"])
        .create(manager)
        .await
}

async fn create_price_lists(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    let mut list = records("price_list")
        .col(optional_integer("owner_tenant_id"))
        .col(optional_integer("owner_tenant_group_id"))
        .col(text("name"))
        .col(folded(manager, "name_fold"))
        .col(folded(manager, "name_sort"))
        .col(optional_text("customer_name"))
        .col(folded(manager, "customer_name_fold"))
        .col(folded(manager, "customer_name_sort"))
        .col(text("type"))
        .col(text("scope"))
        .col(time("valid_from"))
        .col(optional_time("valid_until"))
        // True if customers see the list before it begins.
        .col(boolean("announce"))
        // Counted where prices are written.
        .col(integer("price_count"))
        .foreign_key(&mut reference("price_list", "owner_tenant_id", "tenant"))
        .foreign_key(&mut reference("price_list", "owner_tenant_group_id", "tenant_group"))
        .check(Expr::cust("(owner_tenant_id IS NULL) <> (owner_tenant_group_id IS NULL)"))
        .check(Expr::cust("valid_until IS NULL OR valid_until >= valid_from"))
        .take();
    let indexes = [
        index("price_list", &["owner_tenant_id"], false),
        index("price_list", &["owner_tenant_group_id"], false),
        index("price_list", &["name_sort", "id"], false),
        index("price_list", &["valid_from", "id"], false),
        index("price_list", &["updated_at", "id"], false),
    ];
    create_table(manager, record(&mut list), indexes).await?;
    // Empty ones come first on both databases, as the lists sort. A column without NULL must not say so, or
    // its index would not be used.
    let nulls = if manager.get_database_backend() == DbBackend::Postgres { " NULLS FIRST" } else { "" };
    let until =
        format!("CREATE INDEX price_list_valid_until_id_index ON price_list (valid_until{nulls}, id)");
    // A name is unique among the lists of its owner, of whom one kind is always missing.
    let names = "CREATE UNIQUE INDEX price_list_owner_name_fold_key ON price_list \
        (coalesce(owner_tenant_id, 0), coalesce(owner_tenant_group_id, 0), name_fold)";
    execute(manager, &[until.as_str(), names]).await?;
    for (table, column, to) in [
        ("price_list_tenant", "tenant_id", "tenant"),
        ("price_list_excluded_tenant", "tenant_id", "tenant"),
        ("price_list_tenant_group", "tenant_group_id", "tenant_group"),
    ] {
        let part = Table::create()
            .table(table)
            .col(integer("price_list_id"))
            .col(integer(column))
            .primary_key(Index::create().col("price_list_id").col(column))
            .foreign_key(&mut part_of(table, "price_list_id", "price_list"))
            .foreign_key(&mut reference(table, column, to))
            .take();
        create_table(manager, &part, [index(table, &[column], false)]).await?;
    }
    Ok(())
}

async fn create_list_prices(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // In a list that a group owns, `tenant_id` is 0: the key of a tenant's table holds no NULL.
    TenantTable::of_records("price_list_entry")
        .part_of_platform("price_list_id", "price_list")
        .column(text("name"))
        .column(integer("price_list_id"))
        .column(integer("article_id"))
        .column(optional_integer("price"))
        .column(optional_integer("price_quantity"))
        .column(optional_text("price_unit"))
        .column(optional_json("bulk_prices"))
        .column(optional_json("held"))
        .check("price", LIST_PRICE)
        .refers_to_platform("article_id", "article")
        .unique_as("article", &["price_list_id", "article_id"])
        .listed_as("changed", &["price_list_id", "updated_at"])
        .create(manager)
        .await?;
    // The prices of an import until all of its file takes effect: one row for each batch.
    TenantTable::parts_without_reference("price_list_stage", "import_id", &["line"])
        .column(integer("line"))
        .column(text("prices"))
        .create(manager)
        .await?;
    if manager.get_database_backend() == DbBackend::Postgres {
        // It is read once and then deleted: to compress it would cost more than to write it.
        let plain = "ALTER TABLE price_list_stage ALTER COLUMN prices SET STORAGE EXTERNAL";
        execute(manager, &[plain]).await?;
    }
    Ok(())
}

async fn create_surcharge_tables(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
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
    let key = &["key_id", "month"];
    TenantTable::of_parts("surcharge_value", "surcharge_table_id", "surcharge_table", key)
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
        .await
}

/// Creates the price adjustments, which are applied one after the other.
async fn create_adjustments(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
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
        .column(json("excluded_tenant_ids"))
        .column(optional_json("purchase_constraints"))
        .column(optional_time("valid_from"))
        .column(optional_time("valid_until"))
        .check("operation", "operation IN ('discount', 'surcharge')")
        .check("value", "value > 0")
        .check("surcharge_table_id", "(value IS NULL) <> (surcharge_table_id IS NULL)")
        .check("valid_until", "valid_from IS NULL OR valid_until IS NULL OR valid_until > valid_from")
        .unique(&["name_fold"])
        .unique(&["position"])
        .listed_by(&["position"])
        .listed_by(&["name_sort"])
        .refers_within_tenant("surcharge_table_id", "surcharge_table")
        .create(manager)
        .await?;
    // Records that adjustments name, also deep in their conditions: they stay as long as the adjustments do.
    TenantTable::of_parts("price_adjustment_record", "adjustment_id", "price_adjustment", &["number"])
        .column(integer("number"))
        .column(optional_integer("article_id"))
        .column(optional_integer("article_type_id"))
        .column(optional_integer("category_id"))
        .column(optional_integer("material_id"))
        .column(optional_integer("processing_id"))
        .column(optional_integer("warehouse_id"))
        .column(optional_integer("named_tenant_group_id"))
        .refers_to_platform("article_id", "article")
        .refers_to_platform("article_type_id", "article_type")
        .refers_to_platform("category_id", "category")
        .refers_to_platform("material_id", "material")
        .refers_to_platform("processing_id", "processing")
        .refers_within_tenant("warehouse_id", "warehouse")
        .refers_to_platform("named_tenant_group_id", "tenant_group")
        .create(manager)
        .await?;
    // The tenants that they name.
    let key = &["named_tenant_id"];
    TenantTable::of_parts("price_adjustment_tenant", "adjustment_id", "price_adjustment", key)
        .column(integer("named_tenant_id"))
        .refers_to_platform("named_tenant_id", "tenant")
        .create(manager)
        .await
}

async fn create_processing_prices(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // `article_type_key` is the article type, or 0 for all others, so that the key holds no NULL.
    TenantTable::of_records("processing_price")
        .column(text("name"))
        .column(integer("processing_id"))
        .column(optional_integer("article_type_id"))
        .column(integer("article_type_key"))
        .column(json("price"))
        .check("article_type_key", "article_type_key = coalesce(article_type_id, 0)")
        .check(
            "price",
            "CAST(price ->> 'price' AS numeric) >= 0 AND CAST(price ->> 'price_quantity' AS numeric) > 0",
        )
        .refers_to_platform("processing_id", "processing")
        .refers_to_platform("article_type_id", "article_type")
        .unique_as("article_type", &["processing_id", "article_type_key"])
        .listed_by(&["processing_id"])
        .listed_by(&["article_type_id"])
        .create(manager)
        .await
}

/// Creates the sample carts, with the totals that are expected of them.
async fn create_sample_carts(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    TenantTable::of_records("sample_cart")
        .column(text("name"))
        .column(folded(manager, "name_fold"))
        .column(folded(manager, "name_sort"))
        .column(optional_integer("buyer_id"))
        .column(optional_time("at"))
        .column(json("lines"))
        .column(optional_integer("expected_total"))
        .check("expected_total", "expected_total IS NULL OR expected_total >= 0")
        .unique(&["name_fold"])
        .listed_by(&["name_sort"])
        .create(manager)
        .await?;
    // Records that the lines name: they stay as long as the carts do.
    TenantTable::of_parts("sample_cart_record", "cart_id", "sample_cart", &["number"])
        .column(integer("number"))
        .column(optional_integer("article_id"))
        .column(optional_integer("warehouse_id"))
        .column(optional_integer("processing_id"))
        .refers_to_platform("article_id", "article")
        .refers_within_tenant("warehouse_id", "warehouse")
        .refers_to_platform("processing_id", "processing")
        .create(manager)
        .await?;
    TenantTable::of_parts("sample_cart_buyer", "cart_id", "sample_cart", &["buyer_id"])
        .column(integer("buyer_id"))
        .refers_to_platform("buyer_id", "tenant")
        .create(manager)
        .await?;
    // The totals that were accepted, step by step.
    TenantTable::of_parts("sample_cart_acceptance", "cart_id", "sample_cart", &["number"])
        .column(integer("number"))
        .column(optional_integer("total"))
        .column(time("accepted_at"))
        .column(json("steps"))
        .create(manager)
        .await
}
