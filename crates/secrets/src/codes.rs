//! Error codes of stored secrets. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use values::codes::*;

values::codes! {
    // Secrets of other systems
    SECRET_KEY_MISSING Conflict "secret_key_missing"
    SECRET_KEY_UNKNOWN Conflict "secret_key_unknown"
    SECRET_DAMAGED Conflict "secret_damaged"
}
