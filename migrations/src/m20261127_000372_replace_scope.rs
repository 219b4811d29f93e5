//! What an import that replaces all speaks of: what is in the warehouses that its file names, or all.

use sea_orm_migration::prelude::*;

use crate::column::text;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let scope = text("replace_scope").default("all").take();
        manager.alter_table(Table::alter().table("import").add_column(scope).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("import").drop_column("replace_scope").take()).await
    }
}
