//! What other systems call a tenant: as an open number, and as a matching that says nothing else. GTINs of open numbers.

use sea_orm_migration::prelude::*;

use crate::{
    admitted::{admit, demand},
    column::text,
};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const KIND: [&str; 2] = ["unresolved_number", "kind"];
const BEFORE: &str = "'article', 'warehouse'";
const AFTER: &str = "'article', 'warehouse', 'tenant'";

const SAYS_SOMETHING: [&str; 2] = ["matching", "name"];
const PAIR: &str = "article_id IS NOT NULL OR warehouse_id IS NOT NULL";
const PAIR_OR_TENANT: &str =
    "article_id IS NOT NULL OR warehouse_id IS NOT NULL OR external_tenant_identifier IS NOT NULL";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let gtin = text("gtin").default("").take();
        manager.alter_table(Table::alter().table("unresolved_number").add_column(gtin).take()).await?;
        admit(manager, KIND, BEFORE, AFTER).await?;
        demand(manager, SAYS_SOMETHING, PAIR, PAIR_OR_TENANT).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let unknown = format!(
            "DELETE FROM unresolved_number WHERE kind = 'tenant'; DELETE FROM matching WHERE NOT ({PAIR})"
        );
        manager.get_connection().execute_unprepared(&unknown).await?;
        demand(manager, SAYS_SOMETHING, PAIR_OR_TENANT, PAIR).await?;
        admit(manager, KIND, AFTER, BEFORE).await?;
        manager.alter_table(Table::alter().table("unresolved_number").drop_column("gtin").take()).await
    }
}
