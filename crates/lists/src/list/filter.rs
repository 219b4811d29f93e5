//! Filters of a list as SQL conditions.

use sea_orm::{
    ColumnTrait, Condition, DbBackend, Value,
    sea_query::{ExprTrait, Query, SelectStatement, SimpleExpr},
};
use store::{
    column::{begins, contains},
    scope::Scope,
};

use super::{Field, Kind, ListQuery, Listed, Operator};
use crate::search::{
    Search, SearchedColumns, is_among, like_through_index, match_trigrams, refers_to_few, rows_of, trigrams,
};

/// Candidate rows from trigram indexes.
enum TrigramMatches {
    /// Condition on texts of the row itself, for PostgreSQL's trigram indexes.
    ByTexts(Condition),
    /// Query for their ids.
    ByIds(Box<SelectStatement>),
}

impl TrigramMatches {
    fn ids<E: Listed>(self) -> SelectStatement {
        match self {
            Self::ByTexts(texts) => ids_where::<E>(texts),
            Self::ByIds(ids) => *ids,
        }
    }
}

/// Query for the ids of rows, with a barrier so that PostgreSQL's planner ignores the outer order and limit.
fn ids_where<E: Listed>(condition: Condition) -> SelectStatement {
    Query::select().column(E::ID).from(E::default()).cond_where(condition).offset(0).take()
}

#[derive(Clone)]
pub(super) struct Filter {
    pub(super) field: Field,
    pub(super) operator: Operator,
    /// Values, any of which may match.
    pub(super) values: Vec<Value>,
}

impl<E: Listed> ListQuery<E> {
    /// Condition of all filters. With `through_index`, rows are first found by trigrams if possible.
    pub(super) fn condition(&self, scope: &Scope, backend: DbBackend, through_index: bool) -> Condition {
        let without = (!self.without.is_empty()).then(|| E::ID.is_not_in(self.without.iter().copied()));
        let all = self.demands(scope, backend, |_| true).add_option(without);
        let id_queries = if through_index { self.select_by_trigrams(scope, backend) } else { Vec::new() };
        id_queries.into_iter().fold(all, |all, ids| all.add(is_among::<E>(ids, backend)))
    }

    /// Condition of some filters, of open filters and of the group. Excluded ids are not repeated here, since
    /// they can be many.
    fn demands(&self, scope: &Scope, backend: DbBackend, which: impl Fn(&Filter) -> bool) -> Condition {
        assert!(self.open.is_empty(), "a list is read before it is known what its filters mean");
        let group = self.group.map(|(grouping, id)| grouping.holds([id]));
        let resolved = self.resolved.iter().map(|filter| filter.condition(backend));
        let all = resolved.fold(Condition::all().add_option(group), Condition::add);
        let filters = self.filters.iter().filter(|filter| which(filter));
        filters.fold(all, |all, filter| all.add(filter.condition::<E>(scope, backend)))
    }

    /// Queries for the ids of rows that trigrams find; a row must be in all of them. On PostgreSQL one query
    /// answers all filters: the planner then begins with the most selective condition, whereas with two lists
    /// of ids it would scan one for each id of the other.
    fn select_by_trigrams(&self, scope: &Scope, backend: DbBackend) -> Vec<SelectStatement> {
        let indexed = self.filters.iter().filter(|filter| filter.has_trigrams());
        let mut trigram_matches: Vec<TrigramMatches> =
            indexed.map(|filter| filter.trigram_matches::<E>(backend)).collect();
        if backend == DbBackend::Sqlite || trigram_matches.is_empty() {
            return trigram_matches.into_iter().map(TrigramMatches::ids::<E>).collect();
        }
        // Indexes on the row's own texts find few enough rows to check each of them. A search by ids is then
        // left to the list's own condition, since it may first have to collect a million articles of one
        // material.
        let has_texts = trigram_matches.iter().any(|query| matches!(query, TrigramMatches::ByTexts(_)));
        trigram_matches.retain(|query| !has_texts || matches!(query, TrigramMatches::ByTexts(_)));
        let others = self.demands(scope, backend, |filter| !filter.has_trigrams());
        if trigram_matches.len() == 1 && others.is_empty() {
            return trigram_matches.pop().map(TrigramMatches::ids::<E>).into_iter().collect();
        }
        let all = trigram_matches.into_iter().fold(others, |all, query| match query {
            TrigramMatches::ByTexts(texts) => all.add(texts),
            TrigramMatches::ByIds(ids) => all.add(E::ID.in_subquery(*ids)),
        });
        vec![ids_where::<E>(all)]
    }

    /// Condition of all filters for a list in which some values are hidden from the caller.
    pub(super) fn condition_for(&self, scope: &Scope, backend: DbBackend, through_index: bool) -> Condition {
        let visible = self.filters.iter().filter_map(|filter| filter.field.visible_rows);
        visible.fold(self.condition(scope, backend, through_index), |all, rows| all.add(rows(scope)))
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

    /// True if trigrams find the rows.
    fn has_trigrams(&self) -> bool {
        (self.field.search.is_some() || self.field.trigrams.is_some() && self.operator == Operator::Is)
            && self.indexable()
    }

    /// Rows that trigrams find, for a filter with a trigram index.
    fn trigram_matches<E: Listed>(&self, backend: DbBackend) -> TrigramMatches {
        if let Some(searched) = self.field.search {
            let searches = Search::Any(self.searches(searched).collect());
            return match searched.like_indexed(&searches, backend) {
                Some(texts) => TrigramMatches::ByTexts(texts),
                None => TrigramMatches::ByIds(Box::new(searched.found_ids::<E>(&searches, backend))),
            };
        }
        let needles = self.values.iter().map(text_of);
        match self.field.trigrams {
            Some(index) if backend == DbBackend::Sqlite => {
                let column = self.field.column.name();
                let each = needles.map(|needle| format!("({{{column}}} : ({}))", trigrams(&needle)));
                TrigramMatches::ByIds(Box::new(match_trigrams(index, each.collect::<Vec<_>>().join(" OR "))))
            }
            _ => TrigramMatches::ByTexts(needles.fold(Condition::any(), |any, needle| {
                any.add(like_through_index(self.field.column, &needle))
            })),
        }
    }

    fn searches(&self, searched: &'static SearchedColumns) -> impl Iterator<Item = Search> {
        self.values.iter().filter_map(|value| (searched.read)(&text_of(value)).ok())
    }

    fn equals<E: Listed>(&self, scope: &Scope, backend: DbBackend) -> SimpleExpr {
        let values = || self.values.iter().cloned();
        match self.field.few_ids(values()) {
            Some(ids) => refers_to_few(self.field.column, ids, backend),
            None => self.field.equals::<E>(scope, scope.sees_only::<E>(), values()),
        }
    }

    fn condition<E: Listed>(&self, scope: &Scope, backend: DbBackend) -> Condition {
        if let Some(searched) = self.field.search {
            let searches = self.searches(searched);
            return searches
                .fold(Condition::any(), |any, search| any.add(searched.matches(&search, backend)));
        }
        let column = || self.field.value::<E>(scope, backend);
        let values = self.values.iter().cloned();
        if let Some(also) = self.field.also {
            return any_of(values, |value| match self.operator {
                Operator::LesserThan => column().lt(value.clone()).and(also(value).not()),
                _ => column().gte(value.clone()).or(also(value)),
            });
        }
        match (self.operator, self.field.kind) {
            (Operator::Empty, _) => any_of(values, |is_empty| {
                let empty = self.field.is_empty::<E>(scope);
                if is_empty == true.into() { empty } else { empty.not() }
            }),
            (Operator::Is, Kind::Text) => {
                any_of(values, |needle| contains(backend, column(), &text_of(&needle)))
            }
            (Operator::Is, _) if self.field.is_computed() => Condition::all().add(column().is_in(values)),
            (Operator::Is | Operator::Equals, _) => Condition::all().add(self.equals::<E>(scope, backend)),
            (Operator::StartsWith, _) => {
                values.fold(Condition::any(), |any, value| any.add(begins(&column(), &text_of(&value))))
            }
            (Operator::NotEquals, _)
                if self.field.whole.is_some()
                    || self.field.finder.is_some()
                    || self.field.derived.is_some() =>
            {
                Condition::all().add(self.equals::<E>(scope, backend).not())
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
}

fn any_of(values: impl Iterator<Item = Value>, compare: impl Fn(Value) -> SimpleExpr) -> Condition {
    values.fold(Condition::any(), |any, value| any.add(compare(value)))
}

/// Query for the ids of the rows that a search of a list finds, through its index if it has one.
pub fn within<E: Listed>(search: &Search, backend: DbBackend) -> SelectStatement {
    let searched = E::FIELDS.iter().find_map(|field| field.search).expect("a list that is searched");
    rows_of::<E>().cond_where(searched.condition::<E>(search, backend, true)).take()
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(Some(text)) => text.clone(),
        _ => String::new(),
    }
}
