//! Categories and their pictures.

use sea_orm_migration::prelude::*;

use crate::column::{
    folded, id, index, integer, optional_integer, optional_text, part_of, record, reference, text,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut category = Table::create()
            .table("category")
            .col(id())
            .col(optional_integer("parent_id"))
            // Orders siblings; may have gaps.
            .col(integer("position"))
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            .col(optional_text("display_name"))
            .col(folded(manager, "display_name_fold"))
            .col(optional_integer("article_type_id"))
            .check(Expr::col("parent_id").ne(Expr::col("id")))
            .foreign_key(&mut reference("category", "parent_id", "category"))
            .foreign_key(&mut reference("category", "article_type_id", "article_type"))
            .take();
        manager.create_table(record(&mut category).take()).await?;
        for columns in [
            &["name_fold", "id"][..],
            &["display_name_fold", "id"],
            &["updated_at", "id"],
            &["parent_id", "position", "id"],
            &["parent_id", "name_fold", "id"],
            &["article_type_id", "name_fold", "id"],
        ] {
            manager.create_index(index("category", columns, false)).await?;
        }
        // NULL is not equal to NULL: roots are siblings all the same.
        for statement in [
            "CREATE UNIQUE INDEX category_parent_id_name_fold_key ON category (parent_id, name_fold) \
             WHERE parent_id IS NOT NULL",
            "CREATE UNIQUE INDEX category_name_fold_key ON category (name_fold) WHERE parent_id IS NULL",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        manager
            .create_table(
                Table::create()
                    .table("category_image")
                    .col(integer("category_id"))
                    .col(text("kind").check(Expr::col("kind").is_in(["category", "article_type"])).take())
                    .col(text("sha256"))
                    .col(integer("width"))
                    .col(integer("height"))
                    .col(text("key"))
                    .col(text("media_type"))
                    .col(text("thumbnail_key"))
                    .col(text("thumbnail_media_type"))
                    .primary_key(Index::create().col("category_id").col("kind"))
                    .foreign_key(&mut part_of("category_image", "category_id", "category"))
                    .take(),
            )
            .await?;
        for key in ["key", "thumbnail_key"] {
            manager.create_index(index("category_image", &[key], true)).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["category_image", "category"] {
            manager.drop_table(Table::drop().table(table).take()).await?;
        }
        Ok(())
    }
}
