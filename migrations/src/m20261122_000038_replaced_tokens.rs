//! Personal access tokens that another has replaced, and which work on for a while under the same name.

use sea_orm_migration::prelude::*;

use crate::column::{dropped, index, optional_time};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "personal_access_token";
const NAMES: &str = "personal_access_token_user_id_name_fold_key";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let replaced_at = optional_time("replaced_at");
        manager.alter_table(Table::alter().table(TABLE).add_column(replaced_at).take()).await?;
        manager.drop_index(dropped(TABLE, NAMES)).await?;
        let names =
            format!("CREATE UNIQUE INDEX {NAMES} ON {TABLE} (user_id, name_fold) WHERE replaced_at IS NULL");
        manager.get_connection().execute_unprepared(&names).await?;
        manager.create_index(index(TABLE, &["user_id"], false)).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // two of a name cannot be told apart without the column
        let replaced = format!("DELETE FROM {TABLE} WHERE replaced_at IS NOT NULL");
        manager.get_connection().execute_unprepared(&replaced).await?;
        manager.drop_index(dropped(TABLE, format!("{TABLE}_user_id_index"))).await?;
        manager.drop_index(dropped(TABLE, NAMES)).await?;
        manager.alter_table(Table::alter().table(TABLE).drop_column("replaced_at").take()).await?;
        manager.create_index(index(TABLE, &["user_id", "name_fold"], true)).await
    }
}
