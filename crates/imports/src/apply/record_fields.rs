//! Fields that records of any type of import have: key, id, version, name.

use std::collections::HashMap;

use sea_orm::{ModelTrait, Value};
use store::{Recorded, Scoped};

use crate::importer::{Importer, Key, Model};

/// Key of a record.
pub(crate) fn key_of<I: Importer>(row: &Model<I>) -> Key {
    Key::from_columns::<I::Record>(|column| Some(row.get(column)))
}

/// Records by their keys.
pub(super) fn by_key<I: Importer>(rows: Vec<Model<I>>) -> HashMap<Key, Model<I>> {
    rows.into_iter().map(|row| (key_of::<I>(&row), row)).collect()
}

/// Id of a record.
pub(crate) fn id_of<I: Importer>(row: &Model<I>) -> i64 {
    integer(row.get(I::Record::ID))
}

/// Version of a record.
pub(super) fn version_of<I: Importer>(row: &Model<I>) -> i64 {
    integer(row.get(I::Record::VERSION))
}

/// Name of a record; empty if it has none.
pub(super) fn name_of<I: Importer>(row: &Model<I>) -> String {
    match row.get(I::Record::NAME) {
        Value::String(Some(name)) => name,
        _ => String::new(),
    }
}

/// Integer of a column; 0 for any other value.
pub(super) fn integer(value: Value) -> i64 {
    match value {
        Value::BigInt(Some(number)) => number,
        _ => 0,
    }
}
