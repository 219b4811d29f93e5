//! Fields of records and of their parts as the history notes them.

use chrono::SecondsFormat;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ColumnType, IdenStatic, Iterable, ModelTrait, Value,
    sea_query::sea_value_to_json_value,
};
use serde_json::Value as Json;

use super::{Part, Recorded};
use crate::{audit::Fields, decimal::Decimal};

/// What is noted of a stored record.
pub fn of_model<E: Recorded>(row: &E::Model) -> Fields {
    fields::<E>(|column| row.get(column))
}

fn fields<E: Recorded>(value: impl Fn(E::Column) -> Value) -> Fields {
    let mut fields = Fields::new();
    for column in noted_columns::<E>() {
        let name = column.as_str();
        match json(column, &value(column)) {
            // a value for each key
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

/// The columns of which changes are noted.
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

/// What is noted of a part: its columns beside the whole's, the tenant's and, unless others refer to it, its own id; a lone one
/// without its name.
pub fn of_part<P: Part>(part: &P::Model) -> Json {
    part_fields::<P>(|column| Some(part.get(column)))
}

/// The same of one that is written: the columns that are set.
pub(crate) fn of_part_row<P: Part>(part: &P::ActiveModel) -> Json {
    part_fields::<P>(|column| part.get(column).into_value())
}

/// The same of one that some columns of are written.
pub(crate) fn of_changed_part<P: Part>(part: &P::Model, change: &P::ActiveModel) -> Json {
    part_fields::<P>(|column| change.get(column).into_value().or_else(|| Some(part.get(column))))
}

fn part_fields<P: Part>(value: impl Fn(P::Column) -> Option<Value>) -> Json {
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

/// Secrets never are, nor are what columns hold only to be searched or sorted.
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
