//! Error codes of connections to other systems. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use values::codes::*;

values::codes! {
    // Connections to other systems. Blocked and unreachable hosts get the same message, so that it reveals
    // nothing about a network
    HOST_UNREACHABLE Invalid "host_unreachable"
    HOST_SILENT Invalid "host_silent"
    HOST_UNTRUSTED Invalid "host_untrusted"
    HOST_INTERRUPTED Invalid "host_interrupted"
    ANSWER_TOO_LARGE Invalid "answer_too_large"
    ANSWER_UNREADABLE Invalid "answer_unreadable"
    REDIRECT_REFUSED Invalid "redirect_refused"
    DATA_HOST_DIFFERS Invalid "data_host_differs"
    INVALID_HOST Invalid "invalid_host"
    INVALID_HTTPS_URL Invalid "invalid_https_url"

    // Files of other systems: FTP, FTPS and SFTP
    AUTHORITY_INVALID Invalid "authority_invalid"
}
