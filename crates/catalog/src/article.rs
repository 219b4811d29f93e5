//! Articles: one value for each attribute of their type; name and number follow the type's templates and the weight
//! follows the values unless they are overridden, and the number is unique across the platform.

use std::{collections::HashSet, sync::Arc};

use kernel::{
    Code, Database, Decimal, Error, Field, Instant, Language, ListQuery, Listed, Message, Owner, Page,
    Permission, Phrase, Recorded, Reference, Resource, Result, Scope, Scoped, Topic, Unique, Unit, Validated,
    Violations, Write, fold, kept,
    rule::{positive, required, trimmed},
    scope::refuse_stale,
    search::{Referred, Searched},
    tidy,
    unit::convert_exactly,
    usage,
};
use sea_orm::{ActiveValue::Set, sea_query::SelectStatement};
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

pub use crate::entity::article::{ActiveModel, Column, Entity as Articles, Model as Article};
use crate::{
    article_type::ArticleTypes,
    attribute::AttributeType,
    blueprint::{Blueprint, BlueprintAttribute, Rendered, shown},
    catalogue::{self, Catalogue},
    designation,
    entity::{article_type, material},
    material::{MATERIAL_NAMES, Material, Materials},
    shape::{Dimension, Shape},
    template::DecimalSign,
    trade_dimension::Cluster,
    value::{AttributeValues, Value},
};

impl Scoped for Articles {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for Articles {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "articles",
        Phrase { de: "Artikel", en: "articles" },
        Permission::ListArticles,
    )
    .refers(&[
        Reference::of::<Self, Materials>("material_id"),
        Reference::of::<Self, ArticleTypes>("article_type_id"),
    ]);
    const NAME: Column = Column::ArticleNumber;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] =
        &[Unique::new("article_article_number_fold_key", "article_number", Code::Taken)];
}

impl Listed for Articles {
    const FIELDS: &'static [Field] = &[
        Field::text("article_number", &Column::ArticleNumberFold).with_trigrams("article_trigram"),
        Field::text("article_name", &Column::ArticleNameFold).with_trigrams("article_trigram"),
        Field::search("search", &Column::ArticleNumberFold, &SEARCHED),
        Field::id("article_type_id", &Column::ArticleTypeId),
        Field::id("material_id", &Column::MaterialId),
        Field::decimal("weight_per_base_unit", &Column::WeightPerBaseUnit).nullable(),
        Field::time("updated_at", &Column::UpdatedAt),
        Field::found_by("import_id", &Column::Id, of_imports),
    ];
    const DEFAULT_SORT: &'static str = "article_number";
}

/// The articles that imports have written or found as their files say.
fn of_imports(imports: Vec<i64>) -> SelectStatement {
    imports::row::records(kernel::audit::table::<Articles>(), imports)
}

const SEARCHED: Searched = Searched {
    columns: &[&Column::ArticleNumberFold, &Column::ArticleNameFold],
    trigrams: Some("article_trigram"),
    references: &[
        Referred {
            name: designation::MATERIAL,
            column: &Column::MaterialId,
            id: &material::Column::Id,
            columns: MATERIAL_NAMES,
        },
        Referred {
            name: designation::ARTICLE_TYPE,
            column: &Column::ArticleTypeId,
            id: &article_type::Column::Id,
            columns: &[&article_type::Column::NameFold],
        },
    ],
    read: designation::articles,
};

/// What a client says to create or change an article.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ArticleInput {
    /// Cannot be changed afterwards.
    pub article_type_id: i64,
    /// Needed where a template of the article type shows it.
    pub material_id: Option<i64>,
    /// One value for each attribute of the article type.
    #[schema(max_items = 100)]
    pub values: Vec<ValueInput>,
    /// Instead of what the template gives.
    #[schema(max_length = 255, example = "HEB-200-S235JR")]
    pub article_number: Option<String>,
    /// Instead of what the template gives.
    #[schema(max_length = 255)]
    pub article_name: Option<String>,
    /// kg per base unit of the article type, instead of what the values say.
    pub weight_per_base_unit: Option<Decimal>,
    /// The version that was edited; an older one than the current is refused.
    pub version: Option<i64>,
}

/// The value of one attribute, in the field of the attribute's type.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueInput {
    pub attribute_id: i64,
    /// Of a categorial attribute.
    pub option_id: Option<i64>,
    /// Of a metric attribute.
    pub number: Option<Decimal>,
    /// The number's unit; without it the default unit of the attribute.
    pub unit: Option<Unit>,
    /// Of a custom attribute.
    #[schema(max_length = 255)]
    pub text: Option<String>,
}

/// What is written of an article, whether it comes from a form or from a file.
#[derive(Debug, Clone, Default, Validate)]
pub struct Draft {
    pub material_id: Option<i64>,
    pub values: AttributeValues,
    /// Instead of what the template gives.
    pub article_number: Option<String>,
    /// Instead of what the template gives.
    pub article_name: Option<String>,
    /// Instead of what the values say.
    #[validate(custom(function = positive::<12, 6>))]
    pub weight_per_base_unit: Option<Decimal>,
}

tidy!(Draft: or_none article_number, article_name;);

impl Draft {
    /// The row of a draft that keeps the rules; `material` is the one of `material_id`. Values are reported as by
    /// [`Blueprint::render`].
    pub fn row(self, blueprint: &Blueprint, material: Option<&Material>) -> Result<ActiveModel, Violations> {
        let (draft, mut violations) = Validated::from(self).parts();
        let (number, name, weight) = match blueprint.render(material, &draft.values) {
            Ok(Rendered { article_number, article_name, weight_per_base_unit }) => {
                (Some(article_number), Some(article_name), weight_per_base_unit)
            }
            Err(faults) => {
                violations.extend(faults);
                (None, None, None)
            }
        };
        let (article_number, number_overridden) = chosen(draft.article_number, number);
        let (article_name, name_overridden) = chosen(draft.article_name, name);
        let (weight_per_base_unit, weight_overridden) = chosen(draft.weight_per_base_unit, weight);
        for (path, text) in [("article_number", &article_number), ("article_name", &article_name)] {
            if let Some(text) = text {
                required(&mut violations, path, text);
            }
        }
        let (Some(article_number), Some(article_name), true) =
            (article_number, article_name, violations.is_empty())
        else {
            return Err(violations);
        };
        Ok(ActiveModel {
            article_type_id: Set(blueprint.article_type.id),
            material_id: Set(draft.material_id),
            article_number_fold: Set(fold(&article_number)),
            article_number: Set(article_number),
            article_number_overridden: Set(number_overridden),
            article_name_fold: Set(fold(&article_name)),
            article_name: Set(article_name),
            article_name_overridden: Set(name_overridden),
            attribute_values: Set(draft.values),
            weight_per_base_unit: Set(weight_per_base_unit),
            weight_per_base_unit_overridden: Set(weight_overridden),
            ..Default::default()
        })
    }
}

/// What is given, or what follows from template and values; and whether the two differ.
fn chosen<T: PartialEq>(given: Option<T>, rendered: Option<T>) -> (Option<T>, bool) {
    let overridden = given.is_some() && given != rendered;
    (given.or(rendered), overridden)
}

/// An article as lists show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArticleRow {
    pub id: i64,
    pub article_number: String,
    pub article_name: String,
    pub article_type_id: i64,
    pub article_type_name: String,
    pub base_unit_of_measure: Unit,
    pub material_id: Option<i64>,
    pub material_name: Option<String>,
    pub weight_per_base_unit: Option<Decimal>,
    pub version: i64,
    pub updated_at: Instant,
}

/// An article with its values in the order of the article type.
#[derive(Debug, Clone)]
pub struct ArticleDetail {
    pub row: ArticleRow,
    pub article_number_overridden: bool,
    pub article_name_overridden: bool,
    pub weight_per_base_unit_overridden: bool,
    /// The section of the article type.
    pub section: Option<Shape>,
    /// kg/dm³: the material's.
    pub density: Option<Decimal>,
    /// The cluster of the type's trade dimension that the length falls into.
    pub cluster: Option<Cluster>,
    pub values: Vec<ValueDetail>,
    pub created_at: Instant,
}

/// The value of one attribute, as people read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueDetail {
    pub attribute_id: i64,
    pub name: String,
    pub r#type: AttributeType,
    pub option_id: Option<i64>,
    /// In `unit`.
    pub number: Option<Decimal>,
    /// The attribute's default unit; the one that it is kept in where that cannot hold it.
    pub unit: Option<Unit>,
    pub text: Option<String>,
    /// What of the article it measures.
    pub dimension: Option<Dimension>,
    option: Option<String>,
}

impl ValueDetail {
    fn new(attribute: &BlueprintAttribute, value: Value) -> Self {
        let mut detail = Self {
            attribute_id: attribute.id,
            name: attribute.name.clone(),
            r#type: attribute.r#type,
            option_id: None,
            number: None,
            unit: None,
            text: None,
            dimension: attribute.dimension,
            option: None,
        };
        let default_unit = attribute.default_unit;
        match value {
            Value::Option(option) => {
                detail.option_id = Some(option);
                detail.option = attribute.option(option).map(|option| shown(option).to_owned());
            }
            Value::Number(number) => {
                let base = default_unit.map(|unit| unit.category().base());
                let shown =
                    base.zip(default_unit).and_then(|(base, unit)| convert_exactly(number, base, unit));
                detail.number = shown.or(Some(number));
                detail.unit = if shown.is_some() { default_unit } else { base };
            }
            Value::Text(text) => detail.text = Some(text),
        }
        detail
    }

    /// The value as one text: `200`, `12,1 m`.
    pub fn display(&self, language: Language) -> String {
        let sign = match language {
            Language::De => DecimalSign::Comma,
            Language::En => DecimalSign::Point,
        };
        match (&self.option, self.number, &self.text) {
            (Some(option), ..) => option.clone(),
            (_, Some(number), _) => match self.unit {
                Some(unit) => format!("{} {}", sign.write(number, None), unit.symbol(language)),
                None => sign.write(number, None),
            },
            (.., text) => text.clone().unwrap_or_default(),
        }
    }
}

pub async fn list(db: &Database, scope: &Scope, query: &ListQuery<Articles>) -> Result<Page<ArticleRow>> {
    let page = query.fetch::<Article>(db, scope, |select| select).await?;
    page.detailed(async |articles| rows(db, scope, articles).await).await
}

/// Articles with what their rows say of types and materials.
async fn rows(db: &Database, scope: &Scope, articles: Vec<Article>) -> Result<Vec<ArticleRow>> {
    let mut catalogue = db.compiled::<Catalogue>(scope).await?;
    if articles.iter().any(|article| catalogue.blueprint(article.article_type_id).is_none()) {
        (catalogue, _) = db.compiled_now::<Catalogue>().await?;
    }
    articles.into_iter().map(|article| row_of(&catalogue, article)).collect()
}

fn row_of(catalogue: &Catalogue, article: Article) -> Result<ArticleRow> {
    let blueprint = blueprint_of(catalogue, &article)?;
    let material = article.material_id.and_then(|id| catalogue.material(id));
    Ok(ArticleRow {
        id: article.id,
        article_number: article.article_number,
        article_name: article.article_name,
        article_type_id: article.article_type_id,
        article_type_name: blueprint.article_type.name.clone(),
        base_unit_of_measure: blueprint.article_type.base_unit_of_measure,
        material_id: article.material_id,
        material_name: material.map(|material| material.name.clone()),
        weight_per_base_unit: article.weight_per_base_unit,
        version: article.version,
        updated_at: article.updated_at,
    })
}

/// The type of an article that was read before the catalogue: gone meanwhile, and the article with it, or never there.
fn blueprint_of<'c>(catalogue: &'c Catalogue, article: &Article) -> Result<&'c Blueprint> {
    catalogue.blueprint(article.article_type_id).ok_or_else(Error::not_found)
}

pub async fn get(db: &Database, scope: &Scope, id: i64) -> Result<ArticleDetail> {
    let article = scope.get::<Articles>(db, id).await?;
    detail(&*Catalogue::with_type(db, scope, article.article_type_id).await?, article)
}

pub async fn create(db: &Database, scope: &Scope, input: ArticleInput) -> Result<ArticleDetail> {
    made_of_the_current(db, scope, &input, async |making: Making| {
        let row = row(&making.catalogue, &input)?;
        let (tx, catalogue) = making.begin(db).await?;
        // Its references lock the type and the material, which whoever changes these waits for.
        let article = scope.create::<Articles>(&tx, row).await?;
        tx.commit().await?;
        detail(&catalogue, article)
    })
    .await
}

/// Creates articles that were made of a catalogue, all or none; stale if that has changed meanwhile.
pub async fn create_all(
    db: &Database,
    scope: &Scope,
    version: i64,
    rows: impl IntoIterator<Item = ActiveModel>,
) -> Result<()> {
    let tx = db.begin().await?;
    tx.relies_on(Topic::Catalogue, version);
    scope.create_all::<Articles>(&tx, rows).await?;
    tx.commit().await?;
    Ok(())
}

pub async fn update(db: &Database, scope: &Scope, id: i64, input: ArticleInput) -> Result<ArticleDetail> {
    made_of_the_current(db, scope, &input, async |making: Making| {
        let (tx, catalogue) = making.begin(db).await?;
        let before = scope.get_locked::<Articles>(&tx, id).await?;
        refuse_stale(input.version, before.version)?;
        if before.article_type_id != input.article_type_id {
            return Err(Violations::of("article_type_id", Code::ArticleTypeFixed));
        }
        let row = row(&catalogue, &input)?;
        catalogue::hold(&tx, scope, [before.article_type_id]).await?;
        let article = scope.update_from::<Articles>(&tx, &before, row).await?;
        tx.commit().await?;
        detail(&catalogue, article)
    })
    .await
}

/// What an article is about to be made of.
struct Making {
    catalogue: Arc<Catalogue>,
    version: i64,
    /// Holds what is needed of the catalogue; otherwise the commit looks whether the version is still the same.
    held: Option<Write>,
}

impl Making {
    async fn begin(self, db: &Database) -> Result<(Write, Arc<Catalogue>)> {
        if let Some(tx) = self.held {
            return Ok((tx, self.catalogue));
        }
        let tx = db.begin().await?;
        tx.relies_on(Topic::Catalogue, self.version);
        Ok((tx, self.catalogue))
    }
}

/// Makes an article of the catalogue as the request knows it. Where that turns out to be out of date, what is needed of it is
/// held first, so that however often it changes the second try is the last.
async fn made_of_the_current<T>(
    db: &Database,
    scope: &Scope,
    input: &ArticleInput,
    make: impl AsyncFn(Making) -> Result<T>,
) -> Result<T> {
    let (catalogue, version) = db.compiled_with_version::<Catalogue>(scope).await?;
    let outcome = make(Making { catalogue, version, held: None }).await;
    match &outcome {
        // an invalid input may be valid by now
        Err(Error::Invalid(_)) if kept::current(db, Topic::Catalogue).await? != version => {}
        Err(error) if error.code() == Code::Stale => {}
        _ => return outcome,
    }
    let tx = db.begin().await?;
    catalogue::hold(&tx, scope, [input.article_type_id]).await?;
    catalogue::hold_materials(&tx, scope, input.material_id).await?;
    let catalogue = db.compiled_within::<Catalogue>(&tx).await?;
    make(Making { catalogue, version, held: Some(tx) }).await
}

/// A field that is changed in many articles at once.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "field", content = "value", rename_all = "snake_case")]
pub enum ArticleFieldChange {
    /// Numbers and names that show the material change with it.
    MaterialId(Option<i64>),
    /// `null`: what follows from section or values.
    WeightPerBaseUnit(Option<Decimal>),
}

/// Changes one field, by the rules of all.
pub async fn change(db: &Database, scope: &Scope, id: i64, change: &ArticleFieldChange) -> Result<()> {
    let mut input = ArticleInput::from(get(db, scope, id).await?);
    match change {
        ArticleFieldChange::MaterialId(material) => input.material_id = *material,
        ArticleFieldChange::WeightPerBaseUnit(weight) => input.weight_per_base_unit = *weight,
    }
    update(db, scope, id, input).await.map(|_| ())
}

impl From<ArticleDetail> for ArticleInput {
    fn from(article: ArticleDetail) -> Self {
        let ArticleDetail { row, values, .. } = article;
        let values = values.into_iter().map(|value| {
            let ValueDetail { attribute_id, option_id, number, unit, text, .. } = value;
            ValueInput { attribute_id, option_id, number, unit, text }
        });
        Self {
            article_type_id: row.article_type_id,
            material_id: row.material_id,
            values: values.collect(),
            article_number: article.article_number_overridden.then_some(row.article_number),
            article_name: article.article_name_overridden.then_some(row.article_name),
            weight_per_base_unit: row
                .weight_per_base_unit
                .filter(|_| article.weight_per_base_unit_overridden),
            version: Some(row.version),
        }
    }
}

/// Refused while anything refers to it; the number has to be retyped.
pub async fn delete(db: &Database, scope: &Scope, id: i64, confirm: &str) -> Result<()> {
    let retyped = |article: &Article| {
        if confirm.trim() == article.article_number {
            return Ok(());
        }
        let fault = Code::ConfirmationMismatch.with("expected", &article.article_number);
        Err(Violations::of("confirm", fault))
    };
    usage::delete::<Articles>(db, scope, id, retyped).await
}

/// What follows from the values of an article that is being edited.
#[derive(Debug, Default)]
pub struct Preview {
    /// As soon as the values that the template shows are there.
    pub article_number: Option<String>,
    pub article_name: Option<String>,
    /// kg per base unit, as far as section or values know it.
    pub weight_per_base_unit: Option<Decimal>,
    /// Whether a template shows the material.
    pub material_required: bool,
    pub problems: Violations,
}

pub async fn preview(db: &Database, scope: &Scope, input: &ArticleInput) -> Result<Preview> {
    let catalogue = Catalogue::with_type(db, scope, input.article_type_id).await?;
    let Some(blueprint) = catalogue.blueprint(input.article_type_id) else {
        let problems = Violations::one("article_type_id", Code::UnknownReference);
        return Ok(Preview { problems, ..Preview::default() });
    };
    let material = input.material_id.and_then(|id| catalogue.material(id));
    let Reading { values, .. } = Reading::of(blueprint, &input.values);
    Ok(Preview {
        article_number: blueprint.number(material, &values).ok(),
        article_name: blueprint.name(material, &values).ok(),
        weight_per_base_unit: blueprint.weight(material, &values),
        material_required: blueprint.uses_material(),
        problems: row(&catalogue, input).err().unwrap_or_default(),
    })
}

/// An article with everything that its type and material say of it.
fn detail(catalogue: &Catalogue, article: Article) -> Result<ArticleDetail> {
    let blueprint = blueprint_of(catalogue, &article)?;
    let material = article.material_id.and_then(|id| catalogue.material(id));
    let values = blueprint.attributes().iter().filter_map(|attribute| {
        let value = article.attribute_values.get(attribute.id)?.clone();
        Some(ValueDetail::new(attribute, value))
    });
    Ok(ArticleDetail {
        values: values.collect(),
        density: material.and_then(|material| material.density),
        article_number_overridden: article.article_number_overridden,
        article_name_overridden: article.article_name_overridden,
        weight_per_base_unit_overridden: article.weight_per_base_unit_overridden,
        section: blueprint.article_type.section,
        cluster: blueprint.cluster(&article.attribute_values).cloned(),
        created_at: article.created_at,
        row: row_of(catalogue, article)?,
    })
}

/// The row of an input that keeps the rules; otherwise all that it breaks, in the places of the input.
fn row(catalogue: &Catalogue, input: &ArticleInput) -> Result<ActiveModel, Violations> {
    let Some(blueprint) = catalogue.blueprint(input.article_type_id) else {
        return Err(Violations::one("article_type_id", Code::UnknownReference));
    };
    let material = input.material_id.and_then(|id| catalogue.material(id));
    let Reading { values, mut faults, faulty } = Reading::of(blueprint, &input.values);
    let unknown_material = input.material_id.is_some() && material.is_none();
    if unknown_material {
        faults.add("material_id", Code::UnknownReference);
    }
    let draft = Draft {
        material_id: input.material_id,
        values,
        article_number: input.article_number.clone(),
        article_name: input.article_name.clone(),
        weight_per_base_unit: input.weight_per_base_unit,
    };
    match draft.row(blueprint, material) {
        Ok(row) if faults.is_empty() => Ok(row),
        outcome => {
            for fault in outcome.err().into_iter().flatten() {
                match value_of(&fault.path) {
                    Some((attribute, _)) if faulty.contains(&attribute) => {}
                    Some((attribute, field)) => {
                        let index = input.values.iter().position(|value| value.attribute_id == attribute);
                        let path = index.map(|index| format!("values.{index}.{field}"));
                        faults.add(path.unwrap_or_else(|| "values".to_owned()), fault.message);
                    }
                    None if unknown_material && fault.path == "material_id" => {}
                    None => faults.add(fault.path, fault.message),
                }
            }
            Err(faults)
        }
    }
}

/// The attribute and field of `values.<attribute id>.<field>`.
pub(crate) fn value_of(path: &str) -> Option<(i64, &str)> {
    let (attribute, field) = path.strip_prefix("values.")?.split_once('.')?;
    Some((attribute.parse().ok()?, field))
}

/// The values of an input as far as they can be read.
#[derive(Default)]
struct Reading {
    values: AttributeValues,
    /// What is wrong, in the places of the input.
    faults: Violations,
    /// The attributes whose values are wrong.
    faulty: HashSet<i64>,
}

impl Reading {
    fn of(blueprint: &Blueprint, inputs: &[ValueInput]) -> Self {
        let mut reading = Self::default();
        let mut seen = HashSet::new();
        for (index, input) in inputs.iter().enumerate() {
            let path = |field: &str| format!("values.{index}.{field}");
            let Some(attribute) = blueprint.attribute(input.attribute_id) else {
                reading.faults.add(path("attribute_id"), Code::ForeignAttribute);
                continue;
            };
            if !seen.insert(input.attribute_id) {
                reading.faults.add(path("attribute_id"), Code::Duplicate);
                continue;
            }
            match input.value(attribute) {
                Ok(Some(value)) => reading.values.set(input.attribute_id, value),
                Ok(None) => {}
                Err((field, fault)) => {
                    reading.faults.add(path(field), fault);
                    reading.faulty.insert(input.attribute_id);
                }
            }
        }
        reading
    }
}

impl ValueInput {
    /// `None` where nothing was entered.
    fn value(&self, attribute: &BlueprintAttribute) -> Result<Option<Value>, (&'static str, Message)> {
        let text = trimmed(self.text.clone());
        let foreign = [
            ("option_id", self.option_id.is_some(), AttributeType::Categorial),
            ("number", self.number.is_some(), AttributeType::Metric),
            ("unit", self.unit.is_some(), AttributeType::Metric),
            ("text", text.is_some(), AttributeType::Custom),
        ];
        if let Some((field, ..)) = foreign.iter().find(|(_, given, of)| *given && *of != attribute.r#type) {
            return Err((field, attribute.wrong_kind()));
        }
        match (self.option_id, self.number, text) {
            (Some(option), ..) => Ok(Some(Value::Option(option))),
            (_, Some(number), _) => attribute.measure(number, self.unit).map(Some).map_err(|fault| {
                let field = if fault.code == Code::WrongUnitCategory { "unit" } else { "number" };
                (field, fault)
            }),
            (.., Some(text)) => attribute.text(text).map(Some).map_err(|fault| ("text", fault)),
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests;
