//! Selection of properties for the rows of a list: `fields=id,name`.

use std::collections::BTreeSet;

use actix_web::HttpRequest;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema, path::Operation},
};
use values::{Error, Result, Violations};

use crate::{
    codes,
    contract::{self, FIELDS},
    input,
};

/// Documents the parameter for a list of these rows.
pub(super) fn describe<V: ToSchema>(operation: &mut Operation) {
    let about = "Names of properties, joined by commas, to which the rows are limited; all properties if omitted. Types \
        generated from this contract expect all of them.";
    contract::query_parameter(operation, FIELDS, about, contract::text());
    debug_assert!(!property_names::<V>().is_empty(), "rows without properties: {}", V::name());
}

/// Returns the properties that the query names; `None` without a selection.
///
/// # Errors
/// If a name is unknown or missing, or the parameter is repeated.
pub(super) fn selected_properties<V: ToSchema>(request: &HttpRequest) -> Result<Option<BTreeSet<String>>> {
    let parameters = input::parameters(request);
    let mut texts = parameters.iter().filter(|(name, _)| name == FIELDS).map(|(_, text)| text);
    let Some(text) = texts.next() else { return Ok(None) };
    if texts.next().is_some() {
        return Err(Violations::error(FIELDS, codes::DUPLICATE_PARAMETER));
    }
    let properties = property_names::<V>();
    let names: BTreeSet<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    if names.is_subset(&properties) {
        return Ok(Some(names));
    }
    Err(Violations::error(FIELDS, codes::INVALID_PARAMETER.list("expected", properties)))
}

/// Returns rows with these properties only.
///
/// # Errors
/// If a row cannot be serialised as JSON.
pub(super) fn keep_properties(
    names: &BTreeSet<String>,
    rows: &[impl Serialize],
) -> Result<Vec<Map<String, Value>>> {
    let rows = rows.iter().map(|row| match serde_json::to_value(row) {
        Ok(Value::Object(mut row)) => {
            row.retain(|name, _| names.contains(name));
            Ok(row)
        }
        Ok(_) => Err(Error::internal("a row that is no object")),
        Err(error) => Err(Error::internal(error)),
    });
    rows.collect()
}

/// Returns the properties of a row, including those of flattened parts.
fn property_names<V: ToSchema>() -> BTreeSet<String> {
    let mut referred = Vec::new();
    V::schemas(&mut referred);
    let mut names = BTreeSet::new();
    collect_names(&V::schema(), &referred, &mut names);
    names
}

fn collect_names(schema: &RefOr<Schema>, referred: &[(String, RefOr<Schema>)], names: &mut BTreeSet<String>) {
    match schema {
        RefOr::Ref(reference) => {
            let name = reference.ref_location.rsplit('/').next().unwrap_or_default();
            if let Some((_, schema)) = referred.iter().find(|(defined, _)| defined == name) {
                collect_names(schema, referred, names);
            }
        }
        RefOr::T(Schema::Object(object)) => names.extend(object.properties.keys().cloned()),
        RefOr::T(Schema::AllOf(all)) => {
            all.items.iter().for_each(|part| collect_names(part, referred, names));
        }
        RefOr::T(_) => {}
    }
}
