//! Prices that wait for a release are kept for each user who wants them, instead of the last ones only.

use sea_orm_migration::prelude::*;

use crate::column::{dropped, index, integer};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "held_price";
const BEFORE: [&str; 2] = ["tenant_id", "stock_id"];
const AFTER: [&str; 3] = ["tenant_id", "stock_id", "created_by"];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let created_by = integer("created_by").default(0).take();
        manager.alter_table(Table::alter().table(TABLE).add_column(created_by).take()).await?;
        manager.drop_index(dropped(TABLE, "held_price_tenant_id_stock_id_key")).await?;
        manager.create_index(index(TABLE, &AFTER, true)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // one for each stock: the last one
        let others = format!(
            "DELETE FROM {TABLE} WHERE EXISTS (SELECT 1 FROM {TABLE} AS newer WHERE newer.tenant_id = {TABLE}.tenant_id \
             AND newer.stock_id = {TABLE}.stock_id AND newer.id > {TABLE}.id)"
        );
        manager.get_connection().execute_unprepared(&others).await?;
        manager.drop_index(dropped(TABLE, "held_price_tenant_id_stock_id_created_by_key")).await?;
        manager.create_index(index(TABLE, &BEFORE, true)).await?;
        manager.alter_table(Table::alter().table(TABLE).drop_column("created_by").take()).await
    }
}
