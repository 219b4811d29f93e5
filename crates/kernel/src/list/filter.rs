//! Filters of a list as conditions of a statement.

use sea_orm::{
    ColumnTrait, Condition, DbBackend, Value,
    sea_query::{Expr, ExprTrait, Func, Query, SelectStatement, SimpleExpr},
};

use super::{AnyColumn, Field, Kind, ListQuery, Listed, Operator};
use crate::{
    scope::Scope,
    search::{Search, Searched, is_among, like_through_index, match_trigrams, trigrams},
};

#[derive(Clone)]
pub(super) struct Filter {
    pub(super) field: Field,
    pub(super) operator: Operator,
    /// Any of these.
    pub(super) values: Vec<Value>,
}

impl<E: Listed> ListQuery<E> {
    /// What all filters together demand. `through_index` finds rows by trigrams first, where there are any.
    pub(super) fn condition(&self, backend: DbBackend, through_index: bool) -> Condition {
        let without = (!self.without.is_empty()).then(|| E::ID.is_not_in(self.without.iter().copied()));
        assert!(self.open.is_empty(), "a list is read before it is known what its filters mean");
        let group = self.group.map(|(grouping, id)| grouping.holds([id]));
        let meant = self.meant.iter().map(|meant| meant.condition(backend));
        let all = meant.fold(Condition::all().add_option(without).add_option(group), Condition::add);
        self.filters.iter().fold(all, |all, filter| all.add(filter.condition::<E>(backend, through_index)))
    }

    /// The same of a list of which some rows tell less than others.
    pub(super) fn condition_for(&self, scope: &Scope, backend: DbBackend, through_index: bool) -> Condition {
        let told = self.filters.iter().filter_map(|filter| filter.field.told);
        told.fold(self.condition(backend, through_index), |all, told| all.add(told(scope)))
    }
}

impl Filter {
    pub(super) fn indexable(&self) -> bool {
        if let Some(searched) = self.field.search {
            return self.searches(searched).all(|search| searched.indexed(&search).is_some());
        }
        if matches!(self.operator, Operator::Equals | Operator::StartsWith) {
            return true;
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
        if let Some(also) = self.field.also {
            return any_of(values, |value| match self.operator {
                Operator::LesserThan => column().lt(value.clone()).and(also(value).not()),
                _ => column().gte(value.clone()).or(also(value)),
            });
        }
        match (self.operator, self.field.kind) {
            (Operator::Is, Kind::Text) => values.fold(Condition::any(), |any, needle| {
                let contained = contains(backend, column(), &text_of(&needle));
                match self.field.trigrams.filter(|_| through_index && self.indexable()) {
                    Some(index) => any.add(
                        Condition::all()
                            .add(is_among::<E>(
                                self.found_by_trigrams::<E>(backend, index, &text_of(&needle)),
                                backend,
                            ))
                            .add(contained),
                    ),
                    None => any.add(contained),
                }
            }),
            (Operator::Is | Operator::Equals, _) => Condition::all().add(self.field.equals::<E>(values)),
            (Operator::StartsWith, _) => values
                .fold(Condition::any(), |any, value| any.add(begins(self.field.column, &text_of(&value)))),
            (Operator::NotEquals, _)
                if self.field.whole.is_some()
                    || self.field.found.is_some()
                    || self.field.derived.is_some() =>
            {
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

/// The texts of a range of the column's index, whatever wildcards may stand in `with`.
pub(crate) fn begins(column: &dyn AnyColumn, with: &str) -> Condition {
    let text = || Expr::col(column.reference());
    Condition::all().add(text().gte(with)).add(text().lt(format!("{with}{}", char::MAX)))
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
