//! A version for each kind of rows that something is compiled from and kept in memory: rights, until now the only one, and
//! the catalogue.

use sea_orm_migration::prelude::*;

use crate::column::integer;

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
                    .table("kept_version")
                    .col(ColumnDef::new("topic").text().not_null().primary_key())
                    .col(integer("version"))
                    .take(),
            )
            .await?;
        let connection = manager.get_connection();
        for sql in [
            "INSERT INTO kept_version (topic, version) SELECT 'rights', version FROM rights_version",
            "INSERT INTO kept_version (topic, version) VALUES ('catalogue', 1)",
        ] {
            connection.execute_unprepared(sql).await?;
        }
        manager.drop_table(Table::drop().table("rights_version").take()).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager
            .create_table(
                Table::create()
                    .table("rights_version")
                    .col(ColumnDef::new("id").big_integer().not_null().primary_key())
                    .col(integer("version"))
                    .take(),
            )
            .await?;
        let sql = "INSERT INTO rights_version (id, version) SELECT 1, version FROM kept_version WHERE topic = 'rights'";
        manager.get_connection().execute_unprepared(sql).await?;
        manager.drop_table(Table::drop().table("kept_version").take()).await
    }
}
