//! Values of a surcharge table: they can be changed individually, and each change is recorded in the table's
//! history.

use std::collections::{BTreeMap, HashMap, HashSet};

use catalog::{
    article_type::{self, ArticleTypes},
    material::{self, Materials},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect,
};
use serde::Deserialize;
use store::{Database, Scope, Write, audit::Change, scope::refuse_stale};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Decimal, Result, Validated, Violations,
    rule::{not_negative, unique},
    tidy,
};

use super::{ActiveModel, SurchargeTable, SurchargeTables, SurchargeValues, guarding};
use crate::{
    codes, listing,
    surcharge_table::{
        surcharges::{self, KeyedBy, Month},
        value_entity::{self as surcharge_value, Column},
    },
};

/// Maximum number of values of one call.
const MANY_MAX: usize = 2_000;
/// Maximum number of months of a statement, because SQLite limits the depth of conditions.
const MONTHS: usize = 200;
/// Maximum number of values of a table.
pub const VALUES_MAX: usize = 5_000;

/// Input that changes values of a table.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = SurchargeValuesInput)]
pub struct ValuesInput {
    /// Values, at most one for each row and month; all others stay unchanged.
    #[schema(min_items = 1, max_items = 2000)]
    pub values: Vec<ValueInput>,
    /// Version of the table that was edited; rejected if it is not the current one.
    pub version: Option<i64>,
    /// True to save implausible values that a person has checked; ignored with an access token.
    pub release: Option<bool>,
}

tidy!(ValuesInput:);

/// Surcharge for a material or an article type in a month. Exactly one of the two is given, according to the
/// rows of the table.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SurchargeValueInput)]
pub struct ValueInput {
    pub material_id: Option<i64>,
    pub article_type_id: Option<i64>,
    #[schema(pattern = "^20[0-9]{2}-(0[1-9]|1[0-2])$", example = "2026-12")]
    pub month: String,
    /// Surcharge in EUR per tonne, zero or above, with at most 8 digits before and 4 after the decimal point;
    /// `null` deletes the value.
    #[schema(example = "1650")]
    pub value: Option<Decimal>,
}

/// Value of a row in a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurchargeValue {
    /// Id of the material or the article type.
    pub key: i64,
    pub name: String,
    pub keyed_by: KeyedBy,
    pub month: Month,
    pub value: Decimal,
    /// Base table that the value is taken from; `None` for an own value.
    pub base: Option<(i64, String)>,
}

/// Values of a table, and the version of the table to which they belong.
#[derive(Debug)]
pub struct TableValues {
    pub version: i64,
    /// Own values and those of base tables, by the names of rows, then months.
    pub values: Vec<SurchargeValue>,
}

/// Loads the values of a table, including those of its base tables.
pub async fn values(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<TableValues> {
    // The version is read first: if it is too old, a save is only refused. If it were too new, the save would
    // overwrite values that the caller has not seen.
    let table = scope.get::<SurchargeTables>(db, id).await?;
    let owner = scope.acting_for(Some(table.tenant_id));
    let all = owner.find::<SurchargeTables>().all(db).await?;
    let find_table = |id: i64| all.iter().find(|table| table.id == id);
    let places = cells(db, &owner, id, &all).await?;
    let keys = places.keys().map(|(key, _)| *key).collect();
    let names = names(db, scope, table.keyed_by, keys).await?;
    let value = |row: surcharge_value::Model| {
        let base = find_table(row.surcharge_table_id).filter(|base| base.id != id);
        Some(SurchargeValue {
            key: row.key_id,
            name: names.get(&row.key_id).cloned().unwrap_or_default(),
            keyed_by: table.keyed_by,
            month: Month::parse(&row.month)?,
            value: row.value,
            base: base.map(|base| (base.id, base.name.clone())),
        })
    };
    let mut values: Vec<SurchargeValue> = places.into_values().filter_map(value).collect();
    values.sort_by_cached_key(|value| (values::natural::sort_key(&value.name), value.key, value.month));
    Ok(TableValues { version: table.version, values })
}

/// Loads the cells of a table, including those of its base tables, by rows, then months.
async fn cells(
    db: &impl ConnectionTrait,
    owner: &Scope,
    id: i64,
    all: &[SurchargeTable],
) -> Result<BTreeMap<(i64, String), surcharge_value::Model>> {
    let base = |id: i64| all.iter().find(|table| table.id == id).and_then(|table| table.base_table_id);
    let chain = surcharges::chain(id, base);
    let rows = owner.parts::<SurchargeValues>(chain.clone()).order_by_asc(Column::Month).all(db).await?;
    let near = |table: i64| chain.iter().position(|id| *id == table);
    let mut places: BTreeMap<(i64, String), surcharge_value::Model> = BTreeMap::new();
    for row in rows {
        let place = (row.key_id, row.month.clone());
        let nearer = places
            .get(&place)
            .is_none_or(|current| near(row.surcharge_table_id) < near(current.surcharge_table_id));
        if nearer {
            places.insert(place, row);
        }
    }
    Ok(places)
}

/// Loads the names of materials or article types.
pub(super) async fn names(
    db: &impl ConnectionTrait,
    scope: &Scope,
    keyed_by: KeyedBy,
    ids: HashSet<i64>,
) -> Result<HashMap<i64, String>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let names: Vec<(i64, String)> = match keyed_by {
        KeyedBy::Material => {
            let query = scope.find::<Materials>().filter(material::Column::Id.is_in(ids)).select_only();
            query.columns([material::Column::Id, material::Column::Name]).into_tuple().all(db).await?
        }
        KeyedBy::ArticleType => {
            let query =
                scope.find::<ArticleTypes>().filter(article_type::Column::Id.is_in(ids)).select_only();
            query.columns([article_type::Column::Id, article_type::Column::Name]).into_tuple().all(db).await?
        }
    };
    Ok(names.into_iter().collect())
}

/// Changes values of a table, all or none.
///
/// # Errors
/// All violations, each below `values.<index>`; a version that is not the current one.
pub async fn put_values(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<ValuesInput>>,
) -> Result<TableValues> {
    let (ValuesInput { values: new_values, version, release }, mut violations) = input.into().parts();
    match new_values.len() {
        0 => violations.add("values", codes::TOO_FEW.with("min", 1)),
        1..=MANY_MAX => {}
        _ => violations.add("values", codes::TOO_MANY.with("max", MANY_MAX)),
    }
    violations.check()?;
    let mut violations = Violations::new();
    let tx = db.begin().await?;
    let table = scope.get_locked::<SurchargeTables>(&tx, id).await?;
    refuse_stale(version, table.version)?;
    let writer = scope.acting_for(Some(table.tenant_id));
    let mut places = Vec::with_capacity(new_values.len());
    for (index, value) in new_values.iter().enumerate() {
        let place = value.read(table.keyed_by, &format!("values.{index}"), &mut violations);
        places.extend(place.map(|place| (index, place, value.value)));
    }
    unique(&mut violations, places.iter().map(|(_, place, _)| *place), |number| {
        format!("values.{}.month", places.get(number).map_or(number, |(index, ..)| *index))
    });
    let keys = places.iter().map(|(_, (key, _), _)| *key).collect();
    let existing_names = names(&tx, scope, table.keyed_by, keys).await?;
    for (index, (key, _), _) in &places {
        if !existing_names.contains_key(key) {
            violations.add(format!("values.{index}.{}", table.keyed_by.field()), codes::UNKNOWN_REFERENCE);
        }
    }
    violations.check()?;
    if release != Some(true) || scope.is_of_token() {
        let all = writer.find::<SurchargeTables>().all(&tx).await?;
        let current = cells(&tx, &writer, id, &all).await?;
        let current = current
            .into_values()
            .filter_map(|cell| Some(((cell.key_id, Month::parse(&cell.month)?), cell.value)));
        let percent = listing::guard_percent(&tx, &writer).await?;
        guarding::check(&current.collect(), &places, percent)?;
    }
    let changes = places.into_iter().map(|(_, place, value)| (place, value)).collect();
    write(&tx, &writer, &table, changes).await?;
    let values = values(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(values)
}

impl ValueInput {
    /// Returns the valid row and month; violations are added below the path.
    fn read(&self, keyed_by: KeyedBy, path: &str, violations: &mut Violations) -> Option<(i64, Month)> {
        let (key, other, other_field) = match keyed_by {
            KeyedBy::Material => (self.material_id, self.article_type_id, KeyedBy::ArticleType.field()),
            KeyedBy::ArticleType => (self.article_type_id, self.material_id, KeyedBy::Material.field()),
        };
        if other.is_some() {
            violations.add(format!("{path}.{other_field}"), codes::OTHER_KEYS);
        } else if key.is_none() {
            violations.add(format!("{path}.{}", keyed_by.field()), codes::REQUIRED);
        }
        let month = Month::parse(&self.month);
        if month.is_none() {
            violations.add(format!("{path}.month"), codes::INVALID_MONTH);
        }
        not_negative(violations, &format!("{path}.value"), self.value, 8, 4);
        Some((key?, month?))
    }
}

/// Writes the values that differ, and raises the table's version.
async fn write(
    tx: &Write,
    writer: &Scope,
    table: &SurchargeTable,
    new_values: BTreeMap<(i64, Month), Option<Decimal>>,
) -> Result<()> {
    let rows = writer.parts::<SurchargeValues>([table.id]).all(tx).await?;
    let current_values: BTreeMap<(i64, Month), Decimal> = rows
        .into_iter()
        .filter_map(|row| Some(((row.key_id, Month::parse(&row.month)?), row.value)))
        .collect();
    let changed: BTreeMap<_, _> =
        new_values.into_iter().filter(|(place, value)| current_values.get(place) != value.as_ref()).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let removed_places: Vec<(i64, Month)> =
        changed.keys().filter(|place| current_values.contains_key(place)).copied().collect();
    let added = changed.iter().filter_map(|(place, value)| Some((*place, (*value)?)));
    let added_rows: Vec<surcharge_value::ActiveModel> =
        added.map(|((key, month), value)| row(table, key, month, value)).collect();
    if current_values.len() + added_rows.len() - removed_places.len() > VALUES_MAX {
        return Err(Violations::error("values", codes::TOO_MANY.with("max", VALUES_MAX)));
    }
    writer.update_from::<SurchargeTables>(tx, table, ActiveModel::default()).await?;
    let mut months: BTreeMap<Month, Vec<i64>> = BTreeMap::new();
    for (key, month) in removed_places {
        months.entry(month).or_default().push(key);
    }
    for some in months.into_iter().collect::<Vec<_>>().chunks(MONTHS) {
        writer.remove_parts::<SurchargeValues>(tx, table.id, at(some)).await?;
    }
    writer.add_parts::<SurchargeValues>(tx, table.id, added_rows).await
}

fn row(table: &SurchargeTable, key: i64, month: Month, value: Decimal) -> surcharge_value::ActiveModel {
    let key_column = |kind: KeyedBy| Set((table.keyed_by == kind).then_some(key));
    surcharge_value::ActiveModel {
        tenant_id: Set(table.tenant_id),
        key_id: Set(key),
        month: Set(month.to_string()),
        material_id: key_column(KeyedBy::Material),
        article_type_id: key_column(KeyedBy::ArticleType),
        value: Set(value),
        ..Default::default()
    }
}

/// Condition for these rows of these months.
fn at(months: &[(Month, Vec<i64>)]) -> Condition {
    months.iter().fold(Condition::any(), |any, (month, keys)| {
        let of_month = Condition::all().add(Column::Month.eq(month.to_string()));
        any.add(of_month.add(Column::KeyId.is_in(keys.iter().copied())))
    })
}

/// Reverts the values that an entry of the table's history has changed. Returns `None` if one of them has
/// been changed since.
pub async fn revert_values(db: &Database, scope: &Scope, id: i64, change: &Change) -> Result<Option<()>> {
    let (old_values, new_values) = (values_of_entry(&change.from), values_of_entry(&change.to));
    let tx = db.begin().await?;
    let table = scope.get_locked::<SurchargeTables>(&tx, id).await?;
    let rows = scope.parts::<SurchargeValues>([id]).all(&tx).await?;
    let is = |place: &(i64, Month)| {
        let row = rows.iter().find(|row| (row.key_id, Month::parse(&row.month)) == (place.0, Some(place.1)));
        row.map(|row| row.value)
    };
    let places: HashSet<_> = old_values.keys().chain(new_values.keys()).copied().collect();
    if places.iter().any(|place| is(place) != new_values.get(place).copied()) {
        return Ok(None);
    }
    let restored_values = places.into_iter().map(|place| (place, old_values.get(&place).copied())).collect();
    write(&tx, &scope.acting_for(Some(table.tenant_id)), &table, restored_values).await?;
    tx.commit().await?;
    Ok(Some(()))
}

/// Returns the values in an entry of the history.
pub(crate) fn values_of_entry(rows: &serde_json::Value) -> BTreeMap<(i64, Month), Decimal> {
    let value = |row: &serde_json::Value| {
        let key = row.get("material_id").or_else(|| row.get("article_type_id"))?.as_i64()?;
        let month = Month::parse(row.get("month")?.as_str()?)?;
        Some(((key, month), row.get("value")?.as_str()?.parse().ok()?))
    };
    rows.as_array().into_iter().flatten().filter_map(value).collect()
}
