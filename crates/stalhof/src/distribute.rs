//! Command that distributes a PostgreSQL database by tenant, once an operator has loaded Citus into it: each
//! table gets the kind in [`migrations::kind`].
//!
//! Foreign keys are dropped first and restored last, because Citus distributes no table that has one to a
//! table in one place. They and the counters are stored in a table of the command, so that an interrupted
//! command continues when it is started again.

use std::collections::BTreeMap;

use migrations::{
    Migrator,
    distribution::{ANCHOR, HAS_CITUS, TENANT, copy_everywhere, distribute as distribute_table},
    kind::{Kind, TABLES},
};
use sea_orm::sqlx::{self, AssertSqlSafe, Connection, PgConnection, Row};
use sea_orm_migration::MigratorTrait;
use store::Database;
use values::{Error, Result};

use crate::{
    config::Settings,
    migrate::ADVISORY_LOCK,
    raw_sql::{connect, database_error, execute, is_true, texts},
};

/// Table in which the command stores the statements that are still to be sent.
const NOTES: &str = "distribution_statement";

/// Foreign key, with the statement that creates it.
struct ForeignKey {
    table: String,
    name: String,
    to: String,
    definition: String,
}

/// Placement of a table in Citus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Placement {
    /// Stored in one place, and not known to Citus.
    Plain,
    /// Stored in one place, and managed by Citus automatically.
    Managed,
    Copied,
    Distributed,
}

impl Placement {
    /// True if the placement is that of the kind.
    fn is_for(self, kind: Kind) -> bool {
        match kind {
            Kind::Local => matches!(self, Self::Plain | Self::Managed),
            Kind::Reference => self == Self::Copied,
            Kind::Distributed => self == Self::Distributed,
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Plain | Self::Managed => "kept in one place",
            Self::Copied => "copied to all machines",
            Self::Distributed => "distributed by tenant",
        }
    }
}

/// Statements to be sent, in their order.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Foreign keys to be dropped.
    dropped: Vec<String>,
    /// Tables to be distributed.
    placed: Vec<String>,
    /// Foreign keys and counters to be restored.
    restored: Vec<String>,
    /// Setting of the database.
    settings: Vec<String>,
}

impl Plan {
    /// Returns all statements in their order.
    pub fn statements(&self) -> impl Iterator<Item = &str> {
        let parts = [&self.dropped, &self.placed, &self.restored, &self.settings];
        parts.into_iter().flatten().map(String::as_str)
    }
}

/// Distributes the database; with `dry_run`, only plans it. Returns the statements. No server may be running.
///
/// # Errors
/// A sentence for the operator if the database is embedded, has no Citus, is in use or has the schema of
/// another version.
pub async fn distribute(settings: &Settings, dry_run: bool) -> Result<Plan> {
    let url = settings.database_url();
    if Database::embedded_file(&url).is_some() {
        return Err(Error::internal(
            "the embedded database is one file and cannot be distributed: move to a PostgreSQL with Citus, and name it \
             in DATABASE_URL",
        ));
    }
    let mut connection = connect(&url).await?;
    execute(&mut connection, "SET statement_timeout = 0; SET lock_timeout = 0").await?;
    require_citus(&mut connection).await?;
    require_schema(&mut connection).await?;
    require_quiet(&mut connection).await?;
    let plan = plan(&mut connection).await?;
    if !dry_run {
        carry_out(&mut connection, &plan).await?;
    }
    connection.close().await.map_err(database_error)?;
    Ok(plan)
}

/// Returns a sentence for each table whose kind differs from [`migrations::kind`]; none if the database is
/// not distributed.
pub async fn misplaced_tables(connection: &mut PgConnection) -> Result<Vec<String>> {
    if !is_true(connection, HAS_CITUS).await? {
        return Ok(Vec::new());
    }
    let placements = placements(connection).await?;
    if !placements.values().any(|placement| *placement == Placement::Distributed) {
        return Ok(Vec::new());
    }
    let misplaced = TABLES.iter().filter_map(|table| {
        let is = placement_of(&placements, table.name);
        let expected = match table.kind {
            Kind::Local => Placement::Plain,
            Kind::Reference => Placement::Copied,
            Kind::Distributed => Placement::Distributed,
        };
        (!is.is_for(table.kind)).then(|| {
            format!(
                "the table {} is {} and should be {}",
                table.name,
                is.description(),
                expected.description()
            )
        })
    });
    Ok(misplaced.collect())
}

async fn require_citus(connection: &mut PgConnection) -> Result<()> {
    if !is_true(connection, HAS_CITUS).await? {
        let is_installed = "SELECT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = 'citus')";
        return Err(Error::internal(if is_true(connection, is_installed).await? {
            "the database has no Citus: send CREATE EXTENSION citus to it on each of its machines, and run the command \
             again"
        } else {
            "this PostgreSQL has no Citus: install Citus on each of its machines, add citus to shared_preload_libraries, \
             restart it, send CREATE EXTENSION citus, and run the command again"
        }));
    }
    if !is_true(connection, "SELECT EXISTS (SELECT 1 FROM pg_dist_node WHERE groupid = 0)").await? {
        return Err(Error::internal(
            "the coordinator is not among the machines of the cluster: send SELECT citus_set_coordinator_host(...) with \
             its address, and run the command again",
        ));
    }
    Ok(())
}

async fn require_schema(connection: &mut PgConnection) -> Result<()> {
    let is_there = is_true(connection, "SELECT to_regclass('seaql_migrations') IS NOT NULL").await?;
    let applied = "SELECT version FROM seaql_migrations ORDER BY version";
    let applied = if is_there { texts(connection, applied).await? } else { Vec::new() };
    let mut own_migrations: Vec<String> =
        Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
    own_migrations.sort();
    if applied == own_migrations {
        return Ok(());
    }
    Err(Error::internal(
        "the schema is not that of this version: run stalhof migrate first, and this command again",
    ))
}

/// Refuses a database that is in use, and locks out migrations.
async fn require_quiet(connection: &mut PgConnection) -> Result<()> {
    let others = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
        AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND application_name NOT LIKE 'citus%'";
    let row = sqlx::query(others).fetch_one(&mut *connection).await.map_err(database_error)?;
    let others: i64 = row.try_get(0).map_err(database_error)?;
    if others > 0 {
        return Err(Error::internal(format!(
            "the database is in use by {others} other connections: end all servers and other programs first"
        )));
    }
    if is_true(connection, &format!("SELECT pg_try_advisory_lock({ADVISORY_LOCK})")).await? {
        return Ok(());
    }
    Err(Error::internal("another process changes the schema: wait until it has ended"))
}

/// Plans the remaining statements.
async fn plan(connection: &mut PgConnection) -> Result<Plan> {
    let placements = placements(connection).await?;
    let mut plan = Plan::default();
    // tables before those that refer to them
    let waiting: Vec<_> = TABLES
        .iter()
        .rev()
        .filter(|table| !placement_of(&placements, table.name).is_for(table.kind))
        .collect();
    for table in &waiting {
        let is = placement_of(&placements, table.name);
        if !matches!(is, Placement::Plain | Placement::Managed) || table.kind == Kind::Local {
            return Err(Error::internal(format!(
                "the table {} is {} already, which this command does not change: send SELECT undistribute_table('{}'), \
                 and run the command again",
                table.name,
                is.description(),
                table.name
            )));
        }
    }
    let is_distributed = |table: &str| {
        waiting.iter().any(|waiting| waiting.name == table && waiting.kind == Kind::Distributed)
    };
    let is_copied =
        |table: &str| TABLES.iter().any(|listed| listed.name == table && listed.kind == Kind::Reference);
    for key in foreign_keys(connection).await? {
        let ForeignKey { table, name, to, definition } = key;
        let is_lost = is_copied(&table) && is_distributed(&to);
        if is_distributed(&table) || is_lost {
            plan.dropped.push(format!("ALTER TABLE \"{table}\" DROP CONSTRAINT \"{name}\""));
        }
        if is_distributed(&table) {
            plan.restored.push(format!("ALTER TABLE \"{table}\" ADD CONSTRAINT \"{name}\" {definition}"));
        }
    }
    let names = |kind| waiting.iter().filter(move |table| table.kind == kind).map(|table| table.name);
    let mut distributed: Vec<&str> = names(Kind::Distributed).collect();
    // the others are colocated with it
    distributed.sort_by_key(|table| *table != ANCHOR);
    plan.placed.extend(distributed.into_iter().map(distribute_table));
    plan.placed.extend(names(Kind::Reference).map(copy_everywhere));
    let is_resumed = is_true(connection, &format!("SELECT to_regclass('{NOTES}') IS NOT NULL")).await?;
    if is_resumed {
        let noted = texts(connection, STORED_STATEMENTS).await?;
        plan.restored.extend(noted);
    } else if !waiting.is_empty() {
        // a table that Citus manages automatically would count from 1 again
        plan.restored.extend(texts(connection, COUNTERS).await?);
    }
    if !waiting.is_empty() || is_resumed {
        let name = texts(connection, "SELECT quote_ident(current_database())").await?.join("");
        // records are counted among all tenants and deleted in one transaction, which does not work with
        // parallel statements
        plan.settings.push(format!("ALTER DATABASE {name} SET citus.multi_shard_modify_mode = 'sequential'"));
    }
    Ok(plan)
}

/// Sends the statements. Each is stored until it has been sent.
async fn carry_out(connection: &mut PgConnection, plan: &Plan) -> Result<()> {
    if plan.statements().next().is_none() {
        return Ok(());
    }
    execute(connection, "SET citus.enable_local_reference_table_foreign_keys = on").await?;
    let mut tx = connection.begin().await.map_err(database_error)?;
    let notes = format!(
        "CREATE TABLE IF NOT EXISTS {NOTES} (position integer GENERATED ALWAYS AS IDENTITY, statement text NOT NULL)"
    );
    execute(&mut tx, notes).await?;
    execute(&mut tx, format!("DELETE FROM {NOTES}")).await?;
    for statement in &plan.restored {
        let note = format!("INSERT INTO {NOTES} (statement) VALUES ($1)");
        let note = sqlx::query(AssertSqlSafe(note)).bind(statement);
        note.execute(&mut *tx).await.map_err(database_error)?;
    }
    for statement in &plan.dropped {
        execute(&mut tx, statement.as_str()).await?;
    }
    tx.commit().await.map_err(database_error)?;
    for statement in &plan.placed {
        execute(connection, statement.as_str()).await?;
    }
    for statement in &plan.restored {
        let mut tx = connection.begin().await.map_err(database_error)?;
        execute(&mut tx, statement.as_str()).await?;
        let sent = format!("DELETE FROM {NOTES} WHERE statement = $1");
        sqlx::query(AssertSqlSafe(sent)).bind(statement).execute(&mut *tx).await.map_err(database_error)?;
        tx.commit().await.map_err(database_error)?;
    }
    for statement in &plan.settings {
        execute(connection, statement.as_str()).await?;
    }
    execute(connection, format!("DROP TABLE {NOTES}")).await
}

const STORED_STATEMENTS: &str = "SELECT statement FROM distribution_statement ORDER BY position";

const COUNTERS: &str = "SELECT format('SELECT setval(%L::regclass, %s)', quote_ident(sequencename), last_value) \
    FROM pg_sequences WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY sequencename";

const FOREIGN_KEYS: &str = "SELECT child.relname::text, c.conname::text, parent.relname::text, \
    pg_get_constraintdef(c.oid) FROM pg_constraint c JOIN pg_class child ON child.oid = c.conrelid \
    JOIN pg_class parent ON parent.oid = c.confrelid \
    WHERE c.contype = 'f' AND child.relnamespace = current_schema()::regnamespace ORDER BY 1, 2";

async fn foreign_keys(connection: &mut PgConnection) -> Result<Vec<ForeignKey>> {
    let rows = sqlx::query(FOREIGN_KEYS).fetch_all(connection).await.map_err(database_error)?;
    let key = |row: &sqlx::postgres::PgRow| {
        let (table, name, to) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        Ok(ForeignKey { table, name, to, definition: row.try_get(3)? })
    };
    rows.iter().map(key).collect::<sqlx::Result<_>>().map_err(database_error)
}

/// Returns the tables that are known to Citus.
async fn placements(connection: &mut PgConnection) -> Result<BTreeMap<String, Placement>> {
    let sql = "SELECT c.relname::text, t.citus_table_type::text, t.distribution_column::text \
        FROM citus_tables t JOIN pg_class c ON c.oid = t.table_name \
        WHERE c.relnamespace = current_schema()::regnamespace";
    let rows = sqlx::query(sql).fetch_all(connection).await.map_err(database_error)?;
    let mut placements = BTreeMap::new();
    for row in rows {
        let kind: String = row.try_get(1).map_err(database_error)?;
        let column: String = row.try_get(2).map_err(database_error)?;
        let placement = match (kind.as_str(), column.as_str()) {
            ("distributed", TENANT) => Placement::Distributed,
            ("reference", _) => Placement::Copied,
            _ => Placement::Managed,
        };
        placements.insert(row.try_get(0).map_err(database_error)?, placement);
    }
    Ok(placements)
}

fn placement_of(placements: &BTreeMap<String, Placement>, table: &str) -> Placement {
    placements.get(table).copied().unwrap_or(Placement::Plain)
}
