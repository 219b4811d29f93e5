//! Validation of article type inputs.

use std::collections::{HashMap, HashSet};

use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect};
use store::Scope;
use values::{Code, Message, Result, Unit, UnitCategory, Validated, Violations, fold};

use super::{
    ATTRIBUTES_MAX, ActiveModel, ArticleType, ArticleTypeInput, TypeAttributeInput, attribute_entity, by_id,
};
use crate::{
    article_type::group::ArticleTypeGroups,
    attribute::{
        self, Attribute, AttributeDetail, AttributeType, Attributes, entity as attribute_table,
        option_measure::read_option,
    },
    blueprint::{Blueprint, BlueprintAttribute, lock_versions},
    codes,
    shape::{Dimension, Shape},
    trade_dimension::{self, TradeDimensionDetail, TradeDimensions},
};

/// Existing records that an input refers to.
#[derive(Default)]
pub(crate) struct TypeReferences {
    pub attributes: HashMap<i64, AttributeDetail>,
    pub group: Option<i64>,
    pub trade_dimension: Option<TradeDimensionDetail>,
}

impl TypeReferences {
    /// Loads the records and locks them (shared) until the type is written.
    pub(crate) async fn load(
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
        let mut options =
            attribute::options(db, scope, attributes.iter().map(|attribute| attribute.id)).await?;
        let group =
            by_id::<ArticleTypeGroups>(db, scope, input.article_type_group_id, |group| group.id).await?;
        lock_versions::<TradeDimensions>(db, scope, input.trade_dimension_id).await?;
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

/// Returns the blueprint of a valid input, otherwise all violations.
pub(crate) fn check(
    input: &Validated<ArticleTypeInput>,
    references: &TypeReferences,
) -> Result<Blueprint, Violations> {
    match draft(input, references) {
        (Some(blueprint), violations) if violations.is_empty() => Ok(blueprint),
        (_, violations) => Err(violations),
    }
}

/// Returns all violations of an input, and its blueprint if the templates are usable.
pub(crate) fn draft(
    input: &Validated<ArticleTypeInput>,
    references: &TypeReferences,
) -> (Option<Blueprint>, Violations) {
    let mut violations = input.broken().clone();
    if input.article_type_group_id != references.group {
        violations.add("article_type_group_id", codes::UNKNOWN_REFERENCE);
    }
    if input.trade_dimension_id.is_some() && references.trade_dimension.is_none() {
        violations.add("trade_dimension_id", codes::UNKNOWN_REFERENCE);
    }
    let some = (1..=ATTRIBUTES_MAX).contains(&input.attributes.len());
    if some && !input.attributes.iter().any(|attribute| attribute.primary) {
        violations.add("attributes", codes::PRIMARY_REQUIRED);
    }
    let mut attributes = Vec::new();
    let mut seen = HashSet::new();
    for (index, TypeAttributeInput { attribute_id, primary, dimension }) in
        input.attributes.iter().enumerate()
    {
        let mut fault = |code: Code| violations.add(format!("attributes.{index}.attribute_id"), code);
        match references.attributes.get(attribute_id) {
            _ if index >= ATTRIBUTES_MAX => {}
            None => fault(codes::UNKNOWN_REFERENCE),
            Some(_) if !seen.insert(*attribute_id) => fault(codes::DUPLICATE),
            Some(detail) => {
                attributes.push(BlueprintAttribute::new(detail.clone(), *primary, *dimension));
            }
        }
    }
    check_dimensions(&mut violations, input, &references.attributes);
    match Blueprint::new(unsaved(input), attributes, references.trade_dimension.clone()) {
        Ok(blueprint) => {
            let missing: Vec<_> =
                blueprint.missing_primary().map(|attribute| attribute.name.as_str()).collect();
            if !missing.is_empty() && !input.article_number_template.is_empty() {
                let fault = codes::PRIMARY_MISSING.list("missing", missing);
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

/// Checks that each dimension is measured once, by a number of its category or by options that name the
/// measure, and that a section has all dimensions that its weight needs.
fn check_dimensions(
    violations: &mut Violations,
    input: &Validated<ArticleTypeInput>,
    attributes: &HashMap<i64, AttributeDetail>,
) {
    let mut measured = HashSet::new();
    for (index, TypeAttributeInput { attribute_id, dimension, .. }) in input.attributes.iter().enumerate() {
        let (Some(dimension), Some(detail)) = (dimension, attributes.get(attribute_id)) else { continue };
        let mut fault = |message: Message| violations.add(format!("attributes.{index}.dimension"), message);
        if let Err(message) = check_measuring(detail, *dimension) {
            fault(message);
        } else if dimension.measured().iter().any(|one| measured.contains(one)) {
            fault(codes::DUPLICATE.into());
        } else {
            measured.extend(dimension.measured());
        }
    }
    let has_length = |attribute: &TypeAttributeInput| attribute.dimension == Some(Dimension::Length);
    if input.trade_dimension_id.is_some() && !input.attributes.iter().any(has_length) {
        violations.add("trade_dimension_id", codes::NOT_LENGTH_ITEMS);
    }
    check_units(violations, input, &measured);
    let Some(section) = input.section else { return };
    let missing = section.needs().iter().filter(|dimension| !measured.contains(dimension));
    let missing: Vec<_> = missing.map(|dimension| dimension.word()).collect();
    if !missing.is_empty() {
        violations.add("section", Message::from(codes::DIMENSION_MISSING).words("missing", missing));
    }
    let foreign = match section.extends_in() {
        UnitCategory::Area => UnitCategory::Length,
        _ => UnitCategory::Area,
    };
    if input.base_unit_of_measure.category() == foreign {
        let possible_units = section.extends_in().units();
        violations.add(
            "base_unit_of_measure",
            Message::from(codes::SECTION_BASE_UNIT).units("known", possible_units),
        );
    }
}

/// Checks that an attribute can measure a dimension: a number of its category, or options that all name a
/// measure.
pub(crate) fn check_measuring(detail: &AttributeDetail, dimension: Dimension) -> Result<(), Message> {
    match detail.attribute.r#type {
        AttributeType::Categorial => {
            let unread = detail.options.iter().filter(|option| read_option(option, dimension).is_none());
            let unread: Vec<_> = unread.map(|option| option.name.as_str()).collect();
            if unread.is_empty() {
                return Ok(());
            }
            Err(codes::OPTIONS_NOT_MEASURED.list("options", unread).word("dimension", dimension.word()))
        }
        AttributeType::Metric
            if dimension != Dimension::Format
                && detail.attribute.unit_category == Some(dimension.category()) =>
        {
            Ok(())
        }
        AttributeType::Metric | AttributeType::Custom => Err(codes::DIMENSION_NOT_MEASURED.into()),
    }
}

/// Checks that listing unit and price unit can be converted from the base unit: the type has a weight, is
/// counted in pieces, and these have a length or area where the unit needs one.
fn check_units(
    violations: &mut Violations,
    input: &Validated<ArticleTypeInput>,
    measured: &HashSet<Dimension>,
) {
    let mut categories =
        vec![input.base_unit_of_measure.category(), UnitCategory::Mass, UnitCategory::Pieces];
    categories.extend(input.section.map(Shape::extends_in));
    categories.extend(measured.contains(&Dimension::Length).then_some(UnitCategory::Length));
    let units = [
        ("listing_unit_of_measure", input.listing_unit_of_measure),
        ("price_unit_of_measure", input.price_unit_of_measure),
    ];
    let fits = |unit: &Unit| categories.contains(&unit.category());
    for (path, unit) in units.into_iter().filter(|(_, unit)| !fits(unit)) {
        let fitting = Unit::ALL.iter().copied().filter(fits);
        violations
            .add(path, Message::from(codes::WRONG_UNIT_CATEGORY).unit("unit", unit).units("known", fitting));
    }
}

/// Article type that an input would become.
fn unsaved(input: &Validated<ArticleTypeInput>) -> ArticleType {
    ArticleType {
        id: 0,
        name: input.name.clone(),
        name_fold: fold(&input.name),
        name_sort: String::new(),
        article_number_template: input.article_number_template.clone(),
        article_name_template: input.article_name_template.clone(),
        base_unit_of_measure: input.base_unit_of_measure,
        listing_unit_of_measure: input.listing_unit_of_measure,
        price_unit_of_measure: input.price_unit_of_measure,
        article_type_group_id: input.article_type_group_id,
        section: input.section,
        trade_dimension_id: input.trade_dimension_id,
        version: 0,
        created_at: values::Instant::UNIX_EPOCH,
        updated_at: values::Instant::UNIX_EPOCH,
    }
}

pub(crate) fn rows(input: &Validated<ArticleTypeInput>) -> (ActiveModel, Vec<attribute_entity::ActiveModel>) {
    let attributes =
        (1..).zip(&input.attributes).map(|(position, attribute)| attribute_entity::ActiveModel {
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
