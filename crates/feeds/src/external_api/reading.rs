//! Answers of other systems: JSON pointers lead to the entries and their fields. Pure.

use serde_json::Value;
use values::{Decimal, Message, Unit, shortened};

use super::fields::{AvailabilityEndpoint, ListEndpoint};
use crate::codes;

/// The longest number, name or identifier of another system.
const TEXT_MAX: usize = 255;

/// A line of an answer about quantities.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QuantityLine {
    pub article_number: Option<String>,
    pub warehouse: Option<String>,
    pub quantity: Option<Decimal>,
    /// `None`: the base unit of the article.
    pub unit: Option<Unit>,
    /// The reason why the line is of no use.
    pub fault: Option<Message>,
}

/// An entry of a list of articles, warehouses or tenants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListEntry {
    pub number: Option<String>,
    pub name: Option<String>,
    pub gtin: Option<String>,
    /// The reason why the entry is of no use.
    pub fault: Option<Message>,
}

/// True for a JSON pointer by RFC 6901.
pub fn is_pointer(text: &str) -> bool {
    let mut escapes = text.split('~').skip(1);
    (text.is_empty() || text.starts_with('/')) && escapes.all(|rest| rest.starts_with(['0', '1']))
}

/// The JSON of an answer. Nesting deeper than 127 levels is refused.
///
/// # Errors
/// [`codes::API_NO_JSON`] with the place.
pub fn parse_answer(body: &[u8]) -> Result<Value, Message> {
    serde_json::from_slice(body)
        .map_err(|error| codes::API_NO_JSON.with("line", error.line()).with("column", error.column()))
}

/// The lines of an answer about quantities.
///
/// # Errors
/// [`codes::API_NO_LIST`] if the pointer leads to no list.
pub fn read_quantities(
    endpoint: &AvailabilityEndpoint,
    answer: &Value,
) -> Result<Vec<QuantityLine>, Message> {
    let entries = entries(answer, endpoint.list.as_deref(), true)?;
    Ok(entries.into_iter().map(|entry| read_quantity(endpoint, entry)).collect())
}

/// The entries of an answer with a list.
///
/// # Errors
/// [`codes::API_NO_LIST`] if the pointer leads to no list.
pub fn read_list(endpoint: &ListEndpoint, answer: &Value) -> Result<Vec<ListEntry>, Message> {
    let entries = entries(answer, endpoint.list.as_deref(), false)?;
    Ok(entries.into_iter().map(|entry| read_entry(endpoint, entry)).collect())
}

/// URL of the next page in an answer.
pub fn read_next_page<'a>(pointer: Option<&str>, answer: &'a Value) -> Option<&'a str> {
    let next = answer.pointer(pointer?)?.as_str()?;
    Some(next).filter(|next| !next.is_empty())
}

fn entries<'a>(
    answer: &'a Value,
    pointer: Option<&str>,
    takes_single: bool,
) -> Result<Vec<&'a Value>, Message> {
    let pointer = pointer.unwrap_or_default();
    match answer.pointer(pointer) {
        Some(Value::Array(entries)) => Ok(entries.iter().collect()),
        Some(entry @ Value::Object(_)) if takes_single => Ok(vec![entry]),
        _ => Err(codes::API_NO_LIST.with("pointer", display(pointer))),
    }
}

fn read_quantity(endpoint: &AvailabilityEndpoint, entry: &Value) -> QuantityLine {
    let mut line = QuantityLine::default();
    line.fault = fill_quantity(endpoint, entry, &mut line).err();
    line
}

fn fill_quantity(
    endpoint: &AvailabilityEndpoint,
    entry: &Value,
    line: &mut QuantityLine,
) -> Result<(), Message> {
    if let Some(pointer) = &endpoint.article_number {
        line.article_number = Some(text(entry, pointer)?);
    }
    if let Some(pointer) = &endpoint.warehouse {
        line.warehouse = Some(text(entry, pointer)?);
    }
    line.unit = endpoint.unit_if_missing;
    if let Some(value) = endpoint.unit.as_deref().and_then(|pointer| present(entry, pointer)) {
        let unit = value.as_str().and_then(Unit::parse);
        line.unit = Some(unit.ok_or_else(|| codes::API_UNIT_UNKNOWN.with("value", quoted(value)))?);
    }
    let value = present(entry, &endpoint.quantity)
        .ok_or_else(|| codes::API_FIELD_MISSING.with("pointer", display(&endpoint.quantity)))?;
    line.quantity = Some(quantity(value).ok_or_else(|| codes::API_NO_QUANTITY.with("value", quoted(value)))?);
    Ok(())
}

fn read_entry(endpoint: &ListEndpoint, entry: &Value) -> ListEntry {
    let optional = |pointer: &Option<String>| {
        let pointer = pointer.as_deref().filter(|pointer| present(entry, pointer).is_some())?;
        text(entry, pointer).ok()
    };
    let number = text(entry, &endpoint.number);
    let (number, fault) = match number {
        Ok(number) => (Some(number), None),
        Err(fault) => (None, Some(fault)),
    };
    ListEntry { number, name: optional(&endpoint.name), gtin: optional(&endpoint.gtin), fault }
}

/// The value at a pointer that is neither missing nor `null`.
fn present<'a>(entry: &'a Value, pointer: &str) -> Option<&'a Value> {
    entry.pointer(pointer).filter(|value| !value.is_null())
}

/// A text or an integer, trimmed, as numbers of articles are written.
fn text(entry: &Value, pointer: &str) -> Result<String, Message> {
    let text = match present(entry, pointer) {
        Some(Value::String(text)) => text.trim().to_owned(),
        Some(Value::Number(number)) if !number.is_f64() => number.to_string(),
        _ => String::new(),
    };
    if text.is_empty() || text.chars().count() > TEXT_MAX || text.contains(char::is_control) {
        return Err(codes::API_FIELD_MISSING.with("pointer", display(pointer)));
    }
    Ok(text)
}

/// A quantity of zero or above: a number, or a text with a point as decimal sign. A number with more than six
/// decimal places is rounded; systems that calculate in floating point send them.
fn quantity(value: &Value) -> Option<Decimal> {
    let quantity = match value {
        Value::String(text) => text.trim().parse().ok()?,
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) => format!("{float:.6}").parse().ok()?,
            None => number.to_string().parse().ok()?,
        },
        _ => return None,
    };
    Some(quantity).filter(|quantity| *quantity >= Decimal::ZERO)
}

/// A pointer as messages show it; the empty one leads to the whole answer.
fn display(pointer: &str) -> &str {
    if pointer.is_empty() { "/" } else { pointer }
}

fn quoted(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    shortened(&text, 50).into_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::external_api::fields::CallMethod;
    use values::Code;

    fn endpoint() -> AvailabilityEndpoint {
        AvailabilityEndpoint {
            method: CallMethod::Get,
            path: "s/{article_number}".into(),
            body: None,
            lines_max: 1,
            list: None,
            article_number: Some("/n".into()),
            warehouse: None,
            quantity: "/q".into(),
            unit: Some("/u".into()),
            unit_if_missing: None,
            next_page: None,
        }
    }

    /// The quantity and unit of an entry, or the code of its fault.
    fn line(entry: &Value) -> Result<(String, Option<Unit>), Code> {
        let line = read_quantities(&endpoint(), entry).unwrap().remove(0);
        match (line.fault, line.quantity) {
            (Some(fault), _) => Err(fault.code),
            (None, quantity) => Ok((quantity.unwrap().to_string(), line.unit)),
        }
    }

    #[test]
    fn quantities_are_read_from_numbers_and_texts() {
        for (quantity, expected) in [
            (json!(12), Ok("12")),
            (json!(12.5), Ok("12.5")),
            (json!("12.5"), Ok("12.5")),
            (json!(" 0 "), Ok("0")),
            (json!(0.300_000_000_000_000_04), Ok("0.3")),
            (json!("12,5"), Err(codes::API_NO_QUANTITY)),
            (json!("1.000,5"), Err(codes::API_NO_QUANTITY)),
            (json!("NaN"), Err(codes::API_NO_QUANTITY)),
            (json!("Infinity"), Err(codes::API_NO_QUANTITY)),
            (json!(-1), Err(codes::API_NO_QUANTITY)),
            (json!(1e30), Err(codes::API_NO_QUANTITY)),
            (json!("1e3"), Err(codes::API_NO_QUANTITY)),
            (json!(""), Err(codes::API_NO_QUANTITY)),
            (json!(true), Err(codes::API_NO_QUANTITY)),
            (json!([1]), Err(codes::API_NO_QUANTITY)),
            (json!(null), Err(codes::API_FIELD_MISSING)),
        ] {
            let actual = line(&json!({ "n": "1", "q": quantity }));
            assert_eq!(actual, expected.map(|text| (text.to_owned(), None)), "{quantity}");
        }
        let fault = read_quantities(&endpoint(), &json!({ "n": "1", "q": "12,5" })).unwrap().remove(0).fault;
        assert!(fault.unwrap().text(values::Language::En).contains("12,5"));
    }

    #[test]
    fn known_spellings_of_units_are_read_and_others_are_refused() {
        let unit = |unit: Value| line(&json!({ "n": 7, "q": 1, "u": unit }));
        assert_eq!(unit(json!("Stück")).unwrap().1, Some(Unit::Piece));
        assert_eq!(unit(json!("KG")).unwrap().1, Some(Unit::Kilogram));
        assert_eq!(unit(json!(null)).unwrap().1, None);
        assert_eq!(unit(json!("Elle")), Err(codes::API_UNIT_UNKNOWN));
        assert_eq!(unit(json!("EUR")), Err(codes::API_UNIT_UNKNOWN));
        assert_eq!(unit(json!(5)), Err(codes::API_UNIT_UNKNOWN));
    }

    #[test]
    fn entries_are_found_by_a_pointer_or_at_the_root_of_the_answer() {
        let entry = json!({ "n": "1", "q": 5 });
        for (list, answer, expected) in [
            (None, entry.clone(), Ok(1)),
            (None, json!([entry, entry]), Ok(2)),
            (Some("/a/0/b"), json!({ "a": [{ "b": [entry] }] }), Ok(1)),
            (Some("/a~1b"), json!({ "a/b": [] }), Ok(0)),
            (Some("/x"), json!({ "a": [] }), Err(codes::API_NO_LIST)),
            (None, json!("text"), Err(codes::API_NO_LIST)),
        ] {
            let endpoint = AvailabilityEndpoint { list: list.map(str::to_owned), ..endpoint() };
            let lines = read_quantities(&endpoint, &answer);
            assert_eq!(lines.map(|lines| lines.len()).map_err(|fault| fault.code), expected, "{answer}");
        }
    }

    #[test]
    fn lists_are_read_with_names_and_entries_without_a_number_are_faulty() {
        let endpoint: ListEndpoint =
            serde_json::from_value(json!({ "path": "a", "number": "/no", "name": "/t/0", "gtin": "/g" }))
                .unwrap();
        let answer = json!([{ "no": 4711, "t": ["HEB 200"], "g": null }, { "no": " " }, 5]);
        let entries = read_list(&endpoint, &answer).unwrap();
        let first =
            ListEntry { number: Some("4711".into()), name: Some("HEB 200".into()), ..ListEntry::default() };
        assert_eq!(entries[0], first);
        assert!(entries[1..].iter().all(|entry| entry.fault.is_some()));
        assert_eq!(read_list(&endpoint, &json!({ "no": 1 })).unwrap_err().code, codes::API_NO_LIST);
    }

    #[test]
    fn deeply_nested_and_malformed_answers_are_refused() {
        for deep in [
            format!("{}{}", "[".repeat(10_000), "]".repeat(10_000)),
            format!("{}1{}", "{\"a\":".repeat(10_000), "}".repeat(10_000)),
        ] {
            assert_eq!(parse_answer(deep.as_bytes()).unwrap_err().code, codes::API_NO_JSON);
        }
        for broken in [&b""[..], b"<html>", b"{\"a\": NaN}", b"\xff\xfe"] {
            assert_eq!(parse_answer(broken).unwrap_err().code, codes::API_NO_JSON);
        }
    }

    #[test]
    fn pointers_follow_the_standard() {
        for (text, expected) in
            [("", true), ("/a/0", true), ("/a~1b~0", true), ("a", false), ("/a~", false), ("/a~2", false)]
        {
            assert_eq!(is_pointer(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_quantity_is_read_from_text_and_from_number(millionths in 0_i64..1_000_000_000_000_000) {
            let quantity = Decimal::from_millionths(millionths);
            let text = quantity.to_string();
            let number: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(super::quantity(&text.clone().into()), Some(quantity));
            prop_assert_eq!(super::quantity(&number), Some(quantity));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(answer) = parse_answer(&bytes) {
                let _ = read_quantities(&endpoint(), &answer);
            }
        }
    }
}
