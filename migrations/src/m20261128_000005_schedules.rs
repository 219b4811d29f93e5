//! Schedules of tenants: work that is due again and again.

use sea_orm_migration::prelude::*;

use crate::column::{create_table, index, integer, optional_text, optional_time, records, reference, text};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedules;

impl MigrationName for Schedules {
    fn name(&self) -> &'static str {
        "m20261128_000005_schedules"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Schedules {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let table = records("schedule")
            .col(integer("tenant_id"))
            .col(text("kind"))
            .col(integer("subject_id"))
            .col(optional_time("due_at"))
            .col(optional_text("lease_owner"))
            .col(optional_time("lease_until"))
            .col(integer("fence"))
            .col(integer("interrupted"))
            .col(optional_time("started_at"))
            .col(optional_time("finished_at"))
            .col(optional_text("failure"))
            .col(integer("failures_in_row"))
            .foreign_key(&mut reference("schedule", "tenant_id", "tenant"))
            .check(Expr::cust("(lease_owner IS NULL) = (lease_until IS NULL)"))
            .check(Expr::cust("failure IS NULL OR finished_at IS NOT NULL"))
            .take();
        let indexes = [
            index("schedule", &["tenant_id", "kind", "subject_id"], true),
            index("schedule", &["due_at", "id"], false),
        ];
        create_table(manager, &table, indexes).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        manager.drop_table(Table::drop().table("schedule").take()).await
    }
}
