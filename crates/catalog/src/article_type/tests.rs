//! Tests of the rules of article types.

use serde_json::json;
use values::{UnitCategory, Validated, fold};

use super::{
    preview::{example, samples},
    rules::{TypeReferences, check, draft},
    *,
};
use crate::{
    attribute::{AttributeDetail, AttributeType},
    testdata::codes,
};

fn type_references(attributes: impl IntoIterator<Item = (i64, Attribute)>) -> TypeReferences {
    let attributes = attributes
        .into_iter()
        .map(|(id, attribute)| (id, AttributeDetail { attribute, options: Vec::new() }))
        .collect();
    TypeReferences { attributes, ..TypeReferences::default() }
}

fn attribute(id: i64, name: &str) -> (i64, Attribute) {
    let attribute = Attribute {
        id,
        name: name.into(),
        name_fold: fold(name),
        placeholder: values::fold::slug(name),
        r#type: AttributeType::Custom,
        primary: false,
        position: id,
        unit_category: None,
        default_unit: None,
        weight_per_base_unit: None,
        version: 1,
        created_at: values::Instant::UNIX_EPOCH,
        updated_at: values::Instant::UNIX_EPOCH,
    };
    (id, attribute)
}

fn input(extra: &serde_json::Value) -> Validated<ArticleTypeInput> {
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
    let references = type_references([attribute(1, "Höhe"), attribute(2, "Güte")]);
    let actual =
        check(&input(extra), &references).map_or_else(|violations| codes(&violations), |_| [].into());
    let actual: Vec<_> = actual.iter().map(|(path, codes)| (path.as_str(), codes.join(","))).collect();
    let expected: Vec<_> = expected.iter().map(|(path, code)| (*path, (*code).to_owned())).collect();
    assert_eq!(actual, expected);
}

#[test]
fn invalid_article_types_are_refused_at_their_fields() {
    refused(&json!({}), &[]);
    refused(&json!({ "name": " " }), &[("name", "required")]);
    refused(&json!({ "article_type_group_id": 9 }), &[("article_type_group_id", "unknown_reference")]);
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
fn a_section_needs_attributes_that_measure_its_dimensions() {
    let metric = |id, name, category| {
        let (id, attribute) = attribute(id, name);
        (id, Attribute { r#type: AttributeType::Metric, unit_category: Some(category), ..attribute })
    };
    let errors_of = |extra: serde_json::Value, measured: [Option<&str>; 3]| {
        let attributes: Vec<_> = (1..)
            .zip(measured)
            .map(|(id, dimension)| json!({ "attribute_id": id, "primary": id == 1, "dimension": dimension }))
            .collect();
        let mut all = json!({ "attributes": attributes, "article_name_template": "HEB" });
        all.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let measuring = [
            metric(1, "Höhe", UnitCategory::Length),
            metric(2, "Dicke", UnitCategory::Length),
            metric(3, "Masse", UnitCategory::Mass),
        ];
        let result = check(&input(&all), &type_references(measuring));
        result.map_or_else(|violations| codes(&violations), |_| [].into())
    };
    let refused = |path: &str, code: &str| [(path.to_owned(), vec![code.to_owned()])].into();
    assert_eq!(errors_of(json!({}), [Some("height"), Some("thickness"), None]), [].into());
    assert_eq!(
        errors_of(json!({ "section": "tube" }), [Some("diameter"), Some("thickness"), None]),
        [].into()
    );
    assert_eq!(
        errors_of(json!({ "section": "tube" }), [Some("diameter"), None, None]),
        refused("section", "dimension_missing")
    );
    assert_eq!(
        errors_of(json!({}), [Some("height"), Some("height"), None]),
        refused("attributes.1.dimension", "duplicate")
    );
    assert_eq!(
        errors_of(json!({}), [None, None, Some("length")]),
        refused("attributes.2.dimension", "dimension_not_measured")
    );
    assert_eq!(
        errors_of(json!({ "section": "sheet" }), [None, Some("thickness"), None]),
        refused("base_unit_of_measure", "section_base_unit")
    );
    let sheet = json!({ "section": "sheet", "base_unit_of_measure": "m2" });
    assert_eq!(errors_of(sheet, [None, Some("thickness"), None]), [].into());
}

#[test]
fn missing_primary_attributes_are_listed() {
    let references = type_references([attribute(1, "Höhe"), attribute(2, "Güte")]);
    let all = json!({
        "article_number_template": "HEB",
        "attributes": [{ "attribute_id": 1, "primary": true }, { "attribute_id": 2, "primary": true }],
    });
    let violations = check(&input(&all), &references).unwrap_err();
    let text = violations.iter().next().unwrap().message.text(values::Language::En);
    assert_eq!(text, "The number template must contain all primary attributes; missing: Höhe, Güte");
}

#[test]
fn a_preview_of_sample_values_needs_no_article() {
    let references = type_references([attribute(1, "Höhe"), attribute(2, "Güte")]);
    let (blueprint, violations) = draft(&input(&json!({})), &references);
    assert!(violations.is_empty());
    let blueprint = blueprint.unwrap();
    let example = example(None, &blueprint, None, &samples(&blueprint)).unwrap();
    assert_eq!(
        (example.article_number.as_str(), example.article_name.as_str()),
        ("HEB-Höhe", "HEB Höhe Güte")
    );
}
