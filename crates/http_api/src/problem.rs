//! Body of all refusals, and the only place where errors become answers.

use std::collections::BTreeMap;

use actix_web::{
    HttpResponse, HttpResponseBuilder, ResponseError,
    http::{
        StatusCode,
        header::{ContentType, RETRY_AFTER},
    },
};
use serde::Serialize;
use utoipa::ToSchema;
use values::{
    Class, Code, Error, Language, Message, Violation, Violations,
    in_use::{Usage, Usages},
};

use crate::codes;

/// Reason why a request was refused.
#[derive(Debug, Serialize, ToSchema)]
#[schema(example = json!({
    "code": "invalid",
    "message": "Bitte prüfen Sie Ihre Eingaben.",
    "errors": { "options.2.value": ["Doppelter Wert"] },
    "error_codes": { "options.2.value": ["duplicate"] },
    "used_by": null,
    "request_id": "019376f0c2d87b3fb1f4a0e5c6d7e8f9"
}))]
pub struct Problem {
    /// Error, for programs.
    code: Code,
    /// Error, for people, in the language of `Accept-Language`.
    message: String,
    /// Errors by the path in the input, for people: `{ "options.0.value": ["..."] }`.
    #[schema(required)]
    errors: Option<BTreeMap<String, Vec<String>>>,
    /// Errors by the path in the input, for programs, in the same order:
    /// `{ "options.0.value": ["duplicate"] }`.
    #[schema(required)]
    error_codes: Option<BTreeMap<String, Vec<Code>>>,
    /// Ids of the records that already have a unique value, by its path: `{ "other_numbers.0.number": 7 }`.
    /// Omitted if empty.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false, nullable = false)]
    taken_by: BTreeMap<String, u64>,
    /// Records that use it, if it was not deleted because of them.
    #[schema(required)]
    used_by: Option<Vec<Usage>>,
    /// Present record, if a change was refused because others have changed it since it was read (`stale`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>, nullable = false)]
    current: Option<serde_json::Value>,
    /// Id of the request in the log.
    #[schema(required)]
    request_id: Option<String>,
}

/// Domain error to be answered.
#[derive(Debug)]
pub struct Refusal(pub Error);

impl<E: Into<Error>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl ResponseError for Refusal {
    fn status_code(&self) -> StatusCode {
        status(self.0.code())
    }

    /// Builds the answer without the language and the id of the request, which the middleware
    /// [`crate::request`] adds.
    fn error_response(&self) -> HttpResponse {
        answer(&self.0, Language::default(), None)
    }
}

/// Builds the answer to a refused request.
pub fn answer(error: &Error, language: Language, request_id: Option<&str>) -> HttpResponse {
    let code = error.code();
    let message = error.sentence(language).unwrap_or_else(|| Message::from(code).text(language));
    let violations = match error {
        Error::Invalid(violations) | Error::ReleaseNeeded(violations) => Some(violations),
        _ => None,
    };
    let errors = violations.map(|violations| texts(violations, language));
    let error_codes = violations.map(codes);
    let taken_by = violations.map(owners).unwrap_or_default();
    let used_by = match error {
        Error::InUse(Usages(usages)) => Some(usages.clone()),
        _ => None,
    };
    let current = match error {
        Error::Changed(views) => views.get(usize::from(language == Language::En)).cloned(),
        _ => None,
    };
    let mut response = HttpResponseBuilder::new(status(code));
    if let Some(seconds) = retry_after(error) {
        response.insert_header((RETRY_AFTER, seconds.to_string()));
    }
    let request_id = request_id.map(str::to_owned);
    let problem = Problem { code, message, errors, error_codes, taken_by, used_by, current, request_id };
    response.insert_header(ContentType::json()).json(problem)
}

/// Returns the seconds after which a retry may succeed.
fn retry_after(error: &Error) -> Option<u64> {
    const SOON: u64 = 2;
    const LATER: u64 = 10;
    match (error, error.code()) {
        (Error::Later { seconds, .. }, _) => Some(*seconds),
        (_, codes::BUSY) => Some(SOON),
        (_, code) if matches!(code.class(), Class::Unavailable | Class::NoRoom) => Some(LATER),
        _ => None,
    }
}

/// Returns the texts for people, by the path in the input.
pub fn texts(violations: &Violations, language: Language) -> BTreeMap<String, Vec<String>> {
    by_place(violations, |message| message.text(language))
}

/// Returns the codes for programs, by the path in the input.
fn codes(violations: &Violations) -> BTreeMap<String, Vec<Code>> {
    by_place(violations, |message| message.code)
}

/// Returns the ids of the records that already have a unique value, by its path, if the message names one.
fn owners(violations: &Violations) -> BTreeMap<String, u64> {
    let owner = |violation: &Violation| Some((violation.path.clone(), violation.message.number("owner_id")?));
    violations.iter().filter_map(owner).collect()
}

fn by_place<T>(violations: &Violations, text: impl Fn(&Message) -> T) -> BTreeMap<String, Vec<T>> {
    let mut places = BTreeMap::<_, Vec<_>>::new();
    for violation in violations.iter() {
        places.entry(violation.path.clone()).or_default().push(text(&violation.message));
    }
    places
}

pub(crate) fn status(code: Code) -> StatusCode {
    status_of(code.class())
}

pub(crate) fn status_of(class: Class) -> StatusCode {
    match class {
        Class::Unauthenticated => StatusCode::UNAUTHORIZED,
        Class::Forbidden => StatusCode::FORBIDDEN,
        Class::NotFound => StatusCode::NOT_FOUND,
        Class::Gone => StatusCode::GONE,
        Class::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Class::Conflict => StatusCode::CONFLICT,
        Class::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Class::TimedOut => StatusCode::REQUEST_TIMEOUT,
        Class::UnsupportedMedia => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Class::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        Class::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Class::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Class::NoRoom => StatusCode::INSUFFICIENT_STORAGE,
        Class::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
