//! Groups of article types, and processings.

use sea_orm_migration::prelude::*;

use crate::column::{folded, id, index, optional_text, record, text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut group = Table::create()
            .table("article_type_group")
            .col(id())
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            .col(optional_text("description"))
            .col(folded(manager, "description_fold"))
            .take();
        manager.create_table(record(&mut group).take()).await?;
        manager.create_index(index("article_type_group", &["name_fold"], true)).await?;
        for sorted in ["description_fold", "updated_at"] {
            manager.create_index(index("article_type_group", &[sorted, "id"], false)).await?;
        }
        manager
            .get_connection()
            .execute_unprepared(
                "ALTER TABLE article_type ADD COLUMN article_type_group_id bigint NULL \
                 REFERENCES article_type_group (id) ON DELETE RESTRICT",
            )
            .await?;
        let types = &["article_type_group_id", "name_fold", "id"];
        manager.create_index(index("article_type", types, false)).await?;

        let mut processing = Table::create()
            .table("processing")
            .col(id())
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            .col(optional_text("display_name"))
            .col(folded(manager, "display_name_fold"))
            .col(text("type").check(Expr::col("type").is_in(["sawing"])).take())
            .col(text("article_number_addition_template"))
            .take();
        manager.create_table(record(&mut processing).take()).await?;
        manager.create_index(index("processing", &["name_fold"], true)).await?;
        for sorted in ["display_name_fold", "updated_at"] {
            manager.create_index(index("processing", &[sorted, "id"], false)).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("processing").take()).await?;
        for statement in [
            "DROP INDEX article_type_article_type_group_id_name_fold_id_index",
            "ALTER TABLE article_type DROP COLUMN article_type_group_id",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        manager.drop_table(Table::drop().table("article_type_group").take()).await
    }
}
