//! What articles are called besides: former numbers, GTINs, drawing numbers and any others.

use sea_orm_migration::prelude::*;

use crate::column::{folded, id, index, integer, part_of, text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "article_other_number";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let kinds = ["former", "gtin", "drawing", "free"];
        let table = Table::create()
            .table(TABLE)
            .col(id())
            .col(integer("article_id"))
            .col(text("kind").check(Expr::col("kind").is_in(kinds)).take())
            .col(text("number"))
            .col(folded(manager, "number_fold"))
            .foreign_key(&mut part_of(TABLE, "article_id", "article"))
            .take();
        manager.create_table(table).await?;
        manager.create_index(index(TABLE, &["kind", "number_fold"], true)).await?;
        // a search does not know the kind
        manager.create_index(index(TABLE, &["number_fold", "article_id"], false)).await?;
        manager.create_index(index(TABLE, &["article_id"], false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(TABLE).take()).await
    }
}
