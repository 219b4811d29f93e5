//! Data folder: readable only by the server's account, and on SQLite used by a single server.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use store::Database;
use values::{Error, Result};

use crate::{codes, config::Settings};

/// Sets the umask so that only the server's own account can read the files it creates.
pub fn set_private_umask() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
}

/// Creates the folder, and checks that it is writable.
pub(crate) fn prepare(folder: &Path) -> Result<()> {
    let problem = |error: io::Error| {
        Error::internal(format!(
            "cannot write into the data folder {}: {error}. Choose one with STALHOF_DATA_DIR that belongs to the \
             account of the server",
            folder.display()
        ))
    };
    fs::create_dir_all(folder).map_err(problem)?;
    tempfile::tempfile_in(folder).map_err(problem)?;
    Ok(())
}

/// Removes read permissions that an earlier version may have granted to other accounts.
pub(crate) fn protect(folder: &Path) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if fs::metadata(folder)?.permissions().mode() & 0o077 != 0 {
            restrict(folder)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn restrict(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let kind = fs::symlink_metadata(path)?.file_type();
    if kind.is_dir() {
        for entry in fs::read_dir(path)? {
            restrict(&entry?.path())?;
        }
    }
    // the folder itself last, so that an interrupted run is repeated
    let mode = if kind.is_dir() { 0o700 } else { 0o600 };
    if kind.is_dir() || kind.is_file() {
        fs::set_permissions(path, fs::Permissions::from_mode(mode))
    } else {
        Ok(())
    }
}

/// Refuses to serve an embedded database that another server uses: each would cache data that the other
/// changes. The lock lasts until the returned file is dropped; PostgreSQL needs none.
pub(crate) fn lock_data_folder(settings: &Settings) -> Result<Option<File>> {
    let Some(database) = Database::embedded_file(&settings.database_url()) else { return Ok(None) };
    prepare(&settings.data_dir)?;
    let path = lock_file(&database);
    let file = File::options().write(true).create(true).truncate(false).open(&path)?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => {
            Err(codes::DATABASE_SERVED.with("database", database.display()).into())
        }
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

fn lock_file(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    name.into()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn files_readable_by_others_become_private() {
        let folder = tempfile::tempdir().unwrap();
        let (below, file) = (folder.path().join("uploads"), folder.path().join("uploads/file"));
        fs::create_dir(&below).unwrap();
        fs::write(&file, "secret").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        for (path, mode) in [(folder.path(), 0o755), (&below, 0o775), (&file, 0o644)] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
        protect(folder.path()).unwrap();
        assert_eq!((mode(folder.path()), mode(&below), mode(&file)), (0o700, 0o700, 0o600));
    }
}
