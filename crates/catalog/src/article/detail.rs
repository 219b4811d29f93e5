//! Articles as clients read them, with the data of their type and material.

use std::collections::HashMap;

use store::{Database, Scope};
use values::{Decimal, Error, Instant, Language, Result, Unit, unit::convert_exactly};

use super::{Article, ListedArticle, OwnImage, other_number::OtherNumber};
use crate::{
    attribute::AttributeType,
    blueprint::{Blueprint, BlueprintAttribute, display_text},
    catalogue::Catalogue,
    image::ImageInfo,
    shape::{Dimension, Shape},
    template::DecimalSign,
    trade_dimension::Cluster,
    value::{AttributeValues, Value},
};

/// Article as lists show it.
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
    /// Picture of the article itself.
    pub image: Option<ImageInfo>,
    /// Values in the order of the article type; only if the list requested them.
    pub values: Option<Vec<ValueDetail>>,
    pub version: i64,
    pub updated_at: Instant,
}

/// Article with its values in the order of the article type.
#[derive(Debug, Clone)]
pub struct ArticleDetail {
    pub row: ArticleRow,
    pub article_number_overridden: bool,
    pub article_name_overridden: bool,
    pub weight_per_base_unit_overridden: bool,
    /// Section of the article type.
    pub section: Option<Shape>,
    /// Density of the material in kg/dm³.
    pub density: Option<Decimal>,
    /// Range of the type's commercial length that the length falls into.
    pub cluster: Option<Cluster>,
    /// Dimensions that the values give, in the base units of their categories.
    pub dimensions: HashMap<Dimension, Decimal>,
    pub values: Vec<ValueDetail>,
    /// Other numbers in the order in which they were added.
    pub other_numbers: Vec<OtherNumber>,
    pub created_at: Instant,
}

/// Value of one attribute, as people read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueDetail {
    pub attribute_id: i64,
    pub name: String,
    pub r#type: AttributeType,
    pub option_id: Option<i64>,
    /// Number in `unit`.
    pub number: Option<Decimal>,
    /// Default unit of the attribute, or the stored unit if the default one cannot represent the number.
    pub unit: Option<Unit>,
    pub text: Option<String>,
    /// Dimension of the article that the attribute measures.
    pub dimension: Option<Dimension>,
    option: Option<String>,
}

impl ValueDetail {
    pub(super) fn new(attribute: &BlueprintAttribute, value: Value) -> Self {
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
                detail.option = attribute.option(option).map(|option| display_text(option).to_owned());
            }
            Value::Number(number) => {
                let base = default_unit.map(|unit| unit.category().base());
                let in_default_unit =
                    base.zip(default_unit).and_then(|(base, unit)| convert_exactly(number, base, unit));
                detail.number = in_default_unit.or(Some(number));
                detail.unit = if in_default_unit.is_some() { default_unit } else { base };
            }
            Value::Text(text) => detail.text = Some(text),
        }
        detail
    }

    /// Formats the value as one text: `200`, `12,1 m`.
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

/// Adds names of types and materials to articles.
pub(super) async fn rows(
    db: &Database,
    scope: &Scope,
    articles: Vec<ListedArticle>,
) -> Result<Vec<ArticleRow>> {
    let types = articles.iter().map(|listed| listed.article_type_id);
    let catalogue = Catalogue::with_types(db, scope, types).await?;
    articles.into_iter().map(|listed| row_of(&catalogue, listed)).collect()
}

fn values_of(blueprint: &Blueprint, values: &AttributeValues) -> Vec<ValueDetail> {
    let values = blueprint
        .attributes()
        .iter()
        .filter_map(|attribute| Some(ValueDetail::new(attribute, values.get(attribute.id)?.clone())));
    values.collect()
}

impl From<Article> for ListedArticle {
    /// Row without a picture and without values, which a detail view shows separately.
    fn from(article: Article) -> Self {
        Self {
            id: article.id,
            article_type_id: article.article_type_id,
            material_id: article.material_id,
            article_number: article.article_number,
            article_name: article.article_name,
            attribute_values: None,
            weight_per_base_unit: article.weight_per_base_unit,
            version: article.version,
            updated_at: article.updated_at,
            image: OwnImage::default(),
        }
    }
}

fn row_of(catalogue: &Catalogue, listed: ListedArticle) -> Result<ArticleRow> {
    let blueprint = blueprint_of(catalogue, listed.article_type_id)?;
    let material = listed.material_id.and_then(|id| catalogue.material(id));
    Ok(ArticleRow {
        id: listed.id,
        article_number: listed.article_number,
        article_name: listed.article_name,
        article_type_id: listed.article_type_id,
        article_type_name: blueprint.article_type.name.clone(),
        base_unit_of_measure: blueprint.article_type.base_unit_of_measure,
        material_id: listed.material_id,
        material_name: material.map(|material| material.name.clone()),
        weight_per_base_unit: listed.weight_per_base_unit,
        image: listed.image.into(),
        values: listed.attribute_values.map(|values| values_of(blueprint, &values)),
        version: listed.version,
        updated_at: listed.updated_at,
    })
}

/// Blueprint of an article that was read before the catalogue; not found if the type, and with it the
/// article, has been deleted since.
fn blueprint_of(catalogue: &Catalogue, article_type: i64) -> Result<&Blueprint> {
    catalogue.blueprint(article_type).ok_or_else(Error::not_found)
}

/// Adds everything that type and material say about an article.
pub(super) fn detail(
    catalogue: &Catalogue,
    article: Article,
    other_numbers: Vec<OtherNumber>,
    image: Option<ImageInfo>,
) -> Result<ArticleDetail> {
    let blueprint = blueprint_of(catalogue, article.article_type_id)?;
    let material = article.material_id.and_then(|id| catalogue.material(id));
    Ok(ArticleDetail {
        values: values_of(blueprint, &article.attribute_values),
        other_numbers,
        density: material.and_then(|material| material.density),
        article_number_overridden: article.article_number_overridden,
        article_name_overridden: article.article_name_overridden,
        weight_per_base_unit_overridden: article.weight_per_base_unit_overridden,
        section: blueprint.article_type.section,
        cluster: blueprint.cluster(&article.attribute_values).cloned(),
        dimensions: blueprint.dimensions(&article.attribute_values),
        created_at: article.created_at,
        row: ArticleRow { image, ..row_of(catalogue, article.into())? },
    })
}
