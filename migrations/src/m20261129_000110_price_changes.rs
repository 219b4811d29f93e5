//! The log of changed articles by version of a part of a tenant's prices, by which compiled prices are
//! brought up to date.

use sea_orm_migration::prelude::*;

use crate::column::{integer, json, time};

#[derive(Debug, Clone, Copy)]
pub(crate) struct PriceChanges;

impl MigrationName for PriceChanges {
    fn name(&self) -> &'static str {
        "m20261129_000110_price_changes"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for PriceChanges {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let changes = Table::create()
            .table("price_change")
            .col(integer("tenant_id"))
            .col(integer("part"))
            .col(integer("version"))
            .col(json("articles"))
            .col(time("written_at"))
            .primary_key(Index::create().col("tenant_id").col("part").col("version"))
            .take();
        manager.create_table(changes).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("price_change").take()).await
    }
}
