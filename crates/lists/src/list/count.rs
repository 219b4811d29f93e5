//! Total numbers of rows in a list: counted exactly in a small table, at most ten seconds old in a large one.

use std::time::Instant;

use sea_orm::{
    ConnectionTrait, QuerySelect, QueryTrait, Select,
    sea_query::{Asterisk, CaseStatement, Expr, ExprTrait, Func, Query, SelectStatement, SimpleExpr},
};
use store::{
    database::Database, list_key::ListKey, page_index::entry_every, scope::Scope, totals::CachedTotal,
};
use values::error::{Error, Result};

use super::{ListQuery, Listed, fetch::Rows, require_tenant};

/// Number of rows in the scope above which a table is large. Smaller ones are counted each time.
const LARGE: u32 = 5_000;

/// Row counts of a list.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counts {
    /// Rows of the table that the scope sees.
    pub(super) table: u64,
    /// Rows that match the filters.
    pub(super) total: u64,
}

impl Counts {
    pub(super) fn is_large(self) -> bool {
        self.table > u64::from(LARGE)
    }

    /// True if a filter with an index matches so few rows that fetching them one by one is faster than
    /// scanning.
    pub(super) fn are_few(self, rows: &Rows<impl Listed>) -> bool {
        rows.indexed && self.total <= few_of(self.table)
    }

    /// True if the matching rows should be found first and sorted afterwards. Along the sort order one row in
    /// `table / total` matches, but rows with the same text are in one place, anywhere; sorting afterwards
    /// reads every match. References have indexes that begin with them and continue in the sort order.
    pub(super) fn sorts_afterwards(self, rows: &Rows<impl Listed>, page_end: u64) -> bool {
        let sorting_costs_less =
            u128::from(self.total).pow(2) <= u128::from(page_end) * u128::from(self.table);
        rows.has_filters_besides_references && (self.are_few(rows) || sorting_costs_less)
    }

    /// Interval of entries in the list's page index.
    pub(super) fn entry_every(self) -> u64 {
        entry_every(self.total, self.table)
    }
}

/// Maximum number of matches that are fetched through an index. Fetching rows one by one takes about sixteen
/// times as long as scanning them, so above this number all rows are scanned.
fn few_of(table: u64) -> u64 {
    Ord::max(10_000, table / 16)
}

impl<E: Listed> Rows<E> {
    pub(super) async fn count(&self, db: &Database) -> Result<Counts> {
        let all = self.key(&self.all);
        if !db.totals().has(&all)
            && let Some(counts) = self.count_if_small(db).await?
        {
            return Ok(counts);
        }
        let table = cached_total(db, &all, || count(db, &self.all)).await?;
        if table <= u64::from(LARGE) {
            db.totals().forget(&all);
            return Ok(Counts { table, total: count(db, &self.matching).await? });
        }
        if self.unfiltered {
            return Ok(Counts { table, total: table });
        }
        let matching = self.key(&self.matching);
        let total = cached_total(db, &matching, async || {
            if self.indexed {
                let most = few_of(table);
                let counted = count_from(db, first_ids(&self.matching_by_index, most + 1)).await?;
                if counted <= most {
                    return Ok(counted);
                }
            }
            count(db, &self.matching).await
        });
        Ok(Counts { table, total: total.await? })
    }

    /// Counts both in one statement, which counts matches only if the table is small; `None` if it is large.
    async fn count_if_small(&self, db: &Database) -> Result<Option<Counts>> {
        let mut table = Query::select();
        table.expr_as(all_rows(), "rows").from_subquery(first_ids(&self.all, u64::from(LARGE) + 1), "some");
        let matching = if self.unfiltered {
            Expr::col("rows")
        } else {
            SimpleExpr::SubQuery(None, Box::new(counting(&self.matching).into()))
        };
        let total = CaseStatement::new().case(Expr::col("rows").lte(i64::from(LARGE)), matching);
        let mut both = Query::select();
        both.column("rows").expr_as(total.finally(0_i64), "total").from_subquery(table, "counted");
        let row = db.query_one(&both).await?.ok_or_else(|| Error::internal("a count without a row"))?;
        let [table, total] = [row.try_get::<i64>("", "rows")?, row.try_get::<i64>("", "total")?];
        let counts = Counts { table: table.unsigned_abs(), total: total.unsigned_abs() };
        Ok((!counts.is_large()).then_some(counts))
    }
}

impl<E: Listed> ListQuery<E> {
    /// Counts the matching rows, but no further than `most`.
    pub async fn counted_up_to(&self, db: &Database, scope: &Scope, most: u64) -> Result<u64> {
        require_tenant::<E>(scope)?;
        count_from(db, first_ids(&self.rows(db, scope).matching, most)).await
    }
}

fn first_ids<E: Listed>(rows: &Select<E>, limit: u64) -> SelectStatement {
    rows.clone().select_only().column(E::ID).limit(limit).into_query()
}

async fn cached_total(
    db: &Database,
    list: &ListKey,
    count: impl AsyncFnOnce() -> Result<u64>,
) -> Result<u64> {
    let lock = match db.totals().get(list) {
        CachedTotal::Fresh(total) => return Ok(total),
        CachedTotal::Stale => None,
        CachedTotal::Missing => Some(db.totals().counting_lock(list).await),
    };
    if let (Some(_), CachedTotal::Fresh(total)) = (&lock, db.totals().get(list)) {
        return Ok(total);
    }
    let started = Instant::now();
    let total = count().await?;
    db.totals().store(list.clone(), total, started.elapsed());
    Ok(total)
}

pub(super) async fn count<E: Listed>(db: &Database, rows: &Select<E>) -> Result<u64> {
    total_of(db, &counting(rows)).await
}

async fn count_from(db: &Database, rows: SelectStatement) -> Result<u64> {
    let mut counting = Query::select();
    counting.expr_as(all_rows(), "total").from_subquery(rows, "found");
    total_of(db, &counting).await
}

fn counting<E: Listed>(rows: &Select<E>) -> SelectStatement {
    let mut counting = rows.clone().into_query();
    counting.clear_selects().expr_as(all_rows(), "total");
    counting
}

fn all_rows() -> SimpleExpr {
    Func::count(Expr::col(Asterisk)).into()
}

async fn total_of(db: &Database, counting: &SelectStatement) -> Result<u64> {
    let row = db.query_one(counting).await?;
    let total: i64 = row.map(|row| row.try_get("", "total")).transpose()?.unwrap_or_default();
    Ok(total.unsigned_abs())
}
