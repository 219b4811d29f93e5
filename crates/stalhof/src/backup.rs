//! Backups: a snapshot of the database and the files that it names, in one archive; restoring one; and
//! checking an installation.

mod archive;
mod check;
mod postgres;
mod sqlite;

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use futures_util::TryStreamExt;
use migrations::Migrator;
use sea_orm_migration::MigratorTrait;
use serde::{Deserialize, Serialize};
use storage::Storage;
use store::Database;
use values::{Error, Result, now};

pub use check::{Report, check};

use self::archive::{Archive, Writer};
use crate::{config::Settings, folder, migrate::OtherVersion};

/// Manifest of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Format of the archive; other formats are refused.
    format: u32,
    /// Version of the program that created it.
    pub version: String,
    pub made_at: String,
    pub database: Kind,
    /// Migrations of the schema, the oldest first.
    migrations: Vec<String>,
    /// Number of rows in each table.
    pub tables: BTreeMap<String, u64>,
    /// Last number of each sequence of PostgreSQL.
    #[serde(default)]
    sequences: BTreeMap<String, i64>,
    /// Number of files.
    pub files: usize,
}

/// Kind of database in an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Sqlite,
    Postgres,
}

const FORMAT: u32 = 1;
const FILES: &str = "files/";

/// Query for all files that rows name. `every_column_that_names_files_is_listed` finds missing columns.
const NAMED_FILES: &str = "SELECT upload_key AS key FROM import WHERE upload_key <> '' \
    UNION SELECT key FROM category_image UNION SELECT thumbnail_key FROM category_image \
    UNION SELECT key FROM article_image UNION SELECT thumbnail_key FROM article_image";

/// Creates a backup while the server runs, and verifies it before it gets its name.
///
/// # Errors
/// The reason why it failed; then there is no file of that name.
pub async fn backup(settings: &Settings, target: &Path) -> Result<Manifest> {
    if target.exists() {
        return Err(Error::internal(format!("{} is there already", target.display())));
    }
    let half = beside(target, ".part");
    let made = write(settings, &half).await;
    if made.is_err() {
        // an incomplete file is removed; it is no error if there is none
        let _ = fs::remove_file(&half);
    }
    let manifest = made?;
    fs::rename(&half, target)?;
    sync_folder(target)?;
    Ok(manifest)
}

async fn write(settings: &Settings, half: &Path) -> Result<Manifest> {
    let mut writer = Writer::create(half)?;
    let storage = settings.storage()?;
    // files that exist before the database is read cannot be deleted between the two
    let mut kept = HashSet::new();
    for key in all_files(&storage).await? {
        if add_file(&mut writer, &storage, &key).await? {
            kept.insert(key);
        }
    }
    let url = settings.database_url();
    let contents = match Database::embedded_file(&url) {
        Some(_) => sqlite::save(&url, half, &mut writer).await?,
        None => postgres::save(&url, &mut writer).await?,
    };
    for key in &contents.named_files {
        if !kept.contains(key) {
            if !add_file(&mut writer, &storage, key).await? {
                return Err(Error::internal(format!("the file {key} is missing, which the database names")));
            }
            kept.insert(key.clone());
        }
    }
    let manifest = Manifest {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        made_at: now().to_rfc3339(),
        database: contents.kind,
        migrations: contents.migrations,
        tables: contents.tables,
        sequences: contents.sequences,
        files: kept.len(),
    };
    writer.finish(&manifest)?;
    let found = Archive::open(half)?.verify()?;
    if found == manifest { Ok(manifest) } else { Err(Error::internal("what was written reads otherwise")) }
}

/// Contents of a database at the time of the backup.
struct Contents {
    kind: Kind,
    migrations: Vec<String>,
    tables: BTreeMap<String, u64>,
    sequences: BTreeMap<String, i64>,
    named_files: Vec<String>,
}

/// Restores a backup into an empty installation, and checks it.
///
/// # Errors
/// A damaged archive, one of another kind of database or of a newer version, and a target that is not empty,
/// are refused before anything is written.
pub async fn restore(settings: &Settings, source: &Path) -> Result<(Manifest, Report)> {
    let mut archive = Archive::open(source)?;
    let manifest = archive.verify()?;
    let own_migrations: Vec<String> =
        Migrator::migrations().iter().map(|migration| migration.name().to_owned()).collect();
    if OtherVersion::find(manifest.migrations.iter().map(String::as_str)) == Some(OtherVersion::Development) {
        return Err(Error::internal(
            "the backup was made by a development version from before the first release, and this version cannot \
             read it. Restore it with the program that made it",
        ));
    }
    if !own_migrations.starts_with(&manifest.migrations) {
        return Err(Error::internal(format!(
            "the backup was made by version {}, whose database this version does not know",
            manifest.version
        )));
    }
    folder::prepare(&settings.data_dir)?;
    let url = settings.database_url();
    let embedded = Database::embedded_file(&url);
    let here = if embedded.is_some() { Kind::Sqlite } else { Kind::Postgres };
    if here != manifest.database {
        return Err(Error::internal(format!(
            "the backup is of {:?}, the database here is {here:?}",
            manifest.database
        )));
    }
    let _alone = folder::lock_data_folder(settings)?;
    let storage = settings.storage()?;
    if !all_files(&storage).await?.is_empty() {
        return Err(Error::internal(format!("{} is not empty", storage.place())));
    }
    match &embedded {
        Some(file) => sqlite::refuse_unless_empty(file)?,
        None => postgres::refuse_unless_empty(&url).await?,
    }
    archive.restore_files(&storage).await?;
    match &embedded {
        Some(file) => sqlite::restore(file, &mut archive)?,
        None => postgres::restore(&url, &manifest, &mut archive).await?,
    }
    let report = check(settings).await?;
    if report.tables != manifest.tables {
        return Err(Error::internal("the tables do not hold as many rows as the backup says"));
    }
    Ok((manifest, report))
}

/// Returns the keys of all files.
async fn all_files(storage: &Storage) -> Result<Vec<String>> {
    let mut keys = storage.keys().await?;
    keys.retain(|key| archive::is_key(key));
    Ok(keys)
}

/// Adds a file; returns true if it exists.
async fn add_file(writer: &mut Writer, storage: &Storage, key: &str) -> Result<bool> {
    let Some(mut content) = storage.find(key).await? else { return Ok(false) };
    writer.begin(&format!("{FILES}{key}"))?;
    while let Some(bytes) = content.try_next().await? {
        writer.write(&bytes)?;
    }
    Ok(true)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Makes a new file name durable.
fn sync_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(fs::File::open(folder)?.sync_all()?)
}
