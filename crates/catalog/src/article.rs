//! Articles. Each has one value for every attribute of its type. Number and name follow the type's templates
//! and the weight follows the values, unless they are overridden. The number is unique across the platform.

mod attribute_values;
mod by_attribute;
mod detail;
mod draft;
pub mod entity;
pub mod equivalents;
pub mod image;
pub mod import;
pub mod other_number;
mod suggestion;

use std::sync::Arc;

use lists::{
    Changeable, Creatable, Detailed, Field, ListQuery, Listed, Managed, Page,
    list::{OpenFilter, ResolvedFilter},
    listed_reference,
    search::{ReferredTable, Search, SearchedColumns},
};
use sea_orm::{
    ColumnTrait, Condition, FromQueryResult, QueryFilter, QuerySelect, Select,
    sea_query::{Expr, Query, SelectStatement},
};
use serde::Deserialize;
use storage::Storage;
use store::{
    Database, NumberedColumns, Owner, Recorded, Resource, Scope, Scoped, Snapshot, Unique, Write,
    scope::refuse_stale, usage, versioned_cache,
};
use utoipa::ToSchema;
use validator::Validate;
use values::{Decimal, Error, Instant, Message, Phrase, Result, Unit, Validated, Violations, fold, tidy};

use self::{
    attribute_values::{Reading, row},
    detail::{detail, rows},
    other_number::OtherNumber,
};
use crate::{
    article_type::{self, ArticleTypes, select_by_groups, select_by_trade_dimensions},
    cache_topics,
    catalogue::{self, Catalogue},
    category, codes, designation,
    image::ImageInfo,
    material::{MATERIAL_NAMES, Materials, entity as material},
    permissions,
    value::AttributeValues,
};

pub(crate) use self::attribute_values::value_of;
pub use self::by_attribute::length_of;
pub use self::{
    detail::{ArticleDetail, ArticleRow, ValueDetail},
    draft::Draft,
    entity::{ActiveModel, Column, Entity as Articles, Model as Article},
};

impl Scoped for Articles {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for Articles {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "articles",
        Phrase { de: "Artikel", en: "articles" },
        permissions::LIST_ARTICLES,
    )
    .refers(&[
        listed_reference::<Self, Materials>("material_id"),
        listed_reference::<Self, ArticleTypes>("article_type_id"),
    ]);
    const NAME: Column = Column::ArticleNumber;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const NUMBERED: Option<NumberedColumns<Column>> = Some(NumberedColumns::by_owner(Column::Change));
    const UNIQUE: &'static [Unique] =
        &[Unique::new("article_article_number_fold_key", "article_number", codes::ARTICLE_NUMBER_TAKEN)];

    async fn remove_parts(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
        scope.remove_parts::<other_number::OtherNumbers>(tx, id, Condition::all()).await
    }
}

impl Listed for Articles {
    const FIELDS: &'static [Field] = &[
        Field::text("article_number", &Column::ArticleNumberFold)
            .sorted_by(&Column::ArticleNumberSort)
            .with_trigrams("article_trigram"),
        Field::text("article_name", &Column::ArticleNameFold)
            .sorted_by(&Column::ArticleNameSort)
            .with_trigrams("article_trigram"),
        Field::search("search", &Column::ArticleNumberFold, &SEARCHED),
        Field::id("article_type_id", &Column::ArticleTypeId).grouped_as(
            "article_type",
            &article_type::Column::Id,
            &article_type::Column::NameSort,
        ),
        Field::id("material_id", &Column::MaterialId).optional().grouped_as(
            "material",
            &material::Column::Id,
            &material::Column::NameSort,
        ),
        Field::decimal("weight_per_base_unit", &Column::WeightPerBaseUnit).nullable(),
        Field::time("updated_at", &Column::UpdatedAt),
        Field::by_subquery("import_id", &Column::Id, select_by_imports),
        Field::by_small_subquery("article_type_group_id", &Column::ArticleTypeId, select_by_groups),
        Field::by_small_subquery("trade_dimension_id", &Column::ArticleTypeId, select_by_trade_dimensions),
        Field::by_small_subquery("category_id", &Column::ArticleTypeId, category::article_types_below),
    ];
    const DEFAULT_SORT: &'static str = "article_number";
    const INCLUDES: &'static [&'static str] = &[VALUES];
    const OPEN: Option<&'static str> = Some("attribute");
    const OPEN_MEANING: &'static str = "The value of an attribute, named by its placeholder or id: `filter[attribute][laenge_greater_equals]=6 m`. \
        Metric ones with a unit, without it in the default unit, and with every comparison; others equal or `_not_equals`, \
        categorial ones by an option's name or value. Repeated: any of";

    async fn resolve_open_filters(
        db: &Database,
        open: &[OpenFilter],
    ) -> Result<Vec<Result<ResolvedFilter, Message>>> {
        by_attribute::resolve_open_filters(db, open).await
    }
}

const VALUES: &str = "values";

/// Selects the articles that imports have written, or found to match their files already.
fn select_by_imports(imports: Vec<i64>) -> SelectStatement {
    imports::import::row::records(store::audit::table::<Articles>(), &imports)
}

/// Selects the articles of article types, for filters of lists whose records refer to articles.
pub fn select_by_types(types: Vec<i64>) -> SelectStatement {
    ids_where(Column::ArticleTypeId, types)
}

/// Selects the articles of materials.
pub fn select_by_materials(materials: Vec<i64>) -> SelectStatement {
    ids_where(Column::MaterialId, materials)
}

/// Selects the articles with these numbers.
pub fn select_by_numbers(_: &Scope, numbers: Vec<String>) -> SelectStatement {
    let numbers = numbers.iter().map(|number| fold(number.trim()));
    let numbered = Column::ArticleNumberFold.is_in(numbers);
    Query::select().column(Column::Id).from(Articles).and_where(numbered).take()
}

fn ids_where(column: Column, values: Vec<i64>) -> SelectStatement {
    Query::select().column(Column::Id).from(Articles).and_where(column.is_in(values)).take()
}

/// Parses the text of an article search.
pub fn search(text: &str) -> Result<Search, Message> {
    (SEARCHED.read)(text)
}

const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[&Column::ArticleNumberFold, &Column::ArticleNameFold],
    trigrams: Some("article_trigram"),
    references: &[
        ReferredTable {
            name: designation::MATERIAL,
            column: &Column::MaterialId,
            id: &material::Column::Id,
            columns: MATERIAL_NAMES,
            within: None,
            beginnings: None,
        },
        ReferredTable {
            name: designation::ARTICLE_TYPE,
            column: &Column::ArticleTypeId,
            id: &article_type::Column::Id,
            columns: &[&article_type::Column::NameFold],
            within: None,
            beginnings: None,
        },
        ReferredTable {
            name: designation::OTHER_NUMBER,
            column: &Column::Id,
            id: &other_number::Column::ArticleId,
            columns: &[&other_number::Column::NumberFold],
            within: None,
            beginnings: Some(designation::other_numbers),
        },
    ],
    read: designation::articles,
    beginnings: Some(designation::beginnings),
};

/// Input to create or change an article.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ArticleInput {
    /// Id of the article type; cannot be changed afterwards.
    pub article_type_id: i64,
    /// Id of the material; required if a template of the article type shows it.
    pub material_id: Option<i64>,
    /// One value for each attribute of the article type.
    #[schema(max_items = 100)]
    pub values: Vec<ValueInput>,
    /// Number that replaces the one given by the template.
    #[schema(max_length = 255, example = "HEB-200-S235JR")]
    pub article_number: Option<String>,
    /// Name that replaces the one given by the template.
    #[schema(max_length = 255, example = "HEB 200 S235JR")]
    pub article_name: Option<String>,
    /// Weight in kg per base unit of the article type; replaces the one calculated from the values.
    pub weight_per_base_unit: Option<Decimal>,
    /// All other numbers of the article; left unchanged if absent. If the article gets another number, its
    /// former one is added automatically.
    #[schema(max_items = 100)]
    pub other_numbers: Option<Vec<OtherNumber>>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

// Rendered texts obey the same rules as those of a file.
tidy!(ArticleInput:);

/// Value of one attribute, in the field for the attribute's type.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ValueInput {
    pub attribute_id: i64,
    /// Chosen option, for a categorial attribute.
    pub option_id: Option<i64>,
    /// Number, for a metric attribute.
    pub number: Option<Decimal>,
    /// Unit of the number; the default unit of the attribute if absent.
    pub unit: Option<Unit>,
    /// Text, for a custom attribute.
    #[schema(max_length = 255, example = "warmgewalzt")]
    pub text: Option<String>,
}

/// Article as lists read it, in one statement, without the columns that no list shows: they took a third of
/// the time.
#[derive(Debug, FromQueryResult)]
struct ListedArticle {
    id: i64,
    article_type_id: i64,
    material_id: Option<i64>,
    article_number: String,
    article_name: String,
    /// Values; read only on request.
    attribute_values: Option<AttributeValues>,
    weight_per_base_unit: Option<Decimal>,
    version: i64,
    updated_at: Instant,
    #[sea_orm(nested)]
    image: OwnImage,
}

/// Article as its detail view reads it, in one statement.
#[derive(Debug, FromQueryResult)]
struct ViewedArticle {
    #[sea_orm(nested)]
    article: Article,
    #[sea_orm(nested)]
    image: OwnImage,
}

/// Picture of an article, read together with it.
#[derive(Debug, Default, FromQueryResult)]
struct OwnImage {
    #[sea_orm(alias = "image_version")]
    version: Option<String>,
    #[sea_orm(alias = "image_width")]
    width: Option<i64>,
    #[sea_orm(alias = "image_height")]
    height: Option<i64>,
}

impl From<OwnImage> for Option<ImageInfo> {
    fn from(image: OwnImage) -> Self {
        Some(ImageInfo { version: image.version?, width: image.width?, height: image.height? })
    }
}

impl ListedArticle {
    fn columns(articles: Select<Articles>, with_values: bool) -> Select<Articles> {
        let columns = [
            Column::Id,
            Column::ArticleTypeId,
            Column::MaterialId,
            Column::ArticleNumber,
            Column::ArticleName,
            Column::WeightPerBaseUnit,
            Column::Version,
            Column::UpdatedAt,
        ];
        let values = if with_values { Column::AttributeValues.into_expr() } else { Expr::cust("NULL") };
        image::join_image(articles.select_only().columns(columns).expr_as(values, "attribute_values"))
    }
}

/// Lists articles; with their attribute values only if the query includes them.
pub async fn list(db: &Database, scope: &Scope, query: &ListQuery<Articles>) -> Result<Page<ArticleRow>> {
    let query = &query.resolved(db).await?;
    let with_values = query.includes(VALUES);
    let shape = |articles| ListedArticle::columns(articles, with_values);
    let page = query.fetch::<ListedArticle>(db, scope, shape).await?;
    let mut page = page.detailed(async |articles| rows(db, scope, articles).await).await?;
    if page.total == 0
        && let Some(text) = query.only("search")
    {
        page.suggestion = suggestion(db, scope, query, &text).await?;
    }
    Ok(page)
}

/// Loads articles by their ids at the moment of a snapshot, as lists show them with their values.
pub async fn find_many(
    db: &Database,
    snapshot: &Snapshot,
    scope: &Scope,
    ids: Vec<i64>,
) -> Result<Vec<ArticleRow>> {
    let articles = ListedArticle::columns(scope.find::<Articles>().filter(Column::Id.is_in(ids)), true);
    rows(db, scope, articles.into_model::<ListedArticle>().all(snapshot).await?).await
}

/// Suggests a search that differs from this one by a typing error and has results.
async fn suggestion(
    db: &Database,
    scope: &Scope,
    query: &ListQuery<Articles>,
    text: &str,
) -> Result<Option<String>> {
    let catalogue = db.compiled::<Catalogue>(scope).await?;
    for suggested in suggestion::suggestions(text, &catalogue) {
        if query.searching(&suggested).finds_any(db, scope).await? {
            return Ok(Some(suggested));
        }
    }
    Ok(None)
}

/// Loads an article with its values, other numbers and picture.
pub async fn get(db: &Database, scope: &Scope, id: i64) -> Result<ArticleDetail> {
    let article = image::join_image(scope.find::<Articles>().filter(Column::Id.eq(id)));
    let viewed = article.into_model::<ViewedArticle>().one(db).await?.ok_or_else(Error::not_found)?;
    with_numbers(db, scope, viewed.article, viewed.image.into()).await
}

/// Loads an article together with what its type and material say about it.
async fn read(db: &Database, scope: &Scope, article: Article) -> Result<ArticleDetail> {
    let image = image::load(db, scope, article.id).await?;
    with_numbers(db, scope, article, image.map(ImageInfo::from)).await
}

async fn with_numbers(
    db: &Database,
    scope: &Scope,
    article: Article,
    image: Option<ImageInfo>,
) -> Result<ArticleDetail> {
    let numbers = other_number::load(db, scope, article.id).await?;
    let catalogue = Catalogue::with_types(db, scope, [article.article_type_id]).await?;
    detail(&catalogue, article, numbers.into_iter().map(OtherNumber::from).collect(), image)
}

impl Detailed<Database> for Articles {
    type Detail = ArticleDetail;

    async fn detailed(db: &Database, scope: &Scope, articles: Vec<Article>) -> Result<Vec<ArticleDetail>> {
        let mut details = Vec::with_capacity(articles.len());
        for article in articles {
            details.push(read(db, scope, article).await?);
        }
        Ok(details)
    }
}

impl Managed for Articles {
    type Input = ArticleInput;

    /// Updates an article and its other numbers.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<ArticleInput>>,
    ) -> Result<ArticleDetail> {
        let input = input.into().valid()?;
        with_current_catalogue(db, scope, &input, async |snapshot: CatalogueSnapshot| {
            let (tx, catalogue) = snapshot.begin(db).await?;
            let before = scope.get_locked::<Self>(&tx, id).await?;
            refuse_stale(input.version, before.version)?;
            if before.article_type_id != input.article_type_id {
                return Err(Violations::error("article_type_id", codes::ARTICLE_TYPE_FIXED));
            }
            let row = row(&catalogue, &input)?;
            catalogue::lock_article_types(&tx, scope, [before.article_type_id]).await?;
            let article = scope.update_from::<Self>(&tx, &before, row).await?;
            let numbers =
                other_number::write(&tx, scope, Some(&before), &article, read_other_numbers(&input)).await?;
            let image = image::load(&tx, scope, id).await?;
            tx.commit().await?;
            detail(&catalogue, article, numbers, image.map(ImageInfo::from))
        })
        .await
    }
}

impl Creatable for Articles {
    /// Creates an article with its other numbers.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<ArticleInput>>,
    ) -> Result<ArticleDetail> {
        let input = input.into().valid()?;
        with_current_catalogue(db, scope, &input, async |snapshot: CatalogueSnapshot| {
            let row = row(&snapshot.catalogue, &input)?;
            let (tx, catalogue) = snapshot.begin(db).await?;
            // The references of the new row lock the type and the material, so concurrent changes of these
            // wait.
            let article = scope.create::<Self>(&tx, row).await?;
            let numbers = other_number::write(&tx, scope, None, &article, read_other_numbers(&input)).await?;
            tx.commit().await?;
            detail(&catalogue, article, numbers, None)
        })
        .await
    }
}

/// Creates articles that were built from the catalogue at `version`, all or none; fails as stale if the
/// catalogue has changed meanwhile.
pub async fn create_all(
    db: &Database,
    scope: &Scope,
    version: i64,
    rows: impl IntoIterator<Item = ActiveModel>,
) -> Result<()> {
    let tx = db.begin_long().await?;
    tx.relies_on(cache_topics::CATALOGUE, version);
    let rows: Vec<ActiveModel> = rows.into_iter().collect();
    let numbers: Vec<String> =
        rows.iter().filter_map(|row| row.article_number_fold.try_as_ref().cloned()).collect();
    scope.create_all::<Articles>(&tx, rows).await?;
    other_number::remove_former_numbers(&tx, scope, numbers).await?;
    tx.commit().await?;
    Ok(())
}

/// Reads the other numbers of an input that is already validated.
fn read_other_numbers(input: &ArticleInput) -> Option<Vec<OtherNumber>> {
    input.other_numbers.as_deref().map(|numbers| other_number::read(numbers, &mut Violations::new()))
}

/// State of the catalogue that an article is built from.
struct CatalogueSnapshot {
    catalogue: Arc<Catalogue>,
    version: i64,
    /// Transaction with row locks on the parts of the catalogue in use. Without it the commit checks that the
    /// version is unchanged.
    locked_tx: Option<Write>,
}

impl CatalogueSnapshot {
    async fn begin(self, db: &Database) -> Result<(Write, Arc<Catalogue>)> {
        if let Some(tx) = self.locked_tx {
            return Ok((tx, self.catalogue));
        }
        let tx = db.begin().await?;
        tx.relies_on(cache_topics::CATALOGUE, self.version);
        Ok((tx, self.catalogue))
    }
}

/// Builds an article from the request's catalogue. If that is out of date, tries once more with row locks on
/// the parts in use, so that the second attempt cannot go stale.
async fn with_current_catalogue<T>(
    db: &Database,
    scope: &Scope,
    input: &ArticleInput,
    make: impl AsyncFn(CatalogueSnapshot) -> Result<T>,
) -> Result<T> {
    let (catalogue, version) = db.compiled_with_version::<Catalogue>(scope).await?;
    let outcome = make(CatalogueSnapshot { catalogue, version, locked_tx: None }).await;
    match &outcome {
        // An invalid input may be valid by now.
        Err(Error::Invalid(_)) if versioned_cache::current(db, cache_topics::CATALOGUE).await? != version => {
        }
        Err(error) if error.code() == codes::STALE => {}
        _ => return outcome,
    }
    let tx = db.begin().await?;
    catalogue::lock_article_types(&tx, scope, [input.article_type_id]).await?;
    catalogue::lock_materials(&tx, scope, input.material_id).await?;
    let catalogue = db.compiled_within::<Catalogue>(&tx).await?;
    make(CatalogueSnapshot { catalogue, version, locked_tx: Some(tx) }).await
}

/// Field that can be changed in many articles in one request.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "field", content = "value", rename_all = "snake_case")]
pub enum ArticleFieldChange {
    /// Material; numbers and names that show it change with it.
    MaterialId(Option<i64>),
    /// Weight in kg per base unit; `null` returns to the one that section or values give.
    WeightPerBaseUnit(Option<Decimal>),
}

impl Changeable for Articles {
    type Change = ArticleFieldChange;

    /// Changes one field and checks all rules of an article.
    async fn change(db: &Database, scope: &Scope, id: i64, change: &ArticleFieldChange) -> Result<()> {
        let mut input = ArticleInput::from(get(db, scope, id).await?);
        match change {
            ArticleFieldChange::MaterialId(material) => input.material_id = *material,
            ArticleFieldChange::WeightPerBaseUnit(weight) => input.weight_per_base_unit = *weight,
        }
        Self::update(db, scope, id, input).await.map(|_| ())
    }
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
            other_numbers: None,
            version: Some(row.version),
        }
    }
}

/// Deletes an article and its picture. Refused while other records refer to it; the number must be repeated
/// in `confirm`.
pub async fn delete(db: &Database, storage: &Storage, scope: &Scope, id: i64, confirm: &str) -> Result<()> {
    let image = image::load(db, scope, id).await?;
    let retyped = |article: &Article| {
        if confirm.trim() == article.article_number {
            return Ok(());
        }
        let fault = codes::CONFIRMATION_MISMATCH.with("expected", &article.article_number);
        Err(Violations::error("confirm", fault))
    };
    usage::delete::<Articles>(db, scope, id, retyped).await?;
    if let Some(image) = image {
        image.discard(storage).await;
    }
    Ok(())
}

/// Numbers, names and problems that the values of an edited article lead to.
#[derive(Debug, Default)]
pub struct ArticlePreview {
    /// Article number; `None` until all values that the template shows are given.
    pub article_number: Option<String>,
    pub article_name: Option<String>,
    /// Weight in kg per base unit; `None` if neither section nor values give it.
    pub weight_per_base_unit: Option<Decimal>,
    /// True if a template shows the material.
    pub material_required: bool,
    pub problems: Violations,
}

/// Previews an edited article without saving it. An unknown article type is one of the returned problems.
pub async fn preview(db: &Database, scope: &Scope, input: &ArticleInput) -> Result<ArticlePreview> {
    let catalogue = Catalogue::with_types(db, scope, [input.article_type_id]).await?;
    let Some(blueprint) = catalogue.blueprint(input.article_type_id) else {
        let problems = Violations::one("article_type_id", codes::UNKNOWN_REFERENCE);
        return Ok(ArticlePreview { problems, ..ArticlePreview::default() });
    };
    let material = input.material_id.and_then(|id| catalogue.material(id));
    let Reading { values, .. } = Reading::new(blueprint, &input.values);
    Ok(ArticlePreview {
        article_number: blueprint.number(material, &values).ok(),
        article_name: blueprint.name(material, &values).ok(),
        weight_per_base_unit: blueprint.weight(material, &values),
        material_required: blueprint.uses_material(),
        problems: row(&catalogue, input).err().unwrap_or_default(),
    })
}

#[cfg(test)]
mod tests;
