//! What tenants ask for what is done to articles: for those of a type, or for all others.

use sea_orm_migration::prelude::*;

use crate::{
    column::{integer, json, optional_integer, text},
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
        // `article_type_key` is the article type, or 0 for all, so that the key holds no NULL.
        TenantTable::of_records("processing_price")
            .column(text("name"))
            .column(integer("processing_id"))
            .column(optional_integer("article_type_id"))
            .column(integer("article_type_key"))
            .column(json("price"))
            .check("article_type_key", "article_type_key = coalesce(article_type_id, 0)")
            .check(
                "price",
                "CAST(price ->> 'price' AS numeric) >= 0 AND CAST(price ->> 'price_quantity' AS numeric) > 0",
            )
            .refers_to_platform("processing_id", "processing")
            .refers_to_platform("article_type_id", "article_type")
            .unique_as("article_type", &["processing_id", "article_type_key"])
            .listed_by(&["processing_id"])
            .listed_by(&["article_type_id"])
            .create(manager)
            .await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        drop_all(manager, &["processing_price"]).await
    }
}
