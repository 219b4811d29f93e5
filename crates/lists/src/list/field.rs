//! Filterable and sortable fields of a list: names on the wire and the columns behind them.

use std::marker::PhantomData;

use sea_orm::{
    ColumnTrait, Condition, DbBackend, DbErr, IdenStatic, QueryResult, TryGetable, Value,
    sea_query::{ColumnRef, DynIden, Expr, ExprTrait, Query, SelectStatement, SimpleExpr},
};
use store::{
    column::AnyColumn,
    scope::{Scope, Scoped, resource},
};
use values::{codes, decimal::Decimal, fold::fold, id::TenantId, message::Message};

use super::{Listed, Operator};
use crate::search::SearchedColumns;

/// Field of a list on the wire and the column behind it.
#[derive(Clone, Copy)]
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
    pub sortable: bool,
    pub(super) nullable: bool,
    /// Representation of a missing value, for which a filter can search; `None` if every row has a value.
    empty: Option<Empty>,
    pub(super) column: &'static dyn AnyColumn,
    sort_key: Option<&'static dyn AnyColumn>,
    pub(super) grouping: Option<Grouping>,
    pub(super) whole: Option<&'static dyn AnyColumn>,
    part_owner: PartOwner,
    pub(super) finder: Option<Finder>,
    pub(super) name_finder: Option<NameFinder>,
    /// True if `finder` selects so few ids that they are read before the rows.
    finds_few: bool,
    pub(super) also: Option<Since>,
    pub(super) derived: Option<ChoiceCondition>,
    computed: Option<ValueExpression>,
    pub(super) trigrams: Option<&'static str>,
    pub(crate) search: Option<&'static SearchedColumns>,
    pub(crate) visible_rows: Option<VisibleRows>,
}

/// Owner columns of a row's parts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PartOwner {
    Unnamed,
    /// Tenant of the row, in the column `tenant_id`.
    Tenant,
}

/// Representation of a missing value.
#[derive(Clone, Copy)]
enum Empty {
    /// NULL in the column.
    Null,
    /// Empty text (`""`) in the column.
    NoText,
    /// Absence of parts with a value.
    NoParts(&'static dyn AnyColumn),
}

/// Sort order by referenced rows ([`super::grouped`]).
#[derive(Clone, Copy)]
pub(super) struct Grouping {
    name: &'static str,
    /// Column with the reference.
    pub(super) column: &'static dyn AnyColumn,
    /// Id column of the referenced table.
    pub(super) id: &'static dyn AnyColumn,
    pub(super) key: &'static dyn AnyColumn,
}

/// Builds a query for the values of the column that refer to any of these ids through other tables than the
/// row and its parts.
pub type Finder = fn(Vec<i64>) -> SelectStatement;

/// Builds a query for the ids that these names mean to the acting tenant; case is ignored.
pub type NameFinder = fn(&Scope, Vec<String>) -> SelectStatement;

/// Builds the condition for one of the values of a choice that is stored in no column.
pub type ChoiceCondition = fn(&str) -> SimpleExpr;

/// Builds the expression for a value that is stored in no column, in the database's form for values of its
/// kind.
pub type ValueExpression = fn(DbBackend) -> SimpleExpr;

/// Builds a condition, besides the one on the column, under which a row is not older than this moment.
pub type Since = fn(Value) -> SimpleExpr;

/// Builds the condition for rows whose value of a field the caller may see.
pub type VisibleRows = fn(&Scope) -> Condition;

/// Kind of values of a field; decides how filter values are parsed and compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Text with a folded column; without an operator it means "contains".
    Text,
    Id,
    Integer,
    Decimal,
    Time,
    /// Day without a time zone.
    Date,
    Bool,
    /// Presence of a value in the column, as a boolean.
    Filled,
    Choice(&'static [&'static str]),
    /// Table of a resource, one of those that are declared ([`store::resource`]).
    Resource,
    /// Text that is compared as a whole, such as the id of a request.
    Key,
    /// Text of a search box, which the table parses; see [`SearchedColumns`].
    Search,
}

/// Id column of any table.
pub struct OwnId<E>(pub(super) PhantomData<fn() -> E>);

impl<E: Scoped> AnyColumn for OwnId<E> {
    fn reference(&self) -> ColumnRef {
        E::ID.reference()
    }

    fn table(&self) -> DynIden {
        E::ID.table()
    }

    fn name(&self) -> &str {
        IdenStatic::as_str(&E::ID)
    }
}

impl Field {
    const fn new(name: &'static str, kind: Kind, column: &'static dyn AnyColumn, sortable: bool) -> Self {
        let (sort_key, grouping, whole, finder, name_finder, also, derived, trigrams, search, visible_rows) =
            (None, None, None, None, None, None, None, None, None, None);
        let (nullable, finds_few, part_owner, empty, computed) =
            (false, false, PartOwner::Unnamed, None, None);
        Self {
            name,
            kind,
            sortable,
            nullable,
            empty,
            column,
            sort_key,
            grouping,
            whole,
            part_owner,
            finder,
            name_finder,
            finds_few,
            also,
            derived,
            computed,
            trigrams,
            search,
            visible_rows,
        }
    }

    /// Text field; `column` contains the folded text.
    pub const fn text(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Text, column, true)
    }

    /// Reference to another row; not sortable by itself.
    pub const fn id(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Id, column, false)
    }

    /// Reference to another row in the row's parts, which refer to the row by `whole`.
    pub const fn part_id(
        name: &'static str,
        column: &'static dyn AnyColumn,
        whole: &'static dyn AnyColumn,
    ) -> Self {
        Self { whole: Some(whole), ..Self::id(name, column) }
    }

    /// Marks the parts as having the tenant of the row, which leads to their shard.
    #[must_use]
    pub const fn with_part_tenant(mut self) -> Self {
        self.part_owner = PartOwner::Tenant;
        self
    }

    /// Row's own id, which is a filter and a sort of every list.
    pub const fn own_id(column: &'static dyn AnyColumn) -> Self {
        Self { sortable: true, ..Self::id("id", column) }
    }

    /// Reference to another row. `finder` selects the values of the column: the row's own id, or an id to
    /// which the row refers.
    pub const fn by_subquery(name: &'static str, column: &'static dyn AnyColumn, finder: Finder) -> Self {
        Self { finder: Some(finder), ..Self::id(name, column) }
    }

    /// Reference like [`Self::by_subquery`] for few ids: types of a group, not articles of a type.
    pub const fn by_small_subquery(
        name: &'static str,
        column: &'static dyn AnyColumn,
        finder: Finder,
    ) -> Self {
        Self { finds_few: true, ..Self::by_subquery(name, column, finder) }
    }

    /// Reference by the full name of the referenced row, or the row's own id by a name of the row.
    pub const fn by_name(
        name: &'static str,
        column: &'static dyn AnyColumn,
        name_finder: NameFinder,
    ) -> Self {
        Self { name_finder: Some(name_finder), ..Self::new(name, Kind::Key, column, false) }
    }

    /// Search box of the list; `column` is one of the searched columns.
    pub const fn search(
        name: &'static str,
        column: &'static dyn AnyColumn,
        search: &'static SearchedColumns,
    ) -> Self {
        Self { search: Some(search), ..Self::new(name, Kind::Search, column, false) }
    }

    /// Sortable field with whole numbers.
    pub const fn integer(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Integer, column, true)
    }

    /// Sortable field with decimal numbers.
    pub const fn decimal(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Decimal, column, true)
    }

    /// Sortable field with points in time.
    pub const fn time(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Time, column, true)
    }

    /// Time of the column or a later one from elsewhere, with filters for "before" and "from".
    pub const fn last(name: &'static str, column: &'static dyn AnyColumn, also: Since) -> Self {
        Self { also: Some(also), ..Self::new(name, Kind::Time, column, false) }
    }

    /// Sortable field with dates.
    pub const fn date(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Date, column, true)
    }

    /// Sortable field with truth values.
    pub const fn bool(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Bool, column, true)
    }

    /// Presence of a value in the column. Uses no index: for lists of the parts of one row.
    pub const fn filled(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Filled, column, false)
    }

    /// Sortable field with one of a fixed list of values.
    pub const fn choice(
        name: &'static str,
        column: &'static dyn AnyColumn,
        values: &'static [&'static str],
    ) -> Self {
        Self::new(name, Kind::Choice(values), column, true)
    }

    /// Choice that is stored in no column but follows from others, such as a state from two moments. `column`
    /// is one of those.
    pub const fn derived(
        name: &'static str,
        column: &'static dyn AnyColumn,
        values: &'static [&'static str],
        derived: ChoiceCondition,
    ) -> Self {
        Self { derived: Some(derived), ..Self::new(name, Kind::Choice(values), column, false) }
    }

    /// Decimal that is computed for each row, so that no index finds it. `column` is one of its inputs.
    pub const fn computed(
        name: &'static str,
        column: &'static dyn AnyColumn,
        computed: ValueExpression,
    ) -> Self {
        Self { computed: Some(computed), ..Self::new(name, Kind::Decimal, column, false) }
    }

    /// Key that is found by `derived`, which may use further columns; `column` contains the key.
    pub const fn key(name: &'static str, column: &'static dyn AnyColumn, derived: ChoiceCondition) -> Self {
        Self { derived: Some(derived), ..Self::new(name, Kind::Key, column, false) }
    }

    /// Kind of a record: a table with a history.
    pub const fn resource(name: &'static str, column: &'static dyn AnyColumn) -> Self {
        Self::new(name, Kind::Resource, column, false)
    }

    /// Adds a trigram index to the text of a large table: `index` is SQLite's FTS5 trigram table over the
    /// folded columns. PostgreSQL finds its own `gin_trgm_ops` index of `column || ''`.
    #[must_use]
    pub const fn with_trigrams(mut self, index: &'static str) -> Self {
        self.trigrams = Some(index);
        self
    }

    /// Sorts in natural order: `key` contains the [`values::natural::sort_key`] of the folded text, which the
    /// scope sets.
    #[must_use]
    pub const fn sorted_by(mut self, key: &'static dyn AnyColumn) -> Self {
        self.sort_key = Some(key);
        self
    }

    /// Sorts by the referenced row under the name `name` on the wire: `key` is the column with that row's
    /// [`values::natural::sort_key`], next to its `id`. Rows with the same reference are in the list's own
    /// order, rows without a reference come last. An index must begin with the reference and continue in that
    /// order.
    #[must_use]
    pub const fn grouped_as(
        mut self,
        name: &'static str,
        id: &'static dyn AnyColumn,
        key: &'static dyn AnyColumn,
    ) -> Self {
        self.grouping = Some(Grouping { name, column: self.column, id, key });
        self.sortable = true;
        self
    }

    /// Makes the field visible in some rows only: a filter by it finds no other rows, since it would reveal
    /// hidden values.
    #[must_use]
    pub const fn visible_in(mut self, rows: VisibleRows) -> Self {
        self.visible_rows = Some(rows);
        self.sortable = false;
        self
    }

    /// Marks the field as possibly empty. Empty values sort first; PostgreSQL's index must then say NULLS
    /// FIRST.
    #[must_use]
    pub const fn nullable(mut self) -> Self {
        (self.nullable, self.empty) = (true, Some(Empty::Null));
        self
    }

    /// Marks the field as possibly empty and not sortable: a column that may be NULL, a text that may be
    /// `""`, or parts that may be missing.
    #[must_use]
    pub const fn optional(mut self) -> Self {
        self.empty = Some(match (self.kind, self.whole) {
            (_, Some(whole)) => Empty::NoParts(whole),
            (Kind::Text, None) => Empty::NoText,
            _ => Empty::Null,
        });
        self
    }

    /// Makes the field one that the list cannot be sorted by.
    #[must_use]
    pub const fn unsorted(mut self) -> Self {
        self.sortable = false;
        self
    }

    /// True if the field accepts names of referenced rows.
    pub fn takes_names(&self) -> bool {
        self.name_finder.is_some()
    }

    /// Operators that the field can be filtered with.
    pub fn operators(&self) -> &'static [Operator] {
        use Operator::{
            Empty, Equals, GreaterEquals, GreaterThan, Is, LesserEquals, LesserThan, NotEquals, StartsWith,
        };
        match (self.kind, self.empty.is_some()) {
            (Kind::Text, false) => &[Is, Equals, StartsWith, NotEquals],
            (Kind::Text, true) => &[Is, Equals, StartsWith, NotEquals, Empty],
            (Kind::Id | Kind::Bool | Kind::Choice(_) | Kind::Resource, false) => &[Is, NotEquals],
            (Kind::Id | Kind::Bool | Kind::Choice(_) | Kind::Resource, true) => &[Is, NotEquals, Empty],
            (Kind::Search | Kind::Filled | Kind::Key, _) => &[Is],
            (Kind::Time, _) if self.also.is_some() => &[LesserThan, GreaterEquals],
            (Kind::Integer | Kind::Decimal | Kind::Time | Kind::Date, false) => {
                &[Is, NotEquals, LesserThan, LesserEquals, GreaterThan, GreaterEquals]
            }
            (Kind::Integer | Kind::Decimal | Kind::Time | Kind::Date, true) => {
                &[Is, NotEquals, LesserThan, LesserEquals, GreaterThan, GreaterEquals, Empty]
            }
        }
    }

    /// Name of the sort on the wire.
    pub fn sort_name(&self) -> &'static str {
        self.grouping.map_or(self.name, |grouping| grouping.name)
    }

    /// Column by which rows are sorted.
    pub(super) fn order(&self) -> &'static dyn AnyColumn {
        self.sort_key.unwrap_or(self.column)
    }

    /// Expression by which rows are sorted, as the caller sees it.
    pub(super) fn order_for<E: Listed>(&self, scope: &Scope) -> SimpleExpr {
        scope.any_column::<E>(self.order())
    }

    /// Value of a row, as the caller sees it.
    pub(super) fn value<E: Listed>(&self, scope: &Scope, backend: DbBackend) -> SimpleExpr {
        self.computed.map_or_else(|| scope.any_column::<E>(self.column), |computed| computed(backend))
    }

    /// True if the value is computed for each row and stored in no column.
    pub(super) fn is_computed(&self) -> bool {
        self.computed.is_some()
    }

    /// Condition that the column, in the row or in one of its parts, has one of the values. `tenant` is the
    /// owner of all rows.
    pub(super) fn equals<E: Listed>(
        &self,
        scope: &Scope,
        tenant: Option<TenantId>,
        values: impl IntoIterator<Item = Value>,
    ) -> SimpleExpr {
        if let Some(finder) = self.finder {
            return Expr::col(self.column.reference()).in_subquery(finder(ids(values)));
        }
        if let Some(name_finder) = self.name_finder {
            return Expr::col(self.column.reference()).in_subquery(name_finder(scope, texts(values)));
        }
        if let Some(derived) = self.derived {
            let each = values.into_iter().filter_map(|value| match value {
                Value::String(Some(text)) => Some(derived(&text)),
                _ => None,
            });
            return each.reduce(ExprTrait::or).unwrap_or_else(|| Expr::val(false));
        }
        let column = scope.any_column::<E>(self.column);
        if self.kind == Kind::Filled {
            return column.is_not_null().is_in(values);
        }
        let equals = column.is_in(values);
        match self.whole {
            None => equals,
            Some(whole) => {
                let mut parts = Query::select();
                parts.column(whole.reference()).from(whole.table()).and_where(equals);
                parts.cond_where(self.parts_of(tenant));
                E::ID.in_subquery(parts)
            }
        }
    }

    /// Condition on the parts that names the tenant who owns all rows, if the parts have that column.
    fn parts_of(&self, tenant: Option<TenantId>) -> Condition {
        let parts = self.whole.filter(|_| self.part_owner == PartOwner::Tenant).zip(tenant);
        let own = parts.map(|(whole, tenant)| Expr::col((whole.table(), "tenant_id")).eq(tenant));
        Condition::all().add_option(own)
    }

    /// Condition that the row has no value. It needs only the index of the column, which includes NULL and
    /// `""`.
    pub(super) fn is_empty<E: Listed>(&self, scope: &Scope) -> SimpleExpr {
        let column = scope.any_column::<E>(self.column);
        match self.empty {
            Some(Empty::NoParts(whole)) => {
                let row = Expr::col(ColumnTrait::as_column_ref(&E::ID));
                let parts = Query::select()
                    .expr(Expr::val(1))
                    .from(whole.table())
                    .and_where(Expr::col(whole.reference()).eq(row))
                    .and_where(column.is_not_null())
                    .cond_where(self.parts_of(scope.sees_only::<E>()))
                    .take();
                Expr::exists(parts).not()
            }
            Some(Empty::NoText) => column.eq(""),
            _ => column.is_null(),
        }
    }

    /// Query for the ids in the column of matching rows, if they are few.
    pub(super) fn few_ids(&self, values: impl IntoIterator<Item = Value>) -> Option<SelectStatement> {
        self.finder.filter(|_| self.finds_few).map(|finder| finder(ids(values)))
    }

    /// Value of the field in a row; `None` for NULL.
    pub(super) fn value_of(&self, row: &QueryResult, column: &str) -> Result<Option<Value>, DbErr> {
        fn read<T: TryGetable + Into<Value>>(
            row: &QueryResult,
            column: &str,
        ) -> Result<Option<Value>, DbErr> {
            Ok(row.try_get::<Option<T>>("", column)?.map(Into::into))
        }
        match self.kind {
            Kind::Text | Kind::Key | Kind::Search | Kind::Choice(_) | Kind::Resource => {
                read::<String>(row, column)
            }
            Kind::Id | Kind::Integer => read::<i64>(row, column),
            Kind::Decimal => read::<Decimal>(row, column),
            Kind::Time => read::<values::clock::Instant>(row, column),
            Kind::Date => read::<chrono::NaiveDate>(row, column),
            Kind::Bool | Kind::Filled => read::<bool>(row, column),
        }
    }

    /// Parses the values of a parameter; ids may be separated by commas.
    pub(super) fn read_all(&self, operator: Operator, text: &str) -> Result<Vec<Value>, Message> {
        if operator == Operator::Empty {
            return Ok(vec![read_yes_or_no(text)?.into()]);
        }
        if self.kind != Kind::Id {
            return Ok(vec![self.read(text)?]);
        }
        let ids = text.split(',').map(|id| self.read(id)).collect::<Result<Vec<_>, _>>()?;
        if ids.len() > IDS_MAX { Err(codes::TOO_MANY.with("max", IDS_MAX)) } else { Ok(ids) }
    }

    fn read(&self, text: &str) -> Result<Value, Message> {
        let expected = |what: &str| codes::INVALID_PARAMETER.with("expected", what);
        match self.kind {
            Kind::Text | Kind::Key | Kind::Search if text.chars().any(char::is_control) => {
                Err(codes::NOT_PRINTABLE.into())
            }
            Kind::Search => {
                let searched = self.search.expect("a field of this kind says how it is read");
                (searched.read)(text).map(|_| text.into())
            }
            Kind::Text => Ok(fold(text).into()),
            Kind::Key => Ok(text.into()),
            Kind::Id | Kind::Integer => text.parse::<i64>().map(Value::from).map_err(|_| expected("123")),
            Kind::Decimal => text.parse::<Decimal>().map(Value::from).map_err(|_| expected("123.45")),
            Kind::Time => chrono::DateTime::parse_from_rfc3339(text)
                .map(|time| Value::from(time.with_timezone(&chrono::Utc)))
                .map_err(|_| expected("2026-01-31T12:00:00Z")),
            Kind::Date => {
                text.parse::<chrono::NaiveDate>().map(Value::from).map_err(|_| expected("2026-01-31"))
            }
            Kind::Bool | Kind::Filled => read_yes_or_no(text).map(Value::from),
            Kind::Choice(values) => parse_choice(values, text),
            Kind::Resource => parse_choice(&resource::tables(), text),
        }
    }
}

/// Parses the value of a filter by [`Operator::Empty`] or by a boolean.
pub fn read_yes_or_no(text: &str) -> Result<bool, Message> {
    text.parse().map_err(|_| codes::INVALID_PARAMETER.with("expected", "true, false"))
}

/// Maximum number of ids of one parameter: those of a page.
const IDS_MAX: usize = 200;

fn parse_choice(values: &[&str], text: &str) -> Result<Value, Message> {
    if values.contains(&text) {
        return Ok(text.into());
    }
    Err(codes::INVALID_PARAMETER.list("expected", values))
}

fn texts(values: impl IntoIterator<Item = Value>) -> Vec<String> {
    let texts = values.into_iter().filter_map(|value| match value {
        Value::String(text) => text,
        _ => None,
    });
    texts.collect()
}

fn ids(values: impl IntoIterator<Item = Value>) -> Vec<i64> {
    let ids = values.into_iter().filter_map(|value| match value {
        Value::BigInt(id) => id,
        _ => None,
    });
    ids.collect()
}
