//! Columns whose values are sealed, one line each: rotation of the keys goes through them.

use secrets::SealedColumn;

/// All sealed columns. The settings of feeds will have the first one.
pub const SEALED_COLUMNS: &[SealedColumn] = &[];
