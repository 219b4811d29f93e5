//! Middleware and routes of the application, for `serve` and for tests.

use std::{
    net::IpAddr,
    sync::{Arc, LazyLock},
};

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
use http_api::{
    access, body,
    context::{HttpState, ServerContext},
    idempotent,
    input::RequestInfo,
    problem, request,
    routes::{Routes, reads},
    security,
};
use identity::session::Lifetime;
use storage::Storage;
use store::{Database, scope::PartnerCircle};
use utoipa_swagger_ui::SwaggerUi;
use values::Fault;

use crate::{
    codes, contract, frontend,
    resource::{self, tokens},
    state::State,
};

/// All published operations.
pub fn routes() -> &'static Routes {
    static ROUTES: LazyLock<Routes> = LazyLock::new(|| {
        let mut routes = Routes::with_deprecated(contract::DEPRECATED);
        resource::publish_all(&mut routes);
        routes
    });
    &ROUTES
}

/// OpenAPI document as it is served and checked in.
pub fn openapi() -> &'static str {
    static DOCUMENT: LazyLock<String> = LazyLock::new(|| {
        let mut text =
            routes().document(&contract::TEXTS).to_pretty_json().expect("the document is plain data");
        text.push('\n');
        text
    });
    &DOCUMENT
}

impl ServerContext for State {
    fn db(&self) -> &Database {
        &self.db
    }

    fn storage(&self) -> &Storage {
        &self.storage
    }

    fn http(&self) -> &HttpState {
        &self.http
    }

    fn session_lifetime(&self) -> Lifetime {
        self.settings.session_lifetime
    }

    fn partner_circle(&self) -> PartnerCircle {
        self.settings.partners
    }

    fn trusted_proxies(&self) -> &[IpAddr] {
        &self.settings.trusted_proxies
    }

    fn upload_max_bytes(&self) -> u64 {
        self.settings.upload_max_mb << 20
    }

    fn is_public_over_https(&self) -> bool {
        self.settings.public_url.starts_with("https:")
    }

    fn secret_paths(&self) -> &'static [&'static str] {
        &tokens::SECRET_PATHS
    }
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
    let server: Arc<dyn ServerContext> = state.clone().into_inner();
    App::new()
        .app_data(state)
        .app_data(web::Data::from(server))
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
