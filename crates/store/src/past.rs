//! Former states of records: the current state with the entries of the history undone, from the latest to the
//! earliest.

use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, DbBackend, Statement, Value};
use serde_json::Value as Json;
use values::{
    clock::Instant,
    error::{Error, Result},
};

use crate::audit::{Change, Fields};

/// Period for which the history is stored.
pub const KEPT: TimeDelta = TimeDelta::days(400);

/// History entry of a record.
#[derive(Debug, Clone, PartialEq)]
pub struct PastEntry {
    pub record_id: i64,
    pub name: String,
    pub at: Instant,
    /// Action: `created`, `changed` or `deleted`.
    pub action: String,
    pub changes: Vec<Change>,
}

impl PastEntry {
    /// Creation without an entry, dated by the record's own creation time.
    pub fn created(record_id: i64, at: Instant) -> Self {
        Self { record_id, name: String::new(), at, action: CREATED.to_owned(), changes: Vec::new() }
    }

    /// True if the entry records that the record was created.
    pub fn is_creation(&self) -> bool {
        self.action == CREATED
    }
}

const CREATED: &str = "created";

/// States, each valid from its moment until that of the next one; the first reaches back as long as there is
/// data.
pub type StateHistory<T> = Vec<(Instant, Option<T>)>;

/// State at a moment.
pub fn state_at<T>(history: &StateHistory<T>, moment: Instant) -> Option<&T> {
    history.iter().rev().find(|(since, _)| *since <= moment).and_then(|(_, what)| what.as_ref())
}

const ACTIONS: &str = "action IN ('created', 'changed', 'deleted')";

/// Entries of these records of a table since a moment.
pub async fn entries(
    db: &impl ConnectionTrait,
    record: &str,
    ids: &[i64],
    since: Instant,
) -> Result<Vec<PastEntry>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let ids = ids.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    let which = format!("record = $1 AND at >= $2 AND record_id IN ({ids}) AND {ACTIONS}");
    query_entries(db, &which, vec![record.into(), since.into()]).await
}

/// Entries as from [`entries`], for large ones: each is shortened before the next ones are read.
pub async fn entries_shortened(
    db: &impl ConnectionTrait,
    record: &str,
    ids: &[i64],
    since: Instant,
    shorten: impl Fn(&mut PastEntry),
) -> Result<Vec<PastEntry>> {
    let (mut all, mut last_at, mut last_id) = (Vec::new(), since, 0);
    if ids.is_empty() {
        return Ok(all);
    }
    let ids = ids.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    // continue after the last one, since there may be others of the same moment
    let which =
        format!("record = $1 AND at >= $2 AND (at > $2 OR id > $3) AND record_id IN ({ids}) AND {ACTIONS}");
    loop {
        let values = vec![record.into(), last_at.into(), last_id.into()];
        let some = query_numbered_entries(db, &which, values, Some(AT_ONCE)).await?;
        let is_last = some.len() < AT_ONCE;
        for (id, mut entry) in some {
            (last_at, last_id) = (entry.at, id);
            shorten(&mut entry);
            all.push(entry);
        }
        if is_last {
            return Ok(all);
        }
    }
}

/// Number of large entries that are in memory together.
const AT_ONCE: usize = 20;

/// Entries of all records of a table since a moment.
pub async fn entries_of_all(
    db: &impl ConnectionTrait,
    record: &str,
    since: Instant,
) -> Result<Vec<PastEntry>> {
    let which = format!("record = $1 AND at >= $2 AND record_id IS NOT NULL AND {ACTIONS}");
    query_entries(db, &which, vec![record.into(), since.into()]).await
}

/// Ids of the records of a table that were deleted since a moment; if a name is given, only those whose name
/// begins with it. Their former fields, which may be large, are not read.
pub async fn deleted(
    db: &impl ConnectionTrait,
    record: &str,
    name: Option<&str>,
    since: Instant,
) -> Result<Vec<i64>> {
    let bytes = match db.get_database_backend() {
        DbBackend::Postgres => "record_name COLLATE \"C\"",
        _ => "record_name",
    };
    let name_condition = name.map(|_| format!(" AND {bytes} >= $2 AND {bytes} < $3")).unwrap_or_default();
    // literally the condition of the partial index; a condition on the moment would make the planner use
    // another one
    let which = format!("record = $1 AND record_id IS NOT NULL AND action = 'deleted'{name_condition}");
    let mut values: Vec<Value> = vec![record.into()];
    if let Some(name) = name {
        values.extend([name.into(), format!("{name}{}", char::MAX).into()]);
    }
    let sql = format!("SELECT record_id, at FROM audit_entry WHERE {which}");
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let mut deleted = Vec::new();
    for row in db.query_all_raw(statement).await? {
        let at: Instant = row.try_get("", "at")?;
        if at >= since {
            deleted.push(row.try_get("", "record_id")?);
        }
    }
    Ok(deleted)
}

async fn query_entries(db: &impl ConnectionTrait, which: &str, values: Vec<Value>) -> Result<Vec<PastEntry>> {
    Ok(query_numbered_entries(db, which, values, None).await?.into_iter().map(|(_, entry)| entry).collect())
}

/// Entries with their own ids, in order.
async fn query_numbered_entries(
    db: &impl ConnectionTrait,
    which: &str,
    values: Vec<Value>,
    limit: Option<usize>,
) -> Result<Vec<(i64, PastEntry)>> {
    let limit = limit.map(|limit| format!(" LIMIT {limit}")).unwrap_or_default();
    let sql = format!(
        "SELECT id, record_id, record_name, at, action, changes FROM audit_entry WHERE {which} ORDER BY at, id{limit}"
    );
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    let entry = |row: sea_orm::QueryResult| {
        let changes: Json = row.try_get("", "changes")?;
        let entry = PastEntry {
            record_id: row.try_get("", "record_id")?,
            name: row.try_get("", "record_name")?,
            at: row.try_get("", "at")?,
            action: row.try_get("", "action")?,
            changes: serde_json::from_value(changes).map_err(Error::internal)?,
        };
        Ok((row.try_get("", "id")?, entry))
    };
    db.query_all_raw(statement).await?.into_iter().map(entry).collect()
}

/// States of a record over time, computed from its current state and all later entries. Parts are lists in
/// fields named after their table. The state of a deleted record comes from the entry of its deletion.
pub fn state_history(
    now: Option<Fields>,
    mut entries: Vec<PastEntry>,
    parts: &[&str],
) -> StateHistory<Fields> {
    entries.reverse();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.at));
    let (mut states, mut is) = (Vec::with_capacity(entries.len() + 1), now);
    for entry in entries {
        let was = before(is.clone(), &entry, parts);
        states.push((entry.at, std::mem::replace(&mut is, was)));
    }
    states.push((Instant::MIN_UTC, is));
    states.reverse();
    states
}

fn before(is: Option<Fields>, entry: &PastEntry, parts: &[&str]) -> Option<Fields> {
    match entry.action.as_str() {
        CREATED => None,
        "deleted" => {
            let old_fields = entry.changes.iter().map(|change| (change.field.clone(), change.from.clone()));
            Some(old_fields.collect())
        }
        _ => is.map(|mut fields| {
            for change in &entry.changes {
                let was = match (&change.from, &change.to) {
                    (Json::Array(removed), Json::Array(added)) if parts.contains(&change.field.as_str()) => {
                        let now = fields.get(&change.field).and_then(Json::as_array);
                        let mut now = now.cloned().unwrap_or_default();
                        for part in added {
                            if let Some(place) = now.iter().position(|other| other == part) {
                                now.remove(place);
                            }
                        }
                        now.extend(removed.iter().cloned());
                        Json::Array(now)
                    }
                    (from, _) => from.clone(),
                };
                fields.insert(change.field.clone(), was);
            }
            fields
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn moment(day: i64) -> Instant {
        chrono::DateTime::UNIX_EPOCH + TimeDelta::days(day)
    }

    fn fields(value: Json) -> Fields {
        serde_json::from_value(value).unwrap()
    }

    fn entry(day: i64, action: &str, changes: Json) -> PastEntry {
        PastEntry {
            record_id: 1,
            name: String::new(),
            at: moment(day),
            action: action.into(),
            changes: serde_json::from_value(changes).unwrap(),
        }
    }

    #[test]
    fn former_states_are_reconstructed_without_later_changes() {
        let changes = vec![
            entry(1, "created", json!([{ "field": "price", "from": null, "to": "10" }])),
            entry(5, "changed", json!([{ "field": "price", "from": "11", "to": "12" }])),
            entry(
                3,
                "changed",
                json!([
                    { "field": "price", "from": "10", "to": "11" },
                    { "field": "tenant", "from": [1], "to": [2, 3] },
                ]),
            ),
        ];
        let now = fields(json!({ "price": "12", "name": "a", "tenant": [2, 3, 4] }));
        let states = state_history(Some(now), changes, &["tenant"]);
        let price = |day: i64| state_at(&states, moment(day)).map(|fields| fields["price"].clone());
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 9].map(price),
            [
                None,
                Some(json!("10")),
                Some(json!("10")),
                Some(json!("11")),
                Some(json!("11")),
                Some(json!("12")),
                Some(json!("12")),
            ]
        );
        assert_eq!(state_at(&states, moment(2)).unwrap()["tenant"], json!([4, 1]));
        assert_eq!(state_at(&states, moment(4)).unwrap()["tenant"], json!([2, 3, 4]));
    }

    #[test]
    fn a_deleted_record_has_the_state_of_its_last_entry_and_may_be_recreated() {
        let changes = vec![
            entry(2, "deleted", json!([{ "field": "price", "from": "10", "to": null }])),
            entry(6, "created", json!([{ "field": "price", "from": null, "to": "20" }])),
        ];
        let states = state_history(Some(fields(json!({ "price": "20" }))), changes, &[]);
        let price = |day: i64| state_at(&states, moment(day)).map(|fields| fields["price"].clone());
        assert_eq!(
            [0, 1, 2, 5, 6].map(price),
            [Some(json!("10")), Some(json!("10")), None, None, Some(json!("20")),]
        );
    }
}
