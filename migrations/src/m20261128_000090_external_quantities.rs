//! Quantities that external APIs have answered for stocks, and the claims of processes that are asking.

use sea_orm_migration::prelude::*;

use crate::{
    column::{optional_integer, optional_text, optional_time},
    tenant_table::TenantTable,
};

const QUANTITIES: &str = "external_quantity";

#[derive(Debug, Clone, Copy)]
pub(crate) struct ExternalQuantities;

impl MigrationName for ExternalQuantities {
    fn name(&self) -> &'static str {
        "m20261128_000090_external_quantities"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ExternalQuantities {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        TenantTable::of_parts(QUANTITIES, "stock_id", "stock", &[])
            .column(optional_integer("quantity"))
            .column(optional_time("as_of"))
            .column(optional_time("claimed_until"))
            .column(optional_time("failed_at"))
            .column(optional_text("failure"))
            .check("as_of", "(as_of IS NULL) = (quantity IS NULL)")
            .create(manager)
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(QUANTITIES).take()).await
    }
}
