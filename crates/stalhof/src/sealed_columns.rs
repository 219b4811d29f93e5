//! Columns with sealed values, one line each, for the rotation of the keys.

use feeds::{external_api, settings};
use secrets::SealedColumn;
use webhooks::webhook;

/// All sealed columns.
pub const SEALED_COLUMNS: &[SealedColumn] = &[
    settings::PASSWORD,
    settings::PRIVATE_KEY,
    settings::PASSPHRASE,
    external_api::SECRET,
    webhook::SECRET,
    webhook::PREVIOUS_SECRET,
];
