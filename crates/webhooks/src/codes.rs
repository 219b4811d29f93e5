//! Error codes of webhooks. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use {outbound::codes::*, secrets::codes::*, tenancy::codes::*};

values::codes! {
    // Webhooks
    TOO_MANY_WEBHOOKS Conflict "too_many_webhooks"
    WEBHOOK_REFUSED Invalid "webhook_refused"
    WEBHOOK_GONE Conflict "webhook_gone"
    WEBHOOK_BODY_FORGOTTEN Conflict "webhook_body_forgotten"
}
