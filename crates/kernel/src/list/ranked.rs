//! Searches without a sort of their own: first come the rows whose number or name is what was typed, then those that begin
//! with it, then the others in the order of the list.
//!
//! Where a whole number, or another name of at least eight characters with a digit in it, is exactly what was typed, it is looked
//! up by index alone: those rows and the ones that begin so are the answer.
//!
//! Otherwise those that come first are found through the indexes of the searched columns, which also order the list. The others are a
//! list without them, so that pages, totals and page indexes are those of any list.

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, FromQueryResult, Order, QueryFilter, QueryOrder,
    QuerySelect, QueryTrait, Select, Value,
    sea_query::{CaseStatement, Expr, ExprTrait, Query, SelectStatement, SimpleExpr, UnionType},
};

use super::{AnyColumn, Kind, ListQuery, Listed, Page, column::begins, filter::Filter, paging::Span};
use crate::{
    database::Database,
    error::Result,
    fold::fold,
    scope::Scope,
    search::{Referred, Searched, is_among, squeezed},
};

/// So many rows come before the others. Of more that begin so, the rest stands where the list's order puts them.
const LEADERS_MAX: usize = 1_000;

/// The rows that come first, by their ids.
#[derive(Default)]
pub(super) struct Leaders {
    ids: Vec<i64>,
    /// So many of them are what was typed.
    exact: usize,
    /// Nothing else is the answer.
    are_all: bool,
}

/// Shorter texts are parts of many numbers, also where one record is called so.
const WHOLE_MIN: usize = 8;

/// True if a text is long enough to be a record's whole number or name.
fn may_be_whole(text: &str) -> bool {
    let squeezed = squeezed(text);
    squeezed.chars().count() >= WHOLE_MIN && squeezed.chars().any(|character| character.is_ascii_digit())
}

impl<E: Listed> ListQuery<E> {
    /// The page of a search, of which these come first.
    pub(super) async fn fetch_behind<R: FromQueryResult + Send + Sync>(
        &self,
        leaders: &Leaders,
        db: &Database,
        scope: &Scope,
        shape: impl FnOnce(Select<E>) -> Select<E>,
    ) -> Result<Page<R>> {
        let Span { offset, size } = self.span();
        let leading = leaders.ids.len() as u64;
        let mut ids = leaders.within(offset, size);
        if leaders.are_all {
            return self.page_of(leaders, ids, leading, db, scope, shape).await;
        }
        let behind = Self {
            span: Some(Span { offset: offset.saturating_sub(leading), size: size - ids.len() as u64 }),
            without: leaders.ids.clone(),
            ..self.clone()
        };
        let ids_of =
            async |rest: Select<E>| Ok(rest.select_only().column(E::ID).into_tuple().all(db).await?);
        let (rest, total): (Vec<i64>, u64) = behind.read_page(db, scope, ids_of).await?;
        ids.extend(rest);
        self.page_of(leaders, ids, total + leading, db, scope, shape).await
    }

    async fn page_of<R: FromQueryResult + Send + Sync>(
        &self,
        leaders: &Leaders,
        ids: Vec<i64>,
        total: u64,
        db: &Database,
        scope: &Scope,
        shape: impl FnOnce(Select<E>) -> Select<E>,
    ) -> Result<Page<R>> {
        let rows = leaders.first(scope.find::<E>().filter(E::ID.is_in(ids)));
        let rows = shape(self.ordered(scope, rows, false)).into_model::<R>().all(db).await?;
        Ok(self.paging.of(rows, total))
    }

    /// What comes first, if the list is a ranked search and there is any.
    pub(super) async fn leaders(&self, db: &Database, scope: &Scope) -> Result<Option<Leaders>> {
        let Some((searched, text)) = self.ranked_search() else { return Ok(None) };
        let Some(beginnings) = searched.beginnings.map(|beginnings| beginnings(text)) else {
            return Ok(None);
        };
        if may_be_whole(text) {
            let beginning = [fold(text)];
            // what begins with a whole number is seldom more than the number itself, and then needs no search
            let named = self.without_search().ranked(db, scope, (searched, text), &beginning).await?;
            if let Some(leaders) = named.filter(Leaders::are_exact) {
                return Ok(Some(Leaders { are_all: true, ..leaders }));
            }
            let leaders = self.ranked(db, scope, (searched, text), &beginning).await?;
            if leaders.as_ref().is_some_and(Leaders::are_whole) {
                return Ok(leaders.map(|leaders| Leaders { are_all: true, ..leaders }));
            }
            // a number that other filters leave out is a whole number all the same
            if let Some(alone) = self.search_alone()
                && alone
                    .ranked(db, scope, (searched, text), &beginning)
                    .await?
                    .is_some_and(|all| all.are_whole())
            {
                return Ok(Some(Leaders { are_all: true, ..leaders.unwrap_or_default() }));
            }
        }
        self.ranked(db, scope, (searched, text), &beginnings).await
    }

    /// The rows of the list of which a column begins with one of these.
    async fn ranked(
        &self,
        db: &Database,
        scope: &Scope,
        (searched, text): (&'static Searched, &str),
        beginnings: &[String],
    ) -> Result<Option<Leaders>> {
        let Some(beginning) = searched.beginning::<E>(text, beginnings) else { return Ok(None) };
        let beginning = is_among::<E>(beginning, db.get_database_backend());
        let rows = self.matching(db, scope)?.filter(beginning).select_only().column_as(E::ID, "id");
        let rows = searched.columns.iter().enumerate().fold(rows, |rows, (number, column)| {
            rows.expr_as(SimpleExpr::Column(column.reference()), format!("text_{number}"))
        });
        let named = searched.referred_exactly(text);
        let is_ranked_so = !named.is_empty();
        let rows = if is_ranked_so {
            rows.expr_as(
                SimpleExpr::Case(Box::new(CaseStatement::new().case(named, 1_i64).finally(0_i64))),
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
            let is_named = is_ranked_so && row.try_get::<i64>("", "named")? == 1;
            let is_exact = is_named || texts.iter().any(|found| squeezed(found) == squeezed(text));
            let rank = if is_exact { &mut exact } else { &mut starting };
            rank.push(row.try_get("", "id")?);
        }
        let exact_count = exact.len();
        exact.extend(starting);
        exact.truncate(LEADERS_MAX);
        Ok((!exact.is_empty()).then_some(Leaders { ids: exact, exact: exact_count, are_all: false }))
    }

    /// The list with its other filters only.
    fn without_search(&self) -> Self {
        let others = self.filters.iter().filter(|filter| filter.field.kind != Kind::Search);
        Self { filters: others.cloned().collect(), ..self.clone() }
    }

    /// The list without its other filters, if it has some.
    fn search_alone(&self) -> Option<Self> {
        let is_search = |filter: &Filter| filter.field.kind == Kind::Search;
        let is_narrowed =
            !self.meant.is_empty() || self.group.is_some() || !self.filters.iter().all(is_search);
        let search = || self.filters.iter().filter(|filter| is_search(filter)).cloned().collect();
        is_narrowed.then(|| Self { filters: search(), meant: Vec::new(), group: None, ..self.clone() })
    }

    /// The one text that is searched for, where nothing else says in which order.
    fn ranked_search(&self) -> Option<(&'static Searched, &str)> {
        let filter = self.filters.iter().find(|filter| filter.field.kind == Kind::Search)?;
        match filter.values.as_slice() {
            [Value::String(Some(text))] if !self.sorted => Some((filter.field.search?, text)),
            _ => None,
        }
    }
}

impl Searched {
    /// The ids of the rows of which a column begins with one of these, or a reference as the text means it.
    fn beginning<E: Listed>(&self, text: &str, beginnings: &[String]) -> Option<SelectStatement> {
        let own = beginnings
            .iter()
            .flat_map(|with| self.columns.iter().map(move |column| beginning(&E::ID, *column, with)));
        let referred = self.leading(text).flat_map(|(referred, beginnings)| {
            let of = move |with: &String| {
                referred
                    .columns
                    .iter()
                    .map(|column| beginning(referred.id, *column, with))
                    .collect::<Vec<_>>()
            };
            beginnings.iter().flat_map(of).collect::<Vec<_>>()
        });
        own.chain(referred).reduce(|mut all, more| all.union(UnionType::All, more).take())
    }

    /// The references by which rows come first, and how their columns begin then.
    fn leading(&self, text: &str) -> impl Iterator<Item = (&'static Referred, Vec<String>)> {
        self.references.iter().filter_map(move |referred| Some((referred, referred.beginnings?(text))))
    }

    /// Whether a row is referred to by exactly what was typed.
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
    // a member of a union has no order and no limit of its own
    Query::select().column(ID).from_subquery(rows, "beginning").take()
}

impl Leaders {
    /// True if they are what was typed in whole, and what begins with it.
    fn are_whole(&self) -> bool {
        self.exact > 0 && self.ids.len() < LEADERS_MAX
    }

    /// True if each of them is what was typed in whole.
    fn are_exact(&self) -> bool {
        self.exact > 0 && self.exact == self.ids.len()
    }

    fn within(&self, offset: u64, size: u64) -> Vec<i64> {
        let (Ok(offset), Ok(size)) = (usize::try_from(offset), usize::try_from(size)) else {
            return Vec::new();
        };
        self.ids.iter().skip(offset).take(size).copied().collect()
    }

    /// Rows in the order of their ranks.
    fn first<E: Listed>(&self, rows: Select<E>) -> Select<E> {
        let (exact, starting) = self.ids.split_at(self.exact.min(self.ids.len()));
        let rank = CaseStatement::new()
            .case(E::ID.is_in(exact.iter().copied()), 0)
            .case(E::ID.is_in(starting.iter().copied()), 1)
            .finally(2);
        rows.order_by(SimpleExpr::Case(Box::new(rank)), Order::Asc)
    }
}
