//! Rules between the fields of an external API. Pure.

use outbound::{
    Tls,
    http::{HeaderName, HttpsUrl, header},
};
use values::Violations;

use super::{
    ExternalApiInput,
    fields::{Authentication, AvailabilityEndpoint, CallMethod, EndpointName, ListEndpoint},
    reading::is_pointer,
    template,
};
use crate::{codes, settings::rules::timetable};

/// Headers that the client sets itself.
const OWN_HEADERS: [HeaderName; 8] = [
    header::HOST,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::CONNECTION,
    header::TRANSFER_ENCODING,
    header::ACCEPT_ENCODING,
    header::UPGRADE,
    header::TE,
];

/// Adds the violations of an input.
pub fn check(input: &ExternalApiInput, wrong: &mut Violations) {
    match HttpsUrl::parse(&input.base_url) {
        Err(_) if !input.base_url.is_empty() => wrong.add("base_url", codes::INVALID_HTTPS_URL),
        Ok(_) if input.base_url.contains('?') => wrong.add("base_url", codes::API_BASE_URL_QUERY),
        _ => {}
    }
    check_authentication(input, wrong);
    if let Some(certificates) = &input.ca_certificate
        && Tls::with_authorities(certificates.as_bytes()).is_err()
    {
        wrong.add("ca_certificate", codes::AUTHORITY_INVALID);
    }
    if let Some(endpoint) = &input.availability {
        check_availability(endpoint, wrong);
    }
    for (name, endpoint) in input.meta_data.iter() {
        check_list(name, endpoint, wrong);
    }
    if let Some(schedule) = &input.schedule {
        timetable(schedule, "schedule", wrong);
        if input.meta_data.iter().next().is_none() {
            wrong.add("schedule", codes::API_NO_LISTS);
        }
    }
}

fn check_authentication(input: &ExternalApiInput, wrong: &mut Violations) {
    use Authentication::{Basic, Header, None, Oauth2};
    let authentication = input.authentication;
    let mut field = |path: &str, is_set: bool, is_needed: bool, is_allowed: bool| {
        if is_set && !is_allowed {
            wrong.add(path, codes::NOT_FOR_AUTHENTICATION);
        } else if is_needed && !is_set {
            wrong.add(path, codes::REQUIRED);
        }
    };
    let has_user = matches!(authentication, Basic | Oauth2);
    field("username", input.username.is_some(), has_user, has_user);
    field("header_name", input.header_name.is_some(), authentication == Header, authentication == Header);
    field("token_url", input.token_url.is_some(), authentication == Oauth2, authentication == Oauth2);
    field("scope", input.scope.is_some(), false, authentication == Oauth2);
    let has_secret = input.secret.as_ref().is_some_and(|secret| !secret.is_empty());
    field("secret", has_secret, false, authentication != None);
    if let Some(name) = input.header_name.as_deref().filter(|_| authentication == Header) {
        let parsed = HeaderName::from_bytes(name.as_bytes());
        if parsed.is_ok_and(|name| OWN_HEADERS.contains(&name)) || !is_header_name(name) {
            wrong.add("header_name", codes::API_HEADER_INVALID);
        }
    }
    if let Some(url) = input.token_url.as_deref().filter(|_| authentication == Oauth2)
        && HttpsUrl::parse(url).is_err()
    {
        wrong.add("token_url", codes::INVALID_HTTPS_URL);
    }
}

fn is_header_name(name: &str) -> bool {
    HeaderName::from_bytes(name.as_bytes()).is_ok()
}

fn check_availability(endpoint: &AvailabilityEndpoint, wrong: &mut Violations) {
    let at = |field: &str| format!("{}.{field}", EndpointName::Availability.field());
    check_path(&endpoint.path, &at("path"), wrong);
    if let Some(message) = template::unknown_placeholder(&endpoint.path) {
        wrong.add(at("path"), message);
    }
    match (&endpoint.body, endpoint.method) {
        (Some(_), CallMethod::Get) => wrong.add(at("body"), codes::API_BODY_NEEDS_POST),
        (Some(body), CallMethod::Post) => {
            if let Err(message) = template::parse_body(body) {
                wrong.add(at("body"), message);
            }
        }
        (None, _) => {}
    }
    if !endpoint.path.is_empty() && !template::names_article(endpoint) {
        wrong.add(at("path"), codes::API_ARTICLE_MISSING);
    }
    if endpoint.lines_max > 1 {
        if !template::takes_several(endpoint) {
            wrong.add(at("lines_max"), codes::API_ONE_LINE_ONLY.with("placeholder", "{article_numbers}"));
        } else if endpoint.article_number.is_none() {
            wrong.add(at("article_number"), codes::REQUIRED);
        }
    }
    for (field, pointer) in [
        ("list", endpoint.list.as_deref()),
        ("article_number", endpoint.article_number.as_deref()),
        ("warehouse", endpoint.warehouse.as_deref()),
        ("quantity", Some(endpoint.quantity.as_str())),
        ("unit", endpoint.unit.as_deref()),
        ("next_page", endpoint.next_page.as_deref()),
    ] {
        check_pointer(pointer, &at(field), wrong);
    }
}

fn check_list(name: EndpointName, endpoint: &ListEndpoint, wrong: &mut Violations) {
    let at = |field: &str| format!("{}.{field}", name.field());
    check_path(&endpoint.path, &at("path"), wrong);
    if endpoint.path.contains(['{', '}']) {
        wrong.add(at("path"), codes::API_PLACEHOLDER_UNKNOWN.with("placeholder", "{"));
    }
    if endpoint.gtin.is_some() && name != EndpointName::Articles {
        wrong.add(at("gtin"), codes::API_ARTICLES_ONLY);
    }
    for (field, pointer) in [
        ("list", endpoint.list.as_deref()),
        ("number", Some(endpoint.number.as_str())),
        ("name", endpoint.name.as_deref()),
        ("gtin", endpoint.gtin.as_deref()),
        ("next_page", endpoint.next_page.as_deref()),
    ] {
        check_pointer(pointer, &at(field), wrong);
    }
}

/// A path is relative to the base URL: it has no scheme, no fragment and no way upwards.
fn check_path(path: &str, field: &str, wrong: &mut Violations) {
    let before_query = path.split('?').next().unwrap_or_default();
    let goes_up = before_query.split('/').any(|segment| segment == ".." || segment == ".");
    let is_foreign = path.contains(|c: char| c.is_whitespace() || c == '#' || c == '\\');
    if goes_up || is_foreign || path.contains("://") {
        wrong.add(field, codes::API_PATH_INVALID);
    }
}

fn check_pointer(pointer: Option<&str>, field: &str, wrong: &mut Violations) {
    if pointer.is_some_and(|pointer| !is_pointer(pointer)) {
        wrong.add(field, codes::API_POINTER_INVALID);
    }
}
