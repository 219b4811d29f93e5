//! Reasons for a failed step with a server: a closed list, with the server's own answer, limited and without
//! secrets.

use std::fmt;

use outbound::{Failure, byte_size};
use secrets::ExposeSecret;
use values::{Code, Message, shortened};

use super::{Credential, Endpoint, HostKey, RemotePath};
use crate::codes;

/// Maximum number of characters of an answer that are shown.
const ANSWER_MAX: usize = 300;

/// Reason why a step with a server failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceFailure {
    /// The connection could not be established, or was lost.
    Connection(Failure),
    PlainFtpForbidden,
    /// The server does not encrypt the connection.
    TlsNotOffered,
    SignInRefused,
    /// The private key or its passphrase cannot be used.
    PrivateKeyInvalid,
    /// Private keys work with SFTP only.
    PrivateKeyNeedsSftp,
    /// The configured CA certificates cannot be parsed.
    AuthorityInvalid,
    /// The server has another key than the pinned one.
    HostKeyChanged {
        pinned: HostKey,
        presented: HostKey,
    },
    FolderMissing(RemotePath),
    FileMissing(String),
    /// The entry is a folder or another kind of non-file.
    NotAFile(String),
    /// A name that is never sent to a server.
    UnsafeName(String),
    /// More than this number of bytes.
    FileTooLarge {
        name: String,
        max: u64,
    },
    /// The listing has more than `max` entries, or more bytes than that number of entries can need.
    ListingTooLong {
        max: usize,
    },
    /// The sizes before and after, or the bytes that were read, differ.
    FileChanged(String),
    /// The server refused a command.
    Refused,
    /// The fetched data could not be written locally.
    NotStored,
}

impl From<Failure> for SourceFailure {
    fn from(failure: Failure) -> Self {
        Self::Connection(failure)
    }
}

impl SourceFailure {
    /// Code of the message that users read.
    pub fn code(&self) -> Code {
        match self {
            Self::Connection(failure) => failure.code(),
            Self::PlainFtpForbidden => codes::PLAIN_FTP_FORBIDDEN,
            Self::TlsNotOffered => codes::TLS_NOT_OFFERED,
            Self::SignInRefused => codes::REMOTE_SIGN_IN_REFUSED,
            Self::PrivateKeyInvalid => codes::PRIVATE_KEY_INVALID,
            Self::PrivateKeyNeedsSftp => codes::PRIVATE_KEY_NEEDS_SFTP,
            Self::AuthorityInvalid => codes::AUTHORITY_INVALID,
            Self::HostKeyChanged { .. } => codes::HOST_KEY_CHANGED,
            Self::FolderMissing(_) => codes::REMOTE_FOLDER_MISSING,
            Self::FileMissing(_) => codes::REMOTE_FILE_MISSING,
            Self::NotAFile(_) => codes::REMOTE_NOT_A_FILE,
            Self::UnsafeName(_) => codes::REMOTE_NAME_INVALID,
            Self::FileTooLarge { .. } => codes::REMOTE_FILE_TOO_LARGE,
            Self::ListingTooLong { .. } => codes::LISTING_TOO_LONG,
            Self::FileChanged(_) => codes::REMOTE_FILE_CHANGED,
            Self::Refused => codes::REMOTE_REFUSED,
            Self::NotStored => codes::FETCHED_NOT_STORED,
        }
    }

    /// The sentence about a host.
    pub fn message(&self, host: &str) -> Message {
        if let Self::Connection(failure) = self {
            return failure.message(host);
        }
        let message = self.code().with("host", host);
        match self {
            Self::HostKeyChanged { pinned, presented } => {
                message.with("pinned", pinned).with("presented", presented)
            }
            Self::FolderMissing(path) => message.with("path", path),
            Self::FileMissing(name)
            | Self::NotAFile(name)
            | Self::UnsafeName(name)
            | Self::FileChanged(name) => message.with("name", name),
            Self::FileTooLarge { name, max } => message.with("name", name).with("max", byte_size(*max)),
            Self::ListingTooLong { max } => message.with("max", max),
            _ => message,
        }
    }
}

/// A failed step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceError {
    pub failure: SourceFailure,
    /// The server's own words: one line, shortened, never with the password.
    pub answer: Option<String>,
}

impl<F: Into<SourceFailure>> From<F> for SourceError {
    fn from(failure: F) -> Self {
        Self { failure: failure.into(), answer: None }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.failure.code().as_str())?;
        self.answer.as_ref().map_or(Ok(()), |answer| write!(f, ": {answer}"))
    }
}

impl std::error::Error for SourceError {}

impl SourceError {
    /// Combines a failure with the server's answer.
    pub(super) fn with_answer(failure: SourceFailure, answer: &str, endpoint: &Endpoint) -> Self {
        Self { failure, answer: clean_answer(answer, endpoint) }
    }
}

/// Answer of a server as one line of limited length, without control characters and without our secrets.
fn clean_answer(answer: &str, endpoint: &Endpoint) -> Option<String> {
    let mut text = answer.to_owned();
    let secrets = match &endpoint.credential {
        Credential::Password(password) => vec![password],
        Credential::PrivateKey { key, passphrase } => passphrase.iter().chain(std::iter::once(key)).collect(),
    };
    for secret in secrets.into_iter().map(ExposeSecret::expose_secret).filter(|secret| !secret.is_empty()) {
        text = text.replace(secret, "***");
    }
    let text = text.replace(|c: char| c.is_control() || values::is_invisible(c), " ");
    let words: Vec<_> = text.split_whitespace().collect();
    let line = words.join(" ");
    if line.is_empty() { None } else { Some(shortened(&line, ANSWER_MAX).into_owned()) }
}

#[cfg(test)]
mod tests {
    use values::Language;

    use super::*;
    use crate::source::{Protocol, tests::endpoint};

    #[test]
    fn every_failure_has_a_complete_sentence_in_both_languages() {
        let key =
            |digest: &str| format!("ssh-ed25519 SHA256:{}", digest.repeat(43)).parse::<HostKey>().unwrap();
        let name = || "preise.csv".to_owned();
        for (failure, detail) in [
            (SourceFailure::Connection(Failure::Silent), "ftp.example.com"),
            (SourceFailure::PlainFtpForbidden, "FTP"),
            (SourceFailure::TlsNotOffered, "ftp.example.com"),
            (SourceFailure::SignInRefused, "ftp.example.com"),
            (SourceFailure::PrivateKeyInvalid, "OpenSSH"),
            (SourceFailure::PrivateKeyNeedsSftp, "SFTP"),
            (SourceFailure::AuthorityInvalid, "PEM"),
            (SourceFailure::HostKeyChanged { pinned: key("a"), presented: key("b") }, "SHA256:bbb"),
            (SourceFailure::HostKeyChanged { pinned: key("a"), presented: key("b") }, "SHA256:aaa"),
            (SourceFailure::FolderMissing(RemotePath::parse("/export").unwrap()), "/export"),
            (SourceFailure::FileMissing(name()), "preise.csv"),
            (SourceFailure::NotAFile(name()), "preise.csv"),
            (SourceFailure::UnsafeName(name()), "preise.csv"),
            (SourceFailure::FileTooLarge { name: name(), max: 50 << 20 }, "50 MiB"),
            (SourceFailure::ListingTooLong { max: 10_000 }, "10000"),
            (SourceFailure::FileChanged(name()), "preise.csv"),
            (SourceFailure::Refused, "ftp.example.com"),
            (SourceFailure::NotStored, ""),
        ] {
            for language in [Language::De, Language::En] {
                let sentence = failure.message("ftp.example.com").text(language);
                assert!(!sentence.contains('{') && sentence.ends_with('.'), "{sentence}");
                assert!(sentence.contains(detail), "{sentence}");
            }
        }
    }

    #[test]
    fn server_answers_become_one_short_line_without_the_password() {
        let endpoint = endpoint(Protocol::Ftp, 21, "gehe1m");
        let clean = |answer: &str| clean_answer(answer, &endpoint);
        assert_eq!(clean("530 Login incorrect.\r\n").as_deref(), Some("530 Login incorrect."));
        assert_eq!(clean("530 no: gehe1m!\r\n530 gehe1m").as_deref(), Some("530 no: ***! 530 ***"));
        assert_eq!(clean("a\u{1b}[31m\0b\u{202e}c").as_deref(), Some("a [31m b c"));
        assert_eq!(clean(" \r\n\0"), None);
        let long = clean(&"x".repeat(10_000)).unwrap();
        assert!(long.chars().count() <= ANSWER_MAX && long.ends_with('…'), "{long}");
    }
}
