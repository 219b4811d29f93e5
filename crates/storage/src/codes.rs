//! Error codes of stored files. Their texts are in `texts/errors.de.json` and
//! `texts/errors.en.json`.

pub use values::codes::*;

values::codes! {
    // Stored files
    STORED_FILE_MISSING NotFound "stored_file_missing"

    // Categories and pictures
    IMAGE_FORMAT Invalid "image_format"
    IMAGE_DAMAGED Invalid "image_damaged"
    IMAGE_TOO_LARGE Invalid "image_too_large"

    // Imports: the file
    FILE_CHANGED Invalid "file_changed"
}
