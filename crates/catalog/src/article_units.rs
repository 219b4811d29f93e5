//! Articles with the units that they can be counted in and the conversions between these. Loaded for many
//! articles together, from the current rows of the database.

use std::collections::HashMap;

use sea_orm::{
    ColumnTrait, ConnectionTrait, FromQueryResult, JoinType, QueryFilter, QueryOrder, QuerySelect,
    RelationTrait, sea_query::IntoCondition,
};
use store::{Database, Scope, versioned_cache};
use values::{Decimal, Result, Unit, UnitCategory, unit::convert};

use crate::{
    article::{Articles, entity as article},
    article_type::{TypeAttributes, attribute_entity, entity as article_type},
    attribute::{AttributeOption, AttributeOptions, option_entity, option_measure::read_option},
    cache_topics,
    catalogue::Catalogue,
    material::entity as material,
    quantity::{Relation, UnitSource, convert_to_all},
    shape::{Dimension, Shape},
    value::{AttributeValues, Value},
};

/// Article with the units that it can be counted in.
#[derive(Debug, Clone, PartialEq)]
pub struct ArticleUnits {
    pub id: i64,
    pub article_type_id: i64,
    pub material_id: Option<i64>,
    pub article_number: String,
    pub article_name: String,
    /// Unit of stock quantities.
    pub base_unit: Unit,
    /// Unit in which the article is offered.
    pub listing_unit: Unit,
    /// Unit that prices are for.
    pub price_unit: Unit,
    unit_source: UnitSource,
    /// Dimensions in the base units of their categories.
    dimensions: HashMap<Dimension, Decimal>,
    relations: Vec<Relation>,
}

/// Columns of [`ArticleRow`].
const COLUMNS: [article::Column; 7] = [
    article::Column::Id,
    article::Column::ArticleNumber,
    article::Column::ArticleName,
    article::Column::ArticleTypeId,
    article::Column::MaterialId,
    article::Column::AttributeValues,
    article::Column::WeightPerBaseUnit,
];

/// Columns of an article, without those of its type.
#[derive(FromQueryResult)]
struct ArticleRow {
    id: i64,
    article_number: String,
    article_name: String,
    article_type_id: i64,
    material_id: Option<i64>,
    attribute_values: AttributeValues,
    weight_per_base_unit: Option<Decimal>,
}

/// Columns of an article type that decide how its articles are counted.
#[derive(FromQueryResult)]
struct TypeRow {
    base_unit_of_measure: Unit,
    listing_unit_of_measure: Unit,
    price_unit_of_measure: Unit,
    section: Option<Shape>,
}

/// Article with its type and material.
#[derive(FromQueryResult)]
struct Row {
    #[sea_orm(nested)]
    article: ArticleRow,
    #[sea_orm(nested)]
    article_type: TypeRow,
    density: Option<Decimal>,
}

/// Article whose type and material come from the cached catalogue.
#[derive(FromQueryResult)]
struct CatalogueRow {
    #[sea_orm(nested)]
    article: ArticleRow,
    catalogue_version: i64,
}

/// Loads the articles that fulfil a condition, in the order of their ids, with two statements.
pub async fn load(
    db: &impl ConnectionTrait,
    scope: &Scope,
    which: impl IntoCondition,
) -> Result<Vec<ArticleUnits>> {
    let rows = scope
        .find::<Articles>()
        .select_only()
        .columns(COLUMNS)
        .columns([
            article_type::Column::BaseUnitOfMeasure,
            article_type::Column::ListingUnitOfMeasure,
            article_type::Column::PriceUnitOfMeasure,
            article_type::Column::Section,
        ])
        .column(material::Column::Density)
        .join(JoinType::InnerJoin, article::Relation::ArticleType.def())
        .join(JoinType::LeftJoin, article::Relation::Material.def())
        .filter(which.into_condition())
        .order_by_asc(article::Column::Id);
    let rows: Vec<Row> = rows.into_model().all(db).await?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let mut types: Vec<i64> = rows.iter().map(|row| row.article.article_type_id).collect();
    types.sort_unstable();
    types.dedup();
    let attributes = scope
        .all_parts::<TypeAttributes>()
        .filter(attribute_entity::Column::ArticleTypeId.is_in(types))
        .filter(attribute_entity::Column::Dimension.is_not_null())
        .all(db)
        .await?;
    let mut dimensions: HashMap<i64, Vec<(Dimension, i64)>> = HashMap::new();
    for attribute in attributes {
        let of_type = dimensions.entry(attribute.article_type_id).or_default();
        of_type.extend(attribute.dimension.map(|dimension| (dimension, attribute.attribute_id)));
    }
    let of_type = |row: &Row| dimensions.get(&row.article.article_type_id).map_or(&[][..], Vec::as_slice);
    let options = measuring_options(db, scope, rows.iter().map(|row| (row, of_type(row)))).await?;
    let measured = |row: Row| {
        let dimensions = dimensions_of(&row.article, of_type(&row), &options);
        row.article.into_measured(&row.article_type, row.density, dimensions)
    };
    Ok(rows.into_iter().map(measured).collect())
}

/// Loads the articles that fulfil a condition, in the order of their ids, with one statement. Types and
/// materials come from the catalogue at the version of that statement, or a newer one.
pub async fn load_with_catalogue(
    db: &Database,
    scope: &Scope,
    which: impl IntoCondition,
) -> Result<Vec<ArticleUnits>> {
    let rows = scope
        .find::<Articles>()
        .select_only()
        .columns(COLUMNS)
        .column_as(versioned_cache::version_column(cache_topics::CATALOGUE), "catalogue_version")
        .filter(which.into_condition())
        .order_by_asc(article::Column::Id);
    let rows: Vec<CatalogueRow> = rows.into_model().all(db).await?;
    let Some(version) = rows.first().map(|row| row.catalogue_version) else { return Ok(Vec::new()) };
    let (catalogue, _) = db.compiled_since::<Catalogue>(version).await?;
    // An article whose type is no longer there has been deleted too.
    Ok(rows.into_iter().filter_map(|row| measure_by_catalogue(row.article, &catalogue)).collect())
}

/// Measures an article by the catalogue; `None` if its type is not in it.
fn measure_by_catalogue(article: ArticleRow, catalogue: &Catalogue) -> Option<ArticleUnits> {
    let blueprint = catalogue.blueprint(article.article_type_id)?;
    let material = article.material_id.and_then(|id| catalogue.material(id));
    let article_type = TypeRow {
        base_unit_of_measure: blueprint.article_type.base_unit_of_measure,
        listing_unit_of_measure: blueprint.article_type.listing_unit_of_measure,
        price_unit_of_measure: blueprint.article_type.price_unit_of_measure,
        section: blueprint.article_type.section,
    };
    let dimensions = blueprint.dimensions(&article.attribute_values);
    Some(article.into_measured(&article_type, material.and_then(|material| material.density), dimensions))
}

/// Loads the options that articles have for attributes with a dimension, by id.
async fn measuring_options<'r>(
    db: &impl ConnectionTrait,
    scope: &Scope,
    rows: impl Iterator<Item = (&'r Row, &'r [(Dimension, i64)])>,
) -> Result<HashMap<i64, AttributeOption>> {
    let mut ids: Vec<i64> = rows
        .flat_map(|(row, attributes)| {
            attributes.iter().filter_map(|(_, attribute)| {
                match row.article.attribute_values.get(*attribute) {
                    Some(Value::Option(option)) => Some(*option),
                    _ => None,
                }
            })
        })
        .collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    ids.sort_unstable();
    ids.dedup();
    let options = scope.all_parts::<AttributeOptions>().filter(option_entity::Column::Id.is_in(ids));
    Ok(options.all(db).await?.into_iter().map(|option| (option.id, option)).collect())
}

/// Dimensions of an article from these attributes of its type, in the base units of their categories.
fn dimensions_of(
    article: &ArticleRow,
    attributes: &[(Dimension, i64)],
    options: &HashMap<i64, AttributeOption>,
) -> HashMap<Dimension, Decimal> {
    let measures = |measuring: Dimension, attribute: i64| match article.attribute_values.get(attribute) {
        Some(Value::Number(number)) => Some(vec![*number]),
        Some(Value::Option(option)) => read_option(options.get(option)?, measuring),
        _ => None,
    };
    let all = attributes.iter().flat_map(|(measuring, attribute)| {
        let measures = measures(*measuring, *attribute).unwrap_or_default();
        measuring.measured().iter().copied().zip(measures)
    });
    all.collect()
}

impl ArticleRow {
    fn into_measured(
        self,
        article_type: &TypeRow,
        density: Option<Decimal>,
        dimensions: HashMap<Dimension, Decimal>,
    ) -> ArticleUnits {
        let unit_source = UnitSource {
            base: article_type.base_unit_of_measure,
            section: article_type.section,
            density,
            weight: self.weight_per_base_unit,
        };
        ArticleUnits {
            id: self.id,
            article_type_id: self.article_type_id,
            material_id: self.material_id,
            article_number: self.article_number,
            article_name: self.article_name,
            base_unit: article_type.base_unit_of_measure,
            listing_unit: article_type.listing_unit_of_measure,
            price_unit: article_type.price_unit_of_measure,
            relations: unit_source.relations(|dimension| dimensions.get(&dimension).copied()),
            unit_source,
            dimensions,
        }
    }
}

impl ArticleUnits {
    /// Category of the extent: bars have a length, sheets and plates an area.
    pub fn extends_in(&self) -> UnitCategory {
        self.unit_source.extends_in()
    }

    /// Returns a dimension of the article itself, in the base unit of its category.
    pub fn dimension(&self, dimension: Dimension) -> Option<Decimal> {
        self.dimensions.get(&dimension).copied()
    }

    /// Known relations between units: the weight, and the length or area of a piece.
    pub fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// Converts a quantity of the article to another unit, rounded half away from zero to six places. `None`
    /// if no relation leads from one to the other, for example without a weight.
    pub fn convert(&self, amount: Decimal, from: Unit, to: Unit) -> Option<Decimal> {
        if from.category() == to.category() {
            return convert(amount, from, to);
        }
        let quantities = convert_to_all(&self.relations, amount, from);
        convert(*quantities.get(&to.category())?, to.category().base(), to)
    }

    /// Converts a quantity to the base unit, in which stock is stored. Counts, lengths and areas are
    /// converted exactly: `None` also if rounding would lose something. Conversions by weight, itself a
    /// rounded figure, are rounded to six places.
    pub fn in_base_unit(&self, amount: Decimal, from: Unit) -> Option<Decimal> {
        let base = self.base_unit;
        let by_weight = (from.category() == UnitCategory::Mass) != (base.category() == UnitCategory::Mass);
        let loses_nothing = |converted: &Decimal| self.convert(*converted, base, from) == Some(amount);
        self.convert(amount, from, base).filter(|converted| by_weight || loses_nothing(converted))
    }

    /// Weight in kg of a quantity in the base unit, rounded to three places; `None` without a weight.
    pub fn weight_of(&self, amount: Decimal) -> Option<Decimal> {
        Some(self.convert(amount, self.base_unit, Unit::Kilogram)?.rounded(3))
    }

    /// Units that the article can be counted in.
    pub fn units(&self) -> impl Iterator<Item = Unit> {
        Unit::ALL.iter().copied().filter(|unit| self.convert(Decimal::ONE, *unit, self.base_unit).is_some())
    }

    /// Exact weight of a quantity in the base unit, in trillionths of a kilogram; `None` without a weight.
    pub fn exact_weight_of(&self, amount: Decimal) -> Option<i128> {
        let amount = i128::from(amount.millionths());
        if self.base_unit.category() == UnitCategory::Mass {
            let (factor, divisor) = self.base_unit.factor();
            return Some(amount * 1_000_000 * i128::from(factor) / i128::from(divisor));
        }
        Some(amount * i128::from(self.unit_source.weight?.millionths()))
    }

    /// True if a conversion to this unit needs a weight that is missing.
    pub fn lacks_weight(&self, unit: Unit) -> bool {
        unit.category() == UnitCategory::Mass && self.convert(Decimal::ONE, unit, self.base_unit).is_none()
    }
}
