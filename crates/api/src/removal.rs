//! Removing a tenant whole: everything that is theirs is written into a folder first, and then goes, a batch at a time. What
//! is begun is gone on with by the same command, whatever ended it.
//!
//! Which rows those are is said in [`migrations::kind`], whose order also is the one in which they can go.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
};

use kernel::{
    Database, Error, Result, Write,
    audit::{Action, HistoryEntry},
    fold, now,
};
use migrations::kind::{Rows, TABLES, Table};
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement, Value};
use storage::Storage;

use crate::config::Settings;

/// The rows of a batch.
const BATCH: usize = 1_000;
/// Uploaded files are named by rows of this table, in this column.
const FILES: (&str, &str) = ("import", "upload_key");
/// Everything as it was before the first row went.
const BEFORE: &str = "before";
/// What then went, batch by batch: also what others have added in between.
const REMOVED: &str = "removed";

/// What a tenant has, or had.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Belongings {
    pub company: String,
    /// Rows of each table that has any.
    pub tables: BTreeMap<&'static str, u64>,
    pub files: u64,
}

/// What would go with a tenant. Nothing is changed.
///
/// # Errors
/// Says so when there is no tenant of this short code.
pub async fn look_at(db: &Database, short_code: &str) -> Result<Belongings> {
    let tenant = find(db, short_code).await?;
    let mut found = Belongings { company: tenant.company, ..Belongings::default() };
    for table in owned() {
        let sql =
            format!("SELECT count(*) AS number FROM \"{}\" t WHERE {}", table.name, of(table, tenant.id));
        let number: i64 = one(db, &sql).await?.map_or(Ok(0), |row| row.try_get("", "number"))?;
        if number > 0 {
            found.tables.insert(table.name, number.unsigned_abs());
        }
    }
    let (table, column) = FILES;
    let sql = format!(
        "SELECT count(*) AS number FROM \"{table}\" WHERE tenant_id = {} AND {column} <> ''",
        tenant.id
    );
    let files: i64 = one(db, &sql).await?.map_or(Ok(0), |row| row.try_get("", "number"))?;
    found.files = files.unsigned_abs();
    Ok(found)
}

/// Where everything of a tenant is written if nobody says otherwise.
pub async fn usual_folder(settings: &Settings, db: &Database, short_code: &str) -> Result<PathBuf> {
    let Tenant { id, .. } = find(db, short_code).await?;
    Ok(settings.data_dir.join("removed").join(format!("tenant-{id}")))
}

/// Removes a tenant whole, after everything of theirs has been written into the folder; what has gone.
///
/// # Errors
/// Says what was in the way. Then nothing is lost: the same call goes on.
pub async fn remove(
    settings: &Settings,
    db: &Database,
    short_code: &str,
    folder: &Path,
) -> Result<Belongings> {
    let tenant = find(db, short_code).await?;
    let files = Files { storage: settings.storage()?, uploads: settings.data_dir.join("uploads") };
    claim(folder, &tenant)?;
    begin(db, &tenant).await?;
    export(db, &files, &tenant, folder).await?;
    let mut gone = Belongings { company: tenant.company.clone(), ..Belongings::default() };
    for table in owned().filter(|table| table.name != "tenant") {
        let rows = empty(db, &files, &tenant, table, &folder.join(REMOVED), &mut gone.files).await?;
        if rows > 0 {
            gone.tables.insert(table.name, rows);
        }
    }
    end(db, &tenant).await?;
    gone.tables.insert("tenant", 1);
    Ok(gone)
}

struct Tenant {
    id: i64,
    company: String,
}

struct Files {
    storage: Storage,
    uploads: PathBuf,
}

/// The tables that hold rows of tenants.
fn owned() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().filter(|table| table.rows != Rows::Platform)
}

/// Which rows of a table are a tenant's.
fn of(table: &Table, tenant: i64) -> String {
    match table.rows {
        Rows::Platform => "false".to_owned(),
        Rows::Tenant(column) => format!("\"{column}\" = {tenant}"),
        Rows::Of(column, whole) => {
            let whole = TABLES.iter().find(|table| table.name == whole).expect("a table of the list");
            format!("\"{column}\" IN (SELECT id FROM \"{}\" WHERE {})", whole.name, of(whole, tenant))
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

/// A folder that is empty, or that an earlier attempt has begun for the same tenant.
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

/// From here on nobody acts for the tenant: their people are locked out, nobody else can choose them, and their imports
/// have ended, of which one that is at work loses its next batch.
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
    tx.commit().await
}

/// Writes everything that is still there. Of an earlier attempt that has already begun to delete, its own export stays.
async fn export(db: &Database, files: &Files, tenant: &Tenant, folder: &Path) -> Result<()> {
    let whole = folder.join(BEFORE);
    if whole.exists() {
        return Ok(());
    }
    let half = folder.join(format!("{BEFORE}.part"));
    if half.exists() {
        fs::remove_dir_all(&half)?;
    }
    fs::create_dir_all(&half)?;
    for table in owned() {
        let mut lines = Lines::create(&half, table.name)?;
        let mut last = None;
        loop {
            let rows = batch(db, table, tenant, last.as_deref()).await?;
            for row in &rows {
                files.copy(row, &half.join("files"))?;
                lines.add(row)?;
            }
            match rows.last() {
                Some(row) => last = Some(row.place.clone()),
                None => break,
            }
        }
        lines.finish()?;
    }
    sync(&half)?;
    fs::rename(&half, &whole)?;
    sync(folder)
}

/// Deletes a table's rows of the tenant. Each batch is on the disk before it goes.
async fn empty(
    db: &Database,
    files: &Files,
    tenant: &Tenant,
    table: &Table,
    folder: &Path,
    discarded: &mut u64,
) -> Result<u64> {
    fs::create_dir_all(folder)?;
    let mut removed = 0;
    loop {
        let rows = batch(db, table, tenant, None).await?;
        if rows.is_empty() {
            return Ok(removed);
        }
        let mut lines = Lines::append(folder, table.name)?;
        for row in &rows {
            files.copy(row, &folder.join("files"))?;
            lines.add(row)?;
        }
        lines.finish()?;
        let tx = db.begin_long().await?;
        removed += delete(&tx, table, &rows).await?;
        tx.commit().await?;
        for key in rows.iter().filter_map(|row| row.file.as_deref()) {
            files.storage.discard(key).await;
            *discarded += 1;
        }
    }
}

async fn delete(tx: &Write, table: &Table, rows: &[Row]) -> Result<u64> {
    let places: Vec<_> = rows.iter().map(|row| row.place.as_str()).collect();
    let which = match tx.get_database_backend() {
        DbBackend::Sqlite => format!("rowid IN ({})", places.join(", ")),
        _ => format!("ctid = ANY (ARRAY['{}']::tid[])", places.join("', '")),
    };
    let deleted = tx.execute_unprepared(&format!("DELETE FROM \"{}\" WHERE {which}", table.name)).await?;
    Ok(deleted.rows_affected())
}

/// Deletes the tenant, of whom nothing is left, and tells the history.
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

/// A row as JSON, and where it lies.
struct Row {
    line: String,
    place: String,
    file: Option<String>,
}

/// The next rows of a table behind a place, or the first.
async fn batch(db: &Database, table: &Table, tenant: &Tenant, behind: Option<&str>) -> Result<Vec<Row>> {
    let name = table.name;
    let file = if name == FILES.0 { FILES.1 } else { "NULL" };
    let of = of(table, tenant.id);
    let sql = if db.get_database_backend() == DbBackend::Sqlite {
        let pairs = columns(db, name).await?.into_iter().map(|column| format!("'{column}', t.\"{column}\""));
        let line = pairs.collect::<Vec<_>>().join(", ");
        let behind = behind.unwrap_or("-9223372036854775808");
        format!(
            "SELECT json_object({line}) AS line, CAST(t.rowid AS TEXT) AS place, {file} AS file FROM \"{name}\" t \
             WHERE {of} AND t.rowid > {behind} ORDER BY t.rowid LIMIT {BATCH}"
        )
    } else {
        let line = columns(db, name).await?.into_iter().map(|column| format!("t.\"{column}\""));
        let line = line.collect::<Vec<_>>().join(", ");
        let behind = behind.map(|place| format!("AND t.ctid > '{place}'::tid")).unwrap_or_default();
        format!(
            "SELECT (SELECT to_jsonb(r) FROM (SELECT {line}) r)::text AS line, t.ctid::text AS place, {file}::text AS file \
             FROM \"{name}\" t WHERE {of} {behind} ORDER BY t.ctid LIMIT {BATCH}"
        )
    };
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await?;
    let read = |row: &QueryResult| {
        let file: Option<String> = row.try_get("", "file")?;
        Ok(Row {
            line: row.try_get("", "line")?,
            place: row.try_get("", "place")?,
            file: file.filter(|key| !key.is_empty()),
        })
    };
    rows.iter().map(read).collect()
}

/// The columns of a table that are written: secrets stay where they are.
async fn columns(db: &Database, table: &str) -> Result<Vec<String>> {
    let sql = match db.get_database_backend() {
        DbBackend::Sqlite => format!("SELECT name FROM pragma_table_info('{table}') ORDER BY cid"),
        _ => format!(
            "SELECT attname::text AS name FROM pg_attribute WHERE attrelid = '\"{table}\"'::regclass AND attnum > 0 \
             AND NOT attisdropped ORDER BY attnum"
        ),
    };
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await?;
    let names = rows.iter().map(|row| row.try_get::<String>("", "name")).collect::<Result<Vec<_>, _>>()?;
    Ok(names.into_iter().filter(|column| !is_secret(table, column)).collect())
}

/// Hashes of passwords and tokens, and texts of mails, which hold links.
fn is_secret(table: &str, column: &str) -> bool {
    column.ends_with("_hash") || table == "mail" && matches!(column, "text" | "html")
}

async fn one(db: &Database, sql: &str) -> Result<Option<QueryResult>> {
    Ok(db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await?)
}

impl Files {
    /// Copies the file that a row names. One that is gone already went in an earlier attempt.
    fn copy(&self, row: &Row, folder: &Path) -> Result<()> {
        let Some(key) = &row.file else { return Ok(()) };
        let (from, to) = (self.uploads.join(key), folder.join(key));
        if !from.is_file() {
            return Ok(());
        }
        if let Some(parent) = to.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::copy(&from, &to)?;
        Ok(File::open(&to)?.sync_all()?)
    }
}

/// A file of one JSON document a line.
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

    /// Everything is on the disk.
    fn finish(self) -> Result<()> {
        let file = self.0.into_inner().map_err(|error| Error::from(error.into_error()))?;
        Ok(file.sync_all()?)
    }
}

/// Makes the names in a folder durable.
fn sync(folder: &Path) -> Result<()> {
    Ok(File::open(folder)?.sync_all()?)
}
