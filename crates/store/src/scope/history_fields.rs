//! Fields of records and of their parts in the form that the history stores.

use chrono::SecondsFormat;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ColumnType, IdenStatic, Iterable, ModelTrait, Value,
    sea_query::sea_value_to_json_value,
};
use serde_json::Value as Json;
use values::decimal::Decimal;

use super::{Part, Recorded};
use crate::audit::Fields;

/// Fields of a stored record.
pub fn model_fields<E: Recorded>(row: &E::Model) -> Fields {
    fields::<E>(|column| row.get(column))
}

fn fields<E: Recorded>(value: impl Fn(E::Column) -> Value) -> Fields {
    let mut fields = Fields::new();
    for column in noted_columns::<E>() {
        let name = column.as_str();
        match json(column, &value(column)) {
            // one field for each key
            Json::Object(values) if !E::WHOLE.iter().any(|whole| whole.as_str() == name) => {
                fields.extend(values.into_iter().map(|(key, value)| (format!("{name}.{key}"), value)));
            }
            value => {
                fields.insert(name.to_owned(), value);
            }
        }
    }
    fields
}

/// Columns whose changes are noted.
pub(crate) fn noted_columns<E: Recorded>() -> impl Iterator<Item = E::Column> {
    let bookkeeping = [E::ID, E::VERSION, E::CREATED_AT, E::UPDATED_AT];
    E::Column::iter().filter(move |column| {
        let name = column.as_str();
        let mut unnoted = bookkeeping
            .into_iter()
            .chain(E::UNNOTED.iter().copied())
            .chain(E::NUMBERED.map(|numbered| numbered.change));
        is_noted(name) && !unnoted.any(|other| other.as_str() == name)
    })
}

/// Fields of a part: its columns except the reference to its row, the tenant and, unless others refer to the
/// part, its own id. A single field is stored without its name.
pub fn part_fields<P: Part>(part: &P::Model) -> Json {
    collect_fields::<P>(|column| Some(part.get(column)))
}

/// Fields of a part that is about to be written: the columns that are set.
pub(crate) fn part_row_fields<P: Part>(part: &P::ActiveModel) -> Json {
    collect_fields::<P>(|column| part.get(column).into_value())
}

/// Fields of a part after some of its columns are written.
pub(crate) fn changed_part_fields<P: Part>(part: &P::Model, change: &P::ActiveModel) -> Json {
    collect_fields::<P>(|column| change.get(column).into_value().or_else(|| Some(part.get(column))))
}

fn collect_fields<P: Part>(value: impl Fn(P::Column) -> Option<Value>) -> Json {
    let columns = P::Column::iter().filter(|column| {
        let name = column.as_str();
        let is_own = name == "id" && !P::IS_REFERRED_TO || name == P::WHOLE.as_str();
        let unnoted = P::TENANT.iter().chain(P::UNNOTED).any(|other| other.as_str() == name);
        !is_own && !unnoted && is_noted(name)
    });
    let values =
        columns.filter_map(|column| Some((column.as_str().to_owned(), json(column, &value(column)?))));
    let mut values: serde_json::Map<String, Json> = values.filter(|(_, value)| !value.is_null()).collect();
    match values.len() {
        1 => values.iter_mut().next().map(|(_, value)| value.take()).unwrap_or_default(),
        _ => values.into(),
    }
}

/// True if a column may be noted: neither a secret nor a column for search or sorting.
fn is_noted(column: &str) -> bool {
    !["_hash", "_sealed", "_fold", "_sort"].iter().any(|suffix| column.ends_with(suffix))
}

fn json<C: ColumnTrait>(column: C, value: &Value) -> Json {
    match (column.def().get_column_type(), value) {
        (ColumnType::Decimal(_), Value::BigInt(Some(millionths))) => {
            Decimal::from_millionths(*millionths).to_string().into()
        }
        (_, Value::ChronoDateTimeUtc(Some(moment))) => {
            moment.to_rfc3339_opts(SecondsFormat::AutoSi, true).into()
        }
        (_, Value::ChronoDate(Some(day))) => day.to_string().into(),
        _ => sea_value_to_json_value(value),
    }
}
