//! Test of an external API over HTTP: the real request with masked secrets, its answer, and the entries read
//! from it.

use feeds::{
    external_api::{
        ExternalApis,
        call::HeaderSample,
        request_test::{
            self, RequestSample, RequestTest, RequestTestInput, ResponseSample, TestLine, Tester,
        },
    },
    may,
};
use http_api::{
    access::{Authorized, ReadOnlyPost},
    answer::{OkJson, ok_json},
    fair_queue::{Claimant, PATIENCE},
    input::{Body, RequestInfo},
    publish,
    request_limits::REQUEST_TIMEOUT,
    routes::{Answer, Routes},
};
use serde::Serialize;
use store::deadline;
use utoipa::ToSchema;
use values::{Decimal, Language, Unit, Validated};

use crate::state::Server;

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, ExternalApis: test_request);
}

/// Report of a test.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalApiTest)]
struct TestView {
    /// Request; `null` if none was sent, for example without a secret.
    #[schema(required)]
    request: Option<RequestView>,
    /// Answer; `null` if there was none.
    #[schema(required)]
    response: Option<ResponseView>,
    /// Reason why nothing was read, in the language of `Accept-Language`.
    #[schema(required, example = "Der Server „erp.lieferant.example“ lehnt die Anmeldung ab (Status 401).")]
    failure: Option<String>,
    /// First 20 entries that were read.
    lines: Vec<LineView>,
    /// Number of all entries.
    #[schema(example = 1)]
    line_count: usize,
}

/// Request that was sent. Secrets are masked.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalApiTestRequest)]
struct RequestView {
    #[schema(example = "GET")]
    method: String,
    #[schema(example = "https://erp.lieferant.example/api/v2/stock/HEB-200")]
    url: String,
    headers: Vec<HeaderView>,
    /// Body as JSON, with POST only.
    #[schema(required, example = "[\"HEB-200\"]")]
    body: Option<String>,
}

/// Original answer, without secrets.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalApiTestResponse)]
struct ResponseView {
    #[schema(example = 200)]
    status: u16,
    /// Headers for type, version, pause and links only.
    headers: Vec<HeaderView>,
    /// Body, at most 64 KiB; JSON is indented.
    #[schema(example = "{\n  \"free\": 12.5\n}")]
    body: String,
    /// True if the body was longer.
    truncated: bool,
    #[schema(example = 412)]
    duration_ms: u64,
}

/// Header of the answer.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalApiTestHeader)]
struct HeaderView {
    #[schema(example = "accept")]
    name: String,
    #[schema(example = "application/json")]
    value: String,
}

/// Entry of the answer, as it was read.
#[derive(Serialize, ToSchema)]
#[schema(as = ExternalApiTestLine)]
struct LineView {
    /// Number of the article, the warehouse or the company.
    #[schema(required, example = "HEB-200")]
    number: Option<String>,
    #[schema(required, example = "DU")]
    warehouse: Option<String>,
    #[schema(required)]
    quantity: Option<Decimal>,
    /// Unit; `null` for the base unit of the article.
    #[schema(required)]
    unit: Option<Unit>,
    #[schema(required, example = "HEB 200 S235JR")]
    name: Option<String>,
    #[schema(required, example = "4012345678901")]
    gtin: Option<String>,
    /// Reason why the entry cannot be used.
    #[schema(required, example = "„12,5“ ist keine Menge.")]
    fault: Option<String>,
}

/// Sends the real request of an endpoint, before or after saving, and returns the entries read from its
/// answer. A stored secret is used only for the origin and the names that it was stored for. Nothing is
/// changed.
#[utoipa::path(post, path = "/api/admin/external-apis/test")]
async fn test_request(
    by: ReadOnlyPost<Authorized<may::ConfigureExternalApi>>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(input): Body<Validated<RequestTestInput>>,
) -> Answer<OkJson<TestView>> {
    let (scope, language) = (by.scope(), request.language);
    let tester =
        Tester { db: &state.db, keys: &state.keys, outbound: &state.outbound, caller: &state.external_apis };
    let (input, saved) = request_test::check_entered(tester, scope, input).await?;
    deadline::extend(PATIENCE + REQUEST_TIMEOUT);
    let claimant = Claimant::new(Some(scope.tenant()?.0), by.caller.id);
    let _slot = state.connection_tests.take(claimant).await?;
    deadline::extend(REQUEST_TIMEOUT);
    let test = Box::pin(request_test::run(tester, scope, &input, saved.as_ref())).await?;
    Ok(ok_json(TestView::new(test, language)))
}

impl TestView {
    fn new(test: RequestTest, language: Language) -> Self {
        Self {
            request: test.request.map(RequestView::from),
            response: test.response.map(ResponseView::from),
            failure: test.failure.map(|message| message.text(language)),
            lines: test.lines.into_iter().map(|line| LineView::new(line, language)).collect(),
            line_count: test.line_count,
        }
    }
}

impl From<HeaderSample> for HeaderView {
    fn from(HeaderSample { name, value }: HeaderSample) -> Self {
        Self { name, value }
    }
}

impl From<RequestSample> for RequestView {
    fn from(request: RequestSample) -> Self {
        Self {
            method: request.method.to_string(),
            url: request.url,
            headers: request.headers.into_iter().map(HeaderView::from).collect(),
            body: request.body,
        }
    }
}

impl From<ResponseSample> for ResponseView {
    fn from(response: ResponseSample) -> Self {
        Self {
            status: response.status,
            headers: response.headers.into_iter().map(HeaderView::from).collect(),
            body: response.body,
            truncated: response.is_truncated,
            duration_ms: u64::try_from(response.duration.as_millis()).unwrap_or(u64::MAX),
        }
    }
}

impl LineView {
    fn new(line: TestLine, language: Language) -> Self {
        Self {
            number: line.number,
            warehouse: line.warehouse,
            quantity: line.quantity,
            unit: line.unit,
            name: line.name,
            gtin: line.gtin,
            fault: line.fault.map(|message| message.text(language)),
        }
    }
}
