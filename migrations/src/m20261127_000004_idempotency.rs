//! Answers to calls that programs repeat, with their status and the path of what they have created.

use sea_orm_migration::prelude::*;

use crate::column::{integer, optional_text};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Idempotency;

impl MigrationName for Idempotency {
    fn name(&self) -> &'static str {
        "m20261127_000004_idempotency"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Idempotency {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // all answers until now were successful ones without a path
        for column in [integer("status").default(200).take(), optional_text("location")] {
            let table = Table::alter().table("idempotency").add_column(column).take();
            manager.alter_table(table).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in ["location", "status"] {
            let table = Table::alter().table("idempotency").drop_column(column).take();
            manager.alter_table(table).await?;
        }
        Ok(())
    }
}
