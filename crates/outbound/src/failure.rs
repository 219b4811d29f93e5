//! Why a connection to another system failed: a closed list, without a word of what the other side has said.

use kernel::{Code, Message};

/// Why a connection failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The text is no host.
    InvalidHost,
    /// The text is no address of a page that may be called.
    InvalidUrl,
    /// The host is unknown, does not answer, or may not be reached. Only the log says which, so that the answers do not
    /// explore a network.
    Unreachable,
    /// The host was reached and did not answer in time.
    Silent,
    /// The certificate is not to be trusted.
    Untrusted,
    /// The connection ended in the middle.
    Interrupted,
    /// More than this number of bytes was sent.
    TooLarge(usize),
    /// The answer breaks the rules of its protocol.
    Unreadable,
    /// The answer redirects to an address that may not be called, or too often.
    Redirected,
    /// The data connection was to lead to another host, or to a port of the system.
    DataHostDiffers,
}

impl Failure {
    /// The code of the sentence.
    pub fn code(self) -> Code {
        match self {
            Self::InvalidHost => Code::InvalidHost,
            Self::InvalidUrl => Code::InvalidHttpsUrl,
            Self::Unreachable => Code::HostUnreachable,
            Self::Silent => Code::HostSilent,
            Self::Untrusted => Code::HostUntrusted,
            Self::Interrupted => Code::HostInterrupted,
            Self::TooLarge(_) => Code::AnswerTooLarge,
            Self::Unreadable => Code::AnswerUnreadable,
            Self::Redirected => Code::RedirectRefused,
            Self::DataHostDiffers => Code::DataHostDiffers,
        }
    }

    /// The sentence about a host.
    pub fn message(self, host: &str) -> Message {
        match self {
            Self::InvalidHost | Self::InvalidUrl => self.code().into(),
            Self::TooLarge(max) => self.code().with("host", host).with("max", size(max)),
            _ => self.code().with("host", host),
        }
    }
}

fn size(bytes: usize) -> String {
    const MIB: usize = 1 << 20;
    if bytes >= MIB { format!("{} MiB", bytes / MIB) } else { format!("{bytes} Byte") }
}

#[cfg(test)]
mod tests {
    use kernel::Language;

    use super::*;

    #[test]
    fn every_failure_is_a_sentence_that_names_the_host_and_leaves_no_gap() {
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
