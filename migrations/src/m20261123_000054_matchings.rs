//! Matchings: what other systems call a tenant's articles and warehouses.

use sea_orm_migration::prelude::*;

use crate::{
    column::{folded, optional_integer, optional_text, text},
    tenant_table::{TenantTable, drop_all},
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // A folded identifier is empty where there is none, so that the key holds no NULL.
        TenantTable::of_records("matching")
            .column(text("name"))
            .column(optional_integer("article_id"))
            .column(optional_text("external_article_number"))
            .column(folded(manager, "external_article_number_fold"))
            .column(optional_integer("warehouse_id"))
            .column(optional_text("external_warehouse_identifier"))
            .column(folded(manager, "external_warehouse_identifier_fold"))
            .column(optional_text("external_tenant_identifier"))
            .column(folded(manager, "external_tenant_identifier_fold"))
            .check("article_id", "(article_id IS NULL) = (external_article_number IS NULL)")
            .check("warehouse_id", "(warehouse_id IS NULL) = (external_warehouse_identifier IS NULL)")
            .check("name", "article_id IS NOT NULL OR warehouse_id IS NOT NULL")
            .refers_to_platform("article_id", "article")
            .refers_within_tenant("warehouse_id", "warehouse")
            .unique_as("external", &["external_article_number_fold", "external_warehouse_identifier_fold"])
            .listed_as("external_warehouse", &["external_warehouse_identifier_fold"])
            .create(manager)
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_all(manager, &["matching"]).await
    }
}
