//! Error codes of the binary. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use api::codes::*;

values::codes! {
    DATABASE_SERVED Conflict "database_served"
}
