//! Complete removal of a tenant: all their data are exported into a folder first and then deleted in batches.
//! An interrupted removal is continued by the same command.
//!
//! [`migrations::kind`] lists the tables, in the order in which they can be deleted.
//!
//! Rows are addressed by their primary key, and every statement names the tenant: the physical address of a
//! row (`ctid`, `rowid`) is that of another row on another shard, or once the row has moved.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
};

use futures_util::TryStreamExt;
use logistics::shipping::node;
use migrations::kind::{Kind, Rows, TABLES, Table};
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement, Value};
use storage::Storage;
use store::{
    Database, Scope, Write,
    audit::{Action, HistoryEntry},
    versioned_cache,
};
use tenancy::cache_topics;
use values::{Error, Result, TenantId, fold, now};

use crate::config::Settings;

/// Number of rows in a batch.
const BATCH: usize = 1_000;
/// Table and column with the keys of uploaded files.
const FILES: (&str, &str) = ("import", "upload_key");
/// Folder with the data from before the first deletion.
const BEFORE: &str = "before";
/// Folder with the rows that were deleted, by batch, including those that were added meanwhile.
const REMOVED: &str = "removed";

/// Data that a tenant has or had.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TenantData {
    pub company: String,
    /// Number of rows in each table with any.
    pub tables: BTreeMap<&'static str, u64>,
    pub files: u64,
}

/// Counts the data that a removal would delete. Nothing is changed.
///
/// # Errors
/// If there is no tenant with this short code.
pub async fn count_data(db: &Database, short_code: &str) -> Result<TenantData> {
    let tenant = find(db, short_code).await?;
    let mut found = TenantData { company: tenant.company, ..TenantData::default() };
    for table in tenant_tables() {
        let sql = format!(
            "SELECT count(*) AS number FROM \"{}\" t WHERE {}",
            table.name,
            rows_of_tenant(table, tenant.id)
        );
        let number: i64 = query_one(db, &sql).await?.map_or(Ok(0), |row| row.try_get("", "number"))?;
        if number > 0 {
            found.tables.insert(table.name, number.unsigned_abs());
        }
    }
    let (table, column) = FILES;
    let sql = format!(
        "SELECT count(*) AS number FROM \"{table}\" WHERE tenant_id = {} AND {column} <> ''",
        tenant.id
    );
    let files: i64 = query_one(db, &sql).await?.map_or(Ok(0), |row| row.try_get("", "number"))?;
    found.files = files.unsigned_abs();
    Ok(found)
}

/// Returns the default folder for the export of a tenant.
pub async fn default_folder(settings: &Settings, db: &Database, short_code: &str) -> Result<PathBuf> {
    let Tenant { id, .. } = find(db, short_code).await?;
    Ok(settings.data_dir.join("removed").join(format!("tenant-{id}")))
}

/// Removes a tenant completely, after exporting all their data into the folder; returns the deleted data.
///
/// # Errors
/// The reason why it stopped. No data are lost: the same call continues.
pub async fn remove(
    settings: &Settings,
    db: &Database,
    short_code: &str,
    folder: &Path,
) -> Result<TenantData> {
    let tenant = find(db, short_code).await?;
    let files = settings.storage()?;
    claim(folder, &tenant)?;
    begin(db, &tenant).await?;
    export(db, &files, &tenant, folder).await?;
    leave_nodes(db, &tenant).await?;
    let mut deleted = TenantData { company: tenant.company.clone(), ..TenantData::default() };
    for table in tenant_tables().filter(|table| table.name != "tenant") {
        let rows = empty(db, &files, &tenant, table, &folder.join(REMOVED), &mut deleted.files).await?;
        if rows > 0 {
            deleted.tables.insert(table.name, rows);
        }
    }
    end(db, &tenant).await?;
    deleted.tables.insert("tenant", 1);
    Ok(deleted)
}

struct Tenant {
    id: i64,
    company: String,
}

/// Returns the tables with rows of tenants.
fn tenant_tables() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().filter(|table| table.rows != Rows::Platform)
}

/// Returns the SQL condition for the rows of a tenant in a table.
fn rows_of_tenant(table: &Table, tenant: i64) -> String {
    match table.rows {
        Rows::Platform => "false".to_owned(),
        Rows::Tenant(column) | Rows::Of(column, "tenant") => format!("\"{column}\" = {tenant}"),
        Rows::Of(column, whole) => {
            let whole = TABLES.iter().find(|table| table.name == whole).expect("a table of the list");
            let parts = format!(
                "\"{column}\" IN (SELECT id FROM \"{}\" WHERE {})",
                whole.name,
                rows_of_tenant(whole, tenant)
            );
            // a distributed part has the tenant of its whole, by which its shard is found
            if table.kind == Kind::Distributed { format!("tenant_id = {tenant} AND {parts}") } else { parts }
        }
    }
}

async fn find(db: &Database, short_code: &str) -> Result<Tenant> {
    let sql = "SELECT id, company FROM tenant WHERE short_code_fold = $1";
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, [fold(short_code).into()]);
    let found = db.query_one_raw(statement).await?;
    let row = found
        .ok_or_else(|| Error::internal(format!("there is no tenant with the short code {short_code}")))?;
    Ok(Tenant { id: row.try_get("", "id")?, company: row.try_get("", "company")? })
}

/// Claims a folder that is empty, or was used by an earlier attempt for the same tenant.
fn claim(folder: &Path, tenant: &Tenant) -> Result<()> {
    let label = folder.join("tenant.json");
    let text = serde_json::json!({ "id": tenant.id, "company": tenant.company }).to_string();
    fs::create_dir_all(folder)?;
    if label.exists() {
        let same = fs::read_to_string(&label)? == text;
        return if same {
            Ok(())
        } else {
            Err(Error::internal(format!("{} is of another tenant", folder.display())))
        };
    }
    if fs::read_dir(folder)?.next().is_some() {
        return Err(Error::internal(format!("{} is not empty", folder.display())));
    }
    fs::write(&label, text)?;
    File::open(&label)?.sync_all()?;
    sync(folder)
}

/// Locks the tenant: their users are disabled, other users cannot choose the tenant, and their imports are
/// cancelled; a running one fails at its next batch.
async fn begin(db: &Database, Tenant { id, .. }: &Tenant) -> Result<()> {
    let tx = db.begin_long().await?;
    let now = Value::from(now());
    let statements = [
        (
            format!("UPDATE tenant SET removal_begun_at = $1 WHERE id = {id} AND removal_begun_at IS NULL"),
            vec![now.clone()],
        ),
        (format!("UPDATE \"user\" SET status = 'Disabled' WHERE tenant_id = {id}"), vec![]),
        (
            format!(
                "UPDATE import SET status = 'Cancelled', fence = fence + 1, finished_at = $1, lease_owner = NULL, \
                 lease_until = NULL WHERE tenant_id = {id} AND status IN ('Queued', 'InProgress')"
            ),
            vec![now],
        ),
    ];
    for (sql, values) in statements {
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await?;
    }
    tenancy::rights::changed(&tx).await?;
    versioned_cache::changed(&tx, cache_topics::TENANTS).await?;
    tx.commit().await
}

/// Removes their warehouses from the platform's shipping nodes, which stay.
async fn leave_nodes(db: &Database, Tenant { id, .. }: &Tenant) -> Result<()> {
    let tx = db.begin_long().await?;
    node::leave_warehouses(&tx, &Scope::platform(), TenantId(*id)).await?;
    tx.commit().await
}

/// Exports all remaining data. If an earlier attempt has already begun to delete, its export stays
/// unchanged.
async fn export(db: &Database, files: &Storage, tenant: &Tenant, folder: &Path) -> Result<()> {
    let whole = folder.join(BEFORE);
    if whole.exists() {
        return Ok(());
    }
    let half = folder.join(format!("{BEFORE}.part"));
    if half.exists() {
        fs::remove_dir_all(&half)?;
    }
    fs::create_dir_all(&half)?;
    for table in tenant_tables() {
        let mut lines = Lines::create(&half, table.name)?;
        let key = key(db, table).await?;
        let mut last = None;
        loop {
            let rows = batch(db, table, &key, tenant, last.as_ref()).await?;
            for row in &rows {
                copy(files, row, &half.join("files")).await?;
                lines.add(row)?;
            }
            match rows.into_iter().last() {
                Some(row) => last = Some(row.key),
                None => break,
            }
        }
        lines.finish()?;
    }
    sync(&half)?;
    fs::rename(&half, &whole)?;
    sync(folder)
}

/// Deletes a table's rows of the tenant. Each batch is written to disk before it is deleted.
async fn empty(
    db: &Database,
    files: &Storage,
    tenant: &Tenant,
    table: &Table,
    folder: &Path,
    discarded: &mut u64,
) -> Result<u64> {
    fs::create_dir_all(folder)?;
    let key = key(db, table).await?;
    let (mut removed, mut last, mut found_any) = (0, None, false);
    loop {
        let rows = batch(db, table, &key, tenant, last.as_ref()).await?;
        if rows.is_empty() {
            // rows that were added meanwhile may come before the last one
            if !found_any {
                return Ok(removed);
            }
            (last, found_any) = (None, false);
            continue;
        }
        found_any = true;
        let mut lines = Lines::append(folder, table.name)?;
        for row in &rows {
            copy(files, row, &folder.join("files")).await?;
            lines.add(row)?;
        }
        lines.finish()?;
        let tx = db.begin_long().await?;
        removed += delete(&tx, table, &key, tenant, &rows).await?;
        tx.commit().await?;
        for key in rows.iter().filter_map(|row| row.file.as_deref()) {
            files.discard(key).await;
            *discarded += 1;
        }
        last = rows.into_iter().last().map(|row| row.key);
    }
}

async fn delete(tx: &Write, table: &Table, key: &[String], tenant: &Tenant, rows: &[Row]) -> Result<u64> {
    let keys: Vec<_> = rows.iter().map(|row| format!("({})", row.key.join(", "))).collect();
    let sql = format!(
        "DELETE FROM \"{}\" WHERE {} AND ({}) IN (VALUES {})",
        table.name,
        rows_of_tenant(table, tenant.id),
        quoted(key, ""),
        keys.join(", ")
    );
    Ok(tx.execute_unprepared(&sql).await?.rows_affected())
}

/// Deletes the tenant, whose data are all deleted by now, and records it in the history.
async fn end(db: &Database, tenant: &Tenant) -> Result<()> {
    let tx = db.begin_long().await?;
    let deleted = tx.execute_unprepared(&format!("DELETE FROM tenant WHERE id = {}", tenant.id)).await;
    if let Err(error) = deleted {
        tx.rollback().await?;
        let cause = format!("something was added meanwhile; run the command again ({error})");
        return Err(Error::internal(cause));
    }
    let mut entry = HistoryEntry::new(Action::Deleted, "tenant", Some(tenant.id));
    entry.name = Some(tenant.company.clone());
    tx.note(entry);
    tenancy::rights::changed(&tx).await?;
    tx.commit().await
}

/// Row as JSON, with its primary key as SQL literals.
struct Row {
    line: String,
    key: Vec<String>,
    file: Option<String>,
}

/// Returns the columns of a table's primary key, in its order. Each partition of a partitioned table has the
/// same one.
async fn key(db: &Database, table: &Table) -> Result<Vec<String>> {
    let name = table.name;
    let sql = match db.get_database_backend() {
        DbBackend::Sqlite => format!("SELECT name FROM pragma_table_info('{name}') WHERE pk > 0 ORDER BY pk"),
        _ => format!(
            "SELECT a.attname::text AS name FROM pg_index i CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY k(att, n) \
             JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.att \
             WHERE i.indrelid = (SELECT coalesce(min(inhrelid), '\"{name}\"'::regclass) FROM pg_inherits \
             WHERE inhparent = '\"{name}\"'::regclass) AND i.indisprimary ORDER BY k.n"
        ),
    };
    let columns = names(db, sql).await?;
    if columns.is_empty() {
        return Err(Error::internal(format!("{name} has no primary key")));
    }
    Ok(columns)
}

/// Formats columns with their table: `t."tenant_id", t."id"`.
fn quoted(columns: &[String], prefix: &str) -> String {
    let columns = columns.iter().map(|column| format!("{prefix}\"{column}\""));
    columns.collect::<Vec<_>>().join(", ")
}

/// Loads the next rows of a table after a key, or the first ones.
async fn batch(
    db: &Database,
    table: &Table,
    key: &[String],
    tenant: &Tenant,
    behind: Option<&Vec<String>>,
) -> Result<Vec<Row>> {
    let name = table.name;
    let is_sqlite = db.get_database_backend() == DbBackend::Sqlite;
    let columns = columns(db, name).await?;
    let line = if is_sqlite {
        let pairs = columns.iter().map(|column| format!("'{column}', t.\"{column}\""));
        format!("json_object({})", pairs.collect::<Vec<_>>().join(", "))
    } else {
        format!("(SELECT to_jsonb(r) FROM (SELECT {}) r)::text", quoted(&columns, "t."))
    };
    let literals = key.iter().enumerate().map(|(number, column)| {
        if is_sqlite {
            format!("quote(t.\"{column}\") AS key_{number}")
        } else {
            format!(
                "quote_literal(t.\"{column}\"::text) || '::' || pg_typeof(t.\"{column}\") AS key_{number}"
            )
        }
    });
    let literals = literals.collect::<Vec<_>>().join(", ");
    let file = match (name == FILES.0, is_sqlite) {
        (true, _) => FILES.1,
        (false, true) => "NULL",
        (false, false) => "NULL::text",
    };
    let order = quoted(key, "t.");
    let behind = behind.map(|last| format!("AND ({order}) > ({})", last.join(", "))).unwrap_or_default();
    let sql = format!(
        "SELECT {line} AS line, {literals}, {file} AS file FROM \"{name}\" t WHERE {} {behind} ORDER BY {order} \
         LIMIT {BATCH}",
        rows_of_tenant(table, tenant.id)
    );
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await?;
    let read = |row: &QueryResult| {
        let file: Option<String> = row.try_get("", "file")?;
        let key = (0..key.len()).map(|number| row.try_get("", &format!("key_{number}")));
        Ok(Row {
            line: row.try_get("", "line")?,
            key: key.collect::<Result<_, _>>()?,
            file: file.filter(|key| !key.is_empty()),
        })
    };
    rows.iter().map(read).collect()
}

/// Returns the columns of a table to be exported, without secrets.
async fn columns(db: &Database, table: &str) -> Result<Vec<String>> {
    let sql = match db.get_database_backend() {
        DbBackend::Sqlite => format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid"),
        _ => format!(
            "SELECT attname::text AS name FROM pg_attribute WHERE attrelid = '\"{table}\"'::regclass AND attnum > 0 \
             AND NOT attisdropped ORDER BY attnum"
        ),
    };
    Ok(names(db, sql).await?.into_iter().filter(|column| !is_secret(table, column)).collect())
}

async fn names(db: &Database, sql: String) -> Result<Vec<String>> {
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await?;
    Ok(rows.iter().map(|row| row.try_get::<String>("", "name")).collect::<Result<Vec<_>, _>>()?)
}

/// True for hashes of passwords and tokens, sealed credentials, and texts of mails, which contain links.
fn is_secret(table: &str, column: &str) -> bool {
    column.ends_with("_hash")
        || column.ends_with("_sealed")
        || table == "mail" && matches!(column, "text" | "html")
}

async fn query_one(db: &Database, sql: &str) -> Result<Option<QueryResult>> {
    Ok(db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await?)
}

/// Copies the file that a row names. A missing one was deleted by an earlier attempt.
async fn copy(files: &Storage, row: &Row, folder: &Path) -> Result<()> {
    let Some(key) = &row.file else { return Ok(()) };
    let Some(mut content) = files.find(key).await? else { return Ok(()) };
    let to = folder.join(key);
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    let mut file = File::create(&to)?;
    while let Some(bytes) = content.try_next().await? {
        file.write_all(&bytes)?;
    }
    Ok(file.sync_all()?)
}

/// File with one JSON document per line.
struct Lines(BufWriter<File>);

impl Lines {
    fn create(folder: &Path, table: &str) -> Result<Self> {
        Ok(Self(BufWriter::new(File::create_new(folder.join(format!("{table}.jsonl")))?)))
    }

    fn append(folder: &Path, table: &str) -> Result<Self> {
        let file =
            OpenOptions::new().create(true).append(true).open(folder.join(format!("{table}.jsonl")))?;
        Ok(Self(BufWriter::new(file)))
    }

    fn add(&mut self, row: &Row) -> Result<()> {
        Ok(writeln!(self.0, "{}", row.line)?)
    }

    /// Flushes everything to disk.
    fn finish(self) -> Result<()> {
        let file = self.0.into_inner().map_err(|error| Error::from(error.into_error()))?;
        Ok(file.sync_all()?)
    }
}

/// Makes the names in a folder durable.
fn sync(folder: &Path) -> Result<()> {
    Ok(File::open(folder)?.sync_all()?)
}
