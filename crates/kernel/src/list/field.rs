//! What a list can be filtered and sorted by: fields on the wire and the columns behind them.

use sea_orm::{
    ColumnTrait, DbErr, IdenStatic, QueryResult, TryGetable, Value,
    sea_query::{ColumnRef, DynIden, Expr, ExprTrait, Query, SelectStatement, SimpleExpr},
};

use super::Listed;
use crate::{
    code::{Code, Message},
    decimal::Decimal,
    fold::fold,
    resource,
    search::Searched,
};

/// A field of a list on the wire and the column behind it.
#[derive(Clone, Copy)]
pub struct Field {
    pub name: &'static str,
    pub kind: Kind,
    pub sortable: bool,
    pub(super) nullable: bool,
    pub(super) column: &'static dyn AnyColumn,
    pub(super) whole: Option<&'static dyn AnyColumn>,
    pub(super) found: Option<Finder>,
    pub(super) trigrams: Option<&'static str>,
    pub(super) search: Option<&'static Searched>,
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
    pub(super) fn equals<E: Listed>(&self, values: impl IntoIterator<Item = Value>) -> SimpleExpr {
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
    pub(super) fn value_of(&self, row: &QueryResult, column: &str) -> Result<Option<Value>, DbErr> {
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

    pub(super) fn read(&self, text: &str) -> Result<Value, Message> {
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
