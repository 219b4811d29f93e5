//! Tests of codes and their messages.

use std::collections::HashSet;

use super::*;
use crate::unit::Unit;

#[test]
fn every_code_has_its_own_wire_name_and_both_texts() {
    let names: HashSet<_> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(names.len(), Code::ALL.len());
    for code in Code::ALL {
        assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        let placeholders = |language| {
            let text = code.template(language);
            assert!(!text.is_empty());
            text.matches('{').count()
        };
        assert_eq!(placeholders(Language::De), placeholders(Language::En), "{code:?}");
    }
}

#[test]
fn words_follow_the_reader_and_survive_being_stored() {
    let message = Code::WrongValueKind.with("attribute", "Höhe").word("expected", Word::AText);
    let stored: Message = serde_json::from_str(&serde_json::to_string(&message).unwrap()).unwrap();
    assert_eq!(stored, message);
    assert!(stored.text(Language::De).ends_with("erwartet einen Text"));
    assert!(stored.text(Language::En).ends_with("expects a text"));
}

#[test]
fn several_words_stand_with_commas_between() {
    let message = Message::from(Code::DimensionMissing).words("missing", [Word::Width, Word::Side]);
    let stored: Message = serde_json::from_str(&serde_json::to_string(&message).unwrap()).unwrap();
    assert!(stored.text(Language::De).ends_with(": Breite, Kantenlänge"));
    assert!(stored.text(Language::En).ends_with(": width, side"));
}

#[test]
fn sentences_follow_the_reader_and_survive_being_stored() {
    let advice = [Phrase { de: "Erstens.", en: "First." }, Phrase { de: "Zweitens.", en: "Second." }];
    let message = Message::from(Code::WeakPassword).phrases("advice", &advice);
    let stored: Message = serde_json::from_str(&serde_json::to_string(&message).unwrap()).unwrap();
    assert!(stored.text(Language::De).ends_with("genug. Erstens. Zweitens."));
    assert!(stored.text(Language::En).ends_with("enough. First. Second."));
}

#[test]
fn whatever_is_quoted_a_message_is_short() {
    let name = "ä".repeat(255);
    assert!(Code::ColumnUnknown.with("column", &name).text(Language::De).contains(&name), "any name of ours");
    let long = "ä".repeat(1 << 20);
    let quoted = Code::ColumnUnknown.with("column", &long).text(Language::De);
    assert_eq!(quoted, format!("Die Spalte „{}…“ ist unbekannt", "ä".repeat(254)));

    let controls = Code::ColumnUnknown.with("column", "a\0b\r\n\u{1b}[31m").text(Language::De);
    assert_eq!(controls, "Die Spalte „a b   [31m“ ist unbekannt");

    let several = Code::PrimaryMissing.list("missing", ["Höhe", "Breite"]).text(Language::De);
    assert!(several.ends_with(": Höhe, Breite"), "{several}");
    assert!(Code::PrimaryMissing.list("missing", [""; 0]).text(Language::De).ends_with(": "));
    let many = Code::PrimaryMissing.list("missing", vec!["Höhe"; 10_000]).text(Language::De);
    assert!(many.ends_with(", Höhe, …") && many.chars().count() < 2_100, "{}", many.len());
    let long = Code::PrimaryMissing.list("missing", [&long, &long]).text(Language::De);
    assert!(long.chars().count() < 600, "{}", long.len());
}

#[test]
fn a_message_that_was_stored_before_there_was_a_bound_is_read_shortened() {
    let stored = format!(r#"{{"code":"column_unknown","params":[["column","{}"]]}}"#, "x".repeat(1 << 20));
    let message: Message = serde_json::from_str(&stored).unwrap();
    assert!(message.text(Language::De).len() < 2_100);
}

#[test]
fn a_text_names_its_values_and_never_reads_placeholders_inside_them() {
    let message = Code::PrimaryMissing.with("missing", "{missing}, Höhe");
    assert!(message.text(Language::De).ends_with("es fehlen: {missing}, Höhe"));
    assert!(message.text(Language::En).ends_with("missing: {missing}, Höhe"));
}

#[test]
fn a_unit_of_two_categories_is_listed_once() {
    let known = [Unit::Kilogram, Unit::Tonne, Unit::Kilogram];
    let message = Code::WrongUnitCategory.with("unit", "m").units("known", known);
    assert_eq!(message.text(Language::En), "The unit “m” does not fit; possible units: kg, t");
}
