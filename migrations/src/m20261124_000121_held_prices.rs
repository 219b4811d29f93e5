//! Prices that look like a mistake wait for a release; imports count rows that wait and rows whose numbers nothing matches.

use sea_orm_migration::prelude::*;

use crate::{
    admitted::admit,
    column::{integer, json, optional_integer, text},
    tenant_table::{TenantTable, drop_all},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const COUNTS: [&str; 2] = ["rows_held", "rows_unresolved"];

const OUTCOME: [&str; 2] = ["import_row", "outcome"];
const BEFORE: &str = "'created', 'updated', 'unchanged', 'refused'";
const AFTER: &str = "'created', 'updated', 'unchanged', 'refused', 'held', 'unresolved'";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        TenantTable::of_records("held_price")
            .column(text("name"))
            .column(integer("stock_id"))
            .column(json("wanted"))
            .column(ColumnDef::new("mended").json_binary().null().take())
            .column(json("suspicions"))
            .column(optional_integer("import_id"))
            .column(optional_integer("line"))
            .part_of_within_tenant("stock_id", "stock")
            .unique(&["stock_id"])
            .listed_by(&["import_id"])
            .create(manager)
            .await?;
        for count in COUNTS {
            let mut table = Table::alter();
            table.table("import").add_column(integer(count).default(0).take());
            manager.alter_table(table.take()).await?;
        }
        admit(manager, OUTCOME, BEFORE, AFTER).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let known = format!("DELETE FROM import_row WHERE outcome NOT IN ({BEFORE})");
        manager.get_connection().execute_unprepared(&known).await?;
        admit(manager, OUTCOME, AFTER, BEFORE).await?;
        for count in COUNTS {
            manager.alter_table(Table::alter().table("import").drop_column(count).take()).await?;
        }
        drop_all(manager, &["held_price"]).await
    }
}
