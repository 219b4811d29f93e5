//! Incidents of feeds that have not ended.

use sea_orm_migration::prelude::*;

use crate::{
    column::{text, time},
    tenant_table::TenantTable,
};

const INCIDENTS: &str = "feed_incident";

#[derive(Debug, Clone, Copy)]
pub(crate) struct FeedIncidents;

impl MigrationName for FeedIncidents {
    fn name(&self) -> &'static str {
        "m20261128_000030_feed_incidents"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for FeedIncidents {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        TenantTable::parts_without_reference(INCIDENTS, "settings_id", &["kind"])
            .column(text("kind"))
            .column(text("light"))
            .column(time("began_at"))
            .check("kind", "kind IN ('price', 'stock')")
            .check("light", "light IN ('broken', 'late')")
            .create(manager)
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table(INCIDENTS).take()).await
    }
}
