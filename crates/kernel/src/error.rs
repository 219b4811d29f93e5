//! One error for all domains. `api` alone turns it into an answer.

use std::io;

use sea_orm::DbErr;

use crate::{
    code::{Code, Language, Message},
    fault::Fault,
    in_use::Usages,
};

/// The outcome of a domain function.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a command or query gave nothing.
#[derive(Debug)]
pub enum Error {
    /// Refused for one reason that belongs to no field; the code's class says which kind of refusal.
    Refused(Message),
    /// The input breaks rules; all of them, each with its place.
    Invalid(Violations),
    /// Prices look like a mistake and are saved only once they are released; each with its place.
    ReleaseNeeded(Violations),
    /// Not deleted, because others refer to it.
    InUse(Usages),
    /// Not written, because others have changed the record since it was read: as it is now, as callers read it in German and in
    /// English.
    Changed(Vec<serde_json::Value>),
    /// Refused for now; worth another try after so many seconds.
    Later { code: Code, seconds: u64 },
    /// The database failed. Logged once, never shown.
    Database(DbErr),
    /// A file could not be written or read. Logged once, never shown.
    File(io::Error),
    /// The bucket with the files cannot be used. Logged once, never shown.
    FilesAway(String),
    /// Nobody knows whether it was done: the commit was sent and not answered. Logged once, never shown.
    OutcomeUnknown(String),
    /// Something that cannot happen in correct code. Logged once, never shown.
    Internal(String),
}

impl Error {
    /// The row does not exist, or belongs to somebody else: the two are not told apart.
    pub fn not_found() -> Self {
        Code::NotFound.into()
    }

    /// What a person reads, where the refusal is one sentence.
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

    /// Turns an error into the one message that is shown where there is room for one: the refusal, or the first broken rule. An
    /// error that is never shown becomes the message of its code.
    pub fn into_message(self) -> Message {
        match self {
            Self::Refused(message) => message,
            Self::Invalid(violations) => {
                violations.into_messages().into_iter().next().unwrap_or_else(|| Code::InvalidInput.into())
            }
            Self::InUse(usages) => usages.message(Language::default()),
            Self::Later { code, seconds } => code.with("seconds", seconds),
            error => error.code().into(),
        }
    }

    /// What is wrong, in one word.
    pub fn code(&self) -> Code {
        match self {
            Self::Refused(message) => message.code,
            Self::Invalid(_) => Code::InvalidInput,
            Self::ReleaseNeeded(_) => Code::ReleaseNeeded,
            Self::InUse(_) => Code::InUse,
            Self::Changed(_) => Code::Stale,
            Self::Later { code, .. } => *code,
            Self::FilesAway(_) => Code::FilesAway,
            Self::OutcomeUnknown(_) => Code::OutcomeUnknown,
            Self::Database(_) | Self::File(_) | Self::Internal(_) => {
                self.fault().map_or(Code::Unexpected, Fault::code)
            }
        }
    }

    /// What the machine lacks for now, when that is the reason.
    pub fn fault(&self) -> Option<Fault> {
        match self {
            Self::Database(error) => Fault::of(error),
            Self::File(error) => Fault::of_file(error),
            Self::FilesAway(_) => Some(Fault::FilesAway),
            Self::OutcomeUnknown(_) => Some(Fault::Away),
            Self::Refused(Message { code: Code::DiskNearlyFull, .. }) => Some(Fault::DiskFull),
            _ => None,
        }
    }

    /// The cause of an answer that shows none, for the log.
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

    /// A file that a library has failed to write or to read.
    pub fn file(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::File(io::Error::other(cause))
    }

    /// Logged in full, answered without details.
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

/// One broken rule at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Where, in wire names: `options.0.value`.
    pub path: String,
    pub message: Message,
}

/// All broken rules of an input, in the order in which they were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Violations(Vec<Violation>);

impl Violations {
    pub fn new() -> Self {
        Self::default()
    }

    /// An error with a single violation.
    pub fn of(path: impl Into<String>, message: impl Into<Message>) -> Error {
        Error::Invalid(Self::one(path, message))
    }

    /// A single violation.
    pub fn one(path: impl Into<String>, message: impl Into<Message>) -> Self {
        Self(vec![Violation { path: path.into(), message: message.into() }])
    }

    pub fn add(&mut self, path: impl Into<String>, message: impl Into<Message>) {
        self.0.push(Violation { path: path.into(), message: message.into() });
    }

    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// What is wrong, without the places.
    pub fn into_messages(self) -> Vec<Message> {
        self.0.into_iter().map(|violation| violation.message).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Violation> {
        self.0.iter()
    }

    /// `Ok` when no rule is broken.
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
