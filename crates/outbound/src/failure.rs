//! Reasons for a failed connection to another system: a closed list that quotes nothing of the other side.

use values::{Code, Message};

use crate::codes;

/// Reason why a connection failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The text is not a host.
    InvalidHost,
    /// The text is not a URL that may be called.
    InvalidUrl,
    /// The host is unknown, does not answer, or may not be reached. Only the log distinguishes these, so that
    /// the answers cannot be used to explore a network.
    Unreachable,
    /// The host was reached and did not answer in time.
    Silent,
    /// The certificate is not trusted.
    Untrusted,
    /// The connection ended in the middle.
    Interrupted,
    /// More than this number of bytes was sent.
    TooLarge(usize),
    /// The answer breaks the rules of its protocol.
    Unreadable,
    /// The answer redirects to an address that may not be called, or too often.
    Redirected,
    /// The data connection would lead to another host, or to a system port.
    DataHostDiffers,
}

impl Failure {
    /// Code of the message.
    pub fn code(self) -> Code {
        match self {
            Self::InvalidHost => codes::INVALID_HOST,
            Self::InvalidUrl => codes::INVALID_HTTPS_URL,
            Self::Unreachable => codes::HOST_UNREACHABLE,
            Self::Silent => codes::HOST_SILENT,
            Self::Untrusted => codes::HOST_UNTRUSTED,
            Self::Interrupted => codes::HOST_INTERRUPTED,
            Self::TooLarge(_) => codes::ANSWER_TOO_LARGE,
            Self::Unreadable => codes::ANSWER_UNREADABLE,
            Self::Redirected => codes::REDIRECT_REFUSED,
            Self::DataHostDiffers => codes::DATA_HOST_DIFFERS,
        }
    }

    /// Message about a host.
    pub fn message(self, host: &str) -> Message {
        match self {
            Self::InvalidHost | Self::InvalidUrl => self.code().into(),
            Self::TooLarge(max) => {
                self.code().with("host", host).with("max", byte_size(u64::try_from(max).unwrap_or(u64::MAX)))
            }
            _ => self.code().with("host", host),
        }
    }
}

/// Returns a number of bytes as text, the same in all languages: `50 MiB`, or `512 B` below one MiB.
pub fn byte_size(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    if bytes >= MIB { format!("{} MiB", bytes / MIB) } else { format!("{bytes} B") }
}

#[cfg(test)]
mod tests {
    use values::Language;

    use super::*;

    #[test]
    fn every_failure_has_a_complete_sentence_with_the_host() {
        for failure in [
            Failure::InvalidHost,
            Failure::InvalidUrl,
            Failure::Unreachable,
            Failure::Silent,
            Failure::Untrusted,
            Failure::Interrupted,
            Failure::TooLarge(10 << 20),
            Failure::Unreadable,
            Failure::Redirected,
            Failure::DataHostDiffers,
        ] {
            for language in [Language::De, Language::En] {
                let sentence = failure.message("ftp.example.com").text(language);
                assert!(!sentence.contains('{') && sentence.ends_with('.'), "{sentence}");
                let is_input = matches!(failure, Failure::InvalidHost | Failure::InvalidUrl);
                assert!(is_input || sentence.contains("ftp.example.com"), "{sentence}");
            }
        }
        assert!(Failure::TooLarge(10 << 20).message("x").text(Language::De).contains("10 MiB"));
    }
}
