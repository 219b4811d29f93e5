//! What of a tenant's prices has changed is counted by its parts, so that only those are compiled anew: the rules (0), the stocks
//! (-1), each list by its id, and lists that a write does not name (-2).

use sea_orm_migration::prelude::*;

use crate::column::integer;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const WHOLE: &str = "prices_version_whole";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        replace(manager, &["tenant_id", "part"], "SELECT tenant_id, 0, version FROM prices_version_whole")
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let sums = "SELECT tenant_id, sum(version) FROM prices_version_whole GROUP BY tenant_id";
        replace(manager, &["tenant_id"], sums).await
    }
}

/// The table with another key, filled from what it was: a version never falls.
async fn replace(manager: &SchemaManager<'_>, key: &[&'static str], rows: &str) -> Result<(), DbErr> {
    let aside = Table::rename().table("prices_version", WHOLE).take();
    manager.rename_table(aside).await?;
    let mut primary = Index::create();
    for column in key {
        primary.col(*column);
    }
    // the name of a primary key is taken as long as the former table has it
    let name = format!("prices_version_by_{}_pkey", key.join("_"));
    let mut table = Table::create();
    for column in key {
        table.col(integer(column));
    }
    table.table("prices_version").col(integer("version")).primary_key(primary.name(name));
    manager.create_table(table.take()).await?;
    let fill = format!("INSERT INTO prices_version ({}, version) {rows}", key.join(", "));
    manager.get_connection().execute_unprepared(&fill).await?;
    manager.drop_table(Table::drop().table(WHOLE).take()).await
}
