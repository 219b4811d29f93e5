//! Changes of stocks in an order of which nothing is skipped: numbers that are given once a change is committed, and the
//! stocks that were deleted.

use sea_orm_migration::prelude::*;

use crate::column::{integer, optional_integer, reference, text, time};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const LISTED: &str = "stock_tenant_id_change_id_index";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut stock = Table::alter();
        manager.alter_table(stock.table("stock").add_column(optional_integer("change")).take()).await?;
        let mut listed = Index::create().name(LISTED).table("stock").take();
        manager.create_index(listed.col("tenant_id").col("change").col("id").take()).await?;
        // the last number that was given, and the last one of a deletion that is no longer known
        manager
            .create_table(
                Table::create()
                    .table("stock_change")
                    .col(integer("tenant_id").primary_key().take())
                    .col(integer("last"))
                    .col(integer("forgotten"))
                    .foreign_key(&mut reference("stock_change", "tenant_id", "tenant"))
                    .take(),
            )
            .await?;
        manager
            .create_table(
                Table::create()
                    .table("stock_gone")
                    .col(integer("tenant_id"))
                    .col(integer("stock_id"))
                    .col(text("name"))
                    .col(optional_integer("change"))
                    .col(time("gone_at"))
                    .primary_key(Index::create().col("tenant_id").col("stock_id"))
                    .foreign_key(&mut reference("stock_gone", "tenant_id", "tenant"))
                    .take(),
            )
            .await?;
        for columns in [&["tenant_id", "change"][..], &["gone_at"]] {
            manager.create_index(crate::column::index("stock_gone", columns, false)).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["stock_gone", "stock_change"] {
            manager.drop_table(Table::drop().table(table).take()).await?;
        }
        manager.drop_index(crate::column::dropped("stock", LISTED)).await?;
        manager.alter_table(Table::alter().table("stock").drop_column("change").take()).await
    }
}
