//! Article types over HTTP.

use std::collections::BTreeMap;

use catalog::{
    article_type::{
        self, ArticleType, ArticleTypeDetail, ArticleTypeFieldChange, ArticleTypeInput, ArticleTypes,
        Example, PlaceholderName, PlaceholderUse, Preview, TypeAttribute,
    },
    attribute::{Attribute, AttributeType},
    effect::Change,
    shape::{Dimension, Shape},
};
use chrono::{DateTime, Utc};
use kernel::{
    Language, Unit, may,
    usage::{self, Usage},
};
use serde::{Deserialize, Serialize};
use sheets::{Dialect, Format, table::Entry};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, Schema},
};

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Download, Listing, Shown, Whole, created, done, listing, saved, shown},
        bulk::{self, BulkChange, BulkOutcome, Matching, Selection},
        export::{Export, Labels, Table, spooled, time},
        input::{About, Body, Confirmation, Db, Id, List, Server},
        problem::texts,
        routes::{Answer, Routes},
    },
    publish,
    resource::effect::{ChangeView, EffectView},
    words,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "article_types": list, export, create, view, update, delete, bulk_delete, bulk_change, preview, effect, effect_file, usage);
}

/// The blueprint of articles.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleType)]
struct ArticleTypeView {
    id: i64,
    /// Unique, whatever its case.
    name: String,
    article_number_template: String,
    article_name_template: String,
    /// What stock and weights are kept in.
    base_unit_of_measure: Unit,
    /// What is offered.
    listing_unit_of_measure: Unit,
    /// What a price refers to.
    price_unit_of_measure: Unit,
    #[schema(required)]
    group: Option<OwnGroup>,
    #[schema(required)]
    trade_dimension: Option<OwnTradeDimension>,
    /// The shape of the section, if weights follow from it.
    #[schema(required)]
    section: Option<Shape>,
    /// In order.
    attributes: Vec<TypeAttributeView>,
    /// How many articles there are of the type.
    article_count: u64,
    /// Counts the changes; to be sent back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// The group of an article type.
#[derive(Serialize, ToSchema)]
#[schema(as = GroupOfArticleType)]
struct OwnGroup {
    id: i64,
    name: String,
}

/// The trade dimension of an article type of length items.
#[derive(Serialize, ToSchema)]
#[schema(as = TradeDimensionOfArticleType)]
struct OwnTradeDimension {
    id: i64,
    name: String,
}

/// An attribute of an article type.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleTypeAttribute)]
struct TypeAttributeView {
    attribute_id: i64,
    name: String,
    /// How templates write it, in braces.
    placeholder: String,
    r#type: AttributeType,
    /// From 1.
    position: i64,
    /// Whether it tells articles apart and therefore is part of the article number.
    primary: bool,
    /// What of the article it measures.
    #[schema(required)]
    dimension: Option<Dimension>,
}

impl From<ArticleTypeDetail> for ArticleTypeView {
    fn from(detail: ArticleTypeDetail) -> Self {
        let ArticleTypeDetail { article_type, group, trade_dimension, attributes, article_count } = detail;
        let ArticleType { id, name, article_number_template, article_name_template, .. } = article_type;
        let ArticleType { base_unit_of_measure, listing_unit_of_measure, price_unit_of_measure, .. } =
            article_type;
        let ArticleType { section, version, created_at, updated_at, .. } = article_type;
        Self {
            id,
            name,
            article_number_template,
            article_name_template,
            base_unit_of_measure,
            listing_unit_of_measure,
            price_unit_of_measure,
            group: group.map(|group| OwnGroup { id: group.id, name: group.name }),
            trade_dimension: trade_dimension
                .map(|ladder| OwnTradeDimension { id: ladder.id, name: ladder.name }),
            section,
            attributes: attributes.into_iter().map(TypeAttributeView::from).collect(),
            article_count,
            version,
            created_at,
            updated_at,
        }
    }
}

impl From<(TypeAttribute, Attribute)> for TypeAttributeView {
    fn from((row, attribute): (TypeAttribute, Attribute)) -> Self {
        let TypeAttribute { attribute_id, position, primary, dimension, .. } = row;
        let Attribute { name, placeholder, r#type, .. } = attribute;
        Self { attribute_id, name, placeholder, r#type, position, primary, dimension }
    }
}

/// Lists article types.
#[utoipa::path(get, path = "/api/admin/article-types")]
async fn list(
    by: Authorized<may::ListArticleTypes>,
    Db(db): Db,
    List(query): List<ArticleTypes>,
) -> Answer<Listing<ArticleTypeView>> {
    Ok(listing(article_type::list(&db, by.scope(), &query).await?))
}

/// Exports all article types that the filters match.
#[utoipa::path(get, path = "/api/admin/article-types/export")]
async fn export(by: Authorized<may::ListArticleTypes>, export: Export<ArticleTypes>) -> Answer<Download> {
    let table = Table {
        words: words!("articleTypes"),
        columns: &[
            ("name", |row: &ArticleTypeDetail, _| row.article_type.name.as_str().into()),
            ("article_type_group_id", |row, _| row.group.as_ref().map(|group| &*group.name).into()),
            ("attributes", |row, _| row.attributes.iter().map(|(_, attribute)| &*attribute.name).collect()),
            ("trade_dimension_id", |row, _| row.trade_dimension.as_ref().map(|ladder| &*ladder.name).into()),
            ("article_number_template", |row, _| row.article_type.article_number_template.as_str().into()),
            ("article_name_template", |row, _| row.article_type.article_name_template.as_str().into()),
            ("base_unit_of_measure", |row, labels| labels.unit(row.article_type.base_unit_of_measure).into()),
            ("listing_unit_of_measure", |row, labels| {
                labels.unit(row.article_type.listing_unit_of_measure).into()
            }),
            ("price_unit_of_measure", |row, labels| {
                labels.unit(row.article_type.price_unit_of_measure).into()
            }),
            ("article_count", |row, _| row.article_count.into()),
            ("updated_at", |row, _| time(row.article_type.updated_at)),
        ],
    };
    let detailed = async |db: &_, rows| article_type::detailed(db, by.scope(), rows).await;
    Ok(export.table(by.scope(), &table, detailed).await?)
}

/// Creates an article type.
#[utoipa::path(post, path = "/api/admin/article-types")]
async fn create(
    by: Authorized<may::CreateArticleType>,
    Db(db): Db,
    Body(input): Body<ArticleTypeInput>,
) -> Answer<Created<ArticleTypeView>> {
    Ok(created(article_type::create(&db, by.scope(), input).await?))
}

/// Shows an article type.
#[utoipa::path(get, path = "/api/admin/article-types/{id}")]
async fn view(
    by: Authorized<may::ViewArticleType>,
    Db(db): Db,
    Id(id): Id,
) -> Answer<Shown<ArticleTypeView>> {
    Ok(shown(article_type::get(&db, by.scope(), id).await?))
}

/// Changes an article type, and the articles that change with it, if so many were confirmed.
#[utoipa::path(put, path = "/api/admin/article-types/{id}")]
async fn update(
    by: Authorized<may::UpdateArticleType>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<ArticleTypeInput>,
) -> Answer<Shown<ArticleTypeView>> {
    Ok(shown(article_type::update(&db, by.scope(), id, input).await?))
}

/// Deletes an article type without articles; its name has to be retyped.
#[utoipa::path(delete, path = "/api/admin/article-types/{id}")]
async fn delete(
    by: Authorized<may::DeleteArticleType>,
    Db(db): Db,
    Id(id): Id,
    Confirmation(name): Confirmation,
) -> Answer<Done> {
    Ok(done(article_type::delete(&db, by.scope(), id, &name).await?))
}

/// Deletes many article types, as far as each of them can be deleted.
#[utoipa::path(post, path = "/api/admin/article-types/bulk-delete")]
async fn bulk_delete(
    by: Authorized<may::DeleteArticleType>,
    Db(db): Db,
    About(request): About,
    matching: Matching<ArticleTypes>,
    Body(selection): Body<Selection>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, name: &str| article_type::delete(&db, by.scope(), id, name).await;
    let records = (&db, by.scope());
    Ok(shown(
        bulk::each(records, &matching, &selection, article_type::Column::Name, request.language, one).await?,
    ))
}

/// Changes one field of many article types.
#[utoipa::path(post, path = "/api/admin/article-types/bulk-change")]
async fn bulk_change(
    by: Authorized<may::UpdateArticleType>,
    Db(db): Db,
    About(request): About,
    matching: Matching<ArticleTypes>,
    Body(BulkChange { selection, change }): Body<BulkChange<ArticleTypeFieldChange>>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, _: &str| article_type::change(&db, by.scope(), id, &change).await;
    let records = (&db, by.scope());
    Ok(shown(
        bulk::each(records, &matching, &selection, article_type::Column::Name, request.language, one).await?,
    ))
}

/// Shows what a change of an article type would do to its articles.
#[utoipa::path(post, path = "/api/admin/article-types/{id}/effect")]
async fn effect(
    by: Authorized<may::UpdateArticleType>,
    Db(db): Db,
    About(request): About,
    Id(id): Id,
    Body(input): Body<ArticleTypeInput>,
) -> Answer<Shown<EffectView>> {
    let effect = article_type::effect(&db, by.scope(), id, &input).await?;
    Ok(shown(EffectView::new(effect, request.language)))
}

/// Saves all that a change of an article type would do to its articles, as CSV for German spreadsheet programs.
#[utoipa::path(post, path = "/api/admin/article-types/{id}/effect-file")]
async fn effect_file(
    by: Authorized<may::UpdateArticleType>,
    Server(state): Server,
    About(request): About,
    Id(id): Id,
    Body(input): Body<ArticleTypeInput>,
) -> Answer<Download> {
    let labels = |words| Labels::new(words, request.language);
    let (own, articles) = (labels(words!("articleTypes"))?, labels(words!("articles"))?);
    let [before, after] = ["before", "after"].map(|when| own.text(&["effect", when]));
    let fields = ["article_number", "article_name", "weight_per_base_unit"].map(|name| articles.column(name));
    let header = fields
        .iter()
        .flat_map(|field| [format!("{field} ({before})"), format!("{field} ({after})")])
        .chain([own.column("problem")])
        .map(Entry::Text);
    let spool = spooled(&state.storage, Format::Csv(Dialect::GERMAN), header.collect())?;
    let entries = |change: Change| {
        let ChangeView { article_number, article_name, weight_per_base_unit, problem, .. } =
            ChangeView::new(&change, request.language);
        vec![
            Entry::Text(article_number),
            change.article_number().into(),
            Entry::Text(article_name),
            change.article_name().into(),
            weight_per_base_unit.into(),
            change.weight_per_base_unit().into(),
            problem.as_deref().into(),
        ]
    };
    let take = async |changes: Vec<Change>| spool.add(changes.into_iter().map(entries).collect()).await;
    article_type::each_change(&state.db, by.scope(), id, &input, take).await?;
    Ok(saved(format!("{}.csv", own.text(&["effect", "list"])), spool.finish().await?))
}

/// An article type that is being edited.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ArticleTypePreviewInput {
    id: Option<i64>,
    #[serde(flatten)]
    article_type: ArticleTypeInput,
}

impl ToSchema for ArticleTypePreviewInput {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        ArticleTypeInput::schemas(schemas);
    }
}

/// The fields of [`ArticleTypeInput`] and `id`: derived, it would be an `allOf` that no value fulfils, since neither part
/// admits the fields of the other.
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

/// What the templates of an article type that is being edited are worth.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleTypePreview)]
struct PreviewView {
    /// What would be refused, by field.
    problems: BTreeMap<String, Vec<String>>,
    /// Primary attributes that the number template lacks.
    missing_primary: Vec<MissingAttribute>,
    /// What the templates can contain.
    placeholders: Vec<PlaceholderView>,
    /// Up to five articles of the type as they would be called; one of sample values where there are none.
    examples: Vec<ExampleView>,
}

/// A primary attribute that the number template lacks.
#[derive(Serialize, ToSchema)]
struct MissingAttribute {
    attribute_id: i64,
    name: String,
    placeholder: String,
}

/// A placeholder that templates can contain.
#[derive(Serialize, ToSchema)]
#[schema(as = Placeholder)]
struct PlaceholderView {
    placeholder: String,
    name: String,
    used_in_number: bool,
    used_in_name: bool,
}

/// An article as it would be called.
#[derive(Serialize, ToSchema)]
#[schema(as = ArticleTypeExample)]
#[expect(clippy::struct_field_names, reason = "the names on the wire")]
struct ExampleView {
    /// `null`: made of sample values.
    #[schema(required)]
    article_id: Option<i64>,
    article_number: String,
    article_name: String,
}

impl PreviewView {
    fn new(preview: Preview, language: Language) -> Self {
        let Preview { problems, missing_primary, placeholders, examples } = preview;
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
        let Example { article_id, article_number, article_name } = example;
        Self { article_id, article_number, article_name }
    }
}

/// Shows what the templates of an article type that is being edited would give.
#[utoipa::path(post, path = "/api/admin/article-types/preview")]
async fn preview(
    by: Authorized<may::ViewArticleType>,
    Db(db): Db,
    About(request): About,
    Body(ArticleTypePreviewInput { id, article_type }): Body<ArticleTypePreviewInput>,
) -> Answer<Shown<PreviewView>> {
    let preview = article_type::preview(&db, by.scope(), id, &article_type).await?;
    Ok(shown(PreviewView::new(preview, request.language)))
}

/// Shows where an article type is used.
#[utoipa::path(get, path = "/api/admin/article-types/{id}/usage")]
async fn usage(by: Authorized<may::ViewArticleType>, Db(db): Db, Id(id): Id) -> Answer<Shown<Whole<Usage>>> {
    Ok(shown(usage::of::<ArticleTypes>(&db, by.scope(), id).await?))
}
