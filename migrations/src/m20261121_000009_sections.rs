//! What of an article its attributes measure, and the shape of its section: together they say what it weighs.

use sea_orm_migration::prelude::*;

use crate::column::optional_text;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (table, column) in [("article_type", "section"), ("article_type_attribute", "dimension")] {
            manager.alter_table(Table::alter().table(table).add_column(optional_text(column)).take()).await?;
        }
        manager
            .create_index(
                Index::create()
                    .name("article_type_attribute_article_type_id_dimension_key")
                    .table("article_type_attribute")
                    .col("article_type_id")
                    .col("dimension")
                    .unique()
                    .take(),
            )
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut key = Index::drop();
        key.name("article_type_attribute_article_type_id_dimension_key").table("article_type_attribute");
        manager.drop_index(key).await?;
        for (table, column) in [("article_type", "section"), ("article_type_attribute", "dimension")] {
            manager.alter_table(Table::alter().table(table).drop_column(column).take()).await?;
        }
        Ok(())
    }
}
