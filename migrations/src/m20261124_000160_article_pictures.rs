//! Pictures of articles.

use sea_orm_migration::prelude::*;

use crate::column::{index, integer, part_of, text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "article_image";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = Table::create()
            .table(TABLE)
            .col(integer("article_id"))
            .col(text("sha256"))
            .col(integer("width"))
            .col(integer("height"))
            .col(text("key"))
            .col(text("media_type"))
            .col(text("thumbnail_key"))
            .col(text("thumbnail_media_type"))
            .primary_key(Index::create().col("article_id"))
            .foreign_key(&mut part_of(TABLE, "article_id", "article"))
            .take();
        manager.create_table(table).await?;
        for key in ["key", "thumbnail_key"] {
            manager.create_index(index(TABLE, &[key], true)).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(TABLE).take()).await
    }
}
