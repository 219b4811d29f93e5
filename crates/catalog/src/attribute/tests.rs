//! Tests of the rules of attributes.

use sea_orm::ActiveValue::Set;
use values::{Error, Violations};

use super::{
    rules::{AttributeRows, check},
    *,
};

fn violations(input: AttributeInput, existing: &[AttributeOption]) -> Violations {
    match check(input.into(), existing) {
        Ok(_) => Violations::new(),
        Err(Error::Invalid(violations)) => violations,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn inputs_follow_the_shared_rules_of_their_type() {
    crate::testdata::check("attribute.json", |input| violations(input, &[]));
}

fn input(json: &serde_json::Value) -> AttributeInput {
    serde_json::from_value(json.clone()).unwrap()
}

#[test]
fn an_existing_option_may_occur_only_once() {
    let existing = AttributeOption {
        id: 7,
        attribute_id: 1,
        position: 1,
        name: "200".into(),
        name_fold: "200".into(),
        value: "200".into(),
        value_fold: "200".into(),
        display_value: None,
        weight_per_base_unit: None,
    };
    let twice = input(&serde_json::json!({ "name": "Höhe", "type": "categorial", "options": [
        { "id": 7, "name": "200", "value": "200" }, { "id": 7, "name": "220", "value": "220" }, { "id": 8, "name": "x", "value": "x" },
    ]}));
    let codes = crate::testdata::codes(&violations(twice, &[existing]));
    assert_eq!(codes["options.1.id"], ["duplicate"]);
    assert_eq!(codes["options.2.id"], ["unknown_reference"]);
    assert_eq!(codes.len(), 2);
}

#[test]
fn the_placeholder_is_the_name_in_lower_case() {
    let AttributeRows { attribute, .. } =
        check(input(&serde_json::json!({ "name": "Flansch-Höhe", "type": "custom" })).into(), &[]).unwrap();
    assert_eq!(attribute.placeholder, Set("flansch_hoehe".into()));
    assert_eq!(attribute.name_fold, Set("flansch-hohe".into()));
}

#[test]
fn too_many_options_are_refused_without_checking_each() {
    let mut many = input(
        &serde_json::json!({ "name": "Höhe", "type": "categorial", "options": [{ "name": "", "value": "" }] }),
    );
    many.options = vec![many.options[0].clone(); OPTIONS_MAX + 1];
    let codes = crate::testdata::codes(&violations(many, &[]));
    assert_eq!(codes.into_iter().collect::<Vec<_>>(), [("options".to_owned(), vec!["too_many".to_owned()])]);
}
