//! What a search box asks for, as a condition over the columns of a list: texts that stand in them, as whole words and
//! numbers where that matters, and rows of other tables that are referred to.
//!
//! The condition alone is right; where there is a trigram index, the rows that it can be true for are found first.

use sea_orm::{
    Condition, DbBackend,
    sea_query::{BinOper, Expr, ExprTrait, LikeExpr, Query, SelectStatement, SimpleExpr, UnionType},
};

use crate::{
    code::{Code, Message},
    fold::{fold, fold_written_umlauts},
    list::column::{AnyColumn, begins, contains, escape_like},
    scope::Scoped,
};

/// A search, made of what was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Search {
    All(Vec<Self>),
    /// At least one.
    Any(Vec<Self>),
    /// In one of the columns.
    Contains(Needle),
    /// In one of the columns of the row that is referred to under a name of [`Searched::references`].
    Refers(&'static str, Vec<Needle>),
    /// The row that is referred to is found by this search of its own list.
    Within(&'static str, Box<Self>),
}

/// A folded text that is looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needle {
    pub text: String,
    pub before: Edge,
    pub after: Edge,
}

/// What may stand beside a needle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// Anything.
    Free,
    /// Before a needle: nothing at all. Found through an index of the column.
    Nothing,
    /// No letter.
    Letters,
    /// No letter and no digit.
    Word,
    /// Nothing that would make it another number.
    Number,
    /// Before a size such as `50x10`: nothing that would make it a part of another size.
    Size,
}

/// The field of a list behind its search box.
pub struct Searched {
    pub columns: &'static [&'static dyn AnyColumn],
    /// `SQLite`'s FTS5 trigram table over exactly these columns. PostgreSQL has indexes of `column || ''`.
    pub trigrams: Option<&'static str>,
    pub references: &'static [Referred],
    pub read: fn(&str) -> Result<Search, Message>,
    /// How the folded columns of those rows begin that come first. Each column then has an index of its own; without it the rows
    /// stand in the order of the list.
    pub beginnings: Option<fn(&str) -> Vec<String>>,
}

/// A table that rows of a list refer to: a small one whose columns are searched, or one that is searched as its own list is.
pub struct Referred {
    pub name: &'static str,
    /// The reference.
    pub column: &'static dyn AnyColumn,
    pub id: &'static dyn AnyColumn,
    /// What is searched there.
    pub columns: &'static [&'static dyn AnyColumn],
    /// The ids that a search of its own list finds: [`within`].
    pub within: Option<Within>,
    /// How the columns begin of what a search means most, where such rows come first; what is no more than that is exact.
    pub beginnings: Option<fn(&str) -> Vec<String>>,
}

/// The ids that a search finds.
pub type Within = fn(&Search, DbBackend) -> SelectStatement;

impl Needle {
    /// As a part of anything.
    pub fn free(text: impl Into<String>) -> Self {
        Self { text: text.into(), before: Edge::Free, after: Edge::Free }
    }
}

/// The most words of a search.
const WORDS_MAX: usize = 12;

/// A search for records that have nothing but names: each word is a part of one of the columns.
pub fn words(text: &str) -> Result<Search, Message> {
    let folded = fold(text);
    let words: Vec<_> = folded.split_whitespace().collect();
    if words.len() > WORDS_MAX {
        return Err(Code::TooMany.with("max", WORDS_MAX));
    }
    let word = |word: &str| match fold_written_umlauts(word) {
        Some(folded) => {
            Search::Any([word.to_owned(), folded].map(|word| Search::Contains(Needle::free(word))).into())
        }
        None => Search::Contains(Needle::free(word)),
    };
    Ok(Search::All(words.into_iter().map(word).collect()))
}

/// A text as two are the same for whoever looks for one: `HEB-200-S235JR` and `heb 200 s235jr`.
pub(crate) fn squeezed(text: &str) -> String {
    fold(text).chars().filter(|character| character.is_alphanumeric()).collect()
}

impl Edge {
    /// Character classes in the grammar that GLOB and regular expressions share; one of them fits.
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

/// Shorter texts hold no trigram.
const INDEXED: usize = 3;

/// Of a long needle so many, spread over it: each costs reading a list, and the text itself is compared anyway.
const TRIGRAMS: usize = 8;

impl Searched {
    /// `search` as a condition; `through_index` first finds the rows that it can be true for.
    pub(crate) fn condition<E: Scoped>(
        &self,
        search: &Search,
        backend: DbBackend,
        through_index: bool,
    ) -> Condition {
        let matches = self.matches(search, backend);
        match self.indexed(search).filter(|_| through_index) {
            Some(indexed) => {
                Condition::all().add(is_among::<E>(self.found::<E>(&indexed, backend), backend)).add(matches)
            }
            None => matches,
        }
    }

    /// What indexes of the texts alone can answer, on PostgreSQL and of a search for nothing but texts.
    pub(crate) fn like_indexed(&self, search: &Search, backend: DbBackend) -> Option<Condition> {
        let indexed = self.indexed(search).filter(Search::is_text)?;
        (backend != DbBackend::Sqlite).then(|| self.like(&indexed))
    }

    /// The ids of the rows that indexes find for a search that has some.
    pub(crate) fn found_ids<E: Scoped>(&self, search: &Search, backend: DbBackend) -> SelectStatement {
        self.indexed(search).map_or_else(rows_of::<E>, |indexed| self.found::<E>(&indexed, backend))
    }

    /// `search` as a condition on the row itself.
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
                let Referred { column, within, .. } = self.reference(to);
                let within = within.expect("what is searched within says how");
                Condition::all().add(Expr::col(column.reference()).in_subquery(within(search, backend)))
            }
        }
    }

    fn reference(&self, to: &str) -> &Referred {
        self.references.iter().find(|known| known.name == to).expect("a search knows its references")
    }

    fn refers(&self, to: &str, needles: &[Needle], backend: DbBackend) -> SimpleExpr {
        let Referred { column, id, columns, .. } = self.reference(to);
        let any =
            needles.iter().fold(Condition::any(), |any, needle| any.add(in_any(columns, needle, backend)));
        let mut rows = Query::select();
        rows.column(id.reference()).from(id.table()).cond_where(any);
        Expr::col(column.reference()).in_subquery(rows)
    }

    /// The part of a search that indexes can answer; every match of the search is one of the part.
    pub(crate) fn indexed(&self, search: &Search) -> Option<Search> {
        self.trigrams?;
        match search {
            Search::Contains(needle) if needle.text.chars().count() < INDEXED => None,
            Search::Contains(_) | Search::Refers(..) => Some(search.clone()),
            // finds its rows by itself
            Search::Within(..) => None,
            Search::Any(any) => {
                let any: Vec<_> = any.iter().map(|part| self.indexed(part)).collect::<Option<_>>()?;
                Some(Search::Any(any))
            }
            Search::All(all) => {
                let all: Vec<_> = all.iter().filter_map(|part| self.indexed(part)).collect();
                // texts tell more than references, which many rows share
                let texts: Vec<_> = all.iter().filter(|part| part.is_text()).cloned().collect();
                match (texts.is_empty(), all.is_empty()) {
                    (false, _) => Some(Search::All(texts)),
                    (true, false) => Some(Search::All(all)),
                    (true, true) => None,
                }
            }
        }
    }

    /// The ids of the rows that an indexed search finds.
    fn found<E: Scoped>(&self, indexed: &Search, backend: DbBackend) -> SelectStatement {
        if indexed.is_text() {
            return self.found_by_trigrams::<E>(indexed, backend);
        }
        match indexed {
            Search::Any(any) => {
                let (texts, rest): (Vec<_>, Vec<_>) = any.iter().cloned().partition(Search::is_text);
                let texts = (!texts.is_empty()).then_some(Search::Any(texts));
                let mut selects = rest.iter().chain(&texts).map(|part| self.found::<E>(part, backend));
                let first = selects.next().unwrap_or_default();
                selects.fold(first, |mut all, select| all.union(UnionType::Distinct, select).take())
            }
            Search::All(all) => match all.as_slice() {
                [part] => self.found::<E>(part, backend),
                _ => all.iter().fold(rows_of::<E>(), |mut rows, part| {
                    rows.and_where(is_among::<E>(self.found::<E>(part, backend), backend)).take()
                }),
            },
            Search::Refers(to, needles) => rows_of::<E>().and_where(self.refers(to, needles, backend)).take(),
            Search::Contains(_) => self.found_by_trigrams::<E>(indexed, backend),
            Search::Within(..) => rows_of::<E>().cond_where(self.matches(indexed, backend)).take(),
        }
    }

    fn found_by_trigrams<E: Scoped>(&self, text: &Search, backend: DbBackend) -> SelectStatement {
        match self.trigrams {
            Some(index) if backend == DbBackend::Sqlite => match_trigrams(index, text.trigrams()),
            _ => rows_of::<E>().cond_where(self.like(text)).offset(0).take(),
        }
    }

    /// What PostgreSQL's trigram indexes answer.
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
    /// Whether it asks for nothing but texts in the row itself.
    fn is_text(&self) -> bool {
        match self {
            Self::Contains(_) => true,
            Self::Refers(..) | Self::Within(..) => false,
            Self::All(parts) | Self::Any(parts) => parts.iter().all(Self::is_text),
        }
    }

    /// In the grammar of FTS5.
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

/// The rows of these ids, which are read first, whatever the planner of PostgreSQL thinks of them: it takes many materials for
/// found where none is, and then reads all rows.
pub(crate) fn is_among<E: Scoped>(ids: SelectStatement, backend: DbBackend) -> SimpleExpr {
    refers_to_few(&E::ID, ids, backend)
}

/// The rows whose column holds one of these ids, which are read first and once on PostgreSQL: as a join, it would read the rows anew
/// for each id, or for each row all ids.
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

/// `"heb" AND "eb2"`: what a text that holds the needle holds.
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

/// The rows of `SQLite`'s trigram table that an expression of FTS5 finds.
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
    // An edge is up to two characters, and the text may end there.
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
