//! Error codes of the HTTP layer. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use {identity::codes::*, sheets::codes::*};

values::codes! {
    // The request as a whole
    SESSION_REQUIRED Forbidden "session_required"
    ABILITY_MISSING Forbidden "ability_missing"
    CSRF_MISMATCH Forbidden "csrf_mismatch"
    METHOD_NOT_ALLOWED MethodNotAllowed "method_not_allowed"
    BODY_TOO_LARGE TooLarge "too_large"
    UNSUPPORTED_MEDIA UnsupportedMedia "unsupported_media"
    REQUEST_TIMEOUT TimedOut "request_timeout"
    RATE_LIMITED TooMany "rate_limited"
    TOOK_TOO_LONG Unavailable "took_too_long"

    // A body or a parameter
    INVALID_JSON Invalid "invalid_json"

    // A field
    NO_DECIMAL Invalid "no_decimal"

    // Uploads
    FILE_MISSING Invalid "file_missing"
    FILE_NAME_INVALID Invalid "file_name_invalid"
    FORM_MALFORMED Invalid "form_malformed"
}
