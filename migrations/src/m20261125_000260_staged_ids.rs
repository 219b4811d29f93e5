//! What an import keeps aside of a price names it from the beginning, also where it is still to be made.

use sea_orm_migration::{prelude::*, sea_orm::DbBackend};

#[derive(DeriveMigrationName)]
pub(crate) struct Migration;

const STAGE: &str = "tenant_id bigint NOT NULL, import_id bigint NOT NULL, line bigint NOT NULL, \
    article_id bigint NOT NULL, base_version bigint NOT NULL, \
    becomes text NOT NULL CONSTRAINT price_list_stage_becomes_check CHECK (becomes IN ('written', 'same', 'gone')), \
    name text NOT NULL, price bigint NULL, price_quantity bigint NULL, price_unit text NULL, \
    bulk_prices jsonb NULL, held jsonb NULL";

const TENANT: &str = "CONSTRAINT price_list_stage_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant (id) \
    ON DELETE RESTRICT";

/// Imports that are on their way have changed nothing, and begin again.
pub(crate) const AGAIN: [&str; 4] = [
    "DELETE FROM import_row WHERE import_id IN (SELECT id FROM import WHERE type = 'PriceList' \
     AND undoes IS NULL AND NOT dry_run AND finished_at IS NULL)",
    "DELETE FROM import_error WHERE import_id IN (SELECT id FROM import WHERE type = 'PriceList' \
     AND undoes IS NULL AND NOT dry_run AND finished_at IS NULL)",
    "UPDATE import SET checkpoint = 0, rows_done = 0, rows_created = 0, rows_updated = 0, rows_unchanged = 0, \
     rows_refused = 0, rows_held = 0, rows_unresolved = 0, rows_removed = 0, rows_skipped = 0, rows_kept = 0 \
     WHERE type = 'PriceList' AND undoes IS NULL AND NOT dry_run AND finished_at IS NULL",
    "DROP TABLE price_list_stage",
];

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        // The import, which a writer holds, is its tenant's already: a reference for each row would cost as much as the row.
        again(manager, "price_id bigint NOT NULL", None).await
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        again(manager, "", Some(TENANT)).await
    }
}

pub(crate) async fn again(
    manager: &SchemaManager<'_>,
    column: &str,
    reference: Option<&str>,
) -> Result<(), DbErr> {
    let db = manager.get_connection();
    for statement in AGAIN {
        db.execute_unprepared(statement).await?;
    }
    let columns: Vec<_> = [column, STAGE].into_iter().filter(|part| !part.is_empty()).collect();
    let columns = columns.join(", ");
    let key = "PRIMARY KEY (tenant_id, import_id, line)";
    if manager.get_database_backend() == DbBackend::Postgres {
        db.execute_unprepared(&format!("CREATE TABLE price_list_stage ({columns})")).await?;
        for rule in std::iter::once(key).chain(reference) {
            db.execute_unprepared(&format!("ALTER TABLE price_list_stage ADD {rule}")).await?;
        }
        return Ok(());
    }
    let rules: Vec<_> = std::iter::once(key).chain(reference).collect();
    let table = format!("CREATE TABLE price_list_stage ({columns}, {})", rules.join(", "));
    db.execute_unprepared(&table).await?;
    Ok(())
}
