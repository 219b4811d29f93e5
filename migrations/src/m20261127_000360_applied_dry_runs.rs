//! Which dry run an import applies.

use sea_orm_migration::prelude::*;

use crate::column::{dropped, index, optional_integer};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let column = optional_integer("applies");
        manager.alter_table(Table::alter().table("import").add_column(column).take()).await?;
        manager.create_index(index("import", &["tenant_id", "applies"], false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_index(dropped("import", "import_tenant_id_applies_index")).await?;
        manager.alter_table(Table::alter().table("import").drop_column("applies").take()).await
    }
}
