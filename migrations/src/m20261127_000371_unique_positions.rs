//! What people arrange has each position once. Those that stood at the same one are numbered anew, as they were listed.

use sea_orm_migration::prelude::*;

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

/// Tables, what their orders are within, and the unique indexes.
const ORDERED: [(&str, &str, &str); 3] = [
    ("attribute", "", "attribute_position_key"),
    ("category", "coalesce(parent_id, 0), ", "category_parent_id_position_key"),
    ("price_adjustment", "tenant_id, ", "price_adjustment_tenant_id_position_key"),
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let db = manager.get_connection();
        for (table, within, index) in ORDERED {
            let partition = within.trim_end_matches(", ");
            let partition =
                if partition.is_empty() { String::new() } else { format!("PARTITION BY {partition} ") };
            let of_tenant = if within.starts_with("tenant_id") {
                format!(" AND numbered.tenant_id = {table}.tenant_id")
            } else {
                String::new()
            };
            let tenant = if of_tenant.is_empty() { "" } else { "tenant_id, " };
            let numbered = format!(
                "UPDATE {table} SET position = numbered.number FROM (SELECT {tenant}id, row_number() OVER \
                 ({partition}ORDER BY position, id) AS number FROM {table}) AS numbered \
                 WHERE numbered.id = {table}.id{of_tenant} AND numbered.number <> {table}.position"
            );
            db.execute_unprepared(&numbered).await?;
            let unique = format!("CREATE UNIQUE INDEX {index} ON {table} ({within}position)");
            db.execute_unprepared(&unique).await?;
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for (_, _, index) in ORDERED {
            manager.get_connection().execute_unprepared(&format!("DROP INDEX {index}")).await?;
        }
        Ok(())
    }
}
