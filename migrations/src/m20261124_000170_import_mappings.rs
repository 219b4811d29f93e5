//! What somebody has said that the columns of an imported file mean; by how much an import has changed a price.

use sea_orm_migration::prelude::*;

use crate::column::{dropped, index, optional_integer, optional_text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Files with the same header have the same key.
const REMEMBERED: [&str; 3] = ["tenant_id", "type", "header_key"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let mapping = ColumnDef::new("mapping").json_binary().null().take();
        for column in [mapping, optional_text("header_key")] {
            manager.alter_table(Table::alter().table("import").add_column(column).take()).await?;
        }
        manager.create_index(index("import", &REMEMBERED, false)).await?;
        let change = optional_integer("price_change");
        manager.alter_table(Table::alter().table("import_row").add_column(change).take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.alter_table(Table::alter().table("import_row").drop_column("price_change").take()).await?;
        manager.drop_index(dropped("import", "import_tenant_id_type_header_key_index")).await?;
        for column in ["mapping", "header_key"] {
            manager.alter_table(Table::alter().table("import").drop_column(column).take()).await?;
        }
        Ok(())
    }
}
