//! Jobs that are due again and again, and who is sending a mail.

use sea_orm_migration::prelude::*;

use crate::column::{integer, optional_text, optional_time, time};

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
                    .table("background_job")
                    .col(ColumnDef::new("name").text().not_null().primary_key())
                    .col(time("due_at"))
                    .col(optional_text("lease_owner"))
                    .col(optional_time("lease_until"))
                    .col(integer("fence"))
                    .col(optional_time("started_at"))
                    .col(optional_time("finished_at"))
                    .col(optional_time("failed_at"))
                    .col(optional_text("failure"))
                    .col(integer("failures_in_row"))
                    .col(integer("runs"))
                    .col(integer("failed_runs"))
                    .check(Expr::cust("(lease_owner IS NULL) = (lease_until IS NULL)"))
                    .check(Expr::cust("(failed_at IS NULL) = (failure IS NULL)"))
                    .take(),
            )
            .await?;
        for column in [optional_text("lease_owner"), optional_time("lease_until")] {
            manager.alter_table(Table::alter().table("mail").add_column(column).take()).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in ["lease_owner", "lease_until"] {
            manager.alter_table(Table::alter().table("mail").drop_column(column).take()).await?;
        }
        manager.drop_table(Table::drop().table("background_job").take()).await
    }
}
