//! Tables of a database that Citus distributes by tenant: which statements give a table its kind, and if a
//! database is distributed already.

use sea_orm_migration::{
    prelude::*,
    sea_orm::{DbBackend, Statement},
};

/// The table whose shards all other tables of tenants stand beside, so that rows of one tenant are joined on
/// one machine.
pub const ANCHOR: &str = "import_row";
/// The column by which tables are distributed.
pub const TENANT: &str = "tenant_id";
/// The number of shards of each table. It bounds the number of machines.
const SHARDS: u32 = 32;

/// The statement that distributes a table by tenant.
pub fn distribute(table: &str) -> String {
    let beside = match table {
        ANCHOR => format!("shard_count => {SHARDS}, colocate_with => 'none'"),
        _ => format!("colocate_with => '{ANCHOR}'"),
    };
    format!("SELECT create_distributed_table('\"{table}\"', '{TENANT}', {beside})")
}

/// The statement that copies a table to all machines.
pub fn copy_everywhere(table: &str) -> String {
    format!("SELECT create_reference_table('\"{table}\"')")
}

/// True if the database is distributed, so that a new table of tenants must be as well. Only PostgreSQL can
/// be.
pub(crate) async fn is_distributed(manager: &SchemaManager<'_>) -> Result<bool, DbErr> {
    let connection = manager.get_connection();
    if manager.get_database_backend() != DbBackend::Postgres || !holds(connection, HAS_CITUS).await? {
        return Ok(false);
    }
    holds(
        connection,
        &format!("SELECT EXISTS (SELECT 1 FROM citus_tables WHERE table_name = '{ANCHOR}'::regclass)"),
    )
    .await
}

/// The question if a database has Citus.
pub const HAS_CITUS: &str = "SELECT to_regclass('citus_tables') IS NOT NULL";

async fn holds(connection: &impl ConnectionTrait, question: &str) -> Result<bool, DbErr> {
    let answer = connection.query_one_raw(Statement::from_string(DbBackend::Postgres, question)).await?;
    answer.map_or(Ok(false), |row| row.try_get_by_index(0))
}
