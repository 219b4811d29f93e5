//! Tests of article inputs.

use sea_orm::ActiveValue::Set;
use serde_json::json;
use values::Language;

use super::*;
use crate::{
    blueprint::Blueprint,
    blueprint::tests::{beam, material},
    testdata::codes,
    value::Value,
};

fn input(extra: &serde_json::Value) -> ArticleInput {
    let mut input = json!({
        "article_type_id": 9,
        "material_id": 4,
        "values": [
            { "attribute_id": 3, "text": " gestrahlt " },
            { "attribute_id": 1, "option_id": 5 },
            { "attribute_id": 2, "number": "121", "unit": "dm" },
        ],
    });
    input.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    serde_json::from_value(input).unwrap()
}

fn written(extra: &serde_json::Value) -> Result<ActiveModel, Violations> {
    let blueprint = beam("HEB-{hoehe}-{material}", "HEB {hoehe} {laenge} m").unwrap();
    row(&catalogue(blueprint), &input(extra))
}

fn catalogue(blueprint: Blueprint) -> Catalogue {
    Catalogue::new(vec![blueprint], vec![material()])
}

#[track_caller]
fn refused(extra: &serde_json::Value, expected: &[(&str, &str)]) {
    let actual = codes(&written(extra).unwrap_err());
    let actual: Vec<_> = actual.iter().map(|(path, codes)| (path.as_str(), codes.join(","))).collect();
    let expected: Vec<_> = expected.iter().map(|(path, code)| (*path, (*code).to_owned())).collect();
    assert_eq!(actual, expected);
}

#[test]
fn name_and_number_follow_the_templates() {
    let row = written(&json!({})).unwrap();
    assert_eq!(row.article_number, Set("HEB-200-S235".into()));
    assert_eq!(row.article_number_fold, Set("heb-200-s235".into()));
    assert_eq!(row.article_number_overridden, Set(false));
    assert_eq!(row.article_name, Set("HEB 200 mm 12,1 m".into()));
    assert_eq!(row.article_name_overridden, Set(false));
    assert_eq!(row.weight_per_base_unit, Set(Some("61.3".parse().unwrap())));
    assert_eq!(row.weight_per_base_unit_overridden, Set(false));
    let stored = serde_json::to_string(row.attribute_values.as_ref()).unwrap();
    assert_eq!(stored, r#"{"1":{"o":5},"2":{"n":"12100"},"3":{"t":"gestrahlt"}}"#);
}

#[test]
fn a_value_is_an_override_only_if_it_differs() {
    let row = written(&json!({ "article_number": " X-1 ", "article_name": "HEB 200 mm 12,1 m" })).unwrap();
    assert_eq!((row.article_number, row.article_number_overridden), (Set("X-1".into()), Set(true)));
    assert_eq!(
        (row.article_name, row.article_name_overridden),
        (Set("HEB 200 mm 12,1 m".into()), Set(false))
    );
    let row = written(&json!({ "article_number": " " })).unwrap();
    assert_eq!((row.article_number, row.article_number_overridden), (Set("HEB-200-S235".into()), Set(false)));
    for (weight, overridden) in [("60", true), ("61.3", false), ("61.30", false)] {
        let row = written(&json!({ "weight_per_base_unit": weight })).unwrap();
        assert_eq!(row.weight_per_base_unit, Set(Some(weight.parse().unwrap())));
        assert_eq!(row.weight_per_base_unit_overridden, Set(overridden), "{weight}");
    }
}

#[test]
fn a_weight_is_an_override_if_none_can_be_calculated() {
    for (weight, overridden) in [(None, false), (Some("61.3"), true)] {
        let row = written(&json!({
            "values": [
                { "attribute_id": 1, "option_id": 6 },
                { "attribute_id": 2, "number": "12" },
                { "attribute_id": 3, "text": "roh" },
            ],
            "weight_per_base_unit": weight,
        }))
        .unwrap();
        assert_eq!(row.weight_per_base_unit, Set(weight.map(|weight| weight.parse().unwrap())));
        assert_eq!(row.weight_per_base_unit_overridden, Set(overridden));
    }
}

#[test]
fn violations_are_reported_at_the_fields_of_the_input() {
    refused(&json!({ "values": [] }), &[("values", "value_required,value_required,value_required")]);
    refused(
        &json!({ "values": [
            { "attribute_id": 1 },
            { "attribute_id": 2, "number": "1", "unit": "kg" },
            { "attribute_id": 3, "option_id": 5 },
            { "attribute_id": 8, "text": "x" },
            { "attribute_id": 1, "option_id": 5 },
        ]}),
        &[
            ("values.0.option_id", "value_required"),
            ("values.1.unit", "wrong_unit_category"),
            ("values.2.option_id", "wrong_value_kind"),
            ("values.3.attribute_id", "foreign_attribute"),
            ("values.4.attribute_id", "duplicate"),
        ],
    );
    refused(
        &json!({ "article_number": "x".repeat(256), "article_name": "a\u{0}", "weight_per_base_unit": "0" }),
        &[
            ("article_name", "not_printable"),
            ("article_number", "too_long"),
            ("weight_per_base_unit", "not_greater"),
        ],
    );
}

#[test]
fn a_material_is_required_if_the_template_uses_it() {
    let blueprint = beam("HEB-{hoehe}-{material}", "HEB").unwrap();
    let without =
        row(&Catalogue::new(vec![blueprint.clone()], vec![]), &input(&json!({ "material_id": null })))
            .unwrap_err();
    assert_eq!(codes(&without)["material_id"], ["material_required"]);
    let unknown = row(&Catalogue::new(vec![blueprint], vec![]), &input(&json!({}))).unwrap_err();
    assert_eq!(codes(&unknown)["material_id"], ["unknown_reference"]);
    let plain = beam("HEB-{hoehe}", "HEB").unwrap();
    assert!(row(&catalogue(plain), &input(&json!({ "material_id": null }))).is_ok());
}

#[test]
fn a_rendered_text_that_is_too_long_can_be_overridden() {
    let blueprint = beam(&format!("{{hoehe}}{}", "-".repeat(253)), "HEB").unwrap();
    let catalogue = catalogue(blueprint);
    let long = row(&catalogue, &input(&json!({}))).unwrap_err();
    assert_eq!(codes(&long)["article_number"], ["too_long"]);
    assert!(row(&catalogue, &input(&json!({ "article_number": "short" }))).is_ok());
}

#[test]
fn values_are_displayed_in_the_readers_language() {
    let blueprint = beam("HEB-{hoehe}", "HEB").unwrap();
    let length = blueprint.attribute(2).unwrap();
    let metric = ValueDetail::new(length, Value::Number("12100".parse().unwrap()));
    assert_eq!((metric.number, metric.unit), (Some("12.1".parse().unwrap()), Some(Unit::Metre)));
    assert_eq!(metric.display(Language::De), "12,1 m");
    assert_eq!(metric.display(Language::En), "12.1 m");
}
