//! Tests of values and of the texts that are rendered from them.

use values::{Instant, UnitCategory, fold::slug};

use super::*;
use crate::codes;

/// Blueprint with a categorial height (200 and 220), a metric length in metres and a custom surface.
pub(crate) fn beam(number: &str, name: &str) -> Result<Blueprint, Violations> {
    let mut height = attribute(1, "Höhe", AttributeType::Categorial, None);
    height.weight_per_base_unit = None;
    let options =
        vec![option(5, "200 mm", "200", None, Some("61.3")), option(6, "220 mm", "220", Some("220"), None)];
    let attributes = vec![
        BlueprintAttribute::new(AttributeDetail { attribute: height, options }, true, None),
        plain(attribute(2, "Länge", AttributeType::Metric, Some(Unit::Metre))),
        plain(attribute(3, "Oberfläche", AttributeType::Custom, None)),
    ];
    Blueprint::new(article_type(number, name), attributes, None)
}

fn plain(attribute: Attribute) -> BlueprintAttribute {
    BlueprintAttribute::new(AttributeDetail { attribute, options: Vec::new() }, false, None)
}

fn article_type(number: &str, name: &str) -> ArticleType {
    ArticleType {
        id: 9,
        name: "HEB".into(),
        name_fold: "heb".into(),
        name_sort: String::new(),
        article_number_template: number.into(),
        article_name_template: name.into(),
        base_unit_of_measure: Unit::Metre,
        listing_unit_of_measure: Unit::Piece,
        price_unit_of_measure: Unit::Tonne,
        article_type_group_id: None,
        section: None,
        trade_dimension_id: None,
        version: 1,
        created_at: Instant::UNIX_EPOCH,
        updated_at: Instant::UNIX_EPOCH,
    }
}

fn attribute(id: i64, name: &str, r#type: AttributeType, unit: Option<Unit>) -> Attribute {
    Attribute {
        id,
        name: name.into(),
        name_fold: fold(name),
        placeholder: slug(name),
        r#type,
        primary: false,
        position: id,
        unit_category: unit.map(Unit::category),
        default_unit: unit,
        weight_per_base_unit: None,
        version: 1,
        created_at: Instant::UNIX_EPOCH,
        updated_at: Instant::UNIX_EPOCH,
    }
}

fn option(id: i64, name: &str, value: &str, display: Option<&str>, weight: Option<&str>) -> AttributeOption {
    AttributeOption {
        id,
        attribute_id: 1,
        position: id,
        name: name.into(),
        name_fold: fold(name),
        value: value.into(),
        value_fold: fold(value),
        display_value: display.map(Into::into),
        weight_per_base_unit: weight.map(decimal),
    }
}

pub(crate) fn material() -> Material {
    Material {
        id: 4,
        name: "S235JR+AR".into(),
        name_fold: "s235jr+ar".into(),
        name_sort: String::new(),
        display_name: None,
        display_name_fold: String::new(),
        display_name_sort: String::new(),
        article_number_name: Some("S235".into()),
        article_number_name_fold: "s235".into(),
        article_number_name_sort: String::new(),
        material_number: None,
        material_number_fold: String::new(),
        material_number_sort: String::new(),
        density: None,
        version: 1,
        change: None,
        created_at: Instant::UNIX_EPOCH,
        updated_at: Instant::UNIX_EPOCH,
    }
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn values(option: i64, length: &str) -> AttributeValues {
    let blueprint = beam("{hoehe}", "HEB").unwrap();
    let length = blueprint.attribute(2).unwrap().measure(decimal(length), None).unwrap();
    [(1, Value::Option(option)), (2, length), (3, Value::Text("gestrahlt".into()))].into_iter().collect()
}

#[test]
fn numbers_render_technical_values_and_names_display_values() {
    let blueprint =
        beam("HEB-{hoehe}-{material}-{laenge}", "HEB {hoehe}, {material}, {laenge} m, {oberflaeche}")
            .unwrap();
    let rendered = blueprint.render(Some(&material()), &values(5, "12.1")).unwrap();
    assert_eq!(rendered.article_number, "HEB-200-S235-12.1");
    assert_eq!(rendered.article_name, "HEB 200 mm, S235JR+AR, 12,1 m, gestrahlt");
    assert_eq!(rendered.weight_per_base_unit, Some(decimal("61.3")));

    let other = blueprint.render(Some(&material()), &values(6, "12.1")).unwrap();
    assert_eq!(
        other.article_name, "HEB 220, S235JR+AR, 12,1 m, gestrahlt",
        "the display value if there is one"
    );
    assert_eq!(other.weight_per_base_unit, None);
}

#[test]
fn all_faults_of_values_are_reported_together() {
    let blueprint = beam("{hoehe}-{material}", "HEB").unwrap();
    let wrong: AttributeValues =
        [(1, Value::Option(99)), (2, Value::Text("12 m".into())), (8, Value::Option(1))]
            .into_iter()
            .collect();
    let codes = crate::testdata::codes(&blueprint.render(None, &wrong).unwrap_err());
    let codes: Vec<_> = codes.iter().map(|(path, codes)| (path.as_str(), codes.join(","))).collect();
    assert_eq!(
        codes,
        [
            ("material_id", "material_required".to_owned()),
            ("values.1.option_id", "unknown_option".to_owned()),
            ("values.2.number", "wrong_value_kind".to_owned()),
            ("values.3.text", "value_required".to_owned()),
            ("values.8.attribute_id", "foreign_attribute".to_owned()),
        ]
    );
}

#[test]
fn template_errors_are_reported_at_their_field() {
    let codes = crate::testdata::codes(&beam("{hohe}-{laenge:kg}", "{").unwrap_err());
    assert_eq!(codes["article_number_template"], ["unknown_placeholder", "wrong_unit_category"]);
    assert_eq!(codes["article_name_template"], ["unbalanced_brace"]);
}

#[test]
fn primary_attributes_missing_in_the_number_template_are_found() {
    let missing = |number| {
        let blueprint = beam(number, "x").unwrap();
        blueprint.missing_primary().map(|attribute| attribute.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(missing("HEB-{laenge}"), ["Höhe"]);
    assert_eq!(missing("{hoehe}"), Vec::<String>::new());
}

#[test]
fn options_are_found_by_any_of_their_names() {
    let blueprint = beam("{hoehe}", "HEB").unwrap();
    let height = blueprint.attribute(1).unwrap();
    for text in ["200", "200 MM", " 200  mm "] {
        assert_eq!(height.option_named(text), Ok(Value::Option(5)), "{text}");
    }
    assert_eq!(height.option_named("220"), Ok(Value::Option(6)));
    let fault = height.option_named("230").unwrap_err();
    assert_eq!(fault.text(values::Language::En), "“230” is not an option of “Höhe”");
}

#[test]
fn measures_are_stored_in_the_base_unit_without_loss() {
    let length = plain(attribute(2, "Länge", AttributeType::Metric, Some(Unit::Metre)));
    assert_eq!(length.measure(decimal("12.1"), None), Ok(Value::Number(decimal("12100"))));
    assert_eq!(length.measure(decimal("121"), Some(Unit::Decimetre)), Ok(Value::Number(decimal("12100"))));
    assert_eq!(length.measure(decimal("0"), None), Ok(Value::Number(Decimal::ZERO)));
    let code = |outcome: Result<Value, Message>| outcome.unwrap_err().code;
    assert_eq!(code(length.measure(decimal("1"), Some(Unit::Kilogram))), codes::WRONG_UNIT_CATEGORY);
    assert_eq!(code(length.measure(Decimal::MAX, None)), codes::INVALID_DECIMAL);

    let section = plain(attribute(2, "Querschnitt", AttributeType::Metric, Some(Unit::SquareMillimetre)));
    assert_eq!(section.measure(decimal("150"), None), Ok(Value::Number(decimal("0.00015"))));
    let fault = section.measure(decimal("1.5"), None).unwrap_err();
    assert_eq!(
        fault.text(values::Language::En),
        "Not a valid amount: at most 12 digits before and 0 after the point"
    );
}

#[test]
fn the_reported_number_of_digits_is_accepted() {
    for unit in UnitCategory::ALL.iter().flat_map(|category| category.units()) {
        let text = digits_that_fit(unit).text(values::Language::En);
        let digits: Vec<usize> =
            text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
        let largest = format!("{}.{}", "9".repeat(digits[0]), "9".repeat(digits[1]));
        let attribute = plain(attribute(1, "a", AttributeType::Metric, Some(unit)));
        assert!(
            attribute.measure(decimal(largest.trim_end_matches('.')), None).is_ok(),
            "{unit:?} {largest}"
        );
    }
}

#[test]
fn a_weight_is_derived_only_if_a_single_value_determines_it() {
    let mut thickness = attribute(1, "Dicke", AttributeType::Metric, Some(Unit::Millimetre));
    thickness.weight_per_base_unit = Some(decimal("7.85"));
    let sheet = |attributes| Blueprint::new(article_type("x", "x"), attributes, None).unwrap();
    let values: AttributeValues =
        [(1, Value::Number(decimal("3"))), (2, Value::Number(decimal("3")))].into_iter().collect();
    assert_eq!(sheet(vec![plain(thickness.clone())]).weight(None, &values), Some(decimal("23.55")));
    let again = Attribute { id: 2, ..thickness.clone() };
    assert_eq!(sheet(vec![plain(thickness), plain(again)]).weight(None, &values), None);
}

#[test]
fn the_weight_of_a_section_follows_from_dimensions_and_density() {
    let measure = |id, name, dimension| {
        let attribute = attribute(id, name, AttributeType::Metric, Some(Unit::Millimetre));
        let attribute = Attribute { weight_per_base_unit: Some(decimal("1")), ..attribute };
        BlueprintAttribute { dimension: Some(dimension), ..plain(attribute) }
    };
    let attributes = vec![measure(1, "Breite", Dimension::Width), measure(2, "Dicke", Dimension::Thickness)];
    let flat = ArticleType { section: Some(crate::shape::Shape::Flat), ..article_type("x", "x") };
    let flat = Blueprint::new(flat, attributes, None).unwrap();
    let values: AttributeValues =
        [(1, Value::Number(decimal("50"))), (2, Value::Number(decimal("10")))].into_iter().collect();
    let with_density = |density: Option<&str>| Material { density: density.map(decimal), ..material() };
    assert_eq!(flat.weight(Some(&with_density(Some("7.85"))), &values), Some(decimal("3.925")));
    assert_eq!(flat.weight(Some(&with_density(Some("2.7"))), &values), Some(decimal("1.35")));
    assert_eq!(flat.weight(Some(&with_density(None)), &values), None);
    assert_eq!(flat.weight(None, &values), None);
}
