//! Rules of article types.

use serde_json::json;

use super::*;
use crate::testdata::codes;

fn attribute(id: i64, name: &str) -> (i64, Attribute) {
    let attribute = Attribute {
        id,
        name: name.into(),
        name_fold: fold(name),
        placeholder: kernel::fold::slug(name),
        r#type: AttributeType::Custom,
        primary: false,
        position: id,
        unit_category: None,
        default_unit: None,
        weight_per_base_unit: None,
        version: 1,
        created_at: kernel::Instant::UNIX_EPOCH,
        updated_at: kernel::Instant::UNIX_EPOCH,
    };
    (id, attribute)
}

fn input(extra: &serde_json::Value) -> ArticleTypeInput {
    let mut input = json!({
        "name": "HEB",
        "article_number_template": "HEB-{hoehe}",
        "article_name_template": "HEB {hoehe} {guete}",
        "base_unit_of_measure": "m",
        "listing_unit_of_measure": "piece",
        "price_unit_of_measure": "t",
        "attributes": [{ "attribute_id": 1, "primary": true }, { "attribute_id": 2 }],
    });
    input.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    serde_json::from_value(input).unwrap()
}

#[track_caller]
fn refused(extra: &serde_json::Value, expected: &[(&str, &str)]) {
    let known = [attribute(1, "Höhe"), attribute(2, "Güte")].into_iter().collect();
    let found = check(&input(extra), known).map_or_else(|violations| codes(&violations), |()| [].into());
    let found: Vec<_> = found.iter().map(|(path, codes)| (path.as_str(), codes.join(","))).collect();
    let expected: Vec<_> = expected.iter().map(|(path, code)| (*path, (*code).to_owned())).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_rules_of_article_types() {
    refused(&json!({}), &[]);
    refused(&json!({ "name": " " }), &[("name", "required")]);
    refused(
        &json!({ "attributes": [] }),
        &[
            ("article_name_template", "unknown_placeholder,unknown_placeholder"),
            ("article_number_template", "unknown_placeholder"),
            ("attributes", "too_few"),
        ],
    );
    refused(
        &json!({ "attributes": [{ "attribute_id": 1 }, { "attribute_id": 2 }] }),
        &[("attributes", "primary_required")],
    );
    refused(
        &json!({ "attributes": [{ "attribute_id": 1, "primary": true }, { "attribute_id": 2 }, { "attribute_id": 1 }, { "attribute_id": 3 }] }),
        &[("attributes.2.attribute_id", "duplicate"), ("attributes.3.attribute_id", "unknown_reference")],
    );
    refused(
        &json!({ "attributes": [{ "attribute_id": 1, "primary": true }, { "attribute_id": 2, "primary": true }] }),
        &[("article_number_template", "primary_missing")],
    );
    refused(
        &json!({ "article_number_template": "", "article_name_template": "}" }),
        &[("article_name_template", "unbalanced_brace"), ("article_number_template", "required")],
    );
    refused(
        &json!({ "article_number_template": "x".repeat(256) }),
        &[("article_number_template", "too_long,primary_missing")],
    );
}

#[test]
fn missing_primary_attributes_are_listed() {
    let known: HashMap<_, _> = [attribute(1, "Höhe"), attribute(2, "Güte")].into_iter().collect();
    let all = json!({
        "article_number_template": "HEB",
        "attributes": [{ "attribute_id": 1, "primary": true }, { "attribute_id": 2, "primary": true }],
    });
    let violations = check(&input(&all), known).unwrap_err();
    let text = violations.iter().next().unwrap().message.text(kernel::Language::En);
    assert_eq!(text, "The number template must contain all primary attributes; missing: Höhe, Güte");
}

#[test]
fn a_preview_of_sample_values_needs_no_article() {
    let known: HashMap<_, _> = [attribute(1, "Höhe"), attribute(2, "Güte")]
        .into_iter()
        .map(|(id, attribute)| (id, AttributeDetail { attribute, options: Vec::new() }))
        .collect();
    let (blueprint, violations) = draft(&input(&json!({})), &known);
    assert!(violations.is_empty());
    let blueprint = blueprint.unwrap();
    let example = example(None, &blueprint, None, &samples(&blueprint)).unwrap();
    assert_eq!(
        (example.article_number.as_str(), example.article_name.as_str()),
        ("HEB-Höhe", "HEB Höhe Güte")
    );
}
