//! Preview of the article numbers and names that an edited article type gives.

use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect};
use store::Scope;
use values::{Decimal, Result, Unit, Validated, Violations, code::Word};

use super::{
    ArticleTypeInput, articles_of,
    rules::{TypeReferences, draft},
};
use crate::{
    article::entity::{self as article, Model as Article},
    attribute::{Attribute, AttributeDetail, AttributeType},
    blueprint::{Blueprint, BlueprintAttribute},
    material::{Material, Materials},
    shape::Dimension,
    template::{MATERIAL, TRADE_DIMENSION},
    value::{AttributeValues, Value},
    words,
};

/// Result of the templates of an edited article type.
#[derive(Debug)]
pub struct ArticleTypePreview {
    pub problems: Violations,
    /// Primary attributes that the number template lacks.
    pub missing_primary: Vec<Attribute>,
    pub placeholders: Vec<PlaceholderUse>,
    /// Articles of the type with the numbers and names of the edited templates; one with sample values if
    /// there are none.
    pub examples: Vec<Example>,
}

/// Placeholder that the templates can use, and which of them do.
#[derive(Debug, PartialEq, Eq)]
pub struct PlaceholderUse {
    pub placeholder: String,
    pub name: PlaceholderName,
    pub used_in_number: bool,
    pub used_in_name: bool,
}

/// Name of a placeholder for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaceholderName {
    Attribute(String),
    Word(Word),
}

/// Number and name of an article according to the edited templates.
#[derive(Debug, PartialEq, Eq)]
pub struct Example {
    /// Id of the article; `None` if it has sample values.
    pub article_id: Option<i64>,
    pub article_number: String,
    pub article_name: String,
    /// Length, area or weight of one piece, if its values give it.
    pub piece: Option<(Decimal, Unit)>,
}

const EXAMPLES: u64 = 5;

/// Previews an input for the article type `id`, or for a new one.
pub async fn preview(
    db: &impl ConnectionTrait,
    scope: &Scope,
    id: Option<i64>,
    input: &Validated<ArticleTypeInput>,
) -> Result<ArticleTypePreview> {
    let references = TypeReferences::load(db, scope, input).await?;
    let (blueprint, problems) = draft(input, &references);
    let attributes = input.attributes.iter();
    let attributes = attributes.filter_map(|attribute| references.attributes.get(&attribute.attribute_id));
    let attribute_names = attributes.map(|AttributeDetail { attribute, .. }| {
        (attribute.placeholder.clone(), PlaceholderName::Attribute(attribute.name.clone()))
    });
    let word_names = [(MATERIAL, words::MATERIAL)]
        .into_iter()
        .chain(references.trade_dimension.is_some().then_some((TRADE_DIMENSION, words::TRADE_DIMENSION)));
    let word_names =
        word_names.map(|(placeholder, word)| (placeholder.to_owned(), PlaceholderName::Word(word)));
    let placeholders = attribute_names.chain(word_names).map(|(placeholder, name)| {
        let (used_in_number, used_in_name) =
            blueprint.as_ref().map_or((false, false), |blueprint| blueprint.uses(&placeholder));
        PlaceholderUse { placeholder, name, used_in_number, used_in_name }
    });
    let placeholders = placeholders.collect();
    let Some(blueprint) = blueprint else {
        return Ok(ArticleTypePreview {
            problems,
            missing_primary: Vec::new(),
            placeholders,
            examples: Vec::new(),
        });
    };
    Ok(ArticleTypePreview {
        problems,
        missing_primary: blueprint.missing_primary().cloned().collect(),
        placeholders,
        examples: examples(db, scope, id, &blueprint).await?,
    })
}

async fn examples(
    db: &impl ConnectionTrait,
    scope: &Scope,
    id: Option<i64>,
    blueprint: &Blueprint,
) -> Result<Vec<Example>> {
    let rows: Vec<(Article, Option<Material>)> = match id {
        Some(id) => {
            articles_of(scope, id)
                .find_also_related(Materials)
                .order_by_asc(article::Column::ArticleNumberSort)
                .limit(EXAMPLES)
                .all(db)
                .await?
        }
        None => Vec::new(),
    };
    let mut examples: Vec<_> = rows
        .into_iter()
        .filter_map(|(article, material)| {
            example(Some(article.id), blueprint, material.as_ref(), &article.attribute_values)
        })
        .collect();
    if examples.is_empty() {
        let material = scope.find::<Materials>().limit(1).one(db).await?;
        examples.extend(example(None, blueprint, material.as_ref(), &samples(blueprint)));
    }
    Ok(examples)
}

pub(super) fn example(
    article_id: Option<i64>,
    blueprint: &Blueprint,
    material: Option<&Material>,
    values: &AttributeValues,
) -> Option<Example> {
    let rendered = blueprint.render(material, values).ok()?;
    Some(Example {
        article_id,
        article_number: rendered.article_number,
        article_name: rendered.article_name,
        piece: blueprint.piece(values),
    })
}

/// Sample value for each attribute: the first option, a length of the first range, a hundred of the default
/// unit, or the attribute's name.
pub(super) fn samples(blueprint: &Blueprint) -> AttributeValues {
    let first_cluster = blueprint
        .trade_dimension
        .as_ref()
        .and_then(|trade_dimension| trade_dimension.ladder.clusters().first());
    let sample = |attribute: &BlueprintAttribute| match attribute.r#type {
        AttributeType::Metric
            if attribute.dimension == Some(Dimension::Length) && first_cluster.is_some() =>
        {
            first_cluster.map(|cluster| Value::Number(cluster.inside()))
        }
        AttributeType::Categorial => attribute.options().first().map(|option| Value::Option(option.id)),
        AttributeType::Metric => attribute.measure(Decimal::from(100), None).ok(),
        AttributeType::Custom => Some(Value::Text(attribute.name.clone())),
    };
    let attributes = blueprint.attributes().iter();
    attributes.filter_map(|attribute| Some((attribute.id, sample(attribute)?))).collect()
}
