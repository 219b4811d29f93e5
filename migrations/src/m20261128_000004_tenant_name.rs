//! The display name of a tenant; until now the company.

use sea_orm_migration::prelude::*;

use crate::column::{execute, folded, named_index, text};

const COLUMNS: [&str; 3] = ["name", "name_fold", "name_sort"];

#[derive(Debug, Clone, Copy)]
pub(crate) struct TenantName;

impl MigrationName for TenantName {
    fn name(&self) -> &'static str {
        "m20261128_000004_tenant_name"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for TenantName {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let [name, name_fold, name_sort] = COLUMNS;
        let columns = [text(name), folded(manager, name_fold), folded(manager, name_sort)];
        for mut column in columns {
            let add = Table::alter().table("tenant").add_column(column.default("").take()).take();
            manager.alter_table(add).await?;
        }
        let copy = "UPDATE tenant SET name = company, name_fold = company_fold, name_sort = company_sort";
        execute(manager, &[copy]).await?;
        let index = named_index("tenant_name_sort_index", "tenant", &[name_sort, "id"]);
        manager.create_index(index).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        execute(manager, &["DROP INDEX tenant_name_sort_index"]).await?;
        execute(manager, &COLUMNS.map(|column| format!("ALTER TABLE tenant DROP COLUMN {column}"))).await
    }
}
