//! Comparison of read-only values in a body with the present ones.

use serde_json::Value;
use store::standing::is_same;

/// Returns the path at which a read-only value differs from the present one in every language.
pub(super) fn difference(value: &Value, current: &[&Value], path: &str) -> Option<String> {
    let mut last_path = None;
    for now in current {
        last_path = Some(differs(value, now, path)?);
    }
    Some(last_path.unwrap_or_else(|| path.to_owned()))
}

fn differs(value: &Value, now: &Value, path: &str) -> Option<String> {
    match (value, now) {
        (Value::Object(fields), Value::Object(now)) => fields.iter().find_map(|(name, value)| {
            let path = format!("{path}.{name}");
            match now.get(name) {
                Some(now) => differs(value, now, &path),
                None => Some(path),
            }
        }),
        _ => (!is_same(value, now)).then(|| path.to_owned()),
    }
}
