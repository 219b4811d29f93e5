//! Interpretation of bodies, with a contract of its own.
#![expect(dead_code, reason = "only their schemas matter")]

use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;
use values::Code;

use super::*;
use crate::codes;

#[derive(ToSchema, Deserialize)]
struct DraftInput {
    number: Option<String>,
    kind_id: i64,
    big_group_id: Option<i64>,
    member_ids: Vec<i64>,
    values: Vec<EntryInput>,
    note: Option<String>,
    version: Option<i64>,
}

#[derive(ToSchema, Deserialize)]
struct EntryInput {
    attribute_id: i64,
    number: Option<String>,
}

#[derive(ToSchema)]
struct DraftView {
    id: i64,
    number: String,
    number_overridden: bool,
    kind: Kind,
    group: Option<Kind>,
    members: Vec<Kind>,
    values: Vec<EntryView>,
    note: Option<String>,
    weight: Option<String>,
    version: i64,
    created_at: String,
}

#[derive(ToSchema)]
struct Kind {
    id: i64,
    name: String,
}

#[derive(ToSchema)]
struct EntryView {
    attribute_id: i64,
    number: Option<String>,
    display: String,
}

fn record() -> Value {
    json!({
        "id": 7, "number": "A-1", "number_overridden": false, "kind": { "id": 1, "name": "Träger" },
        "group": { "id": 4, "name": "Profile" }, "members": [{ "id": 8, "name": "X" }, { "id": 9, "name": "Y" }],
        "values": [{ "attribute_id": 5, "number": "12", "display": "12 m" }, { "attribute_id": 6, "number": "1.5", "display": "1,5 mm" }],
        "note": "x", "weight": "61.3", "version": 3, "created_at": "2026-11-23T07:00:00Z",
    })
}

fn contract() -> &'static Contract {
    Contract::from_types::<DraftInput, DraftView>()
}

/// Returns the rest of a body, and the paths at which it is refused.
fn strip(body: Value, name_in_path: Option<&NameInPath<'_>>) -> (Value, Vec<(String, Code)>) {
    let english = record();
    let mut german = record();
    german["values"][1]["display"] = json!("1,5 Millimeter");
    let (body, wrong) = contract().strip_read_only(body, &Current(vec![german, english]), name_in_path);
    (body, wrong.into_iter().map(|violation| (violation.path, violation.message.code)).collect())
}

fn changed(change: impl FnOnce(&mut Value)) -> Value {
    let mut body = record();
    change(&mut body);
    body
}

#[test]
fn read_only_fields_are_stripped_from_a_record_that_was_read() {
    let input = json!({
        "kind_id": 1, "big_group_id": 4, "member_ids": [8, 9], "note": "x", "version": 3,
        "values": [{ "attribute_id": 5, "number": "12" }, { "attribute_id": 6, "number": "1.5" }],
    });
    assert_eq!(strip(record(), None), (input.clone(), vec![]), "the number follows");
    assert_eq!(contract().input_of(&record()), input);

    let overridden = changed(|body| body["number_overridden"] = json!(true));
    let mut input = input;
    input["number"] = json!("A-1");
    assert_eq!(contract().input_of(&overridden), input);
    assert!(contract().is_written_back(&record()) && !contract().is_written_back(&input));
    let entry = json!({ "values": [{ "attribute_id": 5, "display": "12 m" }] });
    assert!(contract().is_written_back(&entry));
}

#[test]
fn read_only_fields_may_be_sent_unchanged_in_any_language_and_spelling() {
    for (what, body) in [
        ("a language", json!({ "values": [{ "attribute_id": 6, "display": "1,5 mm" }] })),
        ("the other language", json!({ "values": [{ "attribute_id": 6, "display": "1,5 Millimeter" }] })),
        ("another place in time", json!({ "created_at": "2026-11-23T08:00:00.000+01:00" })),
        ("another way to write an amount", json!({ "weight": 61.30 })),
        ("part of a reference", json!({ "kind": { "id": 1 } })),
        (
            "an entry by what it refers to",
            json!({ "values": [{ "attribute_id": 6, "display": "1,5 mm" }, { "attribute_id": 5, "display": "12 m" }] }),
        ),
    ] {
        assert_eq!(strip(body, None).1, vec![], "{what}");
    }
}

#[test]
fn changed_read_only_fields_are_refused() {
    for (body, path) in [
        (json!({ "id": 8 }), "id"),
        (json!({ "id": null }), "id"),
        (json!({ "kind": { "id": 1, "name": "Rohr" } }), "kind.name"),
        (json!({ "kind": { "id": 2, "name": "Träger" } }), "kind.id"),
        (json!({ "kind": { "id": 1, "colour": "red" } }), "kind.colour"),
        (json!({ "kind": null }), "kind"),
        (json!({ "members": [{ "id": 8, "name": "X" }] }), "members"),
        (json!({ "created_at": "2026-11-23T07:00:01Z" }), "created_at"),
        (json!({ "weight": "61.31" }), "weight"),
        (json!({ "number_overridden": true }), "number_overridden"),
        (json!({ "values": [{ "attribute_id": 5, "display": "13 m" }] }), "values.0.display"),
        (json!({ "values": [{ "attribute_id": 4, "display": "12 m" }] }), "values.0.display"),
    ] {
        assert_eq!(strip(body.clone(), None).1, vec![(path.to_owned(), codes::READ_ONLY)], "{body}");
    }
    let of_nothing = contract().strip_read_only(json!({ "id": 7, "note": "x" }), &Current::default(), None);
    assert_eq!(of_nothing, (json!({ "note": "x" }), Violations::one("id", codes::READ_ONLY)));
}

#[test]
fn unknown_fields_are_passed_on_to_the_input_parser() {
    assert_eq!(strip(json!({ "colour": "red" }), None), (json!({ "colour": "red" }), vec![]));
    assert!(!contract().is_written_back(&json!({ "colour": "red" })));
}

#[test]
fn an_id_takes_precedence_over_the_reference_that_was_read() {
    let (input, wrong) = strip(changed(|body| body["kind_id"] = json!(2)), None);
    assert_eq!((&input["kind_id"], wrong), (&json!(2), vec![]));
    let (input, _) = strip(changed(|body| body["member_ids"] = json!([])), None);
    assert_eq!(input["member_ids"], json!([]));
    // an absent field stays absent
    assert_eq!(strip(json!({ "note": "y" }), None).0, json!({ "note": "y" }));
}

#[test]
fn derived_fields_stay_derived_unless_they_are_changed() {
    let (input, _) = strip(changed(|body| body["number"] = json!("B-1")), None);
    assert_eq!(input["number"], "B-1");
    let (input, _) = strip(json!({ "number": "A-1" }), None);
    assert_eq!(input["number"], "A-1", "sent without the flag it is an override");
}

#[test]
fn an_update_by_name_cannot_rename_the_record() {
    let name_in_path = NameInPath { field: "number", name: "a-1" };
    let number = |given: Value| {
        let (input, wrong) = strip(json!({ "number": given }), Some(&name_in_path));
        (input["number"].clone(), wrong)
    };
    assert_eq!(strip(json!({}), Some(&name_in_path)).0["number"], "A-1", "in its current spelling");
    assert_eq!(number(Value::Null), (json!("A-1"), vec![]));
    assert_eq!(number(json!(" á-1 ")), (json!(" á-1 "), vec![]), "in a new spelling");
    assert_eq!(number(json!("A-2")).1, vec![("number".to_owned(), codes::OTHER_KEY)]);
    assert_eq!(number(json!(1)), (json!(1), vec![]), "refused by the input parser");
    assert_eq!(strip(record(), Some(&name_in_path)).0["number"], "A-1", "a key is not derived");
    let (input, _) = contract().strip_read_only(json!({}), &Current::default(), Some(&name_in_path));
    assert_eq!(input["number"], "a-1");
}

#[test]
fn patches_are_merged_according_to_rfc_7396() {
    for (target, patch, expected) in [
        (json!({"a":"b"}), json!({"a":"c"}), json!({"a":"c"})),
        (json!({"a":"b"}), json!({"b":"c"}), json!({"a":"b", "b":"c"})),
        (json!({"a":"b"}), json!({"a":null}), json!({})),
        (json!({"a":"b", "b":"c"}), json!({"a":null}), json!({"b":"c"})),
        (json!({"a":["b"]}), json!({"a":"c"}), json!({"a":"c"})),
        (json!({"a":"c"}), json!({"a":["b"]}), json!({"a":["b"]})),
        (json!({"a":{"b":"c"}}), json!({"a":{"b":"d","c":null}}), json!({"a":{"b":"d"}})),
        (json!({"a":[{"b":"c"}]}), json!({"a":[1]}), json!({"a":[1]})),
        (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
        (json!({"a":"b"}), json!(["c"]), json!(["c"])),
        (json!({"a":"foo"}), json!(null), json!(null)),
        (json!({"e":null}), json!({"a":1}), json!({"e":null, "a":1})),
        (json!([1, 2]), json!({"a":"b","c":null}), json!({"a":"b"})),
        (json!({}), json!({"a":{"bb":{"ccc":null}}}), json!({"a":{"bb":{}}})),
    ] {
        let mut merged = target.clone();
        merge(&mut merged, patch.clone());
        assert_eq!(merged, expected, "{target} {patch}");
    }
}
