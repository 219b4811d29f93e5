//! Validation of attribute inputs.

use std::collections::HashSet;

use sea_orm::ActiveValue::Set;
use values::{Message, Result, Unit, UnitCategory, Validated, Violations, fold, fold::slug, rule::distinct};

use super::{
    ActiveModel, AttributeInput, AttributeOption, AttributeType, OPTIONS_MAX, OptionInput, option_entity,
};
use crate::{codes, template::RESERVED};

/// Validated input as rows.
pub(crate) struct AttributeRows {
    pub version: Option<i64>,
    pub attribute: ActiveModel,
    /// Options; existing ones with their ids.
    pub options: Vec<(Option<i64>, option_entity::ActiveModel)>,
}

pub(crate) fn check(input: Validated<AttributeInput>, existing: &[AttributeOption]) -> Result<AttributeRows> {
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
        violations.add("name", codes::INVALID_PLACEHOLDER.list("reserved", RESERVED));
    }
    unit_rules(&mut violations, r#type, unit_category, default_unit);
    match r#type {
        AttributeType::Categorial if options.is_empty() => violations.add("options", codes::OPTION_REQUIRED),
        AttributeType::Categorial => {}
        AttributeType::Metric | AttributeType::Custom if options.is_empty() => {}
        AttributeType::Metric | AttributeType::Custom => {
            violations.add("options", codes::OPTIONS_NOT_ALLOWED);
        }
    }
    if r#type == AttributeType::Custom && weight_per_base_unit.is_some() {
        violations.add("weight_per_base_unit", codes::WEIGHT_NOT_ALLOWED);
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
    Ok(AttributeRows { version, attribute, options })
}

fn unit_rules(
    violations: &mut Violations,
    r#type: AttributeType,
    category: Option<UnitCategory>,
    default_unit: Option<Unit>,
) {
    if r#type != AttributeType::Metric {
        for (path, is_set) in
            [("unit_category", category.is_some()), ("default_unit", default_unit.is_some())]
        {
            if is_set {
                violations.add(path, codes::UNIT_CATEGORY_NOT_ALLOWED);
            }
        }
        return;
    }
    match (category, default_unit) {
        (Some(category), Some(unit)) if unit.category() != category => {
            let fault =
                Message::from(codes::WRONG_UNIT_CATEGORY).unit("unit", unit).units("known", category.units());
            violations.add("default_unit", fault);
        }
        (Some(_), Some(_)) => {}
        (category, unit) => {
            if category.is_none() {
                violations.add("unit_category", codes::UNIT_CATEGORY_REQUIRED);
            }
            if unit.is_none() {
                violations.add("default_unit", codes::REQUIRED);
            }
        }
    }
}

fn check_options(
    violations: &mut Violations,
    options: Vec<OptionInput>,
    existing: &[AttributeOption],
) -> Vec<(Option<i64>, option_entity::ActiveModel)> {
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
                violations.add(path("id"), codes::UNKNOWN_REFERENCE);
            }
            Some(id) if !ids.insert(id) => violations.add(path("id"), codes::DUPLICATE),
            _ => {}
        }
        let row = option_entity::ActiveModel {
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
    let texts = |field: fn(&option_entity::ActiveModel) -> &sea_orm::ActiveValue<String>| {
        rows.iter().map(move |(_, row)| field(row).try_as_ref().cloned().unwrap_or_default())
    };
    distinct(violations, texts(|row| &row.name), |index| format!("options.{index}.name"));
    distinct(violations, texts(|row| &row.value), |index| format!("options.{index}.value"));
    rows
}
