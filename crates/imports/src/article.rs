//! Articles from files: a row names an article by its number, given or as its values render it; empty cells leave what
//! is there, and all rules are those of the catalogue.

mod catalogue;
mod columns;
pub(crate) mod export;
mod write;

use std::{
    borrow::Cow,
    collections::{BTreeSet, HashMap, hash_map::RandomState},
    hash::BuildHasher,
};

use catalog::{
    article::{ActiveModel, Article, Articles, Column, Draft},
    material::Material,
    value::AttributeValues,
};
use kernel::{
    Code, Language, Message, Result, Scope, Violations, Write,
    audit::{Action, Channel},
    fold,
};
use sea_orm::{ActiveValue, ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};

use self::{
    catalogue::Catalogue,
    columns::{Columns, Wanted, Wish},
};
use sheets::{
    Cell, Fault, Row,
    number::{Evidence, Style},
    visible,
};

/// What became of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Outcome {
    Created,
    Updated,
    /// The article is already as the row says.
    Unchanged,
    Refused(Vec<Fault>),
}

/// Applies the rows of one file.
pub(crate) struct Importer {
    import_id: i64,
    scope: Scope,
    header: Vec<Cell>,
    language: Language,
    style: Style,
    catalogue: Catalogue,
    columns: Columns,
    /// The lines in which a dry run has seen articles, by a hash of their numbers. A real run finds them in the articles.
    seen: Option<Seen>,
    /// The articles of the batch that is being applied.
    applied: HashMap<String, u32>,
}

#[derive(Default)]
struct Seen {
    hasher: RandomState,
    lines: HashMap<u64, u32>,
}

impl Seen {
    /// The line in which the article was seen first.
    fn first_line(&self, number: &str) -> Option<u32> {
        self.lines.get(&self.hasher.hash_one(number)).copied()
    }

    fn see(&mut self, number: &str, line: u32) {
        self.lines.insert(self.hasher.hash_one(number), line);
    }
}

/// An importer whose file has not been looked through yet.
pub(crate) struct Preparation {
    catalogue: Catalogue,
    columns: Columns,
    header: Vec<Cell>,
    language: Language,
}

impl Preparation {
    /// Reads the header; says everything that is wrong with it at once.
    pub(crate) async fn new(
        db: &impl ConnectionTrait,
        scope: &Scope,
        header: &[Cell],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        let catalogue = Catalogue::load(db, scope).await?;
        Ok(Columns::read(header, language, &catalogue).map(|columns| Self {
            catalogue,
            columns,
            header: header.to_vec(),
            language,
        }))
    }

    /// Which cells of a row are read as numbers.
    pub(crate) fn numbers(&self) -> Vec<usize> {
        self.columns.numbers().collect()
    }

    pub(crate) fn importer(self, import_id: i64, scope: Scope, dry_run: bool, style: Style) -> Importer {
        let Self { catalogue, columns, header, language } = self;
        let seen = dry_run.then(Seen::default);
        Importer {
            import_id,
            scope: scope.through(Channel::Import(import_id)),
            header,
            language,
            style,
            catalogue,
            columns,
            seen,
            applied: HashMap::new(),
        }
    }
}

/// What the numbers of a file look like.
pub(crate) fn look_at(row: &Row, numbers: &[usize], evidence: &mut Evidence) {
    for cell in numbers.iter().filter_map(|index| row.cells.get(*index)) {
        evidence.see(cell);
    }
}

/// A row on its way to an outcome.
struct Candidate<'r> {
    row: &'r Row,
    /// What finds the article: its folded number.
    key: String,
    /// The same as it looks, where that is another: it finds the article that is not called exactly so.
    looks: Option<String>,
    blueprint: Option<usize>,
}

impl Candidate<'_> {
    fn found_in(mut self, existing: &HashMap<String, Article>) -> Self {
        if let Some(looks) = self.looks.take()
            && !existing.contains_key(&self.key)
        {
            self.key = looks;
        }
        self
    }
}

impl Importer {
    /// Applies rows in the transaction, in order; one outcome for each.
    pub(crate) async fn apply(&mut self, tx: &Write, rows: &[Row]) -> Result<Vec<Outcome>> {
        let candidates = loop {
            self.catch_up(tx).await?;
            let candidates: Vec<_> = rows.iter().map(|row| self.candidate(row)).collect();
            let used: BTreeSet<_> =
                candidates.iter().flatten().filter_map(|candidate| candidate.blueprint).collect();
            if self.catalogue.hold(tx, &self.scope, used).await? {
                break candidates;
            }
        };
        let keys = candidates
            .iter()
            .flatten()
            .flat_map(|candidate| [Some(&candidate.key), candidate.looks.as_ref()]);
        let existing = self.existing(tx, keys.flatten().cloned().collect()).await?;

        let mut batch = Batch::default();
        let outcomes = candidates.into_iter().map(|candidate| match candidate {
            Ok(candidate) => {
                let candidate = candidate.found_in(&existing);
                self.outcome(&candidate, existing.get(&candidate.key), &mut batch)
            }
            Err(faults) => Outcome::Refused(faults),
        });
        let outcomes: Vec<_> = outcomes.collect();
        write::upsert(tx, &self.scope, self.import_id, &batch.changed).await?;
        self.note(tx, &batch.changed, &existing).await?;
        write::mark(tx, &self.scope, self.import_id, &batch.unchanged).await?;
        self.applied = batch.lines;
        Ok(outcomes)
    }

    /// Notes what has become of the articles.
    async fn note(
        &self,
        tx: &Write,
        changed: &[(ActiveModel, u32)],
        before: &HashMap<String, Article>,
    ) -> Result<()> {
        if self.seen.is_some() {
            return Ok(());
        }
        let keys: Vec<_> = changed.iter().map(|(row, _)| number_of(row)).collect();
        let after = self.existing(tx, keys.clone()).await?;
        for key in keys {
            let before = before.get(&key);
            let action = if before.is_some() { Action::Changed } else { Action::Created };
            self.scope.note::<Articles>(tx, action, before, after.get(&key));
        }
        Ok(())
    }

    /// The last batch is committed: a dry run remembers its articles.
    pub(crate) fn committed(&mut self) {
        let applied = std::mem::take(&mut self.applied);
        if let Some(seen) = &mut self.seen {
            for (number, line) in applied {
                seen.see(&number, line);
            }
        }
    }

    /// Loads the master data anew where any of it has changed.
    async fn catch_up(&mut self, tx: &impl ConnectionTrait) -> Result<()> {
        if self.catalogue.is_current(tx).await? {
            return Ok(());
        }
        let catalogue = Catalogue::load(tx, &self.scope).await?;
        // A column whose attribute has gone keeps its old meaning, and its rows say that there is no such attribute.
        if let Ok(columns) = Columns::read(&self.header, self.language, &catalogue) {
            self.columns = columns;
        }
        self.catalogue = catalogue;
        Ok(())
    }

    /// The articles with these folded numbers.
    async fn existing(
        &self,
        tx: &impl ConnectionTrait,
        keys: Vec<String>,
    ) -> Result<HashMap<String, Article>> {
        if keys.is_empty() {
            return Ok(HashMap::new());
        }
        let articles = self
            .scope
            .find::<Articles>()
            .filter(Column::ArticleNumberFold.is_in(keys))
            .order_by_asc(Column::Id)
            .lock_exclusive()
            .all(tx)
            .await?;
        Ok(articles.into_iter().map(|article| (article.article_number_fold.clone(), article)).collect())
    }

    /// How the row's article is found: by the number in it, otherwise by the number that its values render.
    fn candidate<'r>(&self, row: &'r Row) -> Result<Candidate<'r>, Vec<Fault>> {
        if !row.faults.is_empty() {
            return Err(row.faults.clone());
        }
        let blueprint = self.columns.blueprint(row, &self.catalogue);
        match (self.columns.number(row), blueprint) {
            (Ok(Some(number)), Ok(blueprint)) => {
                let looks = match visible(number) {
                    Cow::Owned(seen) => Some(fold(&seen)),
                    Cow::Borrowed(_) => None,
                };
                Ok(Candidate { row, key: fold(number), looks, blueprint })
            }
            (Ok(None), Ok(Some(blueprint))) => {
                let draft = self.draft(row, blueprint, None);
                match draft.row {
                    Ok(article) if draft.faults.is_empty() => {
                        let key = number_of(&article);
                        Ok(Candidate { row, key, looks: None, blueprint: Some(blueprint) })
                    }
                    row => Err(self.all_faults(draft.faults, row.err().unwrap_or_default())),
                }
            }
            (Ok(None), Ok(None)) => Err(vec![self.columns.type_fault(Code::Required)]),
            (number, blueprint) => Err([number.err(), blueprint.err()].into_iter().flatten().collect()),
        }
    }

    fn outcome(&self, candidate: &Candidate<'_>, existing: Option<&Article>, batch: &mut Batch) -> Outcome {
        let Candidate { row, key, .. } = candidate;
        if let Some(line) = self.first_line(key, existing, batch) {
            return Outcome::Refused(vec![self.columns.number_fault(Code::RepeatedRow.with("line", line))]);
        }
        let (blueprint, outcome) = match (candidate.blueprint, existing) {
            (None, None) => return Outcome::Refused(vec![self.columns.type_fault(Code::Required)]),
            (Some(blueprint), None) => (blueprint, Outcome::Created),
            (Some(blueprint), Some(article)) if !self.is_of(blueprint, article) => {
                return Outcome::Refused(vec![self.columns.type_fault(Code::ArticleTypeFixed)]);
            }
            (_, Some(article)) => match self.catalogue.blueprint_of(article.article_type_id) {
                Some(blueprint) => (blueprint, Outcome::Updated),
                None => return Outcome::Refused(vec![self.columns.type_fault(Code::UnknownReference)]),
            },
        };
        let draft = self.draft(row, blueprint, existing);
        let article = match draft.row {
            Ok(article) if draft.faults.is_empty() => article,
            row => return Outcome::Refused(self.all_faults(draft.faults, row.err().unwrap_or_default())),
        };
        batch.lines.insert(key.clone(), row.line);
        match existing {
            Some(existing) if is_same(&article, existing) => {
                batch.unchanged.push((existing.id, row.line));
                Outcome::Unchanged
            }
            _ => {
                batch.changed.push((article, row.line));
                outcome
            }
        }
    }

    /// The line of this file that has already named the article.
    fn first_line(&self, key: &str, existing: Option<&Article>, batch: &Batch) -> Option<u32> {
        let of_article = || {
            let article = existing.filter(|article| article.import_id == Some(self.import_id))?;
            u32::try_from(article.import_line?).ok()
        };
        let seen = || self.seen.as_ref()?.first_line(key);
        batch.lines.get(key).copied().or_else(seen).or_else(of_article)
    }

    fn is_of(&self, blueprint: usize, article: &Article) -> bool {
        self.catalogue.blueprint(blueprint).article_type.id == article.article_type_id
    }

    /// The article that the row makes of an existing one, or of none.
    fn draft(&self, row: &Row, blueprint: usize, existing: Option<&Article>) -> Drafted {
        let blueprint = self.catalogue.blueprint(blueprint);
        let (wish, faults) = self.columns.wish(row, blueprint, &self.catalogue, self.style);
        let (draft, material) = merged(wish, existing, &self.catalogue);
        Drafted { row: draft.row(blueprint, material), faults }
    }

    /// Everything that is wrong with a row, each thing once.
    fn all_faults(&self, mut faults: Vec<Fault>, violations: Violations) -> Vec<Fault> {
        for violation in violations {
            let column = self.columns.column_of(&violation.path);
            let known = |fault: &Fault| column.is_some() && fault.column == column;
            if !faults.iter().any(known) {
                faults.push(Fault { column, message: violation.message });
            }
        }
        faults
    }
}

/// What a batch writes.
#[derive(Default)]
struct Batch {
    /// The lines of the articles that were applied, by folded number.
    lines: HashMap<String, u32>,
    changed: Vec<(ActiveModel, u32)>,
    /// Ids.
    unchanged: Vec<(i64, u32)>,
}

/// A row read and held against the rules.
struct Drafted {
    row: Result<ActiveModel, Violations>,
    /// What could not even be read.
    faults: Vec<Fault>,
}

/// What the row wants, and where it wants nothing, what is there.
fn merged<'a>(
    wish: Wish<'a>,
    article: Option<&Article>,
    catalogue: &'a Catalogue,
) -> (Draft, Option<&'a Material>) {
    let mut values: AttributeValues =
        article.map(|article| article.attribute_values.clone()).unwrap_or_default();
    for (attribute, value) in wish.values {
        values.set(attribute, value);
    }
    let material = match wish.material {
        Wanted::Set(material) => Some(material),
        Wanted::Clear => None,
        Wanted::Keep => article.and_then(|article| catalogue.material(article.material_id?)),
    };
    let draft = Draft {
        material_id: material.map(|material| material.id),
        values,
        article_number: match wish.number {
            Wanted::Set(number) => {
                // Found by this number, whatever its case: the spelling that is there stays.
                Some(article.map_or(number, |article| article.article_number.clone()))
            }
            Wanted::Clear | Wanted::Keep => None,
        },
        article_name: match wish.name {
            Wanted::Set(name) => Some(name),
            Wanted::Clear => None,
            Wanted::Keep => article
                .filter(|article| article.article_name_overridden)
                .map(|article| article.article_name.clone()),
        },
        weight_per_base_unit: match wish.weight {
            Wanted::Set(weight) => Some(weight),
            Wanted::Clear => None,
            Wanted::Keep => article
                .filter(|article| article.weight_per_base_unit_overridden)
                .and_then(|article| article.weight_per_base_unit),
        },
    };
    (draft, material)
}

/// Whether an article is already as a row says.
fn is_same(row: &ActiveModel, article: &Article) -> bool {
    fn same<T: PartialEq + Into<sea_orm::Value>>(value: &ActiveValue<T>, known: &T) -> bool {
        matches!(value, ActiveValue::Set(value) if value == known)
    }
    same(&row.material_id, &article.material_id)
        && same(&row.article_number, &article.article_number)
        && same(&row.article_number_overridden, &article.article_number_overridden)
        && same(&row.article_name, &article.article_name)
        && same(&row.article_name_overridden, &article.article_name_overridden)
        && same(&row.attribute_values, &article.attribute_values)
        && same(&row.weight_per_base_unit, &article.weight_per_base_unit)
        && same(&row.weight_per_base_unit_overridden, &article.weight_per_base_unit_overridden)
}

/// The folded number, which a draft always sets.
fn number_of(article: &ActiveModel) -> String {
    article.article_number_fold.try_as_ref().cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests;
