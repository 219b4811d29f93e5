//! Examples for all schemas. Fields and values have theirs beside the types; those of composed schemas are
//! built here.

use serde_json::{Map, Value, json};
use utoipa::openapi::{OpenApi, RefOr, Schema};

/// Maximum depth to which lists and nullable values are filled.
const DEEP: u32 = 2;

/// Builds the examples of schemas without one, and removes those of single fields.
///
/// # Panics
/// If the document cannot be serialised as JSON.
pub(super) fn compose(document: &mut OpenApi) {
    let Some(components) = &mut document.components else { return };
    let all = serde_json::to_value(&components.schemas).expect("a description is plain data");
    for (name, schema) in &mut components.schemas {
        let RefOr::T(schema) = schema else { continue };
        let example = all.get(name).and_then(|schema| example(&all, schema, 0));
        match schema {
            Schema::Object(object) => {
                object.example = example;
                object.examples.clear();
                object.properties.values_mut().for_each(forget);
            }
            Schema::Array(array) => array.example = example,
            Schema::OneOf(one) => one.example = example,
            Schema::AllOf(all) => all.example = example,
            Schema::AnyOf(any) => {
                any.example = example;
                any.examples.clear();
            }
            _ => {}
        }
    }
}

fn forget(field: &mut RefOr<Schema>) {
    match field {
        RefOr::T(Schema::Object(object)) => {
            object.example = None;
            object.properties.values_mut().for_each(forget);
        }
        RefOr::T(Schema::Array(array)) => array.example = None,
        RefOr::T(Schema::OneOf(one)) => one.example = None,
        _ => {}
    }
}

/// Builds an example; `None` if a part has none.
fn example(all: &Value, schema: &Value, depth: u32) -> Option<Value> {
    if let Some(own) = schema.get("example").or(schema["examples"].get(0)) {
        return Some(own.clone());
    }
    if let Some(reference) = schema["$ref"].as_str() {
        return example(all, &all[reference.rsplit('/').next()?], depth);
    }
    if let Some(first) = schema["enum"].get(0) {
        return Some(first.clone());
    }
    for alternatives in ["oneOf", "anyOf"] {
        if let Some(alternatives) = schema[alternatives].as_array() {
            let null = json!({ "type": "null" });
            if depth >= DEEP && alternatives.contains(&null) {
                return Some(Value::Null);
            }
            return example(all, alternatives.iter().find(|one| **one != null)?, depth);
        }
    }
    if let Some(parts) = schema["allOf"].as_array() {
        let mut whole = Map::new();
        for part in parts {
            whole.extend(example(all, part, depth)?.as_object()?.clone());
        }
        return Some(whole.into());
    }
    let types = schema["type"].as_array();
    let kind = types
        .map_or(&schema["type"], |types| types.iter().find(|kind| **kind != "null").unwrap_or(&Value::Null));
    match kind.as_str() {
        Some("object") => object(all, schema, depth),
        Some("array") if depth >= DEEP && schema["minItems"].is_null() => Some(json!([])),
        Some("array") => Some(json!([example(all, &schema["items"], depth + 1)?])),
        Some("boolean") => Some(json!(false)),
        Some("integer") => Some(json!(7)),
        Some("string") => match schema["format"].as_str()? {
            "date-time" => Some(json!("2026-11-23T09:30:00Z")),
            "date" => Some(json!("2026-12-24")),
            "binary" => Some(json!("…")),
            _ => None,
        },
        // any value
        None => Some(Value::Null),
        Some(_) => None,
    }
}

fn object(all: &Value, schema: &Value, depth: u32) -> Option<Value> {
    let fields = schema["properties"].as_object().into_iter().flatten();
    let fields = fields.map(|(name, field)| Some((name.clone(), example(all, field, depth + 1)?)));
    fields.collect::<Option<Map<_, _>>>().map(Value::Object)
}
