//! Price lists: the name that customers read, and whether they see a list before it begins.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{ConnectionTrait, DbBackend},
};

use crate::column::{boolean, folded, optional_text};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const TABLE: &str = "price_list";
const FOLDED: &str = "customer_name_fold";
const SORTED: &str = "customer_name_sort";
const ANNOUNCE: &str = "announce";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        for column in [
            optional_text("customer_name"),
            folded(manager, FOLDED).default("").take(),
            folded(manager, SORTED).default("").take(),
            boolean(ANNOUNCE).default(false).take(),
        ] {
            manager.alter_table(Table::alter().table(TABLE).add_column(column).take()).await?;
        }
        db.execute_unprepared(&format!("UPDATE {TABLE} SET {FOLDED} = name_fold, {SORTED} = name_sort"))
            .await?;
        if manager.get_database_backend() == DbBackend::Postgres {
            for column in [FOLDED, SORTED, ANNOUNCE] {
                db.execute_unprepared(&format!("ALTER TABLE {TABLE} ALTER COLUMN {column} DROP DEFAULT"))
                    .await?;
            }
        }
        Ok(())
    }

    /// Customers then see planned lists at once, under the names that their owners gave them.
    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in [ANNOUNCE, SORTED, FOLDED, "customer_name"] {
            manager.alter_table(Table::alter().table(TABLE).drop_column(column).take()).await?;
        }
        Ok(())
    }
}
