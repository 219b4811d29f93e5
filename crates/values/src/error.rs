//! Error type of all domains. Only `api` turns it into a response.

use std::io;

use sea_orm::DbErr;

use crate::{
    code::{Code, Language},
    codes,
    fault::Fault,
    in_use::Usages,
    message::Message,
};

/// Result of a domain function.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Reason for which a command or query failed.
#[derive(Debug)]
pub enum Error {
    /// Refused for one reason that belongs to no field; the class of the code decides the HTTP status.
    Refused(Message),
    /// All rules that the input breaks, each with its path.
    Invalid(Violations),
    /// Implausible prices, each with its path; they are saved only if the caller releases them.
    ReleaseNeeded(Violations),
    /// Record that is not deleted, because other records refer to it.
    InUse(Usages),
    /// Conflict with a change that another user has made since the record was read. Contains the current
    /// state of the record as callers read it, in German and in English.
    Changed(Vec<serde_json::Value>),
    /// Refused for now; worth a retry after this number of seconds.
    Later { code: Code, seconds: u64 },
    /// Failure of the database. Logged once, never shown.
    Database(DbErr),
    /// Failure to write or read a file. Logged once, never shown.
    File(io::Error),
    /// Failure of the bucket with the files. Logged once, never shown.
    FilesAway(String),
    /// Unknown outcome: the commit was sent and not answered. Logged once, never shown.
    OutcomeUnknown(String),
    /// Something that cannot happen in correct code. Logged once, never shown.
    Internal(String),
}

impl Error {
    /// Error for a row that does not exist or belongs to another owner; callers cannot distinguish the two.
    pub fn not_found() -> Self {
        codes::NOT_FOUND.into()
    }

    /// Message for people, if the error is a single sentence.
    pub fn sentence(&self, language: Language) -> Option<String> {
        match self {
            Self::Refused(message) => Some(message.text(language)),
            Self::InUse(usages) => Some(usages.message(language).text(language)),
            Self::Later { code, seconds } => Some(code.with("seconds", seconds).text(language)),
            Self::Invalid(_) => None,
            Self::ReleaseNeeded(_)
            | Self::Changed(_)
            | Self::Database(_)
            | Self::File(_)
            | Self::FilesAway(_)
            | Self::OutcomeUnknown(_)
            | Self::Internal(_) => Some(Message::from(self.code()).text(language)),
        }
    }

    /// Returns the one message that is shown where there is room for one: the refusal, or the first broken
    /// rule. An error that is never shown becomes the message of its code.
    pub fn into_message(self) -> Message {
        match self {
            Self::Refused(message) => message,
            Self::Invalid(violations) => {
                violations.into_messages().into_iter().next().unwrap_or_else(|| codes::INVALID_INPUT.into())
            }
            Self::InUse(usages) => usages.message(Language::default()),
            Self::Later { code, seconds } => code.with("seconds", seconds),
            error => error.code().into(),
        }
    }

    /// Code of the error.
    pub fn code(&self) -> Code {
        match self {
            Self::Refused(message) => message.code,
            Self::Invalid(_) => codes::INVALID_INPUT,
            Self::ReleaseNeeded(_) => codes::RELEASE_NEEDED,
            Self::InUse(_) => codes::IN_USE,
            Self::Changed(_) => codes::STALE,
            Self::Later { code, .. } => *code,
            Self::FilesAway(_) => codes::FILES_AWAY,
            Self::OutcomeUnknown(_) => codes::OUTCOME_UNKNOWN,
            Self::Database(_) | Self::File(_) | Self::Internal(_) => {
                self.fault().map_or(codes::UNEXPECTED, Fault::code)
            }
        }
    }

    /// Temporary fault of the machine, if it caused the error.
    pub fn fault(&self) -> Option<Fault> {
        match self {
            Self::Database(error) => Fault::from_db_error(error),
            Self::File(error) => Fault::from_io_error(error),
            Self::FilesAway(_) => Some(Fault::FilesAway),
            Self::OutcomeUnknown(_) => Some(Fault::Away),
            Self::Refused(Message { code: codes::DISK_NEARLY_FULL, .. }) => Some(Fault::DiskFull),
            _ => None,
        }
    }

    /// Cause for the log, if the response does not show it.
    pub fn hidden_cause(&self) -> Option<String> {
        match self {
            Self::Database(_)
            | Self::File(_)
            | Self::FilesAway(_)
            | Self::OutcomeUnknown(_)
            | Self::Internal(_) => Some(self.to_string()),
            _ => None,
        }
    }

    /// Error of a library that failed to write or read a file.
    pub fn file(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::File(io::Error::other(cause))
    }

    /// Internal error, which is logged in full and answered without details.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        Self::Internal(cause.to_string())
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Refused(_) | Self::InUse(_) | Self::Changed(_) => {
                f.write_str(&self.sentence(Language::En).unwrap_or_default())
            }
            Self::Invalid(violations) | Self::ReleaseNeeded(violations) => {
                for violation in violations.iter() {
                    write!(f, "{}: {}; ", violation.path, violation.message.text(Language::En))?;
                }
                Ok(())
            }
            Self::Later { code, seconds } => {
                write!(f, "{} (retry in {seconds} s)", Message::from(*code).text(Language::En))
            }
            Self::Database(error) => write!(f, "database: {error}"),
            Self::File(error) => write!(f, "file: {error}"),
            Self::FilesAway(cause) => write!(f, "files: {cause}"),
            Self::OutcomeUnknown(cause) => write!(f, "outcome unknown: {cause}"),
            Self::Internal(cause) => write!(f, "internal: {cause}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Code> for Error {
    fn from(code: Code) -> Self {
        Self::Refused(code.into())
    }
}

impl From<Message> for Error {
    fn from(message: Message) -> Self {
        Self::Refused(message)
    }
}

impl From<DbErr> for Error {
    fn from(error: DbErr) -> Self {
        Self::Database(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

impl From<Violations> for Error {
    fn from(violations: Violations) -> Self {
        Self::Invalid(violations)
    }
}

/// Broken rule at one place of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Path in wire names, such as `options.0.value`.
    pub path: String,
    pub message: Message,
}

/// Broken rules of an input, in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Violations {
    /// Creates an empty list of violations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Error with a single violation.
    pub fn error(path: impl Into<String>, message: impl Into<Message>) -> Error {
        Error::Invalid(Self::one(path, message))
    }

    /// Collection with a single violation.
    pub fn one(path: impl Into<String>, message: impl Into<Message>) -> Self {
        Self(vec![Violation { path: path.into(), message: message.into() }])
    }

    /// Adds the violation of the field at `path`.
    pub fn add(&mut self, path: impl Into<String>, message: impl Into<Message>) {
        self.0.push(Violation { path: path.into(), message: message.into() });
    }

    /// Adds all violations of another list.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Messages without their paths.
    pub fn into_messages(self) -> Vec<Message> {
        self.0.into_iter().map(|violation| violation.message).collect()
    }

    /// True if there is no violation.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of violations.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Violations in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.0.iter()
    }

    /// Returns `Ok` if no rule is broken.
    pub fn check(self) -> Result<()> {
        if self.is_empty() { Ok(()) } else { Err(Error::Invalid(self)) }
    }
}

impl IntoIterator for Violations {
    type Item = Violation;
    type IntoIter = std::vec::IntoIter<Violation>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
