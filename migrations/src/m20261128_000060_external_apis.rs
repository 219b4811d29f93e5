//! External APIs of tenants, their last calls, and the quantities that they have answered.

use sea_orm_migration::prelude::*;

use crate::{
    column::{
        boolean, execute, integer, json, optional_integer, optional_json, optional_text, optional_time, text,
    },
    tenant_table::TenantTable,
};

const APIS: &str = "external_api";
const STATES: &str = "external_api_state";
const CALLS: &str = "external_api_call";

#[derive(Debug, Clone, Copy)]
pub(crate) struct ExternalApis;

impl MigrationName for ExternalApis {
    fn name(&self) -> &'static str {
        "m20261128_000060_external_apis"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ExternalApis {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        TenantTable::of_records(APIS)
            .column(text("kind"))
            .column(text("base_url"))
            .column(text("authentication"))
            .column(optional_text("username"))
            .column(optional_text("header_name"))
            .column(optional_text("token_url"))
            .column(optional_text("scope"))
            .column(optional_text("secret_sealed"))
            .column(optional_time("secret_set_at"))
            .column(optional_text("ca_certificate"))
            .column(integer("timeout_ms"))
            .column(integer("cache_seconds"))
            .column(boolean("active"))
            .column(optional_json("availability"))
            .column(json("meta_data"))
            .check("kind", "kind IN ('generic_json')")
            .check("authentication", "authentication IN ('none', 'basic', 'bearer', 'header', 'oauth2')")
            .check("secret_sealed", "secret_sealed IS NULL OR secret_set_at IS NOT NULL")
            .check("timeout_ms", "timeout_ms BETWEEN 500 AND 10000")
            .check("cache_seconds", "cache_seconds BETWEEN 0 AND 86400")
            .unique(&["kind"])
            .create(manager)
            .await?;
        TenantTable::of_parts(STATES, "api_id", APIS, &[])
            .column(integer("failures_in_row"))
            .column(optional_time("open_until"))
            .column(optional_time("probe_until"))
            .column(optional_time("last_success_at"))
            .column(optional_time("last_failure_at"))
            .column(optional_text("last_failure"))
            .create(manager)
            .await?;
        TenantTable::of_log(CALLS)
            .column(integer("api_id"))
            .column(text("purpose"))
            .column(text("method"))
            .column(text("path"))
            .column(optional_integer("status"))
            .column(integer("duration_ms"))
            .column(integer("lines"))
            .column(optional_text("failure"))
            .check("purpose", "purpose IN ('availability', 'meta_data', 'test')")
            .listed_by(&["api_id"])
            .create(manager)
            .await?;
        // until now any text was accepted, and none had an effect
        execute(
            manager,
            &["UPDATE tenant SET external_api_type = NULL WHERE external_api_type <> 'generic_json'"],
        )
        .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in [CALLS, STATES, APIS] {
            manager.drop_table(Table::drop().table(table).take()).await?;
        }
        Ok(())
    }
}
