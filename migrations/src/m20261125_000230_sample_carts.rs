//! Sample carts of tenants, with the total that is expected of them.

use sea_orm_migration::prelude::*;

use crate::{
    column::{folded, integer, json, optional_integer, optional_time, text, time},
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
        // What the lines name: it stays as long as they do.
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
        // Who buys.
        TenantTable::of_parts("sample_cart_buyer", "cart_id", "sample_cart", &["buyer_id"])
            .column(integer("buyer_id"))
            .refers_to_platform("buyer_id", "tenant")
            .create(manager)
            .await?;
        // The totals that were accepted last, step by step.
        TenantTable::of_parts("sample_cart_acceptance", "cart_id", "sample_cart", &["number"])
            .column(integer("number"))
            .column(optional_integer("total"))
            .column(time("accepted_at"))
            .column(json("steps"))
            .create(manager)
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let tables = ["sample_cart_acceptance", "sample_cart_buyer", "sample_cart_record", "sample_cart"];
        drop_all(manager, &tables).await
    }
}
