//! Numbers of other systems that nothing matches, and the rows of imports that wait for them.

use sea_orm_migration::prelude::*;

use crate::{
    column::{dropped, folded, index, integer, optional_integer, optional_text, text},
    tenant_table::{TenantTable, drop_all},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const OF_IMPORT: [&str; 3] = ["tenant_id", "import_id", "line"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        TenantTable::of_records("unresolved_number")
            .column(text("kind"))
            .column(text("number"))
            .column(folded(manager, "number_fold"))
            .column(folded(manager, "number_sort"))
            .column(text("designation"))
            .column(folded(manager, "designation_fold"))
            .column(text("state"))
            .column(integer("times"))
            .column(optional_integer("import_id"))
            .check("kind", "kind IN ('article', 'warehouse')")
            .check("state", "state IN ('open', 'ignored')")
            .unique(&["kind", "number_fold"])
            .listed_by(&["number_sort"])
            .listed_by(&["times"])
            .listed_by(&["state", "updated_at"])
            .create(manager)
            .await?;
        TenantTable::of_parts(
            "unresolved_row",
            "unresolved_number_id",
            "unresolved_number",
            &["import_id", "line"],
        )
        .column(integer("import_id"))
        .column(integer("line"))
        .create(manager)
        .await?;
        manager.create_index(index("unresolved_row", &OF_IMPORT, false)).await?;
        // Which import's rows are done again, and how the numbers of its file were read.
        for column in [optional_integer("replays"), optional_text("number_style")] {
            manager.alter_table(Table::alter().table("import").add_column(column).take()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in ["replays", "number_style"] {
            manager.alter_table(Table::alter().table("import").drop_column(column).take()).await?;
        }
        manager
            .drop_index(dropped("unresolved_row", "unresolved_row_tenant_id_import_id_line_index"))
            .await?;
        drop_all(manager, &["unresolved_row", "unresolved_number"]).await
    }
}
