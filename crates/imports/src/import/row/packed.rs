//! Packed rows: unchanged rows of a file, stored together. Most rows of a daily file change nothing, and one
//! table row for each would be mostly overhead. A packed row has the lines, record ids and names of the
//! unchanged rows in the same [`SPAN`] of lines.

use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{
        Alias, CaseStatement, Expr, ExprTrait, Func, IntoIden, JoinType, Query, SelectStatement, SimpleExpr,
        TableRef, UnionType,
    },
};
use store::Scope;
use values::Result;

use super::entity::{ActiveModel, Column, Entity as ImportRows, Outcome, PackedRows};

/// Number of lines whose unchanged rows are stored together.
const SPAN: i64 = 1_000;

/// Number of stored rows that are read together.
const PAGE: u64 = 1_000;

/// Part of a stored row that names records: its line, its record, and the rows packed in it.
type StoredPart = (i64, Option<i64>, Option<PackedRows>);

/// Packs the rows of a batch that changed nothing and have no warnings.
pub(crate) fn pack(rows: Vec<ActiveModel>) -> Vec<ActiveModel> {
    let (unchanged, mut rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(can_be_packed);
    for together in unchanged.chunk_by(|row, next| line(row) / SPAN == line(next) / SPAN) {
        rows.extend(packed(together));
    }
    rows
}

fn can_be_packed(row: &ActiveModel) -> bool {
    row.outcome == Set(Outcome::Unchanged) && record(row).is_some() && row.warnings == Set(None)
}

fn packed(rows: &[ActiveModel]) -> Option<ActiveModel> {
    let first = rows.first()?;
    let single = |row: &ActiveModel| {
        let name = row.record_name.try_as_ref().cloned().unwrap_or_default();
        Some((line(row) - line(first), (record(row)?, name)))
    };
    let packed = PackedRows(rows.iter().filter_map(single).collect());
    let (record_id, record_name) = (Set(None), Set(String::new()));
    Some(ActiveModel { record_id, record_name, packed: Set(Some(packed)), ..first.clone() })
}

fn line(row: &ActiveModel) -> i64 {
    row.line.try_as_ref().copied().unwrap_or_default()
}

fn record(row: &ActiveModel) -> Option<i64> {
    row.record_id.try_as_ref().copied().flatten()
}

/// Line and record of each row that a stored row represents.
fn singles((line, record_id, packed): StoredPart) -> Vec<(i64, Option<i64>)> {
    let Some(PackedRows(rows)) = packed else { return vec![(line, record_id)] };
    rows.into_iter().map(|(offset, (id, _))| (line + offset, Some(id))).collect()
}

/// Condition for stored rows that may represent a row between two lines.
pub(super) fn may_be_between(first: i64, last: i64) -> Condition {
    Condition::all().add(Column::Line.between(first - first % SPAN, last))
}

/// Calls `each` with line and record of every row of an import whose stored row matches a condition.
pub(crate) async fn for_each(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    import_id: i64,
    which: Condition,
    mut each: impl FnMut(u32, Option<i64>),
) -> Result<()> {
    let mut after = i64::MIN;
    loop {
        let rows: Vec<StoredPart> = scope
            .find::<ImportRows>()
            .select_only()
            .columns([Column::Line, Column::RecordId, Column::Packed])
            .filter(Column::TenantId.eq(scope.tenant()?))
            .filter(Column::ImportId.eq(import_id))
            .filter(Column::Line.gt(after))
            .filter(which.clone())
            .order_by_asc(Column::Line)
            .limit(PAGE)
            .into_tuple()
            .all(tx)
            .await?;
        let Some((last, ..)) = rows.last() else { return Ok(()) };
        after = *last;
        for row in rows {
            for (line, record) in singles(row) {
                each(u32::try_from(line).unwrap_or_default(), record);
            }
        }
    }
}

/// Selects columns of rows, with packed rows unpacked; `narrow` adds conditions. Unpacked rows name no record
/// if their import had no effect.
pub(super) fn select_singles(columns: &[Column], narrow: impl Fn(&mut SelectStatement)) -> SelectStatement {
    let stored = |column: Column| Expr::col((ImportRows, column));
    let mut plain = Query::select();
    plain
        .columns(columns.iter().map(|column| (ImportRows, *column)))
        .from(ImportRows)
        .and_where(stored(Column::Packed).is_null());
    narrow(&mut plain);

    // both databases have this function for JSON objects
    let rows = TableRef::FunctionCall(
        Func::cust("json_each").arg(stored(Column::Packed)),
        Alias::new("single").into_iden(),
    );
    let mut packed = Query::select();
    for column in columns {
        let value: SimpleExpr = match column {
            Column::Line => stored(Column::Line).add(Expr::cust("CAST(single.key AS bigint)")),
            Column::RecordId => CaseStatement::new()
                .case(
                    stored(Column::Outcome).eq(Outcome::Unchanged),
                    Expr::cust("CAST(single.value ->> 0 AS bigint)"),
                )
                .into(),
            Column::RecordName => Expr::cust("single.value ->> 1"),
            Column::Packed => Expr::cust("NULL"),
            column => stored(*column),
        };
        packed.expr_as(value, *column);
    }
    packed
        .from(ImportRows)
        .join(JoinType::InnerJoin, rows, Expr::cust("true"))
        .and_where(stored(Column::Packed).is_not_null());
    narrow(&mut packed);
    plain.union(UnionType::All, packed).take()
}

#[cfg(test)]
mod tests;
