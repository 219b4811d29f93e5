//! Check that the storage of files belongs to this installation: all its processes share the storage, and no
//! other installation uses it, whose clean-up would delete the files.
//!
//! The database and the storage contain the same random id. The first process that finds none writes it to
//! both.

use identity::server_key;
use storage::Storage;
use store::Database;
use uuid::Uuid;
use values::{Error, Result};

const PURPOSE: &str = "files";

/// Checks that the files are those of this installation.
///
/// # Errors
/// An explanation for the operator.
pub async fn verify(db: &Database, files: &Storage) -> Result<()> {
    let installation = match server_key::find(db, PURPOSE).await? {
        Some(installation) => installation,
        None => claim(db, files).await?,
    };
    let marker = marker(files).await?;
    if marker.as_ref() == Some(&installation) {
        return Ok(());
    }
    let (place, key) = (files.place(), files.marker_key());
    Err(Error::internal(if marker.is_some() {
        format!(
            "{place} holds the files of another installation. Check STALHOF_FILES, STALHOF_DATA_DIR and DATABASE_URL"
        )
    } else {
        format!(
            "{place} does not hold the files of this installation, which all its processes share. Check STALHOF_FILES and \
             STALHOF_DATA_DIR. If the files have moved, move {key} with them; if they are lost, put the line \
             {installation} there"
        )
    }))
}

/// Creates an id for a new installation and its storage of files.
///
/// The storage is read only while this process holds the row lock of the id. Another process that starts at
/// the same time writes its marker before it commits, and would look like another installation.
async fn claim(db: &Database, files: &Storage) -> Result<String> {
    let own = Uuid::now_v7().to_string();
    let tx = db.begin().await?;
    // waits for another process that does the same
    let installation = server_key::find_or_create(&tx, PURPOSE, own.clone()).await?;
    if installation != own {
        return Ok(installation);
    }
    if marker(files).await?.is_some() {
        return Err(Error::internal(format!(
            "{} holds the files of an installation with another database. Choose an empty place with STALHOF_FILES or \
             STALHOF_DATA_DIR; if that database is gone for good, delete {} there",
            files.place(),
            files.marker_key()
        )));
    }
    files.mark(&installation).await.map_err(|error| unusable(files, error))?;
    tx.commit().await?;
    Ok(installation)
}

async fn marker(files: &Storage) -> Result<Option<String>> {
    files.marker().await.map_err(|error| unusable(files, error))
}

fn unusable(files: &Storage, error: Error) -> Error {
    let why = match error {
        Error::FilesAway(why) => why,
        error => error.to_string(),
    };
    Error::internal(format!("cannot use the files in {}: {why}", files.place()))
}
