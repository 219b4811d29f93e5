//! Article types: the number template shows every primary attribute, and what articles are already made of stays as it
//! is while there are such articles.

use std::collections::{HashMap, HashSet};

use kernel::{
    Code, Database, Field, Listed, Message, Owner, Part, Permission, Phrase, Recorded, Reference, Resource,
    Result, Scope, Scoped, Topic, Unique, Unit, UnitCategory, Validated, Violations, Write,
    code::Word,
    fold,
    rule::{TEXT_MAX, printable},
    scope::refuse_stale,
    search::Searched,
    tidy, usage,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, ConnectionTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect,
    Select, sea_query::Condition,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

pub use crate::entity::{
    article_type::{ActiveModel, Column, Entity as ArticleTypes, Model as ArticleType},
    article_type_attribute::{Entity as TypeAttributes, Model as TypeAttribute},
};
use crate::{
    article::{Article, Articles},
    article_type_group::{ArticleTypeGroup, ArticleTypeGroups},
    attribute::{self, Attribute, AttributeDetail, AttributeType, Attributes},
    blueprint::{Blueprint, BlueprintAttribute, versions_held},
    designation,
    effect::{self, Change, Effect, Remaking},
    entity::{article, article_type_attribute, attribute as attribute_table},
    material::{Material, Materials},
    shape::{Dimension, Shape},
    template::{MATERIAL, TRADE_DIMENSION, Template},
    trade_dimension::{self, TradeDimension, TradeDimensionDetail, TradeDimensions},
    value::{AttributeValues, Value},
};

impl Scoped for ArticleTypes {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Platform;
}

impl Recorded for ArticleTypes {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "article_types",
        Phrase { de: "Artikeltypen", en: "article types" },
        Permission::ListArticleTypes,
    )
    .refers(&[
        Reference::of::<Self, ArticleTypeGroups>("article_type_group_id"),
        Reference::of::<Self, Attributes>("attribute_id"),
        Reference::of::<Self, TradeDimensions>("trade_dimension_id"),
    ]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const TOPIC: Option<Topic> = Some(Topic::Catalogue);
    const UNIQUE: &'static [Unique] = &[Unique::new("article_type_name_fold_key", "name", Code::Taken)];
}

impl Part for TypeAttributes {
    type Whole = ArticleTypes;
    const WHOLE: article_type_attribute::Column = article_type_attribute::Column::ArticleTypeId;
}

impl Listed for ArticleTypes {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold),
        Field::search("search", &Column::NameFold, &SEARCHED),
        Field::choice("base_unit_of_measure", &Column::BaseUnitOfMeasure, Unit::NAMES).unsorted(),
        Field::id("article_type_group_id", &Column::ArticleTypeGroupId),
        Field::id("trade_dimension_id", &Column::TradeDimensionId),
        Field::part_id(
            "attribute_id",
            &article_type_attribute::Column::AttributeId,
            &article_type_attribute::Column::ArticleTypeId,
        ),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
}

const SEARCHED: Searched = Searched {
    columns: &[&Column::NameFold],
    trigrams: None,
    references: &[],
    read: designation::article_types,
};

/// What a client says to create or change an article type.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ArticleTypeInput {
    /// Unique, whatever its case.
    #[schema(min_length = 1, max_length = 255, example = "Breitflanschträger HEB")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Text with `{placeholder}`, `{placeholder:unit}` or `{placeholder:unit:decimals}`; `{{` and `}}` are braces.
    /// Contains all primary attributes. Articles that are numbered by it change with it.
    #[schema(min_length = 1, max_length = 255, example = "HEB-{hoehe}-{material}")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub article_number_template: String,
    /// As the number template.
    #[schema(min_length = 1, max_length = 255, example = "HEB {hoehe} {material}")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub article_name_template: String,
    /// What stock and weights are kept in. Cannot be changed while there are articles.
    pub base_unit_of_measure: Unit,
    /// What is offered.
    pub listing_unit_of_measure: Unit,
    /// What a price refers to.
    pub price_unit_of_measure: Unit,
    /// The group that it stands in.
    pub article_type_group_id: Option<i64>,
    /// The shape of the section, if weights follow from it; its dimensions are measured by attributes. Otherwise they
    /// follow from the weights of attributes and options.
    pub section: Option<Shape>,
    /// Only of length items; the length of every article falls into one of its clusters.
    pub trade_dimension_id: Option<i64>,
    /// In order. Cannot be added or removed while there are articles.
    #[schema(min_items = 1, max_items = 100)]
    #[validate(length(min = 1, max = 100))]
    pub attributes: Vec<TypeAttributeInput>,
    /// How many articles were said to change: a change of others, or of more, has to be confirmed first.
    pub change_articles: Option<u64>,
    /// The version that was edited; an older one than the current is refused.
    pub version: Option<i64>,
}

tidy!(ArticleTypeInput: trim name, article_number_template, article_name_template;);

/// An attribute of an article type.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TypeAttributeInput {
    pub attribute_id: i64,
    /// Whether it tells articles apart and therefore is part of the article number.
    #[serde(default)]
    pub primary: bool,
    /// What of the article it measures; each dimension at most once, and only by a metric attribute of category length.
    /// With a length, the article type is one of length items.
    pub dimension: Option<Dimension>,
}

const ATTRIBUTES_MAX: usize = 100;

/// An article type with its group and trade dimension, its attributes in order, and how many articles there are of it.
#[derive(Debug, Clone)]
pub struct ArticleTypeDetail {
    pub article_type: ArticleType,
    pub group: Option<ArticleTypeGroup>,
    pub trade_dimension: Option<TradeDimension>,
    pub attributes: Vec<(TypeAttribute, Attribute)>,
    pub article_count: u64,
}

/// Article types with their attributes and the number of their articles.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    rows: Vec<ArticleType>,
) -> Result<Vec<ArticleTypeDetail>> {
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
        .order_by_asc(article_type_attribute::Column::Position)
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

fn articles_of(scope: &Scope, id: i64) -> Select<Articles> {
    scope.find::<Articles>().filter(article::Column::ArticleTypeId.eq(id))
}

pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<ArticleTypeInput>>,
) -> Result<ArticleTypeDetail> {
    let input = input.into();
    let tx = db.begin().await?;
    check(&input, &Known::load(&tx, scope, &input).await?)?;
    let (row, attributes) = rows(&input);
    let article_type = scope.create::<ArticleTypes>(&tx, row).await?;
    scope.add_parts::<TypeAttributes>(&tx, article_type.id, attributes).await?;
    let created = get(&tx, scope, article_type.id).await?;
    tx.commit().await?;
    Ok(created)
}

pub async fn update(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<ArticleTypeInput>>,
) -> Result<ArticleTypeDetail> {
    let input = input.into();
    let tx = db.begin().await?;
    let before = scope.find::<ArticleTypes>().filter(Column::Id.eq(id)).lock_exclusive().one(&tx).await?;
    let before = before.ok_or_else(kernel::Error::not_found)?;
    refuse_stale(input.version, before.version)?;
    let blueprint = check(&input, &Known::load(&tx, scope, &input).await?)?.of(id);
    if let Following::Anew = follows(&tx, scope, &before, &input, &blueprint).await? {
        effect::follow(&tx, scope, &[blueprint], input.change_articles, str::to_owned).await?;
    }

    let version = input.version;
    let (row, attributes) = rows(&input);
    scope.update::<ArticleTypes>(&tx, id, version, row).await?;
    scope.remove_parts::<TypeAttributes>(&tx, id, Condition::all()).await?;
    scope.add_parts::<TypeAttributes>(&tx, id, attributes).await?;
    let updated = get(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(updated)
}

/// A field that is changed in many article types at once.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(tag = "field", content = "value", rename_all = "snake_case")]
pub enum ArticleTypeFieldChange {
    ArticleTypeGroupId(Option<i64>),
    ListingUnitOfMeasure(Unit),
    PriceUnitOfMeasure(Unit),
}

/// Changes one field, by the rules of all.
pub async fn change(db: &Database, scope: &Scope, id: i64, change: &ArticleTypeFieldChange) -> Result<()> {
    let mut input = ArticleTypeInput::from(get(db, scope, id).await?);
    match change {
        ArticleTypeFieldChange::ArticleTypeGroupId(group) => input.article_type_group_id = *group,
        ArticleTypeFieldChange::ListingUnitOfMeasure(unit) => input.listing_unit_of_measure = *unit,
        ArticleTypeFieldChange::PriceUnitOfMeasure(unit) => input.price_unit_of_measure = *unit,
    }
    update(db, scope, id, input).await.map(|_| ())
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

/// What it would do to the articles of a type to change it.
pub async fn effect(
    db: &impl ConnectionTrait,
    scope: &Scope,
    id: i64,
    input: &Validated<ArticleTypeInput>,
) -> Result<Effect> {
    let before = scope.get::<ArticleTypes>(db, id).await?;
    let blueprint = check(input, &Known::load(db, scope, input).await?)?.of(id);
    match follows(db, scope, &before, input, &blueprint).await? {
        Following::Unchanged(total) => Ok(Effect { total, unchanged: total, ..Effect::default() }),
        Following::Anew => effect::effect(db, scope, &[blueprint]).await,
    }
}

/// All that [`effect`] counts as changed or refused, a thousand articles at a time, as long as `take` wants more.
pub async fn each_change(
    db: &impl ConnectionTrait,
    scope: &Scope,
    id: i64,
    input: &Validated<ArticleTypeInput>,
    take: impl AsyncFn(Vec<Change>) -> bool,
) -> Result<()> {
    let before = scope.get::<ArticleTypes>(db, id).await?;
    let blueprint = check(input, &Known::load(db, scope, input).await?)?.of(id);
    if let Following::Unchanged(_) = follows(db, scope, &before, input, &blueprint).await? {
        return Ok(());
    }
    let mut remaking = Remaking::new(db, scope, &blueprint).await?;
    while let Some(changes) = remaking.next(db).await? {
        let counted = changes.into_iter().filter(|change| change.problem.is_some() || change.is_visible());
        if !take(counted.collect()).await {
            break;
        }
    }
    Ok(())
}

/// Refused while there are articles; the name has to be retyped.
pub async fn delete(db: &Database, scope: &Scope, id: i64, confirm: &str) -> Result<()> {
    let retyped = |article_type: &ArticleType| {
        if confirm.trim() == article_type.name {
            return Ok(());
        }
        Err(Violations::of("confirm", Code::ConfirmationMismatch.with("expected", &article_type.name)))
    };
    usage::delete::<ArticleTypes>(db, scope, id, retyped).await
}

/// Writes an attribute's new placeholder into the templates of a type that uses it; no article changes by that. Refused
/// where a template becomes too long.
pub(crate) async fn rename_placeholder(
    tx: &Write,
    scope: &Scope,
    article_type: &ArticleType,
    from: &str,
    to: &str,
) -> Result<()> {
    let renamed = |text: &str| match Template::parse(text) {
        Ok(template) => template.renamed(from, to).to_string(),
        Err(_) => text.to_owned(),
    };
    let number = renamed(&article_type.article_number_template);
    let name = renamed(&article_type.article_name_template);
    if [&number, &name].iter().any(|template| template.chars().count() > TEXT_MAX) {
        let fault = Code::TemplateTooLong.with("article_type", &article_type.name).with("max", TEXT_MAX);
        return Err(Violations::of("name", fault));
    }
    let row = ActiveModel {
        article_number_template: Set(number),
        article_name_template: Set(name),
        ..Default::default()
    };
    scope.update::<ArticleTypes>(tx, article_type.id, None, row).await?;
    Ok(())
}

/// What an input refers to, as far as it exists.
#[derive(Default)]
struct Known {
    attributes: HashMap<i64, AttributeDetail>,
    group: Option<i64>,
    trade_dimension: Option<TradeDimensionDetail>,
}

impl Known {
    /// Shared locks keep it as it is until the type is written.
    async fn load(
        db: &impl ConnectionTrait,
        scope: &Scope,
        input: &Validated<ArticleTypeInput>,
    ) -> Result<Self> {
        let ids = input.attributes.iter().take(ATTRIBUTES_MAX).map(|attribute| attribute.attribute_id);
        let attributes = scope
            .find::<Attributes>()
            .filter(attribute_table::Column::Id.is_in(ids))
            .order_by_asc(attribute_table::Column::Id)
            .lock_shared()
            .all(db)
            .await?;
        let mut options = attribute::options(db, scope, attributes.iter().map(|found| found.id)).await?;
        let group =
            by_id::<ArticleTypeGroups>(db, scope, input.article_type_group_id, |group| group.id).await?;
        versions_held::<TradeDimensions>(db, scope, input.trade_dimension_id).await?;
        let ladders = trade_dimension::by_id(db, scope, input.trade_dimension_id).await?;
        let with_options = |attribute: Attribute| {
            let options = options.remove(&attribute.id).unwrap_or_default();
            (attribute.id, AttributeDetail { attribute, options })
        };
        Ok(Self {
            attributes: attributes.into_iter().map(with_options).collect(),
            group: group.into_keys().next(),
            trade_dimension: ladders.into_values().next(),
        })
    }
}

/// The blueprint of an input that keeps the rules; otherwise all that it breaks.
fn check(input: &Validated<ArticleTypeInput>, known: &Known) -> Result<Blueprint, Violations> {
    match draft(input, known) {
        (Some(blueprint), violations) if violations.is_empty() => Ok(blueprint),
        (_, violations) => Err(violations),
    }
}

/// The blueprint of an input as far as its templates make sense, and all rules that it breaks.
fn draft(input: &Validated<ArticleTypeInput>, known: &Known) -> (Option<Blueprint>, Violations) {
    let mut violations = input.broken().clone();
    if input.article_type_group_id != known.group {
        violations.add("article_type_group_id", Code::UnknownReference);
    }
    if input.trade_dimension_id.is_some() && known.trade_dimension.is_none() {
        violations.add("trade_dimension_id", Code::UnknownReference);
    }
    let some = (1..=ATTRIBUTES_MAX).contains(&input.attributes.len());
    if some && !input.attributes.iter().any(|attribute| attribute.primary) {
        violations.add("attributes", Code::PrimaryRequired);
    }
    let mut attributes = Vec::new();
    let mut seen = HashSet::new();
    for (index, TypeAttributeInput { attribute_id, primary, dimension }) in
        input.attributes.iter().enumerate()
    {
        let mut fault = |code: Code| violations.add(format!("attributes.{index}.attribute_id"), code);
        match known.attributes.get(attribute_id) {
            _ if index >= ATTRIBUTES_MAX => {}
            None => fault(Code::UnknownReference),
            Some(_) if !seen.insert(*attribute_id) => fault(Code::Duplicate),
            Some(detail) => {
                attributes.push(BlueprintAttribute::new(detail.clone(), *primary, *dimension));
            }
        }
    }
    check_dimensions(&mut violations, input, &known.attributes);
    match Blueprint::new(unsaved(input), attributes, known.trade_dimension.clone()) {
        Ok(blueprint) => {
            let missing: Vec<_> =
                blueprint.missing_primary().map(|attribute| attribute.name.as_str()).collect();
            if !missing.is_empty() && !input.article_number_template.is_empty() {
                let fault = Code::PrimaryMissing.list("missing", missing);
                violations.add("article_number_template", fault);
            }
            (Some(blueprint), violations)
        }
        Err(faults) => {
            violations.extend(faults);
            (None, violations)
        }
    }
}

/// Only lengths are dimensions, each of them once, and a section has all that its weight needs.
fn check_dimensions(
    violations: &mut Violations,
    input: &Validated<ArticleTypeInput>,
    known: &HashMap<i64, AttributeDetail>,
) {
    let mut measured = HashSet::new();
    for (index, TypeAttributeInput { attribute_id, dimension, .. }) in input.attributes.iter().enumerate() {
        let (Some(dimension), Some(detail)) = (dimension, known.get(attribute_id)) else { continue };
        let mut fault = |code: Code| violations.add(format!("attributes.{index}.dimension"), code);
        if detail.attribute.unit_category != Some(UnitCategory::Length) {
            fault(Code::DimensionNotMeasured);
        } else if !measured.insert(*dimension) {
            fault(Code::Duplicate);
        }
    }
    if input.trade_dimension_id.is_some() && !measured.contains(&Dimension::Length) {
        violations.add("trade_dimension_id", Code::NotLengthItems);
    }
    check_units(violations, input, measured.contains(&Dimension::Length));
    let Some(section) = input.section else { return };
    let missing = section.needs().iter().filter(|dimension| !measured.contains(dimension));
    let missing: Vec<_> = missing.map(|dimension| dimension.word()).collect();
    if !missing.is_empty() {
        violations.add("section", Message::from(Code::DimensionMissing).words("missing", missing));
    }
    let foreign = match section.extends_in() {
        UnitCategory::Area => UnitCategory::Length,
        _ => UnitCategory::Area,
    };
    if input.base_unit_of_measure.category() == foreign {
        let known = section.extends_in().units();
        violations.add("base_unit_of_measure", Message::from(Code::SectionBaseUnit).units("known", known));
    }
}

/// What is offered and what a price refers to can be converted from what is kept: it has a weight, comes in pieces, and
/// those have an extent where it is measured.
fn check_units(violations: &mut Violations, input: &Validated<ArticleTypeInput>, has_length: bool) {
    let mut known = vec![input.base_unit_of_measure.category(), UnitCategory::Mass, UnitCategory::Pieces];
    known.extend(input.section.map(Shape::extends_in));
    known.extend(has_length.then_some(UnitCategory::Length));
    let units = [
        ("listing_unit_of_measure", input.listing_unit_of_measure),
        ("price_unit_of_measure", input.price_unit_of_measure),
    ];
    let fits = |unit: &Unit| known.contains(&unit.category());
    for (path, unit) in units.into_iter().filter(|(_, unit)| !fits(unit)) {
        let fitting = Unit::ALL.iter().copied().filter(fits);
        violations
            .add(path, Message::from(Code::WrongUnitCategory).unit("unit", unit).units("known", fitting));
    }
}

/// The article type that an input would be.
fn unsaved(input: &Validated<ArticleTypeInput>) -> ArticleType {
    ArticleType {
        id: 0,
        name: input.name.clone(),
        name_fold: fold(&input.name),
        article_number_template: input.article_number_template.clone(),
        article_name_template: input.article_name_template.clone(),
        base_unit_of_measure: input.base_unit_of_measure,
        listing_unit_of_measure: input.listing_unit_of_measure,
        price_unit_of_measure: input.price_unit_of_measure,
        article_type_group_id: input.article_type_group_id,
        section: input.section,
        trade_dimension_id: input.trade_dimension_id,
        version: 0,
        created_at: kernel::Instant::UNIX_EPOCH,
        updated_at: kernel::Instant::UNIX_EPOCH,
    }
}

fn rows(input: &Validated<ArticleTypeInput>) -> (ActiveModel, Vec<article_type_attribute::ActiveModel>) {
    let attributes =
        (1..).zip(&input.attributes).map(|(position, attribute)| article_type_attribute::ActiveModel {
            attribute_id: Set(attribute.attribute_id),
            position: Set(position),
            primary: Set(attribute.primary),
            dimension: Set(attribute.dimension),
            ..Default::default()
        });
    let attributes = attributes.collect();
    let ArticleType { name, name_fold, article_number_template, article_name_template, .. } = unsaved(input);
    let row = ActiveModel {
        name: Set(name),
        name_fold: Set(name_fold),
        article_number_template: Set(article_number_template),
        article_name_template: Set(article_name_template),
        base_unit_of_measure: Set(input.base_unit_of_measure),
        listing_unit_of_measure: Set(input.listing_unit_of_measure),
        price_unit_of_measure: Set(input.price_unit_of_measure),
        section: Set(input.section),
        trade_dimension_id: Set(input.trade_dimension_id),
        article_type_group_id: Set(input.article_type_group_id),
        ..Default::default()
    };
    (row, attributes)
}

/// Whether the articles of a type that is changed are made anew.
enum Following {
    /// So many articles stay as they are.
    Unchanged(u64),
    Anew,
}

/// What articles are made of stays: their attributes, and what their weights refer to. What follows from these is made
/// anew.
async fn follows(
    db: &impl ConnectionTrait,
    scope: &Scope,
    before: &ArticleType,
    input: &Validated<ArticleTypeInput>,
    blueprint: &Blueprint,
) -> Result<Following> {
    let count = articles_of(scope, before.id).count(db).await?;
    if count == 0 {
        return Ok(Following::Unchanged(0));
    }
    let measured = scope.parts::<TypeAttributes>([before.id]).all(db).await?;
    let measured: HashMap<i64, _> =
        measured.into_iter().map(|row| (row.attribute_id, row.dimension)).collect();
    let measuring = input.attributes.iter().map(|attribute| (attribute.attribute_id, attribute.dimension));
    let measuring: HashMap<i64, _> = measuring.collect();

    let mut violations = Violations::new();
    if before.base_unit_of_measure != input.base_unit_of_measure {
        violations.add("base_unit_of_measure", Code::FixedByArticles.with("count", count));
    }
    if measured.len() != measuring.len() || measured.keys().any(|id| !measuring.contains_key(id)) {
        violations.add("attributes", Code::FixedByArticles.with("count", count));
    }
    violations.check()?;

    let after = &blueprint.article_type;
    let same = measured == measuring
        && before.article_number_template == after.article_number_template
        && before.article_name_template == after.article_name_template
        && before.section == after.section
        && before.trade_dimension_id == after.trade_dimension_id;
    Ok(if same { Following::Unchanged(count) } else { Following::Anew })
}

/// What the templates of an article type that is being edited are worth.
#[derive(Debug)]
pub struct Preview {
    pub problems: Violations,
    /// Primary attributes that the number template lacks.
    pub missing_primary: Vec<Attribute>,
    pub placeholders: Vec<PlaceholderUse>,
    /// Articles of the type as the templates would name them; one of sample values where there are none.
    pub examples: Vec<Example>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct PlaceholderUse {
    pub placeholder: String,
    pub name: PlaceholderName,
    pub used_in_number: bool,
    pub used_in_name: bool,
}

/// What a placeholder is called by people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlaceholderName {
    Attribute(String),
    Word(Word),
}

#[derive(Debug, PartialEq, Eq)]
pub struct Example {
    /// `None`: made of sample values.
    pub article_id: Option<i64>,
    pub article_number: String,
    pub article_name: String,
}

const EXAMPLES: u64 = 5;

/// What an input would do, `id` being the article type that is edited.
pub async fn preview(
    db: &impl ConnectionTrait,
    scope: &Scope,
    id: Option<i64>,
    input: &Validated<ArticleTypeInput>,
) -> Result<Preview> {
    let known = Known::load(db, scope, input).await?;
    let (blueprint, problems) = draft(input, &known);
    let attributes = input.attributes.iter();
    let attributes = attributes.filter_map(|attribute| known.attributes.get(&attribute.attribute_id));
    let named = attributes.map(|AttributeDetail { attribute, .. }| {
        (attribute.placeholder.clone(), PlaceholderName::Attribute(attribute.name.clone()))
    });
    let words = [(MATERIAL, Word::Material)]
        .into_iter()
        .chain(known.trade_dimension.is_some().then_some((TRADE_DIMENSION, Word::TradeDimension)));
    let words = words.map(|(placeholder, word)| (placeholder.to_owned(), PlaceholderName::Word(word)));
    let placeholders = named.chain(words).map(|(placeholder, name)| {
        let (used_in_number, used_in_name) =
            blueprint.as_ref().map_or((false, false), |blueprint| blueprint.uses(&placeholder));
        PlaceholderUse { placeholder, name, used_in_number, used_in_name }
    });
    let placeholders = placeholders.collect();
    let Some(blueprint) = blueprint else {
        return Ok(Preview { problems, missing_primary: Vec::new(), placeholders, examples: Vec::new() });
    };
    Ok(Preview {
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
                .order_by_asc(article::Column::ArticleNumberFold)
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

fn example(
    article_id: Option<i64>,
    blueprint: &Blueprint,
    material: Option<&Material>,
    values: &AttributeValues,
) -> Option<Example> {
    let rendered = blueprint.render(material, values).ok()?;
    Some(Example { article_id, article_number: rendered.article_number, article_name: rendered.article_name })
}

/// A value for each attribute: the first option, a length of the trade dimension, otherwise a hundred of the default
/// unit, the attribute's name.
fn samples(blueprint: &Blueprint) -> AttributeValues {
    let traded = blueprint.trade_dimension.as_ref().and_then(|known| known.ladder.clusters().first());
    let sample = |attribute: &BlueprintAttribute| match attribute.r#type {
        AttributeType::Metric if attribute.dimension == Some(Dimension::Length) && traded.is_some() => {
            traded.map(|cluster| Value::Number(cluster.inside()))
        }
        AttributeType::Categorial => attribute.options().first().map(|option| Value::Option(option.id)),
        AttributeType::Metric => attribute.measure(kernel::Decimal::from(100), None).ok(),
        AttributeType::Custom => Some(Value::Text(attribute.name.clone())),
    };
    let attributes = blueprint.attributes().iter();
    attributes.filter_map(|attribute| Some((attribute.id, sample(attribute)?))).collect()
}

#[cfg(test)]
mod tests;
