//! Files that take effect as a whole or not at all. Their batches are checked and reported like all others,
//! but their changes are staged; when all are staged, one transaction puts them into effect and ends the
//! import. Until then no record has changed, and the history does not include the import's rows, although
//! these contain the ids of future records. An import that fails leaves nothing behind.

use sea_orm::{
    ColumnTrait, EntityTrait, ExprTrait, QueryFilter,
    sea_query::{Expr, SimpleExpr},
};
use store::Write;

use crate::{
    import::{
        self, Import, Imports,
        row::{Column, ImportRows, Outcome},
    },
    run::queue::Stop,
};

/// Number of lines that one statement updates, so that none takes long.
const LINES_AT_ONCE: i64 = 20_000;

/// Ranges of lines, exclusive start and inclusive end, that cover all up to `last`.
fn ranges(last: i64) -> impl Iterator<Item = (i64, i64)> {
    (0..)
        .map(|number| number * LINES_AT_ONCE)
        .take_while(move |after| *after < last)
        .map(|after| (after, after + LINES_AT_ONCE))
}

/// Condition for the lines of an import after `after`, up to and including `to`.
fn lines(tenant: i64, import: i64, after: i64, to: i64) -> SimpleExpr {
    let col = |column: Column| Expr::col((ImportRows, column));
    let own = col(Column::TenantId).eq(tenant).and(col(Column::ImportId).eq(import));
    own.and(col(Column::Line).gt(after)).and(col(Column::Line).lte(to))
}

/// Marks the rows of an import that does not take effect as skipped.
#[expect(clippy::disallowed_methods, reason = "the worker's own import, which the transaction holds")]
pub(crate) async fn nothing_done(tx: &Write, import: &Import, last: i64) -> Result<(), Stop> {
    let planned = [Outcome::Created, Outcome::Updated, Outcome::Unchanged, Outcome::Held, Outcome::Removed];
    for (after, to) in ranges(last) {
        ImportRows::update_many()
            .col_expr(Column::Outcome, Expr::value(Outcome::Skipped))
            .col_expr(Column::RecordId, Expr::cust("NULL"))
            .col_expr(Column::Before, Expr::cust("NULL"))
            .col_expr(Column::After, Expr::cust("NULL"))
            .col_expr(Column::ChangePercent, Expr::cust("NULL"))
            .filter(lines(import.tenant_id, import.id, after, to))
            .filter(Column::Outcome.is_in(planned))
            .exec(tx)
            .await?;
    }
    let counts = planned.map(Outcome::column);
    let all =
        counts.iter().fold(Expr::col(import::Column::RowsSkipped), |sum, count| sum.add(Expr::col(*count)));
    let mut update = Imports::update_many().col_expr(import::Column::RowsSkipped, all);
    for count in counts {
        update = update.col_expr(count, Expr::value(0_i64));
    }
    update.filter(import::Column::Id.eq(import.id)).exec(tx).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_each_line_once() {
        assert_eq!(ranges(0).count(), 0);
        assert_eq!(ranges(1).collect::<Vec<_>>(), [(0, 20_000)]);
        assert_eq!(ranges(20_001).collect::<Vec<_>>(), [(0, 20_000), (20_000, 40_000)]);
    }
}
