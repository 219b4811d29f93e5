//! Where somebody has signed in: a place from which nobody else's failures keep him. Only a hash is kept.

use sea_orm_migration::prelude::*;

use crate::column::{index, integer, part_of, time};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("sign_in_place")
                    .col(ColumnDef::new("place").text().not_null().primary_key())
                    .col(integer("user_id"))
                    .col(time("last_at"))
                    .foreign_key(&mut part_of("sign_in_place", "user_id", "user"))
                    .take(),
            )
            .await?;
        manager.create_index(index("sign_in_place", &["user_id"], false)).await?;
        manager.create_index(index("sign_in_place", &["last_at"], false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("sign_in_place").take()).await
    }
}
