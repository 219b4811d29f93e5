//! Groups of tenants; lists of tenants.

use sea_orm_migration::prelude::*;

use crate::column::{dropped, folded, id, index, integer, optional_text, part_of, record, reference, text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.create_index(index("tenant", &["updated_at", "id"], false)).await?;
        let mut group = Table::create()
            .table("tenant_group")
            .col(id())
            .col(text("name"))
            .col(folded(manager, "name_fold"))
            .col(optional_text("description"))
            .col(folded(manager, "description_fold"))
            .take();
        manager.create_table(record(&mut group).take()).await?;
        manager.create_index(index("tenant_group", &["name_fold"], true)).await?;
        for sorted in ["description_fold", "updated_at"] {
            manager.create_index(index("tenant_group", &[sorted, "id"], false)).await?;
        }
        manager
            .create_table(
                Table::create()
                    .table("tenant_group_member")
                    .col(integer("tenant_group_id"))
                    .col(integer("tenant_id"))
                    .primary_key(Index::create().col("tenant_group_id").col("tenant_id"))
                    .foreign_key(&mut reference("tenant_group_member", "tenant_group_id", "tenant_group"))
                    .foreign_key(&mut part_of("tenant_group_member", "tenant_id", "tenant"))
                    .take(),
            )
            .await?;
        manager.create_index(index("tenant_group_member", &["tenant_id"], false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("tenant_group_member").take()).await?;
        manager.drop_table(Table::drop().table("tenant_group").take()).await?;
        manager.drop_index(dropped("tenant", "tenant_updated_at_id_index")).await
    }
}
