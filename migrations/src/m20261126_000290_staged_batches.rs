//! What an import of prices keeps aside is one row for each batch of its file instead of one for each price.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

use crate::m20261125_000260_staged_ids::{AGAIN, again};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const STAGE: &str = "CREATE TABLE price_list_stage (tenant_id bigint NOT NULL, import_id bigint NOT NULL, \
    line bigint NOT NULL, prices text NOT NULL";

const KEY: &str = "PRIMARY KEY (tenant_id, import_id, line)";

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        for statement in AGAIN {
            db.execute_unprepared(statement).await?;
        }
        if manager.get_database_backend() == DbBackend::Postgres {
            db.execute_unprepared(&format!("{STAGE})")).await?;
            db.execute_unprepared(&format!("ALTER TABLE price_list_stage ADD {KEY}")).await?;
            // it is read once and then goes: to compress it would cost more than to write it
            let plain = "ALTER TABLE price_list_stage ALTER COLUMN prices SET STORAGE EXTERNAL";
            db.execute_unprepared(plain).await?;
            return Ok(());
        }
        db.execute_unprepared(&format!("{STAGE}, {KEY})")).await?;
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        again(manager, "price_id bigint NOT NULL", None).await
    }
}
