//! Comparison of read-only values in a body with the present ones.

use serde_json::Value;
use store::standing::is_same;

/// Returns the path at which a read-only value differs from the present one in every language.
pub(super) fn difference(given: &Value, current: &[&Value], path: &str) -> Option<String> {
    let mut found = None;
    for now in current {
        found = Some(differs(given, now, path)?);
    }
    Some(found.unwrap_or_else(|| path.to_owned()))
}

fn differs(given: &Value, now: &Value, path: &str) -> Option<String> {
    match (given, now) {
        (Value::Object(given), Value::Object(now)) => given.iter().find_map(|(name, value)| {
            let path = format!("{path}.{name}");
            match now.get(name) {
                Some(now) => differs(value, now, &path),
                None => Some(path),
            }
        }),
        _ => (!is_same(given, now)).then(|| path.to_owned()),
    }
}
