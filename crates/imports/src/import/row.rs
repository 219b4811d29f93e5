//! Results of the rows of an import: for each row its record and the changes in it. Written together with the
//! batch; also part of the record's history, whose own entries name only the import.

pub mod entity;
pub mod months;
pub(crate) mod packed;

use std::collections::{BTreeSet, HashMap, HashSet};

use lists::{Field, ListQuery, Listed, Page};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, DbBackend, EntityTrait, Iterable, JoinType, QueryFilter,
    QuerySelect,
    sea_query::{Expr, ExprTrait, Query, SelectStatement, SimpleExpr},
};
use serde_json::{Map, Value as Json};
use sheets::Cell;
use store::{Database, Owner, Part, Scope, Scoped, audit::Change, past::PastEntry};
use values::{Result, TenantId, now};

pub use self::entity::{ActiveModel, Column, Entity as ImportRows, Model as ImportRow, Outcome};
use super::Imports;
use crate::{
    apply::{applying::RowResult, record_lines::Ids},
    import::{
        self,
        refusal::{Faults, NamedFault},
    },
    import_type::ImportType,
};

impl Scoped for ImportRows {
    /// Filter within the rows of one import.
    const ID: Column = Column::Line;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Part for ImportRows {
    type Whole = Imports;
    const WHOLE: Column = Column::ImportId;
    const TENANT: Option<Column> = Some(Column::TenantId);
}

impl Listed for ImportRows {
    const OWN_ID: Option<Field> = None;
    const FIELDS: &'static [Field] = &[
        Field::integer("line", &Column::Line),
        Field::choice(
            "outcome",
            &Column::Outcome,
            &[
                "created",
                "updated",
                "unchanged",
                "refused",
                "held",
                "unresolved",
                "removed",
                "skipped",
                "kept",
            ],
        )
        .unsorted(),
        Field::id("record_id", &Column::RecordId).optional(),
        Field::filled("warned", &Column::Warnings),
        Field::decimal(CHANGE_FIELD, &Column::ChangePercent).optional().unsorted(),
    ];
    const DEFAULT_SORT: &'static str = "line";
}

/// Name of the change in percent, for callers.
pub const CHANGE_FIELD: &str = "price_change";

/// Lists the rows of an import that the caller may see.
pub async fn list(
    db: &Database,
    scope: &Scope,
    import_id: i64,
    query: &ListQuery<ImportRows>,
) -> Result<Page<ImportRow>> {
    let import = scope.get::<Imports>(db, import_id).await?;
    let columns: Vec<Column> = Column::iter().collect();
    let rows = packed::select_singles(&columns, |rows| {
        rows.and_where(Column::TenantId.eq(import.tenant_id)).and_where(Column::ImportId.eq(import.id));
    });
    query.fetch_from(db, rows).await
}

/// Stored rows for results, by line.
pub(crate) fn to_rows<'a>(
    record: &'static str,
    header: &[Cell],
    applied: impl Iterator<Item = (u32, &'a RowResult)>,
) -> Vec<ActiveModel> {
    let written_at = now();
    let row = |(line, applied): (u32, &RowResult)| {
        let (outcome, record_id, before, after) = match applied {
            RowResult::Done { outcome, record_id, before, after, .. } => {
                (*outcome, *record_id, before.clone(), after.clone())
            }
            RowResult::Refused(_) | RowResult::Unresolved(_) => (applied.outcome(), None, None, None),
        };
        let (name, warnings, change_percent) = match applied {
            RowResult::Done { name, warnings, change_percent, .. } => {
                (name.clone(), warnings.clone(), *change_percent)
            }
            RowResult::Refused(_) | RowResult::Unresolved(_) => (String::new(), Vec::new(), None),
        };
        let warnings = (!warnings.is_empty()).then(|| Faults::with_column_names(warnings, header, None));
        ActiveModel {
            line: Set(i64::from(line)),
            outcome: Set(outcome),
            record: Set(record.to_owned()),
            record_id: Set(record_id),
            record_name: Set(name),
            before: Set(before),
            after: Set(after),
            warnings: Set(warnings),
            change_percent: Set(change_percent),
            last_month: Set(months::last_month(outcome, written_at).number()),
            packed: Set(None),
            ..Default::default()
        }
    };
    applied.map(row).collect()
}

/// Returns the lines in which an import has written these records.
///
/// The query uses the index of records. With the tenant as a condition, SQLite would read all rows of the
/// import instead.
#[expect(clippy::disallowed_methods, reason = "the worker's own import")]
pub(crate) async fn lines_of(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    import_id: i64,
    record: &str,
    ids: HashSet<i64>,
) -> Result<HashMap<i64, u32>> {
    let lines: Vec<(i64, i64)> = ImportRows::find()
        .select_only()
        .columns([Column::RecordId, Column::Line])
        .filter(Column::Record.eq(record))
        .filter(Column::RecordId.is_in(ids.iter().copied()))
        .filter(Column::ImportId.eq(import_id))
        .into_tuple()
        .all(tx)
        .await?;
    let mut lines: HashMap<i64, u32> =
        lines.into_iter().map(|(id, line)| (id, u32::try_from(line).unwrap_or_default())).collect();
    let is_packed = Condition::all().add(Column::Packed.is_not_null());
    packed::for_each(tx, scope, import_id, is_packed, |line, id| {
        lines.extend(id.filter(|id| ids.contains(id)).map(|id| (id, line)));
    })
    .await?;
    Ok(lines)
}

/// Returns the lines of a dry run, at least those between these two, that would have written a record or left
/// it unchanged.
pub(crate) async fn applied_lines(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    import_id: i64,
    first: u32,
    last: u32,
) -> Result<HashSet<u32>> {
    let applied = [Outcome::Created, Outcome::Updated, Outcome::Unchanged, Outcome::Held, Outcome::Removed];
    let which = packed::may_be_between(first.into(), last.into()).add(Column::Outcome.is_in(applied));
    let mut lines = HashSet::new();
    packed::for_each(tx, scope, import_id, which, |line, _| {
        lines.insert(line);
    })
    .await?;
    Ok(lines)
}

/// Loads the ids of the records that an import has named so far.
pub(crate) async fn records_of(tx: &impl ConnectionTrait, scope: &Scope, import_id: i64) -> Result<Ids> {
    let mut ids = Ids::default();
    packed::for_each(tx, scope, import_id, Condition::all(), |_, id| {
        if let Some(id) = id {
            ids.insert(id);
        }
    })
    .await?;
    Ok(ids)
}

/// Returns the records among these that no row of an import names.
pub(crate) async fn unnamed(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    import_id: i64,
    records: Vec<i64>,
) -> Result<Vec<i64>> {
    let mut records: BTreeSet<i64> = records.into_iter().collect();
    packed::for_each(tx, scope, import_id, Condition::all(), |_, id| {
        if let Some(id) = id {
            records.remove(&id);
        }
    })
    .await?;
    Ok(records.into_iter().collect())
}

/// Query for the ids of the records that rows of an import name.
pub(crate) fn ids_of(tenant: TenantId, import_id: i64) -> SelectStatement {
    packed::select_singles(&[Column::RecordId], |rows| {
        rows.and_where(Expr::col((ImportRows, Column::TenantId)).eq(tenant))
            .and_where(Expr::col((ImportRows, Column::ImportId)).eq(import_id));
    })
}

/// Query for the ids of the records of this kind that imports wrote or found unchanged, for the filter of a
/// list.
pub fn records(record: &str, imports: &[i64]) -> SelectStatement {
    packed::select_singles(&[Column::RecordId], |rows| {
        rows.join(JoinType::InnerJoin, Imports, is_of_import())
            .and_where(Expr::col((Imports, import::Column::Id)).is_in(imports.iter().copied()))
            .and_where(Expr::col((ImportRows, Column::Record)).eq(record))
            .and_where(
                Expr::col((ImportRows, Column::RecordId)).is_not_null().or(Expr::col((
                    ImportRows,
                    Column::Packed,
                ))
                .is_not_null()),
            );
    })
}

/// Changes of records by rows of imports.
pub async fn happened(db: &impl ConnectionTrait, record: &str, ids: &[i64]) -> Result<Vec<PastEntry>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = db.query_all(&history(db.get_database_backend(), record, ids, None, false)).await?;
    let entry = |row: sea_orm::QueryResult| {
        Ok(PastEntry {
            at: row.try_get_by_index(1)?,
            action: row.try_get_by_index(2)?,
            record_id: row.try_get_by_index(4)?,
            name: row.try_get_by_index(5)?,
            changes: changes_of(&row.try_get_by_index(13)?),
        })
    };
    rows.into_iter().map(entry).collect()
}

/// Query for the changes of records by rows of imports, in the columns of history entries; only of this
/// tenant's imports, if one is given. Their ids are negative. The state of a record before an expired import
/// is unknown and left out.
pub fn history(
    backend: DbBackend,
    record: &str,
    ids: &[i64],
    tenant: Option<values::TenantId>,
    is_platforms: bool,
) -> SelectStatement {
    let of_row = |column: Column| Expr::col((ImportRows, column));
    let owner = if is_platforms { "CAST(NULL AS bigint)" } else { "import_row.tenant_id" };
    let changes = match backend {
        DbBackend::Postgres => "jsonb_build_object('before', import_row.before, 'after', import_row.after)",
        _ => "json_object('before', json(import_row.before), 'after', json(import_row.after))",
    };
    let mut rows = Query::select();
    rows.expr(Expr::cust(format!("-(import_row.import_id * {LINES} + import_row.line)")))
        .expr(Expr::cust("coalesce(import.finished_at, import.started_at)"))
        .expr(Expr::cust("CASE import_row.outcome WHEN 'created' THEN 'created' WHEN 'removed' THEN CASE WHEN import_row.after IS NULL THEN 'deleted' ELSE 'changed' END ELSE 'changed' END"))
        .columns([Column::Record, Column::RecordId, Column::RecordName].map(|column| (ImportRows, column)))
        .expr(Expr::cust(owner))
        .expr(Expr::cust("import.created_by"))
        .expr(Expr::cust("'import'"))
        .column((ImportRows, Column::ImportId))
        .expr(Expr::cust("''"))
        .expr(Expr::cust("''"))
        .expr(Expr::cust("CAST(NULL AS bigint)"))
        .expr(Expr::cust(changes))
        .from(ImportRows)
        .join(JoinType::InnerJoin, Imports, is_of_import())
        .and_where(of_row(Column::Record).eq(record))
        .and_where(of_row(Column::RecordId).is_in(ids.iter().copied()))
        .and_where(of_row(Column::After).is_not_null().or(of_row(Column::Before).is_not_null()))
        .and_where(Expr::col((Imports, import::Column::DryRun)).eq(false))
        .and_where(is_effective());
    if let Some(tenant) = tenant {
        rows.and_where(of_row(Column::TenantId).eq(tenant));
    }
    rows
}

/// Factor larger than the number of rows of any file.
const LINES: i64 = 1 << 26;

fn is_of_import() -> SimpleExpr {
    let of_row = |column: Column| Expr::col((ImportRows, column));
    of_row(Column::TenantId)
        .equals((Imports, import::Column::TenantId))
        .and(of_row(Column::ImportId).equals((Imports, import::Column::Id)))
}

/// Condition that the rows of an import have taken effect: a file that takes effect as a whole has not done
/// so before its end, and never if it failed.
fn is_effective() -> Expr {
    let of_import = |column: import::Column| Expr::col((Imports, column));
    let whole = ImportType::ALL.iter().copied().filter(|kind| kind.is_whole());
    of_import(import::Column::FinishedAt)
        .is_not_null()
        .or(of_import(import::Column::Type).is_not_in(whole))
        .or(of_import(import::Column::Undoes).is_not_null())
}

/// Changed fields in compact form: the values before and after, without nulls.
pub(crate) fn compact(changes: Vec<Change>) -> (Json, Json) {
    let (mut before, mut after) = (Map::new(), Map::new());
    for Change { field, from, to } in changes {
        if from != Json::Null {
            before.insert(field.clone(), from);
        }
        if to != Json::Null {
            after.insert(field, to);
        }
    }
    (before.into(), after.into())
}

impl ImportRow {
    /// Changes in the record.
    pub fn changes(&self) -> Vec<Change> {
        changes(self.before.as_ref(), self.after.as_ref())
    }

    /// Warnings about an accepted row.
    pub fn warnings(&self) -> &[NamedFault] {
        self.warnings.as_ref().map(|Faults(warnings)| &**warnings).unwrap_or_default()
    }
}

/// Changes in the form of a history entry, or of [`history`].
pub fn changes_of(changed: &Json) -> Vec<Change> {
    match changed {
        Json::Object(sides) => changes(sides.get("before"), sides.get("after")),
        entries => serde_json::from_value(entries.clone()).unwrap_or_default(),
    }
}

fn changes(before: Option<&Json>, after: Option<&Json>) -> Vec<Change> {
    let fields = |value: Option<&Json>| value.and_then(Json::as_object).cloned().unwrap_or_default();
    let (before, mut after) = (fields(before), fields(after));
    let mut changes: Vec<_> = before
        .into_iter()
        .map(|(field, from)| {
            let to = after.remove(&field).unwrap_or_default();
            Change { field, from, to }
        })
        .collect();
    changes.extend(after.into_iter().map(|(field, to)| Change { field, from: Json::Null, to }));
    changes.sort_by(|a, b| a.field.cmp(&b.field));
    changes
}
