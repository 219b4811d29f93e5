//! Lists of an input with the parts that they had before an entry of the history.

use serde_json::{Map, Value};
use store::{
    audit::Change,
    standing::{is_same, parts},
};

/// Returns a list of an input with the parts that it had before a change, each in its position.
/// `field_names` are those of its entries.
pub(super) fn restore_parts(list: &[Value], change: &Change, field_names: &[&str]) -> Vec<Value> {
    let (removed, added) = (parts(&change.from), parts(&change.to));
    let exists = |id: &Value| list.iter().any(|entry| entry.get("id") == Some(id));
    let mut placed: Vec<(i64, Value)> = (1..).zip(list.iter().cloned()).collect();
    placed.retain(|(_, entry)| !added.iter().any(|part| is_part(entry, part)));
    for part in removed {
        if placed.iter().any(|(_, entry)| is_part(entry, part)) {
            continue;
        }
        let place = part.get("position").and_then(Value::as_i64).unwrap_or(i64::MAX);
        let entry = match part {
            Value::Object(fields) => {
                let restored_fields = fields.iter().filter(|(name, value)| {
                    field_names.contains(&name.as_str()) && (*name != "id" || exists(value))
                });
                restored_fields
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect::<Map<_, _>>()
                    .into()
            }
            lone => lone.clone(),
        };
        placed.push((place, entry));
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, entry)| entry).collect()
}

/// True if an entry of an input is the same part as one in the history: by its id, otherwise by all fields
/// that both have.
fn is_part(entry: &Value, part: &Value) -> bool {
    let (Value::Object(entry), Value::Object(part)) = (entry, part) else { return entry == part };
    for key in ["id", "attribute_id"] {
        if let (Some(one), Some(other)) = (entry.get(key), part.get(key)) {
            return one == other;
        }
    }
    entry.iter().all(|(name, value)| match part.get(name) {
        Some(noted) => is_same(noted, value),
        None => value.is_null() || name == "id",
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn change(from: Value, to: Value) -> Change {
        Change { field: "name".to_owned(), from, to }
    }

    #[test]
    fn restored_parts_take_their_former_position_and_existing_ids_are_kept() {
        let list =
            [json!({"id": 5, "name": "A"}), json!({"id": 7, "name": "New"}), json!({"id": 6, "name": "C"})];
        let field_names = ["id", "name"];
        let renamed = change(
            json!([{"id": 7, "position": 2, "name": "Old"}]),
            json!([{"id": 7, "position": 2, "name": "New"}]),
        );
        let former = restore_parts(&list, &renamed, &field_names);
        assert_eq!(former[1], json!({"id": 7, "name": "Old"}));
        assert_eq!(former.len(), 3);
        let removed = change(json!([{"id": 9, "position": 1, "name": "Gone"}]), json!([]));
        assert_eq!(
            restore_parts(&list, &removed, &field_names)[1],
            json!({"name": "Gone"}),
            "with a newly assigned id"
        );
        let added = change(json!([]), json!([{"position": 2, "name": "New"}]));
        assert_eq!(restore_parts(&list, &added, &field_names).len(), 2, "recorded before it had an id");
        let plain = [json!({"name": "A", "weight": null}), json!({"name": "New", "weight": null})];
        assert_eq!(restore_parts(&plain, &added, &["name"]), [plain[0].clone()]);
        let rights = change(json!(["a.list"]), json!(["b.list"]));
        assert_eq!(
            restore_parts(&[json!("b.list"), json!("c.list")], &rights, &[]),
            [json!("c.list"), json!("a.list")]
        );
    }
}
