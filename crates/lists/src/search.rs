//! Search text as a condition on the columns of a list: texts within them, as whole words and numbers where
//! that matters, and referenced rows of other tables.
//!
//! The condition alone is correct; with a trigram index, candidate rows are found first.

use sea_orm::{
    Condition, DbBackend,
    sea_query::{BinOper, Expr, ExprTrait, LikeExpr, Query, SelectStatement, SimpleExpr, UnionType},
};
use store::{
    column::{AnyColumn, begins, contains, escape_like},
    scope::Scoped,
};
use values::{
    codes,
    fold::{fold, fold_written_umlauts},
    message::Message,
};

/// Search, parsed from the typed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Search {
    All(Vec<Self>),
    /// Any of these searches.
    Any(Vec<Self>),
    /// Text in one of the columns.
    Contains(Needle),
    /// Texts in the columns of the row that is referenced under a name of [`SearchedColumns::references`].
    Refers(&'static str, Vec<Needle>),
    /// Referenced row that its own list finds with this search.
    Within(&'static str, Box<Self>),
}

/// Folded text to be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needle {
    pub text: String,
    pub before: Edge,
    pub after: Edge,
}

/// Restriction on the characters next to a needle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Anything.
    Free,
    /// Start of the text, before a needle. Found through an index of the column.
    Nothing,
    /// Anything but a letter.
    Letters,
    /// Anything but a letter or a digit.
    Word,
    /// Anything that does not turn the needle into another number.
    Number,
    /// Anything before a size such as `50x10` that does not make it a part of another size.
    Size,
}

/// Searchable columns of a list.
pub struct SearchedColumns {
    pub columns: &'static [&'static dyn AnyColumn],
    /// `SQLite`'s FTS5 trigram table over exactly these columns. PostgreSQL has indexes of `column || ''`.
    pub trigrams: Option<&'static str>,
    pub references: &'static [ReferredTable],
    pub read: fn(&str) -> Result<Search, Message>,
    /// Beginnings of the folded columns of rows that are listed first. Each column then has its own index;
    /// without beginnings the rows are in the order of the list.
    pub beginnings: Option<fn(&str) -> Vec<String>>,
}

/// Table to which rows of a list refer: a small one whose columns are searched, or one that is searched like
/// its own list.
pub struct ReferredTable {
    pub name: &'static str,
    /// Column with the reference.
    pub column: &'static dyn AnyColumn,
    pub id: &'static dyn AnyColumn,
    /// Searched columns of the referenced table.
    pub columns: &'static [&'static dyn AnyColumn],
    /// Query for the ids that a search of its own list finds: [`within`].
    pub within: Option<Within>,
    /// Beginnings of the columns of best matches, if those rows are listed first; a column that equals its
    /// beginning is an exact match.
    pub beginnings: Option<fn(&str) -> Vec<String>>,
}

/// Builds the query for the ids that a search finds.
pub type Within = fn(&Search, DbBackend) -> SelectStatement;

impl Needle {
    /// Creates a needle that may be a part of any word.
    pub fn free(text: impl Into<String>) -> Self {
        Self { text: text.into(), before: Edge::Free, after: Edge::Free }
    }
}

/// Maximum number of words in a search.
const WORDS_MAX: usize = 12;

/// Parses a search for records that have only names: each word is a part of one of the columns.
pub fn words(text: &str) -> Result<Search, Message> {
    let folded = fold(text);
    let words: Vec<_> = folded.split_whitespace().collect();
    if words.len() > WORDS_MAX {
        return Err(codes::TOO_MANY.with("max", WORDS_MAX));
    }
    let word = |word: &str| match fold_written_umlauts(word) {
        Some(folded) => {
            Search::Any([word.to_owned(), folded].map(|word| Search::Contains(Needle::free(word))).into())
        }
        None => Search::Contains(Needle::free(word)),
    };
    Ok(Search::All(words.into_iter().map(word).collect()))
}

/// Reduces a text to its folded letters and digits, so that `HEB-200-S235JR` and `heb 200 s235jr` are equal.
pub(crate) fn squeezed(text: &str) -> String {
    fold(text).chars().filter(|character| character.is_alphanumeric()).collect()
}

impl Edge {
    /// Character classes in the grammar that GLOB and regular expressions share; one of them must match.
    fn before(self) -> &'static [&'static str] {
        match self {
            Self::Number => &["[^0-9.,]", "[^0-9][.,]"],
            Self::Size => &["[^0-9.,x* ]", "[^0-9x*] "],
            _ => self.beside(),
        }
    }

    fn after(self) -> &'static [&'static str] {
        match self {
            Self::Number | Self::Size => &["[^0-9.,]", "[.,][^0-9]"],
            _ => self.beside(),
        }
    }

    fn beside(self) -> &'static [&'static str] {
        match self {
            Self::Letters => &["[^a-z]"],
            Self::Word => &["[^a-z0-9]"],
            Self::Free | Self::Nothing | Self::Number | Self::Size => &[""],
        }
    }
}

/// Minimum number of characters for a trigram.
const INDEXED: usize = 3;

/// Maximum number of trigrams of a long needle, spread over it: each costs a read of its list, and the text
/// itself is compared anyway.
const TRIGRAMS: usize = 8;

impl SearchedColumns {
    /// Condition for a search; with `through_index` candidate rows are found first.
    pub(crate) fn condition<E: Scoped>(
        &self,
        search: &Search,
        backend: DbBackend,
        through_index: bool,
    ) -> Condition {
        let matches = self.matches(search, backend);
        match self.indexed(search).filter(|_| through_index) {
            Some(indexed) => Condition::all()
                .add(is_among::<E>(self.matching_ids::<E>(&indexed, backend), backend))
                .add(matches),
            None => matches,
        }
    }

    /// Condition that trigram indexes alone can answer, for PostgreSQL and a search for nothing but texts.
    pub(crate) fn like_indexed(&self, search: &Search, backend: DbBackend) -> Option<Condition> {
        let indexed = self.indexed(search).filter(Search::is_text)?;
        (backend != DbBackend::Sqlite).then(|| self.like(&indexed))
    }

    /// Query for the ids of candidate rows from indexes.
    pub(crate) fn found_ids<E: Scoped>(&self, search: &Search, backend: DbBackend) -> SelectStatement {
        self.indexed(search).map_or_else(rows_of::<E>, |indexed| self.matching_ids::<E>(&indexed, backend))
    }

    /// Condition for a search on the row itself.
    pub(crate) fn matches(&self, search: &Search, backend: DbBackend) -> Condition {
        let parts = |parts: &[Search], condition: Condition| {
            parts.iter().fold(condition, |condition, part| condition.add(self.matches(part, backend)))
        };
        match search {
            Search::All(all) => parts(all, Condition::all()),
            Search::Any(any) => parts(any, Condition::any()),
            Search::Contains(needle) => in_any(self.columns, needle, backend),
            Search::Refers(to, needles) => Condition::all().add(self.refers(to, needles, backend)),
            Search::Within(to, search) => {
                let ReferredTable { column, within, .. } = self.reference(to);
                let within = within.expect("what is searched within says how");
                Condition::all().add(Expr::col(column.reference()).in_subquery(within(search, backend)))
            }
        }
    }

    fn reference(&self, to: &str) -> &ReferredTable {
        self.references.iter().find(|table| table.name == to).expect("a search knows its references")
    }

    fn refers(&self, to: &str, needles: &[Needle], backend: DbBackend) -> SimpleExpr {
        let ReferredTable { column, id, columns, .. } = self.reference(to);
        let any =
            needles.iter().fold(Condition::any(), |any, needle| any.add(in_any(columns, needle, backend)));
        let mut rows = Query::select();
        rows.column(id.reference()).from(id.table()).cond_where(any);
        Expr::col(column.reference()).in_subquery(rows)
    }

    /// Part of a search that indexes can answer; every match of the search also matches the part.
    pub(crate) fn indexed(&self, search: &Search) -> Option<Search> {
        self.trigrams?;
        match search {
            Search::Contains(needle) if needle.text.chars().count() < INDEXED => None,
            Search::Contains(_) | Search::Refers(..) => Some(search.clone()),
            // has its own query for rows
            Search::Within(..) => None,
            Search::Any(any) => {
                let any: Vec<_> = any.iter().map(|part| self.indexed(part)).collect::<Option<_>>()?;
                Some(Search::Any(any))
            }
            Search::All(all) => {
                let all: Vec<_> = all.iter().filter_map(|part| self.indexed(part)).collect();
                // texts are more selective than references, which many rows share
                let texts: Vec<_> = all.iter().filter(|part| part.is_text()).cloned().collect();
                match (texts.is_empty(), all.is_empty()) {
                    (false, _) => Some(Search::All(texts)),
                    (true, false) => Some(Search::All(all)),
                    (true, true) => None,
                }
            }
        }
    }

    /// Query for the ids of the rows that an indexed search finds.
    fn matching_ids<E: Scoped>(&self, indexed: &Search, backend: DbBackend) -> SelectStatement {
        if indexed.is_text() {
            return self.select_by_trigrams::<E>(indexed, backend);
        }
        match indexed {
            Search::Any(any) => {
                let (texts, rest): (Vec<_>, Vec<_>) = any.iter().cloned().partition(Search::is_text);
                let texts = (!texts.is_empty()).then_some(Search::Any(texts));
                let mut selects = rest.iter().chain(&texts).map(|part| self.matching_ids::<E>(part, backend));
                let first = selects.next().unwrap_or_default();
                selects.fold(first, |mut all, select| all.union(UnionType::Distinct, select).take())
            }
            Search::All(all) => match all.as_slice() {
                [part] => self.matching_ids::<E>(part, backend),
                _ => all.iter().fold(rows_of::<E>(), |mut rows, part| {
                    rows.and_where(is_among::<E>(self.matching_ids::<E>(part, backend), backend)).take()
                }),
            },
            Search::Refers(to, needles) => rows_of::<E>().and_where(self.refers(to, needles, backend)).take(),
            Search::Contains(_) => self.select_by_trigrams::<E>(indexed, backend),
            Search::Within(..) => rows_of::<E>().cond_where(self.matches(indexed, backend)).take(),
        }
    }

    fn select_by_trigrams<E: Scoped>(&self, text: &Search, backend: DbBackend) -> SelectStatement {
        match self.trigrams {
            Some(index) if backend == DbBackend::Sqlite => match_trigrams(index, text.trigrams()),
            _ => rows_of::<E>().cond_where(self.like(text)).offset(0).take(),
        }
    }

    /// Condition for PostgreSQL's trigram indexes.
    fn like(&self, text: &Search) -> Condition {
        let parts = |parts: &[Search], condition: Condition| {
            parts.iter().fold(condition, |condition, part| condition.add(self.like(part)))
        };
        match text {
            Search::All(all) => parts(all, Condition::all()),
            Search::Any(any) => parts(any, Condition::any()),
            Search::Contains(needle) => self
                .columns
                .iter()
                .fold(Condition::any(), |any, column| any.add(like_through_index(*column, &needle.text))),
            Search::Refers(..) | Search::Within(..) => Condition::all(),
        }
    }
}

impl Search {
    /// True if the search consists of texts in the row itself.
    fn is_text(&self) -> bool {
        match self {
            Self::Contains(_) => true,
            Self::Refers(..) | Self::Within(..) => false,
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::is_text),
        }
    }

    /// Expression in the grammar of FTS5.
    fn trigrams(&self) -> String {
        let joined = |parts: &[Self], operator: &str| {
            let parts: Vec<_> = parts.iter().map(Self::trigrams).collect();
            format!("({})", parts.join(operator))
        };
        match self {
            Self::All(all) => joined(all, " AND "),
            Self::Any(any) => joined(any, " OR "),
            Self::Contains(needle) => format!("({})", trigrams(&needle.text)),
            Self::Refers(..) | Self::Within(..) => String::new(),
        }
    }
}

/// Condition for rows with these ids, which PostgreSQL evaluates first: its planner expects many materials
/// where there is none, and would read all rows.
pub(crate) fn is_among<E: Scoped>(ids: SelectStatement, backend: DbBackend) -> SimpleExpr {
    refers_to_few(&E::ID, ids, backend)
}

/// Condition for rows that refer to one of these ids, which PostgreSQL evaluates first and once: as a join,
/// it would read the rows again for each id, or all ids for each row.
pub(crate) fn refers_to_few(column: &dyn AnyColumn, ids: SelectStatement, backend: DbBackend) -> SimpleExpr {
    let column = Expr::col(column.reference());
    if backend == DbBackend::Sqlite {
        return column.in_subquery(ids);
    }
    let array = Expr::cust_with_expr("(ARRAY($1))", SimpleExpr::SubQuery(None, Box::new(ids.into())));
    column.binary(BinOper::Custom("= ANY"), array)
}

pub(crate) fn rows_of<E: Scoped>() -> SelectStatement {
    Query::select().column(E::ID).from(E::default()).take()
}

/// FTS5 expression of trigrams that occur in every text with the needle: `"heb" AND "eb2"`.
pub(crate) fn trigrams(needle: &str) -> String {
    let characters: Vec<char> = needle.chars().collect();
    let all = characters.windows(INDEXED);
    let some = all.len().div_ceil(TRIGRAMS).max(1);
    let trigrams: Vec<String> = all
        .step_by(some)
        .map(|trigram| format!("\"{}\"", trigram.iter().collect::<String>().replace('"', "\"\"")))
        .collect();
    trigrams.join(" AND ")
}

/// Rows of `SQLite`'s trigram table that an FTS5 expression finds.
pub(crate) fn match_trigrams(index: &'static str, expression: String) -> SelectStatement {
    let matched = Expr::col(index).binary(BinOper::Custom("MATCH"), Expr::val(expression));
    Query::select().column("rowid").from(index).and_where(matched).take()
}

/// "Contains" through PostgreSQL's index of the expression.
pub(crate) fn like_through_index(column: &dyn AnyColumn, needle: &str) -> SimpleExpr {
    let pattern = LikeExpr::new(format!("%{}%", escape_like(needle))).escape('\\');
    joined(Expr::col(column.reference()), Expr::cust("''")).like(pattern)
}

fn joined(text: SimpleExpr, with: SimpleExpr) -> SimpleExpr {
    text.binary(BinOper::Custom("||"), with)
}

fn in_any(columns: &[&'static dyn AnyColumn], needle: &Needle, backend: DbBackend) -> Condition {
    columns.iter().fold(Condition::any(), |any, column| any.add(stands_in(*column, needle, backend)))
}

fn stands_in(column: &dyn AnyColumn, needle: &Needle, backend: DbBackend) -> Condition {
    let Needle { text, before, after } = needle;
    if *before == Edge::Nothing {
        return begins(&Expr::col(column.reference()), text);
    }
    let contained = Condition::all().add(contains(backend, Expr::col(column.reference()), text));
    if (*before, *after) == (Edge::Free, Edge::Free) {
        return contained;
    }
    // Padded, since an edge is up to two characters and the needle may be at the end of the text.
    let padded = || joined(joined(Expr::val("|"), Expr::col(column.reference())), Expr::val("||"));
    if backend == DbBackend::Sqlite {
        let edges =
            before.before().iter().flat_map(|before| after.after().iter().map(move |after| (before, after)));
        let globs = edges.fold(Condition::any(), |any, (before, after)| {
            let pattern = format!("*{before}{}{after}*", escaped_glob(text));
            any.add(padded().binary(BinOper::Custom("GLOB"), Expr::val(pattern)))
        });
        contained.add(globs)
    } else {
        let pattern =
            format!("({}){}({})", before.before().join("|"), escaped_regex(text), after.after().join("|"));
        contained.add(padded().binary(BinOper::Custom("~"), Expr::val(pattern)))
    }
}

fn escaped_glob(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, character| {
        match character {
            '*' | '?' | '[' => escaped.extend(['[', character, ']']),
            _ => escaped.push(character),
        }
        escaped
    })
}

fn escaped_regex(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, character| {
        if character.is_ascii() && !character.is_ascii_alphanumeric() {
            escaped.push('\\');
        }
        escaped.push(character);
        escaped
    })
}
