//! Import profiles of tenants: how the files of one source are read.

use sea_orm_migration::prelude::*;

use crate::{
    column::{folded, json, text},
    tenant_table::TenantTable,
};

const TABLE: &str = "import_profile";

#[derive(Debug, Clone, Copy)]
pub(crate) struct ImportProfiles;

impl MigrationName for ImportProfiles {
    fn name(&self) -> &'static str {
        "m20261128_000001_import_profiles"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ImportProfiles {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        TenantTable::of_records(TABLE)
            .column(text("name"))
            .column(folded(manager, "name_fold"))
            .column(folded(manager, "name_sort"))
            .column(text("type"))
            .column(json("settings"))
            .column(json("mapping"))
            .unique(&["name_fold"])
            .listed_by(&["name_sort"])
            .create(manager)
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(TABLE).take()).await
    }
}
