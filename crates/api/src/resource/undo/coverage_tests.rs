//! Test against accidental loss: every operation of the contract that deletes or changes records can be
//! undone from the history, or its request states how much it changes.

use identity::audit::AuditEntry;
use serde_json::{Value, json};
use values::now;

use super::records::Undo;
use crate::{app, resource};

/// Operations that are neither undone from the history nor counted by their request, each with the reason.
/// Entries are added in review only.
const EXCEPTIONS: &[(&str, &str)] = &[
    ("article_images.delete", "one picture, which the question shows"),
    ("category_images.delete", "one picture, which the question shows"),
    ("category_images.delete_article_type", "one picture, which the question shows"),
    ("imports.delete", "cancels a file that has changed nothing yet"),
    ("imports.forget_mapping", "what is offered for files to come; the import keeps it"),
    ("sessions.delete", "one signs in again"),
    ("sessions.end", "one signs in again"),
    ("sessions.end_others", "one signs in again"),
    ("tokens.delete", "one token, which the question names"),
    ("users.delete", "one person, whom the question names, and nothing that refers to them is lost"),
    ("users.revoke_invitation", "one invitation, which is sent again"),
    ("webhooks.delete", "one webhook, which the question names; its secret is gone"),
    ("views.delete", "one view, which the question names"),
];

/// Last path segments of operations that may delete data, besides all DELETE operations.
const DESTRUCTIVE: &[&str] = &["bulk-delete", "bulk-change", "undo", "apply", "archive", "change", "order"];

/// Fields and parameters that state how much a request changes, or make it a preview.
const CONFIRMATION_FIELDS: &[&str] = &["count", "confirm", "confirm_removals", "deletes", "dry_run", "seen"];

/// Builds an entry of the history of a record.
fn entry_of(record: &str, action: &str, changes: Value) -> AuditEntry {
    AuditEntry {
        id: 1,
        at: now(),
        action: action.to_owned(),
        record: record.to_owned(),
        record_id: Some(1),
        record_name: String::new(),
        tenant_id: None,
        user_id: None,
        channel: "session".to_owned(),
        channel_id: None,
        address: String::new(),
        request: String::new(),
        undoes: None,
        changes,
    }
}

struct Operation<'d> {
    id: &'d str,
    path: &'d str,
    method: &'d str,
    declared: &'d Value,
}

fn operations(document: &Value) -> impl Iterator<Item = Operation<'_>> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, methods)| {
        methods.as_object().into_iter().flatten().filter_map(move |(method, declared)| {
            let id = declared["operationId"].as_str()?;
            Some(Operation { id, path, method, declared })
        })
    })
}

impl Operation<'_> {
    fn is_destructive(&self) -> bool {
        let last = self.path.rsplit('/').next().unwrap_or_default();
        self.method == "delete" || DESTRUCTIVE.contains(&last)
    }

    /// True if the history can undo it, by the records of its resource and its effect on them.
    fn is_undone(&self) -> bool {
        let Some((name, action)) = self.id.split_once('.') else { return false };
        let resource = resource::ALL.iter().map(|published| published.resource);
        let Some(resource) = resource.into_iter().find(|resource| resource.name == name) else {
            return false;
        };
        let deletes = action.ends_with("delete");
        if self.method == "delete" && !deletes {
            return false; // of a part, which is no field of the record
        }
        // the price count is included: the prices of a list are restored with it
        let changes = ["name", "position", "valid_until", "price", "price_count"];
        let changes = changes.map(|field| json!({ "field": field, "from": 1, "to": null }));
        let action = if deletes { "deleted" } else { "changed" };
        let entry = entry_of(resource.table(), action, json!(changes));
        let changes = imports::import::row::changes_of(&entry.changes);
        Undo::find(&entry).is_some_and(|undo| {
            if deletes { (undo.restores)(&entry) } else { changes.iter().any(undo.writes) }
        })
    }

    /// True if its request states how much it changes.
    fn is_counted(&self, document: &Value) -> bool {
        let parameters = self.declared["parameters"].as_array().into_iter().flatten();
        let mut parameters = parameters.map(|parameter| resolved(document, parameter));
        parameters.any(|parameter| CONFIRMATION_FIELDS.iter().any(|name| parameter["name"] == *name))
            || has_counted_field(document, &resolved(document, &self.declared["requestBody"])["content"], 6)
    }
}

fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    match value["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap_or(&Value::Null),
        None => value,
    }
}

fn has_counted_field(document: &Value, value: &Value, depth: u8) -> bool {
    let value = resolved(document, value);
    let is_counted = |properties: &serde_json::Map<String, Value>| {
        CONFIRMATION_FIELDS.iter().any(|name| properties.contains_key(*name))
    };
    let within: Vec<&Value> = match value {
        Value::Object(fields) => {
            if fields.get("properties").and_then(Value::as_object).is_some_and(is_counted) {
                return true;
            }
            fields.values().collect()
        }
        Value::Array(values) => values.iter().collect(),
        _ => Vec::new(),
    };
    depth > 0 && within.into_iter().any(|value| has_counted_field(document, value, depth - 1))
}

#[test]
fn each_destructive_operation_can_be_undone_or_states_its_extent() {
    let document: Value = serde_json::from_str(app::openapi()).unwrap();
    let is_exception = |id: &str| EXCEPTIONS.iter().any(|(exception, _)| *exception == id);
    let mut walked = Vec::new();
    for operation in operations(&document).filter(Operation::is_destructive) {
        let is_safe = operation.is_undone() || operation.is_counted(&document);
        assert!(
            is_safe || is_exception(operation.id),
            "{}: neither undone from the history nor counted by its request",
            operation.id
        );
        assert!(!(is_safe && is_exception(operation.id)), "{}: an exception without need", operation.id);
        walked.push(operation.id.to_owned());
    }
    for (id, _) in EXCEPTIONS {
        assert!(walked.iter().any(|walked| walked == id), "{id}: no operation");
    }
    assert!(walked.len() > 60, "{walked:?}");
}

/// Records whose operations are named differently from their resource, or that are parts of another record.
const DIRECT: &[(&str, [&str; 3])] = &[
    ("closure", ["closures.create", "closures.create", "closures.delete"]),
    ("held_price", ["held_prices.bulk_change"; 3]),
    ("price_list_entry", ["price_lists.update_prices"; 3]),
    (
        "shipping_node_closure",
        ["shipping_node_closures.create", "shipping_node_closures.create", "shipping_node_closures.delete"],
    ),
    ("user", ["users.create", "users.change", "users.delete"]),
];

#[test]
fn an_undo_requires_the_permission_of_the_direct_operation() {
    let document: Value = serde_json::from_str(app::openapi()).unwrap();
    let permission = |id: &str| {
        let operation = operations(&document).find(|operation| operation.id == id);
        operation.and_then(|operation| operation.declared["x-permission"].as_str().map(str::to_owned))
    };
    let mut compared = 0;
    for published in resource::ALL {
        let (name, table) = (published.resource.name, published.resource.table());
        if name == "prices" {
            continue; // a side of stocks: the fields of an entry determine its side
        }
        let usual = ["create", "update", "delete"].map(|verb| format!("{name}.{verb}"));
        let direct = DIRECT
            .iter()
            .find(|(direct_table, _)| *direct_table == table)
            .map_or(usual, |(_, ids)| ids.map(str::to_owned));
        for (action, direct) in [("deleted", &direct[0]), ("changed", &direct[1]), ("created", &direct[2])] {
            let entry = entry_of(table, action, json!([{ "field": "quantity", "from": 1, "to": null }]));
            let Some(undo) = Undo::find(&entry) else { continue };
            let required = permission(direct).unwrap_or_else(|| panic!("{table}: no operation {direct}"));
            let needs: Vec<_> = undo.needs(&entry).iter().map(|needed| needed.as_str().to_owned()).collect();
            assert!(needs.contains(&required), "{table}, {action}: needs {needs:?}, by hand {required}");
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}
