//! The row that tells what an import did with a line is the tenant's because the import is, which refers to them and which the writer of
//! the row holds. On PostgreSQL a reference of each row took 3.5 of 46 µs of a row of a file. SQLite looks the tenant up in next to no
//! time, and would have to write the whole table anew.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() == DbBackend::Postgres {
            let drop = "ALTER TABLE import_row DROP CONSTRAINT import_row_tenant_id_fkey";
            manager.get_connection().execute_unprepared(drop).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.get_database_backend() == DbBackend::Postgres {
            let add = "ALTER TABLE import_row ADD CONSTRAINT import_row_tenant_id_fkey \
                FOREIGN KEY (tenant_id) REFERENCES tenant (id) ON DELETE RESTRICT";
            manager.get_connection().execute_unprepared(add).await?;
        }
        Ok(())
    }
}
