//! Warehouses of tenants, their cut-offs, and the days on which they are closed.

use sea_orm_migration::prelude::*;

use crate::{
    column::{folded, integer, optional_integer, optional_text, text},
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
        TenantTable::of_records("warehouse")
            .column(text("name"))
            .column(folded(manager, "name_fold"))
            .column(text("short_code"))
            .column(folded(manager, "short_code_fold"))
            .column(integer("preparation_duration_before"))
            .column(optional_text("address"))
            .column(folded(manager, "address_fold"))
            .column(optional_text("region"))
            .check("preparation_duration_before", "preparation_duration_before BETWEEN 0 AND 43200")
            .unique(&["name_fold"])
            .unique(&["short_code_fold"])
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

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_all(manager, &["closure", "warehouse_cut_off", "warehouse"]).await
    }
}
