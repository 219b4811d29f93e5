//! Query of a list, parsed from the parameters of a request.

use std::{collections::HashSet, marker::PhantomData};

use sea_orm::{Condition, Value};
use values::{
    codes,
    error::{Result, Violations},
    message::Message,
};

use super::{
    Field, Kind, Listed, OpenFilter, Operator, Paging, ResolvedFilter, field::Grouping, filter::Filter,
    paging::Span,
};

const MAX_FILTERS: usize = 20;
const INCLUDE: &str = "include";

/// Query of a list: page, sort and filters.
#[derive(Clone)]
pub struct ListQuery<E> {
    pub(super) paging: Paging,
    pub(super) sort: Field,
    pub(super) descending: bool,
    /// True if the caller has chosen a sort.
    pub(super) sorted: bool,
    pub(super) filters: Vec<Filter>,
    /// Additional data that `include` requests.
    pub(super) included: Vec<&'static str>,
    /// Open filters that are not resolved yet.
    pub(super) open: Vec<OpenFilter>,
    pub(super) resolved: Vec<ResolvedFilter>,
    /// Number of filter parameters in the request.
    pub(super) parameters: usize,
    /// Ids of rows that are left out.
    pub(super) without: Vec<i64>,
    /// Restriction to rows that refer to this row, or to none.
    pub(super) group: Option<(Grouping, Option<i64>)>,
    /// Rows that are read instead of those of the page.
    pub(super) span: Option<Span>,
    /// Condition that replaces the scope's condition for the rows of pages.
    pub(super) page_condition: Option<Condition>,
    pub(super) table: PhantomData<fn() -> E>,
}

impl<E: Listed> Default for ListQuery<E> {
    fn default() -> Self {
        let (sort, descending) =
            sort_of::<E>(E::DEFAULT_SORT).expect("the default sort is a field of the list");
        Self {
            paging: Paging::default(),
            sort,
            descending,
            sorted: false,
            filters: Vec::new(),
            included: Vec::new(),
            open: Vec::new(),
            resolved: Vec::new(),
            parameters: 0,
            without: Vec::new(),
            group: None,
            span: None,
            page_condition: None,
            table: PhantomData,
        }
    }
}

impl<E: Listed> ListQuery<E> {
    /// Parses `page[number]`, `page[size]`, `sort`, `include` and `filter[...]`; reports all other and all
    /// invalid parameters together.
    pub fn parse<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        let include = if E::INCLUDES.is_empty() { "" } else { "include, " };
        Self::read(parameters, Paging::read, &format!("page[number], page[size], {include}"))
    }

    /// Parses like [`ListQuery::parse`], without paging.
    pub fn parse_unpaged<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self> {
        Self::read(parameters, |_, _, _| None, "")
    }

    fn read<'a>(
        parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
        page: impl Fn(&mut Paging, &str, &str) -> Option<Result<(), Message>>,
        pages: &str,
    ) -> Result<Self> {
        let mut query = Self::default();
        let unknown = || Err(codes::UNKNOWN_PARAMETER.with("known", format!("{pages}sort, filter[...]")));
        each_once(parameters, |name, text| match (name, filter_of(name)) {
            (_, Some(filter)) => query.filter_by(name, filter, text),
            ("sort", _) => sort_of::<E>(text)
                .map(|(sort, descending)| {
                    (query.sort, query.descending, query.sorted) = (sort, descending, true);
                })
                .ok_or_else(|| codes::UNKNOWN_SORT.list("known", sorts::<E>())),
            (INCLUDE, _) if pages.contains(INCLUDE) => query.include(text),
            _ => page(&mut query.paging, name, text).unwrap_or_else(unknown),
        })?;
        Ok(query)
    }

    fn include(&mut self, text: &str) -> Result<(), Message> {
        for name in text.split(',') {
            let include = E::INCLUDES.iter().find(|include| **include == name.trim());
            let expected = || codes::INVALID_PARAMETER.list("expected", E::INCLUDES);
            self.included.push(include.ok_or_else(expected)?);
        }
        Ok(())
    }

    /// True if the rows are to include this additional data.
    pub fn includes(&self, name: &str) -> bool {
        self.included.contains(&name)
    }

    pub(super) fn filter_by(&mut self, parameter: &str, name: &str, text: &str) -> Result<(), Message> {
        self.parameters += 1;
        if self.parameters > MAX_FILTERS {
            return Err(codes::TOO_MANY.with("max", MAX_FILTERS));
        }
        if let Some(key) = Self::open_key(name) {
            self.filter_openly(parameter, key, text);
            return Ok(());
        }
        let find_field = |name: &str| fields::<E>().find(|field| field.name == name);
        let Some((field, operator)) = Operator::split(name, find_field) else {
            // the field with the longest matching name: `article_type_id` rather than `article_type`
            let is_prefix =
                |field: &Field| name.strip_prefix(field.name).is_some_and(|rest| rest.starts_with('_'));
            let longest_match = fields::<E>().filter(is_prefix).max_by_key(|field| field.name.len());
            return Err(match longest_match {
                Some(field) => Operator::unknown(field.name, field.operators()),
                None => codes::UNKNOWN_PARAMETER.list("known", fields::<E>().map(|field| field.name)),
            });
        };
        if !field.operators().contains(&operator) {
            return Err(Operator::unknown(field.name, field.operators()));
        }
        let values = field.read_all(operator, text)?;
        let same = |filter: &&mut Filter| filter.field.name == field.name && filter.operator == operator;
        match self.filters.iter_mut().find(same) {
            Some(filter) => filter.values.extend(values),
            None => self.filters.push(Filter { field, operator, values }),
        }
        Ok(())
    }

    /// Restricts the list to rows that refer to one record, which the path names, in addition to its filters.
    ///
    /// # Panics
    /// If the list has no filter of this name that is a reference.
    #[must_use]
    pub fn within_one(&self, filter: &str, id: i64) -> Self {
        let mut other = self.clone();
        let field = *super::reference::<E>(filter);
        other.filters.push(Filter { field, operator: Operator::Is, values: vec![id.into()] });
        other
    }

    /// Restricts the list like [`ListQuery::within_one`] to a record that the caller has been shown, and so
    /// sees all rows that refer to it: reading a page need not check their owner. The condition names what
    /// the record's rows have in common, for their index.
    #[must_use]
    pub fn within_visible(&self, filter: &str, id: i64, common: Condition) -> Self {
        Self { page_condition: Some(common), ..self.within_one(filter, id) }
    }

    /// Replaces the text of the search.
    #[must_use]
    pub fn searching(&self, text: &str) -> Self {
        let mut other = self.clone();
        let searches = other.filters.iter_mut().filter(|filter| filter.field.kind == Kind::Search);
        searches.for_each(|filter| filter.values = vec![text.into()]);
        other
    }

    /// Requested page.
    pub fn paging(&self) -> Paging {
        self.paging
    }

    pub(super) fn span(&self) -> Span {
        self.span.unwrap_or(Span { offset: self.paging.offset(), size: self.paging.size })
    }

    /// True if a filter uses this field.
    pub fn filters_by(&self, field: &str) -> bool {
        self.filters.iter().any(|filter| filter.field.name == field)
    }

    /// Value of a filter that has a single one, as in `filter[record]=article`; a number is given in digits.
    pub fn only(&self, field: &str) -> Option<String> {
        let filter = self.filters.iter().find(|filter| filter.field.name == field)?;
        match (filter.operator, filter.values.as_slice()) {
            (Operator::Is, [Value::String(Some(text))]) => Some(text.clone()),
            (Operator::Is, [Value::BigInt(Some(number))]) => Some(number.to_string()),
            _ => None,
        }
    }
}

/// Reads parameters, of which only filters may be repeated; reports all errors together.
pub(super) fn each_once<'a>(
    parameters: impl IntoIterator<Item = (&'a str, &'a str)>,
    mut read: impl FnMut(&'a str, &'a str) -> Result<(), Message>,
) -> Result<()> {
    let mut violations = Violations::new();
    let mut once = HashSet::new();
    for (name, text) in parameters {
        let repeated = filter_of(name).is_none() && !once.insert(name);
        let outcome = if repeated { Err(codes::DUPLICATE_PARAMETER.into()) } else { read(name, text) };
        if let Err(message) = outcome {
            violations.add(name, message);
        }
    }
    violations.check()
}

/// Returns `name` for `filter[name]`.
fn filter_of(parameter: &str) -> Option<&str> {
    parameter.strip_prefix("filter[")?.strip_suffix(']')
}

fn sort_of<E: Listed>(text: &str) -> Option<(Field, bool)> {
    let (name, descending) = text.strip_prefix('-').map_or((text, false), |name| (name, true));
    fields::<E>().find(|field| field.sortable && field.sort_name() == name).map(|field| (field, descending))
}

/// Fields by which the list can be filtered or sorted.
pub fn fields<E: Listed>() -> impl Iterator<Item = Field> {
    E::OWN_ID.into_iter().chain(E::FIELDS.iter().copied())
}

/// Names of the sorts of a list.
pub fn sorts<E: Listed>() -> impl Iterator<Item = &'static str> {
    fields::<E>().filter(|field| field.sortable).map(|field| field.sort_name())
}
