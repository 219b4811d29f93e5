//! The one body of every refusal, and the only place where errors become answers.

use std::collections::BTreeMap;

use actix_web::{
    HttpResponse, HttpResponseBuilder, ResponseError,
    http::{
        StatusCode,
        header::{ContentType, RETRY_AFTER},
    },
};
use kernel::{
    Class, Code, Error, Language, Message, Violations,
    usage::{Usage, Usages},
};
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request was refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problem {
    /// What is wrong, for machines.
    code: Code,
    /// What is wrong, for people, in the language of `Accept-Language`.
    message: String,
    /// What is wrong at which place of the input, for people: `{ "options.0.value": ["..."] }`.
    #[schema(required)]
    errors: Option<BTreeMap<String, Vec<String>>>,
    /// Why it was not deleted: where it is used.
    #[schema(required)]
    used_by: Option<Vec<Usage>>,
    /// Finds the request in the log.
    #[schema(required)]
    request_id: Option<String>,
}

/// A domain error on its way out.
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
        status(code_of(&self.0))
    }

    /// Without the language and the id of the request, which the middleware [`crate::http::request`] adds.
    fn error_response(&self) -> HttpResponse {
        answer(&self.0, Language::default(), None)
    }
}

/// The answer to a refused request.
pub fn answer(error: &Error, language: Language, request_id: Option<&str>) -> HttpResponse {
    let code = code_of(error);
    let message = error.sentence(language).unwrap_or_else(|| Message::from(code).text(language));
    let errors = match error {
        Error::Invalid(violations) => Some(texts(violations, language)),
        _ => None,
    };
    let used_by = match error {
        Error::InUse(Usages(usages)) => Some(usages.clone()),
        _ => None,
    };
    let mut response = HttpResponseBuilder::new(status(code));
    if let Error::Later { seconds, .. } = error {
        response.insert_header((RETRY_AFTER, seconds.to_string()));
    }
    let problem = Problem { code, message, errors, used_by, request_id: request_id.map(str::to_owned) };
    response.insert_header(ContentType::json()).json(problem)
}

/// What people read at each place of an input.
pub(crate) fn texts(violations: &Violations, language: Language) -> BTreeMap<String, Vec<String>> {
    let mut texts = BTreeMap::<_, Vec<_>>::new();
    for violation in violations.iter() {
        texts.entry(violation.path.clone()).or_default().push(violation.message.text(language));
    }
    texts
}

/// The cause of an answer that shows none, for the log.
pub fn hidden_cause(error: &Error) -> Option<String> {
    match error {
        Error::Database(_) | Error::Internal(_) => Some(error.to_string()),
        _ => None,
    }
}

fn code_of(error: &Error) -> Code {
    match error {
        Error::Refused(message) => message.code,
        Error::Invalid(_) => Code::InvalidInput,
        Error::InUse(_) => Code::InUse,
        Error::Later { code, .. } => *code,
        Error::Database(error) if unreachable(error) => Code::Busy,
        Error::Database(_) | Error::Internal(_) => Code::Unexpected,
    }
}

/// The database is away or has no place left: worth another try, unlike a statement that failed.
fn unreachable(error: &sea_orm::DbErr) -> bool {
    use sea_orm::{DbErr, RuntimeErr, sqlx};
    match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => true,
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            match &**error {
                sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => true,
                // Administrator shutdown, crash, cannot connect now, lock and statement time-outs; SQLite busy.
                sqlx::Error::Database(error) => error.code().is_some_and(|code| {
                    matches!(
                        &*code,
                        "57P01" | "57P02" | "57P03" | "55P03" | "57014" | "40P01" | "40001" | "5" | "517"
                    )
                }),
                _ => false,
            }
        }
        _ => false,
    }
}

fn status(code: Code) -> StatusCode {
    match code.class() {
        Class::Unauthenticated => StatusCode::UNAUTHORIZED,
        Class::Forbidden => StatusCode::FORBIDDEN,
        Class::NotFound => StatusCode::NOT_FOUND,
        Class::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
        Class::Conflict => StatusCode::CONFLICT,
        Class::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
        Class::TimedOut => StatusCode::REQUEST_TIMEOUT,
        Class::UnsupportedMedia => StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Class::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
        Class::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Class::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Class::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
