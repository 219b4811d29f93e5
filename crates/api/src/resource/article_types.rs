//! Article types over HTTP.

use std::collections::BTreeMap;

use catalog::{
    article_type::{
        self, ArticleTypeDetail, ArticleTypeInput, ArticleTypePreview, ArticleTypes, Example,
        PlaceholderName, PlaceholderUse, TypeAttribute,
    },
    attribute::{Attribute, AttributeType},
    cascade::{ArticleChange, article_type as cascade},
    may,
    shape::{Dimension, Shape},
};
use http_api::{
    access::Authorized,
    answer::{Download, NoContent, OkJson, download_file, no_content, ok_json},
    bulk::{self, BulkOutcome, ConfirmedSelection, Filters},
    export::{Column, Labels, spool_table, time},
    input::{Body, Confirmation, Db, Id, RequestInfo},
    problem::texts,
    publish,
    routes::{Answer, Routes},
    screen_texts,
};
use serde::{Deserialize, Serialize};
use sheets::{Dialect, Format, table::CellContent};
use store::Database;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};
use values::{Language, Unit, Validated};

use crate::{
    resource::{
        articles::QuantityView,
        by_name::by_name,
        crud::{Exportable, operations, view_of},
        effect::{ChangeView, EffectView},
        search::findable,
        view::HasView,
    },
    state::Server,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<ArticleTypes>(routes, "/api/admin/article-types")
        .list::<may::ListArticleTypes>("Lists article types.")
        .export::<may::ListArticleTypes>("Exports all article types that match the filters.")
        .create::<may::CreateArticleType>("Creates an article type.")
        .view::<may::ViewArticleType>("Shows an article type.")
        .update::<may::UpdateArticleType>(
            "Changes an article type and its articles, if the number of changed articles was confirmed.",
        )
        .by_name::<may::ViewArticleType, may::UpdateArticleType, may::CreateArticleType>(
            "an article type by its name",
        )
        .bulk_change::<may::UpdateArticleType>("Changes one field of many article types.")
        .usage::<may::ViewArticleType>("Shows where an article type is used.");
    publish!(routes, ArticleTypes: delete, bulk_delete, preview, effect, effect_file);
}

view_of! {
    /// The blueprint of articles.
    ArticleTypeView as ArticleType, of detail: ArticleTypeDetail, row detail.article_type;
    /// Unique, ignoring case.
    #[schema(example = "Breitflanschträger HEB")]
    name: String = detail.article_type.name,
    #[schema(example = "HEB-{hoehe}-{werkstoff}")]
    article_number_template: String = detail.article_type.article_number_template,
    #[schema(example = "HEB {hoehe} {werkstoff}")]
    article_name_template: String = detail.article_type.article_name_template,
    /// Unit of stock quantities and weights.
    base_unit_of_measure: Unit = detail.article_type.base_unit_of_measure,
    /// Unit in which articles are offered.
    listing_unit_of_measure: Unit = detail.article_type.listing_unit_of_measure,
    /// Unit that prices refer to.
    price_unit_of_measure: Unit = detail.article_type.price_unit_of_measure,
    #[schema(required)]
    group: Option<OwnGroup> = detail.group.map(|group| OwnGroup { id: group.id, name: group.name }),
    #[schema(required)]
    trade_dimension: Option<OwnTradeDimension> = detail.trade_dimension.map(|ladder| OwnTradeDimension { id: ladder.id, name: ladder.name }),
    /// Shape of the section, if weights follow from it.
    #[schema(required)]
    section: Option<Shape> = detail.article_type.section,
    /// Attributes of the type, in order.
    attributes: Vec<TypeAttributeView> = detail
        .attributes
        .into_iter()
        .map(|(row, attribute)| TypeAttributeView::new(row, attribute))
        .collect(),
    /// Number of articles of the type.
    #[schema(example = 40)]
    article_count: u64 = detail.article_count,
}

/// The group of an article type.
#[derive(Serialize, ToSchema)]
#[schema(as = GroupOfArticleType)]
struct OwnGroup {
    id: i64,
    #[schema(example = "Träger")]
    name: String,
}

/// Commercial length of an article type of length items.
#[derive(Serialize, ToSchema)]
#[schema(as = TradeDimensionOfArticleType)]
struct OwnTradeDimension {
    id: i64,
    #[schema(example = "Längen von Trägern")]
    name: String,
}

/// An attribute of an article type.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleTypeAttribute)]
struct TypeAttributeView {
    attribute_id: i64,
    #[schema(example = "Höhe")]
    name: String,
    /// Placeholder of the attribute in templates, written there in braces.
    #[schema(example = "hoehe")]
    placeholder: String,
    r#type: AttributeType,
    /// Position in the type, from 1.
    #[schema(example = 1)]
    position: i64,
    /// True if the attribute distinguishes articles and therefore is part of the article number.
    primary: bool,
    /// Dimension of the article that the attribute measures.
    #[schema(required)]
    dimension: Option<Dimension>,
}

impl TypeAttributeView {
    fn new(row: TypeAttribute, attribute: Attribute) -> Self {
        let TypeAttribute { attribute_id, position, primary, dimension, .. } = row;
        let Attribute { name, placeholder, r#type, .. } = attribute;
        Self { attribute_id, name, placeholder, r#type, position, primary, dimension }
    }
}

impl HasView for ArticleTypes {
    type Source = Database;
    type View = ArticleTypeView;
}

by_name!(ArticleTypes by name: article_type::Column::NameFold, "name");
findable!(ArticleTypes, _row => None);

impl Exportable for ArticleTypes {
    const COLUMNS: &'static [Column<ArticleTypeDetail>] = &[
        ("name", |row, _| row.article_type.name.as_str().into()),
        ("article_type_group_id", |row, _| row.group.as_ref().map(|group| &*group.name).into()),
        ("attributes", |row, _| row.attributes.iter().map(|(_, attribute)| &*attribute.name).collect()),
        ("trade_dimension_id", |row, _| row.trade_dimension.as_ref().map(|ladder| &*ladder.name).into()),
        ("article_number_template", |row, _| row.article_type.article_number_template.as_str().into()),
        ("article_name_template", |row, _| row.article_type.article_name_template.as_str().into()),
        ("base_unit_of_measure", |row, labels| labels.unit(row.article_type.base_unit_of_measure).into()),
        ("listing_unit_of_measure", |row, labels| {
            labels.unit(row.article_type.listing_unit_of_measure).into()
        }),
        ("price_unit_of_measure", |row, labels| labels.unit(row.article_type.price_unit_of_measure).into()),
        ("article_count", |row, _| row.article_count.into()),
        ("updated_at", |row, _| time(row.article_type.updated_at)),
    ];
}

/// Deletes an article type without articles; requires its name as confirmation.
#[utoipa::path(delete, path = "/api/admin/article-types/{id}")]
async fn delete(
    by: Authorized<may::DeleteArticleType>,
    Db(db): Db,
    Id(id): Id,
    Confirmation(name): Confirmation,
) -> Answer<NoContent> {
    Ok(no_content(article_type::delete(&db, by.scope(), id, &name).await?))
}

/// Deletes many article types and skips those in use; requires their count as confirmation.
#[utoipa::path(post, path = "/api/admin/article-types/bulk-delete")]
async fn bulk_delete(
    by: Authorized<may::DeleteArticleType>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    filters: Filters<ArticleTypes>,
    Body(selection): Body<ConfirmedSelection>,
) -> Answer<OkJson<BulkOutcome>> {
    let selection = selection.into_selection()?;
    let one = async |id, name: &str| article_type::delete(&db, by.scope(), id, name).await;
    Ok(ok_json(bulk::apply_to_each(&db, by.scope(), &filters, &selection, request.language, one).await?))
}

/// Previews the effect of a change of an article type on its articles.
#[utoipa::path(post, path = "/api/admin/article-types/{id}/effect")]
async fn effect(
    by: Authorized<may::UpdateArticleType>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<Validated<ArticleTypeInput>>,
) -> Answer<OkJson<EffectView>> {
    let effect = cascade::effect(&db, by.scope(), id, &input).await?;
    Ok(ok_json(EffectView::new(effect, request.language)))
}

/// Exports the whole effect of a change of an article type on its articles, as CSV for German spreadsheet
/// programs.
#[utoipa::path(post, path = "/api/admin/article-types/{id}/effect-file")]
async fn effect_file(
    by: Authorized<may::UpdateArticleType>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
    Body(input): Body<Validated<ArticleTypeInput>>,
) -> Answer<Download> {
    let labels = |words| Labels::new(words, request.language);
    let (effect, articles) = (labels(screen_texts!("effect"))?, labels(screen_texts!("articles"))?);
    let own = labels(screen_texts!("articleTypes"))?;
    let [before, after] = ["before", "after"].map(|when| effect.text(&[when]));
    let fields = ["article_number", "article_name", "weight_per_base_unit"].map(|name| articles.column(name));
    let header = fields
        .iter()
        .flat_map(|field| [format!("{field} ({before})"), format!("{field} ({after})")])
        .chain([own.column("problem")])
        .map(CellContent::Text);
    let spool = spool_table(&state.storage, Format::Csv(Dialect::GERMAN), header.collect())?;
    let entries = |change: ArticleChange| {
        let ChangeView { article_number, article_name, weight_per_base_unit, problem, .. } =
            ChangeView::new(&change, request.language);
        vec![
            CellContent::Text(article_number),
            change.article_number().into(),
            CellContent::Text(article_name),
            change.article_name().into(),
            weight_per_base_unit.into(),
            change.weight_per_base_unit().into(),
            problem.as_deref().into(),
        ]
    };
    let take =
        async |changes: Vec<ArticleChange>| spool.add(changes.into_iter().map(entries).collect()).await;
    cascade::each_change(&state.db, by.scope(), id, &input, take).await?;
    Ok(download_file(format!("{}.csv", effect.text(&["list"])), spool.finish().await?))
}

/// An article type that is being edited.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ArticleTypePreviewInput {
    id: Option<i64>,
    #[serde(flatten)]
    article_type: Validated<ArticleTypeInput>,
}

impl ToSchema for ArticleTypePreviewInput {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        ArticleTypeInput::schemas(schemas);
    }
}

/// Schema with the fields of [`ArticleTypeInput`] and `id`. The derived one would be an `allOf` that no value
/// fulfils, since neither part admits the fields of the other.
impl PartialSchema for ArticleTypePreviewInput {
    fn schema() -> RefOr<Schema> {
        let mut schema = ArticleTypeInput::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            object.description = Some("An article type that is being edited.".to_owned());
            object.properties.insert("id".to_owned(), Option::<i64>::schema());
        }
        schema
    }
}

/// Preview of the templates of an article type that is being edited.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleTypePreview)]
struct PreviewView {
    /// Errors that saving would give, by field.
    problems: BTreeMap<String, Vec<String>>,
    /// Primary attributes that the number template lacks.
    missing_primary: Vec<MissingAttribute>,
    /// Placeholders that the templates can contain.
    placeholders: Vec<PlaceholderView>,
    /// Up to five articles of the type with their new numbers and names; one of sample values if there are no
    /// articles.
    examples: Vec<ExampleView>,
}

/// A primary attribute that the number template lacks.
#[derive(Serialize, ToSchema)]
struct MissingAttribute {
    attribute_id: i64,
    #[schema(example = "Höhe")]
    name: String,
    #[schema(example = "hoehe")]
    placeholder: String,
}

/// A placeholder that templates can contain.
#[derive(Serialize, ToSchema)]
#[schema(as = Placeholder)]
struct PlaceholderView {
    #[schema(example = "hoehe")]
    placeholder: String,
    #[schema(example = "Höhe")]
    name: String,
    used_in_number: bool,
    used_in_name: bool,
}

/// Article with the number and name that the templates give.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleTypeExample)]
struct ExampleView {
    /// Id of the article; `null` if it is made of sample values.
    #[schema(required)]
    article_id: Option<i64>,
    #[schema(example = "HEB-200-S235JR")]
    article_number: String,
    #[schema(example = "HEB 200 S235JR")]
    article_name: String,
    /// Quantity of one piece; `null` if the values do not give it.
    #[schema(required)]
    piece: Option<QuantityView>,
}

impl PreviewView {
    fn new(preview: ArticleTypePreview, language: Language) -> Self {
        let ArticleTypePreview { problems, missing_primary, placeholders, examples } = preview;
        Self {
            problems: texts(&problems, language),
            missing_primary: missing_primary.into_iter().map(MissingAttribute::from).collect(),
            placeholders: placeholders.into_iter().map(|used| PlaceholderView::new(used, language)).collect(),
            examples: examples.into_iter().map(ExampleView::from).collect(),
        }
    }
}

impl From<Attribute> for MissingAttribute {
    fn from(attribute: Attribute) -> Self {
        let Attribute { id: attribute_id, name, placeholder, .. } = attribute;
        Self { attribute_id, name, placeholder }
    }
}

impl PlaceholderView {
    fn new(used: PlaceholderUse, language: Language) -> Self {
        let PlaceholderUse { placeholder, name, used_in_number, used_in_name } = used;
        let name = match name {
            PlaceholderName::Attribute(name) => name,
            PlaceholderName::Word(word) => word.text(language).to_owned(),
        };
        Self { placeholder, name, used_in_number, used_in_name }
    }
}

impl From<Example> for ExampleView {
    fn from(example: Example) -> Self {
        let Example { article_id, article_number, article_name, piece } = example;
        let piece = piece.map(|(amount, unit)| QuantityView { amount, unit });
        Self { article_id, article_number, article_name, piece }
    }
}

/// Previews what the templates of an article type that is being edited give.
#[utoipa::path(post, path = "/api/admin/article-types/preview")]
async fn preview(
    by: Authorized<may::ViewArticleType>,
    Db(db): Db,
    RequestInfo(request): RequestInfo,
    Body(ArticleTypePreviewInput { id, article_type }): Body<ArticleTypePreviewInput>,
) -> Answer<OkJson<PreviewView>> {
    let preview = article_type::preview(&db, by.scope(), id, &article_type).await?;
    Ok(ok_json(PreviewView::new(preview, request.language)))
}
