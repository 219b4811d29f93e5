//! Import of articles. A row names an article by its number, which is given or rendered from its values.
//! Empty cells leave values unchanged, and all rules of the catalogue apply.

mod columns;
pub mod export;
mod other_numbers;
#[cfg(test)]
mod testbed;
#[cfg(test)]
mod tests;
mod undo;
mod vocabulary;

use std::collections::BTreeSet;

use imports::{
    cells::{CellChange, Line, all_faults},
    columns::{Further, Template},
    import_type::ImportType,
    importer::{FileColumns, Importer, KeyOf, parts::RowParts},
};
use sea_orm::ConnectionTrait;
use sheets::{
    RowFault,
    header::{Headings, Title},
};
use store::{Database, Keyed, Scope, Write, audit::Change};
use values::{Code, Language, Message, Result, Violations};

use self::{
    columns::{Columns, HEADINGS},
    other_numbers::{NumberLookup, NumbersOfKind},
    vocabulary::Vocabulary,
};
use super::{ActiveModel, Article, Articles, Column, Draft, other_number};
use crate::{blueprint::Blueprint, catalogue, codes, material::Material, value::AttributeValues};

impl Keyed for Articles {
    const KEY: &'static [Column] = &[Column::ArticleNumberFold];
}

/// State of a running import of articles.
pub struct ArticleImporter {
    vocabulary: Vocabulary,
    columns: Columns,
    numbers: NumberLookup,
    header: Vec<Title>,
    language: Language,
}

impl FileColumns for ArticleImporter {
    const TYPE: ImportType = ImportType::Article;
    const HEADINGS: &'static Headings = &HEADINGS;

    /// Returns a column for each attribute that an article type has.
    async fn further(db: &Database) -> Result<Further> {
        let vocabulary = Vocabulary::load(db).await?;
        Ok(Further::new(vocabulary.attribute_columns(), move |name, unit| {
            vocabulary.column_named(name, unit)
        }))
    }

    async fn template(db: &Database, scope: &Scope, language: Language) -> Result<Template> {
        export::template(db, scope, language).await
    }

    async fn prepare(
        db: &Database,
        _: &Scope,
        header: &[Title],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        let vocabulary = Vocabulary::load(db).await?;
        let columns = Columns::read(header, language, &vocabulary);
        Ok(columns.map(|columns| Self {
            vocabulary,
            columns,
            numbers: NumberLookup::default(),
            header: header.to_vec(),
            language,
        }))
    }

    fn numbers(&self) -> Vec<usize> {
        self.columns.numbers().collect()
    }

    fn key_column(&self) -> Option<usize> {
        self.columns.number_column()
    }
}

impl Importer for ArticleImporter {
    type Record = Articles;
    type Aim = ();
    type Staging = ();
    type UnderReview = ();
    type Parts = Vec<NumbersOfKind>;

    async fn resolve(&mut self, tx: &Write, scope: &Scope, lines: &[Line<'_>]) -> Result<()> {
        self.catch_up(tx).await?;
        self.numbers.resolve(tx, scope, self.columns.numbers_of_kinds(), lines).await?;
        let mut records = self.referenced_records(lines);
        loop {
            catalogue::lock_article_types(tx, scope, records.article_types.iter().copied()).await?;
            catalogue::lock_materials(tx, scope, records.materials.iter().copied()).await?;
            // Locked rows stay as they are read now; names may refer to other rows than before.
            self.catch_up(tx).await?;
            let current_records = self.referenced_records(lines);
            if current_records == records {
                return Ok(());
            }
            records = current_records;
        }
    }

    /// Key of a row: the number in it, or else the number that its values render.
    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        let blueprint = self.columns.blueprint(line, &self.vocabulary);
        match (self.columns.number(line), blueprint) {
            (Ok(Some(number)), Ok(_)) => Ok(KeyOf::from_name(number)),
            (Ok(None), Ok(Some(blueprint))) => {
                let article = self.article(line, blueprint, None)?;
                Ok(KeyOf::exactly(article.article_number_fold.try_as_ref().cloned().unwrap_or_default()))
            }
            (Ok(None), Ok(None)) => Err(vec![self.columns.typeless(line)]),
            (number, blueprint) => Err([number.err(), blueprint.err()].into_iter().flatten().collect()),
        }
    }

    fn warnings(&self, line: Line<'_>) -> Vec<RowFault> {
        self.columns.warnings(line, &self.vocabulary)
    }

    fn draft(&self, line: Line<'_>, existing: Option<&Article>) -> Result<ActiveModel, Vec<RowFault>> {
        let refused = |code: Code| Err(vec![self.columns.type_fault(code)]);
        let named_blueprint = self.columns.blueprint(line, &self.vocabulary).map_err(|fault| vec![fault])?;
        let blueprint = match (named_blueprint, existing) {
            (None, None) => return Err(vec![self.columns.typeless(line)]),
            (Some(blueprint), None) => blueprint,
            (Some(blueprint), Some(article)) if blueprint.article_type.id != article.article_type_id => {
                return refused(codes::ARTICLE_TYPE_FIXED);
            }
            (_, Some(article)) => match self.vocabulary.blueprint_of(article.article_type_id) {
                Some(blueprint) => blueprint,
                None => return refused(codes::UNKNOWN_REFERENCE),
            },
        };
        self.article(line, blueprint, existing)
    }
}

/// Other numbers of articles.
impl RowParts<ArticleImporter> for Vec<NumbersOfKind> {
    async fn find(
        importer: &mut ArticleImporter,
        tx: &Write,
        scope: &Scope,
        articles: &[&Article],
    ) -> Result<()> {
        if importer.columns.numbers_of_kinds().is_empty() {
            return Ok(());
        }
        importer.numbers.load_existing(tx, scope, articles).await
    }

    fn read(
        importer: &ArticleImporter,
        line: Line<'_>,
        existing: Option<&Article>,
    ) -> Result<(Self, bool), Vec<RowFault>> {
        importer.numbers.read_row(importer.columns.numbers_of_kinds(), line, existing)
    }

    /// Writes the other numbers of articles. A number of a newly created article is removed from the articles
    /// whose former number it was.
    async fn write(
        _: &ArticleImporter,
        tx: &Write,
        scope: &Scope,
        articles: Vec<(&Article, Self)>,
    ) -> Result<()> {
        let created = articles.iter().filter(|(article, _)| article.version == 1);
        let created: Vec<String> = created.map(|(article, _)| article.article_number_fold.clone()).collect();
        if !created.is_empty() {
            other_number::remove_former_numbers(tx, scope, created).await?;
        }
        let replacements = articles.into_iter().flat_map(|(article, cells)| {
            cells.into_iter().map(|NumbersOfKind { kind, numbers }| (article.id, kind, numbers))
        });
        other_number::replace(tx, scope, replacements.collect::<Vec<_>>()).await
    }

    fn changes(&self, importer: &ArticleImporter, existing: Option<&Article>) -> Vec<Change> {
        importer.numbers.change(self, existing).into_iter().collect()
    }
}

/// Ids of the catalogue records that the rows of a batch refer to.
#[derive(PartialEq, Eq)]
struct ReferencedRecords {
    article_types: BTreeSet<i64>,
    materials: BTreeSet<i64>,
}

impl ArticleImporter {
    /// Reloads the master data if any of it has changed.
    async fn catch_up(&mut self, tx: &impl ConnectionTrait) -> Result<()> {
        if self.vocabulary.is_current(tx).await? {
            return Ok(());
        }
        let vocabulary = Vocabulary::load(tx).await?;
        // A column whose attribute has been deleted keeps its meaning, and its rows report an unknown
        // attribute.
        if let Ok(columns) = Columns::read(&self.header, self.language, &vocabulary) {
            self.columns = columns;
        }
        self.vocabulary = vocabulary;
        Ok(())
    }

    fn referenced_records(&self, lines: &[Line<'_>]) -> ReferencedRecords {
        let blueprints =
            lines.iter().filter_map(|line| self.columns.blueprint(*line, &self.vocabulary).ok()?);
        let materials = lines.iter().filter_map(|line| {
            match self.columns.material(*line, &self.vocabulary, &mut Vec::new()) {
                CellChange::Set(material) => Some(material.id),
                CellChange::Keep | CellChange::Clear => None,
            }
        });
        ReferencedRecords {
            article_types: blueprints.map(|blueprint| blueprint.article_type.id).collect(),
            materials: materials.collect(),
        }
    }

    /// Builds the article of a row, based on an existing one if there is one.
    fn article(
        &self,
        line: Line<'_>,
        blueprint: &Blueprint,
        existing: Option<&Article>,
    ) -> Result<ActiveModel, Vec<RowFault>> {
        let (row_values, faults) = self.columns.read_row(line, blueprint, &self.vocabulary);
        let (draft, material) = merged(row_values, existing, &self.vocabulary);
        let violations = match draft.row(blueprint, material) {
            Ok(row) if faults.is_empty() => return Ok(row),
            Ok(_) => Violations::new(),
            Err(violations) => violations,
        };
        Err(all_faults(faults, violations, |path| self.columns.column_of(path)))
    }
}

/// Combines the values of a row with those of the existing article, which apply where the row has none.
fn merged<'a>(
    row_values: columns::RowValues<'a>,
    article: Option<&Article>,
    vocabulary: &'a Vocabulary,
) -> (Draft, Option<&'a Material>) {
    let mut values: AttributeValues =
        article.map(|article| article.attribute_values.clone()).unwrap_or_default();
    for (attribute, value) in row_values.values {
        values.set(attribute, value);
    }
    let material =
        row_values.material.over(article.and_then(|article| vocabulary.material(article.material_id?)));
    let own_name = article.filter(|article| article.article_name_overridden);
    let own_weight = article.filter(|article| article.weight_per_base_unit_overridden);
    let draft = Draft {
        material_id: material.map(|material| material.id),
        values,
        article_number: match row_values.number {
            // Found by this number, ignoring case: the existing spelling stays.
            CellChange::Set(number) => Some(article.map_or(number, |article| article.article_number.clone())),
            CellChange::Clear | CellChange::Keep => None,
        },
        article_name: row_values.name.over(own_name.map(|article| article.article_name.clone())),
        weight_per_base_unit: row_values
            .weight
            .over(own_weight.and_then(|article| article.weight_per_base_unit)),
    };
    (draft, material)
}
