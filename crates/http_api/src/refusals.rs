//! Statuses besides success that an operation can answer, and the headers of all answers, for the contract.

use std::collections::BTreeSet;

use utoipa::{
    ToSchema,
    openapi::{
        Components, HeaderBuilder, HttpMethod, ObjectBuilder, OpenApi, PathItem, Ref, RefOr, Response,
        header::Header,
        path::{Operation, ParameterIn},
        schema::Type,
    },
};
use values::{Class, Code};

use crate::{
    access::Rule,
    contract::response,
    idempotency_key, limit,
    problem::{self, Problem},
};

/// Refusal that several operations have in common.
struct Refusal {
    class: Class,
    name: &'static str,
    about: &'static str,
}

const fn refusal(class: Class, name: &'static str, about: &'static str) -> Refusal {
    Refusal { class, name, about }
}

const UNAUTHENTICATED: Refusal =
    refusal(Class::Unauthenticated, "Unauthorized", "No valid session or token was sent");
const FORBIDDEN: Refusal = refusal(Class::Forbidden, "Forbidden", "A permission or an ability is missing");
const TIMED_OUT: Refusal = refusal(Class::TimedOut, "RequestTimeout", "The body arrived too slowly");
const TOO_LARGE: Refusal = refusal(Class::TooLarge, "ContentTooLarge", "The body is too large");
const UNSUPPORTED: Refusal =
    refusal(Class::UnsupportedMedia, "UnsupportedMediaType", "The body has an unsupported type");
const INVALID: Refusal = refusal(
    Class::Invalid,
    "UnprocessableContent",
    "The input breaks rules; `error_codes` has each of them with its field",
);
const TOO_MANY: Refusal = refusal(Class::TooMany, "TooManyRequests", "Too many calls; try again later");
const UNAVAILABLE: Refusal = refusal(
    Class::Unavailable,
    "ServiceUnavailable",
    "Temporarily unavailable. Nothing was done, except perhaps with `outcome_unknown`",
);
const NO_ROOM: Refusal =
    refusal(Class::NoRoom, "InsufficientStorage", "The server's disk is full; nothing was done");

const SHARED: [&Refusal; 9] = [
    &UNAUTHENTICATED,
    &FORBIDDEN,
    &TIMED_OUT,
    &TOO_LARGE,
    &UNSUPPORTED,
    &INVALID,
    &TOO_MANY,
    &UNAVAILABLE,
    &NO_ROOM,
];

/// Maximum number of codes in a description; those of inputs are in the schema `Code`.
const LISTED_CODES: usize = 60;

/// Returns the codes of a class: `` `forbidden`, `ability_missing` ``.
fn codes(class: Class) -> Option<String> {
    let codes: Vec<_> = Code::all().filter(|code| code.class() == class).collect();
    (codes.len() <= LISTED_CODES)
        .then(|| codes.iter().map(|code| format!("`{}`", code.as_str())).collect::<Vec<_>>().join(", "))
}

/// Appends the codes of its class to a description.
pub(super) fn with_codes(about: &str, class: Class) -> String {
    codes(class).map_or_else(|| about.to_owned(), |codes| format!("{about}: {codes}"))
}

/// Adds the statuses that follow from the access, the parameters and the body of an operation.
pub(super) fn describe(operation: &mut Operation, rule: Rule, path: &str, method: &HttpMethod) {
    let reads = *method == HttpMethod::Get;
    if *method == HttpMethod::Post && rule.takes_key() {
        idempotency_key::describe_key(operation);
        for (status, response) in &mut operation.responses.responses {
            if let (true, RefOr::T(response)) = (status.starts_with('2'), response) {
                add_header(response, REPLAYED);
            }
        }
    }
    let has_body = operation.request_body.is_some();
    let has_query = operation.parameters.iter().flatten().any(
        |parameter| matches!(parameter, RefOr::T(parameter) if parameter.parameter_in == ParameterIn::Query),
    );
    let refusals = [
        (rule != Rule::Public, &UNAUTHENTICATED),
        (rule != Rule::Public, &FORBIDDEN),
        (has_body, &TIMED_OUT),
        (has_body, &TOO_LARGE),
        (has_body, &UNSUPPORTED),
        (has_body || has_query, &INVALID),
        (path.starts_with(limit::PATHS) || (rule == Rule::Public && !reads), &TOO_MANY),
        (true, &UNAVAILABLE),
        (!reads, &NO_ROOM),
    ];
    for (_, refusal) in refusals.iter().filter(|(applies, _)| *applies) {
        let reference = Ref::new(format!("#/components/responses/{}", refusal.name));
        let status = problem::status_of(refusal.class).as_str().to_owned();
        operation.responses.responses.entry(status).or_insert(reference.into());
    }
    if path.starts_with(limit::PATHS) {
        for (status, response) in &mut operation.responses.responses {
            if let (true, RefOr::T(response)) = (status.starts_with(['2', '3']), response) {
                add_header(response, RATE_LIMIT);
                add_header(response, RATE_LIMIT_POLICY);
            }
        }
    }
}

pub(super) const REQUEST_ID: &str = "X-Request-Id";
const RATE_LIMIT: &str = "RateLimit";
const RATE_LIMIT_POLICY: &str = "RateLimit-Policy";
const RETRY_AFTER: &str = "Retry-After";
pub(super) const REPLAYED: &str = "Idempotent-Replayed";
pub(super) const LOCATION: &str = "Location";
pub(super) const ETAG: &str = "ETag";

const HEADERS: [(&str, Type, &str); 7] = [
    (ETAG, Type::String, "Tag of the answer: `\"version\"` of a single record, `W/\"…\"` of other answers"),
    (REPLAYED, Type::Boolean, "`true` if the call was done before under its `Idempotency-Key`"),
    (LOCATION, Type::String, "Path of the created record"),
    (
        RATE_LIMIT,
        Type::String,
        "Remaining calls of the token, and seconds until it has all of them again: `\"token\";r=599;t=60`",
    ),
    (RATE_LIMIT_POLICY, Type::String, "Calls of a token within a number of seconds: `\"token\";q=600;w=60`"),
    (RETRY_AFTER, Type::Integer, "Seconds to wait before the next attempt"),
    (REQUEST_ID, Type::String, "Id of the call in the server's log and in the history"),
];

/// Adds a reference to a header of all answers.
pub(super) fn add_header(response: &mut Response, name: &str) {
    let reference = Ref::new(format!("#/components/headers/{name}"));
    response.headers.insert(name.to_owned(), RefOr::Ref(reference));
}

/// Adds the shared refusals and headers to a document, and the id of the request to every answer.
pub(super) fn compose(document: &mut OpenApi) {
    let components = document.components.get_or_insert_with(Components::new);
    for refusal in SHARED {
        let problem = Ref::from_schema_name(Problem::name()).into();
        let about = with_codes(refusal.about, refusal.class);
        let mut response = response(&about, Some(("application/json", problem)));
        if matches!(refusal.class, Class::TooMany | Class::Unavailable | Class::NoRoom) {
            add_header(&mut response, RETRY_AFTER);
        }
        components.responses.insert(refusal.name.to_owned(), response.into());
    }
    for (name, schema, about) in HEADERS {
        components.headers.insert(name.to_owned(), RefOr::T(header(schema, about)));
    }
    let readable_paths: BTreeSet<String> = document
        .paths
        .paths
        .iter()
        .filter(|(_, item)| item.get.is_some())
        .map(|(path, _)| path.clone())
        .collect();
    for (path, item) in &mut document.paths.paths {
        let created = item.post.as_mut().and_then(|post| post.responses.responses.get_mut("201"));
        if let (Some(RefOr::T(created)), true) = (created, readable_paths.contains(&format!("{path}/{{id}}")))
        {
            add_header(created, LOCATION);
        }
    }
    for response in components.responses.values_mut() {
        identify(response);
    }
    for PathItem { get, post, put, patch, delete, .. } in document.paths.paths.values_mut() {
        for operation in [get, post, put, patch, delete].into_iter().flatten() {
            operation.responses.responses.values_mut().for_each(identify);
        }
    }
}

fn identify(response: &mut RefOr<Response>) {
    if let RefOr::T(response) = response {
        add_header(response, REQUEST_ID);
    }
}

fn header(schema: Type, about: &str) -> Header {
    let schema = ObjectBuilder::new().schema_type(schema);
    HeaderBuilder::new().schema(Some(schema)).description(Some(about)).build()
}
