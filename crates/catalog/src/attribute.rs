//! Attributes: categorial ones have options, metric ones a unit, custom ones neither; what articles already use of an
//! attribute cannot be taken away from them.

use std::collections::{HashMap, HashSet};

use kernel::{
    Code, Database, Decimal, Field, Listed, Message, Owner, Part, Permission, Phrase, Recorded, Resource,
    Result, Scope, Scoped, Topic, Unique, Unit, UnitCategory, Validated, Violations, Write, fold,
    fold::slug,
    rule::{distinct, positive, printable, unique},
    scope::refuse_stale,
    tidy, usage,
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, DbBackend, DeriveActiveEnum, EnumIter, ExprTrait, QueryFilter,
    QueryOrder, QuerySelect, QueryTrait,
    prelude::StringLen,
    sea_query::{Expr, SimpleExpr},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

pub use crate::entity::{
    attribute::{ActiveModel, Column, Entity as Attributes, Model as Attribute},
    attribute_option::{Entity as AttributeOptions, Model as AttributeOption},
};
use crate::{
    article::Articles,
    article_type::{self, ArticleType, TypeAttributes},
    blueprint::{Blueprint, shown},
    effect::{Effect, follow, told},
    entity::{article, article_type_attribute, attribute_option},
    template::RESERVED,
};

/// What values of an attribute are.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum AttributeType {
    /// One of the attribute's options.
    Categorial,
    /// A number with a unit.
    Metric,
    /// Any text.
    Custom,
}

impl Scoped for Attributes {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for Attributes {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "attributes",
        Phrase { de: "Attribute", en: "attributes" },
        Permission::ListAttributes,
    );
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<Topic> = Some(Topic::Catalogue);
    const UNIQUE: &'static [Unique] = &[
        Unique::new("attribute_name_fold_key", "name", Code::Taken),
        Unique::new("attribute_placeholder_key", "name", Code::Taken),
    ];
}

impl Part for AttributeOptions {
    type Whole = Attributes;
    const WHOLE: attribute_option::Column = attribute_option::Column::AttributeId;
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

/// What a client says to create or change an attribute.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct AttributeInput {
    /// Unique, whatever its case. Templates write it in lower case, as in `{hoehe}` for `Höhe`.
    #[schema(min_length = 1, max_length = 255, example = "Höhe")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// What values of the attribute are. Cannot be changed while article types use the attribute.
    pub r#type: AttributeType,
    /// Whether article types propose it as part of the article number.
    #[serde(default)]
    pub primary: bool,
    /// What a metric attribute measures. Cannot be changed while article types use the attribute.
    pub unit_category: Option<UnitCategory>,
    /// The unit in which values of a metric attribute are shown, and entered where none is given.
    pub default_unit: Option<Unit>,
    /// The options of a categorial attribute, in order.
    #[serde(default)]
    #[schema(max_items = 2000)]
    #[validate(length(max = 2000), nested)]
    pub options: Vec<OptionInput>,
    /// kg that one base unit of an article weighs per base unit of this metric attribute: a sheet's m² per mm of
    /// thickness.
    #[validate(custom(function = positive::<12, 6>))]
    pub weight_per_base_unit: Option<Decimal>,
    /// How many articles were said to change: a change of others, or of more, has to be confirmed first.
    pub change_articles: Option<u64>,
    /// The version that was edited; an older one than the current is refused.
    pub version: Option<i64>,
}

/// One option of a categorial attribute.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OptionInput {
    /// The option that this was; none for a new one. Options that are left out are removed.
    pub id: Option<i64>,
    /// What people choose by; unique within the attribute.
    #[schema(min_length = 1, max_length = 255, example = "HEB 200")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// How article numbers write it; unique within the attribute.
    #[schema(min_length = 1, max_length = 255, example = "200")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub value: String,
    /// How article names write it; the option's name, if there is none.
    #[schema(max_length = 255)]
    #[validate(length(max = 255), custom(function = printable))]
    pub display_value: Option<String>,
    /// kg that one base unit of an article with this option weighs.
    #[validate(custom(function = positive::<12, 6>))]
    pub weight_per_base_unit: Option<Decimal>,
}

tidy!(AttributeInput: trim name; parts options;);
tidy!(OptionInput: trim name, value; or_none display_value;);

const OPTIONS_MAX: usize = 2000;

/// An attribute with its options in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeDetail {
    pub attribute: Attribute,
    pub options: Vec<AttributeOption>,
}

/// Attributes with their options.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    rows: Vec<Attribute>,
) -> Result<Vec<AttributeDetail>> {
    let mut options = options(db, scope, rows.iter().map(|attribute| attribute.id)).await?;
    let detail = |attribute: Attribute| AttributeDetail {
        options: options.remove(&attribute.id).unwrap_or_default(),
        attribute,
    };
    Ok(rows.into_iter().map(detail).collect())
}

pub async fn get(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<AttributeDetail> {
    let attribute = scope.get::<Attributes>(db, id).await?;
    let options = options(db, scope, [id]).await?.remove(&id).unwrap_or_default();
    Ok(AttributeDetail { attribute, options })
}

/// The options of attributes, each attribute's in order.
pub(crate) async fn options(
    db: &impl ConnectionTrait,
    scope: &Scope,
    attributes: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Vec<AttributeOption>>> {
    let rows = scope
        .parts::<AttributeOptions>(attributes)
        .order_by_asc(attribute_option::Column::Position)
        .order_by_asc(attribute_option::Column::Id)
        .all(db)
        .await?;
    let mut options = HashMap::<_, Vec<_>>::new();
    for option in rows {
        options.entry(option.attribute_id).or_default().push(option);
    }
    Ok(options)
}

/// The names of options, for records that show them by their ids.
pub async fn option_names(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<(i64, String)>> {
    let options = scope.all_parts::<AttributeOptions>().filter(attribute_option::Column::Id.is_in(ids));
    Ok(options.all(db).await?.into_iter().map(|option| (option.id, option.name)).collect())
}

/// The new attribute comes last.
pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<AttributeInput>>,
) -> Result<AttributeDetail> {
    let Rows { mut attribute, options, .. } = check(input.into(), &[])?;
    let tx = db.begin().await?;
    let last: Option<Option<i64>> = scope
        .find::<Attributes>()
        .select_only()
        .column_as(Column::Position.max(), "last")
        .into_tuple()
        .one(&tx)
        .await?;
    attribute.position = Set(last.flatten().unwrap_or_default() + 1);
    let attribute = scope.create::<Attributes>(&tx, attribute).await?;
    scope
        .add_parts::<AttributeOptions>(&tx, attribute.id, options.into_iter().map(|(_, option)| option))
        .await?;
    let created = get(&tx, scope, attribute.id).await?;
    tx.commit().await?;
    Ok(created)
}

/// Options keep their ids. Where the placeholder changes with the name, the templates follow; articles follow what they
/// show and weigh.
pub async fn update(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<AttributeInput>>,
) -> Result<AttributeDetail> {
    let input = input.into();
    let confirmed = input.change_articles;
    let tx = db.begin().await?;
    let (updated, blueprints) = write(&tx, scope, id, input).await?;
    follow(&tx, scope, &blueprints, confirmed, |_| match updated.attribute.r#type {
        AttributeType::Categorial => "options".to_owned(),
        AttributeType::Metric | AttributeType::Custom => "default_unit".to_owned(),
    })
    .await?;
    tx.commit().await?;
    Ok(updated)
}

/// What it would do to articles to change an attribute.
pub async fn effect(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<AttributeInput>>,
) -> Result<Effect> {
    let tx = db.begin().await?;
    let (_, blueprints) = write(&tx, scope, id, input.into()).await?;
    told(tx, scope, &blueprints).await
}

/// The changed attribute, and the article types whose articles follow.
async fn write(
    tx: &Write,
    scope: &Scope,
    id: i64,
    input: Validated<AttributeInput>,
) -> Result<(AttributeDetail, Vec<Blueprint>)> {
    // Article types come first, as where articles are written: otherwise the two could wait for each other.
    types_using(scope, id).lock_exclusive().all(tx).await?;
    let before = get(tx, scope, id).await?;
    refuse_stale(input.version, before.attribute.version)?;
    let Rows { version, attribute, options } = check(input, &before.options)?;
    let after = scope.update::<Attributes>(tx, id, version, attribute).await?;

    let types = types_using(scope, id).all(tx).await?;
    let mut violations = Violations::new();
    let mut fixed = |path: &str, changed: bool| {
        if changed && !types.is_empty() {
            violations.add(path, Code::TypeInUse.list("uses", types.iter().map(|using| &using.name)));
        }
    };
    fixed("type", before.attribute.r#type != after.r#type);
    fixed("unit_category", before.attribute.unit_category != after.unit_category);
    violations.check()?;

    if before.attribute.placeholder != after.placeholder {
        for article_type in &types {
            article_type::rename_placeholder(
                tx,
                scope,
                article_type,
                &before.attribute.placeholder,
                &after.placeholder,
            )
            .await?;
        }
    }
    save_options(tx, scope, &before, options, &types).await?;
    let updated = get(tx, scope, id).await?;
    let blueprints = if before.makes_the_same(&updated) {
        Vec::new()
    } else {
        Blueprint::load_some(tx, scope, types_using(scope, id)).await?
    };
    Ok((updated, blueprints))
}

impl AttributeDetail {
    /// Whether articles with the same values show and weigh the same.
    fn makes_the_same(&self, other: &Self) -> bool {
        let made = |option: &AttributeOption| {
            (option.value.clone(), shown(option).to_owned(), option.weight_per_base_unit)
        };
        let options: HashMap<i64, _> = other.options.iter().map(|option| (option.id, made(option))).collect();
        self.attribute.default_unit == other.attribute.default_unit
            && self.attribute.weight_per_base_unit == other.attribute.weight_per_base_unit
            && self
                .options
                .iter()
                .all(|option| options.get(&option.id).is_none_or(|other| *other == made(option)))
    }
}

/// A field that is changed in many attributes at once.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "field", content = "value", rename_all = "snake_case")]
pub enum AttributeFieldChange {
    Primary(bool),
}

/// Changes one field, by the rules of all.
pub async fn change(db: &Database, scope: &Scope, id: i64, change: &AttributeFieldChange) -> Result<()> {
    let mut input = AttributeInput::from(get(db, scope, id).await?);
    match change {
        AttributeFieldChange::Primary(primary) => input.primary = *primary,
    }
    update(db, scope, id, input).await.map(|_| ())
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

/// Refused while article types use it.
pub async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    usage::delete::<Attributes>(db, scope, id, |_| Ok(())).await
}

/// Puts all attributes into this order; every one must be named, once.
pub async fn reorder(db: &Database, scope: &Scope, ids: &[i64]) -> Result<()> {
    let tx = db.begin().await?;
    let known: HashSet<i64> = scope
        .find::<Attributes>()
        .select_only()
        .column(Column::Id)
        .into_tuple()
        .all(&tx)
        .await?
        .into_iter()
        .collect();
    let mut violations = Violations::new();
    unique(&mut violations, ids, |index| format!("ids.{index}"));
    for (index, id) in ids.iter().enumerate() {
        if !known.contains(id) {
            violations.add(format!("ids.{index}"), Code::UnknownReference);
        }
    }
    if violations.is_empty() && ids.len() < known.len() {
        violations.add("ids", Code::TooFew.with("min", known.len()));
    }
    violations.check()?;
    scope.arrange::<Attributes>(&tx, Column::Position, ids).await?;
    tx.commit().await?;
    Ok(())
}

/// The article types that use an attribute.
fn types_using(scope: &Scope, attribute_id: i64) -> sea_orm::Select<article_type::ArticleTypes> {
    let using = scope
        .find::<article_type::ArticleTypes>()
        .select_only()
        .column(article_type::Column::Id)
        .inner_join(TypeAttributes)
        .filter(article_type_attribute::Column::AttributeId.eq(attribute_id));
    scope
        .find::<article_type::ArticleTypes>()
        .filter(article_type::Column::Id.in_subquery(using.into_query()))
        .order_by_asc(article_type::Column::Id)
}

/// An input that keeps the rules, as rows.
struct Rows {
    version: Option<i64>,
    attribute: ActiveModel,
    /// With the ids of those that exist already.
    options: Vec<(Option<i64>, attribute_option::ActiveModel)>,
}

fn check(input: Validated<AttributeInput>, existing: &[AttributeOption]) -> Result<Rows> {
    let (input, mut violations) = input.parts();
    let AttributeInput {
        name,
        r#type,
        primary,
        unit_category,
        default_unit,
        options,
        weight_per_base_unit,
        change_articles: _,
        version,
    } = input;
    let placeholder = slug(&name);
    if !name.is_empty() && (placeholder.is_empty() || RESERVED.contains(&placeholder.as_str())) {
        violations.add("name", Code::InvalidPlaceholder.list("reserved", RESERVED));
    }
    unit_rules(&mut violations, r#type, unit_category, default_unit);
    match r#type {
        AttributeType::Categorial if options.is_empty() => violations.add("options", Code::OptionRequired),
        AttributeType::Categorial => {}
        AttributeType::Metric | AttributeType::Custom if options.is_empty() => {}
        AttributeType::Metric | AttributeType::Custom => violations.add("options", Code::OptionsNotAllowed),
    }
    if r#type == AttributeType::Custom && weight_per_base_unit.is_some() {
        violations.add("weight_per_base_unit", Code::WeightNotAllowed);
    }
    let options = check_options(&mut violations, options, existing);
    violations.check()?;

    let attribute = ActiveModel {
        name_fold: Set(fold(&name)),
        name: Set(name),
        placeholder: Set(placeholder),
        r#type: Set(r#type),
        primary: Set(primary),
        unit_category: Set(unit_category),
        default_unit: Set(default_unit),
        weight_per_base_unit: Set(weight_per_base_unit),
        ..Default::default()
    };
    Ok(Rows { version, attribute, options })
}

fn unit_rules(
    violations: &mut Violations,
    r#type: AttributeType,
    category: Option<UnitCategory>,
    default_unit: Option<Unit>,
) {
    if r#type != AttributeType::Metric {
        for (path, given) in [("unit_category", category.is_some()), ("default_unit", default_unit.is_some())]
        {
            if given {
                violations.add(path, Code::UnitCategoryNotAllowed);
            }
        }
        return;
    }
    match (category, default_unit) {
        (Some(category), Some(unit)) if unit.category() != category => {
            let fault =
                Message::from(Code::WrongUnitCategory).unit("unit", unit).units("known", category.units());
            violations.add("default_unit", fault);
        }
        (Some(_), Some(_)) => {}
        (category, unit) => {
            if category.is_none() {
                violations.add("unit_category", Code::UnitCategoryRequired);
            }
            if unit.is_none() {
                violations.add("default_unit", Code::Required);
            }
        }
    }
}

fn check_options(
    violations: &mut Violations,
    options: Vec<OptionInput>,
    existing: &[AttributeOption],
) -> Vec<(Option<i64>, attribute_option::ActiveModel)> {
    if options.len() > OPTIONS_MAX {
        return Vec::new();
    }
    let mut ids = HashSet::new();
    let mut rows = Vec::with_capacity(options.len());
    for ((index, option), position) in options.into_iter().enumerate().zip(1..) {
        let OptionInput { id, name, value, display_value, weight_per_base_unit } = option;
        let path = |field: &str| format!("options.{index}.{field}");
        match id {
            Some(id) if !existing.iter().any(|option| option.id == id) => {
                violations.add(path("id"), Code::UnknownReference);
            }
            Some(id) if !ids.insert(id) => violations.add(path("id"), Code::Duplicate),
            _ => {}
        }
        let row = attribute_option::ActiveModel {
            position: Set(position),
            name_fold: Set(fold(&name)),
            name: Set(name),
            value_fold: Set(fold(&value)),
            value: Set(value),
            display_value: Set(display_value),
            weight_per_base_unit: Set(weight_per_base_unit),
            ..Default::default()
        };
        rows.push((id, row));
    }
    let texts = |of: fn(&attribute_option::ActiveModel) -> &sea_orm::ActiveValue<String>| {
        rows.iter().map(move |(_, row)| of(row).try_as_ref().cloned().unwrap_or_default())
    };
    distinct(violations, texts(|row| &row.name), |index| format!("options.{index}.name"));
    distinct(violations, texts(|row| &row.value), |index| format!("options.{index}.value"));
    rows
}

async fn save_options(
    tx: &Write,
    scope: &Scope,
    before: &AttributeDetail,
    options: Vec<(Option<i64>, attribute_option::ActiveModel)>,
    types: &[ArticleType],
) -> Result<()> {
    use attribute_option::Column;
    let id = before.attribute.id;
    let (kept, new): (Vec<_>, Vec<_>) = options.into_iter().partition(|(option, _)| option.is_some());
    let kept: HashMap<i64, _> = kept.into_iter().filter_map(|(option, row)| Some((option?, row))).collect();

    let removed: Vec<&AttributeOption> =
        before.options.iter().filter(|option| !kept.contains_key(&option.id)).collect();
    if !removed.is_empty() {
        refuse_used(tx, scope, id, &removed, types).await?;
        let removed = Column::Id.is_in(removed.iter().map(|option| option.id));
        scope.remove_parts::<AttributeOptions>(tx, id, removed).await?;
    }
    let changed = || {
        before.options.iter().filter_map(|option| {
            let row = kept.get(&option.id)?;
            (!same(option, row)).then(|| (option.id, row.clone()))
        })
    };
    // Two options may swap their names: first all give up theirs, for something that no folded text is.
    for (option, _) in changed() {
        let nameless = attribute_option::ActiveModel {
            name_fold: Set(format!("ID{option}")),
            value_fold: Set(format!("ID{option}")),
            ..Default::default()
        };
        scope.change_parts::<AttributeOptions>(tx, id, Column::Id.eq(option), nameless).await?;
    }
    for (option, row) in changed() {
        scope.change_parts::<AttributeOptions>(tx, id, Column::Id.eq(option), row).await?;
    }
    scope.add_parts::<AttributeOptions>(tx, id, new.into_iter().map(|(_, row)| row)).await
}

fn same(option: &AttributeOption, row: &attribute_option::ActiveModel) -> bool {
    let AttributeOption { position, name, value, display_value, weight_per_base_unit, .. } = option;
    row.position.try_as_ref() == Some(position)
        && row.name.try_as_ref() == Some(name)
        && row.value.try_as_ref() == Some(value)
        && row.display_value.try_as_ref() == Some(display_value)
        && row.weight_per_base_unit.try_as_ref() == Some(weight_per_base_unit)
}

/// Articles keep the chosen option in their values, out of reach of foreign keys.
async fn refuse_used(
    tx: &impl ConnectionTrait,
    scope: &Scope,
    attribute_id: i64,
    removed: &[&AttributeOption],
    types: &[ArticleType],
) -> Result<()> {
    if types.is_empty() {
        return Ok(());
    }
    let chosen = chosen_option(tx.get_database_backend(), attribute_id);
    let used: Vec<(i64, i64)> = scope
        .find::<Articles>()
        .select_only()
        .column_as(chosen.clone(), "chosen")
        .column_as(article::Column::Id.count(), "articles")
        .filter(article::Column::ArticleTypeId.is_in(types.iter().map(|article_type| article_type.id)))
        .filter(Condition::all().add(chosen.clone().is_in(removed.iter().map(|option| option.id))))
        .group_by(chosen)
        .into_tuple()
        .all(tx)
        .await?;
    if used.is_empty() {
        return Ok(());
    }
    let articles: HashMap<i64, i64> = used.into_iter().collect();
    let used: Vec<_> = removed
        .iter()
        .filter_map(|option| Some(format!("{} ({})", option.name, articles.get(&option.id)?)))
        .collect();
    Err(Violations::of("options", Code::OptionInUse.list("options", used)))
}

/// The id of the option that an article holds for an attribute.
fn chosen_option(backend: DbBackend, attribute_id: i64) -> SimpleExpr {
    Expr::cust(match backend {
        DbBackend::Sqlite => format!("json_extract(article.attribute_values, '$.\"{attribute_id}\".o')"),
        _ => format!("(article.attribute_values -> '{attribute_id}' ->> 'o')::bigint"),
    })
}

#[cfg(test)]
mod tests;
