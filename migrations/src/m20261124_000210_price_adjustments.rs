//! Price adjustments of tenants: what is taken off or added to what a cart costs, one after the other.

use sea_orm_migration::prelude::*;

use crate::{
    column::{boolean, folded, integer, json, optional_integer, optional_time, text},
    tenant_table::{TenantTable, drop_all},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        TenantTable::of_records("price_adjustment")
            .column(text("name"))
            .column(folded(manager, "name_fold"))
            .column(folded(manager, "name_sort"))
            .column(integer("position"))
            .column(boolean("active"))
            .column(text("operation"))
            .column(integer("value"))
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
            .check("valid_until", "valid_from IS NULL OR valid_until IS NULL OR valid_until > valid_from")
            .unique(&["name_fold"])
            .listed_by(&["position"])
            .listed_by(&["name_sort"])
            .create(manager)
            .await?;
        create_parts(manager).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_all(manager, &["price_adjustment_tenant", "price_adjustment_record", "price_adjustment"]).await
    }
}

/// What adjustments name, beside the table of adjustments.
pub(crate) async fn create_parts(manager: &SchemaManager<'_>) -> Result<(), DbErr> {
    // What adjustments name, also deep in their conditions: it stays as long as they do.
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
    TenantTable::of_parts(
        "price_adjustment_tenant",
        "adjustment_id",
        "price_adjustment",
        &["named_tenant_id"],
    )
    .column(integer("named_tenant_id"))
    .refers_to_platform("named_tenant_id", "tenant")
    .create(manager)
    .await
}

pub(crate) fn optional_json(name: &'static str) -> ColumnDef {
    ColumnDef::new(name).json_binary().null().take()
}
