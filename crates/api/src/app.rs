//! Middleware and routes of the application, for `serve` and for tests.

use std::sync::LazyLock;

use actix_web::{
    App, Error, HttpResponse,
    body::MessageBody,
    dev::{ServiceFactory, ServiceRequest, ServiceResponse},
    http::{
        StatusCode,
        header::{CONTENT_SECURITY_POLICY, ContentType, HeaderName, HeaderValue},
    },
    middleware::from_fn,
    web,
};
use kernel::Fault;
use utoipa_swagger_ui::SwaggerUi;

use crate::{
    codes, frontend,
    http::{
        access, body, idempotent,
        input::RequestInfo,
        problem, request,
        routes::{Routes, reads},
        security,
    },
    resource,
    state::State,
};

/// All published operations.
pub fn routes() -> &'static Routes {
    static ROUTES: LazyLock<Routes> = LazyLock::new(|| {
        let mut routes = Routes::default();
        resource::publish_all(&mut routes);
        routes
    });
    &ROUTES
}

/// OpenAPI document as it is served and checked in.
pub fn openapi() -> &'static str {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
        let mut text = routes().document().to_pretty_json().expect("the document is plain data");
        text.push('\n');
        text
    });
    &DOCUMENT
}

/// Builds the whole application.
#[expect(clippy::disallowed_methods, reason = "health, documentation and UI are no operations of the API")]
pub fn app(
    state: web::Data<State>,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    let routes = routes();
    App::new()
        .app_data(state)
        .wrap(from_fn(idempotent::middleware))
        .wrap(from_fn(access::middleware))
        .wrap(from_fn(security::middleware))
        .wrap(from_fn(request::middleware))
        .wrap(from_fn(body::middleware))
        .configure(|config| routes.configure(config))
        .route("/healthz", reads().to(async || HttpResponse::NoContent()))
        .route("/readyz", reads().to(ready))
        .route("/api/openapi.json", reads().to(document))
        .service(web::redirect("/docs", "/docs/"))
        .service(
            web::scope("/docs")
                .wrap(
                    actix_web::middleware::DefaultHeaders::new().add((CONTENT_SECURITY_POLICY, DOCS_POLICY)),
                )
                .service(
                    SwaggerUi::new("/{file:.*}").config(
                        utoipa_swagger_ui::Config::new(["/api/openapi.json"])
                            .persist_authorization(true)
                            .doc_expansion("none")
                            .show_extensions(true),
                    ),
                ),
        )
        .route("/help", reads().to(frontend::handbook_start))
        .route("/help/", reads().to(frontend::handbook_start))
        .route("/help/{page:.*}", reads().to(frontend::handbook))
        .default_service(web::to(frontend::serve))
}

/// Policy for Swagger UI, which uses inline styles and data images.
const DOCS_POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

const SERVER_PROCESS: HeaderName = HeaderName::from_static("x-server-process");

/// Readiness check: 204, or 503 with the reason for load balancers.
async fn ready(state: web::Data<State>, RequestInfo(about): RequestInfo) -> HttpResponse {
    let reason =
        if state.is_ending() { Some(codes::ENDING) } else { state.db.health().fault().map(Fault::code) };
    let mut answer = HttpResponse::NoContent().finish();
    if let Some(code) = reason {
        answer = problem::answer(&code.into(), about.language, Some(&about.id));
        *answer.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
    }
    if let Ok(name) = HeaderValue::from_str(&state.process.name) {
        answer.headers_mut().insert(SERVER_PROCESS, name);
    }
    answer
}

async fn document() -> HttpResponse {
    HttpResponse::Ok().insert_header(ContentType::json()).body(openapi())
}
