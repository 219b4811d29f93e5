//! What there is to say of the rows of imports that were accepted.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let warnings = ColumnDef::new("warnings").json_binary().null().take();
        manager.alter_table(Table::alter().table("import_row").add_column(warnings).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("import_row").drop_column("warnings").take()).await
    }
}
