//! The ends of a run before its time.

use outbound::Failure;
use values::{Code, Error, Message};

use super::RunOutcome;
use crate::{
    codes,
    source::{SourceError, SourceFailure},
};

/// The reason why a run stops.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) outcome: RunOutcome,
    pub(super) message: Message,
    pub(super) answer: Option<String>,
    /// The name of the file that it is about.
    pub(super) file: Option<String>,
    /// True if another attempt soon may succeed by itself.
    pub(super) is_transient: bool,
}

impl Stop {
    pub(super) fn failed(message: impl Into<Message>) -> Self {
        let message = message.into();
        Self { outcome: RunOutcome::Failed, message, answer: None, file: None, is_transient: false }
    }

    /// A file is still being written.
    pub(super) fn waiting(name: &str) -> Self {
        let message = codes::FEED_FILE_WAITING.with("name", name);
        let file = Some(name.to_owned());
        Self { outcome: RunOutcome::Waiting, file, is_transient: true, ..Self::failed(message) }
    }

    pub(super) fn from_source(error: SourceError, host: &str) -> Self {
        let is_transient = matches!(
            &error.failure,
            SourceFailure::Connection(Failure::Unreachable | Failure::Silent | Failure::Interrupted)
                | SourceFailure::FileChanged(_)
                | SourceFailure::NotStored
        );
        let file = match &error.failure {
            SourceFailure::FileMissing(name)
            | SourceFailure::NotAFile(name)
            | SourceFailure::UnsafeName(name)
            | SourceFailure::FileTooLarge { name, .. }
            | SourceFailure::FileChanged(name) => Some(name.clone()),
            _ => None,
        };
        let message = error.failure.message(host);
        Self { answer: error.answer, file, is_transient, ..Self::failed(message) }
    }

    pub(super) fn about(self, file: &str) -> Self {
        Self { file: self.file.or_else(|| Some(file.to_owned())), ..self }
    }
}

/// A refusal of the import or of the database.
impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        let is_transient = error.fault().is_some() || error.hidden_cause().is_some();
        if let Some(cause) = error.hidden_cause() {
            tracing::warn!(cause, "a run of a feed has failed");
        }
        Self { is_transient, ..Self::failed(error.into_message()) }
    }
}

impl From<Message> for Stop {
    fn from(message: Message) -> Self {
        Self::failed(message)
    }
}

impl From<Code> for Stop {
    fn from(code: Code) -> Self {
        Self::failed(code)
    }
}
