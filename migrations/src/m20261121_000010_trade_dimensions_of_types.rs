//! Article types of length items may carry a trade dimension.

use sea_orm_migration::prelude::*;

use crate::column::index;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .get_connection()
            .execute_unprepared(
                "ALTER TABLE article_type ADD COLUMN trade_dimension_id bigint NULL \
                 REFERENCES trade_dimension (id) ON DELETE RESTRICT",
            )
            .await?;
        let types = &["trade_dimension_id", "name_fold", "id"];
        manager.create_index(index("article_type", types, false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for statement in [
            "DROP INDEX article_type_trade_dimension_id_name_fold_id_index",
            "ALTER TABLE article_type DROP COLUMN trade_dimension_id",
        ] {
            manager.get_connection().execute_unprepared(statement).await?;
        }
        Ok(())
    }
}
