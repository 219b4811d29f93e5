//! Results of the rows of an import: for each row its record and the changes in it. Written together with the
//! batch; also part of the record's history, whose own entries name only the import.

pub mod entity;
pub mod months;

use std::collections::{BTreeSet, HashMap, HashSet};

use kernel::{
    Database, Field, Instant, ListQuery, Listed, Owner, Page, Part, Result, Scope, Scoped, TenantId,
    audit::Change, now, past::Happened,
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, JoinType, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Value,
    sea_query::{Expr, ExprTrait, IntoColumnRef, Query, SelectStatement, SimpleExpr},
};
use serde_json::{Map, Value as Json};
use sheets::Cell;

pub use self::entity::{ActiveModel, Column, Entity as ImportRows, Model as ImportRow, Outcome};
use super::Imports;
use crate::{
    apply::{applying::Applied, seen::Ids},
    import::{
        self,
        refusal::{Faults, NamedFault},
    },
    import_type::ImportType,
};

impl Scoped for ImportRows {
    /// Among the rows of one import.
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

/// The name of the change in percent, for callers.
pub const CHANGE_FIELD: &str = "price_change";

/// Rows of an import that the caller may see.
pub async fn list(
    db: &Database,
    scope: &Scope,
    import_id: i64,
    query: &ListQuery<ImportRows>,
) -> Result<Page<ImportRow>> {
    let import = scope.get::<Imports>(db, import_id).await?;
    let rows = scope
        .find::<ImportRows>()
        .filter(Column::TenantId.eq(import.tenant_id))
        .filter(Column::ImportId.eq(import.id));
    query.fetch_from(db, rows.into_query()).await
}

/// Stored rows for results, by line.
pub(crate) fn kept<'a>(
    record: &'static str,
    header: &[Cell],
    applied: impl Iterator<Item = (u32, &'a Applied)>,
) -> Vec<ActiveModel> {
    let written_at = now();
    let row = |(line, applied): (u32, &Applied)| {
        let (outcome, record_id, before, after) = match applied {
            Applied::Done { outcome, record_id, before, after, .. } => {
                (*outcome, *record_id, before.clone(), after.clone())
            }
            Applied::Refused(_) | Applied::Unresolved(_) => (applied.outcome(), None, None, None),
        };
        let (name, warnings, change_percent) = match applied {
            Applied::Done { name, warnings, change_percent, .. } => {
                (name.clone(), warnings.clone(), *change_percent)
            }
            Applied::Refused(_) | Applied::Unresolved(_) => (String::new(), Vec::new(), None),
        };
        let warnings = (!warnings.is_empty()).then(|| Faults::named(warnings, header, None));
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
            ..Default::default()
        }
    };
    applied.map(row).collect()
}

/// The lines in which an import has written these records.
///
/// The index of records finds them: asked for the tenant as well, SQLite would read all rows of the import instead.
#[expect(clippy::disallowed_methods, reason = "the worker's own import")]
pub(crate) async fn lines_of(
    tx: &impl ConnectionTrait,
    import_id: i64,
    record: &str,
    ids: Vec<i64>,
) -> Result<HashMap<i64, u32>> {
    let lines: Vec<(i64, i64)> = ImportRows::find()
        .select_only()
        .columns([Column::RecordId, Column::Line])
        .filter(Column::Record.eq(record))
        .filter(Column::RecordId.is_in(ids))
        .filter(Column::ImportId.eq(import_id))
        .into_tuple()
        .all(tx)
        .await?;
    Ok(lines.into_iter().map(|(id, line)| (id, u32::try_from(line).unwrap_or_default())).collect())
}

/// The lines of a dry run, up to the last of these rows, that would have written a record or left it as it is.
#[expect(clippy::disallowed_methods, reason = "the worker's own import")]
pub(crate) async fn applied_lines(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    import_id: i64,
    (first, last): (u32, u32),
) -> Result<HashSet<u32>> {
    let applied = [Outcome::Created, Outcome::Updated, Outcome::Unchanged, Outcome::Held, Outcome::Removed];
    let lines: Vec<i64> = ImportRows::find()
        .select_only()
        .column(Column::Line)
        .filter(Column::TenantId.eq(scope.tenant()?))
        .filter(Column::ImportId.eq(import_id))
        .filter(Column::Line.between(first, last))
        .filter(Column::Outcome.is_in(applied))
        .into_tuple()
        .all(tx)
        .await?;
    Ok(lines.into_iter().map(|line| u32::try_from(line).unwrap_or_default()).collect())
}

/// The records that an import has written so far.
pub(crate) async fn records_of(tx: &impl ConnectionTrait, scope: &Scope, import_id: i64) -> Result<Ids> {
    let (mut ids, mut last) = (Ids::default(), 0);
    loop {
        let rows: Vec<(i64, Option<i64>)> = scope
            .find::<ImportRows>()
            .select_only()
            .columns([Column::Line, Column::RecordId])
            .filter(Column::TenantId.eq(scope.tenant()?))
            .filter(Column::ImportId.eq(import_id))
            .filter(Column::Line.gt(last))
            .order_by_asc(Column::Line)
            .limit(PAGE)
            .into_tuple()
            .all(tx)
            .await?;
        let Some((line, _)) = rows.last() else { return Ok(ids) };
        last = *line;
        for id in rows.iter().filter_map(|(_, id)| *id) {
            ids.hold(id);
        }
    }
}

/// So many rows are read at once.
const PAGE: u64 = 10_000;

/// The rows of an import that name a record. PostgreSQL gets the import's tenant, who leads to their shard; SQLite
/// would read all rows of the import instead of those of the record.
pub(crate) fn of_record(
    (import_id, tenant): (i64, TenantId),
    backend: DbBackend,
    record: &str,
    id: Expr,
) -> SelectStatement {
    let of_row = |column: Column| Expr::col((ImportRows, column));
    let mut rows = Query::select();
    rows.expr(Expr::value(1))
        .from(ImportRows)
        .and_where(of_row(Column::Record).eq(record))
        .and_where(of_row(Column::RecordId).eq(id))
        .and_where(of_row(Column::ImportId).eq(import_id));
    if backend == DbBackend::Postgres {
        rows.and_where(of_row(Column::TenantId).eq(tenant));
    }
    rows
}

/// Moments at which imports have last written these records of some tenants, or found them as their files
/// say. Imports that still run do not count.
pub async fn confirmed(
    db: &impl ConnectionTrait,
    record: &str,
    tenants: impl IntoIterator<Item = TenantId>,
    ids: Vec<i64>,
) -> Result<HashMap<i64, Instant>> {
    let of_row = |column: Column| Expr::col((ImportRows, column));
    let finished = || Expr::col((Imports, import::Column::FinishedAt));
    let mut last = Query::select();
    if db.get_database_backend() == DbBackend::Postgres {
        // they lead to their shards; SQLite would read all rows of their imports instead of those of the
        // records
        let tenants: BTreeSet<i64> = tenants.into_iter().map(i64::from).collect();
        last.and_where(of_row(Column::TenantId).is_in(tenants));
    }
    last.column((ImportRows, Column::RecordId))
        .expr_as(finished().max(), "at")
        .from(ImportRows)
        .join(JoinType::InnerJoin, Imports, is_of_import())
        .and_where(of_row(Column::Record).eq(record))
        .and_where(of_row(Column::RecordId).is_in(ids))
        .and_where(Expr::col((Imports, import::Column::DryRun)).eq(false))
        // who takes something back says nothing of how it is
        .and_where(Expr::col((Imports, import::Column::Undoes)).is_null())
        .and_where(finished().is_not_null())
        .group_by_col((ImportRows, Column::RecordId));
    let rows = db.query_all(&last).await?;
    Ok(rows
        .iter()
        .map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?)))
        .collect::<Result<_, sea_orm::DbErr>>()?)
}

/// True if an import that has ended since then has written the record of this kind that columns of the
/// statement name, or found it as its file says. It is asked for one record after the other: there are many
/// more rows of imports than records.
pub fn confirmed_since(
    record: &str,
    (tenant, id): (impl IntoColumnRef, impl IntoColumnRef),
    since: Value,
) -> SimpleExpr {
    let of_row = |column: Column| Expr::col((ImportRows, column));
    let of_import = |column: import::Column| Expr::col((Imports, column));
    let mut row = Query::select();
    row.expr(Expr::val(1))
        .from(ImportRows)
        .join(JoinType::InnerJoin, Imports, is_of_import())
        .and_where(of_row(Column::Record).eq(record))
        .and_where(of_row(Column::RecordId).eq(Expr::col(id)))
        // rows of two shards are not joined
        .and_where(of_row(Column::TenantId).eq(Expr::col(tenant)))
        .and_where(of_import(import::Column::DryRun).eq(false))
        .and_where(of_import(import::Column::FinishedAt).gte(since))
        .limit(1);
    SimpleExpr::SubQuery(None, Box::new(row.into())).is_not_null()
}

/// The ids of the records of this kind that imports have written or found as they were: for a list's filter.
pub fn records(record: &str, imports: Vec<i64>) -> SelectStatement {
    let of_row = |column: Column| Expr::col((ImportRows, column));
    let mut records = Query::select();
    records
        .column((ImportRows, Column::RecordId))
        .from(Imports)
        .join(JoinType::InnerJoin, ImportRows, is_of_import())
        .and_where(Expr::col((Imports, import::Column::Id)).is_in(imports))
        .and_where(of_row(Column::Record).eq(record))
        .and_where(of_row(Column::RecordId).is_not_null());
    records
}

/// Changes of records by rows of imports.
pub async fn happened(db: &impl ConnectionTrait, record: &str, ids: &[i64]) -> Result<Vec<Happened>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let rows = db.query_all(&history(db.get_database_backend(), record, ids, None, false)).await?;
    let entry = |row: sea_orm::QueryResult| {
        Ok(Happened {
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
    tenant: Option<kernel::TenantId>,
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

/// More than any file has.
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
