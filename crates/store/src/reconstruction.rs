//! Reconstruction of rows from the history: column values from the noted fields of a record.

use std::collections::HashMap;

use chrono::DateTime;
use sea_orm::{
    ActiveModelTrait, ActiveValue, ColumnTrait, ColumnType, ConnectionTrait, IdenStatic, Iterable, Statement,
    Value,
};
use serde_json::{Map, Value as Json};
use values::{
    clock::now,
    decimal::Decimal,
    error::{Error, Result},
    fold::fold,
};

use crate::{
    audit::{Change, Channel, Fields, text},
    scope::{Recorded, history_fields::noted_columns, unnumbered},
};

/// Row of a deleted record. Columns that the history does not note get the record's name or the value of a
/// new row.
pub fn recreate_row<E: Recorded>(id: i64, name: &str, fields: &Fields) -> Result<E::ActiveModel> {
    let mut row = <E::ActiveModel as ActiveModelTrait>::default();
    let fresh = [E::VERSION, E::CREATED_AT, E::UPDATED_AT];
    for column in fresh.into_iter().chain(E::UNNOTED.iter().copied()) {
        let value = match column.def().get_column_type() {
            ColumnType::TimestampWithTimeZone => now().into(),
            ColumnType::BigInteger => 1_i64.into(),
            _ => name.into(),
        };
        set::<E>(&mut row, column, value)?;
    }
    set::<E>(&mut row, E::ID, id.into())?;
    unnumbered::<E>(&mut row);
    restore_fields::<E>(&mut row, fields)?;
    Ok(row)
}

/// Sets all noted columns of a row to the values of these fields; columns without a field become empty.
pub fn restore_fields<E: Recorded>(row: &mut E::ActiveModel, fields: &Fields) -> Result<()> {
    for column in noted_columns::<E>() {
        let value = value_of(column, fields)?;
        set::<E>(row, column, value)?;
    }
    for column in E::Column::iter() {
        let name = column.as_str();
        if let Some(text_of) = name.strip_suffix("_fold").and_then(|name| name.parse::<E::Column>().ok()) {
            let folded = match row.get(text_of) {
                ActiveValue::NotSet => continue,
                value => fold(&value.into_value().and_then(text).unwrap_or_default()),
            };
            set::<E>(row, column, folded.into())?;
        } else if name.ends_with("_sort") {
            // computed when the row is written
            set::<E>(row, column, "".into())?;
        }
    }
    Ok(())
}

fn set<E: Recorded>(row: &mut E::ActiveModel, column: E::Column, value: Value) -> Result<()> {
    row.try_set(column, value).map_err(Error::internal)
}

fn value_of<C: ColumnTrait>(column: C, fields: &Fields) -> Result<Value> {
    let name = column.as_str();
    let noted = fields.get(name).unwrap_or(&Json::Null);
    let unread = || Error::internal(format!("{noted} is no value of {name}"));
    let text = || noted.as_str().ok_or_else(unread);
    let is_empty = noted.is_null();
    Ok(match column.def().get_column_type() {
        ColumnType::Json | ColumnType::JsonBinary => {
            let prefix = format!("{name}.");
            let keyed =
                fields.iter().filter_map(|(field, value)| Some((field.strip_prefix(&prefix)?, value)));
            let keyed: Map<_, _> = keyed
                .filter(|(_, value)| !value.is_null())
                .map(|(key, value)| (key.to_owned(), value.clone()))
                .collect();
            match noted {
                Json::Null if keyed.is_empty() && column.def().is_null() => Value::Json(None),
                Json::Null => Json::from(keyed).into(),
                noted => noted.clone().into(),
            }
        }
        ColumnType::Decimal(_) | ColumnType::BigInteger if is_empty => None::<i64>.into(),
        ColumnType::Decimal(_) => {
            let number: Decimal = text()?.parse().map_err(|_| unread())?;
            number.millionths().into()
        }
        ColumnType::Boolean if is_empty => None::<bool>.into(),
        ColumnType::Boolean => noted.as_bool().ok_or_else(unread)?.into(),
        ColumnType::BigInteger => noted.as_i64().ok_or_else(unread)?.into(),
        ColumnType::TimestampWithTimeZone if is_empty => Value::ChronoDateTimeUtc(None),
        ColumnType::TimestampWithTimeZone => {
            DateTime::parse_from_rfc3339(text()?).map_err(|_| unread())?.to_utc().into()
        }
        _ if is_empty => None::<String>.into(),
        _ => text()?.to_owned().into(),
    })
}

/// Changes of records through one channel, oldest first, while the history still has them.
pub async fn changes_through(
    db: &impl ConnectionTrait,
    record: &str,
    ids: &[i64],
    way: Channel,
) -> Result<HashMap<i64, Vec<Change>>> {
    let mut changes: HashMap<i64, Vec<Change>> = HashMap::new();
    if ids.is_empty() {
        return Ok(changes);
    }
    let listed: Vec<String> = ids.iter().map(i64::to_string).collect();
    let sql = format!(
        "SELECT record_id, changes FROM audit_entry WHERE record = $1 AND record_id IN ({}) \
         AND action = 'changed' AND channel = $2 AND channel_id = $3 ORDER BY at, id",
        listed.join(", ")
    );
    let values = [record.into(), way.name().into(), way.id().into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    for row in db.query_all_raw(statement).await? {
        let (id, noted): (i64, Json) = (row.try_get("", "record_id")?, row.try_get("", "changes")?);
        let noted: Vec<Change> = serde_json::from_value(noted).map_err(Error::internal)?;
        changes.entry(id).or_default().extend(noted);
    }
    Ok(changes)
}
