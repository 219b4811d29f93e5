//! Articles over HTTP.

use std::collections::BTreeMap;

use catalog::{
    article::{
        self, ArticleDetail, ArticleFieldChange, ArticleInput, ArticlePreview, ArticleRow, Articles, Column,
        ValueDetail,
        equivalents::{self, Equivalents, QuantityInput, Sheet},
        other_number::{self, OtherNumber},
    },
    attribute::AttributeType,
    cascade, may,
    quantity::Relation,
    shape::{Dimension, Shape},
    trade_dimension::{Cluster, metres},
};
use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{Created, Download, NoContent, OkJson, OkPage, Unpaged, created, no_content, ok_json, ok_page},
    bulk::{self, BulkChange, BulkOutcome, ConfirmedSelection, Filters},
    export::Export,
    input::{Body, Confirmation, Db, Id, List, RequestInfo},
    problem::texts,
    publish,
    routes::{Answer, Routes},
    screen_texts,
};
use lists::Creatable;
use serde::Serialize;
use store::{Database, Scope, usage};
use utoipa::ToSchema;
use values::{Decimal, Error, Language, Result, Unit, in_use::Usage};

use crate::{
    codes,
    resource::{
        by_name::UniquelyNamed, categories::ImageView, crud::operations, effect::EffectView,
        search::findable, view::HasView,
    },
    state::Server,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Articles>(routes, "/api/admin/articles")
        .update::<may::UpdateArticle>("Changes an article.")
        .by_name::<may::ViewArticle, may::UpdateArticle, may::CreateArticle>("an article by its number")
        .bulk_change::<may::UpdateArticle>("Changes one field of many articles.");
    publish!(routes, Articles: list, export, create, view, delete, bulk_delete, bulk_effect, preview, quantities, usage);
}

/// An article as lists show it.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleRow)]
pub(super) struct RowView {
    id: i64,
    /// Unique across the platform, ignoring case.
    #[schema(example = "HEB-200-S235JR")]
    article_number: String,
    #[schema(example = "HEB 200 S235JR")]
    article_name: String,
    article_type: OwnType,
    #[schema(required)]
    material: Option<OwnMaterial>,
    /// Weight in kg per base unit of the article type.
    #[schema(required)]
    weight_per_base_unit: Option<Decimal>,
    /// The article's own picture.
    #[schema(required)]
    image: Option<ImageView>,
    /// Values in the order of the article type, with `include=values`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    values: Option<Vec<ValueView>>,
    version: i64,
    updated_at: DateTime<Utc>,
}

/// The type of an article.
#[derive(Serialize, ToSchema)]
#[schema(as = TypeOfArticle)]
struct OwnType {
    id: i64,
    #[schema(example = "Breitflanschträger HEB")]
    name: String,
    base_unit_of_measure: Unit,
}

/// The material of an article.
#[derive(Serialize, ToSchema)]
#[schema(as = MaterialOfArticle)]
struct OwnMaterial {
    id: i64,
    #[schema(example = "S235JR")]
    name: String,
}

/// An article.
#[derive(Serialize, ToSchema)]
#[schema(as = Article)]
pub(crate) struct ArticleView {
    id: i64,
    /// Unique across the platform, ignoring case.
    #[schema(example = "HEB-200-S235JR")]
    article_number: String,
    /// True if the number differs from the one that the template gives.
    article_number_overridden: bool,
    #[schema(example = "HEB 200 S235JR")]
    article_name: String,
    /// True if the name differs from the one that the template gives.
    article_name_overridden: bool,
    article_type: OwnType,
    #[schema(required)]
    material: Option<OwnMaterial>,
    /// Values in the order of the article type.
    values: Vec<ValueView>,
    /// Other numbers of the article.
    other_numbers: Vec<OtherNumber>,
    /// Weight in kg per base unit of the article type.
    #[schema(required)]
    weight_per_base_unit: Option<Decimal>,
    /// True if the weight differs from the one that follows from section or values.
    weight_per_base_unit_overridden: bool,
    /// Section of the article type. With one, the weight follows from its dimensions and the density of the
    /// material, otherwise from the weights of attributes and options.
    #[schema(required)]
    section: Option<Shape>,
    /// The article's own picture; without one, the category of its type may have one.
    #[schema(required)]
    image: Option<ImageView>,
    /// Length range, for length items whose type has a commercial length.
    #[schema(required)]
    trade_dimension: Option<OwnCluster>,
    /// Number of changes so far; send it back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// Length range that an article's length falls into.
#[derive(Serialize, ToSchema)]
#[schema(as = ClusterOfArticle)]
struct OwnCluster {
    #[schema(example = "L12")]
    short_code: String,
    /// Length that is charged, in m.
    calculation_value: Decimal,
}

impl From<Cluster> for OwnCluster {
    fn from(Cluster { short_code, calculation_value, .. }: Cluster) -> Self {
        Self { short_code, calculation_value: metres(calculation_value) }
    }
}

/// The value of one attribute.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleValue)]
struct ValueView {
    attribute_id: i64,
    #[schema(example = "Höhe")]
    name: String,
    r#type: AttributeType,
    /// Option, for a categorial attribute.
    #[schema(required)]
    option_id: Option<i64>,
    /// Number, for a metric attribute.
    #[schema(required)]
    number: Option<Decimal>,
    /// The number's unit.
    #[schema(required)]
    unit: Option<Unit>,
    /// Text, for a custom attribute.
    #[schema(required, example = "warmgewalzt")]
    text: Option<String>,
    /// Dimension of the article that the attribute measures.
    #[schema(required)]
    dimension: Option<Dimension>,
    /// Text for people, in the language of `Accept-Language`.
    #[schema(example = "200 mm")]
    display: String,
}

impl RowView {
    pub(super) fn new(row: ArticleRow, language: Language) -> Self {
        let (article_type, material) = related(&row);
        let ArticleRow {
            id,
            article_number,
            article_name,
            weight_per_base_unit,
            image,
            values,
            version,
            updated_at,
            ..
        } = row;
        let view = |value| ValueView::new(value, language);
        Self {
            values: values.map(|values| values.into_iter().map(view).collect()),
            id,
            article_number,
            article_name,
            article_type,
            material,
            weight_per_base_unit,
            image: image.map(ImageView::from),
            version,
            updated_at,
        }
    }
}

fn related(row: &ArticleRow) -> (OwnType, Option<OwnMaterial>) {
    let article_type = OwnType {
        id: row.article_type_id,
        name: row.article_type_name.clone(),
        base_unit_of_measure: row.base_unit_of_measure,
    };
    let material = row.material_id.zip(row.material_name.clone()).map(|(id, name)| OwnMaterial { id, name });
    (article_type, material)
}

impl From<(ArticleDetail, Language)> for ArticleView {
    fn from((article, language): (ArticleDetail, Language)) -> Self {
        let ArticleDetail {
            row,
            article_number_overridden,
            article_name_overridden,
            weight_per_base_unit_overridden,
            section,
            density: _,
            cluster,
            values,
            other_numbers,
            dimensions: _,
            created_at,
        } = article;
        let (article_type, material) = related(&row);
        let ArticleRow {
            id,
            article_number,
            article_name,
            weight_per_base_unit,
            image,
            version,
            updated_at,
            ..
        } = row;
        Self {
            id,
            article_number,
            article_number_overridden,
            article_name,
            article_name_overridden,
            article_type,
            material,
            values: values.into_iter().map(|value| ValueView::new(value, language)).collect(),
            other_numbers,
            weight_per_base_unit,
            weight_per_base_unit_overridden,
            section,
            image: image.map(ImageView::from),
            trade_dimension: cluster.map(OwnCluster::from),
            version,
            created_at,
            updated_at,
        }
    }
}

impl ValueView {
    fn new(value: ValueDetail, language: Language) -> Self {
        let display = value.display(language);
        let ValueDetail { attribute_id, name, r#type, option_id, number, unit, text, dimension, .. } = value;
        Self { attribute_id, name, r#type, option_id, number, unit, text, dimension, display }
    }
}

/// Lists articles.
#[utoipa::path(get, path = "/api/admin/articles")]
async fn list(
    by: Authorized<may::ListArticles>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    List(query): List<Articles>,
) -> Answer<OkPage<RowView>> {
    let page = article::list(&db, by.scope(), &query).await?;
    Ok(ok_page(page.map(|row| RowView::new(row, request.language))))
}

/// Exports all articles that match the filters, in the form that an import reads.
#[utoipa::path(get, path = "/api/admin/articles/export")]
async fn export(by: Authorized<may::ListArticles>, export: Export<Articles>) -> Answer<Download> {
    let write = async |Export { server, query, format, language, .. }: &Export<Articles>| {
        let write = async |db: Database| {
            let (scope, storage) = (by.scope(), server.storage());
            catalog::article::import::export::export(&db, scope, storage, query, *format, *language).await
        };
        server.db().on_replica(write).await
    };
    Ok(export.file(screen_texts!("articles"), write).await?)
}

/// Creates an article; number, name and weight follow from its values unless they are given.
#[utoipa::path(post, path = "/api/admin/articles")]
async fn create(
    by: Authorized<may::CreateArticle>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Body(input): Body<ArticleInput>,
) -> Answer<Created<ArticleView>> {
    let article = Articles::create(&db, by.scope(), input).await?;
    Ok(created((article, request.language)))
}

/// Shows an article.
#[utoipa::path(get, path = "/api/admin/articles/{id}")]
async fn view(
    by: Authorized<may::ViewArticle>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<ArticleView>> {
    let article = article::get(&db, by.scope(), id).await?;
    Ok(ok_json((article, request.language)))
}

/// Deletes an article; requires its number as confirmation.
#[utoipa::path(delete, path = "/api/admin/articles/{id}")]
async fn delete(
    by: Authorized<may::DeleteArticle>,
    Server(state): Server,
    Id(id): Id,
    Confirmation(number): Confirmation,
) -> Answer<NoContent> {
    Ok(no_content(article::delete(&state.db, &state.storage, by.scope(), id, &number).await?))
}

/// Deletes many articles and skips those in use; requires their count as confirmation.
#[utoipa::path(post, path = "/api/admin/articles/bulk-delete")]
async fn bulk_delete(
    by: Authorized<may::DeleteArticle>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    filters: Filters<Articles>,
    Body(selection): Body<ConfirmedSelection>,
) -> Answer<OkJson<BulkOutcome>> {
    let selection = selection.into_selection()?;
    let (db, storage, scope) = (&state.db, &state.storage, by.scope());
    let one = async |id, name: &str| article::delete(db, storage, scope, id, name).await;
    Ok(ok_json(bulk::apply_to_each(db, scope, &filters, &selection, request.language, one).await?))
}

/// Previews the effect of changing one field of many articles on each of them.
#[utoipa::path(post, path = "/api/admin/articles/bulk-effect")]
async fn bulk_effect(
    by: Authorized<may::UpdateArticle>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    filters: Filters<Articles>,
    Body(BulkChange { selection, change }): Body<BulkChange<ArticleFieldChange>>,
) -> Answer<OkJson<EffectView>> {
    let records = bulk::selected_records(&db, by.scope(), &filters, &selection).await?;
    let ids: Vec<i64> = records.into_iter().map(|(id, _)| id).collect();
    let effect = cascade::preview_field_change(&db, by.scope(), &ids, &change).await?;
    Ok(ok_json(EffectView::new(effect, request.language)))
}

findable!(Articles, row => Some(row.article_name));

impl HasView for Articles {
    type Source = Database;
    type View = ArticleView;
}

impl UniquelyNamed for Articles {
    const FOLDED: Column = Column::ArticleNumberFold;
    const FIELD: &'static str = "article_number";
    const PARAMETER: &'static str = "number";

    /// Error for an unknown number. For a former number it names the current one, in writing calls as well:
    /// the caller means the article that was renumbered.
    async fn unknown_name(db: &Database, scope: &Scope, number: &str) -> Result<Error> {
        Ok(match other_number::renumbered_to(db, scope, number).await? {
            Some(current) => codes::RENUMBERED.with("number", number).with("current", current).into(),
            None => Error::not_found(),
        })
    }
}

/// Quantity in other units, with the reasons.
#[derive(Serialize, ToSchema)]
#[schema(as = QuantityEquivalents)]
struct EquivalentsView {
    /// The same quantity in all other units in which the article is counted.
    equivalents: Vec<QuantityView>,
    relations: Vec<RelationView>,
    /// One piece of a sheet whose length and width are known.
    #[schema(required)]
    sheet: Option<SheetView>,
}

/// One piece of a sheet.
#[derive(Serialize, ToSchema)]
#[schema(as = Sheet)]
struct SheetView {
    /// Length in millimetres.
    length: Decimal,
    /// Width in millimetres.
    width: Decimal,
    /// Weight in kilograms.
    #[schema(required)]
    weight: Option<Decimal>,
}

/// A quantity.
#[derive(Serialize, ToSchema)]
#[schema(as = Quantity)]
pub(super) struct QuantityView {
    pub amount: Decimal,
    pub unit: Unit,
}

/// Relation of two units of an article: a piece is 12.1 m, a metre 61.3 kg.
#[derive(Serialize, ToSchema)]
#[schema(as = UnitRelation)]
struct RelationView {
    of: Unit,
    amount: Decimal,
    unit: Unit,
}

impl From<Equivalents> for EquivalentsView {
    fn from(Equivalents { equivalents, relations, sheet }: Equivalents) -> Self {
        let relation = |Relation { from, amount, unit }| RelationView { of: from, amount, unit };
        Self {
            equivalents: equivalents
                .into_iter()
                .map(|(amount, unit)| QuantityView { amount, unit })
                .collect(),
            relations: relations.into_iter().map(relation).collect(),
            sheet: sheet.map(|Sheet { length, width, weight }| SheetView { length, width, weight }),
        }
    }
}

/// Shows a quantity of an article in all units in which it can be counted.
#[utoipa::path(post, path = "/api/admin/articles/{id}/quantities")]
async fn quantities(
    by: Authorized<may::ViewArticle>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<QuantityInput>,
) -> Answer<OkJson<EquivalentsView>> {
    let article = article::get(&db, by.scope(), id).await?;
    Ok(ok_json(EquivalentsView::from(equivalents::equivalents(&article, &input)?)))
}

/// Number, name and weight that follow from the values of an article that is being edited.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticlePreview)]
struct PreviewView {
    /// Number that the template gives; `null` until all values that it shows are entered.
    #[schema(required, example = "HEB-200-S235JR")]
    article_number: Option<String>,
    /// Name that the template gives; `null` until all values that it shows are entered.
    #[schema(required, example = "HEB 200 S235JR")]
    article_name: Option<String>,
    /// Weight in kg per base unit of the article type; `null` if it follows neither from the section nor from
    /// values.
    #[schema(required)]
    weight_per_base_unit: Option<Decimal>,
    /// True if a template of the article type shows the material.
    material_required: bool,
    /// Errors that saving would give, by field.
    problems: BTreeMap<String, Vec<String>>,
}

/// Previews what follows from the values of an article that is being edited.
#[utoipa::path(post, path = "/api/admin/articles/preview")]
async fn preview(
    by: Authorized<may::ViewArticle>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Body(input): Body<ArticleInput>,
) -> Answer<OkJson<PreviewView>> {
    let ArticlePreview { article_number, article_name, weight_per_base_unit, material_required, problems } =
        article::preview(&db, by.scope(), &input).await?;
    let problems = texts(&problems, request.language);
    Ok(ok_json(PreviewView {
        article_number,
        article_name,
        weight_per_base_unit,
        material_required,
        problems,
    }))
}

/// Shows where an article is used.
#[utoipa::path(get, path = "/api/admin/articles/{id}/usage")]
async fn usage(by: Authorized<may::ViewArticle>, Db(db): Db, Id(id): Id) -> Answer<OkJson<Unpaged<Usage>>> {
    Ok(ok_json(usage::find_usages::<Articles>(&db, by.scope(), id).await?))
}
