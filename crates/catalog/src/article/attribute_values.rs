//! Values of an input, read by the attributes of the type; errors are reported at the paths of the input.

use std::collections::HashSet;

use values::{Message, Violations, rule::trimmed};

use super::{ActiveModel, ArticleInput, Draft, ValueInput, other_number};
use crate::{
    attribute::AttributeType,
    blueprint::{Blueprint, BlueprintAttribute},
    catalogue::Catalogue,
    codes,
    value::{AttributeValues, Value},
};

/// Converts a valid input to a row; returns all violations, at the paths of the input, otherwise.
pub(super) fn row(catalogue: &Catalogue, input: &ArticleInput) -> Result<ActiveModel, Violations> {
    let Some(blueprint) = catalogue.blueprint(input.article_type_id) else {
        return Err(Violations::one("article_type_id", codes::UNKNOWN_REFERENCE));
    };
    let material = input.material_id.and_then(|id| catalogue.material(id));
    let Reading { values, mut faults, faulty } = Reading::new(blueprint, &input.values);
    other_number::read(input.other_numbers.as_deref().unwrap_or_default(), &mut faults);
    let unknown_material = input.material_id.is_some() && material.is_none();
    if unknown_material {
        faults.add("material_id", codes::UNKNOWN_REFERENCE);
    }
    let draft = Draft {
        material_id: input.material_id,
        values,
        article_number: input.article_number.clone(),
        article_name: input.article_name.clone(),
        weight_per_base_unit: input.weight_per_base_unit,
    };
    match draft.row(blueprint, material) {
        Ok(row) if faults.is_empty() => Ok(row),
        outcome => {
            for fault in outcome.err().into_iter().flatten() {
                match value_of(&fault.path) {
                    Some((attribute, _)) if faulty.contains(&attribute) => {}
                    Some((attribute, field)) => {
                        let index = input.values.iter().position(|value| value.attribute_id == attribute);
                        let path = index.map(|index| format!("values.{index}.{field}"));
                        faults.add(path.unwrap_or_else(|| "values".to_owned()), fault.message);
                    }
                    None if unknown_material && fault.path == "material_id" => {}
                    None => faults.add(fault.path, fault.message),
                }
            }
            Err(faults)
        }
    }
}

/// Splits `values.<attribute id>.<field>` into attribute and field.
pub(crate) fn value_of(path: &str) -> Option<(i64, &str)> {
    let (attribute, field) = path.strip_prefix("values.")?.split_once('.')?;
    Some((attribute.parse().ok()?, field))
}

/// Readable values of an input, and the errors of the others.
#[derive(Default)]
pub(super) struct Reading {
    pub values: AttributeValues,
    /// Errors at the paths of the input.
    faults: Violations,
    /// Attributes whose values are wrong.
    faulty: HashSet<i64>,
}

impl Reading {
    pub(super) fn new(blueprint: &Blueprint, inputs: &[ValueInput]) -> Self {
        let mut reading = Self::default();
        let mut seen = HashSet::new();
        for (index, input) in inputs.iter().enumerate() {
            let path = |field: &str| format!("values.{index}.{field}");
            let Some(attribute) = blueprint.attribute(input.attribute_id) else {
                reading.faults.add(path("attribute_id"), codes::FOREIGN_ATTRIBUTE);
                continue;
            };
            if !seen.insert(input.attribute_id) {
                reading.faults.add(path("attribute_id"), codes::DUPLICATE);
                continue;
            }
            match input.value(attribute) {
                Ok(Some(value)) => reading.values.set(input.attribute_id, value),
                Ok(None) => {}
                Err((field, fault)) => {
                    reading.faults.add(path(field), fault);
                    reading.faulty.insert(input.attribute_id);
                }
            }
        }
        reading
    }
}

impl ValueInput {
    /// Reads a value; `None` if nothing was entered.
    fn value(&self, attribute: &BlueprintAttribute) -> Result<Option<Value>, (&'static str, Message)> {
        let text = trimmed(self.text.clone());
        let foreign = [
            ("option_id", self.option_id.is_some(), AttributeType::Categorial),
            ("number", self.number.is_some(), AttributeType::Metric),
            ("unit", self.unit.is_some(), AttributeType::Metric),
            ("text", text.is_some(), AttributeType::Custom),
        ];
        if let Some((field, ..)) =
            foreign.iter().find(|(_, is_set, attribute_type)| *is_set && *attribute_type != attribute.r#type)
        {
            return Err((field, attribute.wrong_kind()));
        }
        match (self.option_id, self.number, text) {
            (Some(option), ..) => Ok(Some(Value::Option(option))),
            (_, Some(number), _) => attribute.measure(number, self.unit).map(Some).map_err(|fault| {
                let field = if fault.code == codes::WRONG_UNIT_CATEGORY { "unit" } else { "number" };
                (field, fault)
            }),
            (.., Some(text)) => attribute.text(text).map(Some).map_err(|fault| ("text", fault)),
            _ => Ok(None),
        }
    }
}
