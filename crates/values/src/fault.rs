//! Temporary faults of the machine, as opposed to errors in the work itself.

use std::io;

use sea_orm::{
    DbErr, RuntimeErr,
    sqlx::{self, error::DatabaseError},
};

use crate::{code::Code, codes};

/// Reason for which a correct statement or file operation failed; a retry may succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The database cannot be reached or does not answer.
    Away,
    /// The database answers, but has no free connection or is locked by others.
    Busy,
    /// The bucket with the files cannot be reached or does not answer.
    FilesAway,
    /// The disk is full.
    DiskFull,
    /// The disk refuses to write or to read.
    DiskFails,
}

impl Fault {
    /// Error code for the caller.
    pub fn code(self) -> Code {
        match self {
            Self::Away => codes::DATABASE_AWAY,
            Self::Busy => codes::BUSY,
            Self::FilesAway => codes::FILES_AWAY,
            Self::DiskFull => codes::DISK_FULL,
            Self::DiskFails => codes::DISK_FAILS,
        }
    }

    /// Fault behind an error of the database; `None` if the statement itself is to blame.
    pub fn from_db_error(error: &DbErr) -> Option<Self> {
        match error {
            DbErr::ConnectionAcquire(_) => Some(Self::Busy),
            DbErr::Conn(RuntimeErr::SqlxError(error))
            | DbErr::Exec(RuntimeErr::SqlxError(error))
            | DbErr::Query(RuntimeErr::SqlxError(error)) => Self::from_driver_error(error),
            DbErr::Conn(RuntimeErr::Internal(_)) => Some(Self::Away),
            _ => None,
        }
    }

    fn from_driver_error(error: &sqlx::Error) -> Option<Self> {
        match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => Some(Self::Busy),
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::WorkerCrashed => Some(Self::Away),
            sqlx::Error::Database(error) => Self::from_server_error(&**error),
            _ => None,
        }
    }

    /// Classifies an error code of a server. PostgreSQL's codes have five characters (its manual, appendix
    /// A); SQLite's are numbers whose lower eight bits are the primary code (sqlite.org/rescode.html).
    fn from_server_error(error: &dyn DatabaseError) -> Option<Self> {
        let code = error.code()?;
        if code.len() == 5 {
            return match &*code {
                // 25006: a read-only server, because another one has taken over
                "57P01" | "57P02" | "57P03" | "25006" => Some(Self::Away),
                "53200" | "53300" | "53400" | "55P03" | "57014" | "40P01" | "40001" => Some(Self::Busy),
                "53100" => Some(Self::DiskFull),
                "58000" | "58030" => Some(Self::DiskFails),
                _ => None,
            };
        }
        match code.parse::<u32>().ok()? & 0xff {
            5 | 6 => Some(Self::Busy),
            13 => Some(Self::DiskFull),
            8 | 10 | 14 => Some(Self::DiskFails),
            _ => None,
        }
    }

    /// Fault behind an error of a file; `None` if the file is missing or has wrong content.
    pub fn from_io_error(error: &io::Error) -> Option<Self> {
        use io::ErrorKind::{
            AlreadyExists, InvalidData, InvalidInput, NotFound, QuotaExceeded, StorageFull, UnexpectedEof,
        };
        match error.kind() {
            StorageFull | QuotaExceeded => Some(Self::DiskFull),
            NotFound | AlreadyExists | InvalidData | InvalidInput | UnexpectedEof => None,
            // wrapped errors of libraries contain their cause
            _ => match error.get_ref().map(|inner| cause(inner)) {
                Some(Some(inner)) => Self::from_io_error(inner),
                Some(None) => None,
                None => Some(Self::DiskFails),
            },
        }
    }

    /// True if the disk is at fault, so that nothing can be written.
    pub fn keeps_from_writing(self) -> bool {
        matches!(self, Self::DiskFull | Self::DiskFails)
    }
}

/// Innermost file error in a chain of errors.
pub fn cause<'e>(error: &'e (dyn std::error::Error + 'static)) -> Option<&'e io::Error> {
    let mut error = Some(error);
    while let Some(current) = error {
        if let Some(io_error) = current.downcast_ref::<io::Error>() {
            return Some(io_error);
        }
        error = current.source();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_found_within_wrapped_errors() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert_eq!(Fault::from_io_error(&full()), Some(Fault::DiskFull));
        assert_eq!(Fault::from_io_error(&io::Error::other(full())), Some(Fault::DiskFull));
        assert_eq!(Fault::from_io_error(&io::Error::other(io::Error::other(full()))), Some(Fault::DiskFull));
        assert_eq!(Fault::from_io_error(&io::Error::from_raw_os_error(5)), Some(Fault::DiskFails));
        assert_eq!(Fault::from_io_error(&io::Error::other("broken")), None);
        assert_eq!(Fault::from_io_error(&io::Error::other(io::Error::from(io::ErrorKind::NotFound))), None);
    }

    #[tokio::test]
    async fn faults_of_sqlite_are_recognised() {
        let folder = std::env::temp_dir().join("there-is-no-such-folder").join("x.db");
        let error = sea_orm::Database::connect(format!("sqlite://{}", folder.display())).await.unwrap_err();
        assert_eq!(Fault::from_db_error(&error), Some(Fault::DiskFails), "{error:?}");
    }

    /// Error of a server with German messages.
    #[derive(Debug)]
    struct GermanError(&'static str, &'static str);

    impl std::fmt::Display for GermanError {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(self.1)
        }
    }

    impl std::error::Error for GermanError {}

    impl DatabaseError for GermanError {
        fn message(&self) -> &str {
            self.1
        }

        fn code(&self) -> Option<std::borrow::Cow<'_, str>> {
            Some(self.0.into())
        }

        fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
            self
        }

        fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
            self
        }

        fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
            self
        }

        fn kind(&self) -> sqlx::error::ErrorKind {
            sqlx::error::ErrorKind::Other
        }
    }

    #[test]
    fn faults_are_recognised_by_code_in_any_language_of_the_server() {
        let fault = |code, message| {
            Fault::from_driver_error(&sqlx::Error::Database(Box::new(GermanError(code, message))))
        };
        for (code, message) in [
            ("40P01", "Verklemmung entdeckt"),
            ("55P03", "storniere Anfrage wegen Zeitüberschreitung einer Sperre"),
            ("40001", "konnte Zugriff nicht serialisieren"),
            ("5", "Datenbank gesperrt"),
        ] {
            assert_eq!(fault(code, message), Some(Fault::Busy), "{code}");
        }
        assert_eq!(fault("57P01", "breche Verbindung ab"), Some(Fault::Away));
        assert_eq!(fault("53100", "kein Platz"), Some(Fault::DiskFull));
        assert_eq!(fault("23505", "deadlock detected, lock timeout 40P01"), None);
    }

    #[test]
    fn statement_errors_are_not_machine_faults() {
        assert_eq!(Fault::from_db_error(&DbErr::Custom("x".into())), None);
        assert_eq!(Fault::from_db_error(&DbErr::RecordNotFound("x".into())), None);
    }
}
