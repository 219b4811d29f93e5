//! Export of articles to a file that the import reads back: same columns, and values that describe the same
//! article.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
};

use imports::{cells::literal, columns::Template};
use lists::ListQuery;
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder, QuerySelect};
use sheets::{
    Format, MAX_COLUMNS,
    header::{Column, Heading},
    table::{self, CellContent, with_comma},
};
use storage::{Spool, Storage};
use store::{Database, Scope};
use values::{Language, Result, Unit, unit::convert_exactly};

use super::{
    columns::{HEADINGS, MATERIAL, NAME, NUMBER, TYPE, WEIGHT},
    other_numbers::{DRAWING, FREE, GTIN, KINDS, joined},
    vocabulary::Vocabulary,
};
use crate::{
    article::{
        Article, Articles, Column as Stored,
        other_number::{self, OtherNumber},
    },
    attribute::AttributeType,
    blueprint::{Blueprint, BlueprintAttribute},
    codes,
    value::Value,
};

/// Columns that every file has.
const FIELDS: [&Heading; 8] = [&TYPE, &NUMBER, &NAME, &MATERIAL, &WEIGHT, &GTIN, &DRAWING, &FREE];

/// Unit in which weights are stored, per base unit of the article type.
const WEIGHT_UNIT: Unit = Unit::Kilogram;

/// Writes all articles that the query matches, from one snapshot.
pub async fn export(
    db: &Database,
    scope: &Scope,
    storage: &Storage,
    query: &ListQuery<Articles>,
    format: Format,
    language: Language,
) -> Result<File> {
    let query = query.resolved(db).await?;
    let snapshot = db.snapshot().await?;
    let vocabulary = Vocabulary::load(&snapshot).await?;
    let matching = query.matching(&snapshot, scope)?.select_only().column(Stored::ArticleTypeId).distinct();
    let columns = Columns::new(&vocabulary, matching.into_tuple().all(&snapshot).await?)?;
    let header = columns.header(&vocabulary, language);
    let table = Spool::begin(storage, move |target, chunks| table::write(target, format, &header, chunks))?;
    let mut walk = query.walk(scope);
    loop {
        let articles: Vec<Article> = walk.next(&snapshot, |articles| articles).await?;
        let numbers =
            other_number::load_by_article(&snapshot, scope, articles.iter().map(|article| article.id))
                .await?;
        let numbers = |article: &Article| numbers.get(&article.id).map_or(&[][..], Vec::as_slice);
        let rows: Vec<_> =
            articles.iter().map(|article| columns.row(article, numbers(article), &vocabulary)).collect();
        if rows.is_empty() || !table.add(rows).await {
            break;
        }
    }
    table.finish().await
}

fn text(text: &str) -> CellContent {
    CellContent::Text(literal(text).into_owned())
}

/// Number of articles that are shown as examples.
const EXAMPLES: u64 = 2;

/// Builds a template of an article file from the first articles of the catalogue.
pub(super) async fn template(db: &Database, scope: &Scope, language: Language) -> Result<Template> {
    let vocabulary = Vocabulary::load(db).await?;
    let first = scope.find::<Articles>().order_by_asc(Stored::Id).one(db).await?;
    let usual = || vocabulary.blueprints().first().map(|blueprint| blueprint.article_type.id);
    let article_type = first.map(|article| article.article_type_id).or_else(usual);
    let articles = scope
        .find::<Articles>()
        .filter(Stored::ArticleTypeId.eq(article_type.unwrap_or_default()))
        .order_by_asc(Stored::Id)
        .limit(EXAMPLES)
        .all(db)
        .await?;
    let columns = Columns::new(&vocabulary, article_type.into_iter().collect())?;
    let numbers = other_number::load_by_article(db, scope, articles.iter().map(|article| article.id)).await?;
    let numbers = |article: &Article| numbers.get(&article.id).map_or(&[][..], Vec::as_slice);
    let rows = articles.iter().map(|article| columns.row(article, numbers(article), &vocabulary)).collect();
    Ok(Template { header: columns.names(&vocabulary, language), rows })
}

/// Columns for the attributes of the article types in the file.
struct Columns<'c> {
    attributes: Vec<AttributeColumn<'c>>,
}

struct AttributeColumn<'c> {
    attribute: &'c BlueprintAttribute,
    /// Texts of options by their ids.
    options: HashMap<i64, &'c str>,
}

impl<'c> Columns<'c> {
    fn new(vocabulary: &'c Vocabulary, article_types: Vec<i64>) -> Result<Self> {
        let mut seen = HashSet::new();
        let blueprints = article_types.iter().filter_map(|id| vocabulary.blueprint_of(*id));
        let attributes: Vec<_> = blueprints
            .flat_map(Blueprint::attributes)
            .filter(|attribute| seen.insert(attribute.id))
            .map(AttributeColumn::new)
            .collect();
        if FIELDS.len() + attributes.len() > MAX_COLUMNS {
            return Err(codes::TOO_MANY_COLUMNS.with("max", MAX_COLUMNS).into());
        }
        Ok(Self { attributes })
    }

    fn header(&self, vocabulary: &Vocabulary, language: Language) -> Vec<CellContent> {
        self.names(vocabulary, language).into_iter().map(CellContent::Text).collect()
    }

    fn names(&self, vocabulary: &Vocabulary, language: Language) -> Vec<String> {
        let fields = FIELDS.map(|field| match field {
            field if *field == WEIGHT => {
                format!("{} [{}]", field.label(language), WEIGHT_UNIT.symbol(language))
            }
            field => field.label(language).to_owned(),
        });
        let attributes = self.attributes.iter().map(|column| column.name(vocabulary, language));
        fields.into_iter().chain(attributes).collect()
    }

    fn row(&self, article: &Article, numbers: &[OtherNumber], vocabulary: &Vocabulary) -> Vec<CellContent> {
        let blueprint: Option<&Blueprint> = vocabulary.blueprint_of(article.article_type_id);
        let material = article.material_id.and_then(|id| vocabulary.material(id));
        let mut row = vec![
            blueprint.map(|blueprint| text(&blueprint.article_type.name)).into(),
            text(&article.article_number),
            text(&article.article_name),
            material.map(|material| text(&material.name)).into(),
            article.weight_per_base_unit.into(),
        ];
        row.extend(KINDS.map(|(kind, _)| {
            let of_kind = numbers.iter().filter(|number| number.kind == kind);
            joined(of_kind.map(|number| number.number.as_str())).map(|numbers| text(&numbers)).into()
        }));
        let entry =
            |column: &AttributeColumn<'_>| column.entry(article.attribute_values.get(column.attribute.id)?);
        row.extend(self.attributes.iter().map(|column| entry(column).unwrap_or_default()));
        row
    }
}

impl<'c> AttributeColumn<'c> {
    fn new(attribute: &'c BlueprintAttribute) -> Self {
        let means = |text: &str, id: i64| attribute.option_named(text) == Ok(Value::Option(id));
        let options = attribute.options().iter().map(|option| {
            let spellings = [option.display_value.as_ref(), Some(&option.name), Some(&option.value)];
            let own = spellings.into_iter().flatten().find(|text| means(text, option.id));
            (option.id, own.unwrap_or(&option.value).as_str())
        });
        Self { attribute, options: options.collect() }
    }

    /// Returns the name of the attribute, or its placeholder if a column of that name has another meaning.
    fn name(&self, vocabulary: &Vocabulary, language: Language) -> String {
        let unit = self.attribute.default_unit.filter(|_| self.attribute.r#type == AttributeType::Metric);
        let suffix = unit.map(|unit| format!(" [{}]", unit.symbol(language))).unwrap_or_default();
        let name = format!("{}{suffix}", self.attribute.name);
        let own_column = Column::Further {
            id: self.attribute.id,
            unit: unit.map(|unit| unit.symbol(language).to_owned()),
        };
        let is_clear =
            HEADINGS.meaning(&name, |name, unit| vocabulary.column_named(name, unit)) == Some(own_column);
        if is_clear { name } else { format!("{{{}}}{suffix}", self.attribute.placeholder) }
    }

    fn entry(&self, value: &Value) -> Option<CellContent> {
        Some(match value {
            Value::Option(option) => text(self.options.get(option)?),
            Value::Text(value) => text(value),
            Value::Number(number) => {
                let unit = self.attribute.default_unit?;
                let base = unit.category().base();
                match convert_exactly(*number, base, unit) {
                    Some(converted_number) => converted_number.into(),
                    // The unit of the column cannot represent all digits.
                    None => CellContent::Text(format!(
                        "{} {}",
                        with_comma(&number.to_string()),
                        base.symbol(Language::default())
                    )),
                }
            }
        })
    }
}

#[cfg(test)]
mod tests;
