//! A price list is dated by its prices as well: those that have changed since the list itself date it now.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let dated = "UPDATE price_list SET updated_at = (SELECT max(price_list_entry.updated_at) FROM price_list_entry \
             WHERE price_list_entry.tenant_id = coalesce(price_list.owner_tenant_id, 0) \
             AND price_list_entry.price_list_id = price_list.id) \
             WHERE EXISTS (SELECT 1 FROM price_list_entry \
             WHERE price_list_entry.tenant_id = coalesce(price_list.owner_tenant_id, 0) \
             AND price_list_entry.price_list_id = price_list.id AND price_list_entry.updated_at > price_list.updated_at)";
        manager.get_connection().execute_unprepared(dated).await?;
        Ok(())
    }

    /// When a list itself was changed is no longer known.
    async fn down(&self, _: &SchemaManager) -> Result<(), DbErr> {
        Ok(())
    }
}
