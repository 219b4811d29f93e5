//! Error codes of the HTTP interface. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use {feeds::codes::*, http_api::codes::*, pricing::codes::*, webhooks::codes::*};

values::codes! {
    // The request as a whole
    OPERATORS_ONLY Forbidden "operators_only"
    RENUMBERED NotFound "renumbered"
    CHANGED_SINCE Conflict "changed_since"
    DELETED_SINCE Conflict "deleted_since"
    NOT_UNDOABLE Conflict "not_undoable"
    ENDING Unavailable "ending"

    // A body or a parameter
    READ_ONLY Invalid "read_only"
    OTHER_KEY Invalid "other_key"

    // Questions about prices and delivery
    PERIOD_TOO_LONG Invalid "period_too_long"
    ONE_ORIGIN Invalid "one_origin"
    ONE_MOMENT Invalid "one_moment"
    ONLY_WITH_ARTICLE Invalid "only_with_article"
}
