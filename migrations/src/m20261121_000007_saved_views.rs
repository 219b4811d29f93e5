//! Saved views of lists.

use sea_orm_migration::prelude::*;

use crate::column::{boolean, folded, id, index, integer, json, optional_integer, part_of, record, text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mut view = Table::create()
            .table("saved_view")
            .col(id())
            .col(integer("user_id"))
            // that of the user
            .col(optional_integer("tenant_id"))
            .col(text("list"))
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            .col(boolean("shared"))
            .col(json("state"))
            .foreign_key(&mut part_of("saved_view", "user_id", "user"))
            .foreign_key(&mut part_of("saved_view", "tenant_id", "tenant"))
            .take();
        manager.create_table(record(&mut view).take()).await?;
        manager.create_index(index("saved_view", &["user_id", "list", "name_fold"], true)).await?;
        manager.create_index(index("saved_view", &["list", "shared"], false)).await?;
        manager.create_index(index("saved_view", &["tenant_id"], false)).await?;

        let default = Table::create()
            .table("default_view")
            .col(integer("user_id"))
            .col(text("list"))
            .col(integer("view_id"))
            .primary_key(Index::create().col("user_id").col("list"))
            .foreign_key(&mut part_of("default_view", "user_id", "user"))
            .foreign_key(&mut part_of("default_view", "view_id", "saved_view"))
            .take();
        manager.create_table(default).await?;
        manager.create_index(index("default_view", &["view_id"], false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in ["default_view", "saved_view"] {
            manager.drop_table(Table::drop().table(table).take()).await?;
        }
        Ok(())
    }
}
