//! A test of an external API before or after saving: the real request with masked secrets, the answer, and
//! what is read from it. Nothing is changed.

use std::time::Duration;

use outbound::{
    Outbound,
    http::{Answer, Method, header},
};
use secrets::{ExposeSecret, Keys, SecretString};
use serde::Deserialize;
use serde_json::Value;
use store::{Database, Scope};
use tokio::time::Instant;
use utoipa::ToSchema;
use validator::Validate;
use values::{Decimal, Input, Message, Result, Unit, Validated, Violations, rule::printable, shortened};

use super::{
    ExternalApi, ExternalApiInput, ExternalApis,
    call::{ApiCaller, ApiRequest, BYTES_MAX, HeaderSample, check_status, masked_headers},
    call_log::{self, CallPurpose, CallReport},
    fields::{AvailabilityEndpoint, EndpointName},
    reading, rules,
    target::{ApiTarget, entered_target},
    template::{self, QuestionLine},
};
use crate::codes;

/// Maximum number of lines that are shown.
const LINES_SHOWN: usize = 20;
/// Maximum number of bytes of an answer that are shown.
const BODY_SHOWN: usize = 64 * 1024;
/// The longest header value that is shown.
const HEADER_SHOWN: usize = 500;
/// Headers of an answer that are shown.
const HEADERS_SHOWN: [header::HeaderName; 4] =
    [header::CONTENT_TYPE, header::ETAG, header::RETRY_AFTER, header::LINK];

/// Settings to be tested before they are saved.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = ExternalApiTestInput)]
pub struct RequestTestInput {
    #[validate(nested)]
    pub settings: ExternalApiInput,
    /// Id of the saved API whose secret is used if none is entered, and whose log records the call.
    pub id: Option<i64>,
    pub endpoint: EndpointName,
    /// Article number in the other system; needed for `availability`.
    #[schema(max_length = 255, example = "HEB-200")]
    #[validate(length(max = 255), custom(function = printable))]
    pub article_number: Option<String>,
    /// Identifier of the warehouse in the other system.
    #[schema(max_length = 255, example = "DU")]
    #[validate(length(max = 255), custom(function = printable))]
    pub warehouse: Option<String>,
}

impl Input for RequestTestInput {
    fn tidy(&mut self) {
        self.settings.tidy();
        values::input::trim_or_none(&mut self.article_number);
        values::input::trim_or_none(&mut self.warehouse);
    }
}

/// The report of a test.
#[derive(Debug, Default)]
pub struct RequestTest {
    /// `None` if there was no request because settings lack a secret.
    pub request: Option<RequestSample>,
    pub response: Option<ResponseSample>,
    pub failure: Option<Message>,
    /// The first lines.
    pub lines: Vec<TestLine>,
    pub line_count: usize,
}

/// A request as it is shown.
#[derive(Debug)]
pub struct RequestSample {
    pub method: Method,
    pub url: String,
    pub headers: Vec<HeaderSample>,
    pub body: Option<String>,
}

/// An answer as it is shown.
#[derive(Debug)]
pub struct ResponseSample {
    pub status: u16,
    pub headers: Vec<HeaderSample>,
    pub body: String,
    pub is_truncated: bool,
    pub duration: Duration,
}

/// An entry of an answer, as it was read.
#[derive(Debug, Default)]
pub struct TestLine {
    pub number: Option<String>,
    pub warehouse: Option<String>,
    pub quantity: Option<Decimal>,
    pub unit: Option<Unit>,
    pub name: Option<String>,
    pub gtin: Option<String>,
    pub fault: Option<Message>,
}

/// The parts of a server that a test needs.
#[derive(Debug, Clone, Copy)]
pub struct Tester<'a> {
    pub db: &'a Database,
    pub keys: &'a Keys,
    pub outbound: &'a Outbound,
    pub caller: &'a ApiCaller,
}

/// Returns validated settings, with the saved API of the test.
///
/// # Errors
/// All violated rules, with those of the settings below `settings`.
pub async fn check_entered(
    tester: Tester<'_>,
    scope: &Scope,
    input: Validated<RequestTestInput>,
) -> Result<(RequestTestInput, Option<ExternalApi>)> {
    let (input, mut wrong) = input.parts();
    let mut wrong_settings = Violations::new();
    rules::check(&input.settings, &mut wrong_settings);
    let endpoint = input.endpoint;
    let has_endpoint = match endpoint {
        EndpointName::Availability => input.settings.availability.is_some(),
        list => input.settings.meta_data.get(list).is_some(),
    };
    if !has_endpoint {
        wrong_settings.add(endpoint.field(), codes::REQUIRED);
    }
    if endpoint == EndpointName::Availability && input.article_number.is_none() {
        wrong.add("article_number", codes::REQUIRED);
    }
    for violation in wrong_settings.iter() {
        wrong.add(format!("settings.{}", violation.path), violation.message.clone());
    }
    wrong.check()?;
    let saved = match input.id {
        Some(id) => Some(scope.get::<ExternalApis>(tester.db, id).await?),
        None => None,
    };
    Ok((input, saved))
}

/// Sends one request as the settings say, and reads its answer.
///
/// # Errors
/// Faults of the database. A failure of the call is part of the report.
pub async fn run(
    tester: Tester<'_>,
    scope: &Scope,
    input: &RequestTestInput,
    saved: Option<&ExternalApi>,
) -> Result<RequestTest> {
    let tenant = match saved {
        Some(saved) => saved.tenant_id,
        None => scope.tenant()?,
    };
    let mut test = RequestTest::default();
    let target = match entered_target(tester.keys, tenant, &input.settings, saved) {
        Ok(target) => target,
        Err(error) => {
            test.failure = Some(error.into_message());
            return Ok(test);
        }
    };
    let request = match request(input, &target) {
        Ok(request) => request,
        Err(error) => {
            test.failure = Some(error.into_message());
            return Ok(test);
        }
    };
    test.request = Some(RequestSample {
        method: request.method.clone(),
        url: request.url.as_str().to_owned(),
        headers: masked_headers(&target, &request),
        body: request.body.clone(),
    });
    let began = Instant::now();
    let deadline = began + target.timeout;
    let answer = tester.caller.send(tester.outbound, &target, &request, deadline, BYTES_MAX).await;
    let status = match answer {
        Err(failure) => {
            test.failure = Some(failure.message);
            None
        }
        Ok(answered) => {
            let status = answered.answer.status.as_u16();
            let read = check_status(&answered.answer, &request.url, values::now())
                .map_err(|failure| failure.message)
                .and_then(|()| read_lines(input, &answered.answer));
            match read {
                Ok(lines) => {
                    test.line_count = lines.len();
                    test.lines = lines.into_iter().take(LINES_SHOWN).collect();
                }
                Err(message) => test.failure = Some(message),
            }
            test.response =
                Some(masked_response(&tester.caller.secrets(&target), &answered.answer, answered.duration));
            Some(status)
        }
    };
    if let Some(saved) = saved {
        let report = CallReport {
            purpose: CallPurpose::Test,
            method: request.method.as_str(),
            url: &request.url,
            status,
            duration: began.elapsed(),
            lines: test.line_count,
            failure: test.failure.as_ref(),
        };
        let tx = tester.db.begin().await?;
        call_log::add(&tx, saved, report).await?;
        tx.commit().await?;
    }
    Ok(test)
}

/// The request for some lines of availability.
///
/// # Errors
/// A path that leads to no address.
pub fn quantity_request(
    endpoint: &AvailabilityEndpoint,
    target: &ApiTarget,
    lines: &[QuestionLine],
) -> Result<ApiRequest> {
    let body = endpoint.body.as_deref().map(template::parse_body).transpose()?;
    Ok(ApiRequest {
        method: Method::from_bytes(endpoint.method.as_str().as_bytes()).unwrap_or_default(),
        url: target.url(&template::fill_path(&endpoint.path, lines))?,
        body: body.map(|body| template::fill_body(&body, lines).to_string()),
        if_none_match: None,
    })
}

fn request(input: &RequestTestInput, target: &ApiTarget) -> Result<ApiRequest> {
    if let (EndpointName::Availability, Some(endpoint)) = (input.endpoint, &input.settings.availability) {
        let line = QuestionLine {
            article_number: input.article_number.clone().unwrap_or_default(),
            warehouse: input.warehouse.clone().unwrap_or_default(),
        };
        return quantity_request(endpoint, target, &[line]);
    }
    let endpoint = input.settings.meta_data.get(input.endpoint);
    let path = endpoint.map(|endpoint| endpoint.path.as_str()).unwrap_or_default();
    Ok(ApiRequest::get(target.url(path)?))
}

fn read_lines(input: &RequestTestInput, answer: &Answer) -> Result<Vec<TestLine>, Message> {
    let answer = reading::parse_answer(&answer.body)?;
    if let (EndpointName::Availability, Some(endpoint)) = (input.endpoint, &input.settings.availability) {
        let lines = reading::read_quantities(endpoint, &answer)?;
        let line = |line: reading::QuantityLine| TestLine {
            number: line.article_number,
            warehouse: line.warehouse,
            quantity: line.quantity,
            unit: line.unit,
            fault: line.fault,
            ..TestLine::default()
        };
        return Ok(lines.into_iter().map(line).collect());
    }
    let Some(endpoint) = input.settings.meta_data.get(input.endpoint) else { return Ok(Vec::new()) };
    let line = |entry: reading::ListEntry| TestLine {
        number: entry.number,
        name: entry.name,
        gtin: entry.gtin,
        fault: entry.fault,
        ..TestLine::default()
    };
    Ok(reading::read_list(endpoint, &answer)?.into_iter().map(line).collect())
}

fn masked_response(secrets: &[SecretString], answer: &Answer, duration: Duration) -> ResponseSample {
    let headers = HEADERS_SHOWN.iter().filter_map(|name| {
        let value = answer.headers.get(name)?.to_str().ok()?;
        let value = masked(secrets, &shortened(value, HEADER_SHOWN));
        Some(HeaderSample { name: name.to_string(), value })
    });
    let pretty = serde_json::from_slice::<Value>(&answer.body).ok();
    let pretty = pretty.and_then(|value| serde_json::to_string_pretty(&value).ok());
    let text = pretty.unwrap_or_else(|| String::from_utf8_lossy(&answer.body).into_owned());
    // masked before it is cut, so that no part of a secret stays at the end
    let mut body = masked(secrets, &text);
    let is_truncated = body.len() > BODY_SHOWN;
    body.truncate(body.floor_char_boundary(BODY_SHOWN));
    ResponseSample {
        status: answer.status.as_u16(),
        headers: headers.collect(),
        body,
        is_truncated,
        duration,
    }
}

/// A text of the other side without secrets, which some systems send back.
fn masked(secrets: &[SecretString], text: &str) -> String {
    let secrets = secrets.iter().map(ExposeSecret::expose_secret).filter(|secret| !secret.is_empty());
    secrets.fold(text.to_owned(), |text, secret| text.replace(secret, "••••"))
}
