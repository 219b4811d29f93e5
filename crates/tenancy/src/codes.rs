//! Error codes of tenants and tenant groups. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use values::codes::*;

values::codes! {
    // A field
    NOT_IN_GROUP Invalid "not_in_group"

    // Maximum permissions
    CEILING_SHRINKS Invalid "ceiling_shrinks"
}
