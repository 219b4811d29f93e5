//! The version of tenants and their groups, by which processes notice that what they keep of them is out of
//! date.

use sea_orm_migration::prelude::*;

use crate::column::execute;

#[derive(Debug, Clone, Copy)]
pub(crate) struct TenantsVersion;

impl MigrationName for TenantsVersion {
    fn name(&self) -> &'static str {
        "m20261129_000400_tenants_version"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for TenantsVersion {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        execute(manager, &["INSERT INTO kept_version (topic, version) VALUES ('tenants', 1)"]).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        execute(manager, &["DELETE FROM kept_version WHERE topic = 'tenants'"]).await
    }
}
