//! Article types. The number template shows every primary attribute, and properties that articles depend on
//! cannot be changed while there are articles of the type.

pub mod attribute_entity;
pub mod entity;
pub mod group;
mod preview;
pub(crate) mod rules;

use std::collections::HashMap;

use lists::{Detailed, Field, Listed, listed_reference, search::SearchedColumns};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    sea_query::{Query, SelectStatement, SimpleExpr},
};
use serde::{Deserialize, Serialize};
use store::{CacheTopic, Database, Owner, Part, Recorded, Resource, Scope, Scoped, Unique, Write, usage};
use utoipa::ToSchema;
use validator::Validate;
use values::{Phrase, Result, Unit, Violations, rule::printable, tidy};

use self::group::{ArticleTypeGroup, ArticleTypeGroups};
use crate::{
    article::entity::{self as article, Entity as Articles},
    attribute::{Attribute, Attributes},
    cache_topics, codes, designation, permissions,
    shape::{Dimension, Shape},
    trade_dimension::{TradeDimension, TradeDimensions},
};

pub(crate) use self::rules::check_measuring;
pub use self::{
    attribute_entity::{Entity as TypeAttributes, Model as TypeAttribute},
    entity::{ActiveModel, Column, Entity as ArticleTypes, Model as ArticleType},
    preview::{ArticleTypePreview, Example, PlaceholderName, PlaceholderUse, preview},
};

impl Scoped for ArticleTypes {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for ArticleTypes {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "article_types",
        Phrase { de: "Artikeltypen", en: "article types" },
        permissions::LIST_ARTICLE_TYPES,
    )
    .refers(&[
        listed_reference::<Self, ArticleTypeGroups>("article_type_group_id"),
        listed_reference::<Self, Attributes>("attribute_id"),
        listed_reference::<Self, TradeDimensions>("trade_dimension_id"),
    ]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<CacheTopic> = Some(cache_topics::CATALOGUE);
    const UNIQUE: &'static [Unique] = &[Unique::new("article_type_name_fold_key", "name", codes::TAKEN)];

    async fn remove_parts(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
        scope.remove_parts::<TypeAttributes>(tx, id, Condition::all()).await
    }
}

impl Part for TypeAttributes {
    type Whole = ArticleTypes;
    const WHOLE: attribute_entity::Column = attribute_entity::Column::ArticleTypeId;
}

/// Selects the article types of these groups.
pub(crate) fn select_by_groups(groups: Vec<i64>) -> SelectStatement {
    ids_where(Column::ArticleTypeGroupId.is_in(groups))
}

/// Selects the article types with these commercial lengths.
pub(crate) fn select_by_trade_dimensions(dimensions: Vec<i64>) -> SelectStatement {
    ids_where(Column::TradeDimensionId.is_in(dimensions))
}

fn ids_where(condition: SimpleExpr) -> SelectStatement {
    Query::select().column(Column::Id).from(ArticleTypes).and_where(condition).take()
}

impl Listed for ArticleTypes {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::search("search", &Column::NameFold, &SEARCHED),
        Field::choice("base_unit_of_measure", &Column::BaseUnitOfMeasure, Unit::NAMES).unsorted(),
        Field::id("article_type_group_id", &Column::ArticleTypeGroupId).optional(),
        Field::id("trade_dimension_id", &Column::TradeDimensionId).optional(),
        Field::part_id(
            "attribute_id",
            &attribute_entity::Column::AttributeId,
            &attribute_entity::Column::ArticleTypeId,
        )
        .optional(),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[&Column::NameFold],
    trigrams: None,
    references: &[],
    read: designation::article_types,
    beginnings: None,
};

/// Input to create or change an article type.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ArticleTypeInput {
    /// Name; unique, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Breitflanschträger HEB")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Template of article numbers: text with `{placeholder}`, `{placeholder:unit}` or
    /// `{placeholder:unit:decimals}`; `{{` and `}}` are literal braces. Contains all primary attributes. A
    /// change renumbers the articles that follow it.
    #[schema(min_length = 1, max_length = 255, example = "HEB-{hoehe}-{material}")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub article_number_template: String,
    /// Template of article names; same syntax as the number template.
    #[schema(min_length = 1, max_length = 255, example = "HEB {hoehe} {material}")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub article_name_template: String,
    /// Unit of stock quantities and weights. Cannot be changed while there are articles.
    pub base_unit_of_measure: Unit,
    /// Unit in which articles are offered.
    pub listing_unit_of_measure: Unit,
    /// Unit that prices are for.
    pub price_unit_of_measure: Unit,
    /// Id of the article type group.
    pub article_type_group_id: Option<i64>,
    /// Shape of the cross section, if weights are calculated from it; attributes measure its dimensions.
    /// Otherwise weights follow from those of attributes and options.
    pub section: Option<Shape>,
    /// Id of the commercial length; only for articles with a length, which always falls into one of its
    /// ranges.
    pub trade_dimension_id: Option<i64>,
    /// Attributes in order. Cannot be added or removed while there are articles.
    #[schema(min_items = 1, max_items = 100)]
    #[validate(length(min = 1, max = 100))]
    pub attributes: Vec<TypeAttributeInput>,
    /// Number of articles that the user has confirmed to change; the request is rejected unless it equals the
    /// actual number.
    #[schema(example = 12)]
    pub change_articles: Option<u64>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(ArticleTypeInput: trim name, article_number_template, article_name_template;);

/// Attribute of an article type.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TypeAttributeInput {
    pub attribute_id: i64,
    /// True if the attribute distinguishes articles and is therefore part of the article number.
    #[serde(default)]
    pub primary: bool,
    /// Dimension of the article that the attribute measures; each at most once. The attribute is metric and
    /// of the dimension's category, or its options name the measure (`6000`, `6 m`; a format as `1000x2000`).
    /// An article type with a length is sold by length. With length and width, a format, or the area or
    /// weight of a piece, articles are counted in pieces.
    pub dimension: Option<Dimension>,
}

const ATTRIBUTES_MAX: usize = 100;

/// Article type with its group, its commercial length, its attributes in order and the number of its
/// articles.
#[derive(Debug, Clone)]
pub struct ArticleTypeDetail {
    pub article_type: ArticleType,
    pub group: Option<ArticleTypeGroup>,
    pub trade_dimension: Option<TradeDimension>,
    pub attributes: Vec<(TypeAttribute, Attribute)>,
    pub article_count: u64,
}

impl<C: ConnectionTrait> Detailed<C> for ArticleTypes {
    type Detail = ArticleTypeDetail;

    /// Loads the attributes of article types and the numbers of their articles.
    async fn detailed(db: &C, scope: &Scope, rows: Vec<ArticleType>) -> Result<Vec<ArticleTypeDetail>> {
        let ids: Vec<i64> = rows.iter().map(|article_type| article_type.id).collect();
        let mut attributes = attributes(db, scope, &ids).await?;
        let articles: Vec<(i64, i64)> = scope
            .find::<Articles>()
            .select_only()
            .column(article::Column::ArticleTypeId)
            .column_as(article::Column::Id.count(), "articles")
            .filter(article::Column::ArticleTypeId.is_in(ids))
            .group_by(article::Column::ArticleTypeId)
            .into_tuple()
            .all(db)
            .await?;
        let articles: HashMap<i64, i64> = articles.into_iter().collect();
        let groups = rows.iter().filter_map(|article_type| article_type.article_type_group_id);
        let groups = by_id::<ArticleTypeGroups>(db, scope, groups, |group| group.id).await?;
        let ladders = rows.iter().filter_map(|article_type| article_type.trade_dimension_id);
        let ladders = by_id::<TradeDimensions>(db, scope, ladders, |ladder| ladder.id).await?;
        let detail = |article_type: ArticleType| ArticleTypeDetail {
            group: article_type.article_type_group_id.and_then(|id| groups.get(&id).cloned()),
            trade_dimension: article_type.trade_dimension_id.and_then(|id| ladders.get(&id).cloned()),
            attributes: attributes.remove(&article_type.id).unwrap_or_default(),
            article_count: articles.get(&article_type.id).copied().unwrap_or_default().unsigned_abs(),
            article_type,
        };
        Ok(rows.into_iter().map(detail).collect())
    }
}

/// Loads an article type with its attributes.
pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<ArticleTypeDetail> {
    let article_type = scope.get::<ArticleTypes>(db, id).await?;
    let attributes = attributes(db, scope, &[id]).await?.remove(&id).unwrap_or_default();
    let article_count = articles_of(scope, id).count(db).await?;
    let group =
        by_id::<ArticleTypeGroups>(db, scope, article_type.article_type_group_id, |group| group.id).await?;
    let ladder =
        by_id::<TradeDimensions>(db, scope, article_type.trade_dimension_id, |ladder| ladder.id).await?;
    Ok(ArticleTypeDetail {
        article_type,
        group: group.into_values().next(),
        trade_dimension: ladder.into_values().next(),
        attributes,
        article_count,
    })
}

async fn by_id<E: Scoped>(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
    id: fn(&E::Model) -> i64,
) -> Result<HashMap<i64, E::Model>> {
    let rows = scope.find::<E>().filter(E::ID.is_in(ids)).all(db).await?;
    Ok(rows.into_iter().map(|row| (id(&row), row)).collect())
}

async fn attributes(
    db: &impl ConnectionTrait,
    scope: &Scope,
    types: &[i64],
) -> Result<HashMap<i64, Vec<(TypeAttribute, Attribute)>>> {
    let rows = scope
        .parts::<TypeAttributes>(types.iter().copied())
        .find_also_related(Attributes)
        .order_by_asc(attribute_entity::Column::Position)
        .all(db)
        .await?;
    let mut attributes = HashMap::<_, Vec<_>>::new();
    for (row, attribute) in rows {
        attributes
            .entry(row.article_type_id)
            .or_default()
            .extend(attribute.map(|attribute| (row, attribute)));
    }
    Ok(attributes)
}

pub(crate) fn articles_of(scope: &Scope, id: i64) -> Select<Articles> {
    scope.find::<Articles>().filter(article::Column::ArticleTypeId.eq(id))
}

/// Field that can be changed in many article types in one request.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "field", content = "value", rename_all = "snake_case")]
pub enum ArticleTypeFieldChange {
    ArticleTypeGroupId(Option<i64>),
    ListingUnitOfMeasure(Unit),
    PriceUnitOfMeasure(Unit),
}

impl From<ArticleTypeDetail> for ArticleTypeInput {
    fn from(ArticleTypeDetail { article_type, attributes, .. }: ArticleTypeDetail) -> Self {
        let attributes = attributes.into_iter().map(|(row, _)| TypeAttributeInput {
            attribute_id: row.attribute_id,
            primary: row.primary,
            dimension: row.dimension,
        });
        Self {
            name: article_type.name,
            article_number_template: article_type.article_number_template,
            article_name_template: article_type.article_name_template,
            base_unit_of_measure: article_type.base_unit_of_measure,
            listing_unit_of_measure: article_type.listing_unit_of_measure,
            price_unit_of_measure: article_type.price_unit_of_measure,
            article_type_group_id: article_type.article_type_group_id,
            section: article_type.section,
            trade_dimension_id: article_type.trade_dimension_id,
            attributes: attributes.collect(),
            change_articles: None,
            version: Some(article_type.version),
        }
    }
}

/// Deletes an article type. Refused while it has articles; the name must be repeated in `confirm`.
pub async fn delete(db: &Database, scope: &Scope, id: i64, confirm: &str) -> Result<()> {
    let retyped = |article_type: &ArticleType| {
        if confirm.trim() == article_type.name {
            return Ok(());
        }
        Err(Violations::error("confirm", codes::CONFIRMATION_MISMATCH.with("expected", &article_type.name)))
    };
    usage::delete::<ArticleTypes>(db, scope, id, retyped).await
}

#[cfg(test)]
mod tests;
