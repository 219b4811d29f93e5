//! Attributes: categorial ones have options, metric ones a unit, custom ones neither. Options and settings
//! that articles use cannot be removed.

pub mod entity;
pub mod option_entity;
pub(crate) mod option_measure;
pub(crate) mod rules;

use std::collections::HashMap;

use lists::{Deletable, Detailed, Field, Listed};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};
use serde::{Deserialize, Serialize};
use store::{CacheTopic, Database, Owner, Part, Recorded, Resource, Scope, Scoped, Unique, Write, usage};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Decimal, Phrase, Result, Unit, UnitCategory,
    order::check_order,
    rule::{positive, printable},
    tidy,
};

use crate::{cache_topics, codes, permissions};

pub use self::{
    entity::{ActiveModel, AttributeType, Column, Entity as Attributes, Model as Attribute},
    option_entity::{Entity as AttributeOptions, Model as AttributeOption},
};

impl Scoped for Attributes {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for Attributes {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "attributes",
        Phrase { de: "Attribute", en: "attributes" },
        permissions::LIST_ATTRIBUTES,
    );
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<CacheTopic> = Some(cache_topics::CATALOGUE);
    const UNIQUE: &'static [Unique] = &[
        Unique::new("attribute_name_fold_key", "name", codes::TAKEN),
        Unique::new("attribute_placeholder_key", "name", codes::TAKEN),
    ];

    async fn remove_parts(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
        scope.remove_parts::<AttributeOptions>(tx, id, Condition::all()).await
    }
}

impl Part for AttributeOptions {
    type Whole = Attributes;
    const WHOLE: option_entity::Column = option_entity::Column::AttributeId;
    const IS_REFERRED_TO: bool = true;
}

impl Listed for Attributes {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold),
        Field::choice("type", &Column::Type, &["categorial", "metric", "custom"]),
        Field::integer("position", &Column::Position),
        Field::bool("primary", &Column::Primary),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "position";
}

/// Input to create or change an attribute.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct AttributeInput {
    /// Name; unique, ignoring case. Templates write it in lower case, as in `{hoehe}` for `Höhe`.
    #[schema(min_length = 1, max_length = 255, example = "Höhe")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Kind of values. Cannot be changed while article types use the attribute.
    pub r#type: AttributeType,
    /// True if article types propose the attribute as part of the article number.
    #[serde(default)]
    pub primary: bool,
    /// Category of units, for a metric attribute. Cannot be changed while article types use the attribute.
    pub unit_category: Option<UnitCategory>,
    /// Unit in which values of a metric attribute are shown, and entered if no unit is given.
    pub default_unit: Option<Unit>,
    /// Options of a categorial attribute, in order.
    #[serde(default)]
    #[schema(max_items = 2000)]
    #[validate(length(max = 2000), nested)]
    pub options: Vec<OptionInput>,
    /// Weight in kg of one base unit of an article per base unit of this metric attribute: a sheet's m² per
    /// mm of thickness.
    #[validate(custom(function = positive::<12, 6>))]
    pub weight_per_base_unit: Option<Decimal>,
    /// Number of articles that the user has confirmed to change; the request is rejected unless it equals the
    /// actual number.
    #[schema(example = 12)]
    pub change_articles: Option<u64>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

/// Option of a categorial attribute.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OptionInput {
    /// Id of the existing option; absent for a new one. Options that are left out are removed.
    pub id: Option<i64>,
    /// Name that people choose by; unique within the attribute.
    #[schema(min_length = 1, max_length = 255, example = "HEB 200")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Text in article numbers; unique within the attribute.
    #[schema(min_length = 1, max_length = 255, example = "200")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub value: String,
    /// Text in article names; the option's name if absent.
    #[schema(max_length = 255, example = "HEB 200")]
    #[validate(length(max = 255), custom(function = printable))]
    pub display_value: Option<String>,
    /// Weight in kg of one base unit of an article with this option.
    #[validate(custom(function = positive::<12, 6>))]
    pub weight_per_base_unit: Option<Decimal>,
}

tidy!(AttributeInput: trim name; parts options;);
tidy!(OptionInput: trim name, value; or_none display_value;);

const OPTIONS_MAX: usize = 2000;

/// Attribute with its options in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeDetail {
    pub attribute: Attribute,
    pub options: Vec<AttributeOption>,
}

impl<C: ConnectionTrait> Detailed<C> for Attributes {
    type Detail = AttributeDetail;

    /// Loads the options of attributes.
    async fn detailed(db: &C, scope: &Scope, rows: Vec<Attribute>) -> Result<Vec<AttributeDetail>> {
        let mut options = options(db, scope, rows.iter().map(|attribute| attribute.id)).await?;
        let detail = |attribute: Attribute| AttributeDetail {
            options: options.remove(&attribute.id).unwrap_or_default(),
            attribute,
        };
        Ok(rows.into_iter().map(detail).collect())
    }
}

/// Loads an attribute with its options.
pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<AttributeDetail> {
    let attribute = scope.get::<Attributes>(db, id).await?;
    let options = options(db, scope, [id]).await?.remove(&id).unwrap_or_default();
    Ok(AttributeDetail { attribute, options })
}

/// Loads the options of attributes by attribute id, each list in order.
pub(crate) async fn options(
    db: &impl ConnectionTrait,
    scope: &Scope,
    attributes: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Vec<AttributeOption>>> {
    let rows = scope
        .parts::<AttributeOptions>(attributes)
        .order_by_asc(option_entity::Column::Position)
        .order_by_asc(option_entity::Column::Id)
        .all(db)
        .await?;
    let mut options = HashMap::<_, Vec<_>>::new();
    for option in rows {
        options.entry(option.attribute_id).or_default().push(option);
    }
    Ok(options)
}

/// Loads the names of options, for records that show them by their ids.
pub async fn option_names(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>> {
    let options = scope.all_parts::<AttributeOptions>().filter(option_entity::Column::Id.is_in(ids));
    Ok(options.all(db).await?.into_iter().map(|option| (option.id, option.name)).collect())
}

/// Field that can be changed in many attributes in one request.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "field", content = "value", rename_all = "snake_case")]
pub enum AttributeFieldChange {
    Primary(bool),
}

impl From<AttributeDetail> for AttributeInput {
    fn from(AttributeDetail { attribute, options }: AttributeDetail) -> Self {
        let Attribute {
            name,
            r#type,
            primary,
            unit_category,
            default_unit,
            weight_per_base_unit,
            version,
            ..
        } = attribute;
        let options = options.into_iter().map(OptionInput::from).collect();
        let version = Some(version);
        Self {
            name,
            r#type,
            primary,
            unit_category,
            default_unit,
            options,
            weight_per_base_unit,
            change_articles: None,
            version,
        }
    }
}

impl From<AttributeOption> for OptionInput {
    fn from(option: AttributeOption) -> Self {
        let AttributeOption { id, name, value, display_value, weight_per_base_unit, .. } = option;
        Self { id: Some(id), name, value, display_value, weight_per_base_unit }
    }
}

impl Deletable for Attributes {
    /// Deletes an attribute. Refused while article types use it.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, scope, id, |_| Ok(())).await
    }
}

/// Puts all attributes into the order `ids`, which the caller derived from the order `previous_ids`.
///
/// # Errors
/// If another user has changed the order or has added or deleted an attribute since; if an id is missing,
/// unknown or named twice.
pub async fn reorder(db: &Database, scope: &Scope, ids: &[i64], previous_ids: &[i64]) -> Result<()> {
    scope.claim::<Attributes>()?;
    let tx = db.begin_alone::<Attributes>().await?;
    let ordered = scope.find::<Attributes>().order_by_asc(Column::Position).order_by_asc(Column::Id);
    let current: Vec<i64> = ordered.select_only().column(Column::Id).into_tuple().all(&tx).await?;
    check_order(ids, previous_ids, &current)?;
    scope.arrange::<Attributes>(&tx, Column::Position, ids).await?;
    tx.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests;
