//! Requests from templates: placeholders in a path and in a JSON body are filled for one line or for several.
//! Pure.

use serde_json::Value;
use values::Message;

use super::fields::AvailabilityEndpoint;
use crate::codes;

const ARTICLE: &str = "{article_number}";
const ARTICLES: &str = "{article_numbers}";
const WAREHOUSE: &str = "{warehouse}";
/// The deepest nesting of a body.
const DEPTH_MAX: usize = 32;

/// Line of a query, with the numbers of the other system.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct QuestionLine {
    pub article_number: String,
    pub warehouse: String,
}

/// A placeholder in a text that is none of the three; `None` if all are.
pub fn unknown_placeholder(text: &str) -> Option<Message> {
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        let tail = &rest[start..];
        let is_known = [ARTICLE, ARTICLES, WAREHOUSE].iter().any(|name| tail.starts_with(name));
        let end = tail.find('}').map_or(tail.len(), |end| end + 1);
        if !is_known {
            return Some(codes::API_PLACEHOLDER_UNKNOWN.with("placeholder", &tail[..end]));
        }
        rest = &tail[end..];
    }
    None
}

/// Parses the JSON of a body and checks the placeholders in its texts.
///
/// # Errors
/// A message about a text that is not JSON, nests too deeply, or has an unknown placeholder.
pub fn parse_body(text: &str) -> Result<Value, Message> {
    let body: Value = serde_json::from_str(text).map_err(|_| codes::API_BODY_INVALID)?;
    match check_texts(&body, DEPTH_MAX) {
        Some(message) => Err(message),
        None => Ok(body),
    }
}

fn check_texts(value: &Value, depth: usize) -> Option<Message> {
    if depth == 0 {
        return Some(codes::API_BODY_INVALID.into());
    }
    match value {
        Value::String(text) => unknown_placeholder(text),
        Value::Array(items) => items.iter().find_map(|item| check_texts(item, depth - 1)),
        Value::Object(fields) => fields.values().find_map(|item| check_texts(item, depth - 1)),
        _ => None,
    }
}

/// True if path or body of the endpoint contain an article.
pub fn names_article(endpoint: &AvailabilityEndpoint) -> bool {
    let names = |text: &str| text.contains(ARTICLE) || text.contains(ARTICLES);
    names(&endpoint.path) || endpoint.body.as_deref().is_some_and(names)
}

/// True if one call of the endpoint can ask for several lines.
pub fn takes_several(endpoint: &AvailabilityEndpoint) -> bool {
    if endpoint.path.contains(ARTICLE) {
        return false;
    }
    let body = endpoint.body.as_deref().and_then(|body| parse_body(body).ok());
    let in_body = body.is_some_and(|body| {
        let texts = has_text(&body, &|text| text.contains(ARTICLES));
        texts || has_repeated_list(&body)
    });
    endpoint.path.contains(ARTICLES) || in_body
}

/// True if all lines of a call have to be of one warehouse.
pub fn is_for_one_warehouse(endpoint: &AvailabilityEndpoint) -> bool {
    let body = endpoint.body.as_deref().and_then(|body| parse_body(body).ok());
    let outside_list = body.is_some_and(|body| names_outside_list(&body, WAREHOUSE));
    endpoint.path.contains(WAREHOUSE) || outside_list
}

/// Path and query for some lines; all values are percent-encoded.
pub fn fill_path(template: &str, lines: &[QuestionLine]) -> String {
    let first = lines.first();
    let article = first.map(|line| encoded(&line.article_number)).unwrap_or_default();
    let warehouse = first.map(|line| encoded(&line.warehouse)).unwrap_or_default();
    let articles: Vec<_> = lines.iter().map(|line| encoded(&line.article_number)).collect();
    // encoded values hold no braces
    template.replace(ARTICLES, &articles.join(",")).replace(ARTICLE, &article).replace(WAREHOUSE, &warehouse)
}

/// The body for some lines.
pub fn fill_body(template: &Value, lines: &[QuestionLine]) -> Value {
    match template {
        Value::String(text) => fill_text(text, lines).into(),
        Value::Array(items) if is_repeated(template) => {
            let filled = |line| items.iter().map(move |item| fill_body(item, std::slice::from_ref(line)));
            Value::Array(lines.iter().flat_map(filled).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| fill_body(item, lines)).collect()),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, item)| (name.clone(), fill_body(item, lines))).collect())
        }
        other => other.clone(),
    }
}

/// A text in one pass, so that a number with braces is not taken for a placeholder.
fn fill_text(text: &str, lines: &[QuestionLine]) -> String {
    let first = lines.first();
    let mut filled = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        filled.push_str(&rest[..start]);
        let tail = &rest[start..];
        let (name, value) = if tail.starts_with(ARTICLES) {
            let numbers: Vec<_> = lines.iter().map(|line| line.article_number.as_str()).collect();
            (ARTICLES, numbers.join(","))
        } else if tail.starts_with(ARTICLE) {
            (ARTICLE, first.map(|line| line.article_number.clone()).unwrap_or_default())
        } else if tail.starts_with(WAREHOUSE) {
            (WAREHOUSE, first.map(|line| line.warehouse.clone()).unwrap_or_default())
        } else {
            ("{", "{".to_owned())
        };
        filled.push_str(&value);
        rest = &tail[name.len()..];
    }
    filled + rest
}

/// Percent-encodes all but the characters that every part of a URL takes as they are.
pub(super) fn encoded(text: &str) -> String {
    let encode = |byte: u8| {
        let is_plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        if is_plain { char::from(byte).to_string() } else { format!("%{byte:02X}") }
    };
    text.bytes().map(encode).collect()
}

fn has_text(value: &Value, matches: &dyn Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => matches(text),
        Value::Array(items) => items.iter().any(|item| has_text(item, matches)),
        Value::Object(fields) => fields.values().any(|item| has_text(item, matches)),
        _ => false,
    }
}

fn has_repeated_list(value: &Value) -> bool {
    match value {
        Value::Array(items) => is_repeated(value) || items.iter().any(has_repeated_list),
        Value::Object(fields) => fields.values().any(has_repeated_list),
        _ => false,
    }
}

/// True for a list that names an article, but contains no further list that does.
fn is_repeated(value: &Value) -> bool {
    let Value::Array(items) = value else { return false };
    let names = |value: &Value| has_text(value, &|text| text.contains(ARTICLE));
    names(value) && !items.iter().any(has_repeated_list)
}

fn names_outside_list(value: &Value, placeholder: &str) -> bool {
    match value {
        Value::String(text) => text.contains(placeholder),
        Value::Array(_) if is_repeated(value) => false,
        Value::Array(items) => items.iter().any(|item| names_outside_list(item, placeholder)),
        Value::Object(fields) => fields.values().any(|item| names_outside_list(item, placeholder)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::external_api::fields::CallMethod;

    fn line(article_number: &str, warehouse: &str) -> QuestionLine {
        QuestionLine { article_number: article_number.into(), warehouse: warehouse.into() }
    }

    fn endpoint(path: &str, body: Option<Value>) -> AvailabilityEndpoint {
        AvailabilityEndpoint {
            method: CallMethod::Post,
            path: path.into(),
            body: body.map(|body| body.to_string()),
            lines_max: 1,
            list: None,
            article_number: None,
            warehouse: None,
            quantity: "/q".into(),
            unit: None,
            unit_if_missing: None,
            next_page: None,
        }
    }

    #[test]
    fn values_in_a_path_are_encoded_and_joined() {
        let lines = [line("HEB 200/6", "DU&x=1"), line("a,b#ü", "DU&x=1")];
        for (template, expected) in [
            ("stock/{article_number}", "stock/HEB%20200%2F6"),
            ("s?n={article_numbers}&w={warehouse}", "s?n=HEB%20200%2F6,a%2Cb%23%C3%BC&w=DU%26x%3D1"),
            ("all", "all"),
        ] {
            assert_eq!(fill_path(template, &lines), expected);
        }
    }

    #[test]
    fn the_innermost_list_with_an_article_is_repeated_for_each_line() {
        let lines = [line("1", "A"), line("2", "B")];
        for (template, expected) in [
            (json!({ "sku": "{article_number}" }), json!({ "sku": "1" })),
            (json!(["{article_number}"]), json!(["1", "2"])),
            (json!({ "all": "{article_numbers}", "fix": [1] }), json!({ "all": "1,2", "fix": [1] })),
            (
                json!({ "w": "{warehouse}", "o": [{ "l": [{ "n": "x{article_number}", "w": "{warehouse}" }] }] }),
                json!({ "w": "A", "o": [{ "l": [{ "n": "x1", "w": "A" }, { "n": "x2", "w": "B" }] }] }),
            ),
        ] {
            assert_eq!(fill_body(&template, &lines), expected);
        }
    }

    #[test]
    fn endpoints_determine_the_lines_and_warehouses_of_a_call() {
        for (path, body, several, one_warehouse) in [
            ("s/{article_number}", None, false, false),
            ("s/{article_number}/{warehouse}", None, false, true),
            ("s?n={article_numbers}", None, true, false),
            ("s", Some(json!(["{article_number}"])), true, false),
            ("s", Some(json!({ "n": "{article_number}" })), false, false),
            ("s", Some(json!({ "n": "{article_numbers}", "w": "{warehouse}" })), true, true),
            ("s", Some(json!([{ "n": "{article_number}", "w": "{warehouse}" }])), true, false),
        ] {
            let endpoint = endpoint(path, body);
            let actual = (takes_several(&endpoint), is_for_one_warehouse(&endpoint));
            assert_eq!(actual, (several, one_warehouse), "{endpoint:?}");
            assert!(names_article(&endpoint));
        }
        assert!(!names_article(&endpoint("s/{warehouse}", None)));
    }

    #[test]
    fn malformed_and_deeply_nested_bodies_are_refused() {
        let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
        for text in ["", "{", "{'a': 1}", &deep, &format!("{}{}", "[".repeat(40), "]".repeat(40))] {
            assert_eq!(parse_body(text).unwrap_err().code, codes::API_BODY_INVALID);
        }
        let unknown = parse_body(r#"{"a": "{article}"}"#).unwrap_err();
        assert_eq!(
            (unknown.code, unknown.value("placeholder")),
            (codes::API_PLACEHOLDER_UNKNOWN, Some("{article}"))
        );
        assert!(unknown_placeholder("a{").is_some() && unknown_placeholder("{warehouse}").is_none());
    }

    proptest! {
        #[test]
        fn values_stay_within_their_part_of_the_path(number in ".{0,40}", warehouse in ".{0,40}") {
            let path = fill_path("s/{article_number}/x?w={warehouse}", &[line(&number, &warehouse)]);
            let (head, query) = path.split_once("/x?w=").unwrap();
            let part = head.strip_prefix("s/").unwrap();
            for part in [part, query] {
                prop_assert!(part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~%".contains(&byte)));
            }
        }

        #[test]
        fn values_stay_within_their_text_of_the_body(number in ".{0,40}", warehouse in ".{0,40}") {
            let lines = [line(&number, &warehouse)];
            let body = fill_body(&json!({ "n": "{article_number}", "w": "<{warehouse}>" }), &lines);
            prop_assert_eq!(body, json!({ "n": number, "w": format!("<{warehouse}>") }));
        }
    }
}
