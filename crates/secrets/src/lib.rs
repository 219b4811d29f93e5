//! Sealed values: credentials for other systems, encrypted in the database and bound to their table, column
//! and row.
//!
//! [`Keys`] come from a file or the environment, never from the database. [`Keys::seal`] and [`Keys::open`]
//! are the only ways to write and read them; [`rotation::rotate`] seals everything again under the current
//! key.

pub mod codes;
mod keys;
pub mod rotation;
mod sealed;

pub use keys::{InvalidKeys, KEY_BYTES, Keys};
pub use sealed::{Cell, Failure, SealedColumn, SealedValue};
pub use secrecy::{ExposeSecret, SecretString};
