//! Rows of an import that an undo processes.

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Select,
};
use values::Result;

use crate::import::row::{self, ImportRow, ImportRows, Outcome};

/// Rows of an import that have changed something, or have values under review.
#[expect(clippy::disallowed_methods, reason = "of an import that the scope has shown, in the worker")]
fn changed(tenant: i64, import: i64) -> Select<ImportRows> {
    let has_changed = Condition::any()
        .add(row::Column::Before.is_not_null())
        .add(row::Column::After.is_not_null())
        .add(row::Column::Outcome.eq(Outcome::Held));
    ImportRows::find()
        .filter(row::Column::TenantId.eq(tenant))
        .filter(row::Column::ImportId.eq(import))
        .filter(has_changed)
}

/// Number of rows to undo.
pub(crate) async fn count(db: &impl ConnectionTrait, tenant: i64, import: i64) -> Result<i64> {
    Ok(i64::try_from(changed(tenant, import).count(db).await?).unwrap_or(i64::MAX))
}

/// Lines of the next rows.
pub(crate) async fn lines_after(
    db: &impl ConnectionTrait,
    tenant: i64,
    import: i64,
    line: u32,
    limit: u64,
) -> Result<Vec<u32>> {
    let lines: Vec<i64> = changed(tenant, import)
        .select_only()
        .column(row::Column::Line)
        .filter(row::Column::Line.gt(i64::from(line)))
        .order_by_asc(row::Column::Line)
        .limit(limit)
        .into_tuple()
        .all(db)
        .await?;
    Ok(lines.into_iter().filter_map(|line| u32::try_from(line).ok()).collect())
}

/// Rows with these lines.
pub(crate) async fn rows_of(
    db: &impl ConnectionTrait,
    tenant: i64,
    import: i64,
    lines: &[i64],
) -> Result<Vec<ImportRow>> {
    let rows = changed(tenant, import).filter(row::Column::Line.is_in(lines.iter().copied()));
    Ok(rows.order_by_asc(row::Column::Line).all(db).await?)
}
