//! Tests of codes and their messages.

use super::*;
use crate::{code::WordSet, codes, unit::Unit};

const A_COLOUR: Word = Word::declared("a_colour");

inventory::submit! {
    WordSet { words: &[A_COLOUR], de: r#"{"a_colour": "eine Farbe"}"#, en: r#"{"a_colour": "a colour"}"# }
}

#[test]
fn stored_words_are_shown_in_the_readers_language() {
    let message = Message::from(codes::INVALID_PARAMETER).word("expected", A_COLOUR);
    let stored: Message = serde_json::from_str(&serde_json::to_string(&message).unwrap()).unwrap();
    assert_eq!(stored, message);
    assert!(stored.text(Language::De).ends_with("erwartet wird eine Farbe."));
    assert!(stored.text(Language::En).ends_with("a colour is expected."));
}

#[test]
fn several_words_are_separated_by_commas() {
    let message = Message::from(codes::ABOVE_CEILING).words("permissions", [A_COLOUR, A_COLOUR]);
    let stored: Message = serde_json::from_str(&serde_json::to_string(&message).unwrap()).unwrap();
    assert!(stored.text(Language::De).ends_with(": eine Farbe, eine Farbe"));
    assert!(stored.text(Language::En).ends_with(": a colour, a colour"));
}

#[test]
fn stored_sentences_are_shown_in_the_readers_language() {
    let advice = [Phrase { de: "Erstens.", en: "First." }, Phrase { de: "Zweitens.", en: "Second." }];
    let message = Message::from(codes::ABOVE_CEILING).phrases("permissions", &advice);
    let stored: Message = serde_json::from_str(&serde_json::to_string(&message).unwrap()).unwrap();
    assert!(stored.text(Language::De).ends_with(": Erstens. Zweitens."));
    assert!(stored.text(Language::En).ends_with(": First. Second."));
}

#[test]
fn messages_stay_short_for_any_quoted_text() {
    let name = "ä".repeat(255);
    assert!(codes::NOT_A_NUMBER.with("value", &name).text(Language::De).contains(&name), "any valid name");
    let long = "ä".repeat(1 << 20);
    let quoted = codes::NOT_A_NUMBER.with("value", &long).text(Language::De);
    assert_eq!(quoted, format!("„{}…“ ist keine Zahl", "ä".repeat(254)));

    let controls = codes::NOT_A_NUMBER.with("value", "a\0b\r\n\u{1b}[31m").text(Language::De);
    assert_eq!(controls, "„a b   [31m“ ist keine Zahl");

    let several = codes::ABOVE_CEILING.list("permissions", ["Höhe", "Breite"]).text(Language::De);
    assert!(several.ends_with(": Höhe, Breite"), "{several}");
    assert!(codes::ABOVE_CEILING.list("permissions", [""; 0]).text(Language::De).ends_with(": "));
    let many = codes::ABOVE_CEILING.list("permissions", vec!["Höhe"; 10_000]).text(Language::De);
    assert!(many.ends_with(", Höhe, …") && many.chars().count() < 2_100, "{}", many.len());
    let long = codes::ABOVE_CEILING.list("permissions", [&long, &long]).text(Language::De);
    assert!(long.chars().count() < 600, "{}", long.len());
}

#[test]
fn messages_stored_before_the_limit_are_shortened_when_read() {
    let stored = format!(r#"{{"code":"not_a_number","params":[["value","{}"]]}}"#, "x".repeat(1 << 20));
    let message: Message = serde_json::from_str(&stored).unwrap();
    assert!(message.text(Language::De).len() < 2_100);
}

#[test]
fn placeholders_inside_values_are_not_replaced() {
    let message = codes::ABOVE_CEILING.with("permissions", "{permissions}, Höhe");
    assert!(message.text(Language::De).ends_with("nicht: {permissions}, Höhe"));
    assert!(message.text(Language::En).ends_with("rights: {permissions}, Höhe"));
}

#[test]
fn a_unit_of_two_categories_is_listed_once() {
    let possible_units = [Unit::Kilogram, Unit::Tonne, Unit::Kilogram];
    let message = codes::WRONG_UNIT_CATEGORY.with("unit", "m").units("known", possible_units);
    assert_eq!(message.text(Language::En), "The unit “m” does not fit; possible units: kg, t");
}
