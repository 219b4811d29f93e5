//! Lists: a table declares once what can be filtered and sorted; parser, SQL and documentation read that table.
//!
//! Pages are cut from an index on `(sort column, id)`, totals are kept ([`crate::totals`]). Where few rows match they are
//! found first, "contains" through a trigram index, and sorted afterwards; where many do, the sort order is walked, from
//! the nearest signpost where that is slow ([`crate::signposts`]).

mod from;
mod signposted;
mod walk;

use std::{marker::PhantomData, time::Instant};

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbBackend, DbErr, FromQueryResult, IdenStatic, Order,
    QueryFilter, QueryOrder, QueryResult, QuerySelect, QueryTrait, Select, TryGetable, Value,
    sea_query::{
        Asterisk, ColumnRef, DynIden, Expr, ExprTrait, Func, NullOrdering, Query, SelectStatement, SimpleExpr,
    },
};

pub use self::walk::Walk;
use crate::{
    code::{Code, Message},
    database::Database,
    decimal::Decimal,
    error::{Result, Violations},
    fold::fold,
    resource,
    scope::{Scope, Scoped},
    search::{Search, Searched, like_through_index, match_trigrams, trigrams},
    signposts::every_of,
    totals::{COUNTED_EACH_TIME, Known},
};

pub const DEFAULT_SIZE: u64 = 40;
pub const MAX_SIZE: u64 = 200;
const MAX_FILTERS: usize = 20;

/// A table that can be listed.
pub trait Listed: Scoped {
    /// What can be filtered and sorted by.
    const FIELDS: &'static [Field];
    /// The sort when none is asked for: `name` or `-updated_at`.
    const DEFAULT_SORT: &'static str;
    /// Whether it is of one tenant at a time: one over all would be too long to count, and of no use.
    const NEEDS_TENANT: bool = false;
}

/// A field of a list on the wire and the column behind it.
#[derive(Clone, Copy)]
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
    pub sortable: bool,
    nullable: bool,
    column: &'static dyn AnyColumn,
    whole: Option<&'static dyn AnyColumn>,
    found: Option<Finder>,
    trigrams: Option<&'static str>,
    search: Option<&'static Searched>,
}

/// The ids of the rows that refer to any of these, found elsewhere than in the row and its parts.
pub type Finder = fn(Vec<i64>) -> SelectStatement;

/// What a field holds; decides how its filter values are read and compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Text by its folded column; without an operator: contains.
    Text,
    Id,
    Integer,
    Decimal,
    Time,
    /// A day without a time zone.
    Date,
    Bool,
    Choice(&'static [&'static str]),
    /// The table of a resource, whichever there are ([`crate::resource`]).
    Resource,
    /// What people type into a search box, read by the table; see [`Searched`].
    Search,
}

/// A comparison, written behind the field's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// Contains for text, equals for anything else.
    Is,
    NotEquals,
    LesserThan,
    LesserEquals,
    GreaterThan,
    GreaterEquals,
}

impl Operator {
    /// Longest suffix first, so that none hides another.
    pub const ALL: [Self; 6] = [
        Self::LesserEquals,
        Self::GreaterEquals,
        Self::LesserThan,
        Self::GreaterThan,
        Self::NotEquals,
        Self::Is,
    ];

    pub fn suffix(self) -> &'static str {
        match self {
            Self::Is => "",
            Self::NotEquals => "_not_equals",
            Self::LesserThan => "_lesser_than",
            Self::LesserEquals => "_lesser_equals",
            Self::GreaterThan => "_greater_than",
            Self::GreaterEquals => "_greater_equals",
        }
    }
}

/// A column of any table.
pub trait AnyColumn: Sync {
    fn reference(&self) -> ColumnRef;
    fn table(&self) -> DynIden;
    fn name(&self) -> &str;
}

impl<C: ColumnTrait + Sync> AnyColumn for C {
    fn reference(&self) -> ColumnRef {
        self.as_column_ref().into()
    }

    fn table(&self) -> DynIden {
        self.as_column_ref().0
    }

    fn name(&self) -> &str {
        IdenStatic::as_str(self)
    }
}

impl Field {
    const fn new(name: &'static str, kind: Kind, column: &'static dyn AnyColumn, sortable: bool) -> Self {
        let (whole, found, trigrams, search) = (None, None, None, None);
        Self { name, kind, sortable, nullable: false, column, whole, found, trigrams, search }
    }

    /// Text; `column` holds the folded text.
    pub const fn text(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Text, column, true)
    }

    /// A reference to another row; not sortable.
    pub const fn id(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Id, column, false)
    }

    /// A reference to another row in the row's parts, which name the row by `whole`.
    pub const fn part_id(
        name: &'static str,
        column: &'static dyn AnyColumn,
        whole: &'static dyn AnyColumn,
    ) -> Self {
        Self { whole: Some(whole), ..Self::id(name, column) }
    }

    /// A reference to another row that `found` finds the row by; `id` is the row's own.
    pub const fn found_by(name: &'static str, id: &'static dyn AnyColumn, found: Finder) -> Self {
        Self { found: Some(found), ..Self::id(name, id) }
    }

    /// The field behind the list's search box; `column` is one of those that it spans.
    pub const fn search(
        name: &'static str,
        column: &'static dyn AnyColumn,
        search: &'static Searched,
    ) -> Self {
        Self { search: Some(search), ..Self::new(name, Kind::Search, column, false) }
    }

    pub const fn integer(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Integer, column, true)
    }

    pub const fn decimal(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Decimal, column, true)
    }

    pub const fn time(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Time, column, true)
    }

    pub const fn date(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Date, column, true)
    }

    pub const fn bool(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Bool, column, true)
    }

    pub const fn choice(
        name: &'static str,
        column: &'static dyn AnyColumn,
        values: &'static [&'static str],
    ) -> Self {
        Self::new(name, Kind::Choice(values), column, true)
    }

    /// The kind of a record: a table that has a history.
    pub const fn resource(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Resource, column, false)
    }

    /// Text of a large table: `index` is SQLite's FTS5 trigram table over the folded columns. PostgreSQL finds its
    /// own `gin_trgm_ops` index of `column || ''`.
    #[must_use]
    pub const fn with_trigrams(mut self, index: &'static str) -> Self {
        self.trigrams = Some(index);
        self
    }

    /// May be empty. Empty ones sort first; PostgreSQL's index must then say NULLS FIRST.
    #[must_use]
    pub const fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    #[must_use]
    pub const fn unsorted(mut self) -> Self {
        self.sortable = false;
        self
    }

    pub fn operators(&self) -> &'static [Operator] {
        use Operator::{GreaterEquals, GreaterThan, Is, LesserEquals, LesserThan, NotEquals};
        match self.kind {
            Kind::Text | Kind::Id | Kind::Bool | Kind::Choice(_) | Kind::Resource => &[Is, NotEquals],
            Kind::Search => &[Is],
            Kind::Integer | Kind::Decimal | Kind::Time | Kind::Date => {
                &[Is, NotEquals, LesserThan, LesserEquals, GreaterThan, GreaterEquals]
            }
        }
    }

    /// The column, or that of one of the row's parts, holds one of the values.
    fn equals<E: Listed>(&self, values: impl IntoIterator<Item = Value>) -> SimpleExpr {
        if let Some(found) = self.found {
            let ids = values.into_iter().filter_map(|value| match value {
                Value::BigInt(id) => id,
                _ => None,
            });
            return E::ID.in_subquery(found(ids.collect()));
        }
        let equals = Expr::col(self.column.reference()).is_in(values);
        match self.whole {
            None => equals,
            Some(whole) => {
                let mut parts = Query::select();
                parts.column(whole.reference()).from(whole.table()).and_where(equals);
                E::ID.in_subquery(parts)
            }
        }
    }

    /// The field's value in a row; `None` for NULL.
    fn value_of(&self, row: &QueryResult, column: &str) -> Result<Option<Value>, DbErr> {
        fn read<T: TryGetable + Into<Value>>(
            row: &QueryResult,
            column: &str,
        ) -> Result<Option<Value>, DbErr> {
            Ok(row.try_get::<Option<T>>("", column)?.map(Into::into))
        }
        match self.kind {
            Kind::Text | Kind::Search | Kind::Choice(_) | Kind::Resource => read::<String>(row, column),
            Kind::Id | Kind::Integer => read::<i64>(row, column),
            Kind::Decimal => read::<Decimal>(row, column),
            Kind::Time => read::<crate::clock::Instant>(row, column),
            Kind::Date => read::<chrono::NaiveDate>(row, column),
            Kind::Bool => read::<bool>(row, column),
        }
    }

    fn read(&self, text: &str) -> Result<Value, Message> {
        let expected = |what: &str| Code::InvalidParameter.with("expected", what);
        match self.kind {
            Kind::Text | Kind::Search if text.chars().any(char::is_control) => Err(Code::NotPrintable.into()),
            Kind::Search => {
                let searched = self.search.expect("a field of this kind says how it is read");
                (searched.read)(text).map(|_| text.into())
            }
            Kind::Text => Ok(fold(text).into()),
            Kind::Id | Kind::Integer => text.parse::<i64>().map(Value::from).map_err(|_| expected("123")),
            Kind::Decimal => text.parse::<Decimal>().map(Value::from).map_err(|_| expected("123.45")),
            Kind::Time => chrono::DateTime::parse_from_rfc3339(text)
                .map(|time| Value::from(time.with_timezone(&chrono::Utc)))
                .map_err(|_| expected("2026-01-31T12:00:00Z")),
            Kind::Date => {
                text.parse::<chrono::NaiveDate>().map(Value::from).map_err(|_| expected("2026-01-31"))
            }
            Kind::Bool => text.parse::<bool>().map(Value::from).map_err(|_| expected("true, false")),
            Kind::Choice(values) => one_of(values, text),
            Kind::Resource => one_of(&resource::tables(), text),
        }
    }
}

fn one_of(values: &[&str], text: &str) -> Result<Value, Message> {
    if values.contains(&text) {
        return Ok(text.into());
    }
    Err(Code::InvalidParameter.list("expected", values))
}

/// Which page, of how many rows.
#[derive(Debug, Clone, Copy)]
pub struct Paging {
    /// 1-based.
    pub page: u64,
    pub size: u64,
}

impl Default for Paging {
    fn default() -> Self {
        Self { page: 1, size: DEFAULT_SIZE }
    }
}

impl Paging {
    /// Reads `page[number]` and `page[size]`; refuses whatever else there is.
    pub fn parse<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        let mut paging = Self::default();
        let unknown = || Err(Code::UnknownParameter.with("known", "page[number], page[size]"));
        each_once(parameters, |name, text| paging.read(name, text).unwrap_or_else(unknown))?;
        Ok(paging)
    }

    /// `None` if the parameter does not concern the page.
    fn read(&mut self, name: &str, text: &str) -> Option<Result<(), Message>> {
        match name {
            "page[number]" => {
                let page = number(text, 1, i64::MAX.unsigned_abs() / MAX_SIZE);
                Some(page.map(|page| self.page = page))
            }
            "page[size]" => Some(number(text, 1, MAX_SIZE).map(|size| self.size = size)),
            _ => None,
        }
    }

    /// Rows before the page.
    pub fn offset(self) -> u64 {
        (self.page - 1) * self.size
    }

    pub fn of<R>(self, rows: Vec<R>, total: u64) -> Page<R> {
        Page { rows, page: self.page, size: self.size, total }
    }
}

/// Reads parameters, of which only filters may be repeated; says all that is wrong at once.
fn each_once<'a>(
    parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
    mut read: impl FnMut(&'a str, &'a str) -> Result<(), Message>,
) -> Result<()> {
    let mut violations = Violations::new();
    let mut once = std::collections::HashSet::new();
    for (name, text) in parameters {
        let repeated = filter_of(name).is_none() && !once.insert(name);
        let outcome = if repeated { Err(Code::DuplicateParameter.into()) } else { read(name, text) };
        if let Err(message) = outcome {
            violations.add(name, message);
        }
    }
    violations.check()
}

/// `name` in `filter[name]`.
fn filter_of(parameter: &str) -> Option<&str> {
    parameter.strip_prefix("filter[")?.strip_suffix(']')
}

/// What a caller asks of a list.
#[derive(Clone)]
pub struct ListQuery<E> {
    paging: Paging,
    sort: Field,
    descending: bool,
    filters: Vec<Filter>,
    table: PhantomData<fn() -> E>,
}

#[derive(Clone)]
struct Filter {
    field: Field,
    operator: Operator,
    /// Any of these.
    values: Vec<Value>,
}

/// One page of rows and where it lies.
#[derive(Debug, Clone)]
pub struct Page<R> {
    pub rows: Vec<R>,
    /// 1-based.
    pub page: u64,
    pub size: u64,
    pub total: u64,
}

impl<R> Page<R> {
    pub fn last_page(&self) -> u64 {
        Ord::max(self.total.div_ceil(self.size), 1)
    }

    pub fn map<T>(self, into: impl FnMut(R) -> T) -> Page<T> {
        let Self { rows, page, size, total } = self;
        Page { rows: rows.into_iter().map(into).collect(), page, size, total }
    }

    /// The same page with what `details` finds for its rows.
    pub async fn detailed<T>(self, details: impl AsyncFnOnce(Vec<R>) -> Result<Vec<T>>) -> Result<Page<T>> {
        let Self { rows, page, size, total } = self;
        Ok(Page { rows: details(rows).await?, page, size, total })
    }
}

impl<E: Listed> Default for ListQuery<E> {
    fn default() -> Self {
        let (sort, descending) =
            sort_of::<E>(E::DEFAULT_SORT).expect("the default sort is a field of the list");
        Self { paging: Paging::default(), sort, descending, filters: Vec::new(), table: PhantomData }
    }
}

impl<E: Listed> ListQuery<E> {
    /// Reads `page[number]`, `page[size]`, `sort` and `filter[...]`; refuses whatever else there is, all at once.
    pub fn parse<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        Self::read(parameters, Paging::read, "page[number], page[size], ")
    }

    /// As [`ListQuery::parse`], of all pages at once.
    pub fn parse_unpaged<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        Self::read(parameters, |_, _, _| None, "")
    }

    fn read<'a>(
        parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
        page: impl Fn(&mut Paging, &str, &str) -> Option<Result<(), Message>>,
        pages: &str,
    ) -> Result<Self> {
        let mut query = Self::default();
        let unknown = || Err(Code::UnknownParameter.with("known", format!("{pages}sort, filter[...]")));
        each_once(parameters, |name, text| match (name, filter_of(name)) {
            (_, Some(filter)) => query.filter_by(filter, text),
            ("sort", _) => sort_of::<E>(text)
                .map(|(sort, descending)| (query.sort, query.descending) = (sort, descending))
                .ok_or_else(|| Code::UnknownSort.list("known", names::<E>(|field| field.sortable))),
            _ => page(&mut query.paging, name, text).unwrap_or_else(unknown),
        })?;
        Ok(query)
    }

    fn filter_by(&mut self, name: &str, text: &str) -> Result<(), Message> {
        let unknown = || Code::UnknownParameter.list("known", names::<E>(|_| true));
        let (field, operator) = Operator::ALL
            .iter()
            .find_map(|operator| {
                let name = name.strip_suffix(operator.suffix())?;
                let field = E::FIELDS.iter().find(|field| field.name == name)?;
                Some((*field, *operator))
            })
            .ok_or_else(unknown)?;
        if !field.operators().contains(&operator) {
            let known: Vec<_> = field
                .operators()
                .iter()
                .map(|operator| format!("{}{}", field.name, operator.suffix()))
                .collect();
            return Err(Code::UnknownOperator.list("known", known));
        }
        let value = field.read(text)?;
        if self.filters.iter().map(|filter| filter.values.len()).sum::<usize>() == MAX_FILTERS {
            return Err(Code::TooMany.with("max", MAX_FILTERS));
        }
        let same = |filter: &&mut Filter| filter.field.name == field.name && filter.operator == operator;
        match self.filters.iter_mut().find(same) {
            Some(filter) => filter.values.push(value),
            None => self.filters.push(Filter { field, operator, values: vec![value] }),
        }
        Ok(())
    }

    /// The rows of the page; `shape` chooses columns and joins what the rows show.
    pub async fn fetch<R: FromQueryResult + Send + Sync>(
        &self,
        db: &Database,
        scope: &Scope,
        shape: impl FnOnce(Select<E>) -> Select<E>,
    ) -> Result<Page<R>> {
        admit::<E>(scope)?;
        let scoped = scope.find::<E>();
        let (offset, size) = (self.paging.offset(), self.paging.size);
        let backend = db.get_database_backend();
        let matching = scoped.clone().filter(self.condition(backend, false));
        let found = scoped.clone().filter(self.condition(backend, true));
        let indexed = self.filters.iter().any(Filter::indexable);
        let total = total(db, &scoped, &matching, indexed.then_some(&found)).await?;

        // Along the sort order one row in `table / total` matches, but those of a text stand together, anywhere; sorted
        // afterwards, every match is read. References have indexes that begin with them and go on in the sort order.
        let table = size_of(db, &scoped).await?;
        let few = indexed && total <= few(table);
        let afterwards = self.filters.iter().any(|filter| filter.field.kind != Kind::Id)
            && (few || u128::from(total).pow(2) <= u128::from(offset + size) * u128::from(table));
        let way = (table > COUNTED_EACH_TIME).then(|| self.way(backend, &matching));
        let distance = Ord::min(offset, total.saturating_sub(offset + size));
        let signposted = || {
            let along = db.signposts().along(way.as_ref()?)?;
            self.signposted(backend, &along, &scoped, &matching)
        };
        let mut page = signposted();
        let turn = way.as_ref().filter(|_| page.is_none()).and_then(|way| db.signposts().turn(way, distance));
        let _turn = match &turn {
            Some(turn) => {
                let turn = turn.lock().await;
                page = signposted();
                Some(turn)
            }
            None => None,
        };
        let started = Instant::now();
        let was_signposted = page.is_some();
        let page = page.unwrap_or_else(|| {
            let ids = if afterwards {
                // OFFSET 0 keeps PostgreSQL's planner from walking the sort order instead; SQLite's does not think of it.
                let found = found.select_only().column(E::ID);
                let found = if backend == DbBackend::Postgres { found.offset(0) } else { found };
                scoped.filter(E::ID.in_subquery(found.into_query()))
            } else {
                matching.clone()
            };
            let window = Window::of(offset, size, total);
            self.ordered(ids, window.backwards).offset(window.offset).limit(window.limit)
        });
        let page_ids = page.select_only().column(E::ID).into_query();
        let select = shape(self.ordered(unscoped_by(page_ids), false));
        let rows = select.into_model::<R>().all(db).await?;
        if let Some(way) = way
            && !was_signposted
            && db.signposts().was_read(&way, distance, started.elapsed())
        {
            let (query, db, scope) = (self.clone(), db.clone(), *scope);
            tokio::spawn(async move {
                if let Err(error) = query.set_signposts(&db, &scope, few, every_of(total, table)).await {
                    tracing::warn!(%error, "signposts of a list");
                }
            });
        }
        Ok(self.paging.of(rows, total))
    }

    /// The only value of a filter, as in `filter[record]=article`; of text as it is, of a number in digits.
    pub fn only(&self, field: &str) -> Option<String> {
        let filter = self.filters.iter().find(|filter| filter.field.name == field)?;
        match (filter.operator, filter.values.as_slice()) {
            (Operator::Is, [Value::String(Some(text))]) => Some(text.clone()),
            (Operator::Is, [Value::BigInt(Some(number))]) => Some(number.to_string()),
            _ => None,
        }
    }

    fn condition(&self, backend: DbBackend, through_index: bool) -> Condition {
        self.filters
            .iter()
            .fold(Condition::all(), |all, filter| all.add(filter.condition::<E>(backend, through_index)))
    }

    fn ordered(&self, select: Select<E>, backwards: bool) -> Select<E> {
        let ascending = self.descending == backwards;
        in_order(select, &self.sort, if ascending { Order::Asc } else { Order::Desc })
    }
}

/// Refuses whoever has to choose a tenant first.
fn admit<E: Listed>(scope: &Scope) -> Result<()> {
    if E::NEEDS_TENANT { scope.tenant().map(|_| ()) } else { Ok(()) }
}

fn in_order<E: Listed>(select: Select<E>, sort: &Field, order: Order) -> Select<E> {
    let column = SimpleExpr::Column(sort.column.reference());
    // SQLite sorts NULL first, PostgreSQL is told to. Told so of a column without NULL, it would not use its index.
    let select = if sort.nullable {
        let nulls = if order == Order::Asc { NullOrdering::First } else { NullOrdering::Last };
        select.order_by_with_nulls(column, order.clone(), nulls)
    } else {
        select.order_by(column, order.clone())
    };
    select.order_by(E::ID, order)
}

/// Which rows to read, and from which end: a page of the second half is nearer to the end.
struct Window {
    offset: u64,
    limit: u64,
    backwards: bool,
}

impl Window {
    fn of(offset: u64, size: u64, total: u64) -> Self {
        if offset > total / 2 {
            let limit = Ord::min(size, total.saturating_sub(offset));
            Self { offset: total.saturating_sub(offset + limit), limit, backwards: true }
        } else {
            Self { offset, limit: size, backwards: false }
        }
    }
}

/// The rows of ids that a scoped query found.
#[expect(clippy::disallowed_methods, reason = "the ids come out of a scope")]
fn unscoped_by<E: Listed>(ids: SelectStatement) -> Select<E> {
    E::find().filter(E::ID.in_subquery(ids))
}

/// How many rows match: exactly in a small table, at most ten seconds old in a large one. `through_index` is the same as
/// `matching` where there is an index for it.
async fn total<E: Listed>(
    db: &Database,
    all: &Select<E>,
    matching: &Select<E>,
    through_index: Option<&Select<E>>,
) -> Result<u64> {
    if size_of(db, all).await? <= COUNTED_EACH_TIME {
        return count(db, matching, None).await;
    }
    kept(db, matching, async || {
        if let Some(found) = through_index {
            let most = few(size_of(db, all).await?);
            let counted = count(db, found, Some(most + 1)).await?;
            if counted <= most {
                return Ok(counted);
            }
        }
        count(db, matching, None).await
    })
    .await
}

/// Through an index rows are fetched one by one, which takes about sixteen times as long as reading them in a row: of
/// more than so many all rows are read instead.
fn few(table: u64) -> u64 {
    Ord::max(10_000, table / 16)
}

/// How many rows there are at all.
async fn size_of<E: Listed>(db: &Database, all: &Select<E>) -> Result<u64> {
    kept(db, all, || count(db, all, None)).await
}

async fn kept<E: Listed>(
    db: &Database,
    select: &Select<E>,
    count: impl AsyncFnOnce() -> Result<u64>,
) -> Result<u64> {
    let query = select.build(db.get_database_backend()).to_string();
    let turn = match db.totals().get(&query) {
        Known::Total(total) => return Ok(total),
        Known::Stale => None,
        Known::Nothing => Some(db.totals().turn(&query).await),
    };
    if let (Some(_), Known::Total(total)) = (&turn, db.totals().get(&query)) {
        return Ok(total);
    }
    let started = Instant::now();
    let total = count().await?;
    db.totals().keep(query, total, started.elapsed());
    Ok(total)
}

async fn count<E: Listed>(db: &Database, select: &Select<E>, at_most: Option<u64>) -> Result<u64> {
    let counted = |statement: &mut SelectStatement| {
        statement.expr_as(Func::count(Expr::col(Asterisk)), "total");
    };
    let statement = match at_most {
        None => {
            let mut all = select.clone().into_query();
            counted(all.clear_selects());
            all
        }
        Some(limit) => {
            let found = select.clone().select_only().column(E::ID).limit(limit).into_query();
            let mut some = Query::select();
            some.from_subquery(found, "found");
            counted(&mut some);
            some
        }
    };
    let row = db.query_one(&statement).await?;
    let total: i64 = row.map(|row| row.try_get("", "total")).transpose()?.unwrap_or_default();
    Ok(total.unsigned_abs())
}

impl Filter {
    fn indexable(&self) -> bool {
        if let Some(searched) = self.field.search {
            return self.searches(searched).all(|search| searched.indexed(&search).is_some());
        }
        self.field.trigrams.is_some()
            && self.operator == Operator::Is
            && self.values.iter().all(|needle| text_of(needle).chars().count() >= 3)
    }

    fn searches(&self, searched: &'static Searched) -> impl Iterator<Item = Search> {
        self.values.iter().filter_map(|value| (searched.read)(&text_of(value)).ok())
    }

    fn condition<E: Listed>(&self, backend: DbBackend, through_index: bool) -> Condition {
        if let Some(searched) = self.field.search {
            let searches = self.searches(searched);
            return searches.fold(Condition::any(), |any, search| {
                any.add(searched.condition::<E>(&search, backend, through_index))
            });
        }
        let column = || Expr::col(self.field.column.reference());
        let values = self.values.iter().cloned();
        match (self.operator, self.field.kind) {
            (Operator::Is, Kind::Text) => values.fold(Condition::any(), |any, needle| {
                let contained = contains(backend, column(), &text_of(&needle));
                match self.field.trigrams.filter(|_| through_index && self.indexable()) {
                    Some(index) => any.add(
                        Condition::all()
                            .add(E::ID.in_subquery(self.found_by_trigrams::<E>(
                                backend,
                                index,
                                &text_of(&needle),
                            )))
                            .add(contained),
                    ),
                    None => any.add(contained),
                }
            }),
            (Operator::Is, _) => Condition::all().add(self.field.equals::<E>(values)),
            (Operator::NotEquals, _) if self.field.whole.is_some() || self.field.found.is_some() => {
                Condition::all().add(self.field.equals::<E>(values).not())
            }
            (Operator::NotEquals, _) => {
                Condition::any().add(column().is_not_in(values)).add(column().is_null())
            }
            (Operator::LesserThan, _) => any_of(values, |value| column().lt(value)),
            (Operator::LesserEquals, _) => any_of(values, |value| column().lte(value)),
            (Operator::GreaterThan, _) => any_of(values, |value| column().gt(value)),
            (Operator::GreaterEquals, _) => any_of(values, |value| column().gte(value)),
        }
    }

    /// The ids of rows that hold trigrams of the needle.
    fn found_by_trigrams<E: Listed>(
        &self,
        backend: DbBackend,
        index: &'static str,
        needle: &str,
    ) -> SelectStatement {
        if backend == DbBackend::Sqlite {
            match_trigrams(index, format!("{{{}}} : ({})", self.field.column.name(), trigrams(needle)))
        } else {
            let mut found = Query::select();
            found.column(E::ID).from(E::default());
            found.and_where(like_through_index(self.field.column, needle)).offset(0).take()
        }
    }
}

fn any_of(values: impl Iterator<Item = Value>, compare: impl Fn(Value) -> SimpleExpr) -> Condition {
    values.fold(Condition::any(), |any, value| any.add(compare(value)))
}

/// Plain search for a part of a text: no wildcards, no index.
pub(crate) fn contains(backend: DbBackend, column: SimpleExpr, needle: &str) -> SimpleExpr {
    let find = if backend == DbBackend::Sqlite { "instr" } else { "strpos" };
    Expr::expr(Func::cust(find).arg(column).arg(needle)).gt(0)
}

pub(crate) fn escape_like(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(Some(text)) => text.clone(),
        _ => String::new(),
    }
}

fn number(text: &str, min: u64, max: u64) -> Result<u64, Message> {
    text.parse()
        .ok()
        .filter(|number| (min..=max).contains(number))
        .ok_or_else(|| Code::InvalidParameter.with("expected", format!("{min}–{max}")))
}

/// The rows that a filter finds by the id of what they refer to.
///
/// # Panics
/// When the list has no such filter of a reference.
pub(crate) fn refers<E: Listed>(filter: &str, id: i64) -> Condition {
    let field = E::FIELDS.iter().find(|field| field.name == filter && field.kind == Kind::Id);
    let field = *field.unwrap_or_else(|| panic!("no list can be filtered by the reference {filter}"));
    Condition::all().add(field.equals::<E>([id.into()]))
}

/// In the list's own order.
pub(crate) fn by_default<E: Listed>(select: Select<E>) -> Select<E> {
    ListQuery::default().ordered(select, false)
}

fn sort_of<E: Listed>(text: &str) -> Option<(Field, bool)> {
    let (name, descending) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
    E::FIELDS.iter().find(|field| field.sortable && field.name == name).map(|field| (*field, descending))
}

fn names<E: Listed>(which: impl Fn(&Field) -> bool) -> impl Iterator<Item = &'static str> {
    E::FIELDS.iter().filter(move |field| which(field)).map(|field| field.name)
}
