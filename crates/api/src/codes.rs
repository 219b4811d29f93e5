//! Error codes of the HTTP interface. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use {feeds::codes::*, identity::codes::*, pricing::codes::*, webhooks::codes::*};

kernel::codes! {
    // The request as a whole
    OPERATORS_ONLY Forbidden "operators_only"
    SESSION_REQUIRED Forbidden "session_required"
    ABILITY_MISSING Forbidden "ability_missing"
    CSRF_MISMATCH Forbidden "csrf_mismatch"
    RENUMBERED NotFound "renumbered"
    METHOD_NOT_ALLOWED MethodNotAllowed "method_not_allowed"
    CHANGED_SINCE Conflict "changed_since"
    DELETED_SINCE Conflict "deleted_since"
    NOT_UNDOABLE Conflict "not_undoable"
    DATABASE_SERVED Conflict "database_served"
    BODY_TOO_LARGE TooLarge "too_large"
    UNSUPPORTED_MEDIA UnsupportedMedia "unsupported_media"
    REQUEST_TIMEOUT TimedOut "request_timeout"
    RATE_LIMITED TooMany "rate_limited"
    TOOK_TOO_LONG Unavailable "took_too_long"
    ENDING Unavailable "ending"

    // A body or a parameter
    INVALID_JSON Invalid "invalid_json"
    READ_ONLY Invalid "read_only"
    OTHER_KEY Invalid "other_key"

    // A field
    NO_DECIMAL Invalid "no_decimal"

    // Questions about prices and delivery
    PERIOD_TOO_LONG Invalid "period_too_long"
    ONE_ORIGIN Invalid "one_origin"
    ONE_MOMENT Invalid "one_moment"
    ONLY_WITH_ARTICLE Invalid "only_with_article"

    // Imports: the file
    FILE_MISSING Invalid "file_missing"
    FILE_NAME_INVALID Invalid "file_name_invalid"
    FORM_MALFORMED Invalid "form_malformed"
}
