//! Trade dimensions: ladders of length ranges.

use sea_orm_migration::prelude::*;

use crate::column::{folded, id, index, integer, optional_integer, part_of, record, text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut trade_dimension = Table::create()
            .table("trade_dimension")
            .col(id())
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            .take();
        manager.create_table(record(&mut trade_dimension).take()).await?;
        manager.create_index(index("trade_dimension", &["name_fold"], true)).await?;
        manager.create_index(index("trade_dimension", &["updated_at", "id"], false)).await?;

        manager
            .create_table(
                Table::create()
                    .table("trade_dimension_cluster")
                    .col(integer("trade_dimension_id"))
                    .col(integer("position"))
                    .col(text("short_code"))
                    .col(folded(manager, "short_code_fold"))
                    .col(optional_integer("minimum").check(Expr::col("minimum").gt(0)).take())
                    .col(optional_integer("maximum").check(Expr::col("maximum").gt(0)).take())
                    .col(integer("calculation_value").check(Expr::col("calculation_value").gt(0)).take())
                    .check(Expr::col("maximum").gt(Expr::col("minimum")))
                    .primary_key(Index::create().col("trade_dimension_id").col("position"))
                    .foreign_key(&mut part_of(
                        "trade_dimension_cluster",
                        "trade_dimension_id",
                        "trade_dimension",
                    ))
                    .take(),
            )
            .await?;
        manager
            .create_index(index("trade_dimension_cluster", &["trade_dimension_id", "short_code_fold"], true))
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["trade_dimension_cluster", "trade_dimension"] {
            manager.drop_table(Table::drop().table(table).take()).await?;
        }
        Ok(())
    }
}
