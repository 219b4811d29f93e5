//! Ranked searches, used if no sort is chosen: first the rows whose number or name equals the typed text,
//! then those that begin with it, then the others in the order of the list.
//!
//! If the text equals a whole number, or another name of at least eight characters with a digit, it is looked
//! up through an index alone: the result consists of those rows and of the ones that begin with it.
//!
//! Otherwise the leading rows are found through the indexes of the searched columns, which also sort the
//! list. The remaining rows are a list without them, so that pages, totals and page indexes work as for any
//! list.

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, FromQueryResult, Order, QueryFilter, QueryOrder,
    QuerySelect, QueryTrait, Select, Value,
    sea_query::{CaseStatement, Expr, ExprTrait, Query, SelectStatement, SimpleExpr, UnionType},
};
use store::{column::begins, database::Database, scope::Scope};
use values::{error::Result, fold::fold};

use super::{AnyColumn, Kind, ListQuery, Listed, Page, filter::Filter, paging::Span};
use crate::search::{ReferredTable, SearchedColumns, is_among, squeezed};

/// Maximum number of leading rows. Further ones stay in the order of the list.
const LEADERS_MAX: usize = 1_000;

/// Ids of the leading rows.
#[derive(Default)]
pub(super) struct LeadingRows {
    ids: Vec<i64>,
    /// Number of exact matches among them.
    exact: usize,
    /// True if there are no other results.
    is_complete: bool,
}

/// Minimum length of a whole number: shorter texts are parts of many numbers, even if one record has exactly
/// that name.
const WHOLE_MIN: usize = 8;

/// True if a text is long enough to be a record's whole number or name.
fn may_be_whole(text: &str) -> bool {
    let squeezed = squeezed(text);
    squeezed.chars().count() >= WHOLE_MIN && squeezed.chars().any(|character| character.is_ascii_digit())
}

impl<E: Listed> ListQuery<E> {
    /// Reads the page of a search with these leading rows.
    pub(super) async fn fetch_ranked<R: FromQueryResult + Send + Sync>(
        &self,
        leading_rows: &LeadingRows,
        db: &Database,
        scope: &Scope,
        shape: impl FnOnce(Select<E>) -> Select<E>,
    ) -> Result<Page<R>> {
        let Span { offset, size } = self.span();
        let leading = leading_rows.ids.len() as u64;
        let mut ids = leading_rows.within(offset, size);
        if leading_rows.is_complete {
            return self.page_of(leading_rows, ids, leading, db, scope, shape).await;
        }
        let behind = Self {
            span: Some(Span { offset: offset.saturating_sub(leading), size: size - ids.len() as u64 }),
            without: leading_rows.ids.clone(),
            ..self.clone()
        };
        let ids_of =
            async |rest: Select<E>| Ok(rest.select_only().column(E::ID).into_tuple().all(db).await?);
        let (rest, total): (Vec<i64>, u64) = behind.read_page(db, scope, ids_of).await?;
        ids.extend(rest);
        self.page_of(leading_rows, ids, total + leading, db, scope, shape).await
    }

    async fn page_of<R: FromQueryResult + Send + Sync>(
        &self,
        leading_rows: &LeadingRows,
        ids: Vec<i64>,
        total: u64,
        db: &Database,
        scope: &Scope,
        shape: impl FnOnce(Select<E>) -> Select<E>,
    ) -> Result<Page<R>> {
        let rows = leading_rows.first(scope.find::<E>().filter(E::ID.is_in(ids)));
        let rows = shape(self.ordered(scope, rows, false)).into_model::<R>().all(db).await?;
        Ok(self.paging.page_with(rows, total))
    }

    /// Finds the leading rows, if the list is a ranked search and there are any.
    pub(super) async fn find_leading_rows(
        &self,
        db: &Database,
        scope: &Scope,
    ) -> Result<Option<LeadingRows>> {
        let Some((searched, text)) = self.ranked_search() else { return Ok(None) };
        let Some(beginnings) = searched.beginnings.map(|beginnings| beginnings(text)) else {
            return Ok(None);
        };
        if may_be_whole(text) {
            let beginning = [fold(text)];
            // usually the only row that begins with a whole number is that number itself, and then no search
            // is needed
            let exact_rows = self.without_search().ranked(db, scope, searched, text, &beginning).await?;
            if let Some(leading_rows) = exact_rows.filter(LeadingRows::are_exact) {
                return Ok(Some(LeadingRows { is_complete: true, ..leading_rows }));
            }
            let leading_rows = self.ranked(db, scope, searched, text, &beginning).await?;
            if leading_rows.as_ref().is_some_and(LeadingRows::are_whole) {
                return Ok(leading_rows.map(|leading_rows| LeadingRows { is_complete: true, ..leading_rows }));
            }
            // a number is a whole number even if other filters exclude it
            if let Some(alone) = self.search_alone()
                && alone
                    .ranked(db, scope, searched, text, &beginning)
                    .await?
                    .is_some_and(|all| all.are_whole())
            {
                return Ok(Some(LeadingRows { is_complete: true, ..leading_rows.unwrap_or_default() }));
            }
        }
        self.ranked(db, scope, searched, text, &beginnings).await
    }

    /// Finds the rows with a column that begins with one of these texts.
    async fn ranked(
        &self,
        db: &Database,
        scope: &Scope,
        searched: &'static SearchedColumns,
        text: &str,
        beginnings: &[String],
    ) -> Result<Option<LeadingRows>> {
        let Some(beginning) = searched.beginning::<E>(text, beginnings) else { return Ok(None) };
        let beginning = is_among::<E>(beginning, db.get_database_backend());
        let rows = self.matching(db, scope)?.filter(beginning).select_only().column_as(E::ID, "id");
        let rows = searched.columns.iter().enumerate().fold(rows, |rows, (number, column)| {
            rows.expr_as(SimpleExpr::Column(column.reference()), format!("text_{number}"))
        });
        let reference_condition = searched.referred_exactly(text);
        let ranks_references = !reference_condition.is_empty();
        let rows = if ranks_references {
            rows.expr_as(
                SimpleExpr::Case(Box::new(
                    CaseStatement::new().case(reference_condition, 1_i64).finally(0_i64),
                )),
                "named",
            )
        } else {
            rows
        };
        let rows = db.query_all(&self.ordered(scope, rows, false).into_query()).await?;
        let (mut exact, mut starting) = (Vec::new(), Vec::new());
        for row in rows {
            let texts = (0..searched.columns.len()).map(|number| row.try_get("", &format!("text_{number}")));
            let texts = texts.collect::<Result<Vec<String>, DbErr>>()?;
            let is_named = ranks_references && row.try_get::<i64>("", "named")? == 1;
            let is_exact = is_named || texts.iter().any(|candidate| squeezed(candidate) == squeezed(text));
            let rank = if is_exact { &mut exact } else { &mut starting };
            rank.push(row.try_get("", "id")?);
        }
        let exact_count = exact.len();
        exact.extend(starting);
        exact.truncate(LEADERS_MAX);
        Ok((!exact.is_empty()).then_some(LeadingRows { ids: exact, exact: exact_count, is_complete: false }))
    }

    /// List with all filters but the search.
    fn without_search(&self) -> Self {
        let others = self.filters.iter().filter(|filter| filter.field.kind != Kind::Search);
        Self { filters: others.cloned().collect(), ..self.clone() }
    }

    /// List with the search as its only filter; `None` if it has no other filters.
    fn search_alone(&self) -> Option<Self> {
        let is_search = |filter: &Filter| filter.field.kind == Kind::Search;
        let is_narrowed =
            !self.resolved.is_empty() || self.group.is_some() || !self.filters.iter().all(is_search);
        let search = || self.filters.iter().filter(|filter| is_search(filter)).cloned().collect();
        is_narrowed.then(|| Self { filters: search(), resolved: Vec::new(), group: None, ..self.clone() })
    }

    /// Search text, if there is exactly one and no sort is chosen.
    fn ranked_search(&self) -> Option<(&'static SearchedColumns, &str)> {
        let filter = self.filters.iter().find(|filter| filter.field.kind == Kind::Search)?;
        match filter.values.as_slice() {
            [Value::String(Some(text))] if !self.sorted => Some((filter.field.search?, text)),
            _ => None,
        }
    }
}

impl SearchedColumns {
    /// Query for the ids of rows with a column that begins with one of these texts, or with a reference that
    /// the text names.
    fn beginning<E: Listed>(&self, text: &str, beginnings: &[String]) -> Option<SelectStatement> {
        let own = beginnings
            .iter()
            .flat_map(|with| self.columns.iter().map(move |column| beginning(&E::ID, *column, with)));
        let referred = self.leading(text).flat_map(|(referred, beginnings)| {
            let queries_for = move |with: &String| {
                referred
                    .columns
                    .iter()
                    .map(|column| beginning(referred.id, *column, with))
                    .collect::<Vec<_>>()
            };
            beginnings.iter().flat_map(queries_for).collect::<Vec<_>>()
        });
        own.chain(referred).reduce(|mut all, more| all.union(UnionType::All, more).take())
    }

    /// References that can make a row leading, with the beginnings of their columns.
    fn leading(&self, text: &str) -> impl Iterator<Item = (&'static ReferredTable, Vec<String>)> {
        self.references.iter().filter_map(move |referred| Some((referred, referred.beginnings?(text))))
    }

    /// Condition that a referenced row matches the typed text exactly.
    fn referred_exactly(&self, text: &str) -> Condition {
        self.leading(text).fold(Condition::any(), |any, (referred, beginnings)| {
            let exact = referred.columns.iter().fold(Condition::any(), |any, column| {
                any.add(Expr::col(column.reference()).is_in(beginnings.iter().cloned()))
            });
            let mut rows = Query::select();
            rows.column(referred.id.reference()).from(referred.id.table()).cond_where(exact);
            any.add(Expr::col(referred.column.reference()).in_subquery(rows))
        })
    }
}

fn beginning(id: &dyn AnyColumn, column: &dyn AnyColumn, with: &str) -> SelectStatement {
    const ID: &str = "row_id";
    let mut rows = Query::select();
    rows.expr_as(SimpleExpr::Column(id.reference()), ID)
        .from(id.table())
        .cond_where(begins(&Expr::col(column.reference()), with))
        .order_by_expr(SimpleExpr::Column(column.reference()), Order::Asc)
        .limit(LEADERS_MAX as u64);
    // wrapped, since a member of a union cannot have an order or a limit
    Query::select().column(ID).from_subquery(rows, "beginning").take()
}

impl LeadingRows {
    /// True if there is an exact match, and the rows are complete.
    fn are_whole(&self) -> bool {
        self.exact > 0 && self.ids.len() < LEADERS_MAX
    }

    /// True if all rows are exact matches.
    fn are_exact(&self) -> bool {
        self.exact > 0 && self.exact == self.ids.len()
    }

    fn within(&self, offset: u64, size: u64) -> Vec<i64> {
        let (Ok(offset), Ok(size)) = (usize::try_from(offset), usize::try_from(size)) else {
            return Vec::new();
        };
        self.ids.iter().skip(offset).take(size).copied().collect()
    }

    /// Sorts rows by their rank.
    fn first<E: Listed>(&self, rows: Select<E>) -> Select<E> {
        let (exact, starting) = self.ids.split_at(self.exact.min(self.ids.len()));
        let rank = CaseStatement::new()
            .case(E::ID.is_in(exact.iter().copied()), 0)
            .case(E::ID.is_in(starting.iter().copied()), 1)
            .finally(2);
        rows.order_by(SimpleExpr::Case(Box::new(rank)), Order::Asc)
    }
}
