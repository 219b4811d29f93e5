//! Descriptions of properties that have no doc comment of their own.
//!
//! A name means the same in all schemas, so that `id` or `created_at` is described once, in
//! a file. A line for a single schema (`Image.height`) takes precedence over that of the
//! name.

use std::collections::HashMap;

use utoipa::openapi::{OpenApi, RefOr, Schema};

/// Describes each property without a description, unless its schema has one.
pub(super) fn add(document: &mut OpenApi, lines: &str) {
    let descriptions = parse(lines);
    let Some(components) = &mut document.components else { return };
    for (name, schema) in &mut components.schemas {
        describe(name, schema, &descriptions);
    }
}

/// Sentences by the name of the property or by `Schema.name`.
fn parse(lines: &str) -> HashMap<&str, &str> {
    lines.lines().filter_map(|line| line.split_once('\t')).collect()
}

/// Describes the properties of a schema and of its alternatives.
fn describe(name: &str, schema: &mut RefOr<Schema>, descriptions: &HashMap<&str, &str>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            for (property, schema) in &mut object.properties {
                let own = descriptions.get(format!("{name}.{property}").as_str());
                let Some(sentence) = own.or_else(|| descriptions.get(property.as_str())) else { continue };
                if let Some(description) = description(schema) {
                    description.get_or_insert_with(|| (*sentence).to_owned());
                }
            }
        }
        RefOr::T(Schema::OneOf(one)) => describe_all(name, &mut one.items, descriptions),
        RefOr::T(Schema::AllOf(all)) => describe_all(name, &mut all.items, descriptions),
        RefOr::T(Schema::AnyOf(any)) => describe_all(name, &mut any.items, descriptions),
        _ => {}
    }
}

fn describe_all(name: &str, schemas: &mut [RefOr<Schema>], descriptions: &HashMap<&str, &str>) {
    for schema in schemas {
        describe(name, schema, descriptions);
    }
}

/// Returns the description of a schema; a reference is described by its schema.
fn description(schema: &mut RefOr<Schema>) -> Option<&mut Option<String>> {
    match schema {
        RefOr::T(Schema::Object(object)) => Some(&mut object.description),
        RefOr::T(Schema::Array(array)) => Some(&mut array.description),
        RefOr::T(Schema::OneOf(one)) => Some(&mut one.description),
        RefOr::T(Schema::AllOf(all)) => Some(&mut all.description),
        RefOr::T(Schema::AnyOf(any)) => Some(&mut any.description),
        _ => None,
    }
}
