//! JSON body: read, or refused with all its errors.

use std::{collections::HashMap, fmt::Display};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, value::RawValue};
use utoipa::{
    ToSchema,
    openapi::{RefOr, Schema, schema::ArrayItems},
};
use values::{Error, Result, Violations, decimal::NotADecimal};

use crate::codes;

/// Path of a body as a whole.
pub(crate) const WHOLE: &str = "body";

/// Media type of JSON.
pub(crate) const JSON: &str = "application/json";

/// Reads JSON; errors have the path of the value.
pub fn read<T: DeserializeOwned + ToSchema>(bytes: &[u8]) -> Result<T> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = dotted_path(error.path());
        match missing_key(&path, error.inner()) {
            Some(key) => Error::Invalid(missing_keys::<T>(bytes, key)),
            None => refusal_of(&path, error.inner()),
        }
    })?;
    reader.end().map_err(|error| refusal_of("", &error))?;
    Ok(value)
}

/// Reads a body as a tree. Its amounts are texts as they were sent: a float would round them.
pub fn read_tree(bytes: &[u8]) -> Result<Value> {
    // limits the depth
    let whole: Value = serde_json::from_slice(bytes).map_err(|error| refusal_of("", &error))?;
    let exact = |value: Value| serde_json::from_slice(bytes).ok().and_then(exact_value).unwrap_or(value);
    Ok(exact(whole))
}

fn exact_value(raw: &RawValue) -> Option<Value> {
    let text = raw.get();
    match text.bytes().next()? {
        b'{' => {
            let fields: HashMap<String, &RawValue> = serde_json::from_str(text).ok()?;
            fields
                .into_iter()
                .map(|(name, value)| Some((name, exact_value(value)?)))
                .collect::<Option<Map<_, _>>>()
                .map(Value::Object)
        }
        b'[' => {
            let entries: Vec<&RawValue> = serde_json::from_str(text).ok()?;
            entries.into_iter().map(exact_value).collect::<Option<Vec<_>>>().map(Value::Array)
        }
        b'-' | b'0'..=b'9' if text.contains(['.', 'e', 'E']) => Some(text.into()),
        _ => serde_json::from_str(text).ok(),
    }
}

/// Finds all required keys that are missing in a body, by the contract: serde stops at the first.
fn missing_keys<T: ToSchema>(bytes: &[u8], first: String) -> Violations {
    let mut keys = Vec::new();
    if let Ok(body) = serde_json::from_slice(bytes) {
        let mut schemas = Vec::new();
        T::schemas(&mut schemas);
        let schemas = schemas.into_iter().collect();
        collect_missing(&schemas, &T::schema(), &body, "", &mut keys);
    }
    if !keys.contains(&first) {
        keys.push(first);
    }
    let mut violations = Violations::new();
    for key in keys {
        violations.add(key, codes::REQUIRED);
    }
    violations
}

/// Maximum number of missing keys that are reported.
const MISSING_MAX: usize = 100;

fn collect_missing(
    schemas: &HashMap<String, RefOr<Schema>>,
    schema: &RefOr<Schema>,
    value: &Value,
    path: &str,
    keys: &mut Vec<String>,
) {
    let below =
        |name: &dyn Display| if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
    match (schema, value) {
        (RefOr::Ref(reference), _) => {
            let name = reference.ref_location.rsplit('/').next().unwrap_or_default();
            if let Some(schema) = schemas.get(name) {
                collect_missing(schemas, schema, value, path, keys);
            }
        }
        (RefOr::T(Schema::Object(object)), Value::Object(fields)) => {
            let absent = object.required.iter().filter(|name| !fields.contains_key(*name));
            keys.extend(absent.map(|name| below(name)).take(MISSING_MAX.saturating_sub(keys.len())));
            for (name, schema) in &object.properties {
                if let Some(value) = fields.get(name) {
                    collect_missing(schemas, schema, value, &below(name), keys);
                }
            }
        }
        (RefOr::T(Schema::Array(array)), Value::Array(entries)) => {
            if let ArrayItems::RefOrSchema(schema) = &array.items {
                for (index, entry) in entries.iter().enumerate() {
                    collect_missing(schemas, schema, entry, &below(&index), keys);
                }
            }
        }
        _ => {}
    }
}

/// Formats a path: `options.0.value`.
fn dotted_path(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    let segments = path.iter().filter_map(|segment| match segment {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(key.clone()),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    segments.collect::<Vec<_>>().join(".")
}

/// Returns the missing key that an error names.
fn missing_key(path: &str, error: &serde_json::Error) -> Option<String> {
    Some(join_path(path, &quoted_name(&error.to_string(), "missing field `")?))
}

/// Returns the name that follows these words in an error.
fn quoted_name(error: &str, prefix: &str) -> Option<String> {
    error.strip_prefix(prefix)?.split('`').next().map(str::to_owned)
}

/// Appends a name to a path, which in `serde_path_to_error` is sometimes that of the field, sometimes of its
/// parent.
fn join_path(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path if path == name || path.ends_with(&format!(".{name}")) => path.to_owned(),
        path => format!("{path}.{name}"),
    }
}

fn refusal_of(path: &str, error: &serde_json::Error) -> Error {
    if !error.is_data() {
        return codes::INVALID_JSON.with("line", error.line()).with("column", error.column()).into();
    }
    let text = error.to_string();
    if let Some(name) = quoted_name(&text, "unknown field `") {
        return Violations::error(join_path(path, &name), codes::UNKNOWN_FIELD);
    }
    let path = if path.is_empty() { WHOLE } else { path };
    if text.starts_with(&NotADecimal.to_string()) {
        return Violations::error(path, codes::NO_DECIMAL);
    }
    match text.strip_prefix("unknown variant `").and_then(|rest| rest.split_once("expected one of ")) {
        Some((_, variants)) => {
            let variants = variants.split(" at line ").next().unwrap_or_default().replace('`', "");
            Violations::error(path, codes::INVALID_PARAMETER.with("expected", variants))
        }
        None if text.starts_with("invalid type: null") => Violations::error(path, codes::REQUIRED),
        None => Violations::error(path, codes::WRONG_TYPE),
    }
}
