//! PostgreSQL: each table in the format of COPY, all from the same snapshot.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
};

use futures_util::TryStreamExt;
use migrations::Migrator;
use sea_orm::sqlx::{self, Connection, PgConnection, Row};
use sea_orm_migration::MigratorTrait;
use store::Database;
use values::{Error, Result};

use super::{
    Contents, Kind, Manifest, NAMED_FILES,
    archive::{Archive, Writer},
};
use crate::raw_sql::{connect, database_error, execute, texts};

const CHUNK: usize = 256 * 1024;
/// Table of the migrations, which write it themselves.
const MIGRATIONS: &str = "seaql_migrations";

fn entry(table: &str) -> String {
    format!("database/{table}.copy")
}

/// Adds all tables.
pub(super) async fn save(url: &str, writer: &mut Writer) -> Result<Contents> {
    let mut connection = connect(url).await?;
    execute(&mut connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await?;
    let mut counts = BTreeMap::new();
    for table in names(&mut connection).await? {
        let columns = columns(&mut connection, &table).await?;
        writer.begin(&entry(&table))?;
        // as a query, because COPY by name does not work for partitioned tables
        let copy = format!("COPY (SELECT {columns} FROM \"{table}\") TO STDOUT");
        let mut rows = 0;
        let mut chunks = connection.copy_out_raw(&copy).await.map_err(database_error)?;
        while let Some(chunk) = chunks.try_next().await.map_err(database_error)? {
            // one line per row: line breaks within values are escaped
            rows += chunk.split(|byte| *byte == b'\n').count() as u64 - 1;
            writer.write(&chunk)?;
        }
        counts.insert(table, rows);
    }
    let named_files = texts(&mut connection, NAMED_FILES).await?;
    let migrations = texts(&mut connection, "SELECT version FROM seaql_migrations ORDER BY version").await?;
    let sequences = sqlx::query(
        "SELECT sequencename::text, coalesce(last_value, 0) FROM pg_sequences WHERE schemaname = current_schema()",
    );
    let sequences = sequences.fetch_all(&mut connection).await.map_err(database_error)?;
    let sequences: sqlx::Result<_> =
        sequences.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect();
    execute(&mut connection, "COMMIT").await?;
    connection.close().await.map_err(database_error)?;
    Ok(Contents {
        kind: Kind::Postgres,
        migrations,
        tables: counts,
        sequences: sequences.map_err(database_error)?,
        named_files,
    })
}

/// Refuses a database with tables.
pub(super) async fn refuse_unless_empty(url: &str) -> Result<()> {
    let mut connection = connect(url).await?;
    let found = names(&mut connection).await?;
    connection.close().await.map_err(database_error)?;
    if found.is_empty() { Ok(()) } else { Err(Error::internal("the database is not empty")) }
}

/// Creates the schema of the backup, and fills it in one transaction.
pub(super) async fn restore(url: &str, manifest: &Manifest, archive: &mut Archive) -> Result<()> {
    let connections = Database::connect_for_migrations(url).await?;
    let steps = u32::try_from(manifest.migrations.len()).map_err(Error::internal)?;
    Migrator::up(&connections, Some(steps)).await?;
    connections.close().await?;

    let mut connection = connect(url).await?;
    execute(&mut connection, "BEGIN").await?;
    let tables: Vec<String> =
        parents_first(&mut connection).await?.into_iter().filter(|table| table != MIGRATIONS).collect();
    for table in &tables {
        // removes rows that migrations have created
        execute(&mut connection, format!("TRUNCATE \"{table}\" CASCADE")).await?;
    }
    for table in &tables {
        let columns = columns(&mut connection, table).await?;
        let copy = format!("COPY \"{table}\" ({columns}) FROM STDIN");
        let mut into = connection.copy_in_raw(&copy).await.map_err(database_error)?;
        let name = entry(table);
        let mut from = archive.entry(&name)?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let read = from.read(&mut chunk)?;
            let bytes = chunk.get(..read).unwrap_or_default();
            if bytes.is_empty() {
                break;
            }
            into.send(bytes).await.map_err(database_error)?;
        }
        into.finish().await.map_err(database_error)?;
    }
    for (sequence, last) in manifest.sequences.iter().filter(|(_, last)| **last > 0) {
        let set = sqlx::query("SELECT setval(quote_ident($1)::regclass, $2)").bind(sequence).bind(last);
        set.execute(&mut connection).await.map_err(database_error)?;
    }
    execute(&mut connection, "COMMIT").await?;
    execute(&mut connection, "ANALYZE").await?;
    connection.close().await.map_err(database_error)
}

/// Returns the names of all tables. Partitions belong to their table.
pub(super) async fn names(connection: &mut PgConnection) -> Result<Vec<String>> {
    let sql = "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace \
        AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname";
    texts(connection, sql).await
}

/// Returns the columns to be written, in the order of the table.
async fn columns(connection: &mut PgConnection, table: &str) -> Result<String> {
    let sql = "SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = quote_ident($1)::regclass \
        AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum";
    let rows = sqlx::query(sql).bind(table).fetch_all(connection).await.map_err(database_error)?;
    let names: sqlx::Result<Vec<String>> = rows.iter().map(|row| row.try_get(0)).collect();
    Ok(names.map_err(database_error)?.join(", "))
}

/// Returns all tables, each after those that its rows refer to.
async fn parents_first(connection: &mut PgConnection) -> Result<Vec<String>> {
    let mut left: BTreeSet<String> = names(connection).await?.into_iter().collect();
    let sql = "SELECT child.relname::text, parent.relname::text FROM pg_constraint c \
        JOIN pg_class child ON child.oid = c.conrelid JOIN pg_class parent ON parent.oid = c.confrelid \
        WHERE c.contype = 'f' AND child.oid <> parent.oid AND child.relnamespace = current_schema()::regnamespace";
    let rows = sqlx::query(sql).fetch_all(connection).await.map_err(database_error)?;
    let refers: sqlx::Result<Vec<(String, String)>> =
        rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect();
    let refers = refers.map_err(database_error)?;
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let waits =
            |table: &String| refers.iter().any(|(child, parent)| child == table && left.contains(parent));
        let next: Vec<String> = left.iter().filter(|table| !waits(table)).cloned().collect();
        if next.is_empty() {
            return Err(Error::internal("tables refer to each other in a circle"));
        }
        for table in next {
            left.remove(&table);
            ordered.push(table);
        }
    }
    Ok(ordered)
}
