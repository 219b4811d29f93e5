//! Embedded UI and handbook: hashed files are cached forever, the UI's page gets a new nonce each time.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        Method, StatusCode,
        header::{
            ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
            HeaderValue, IF_NONE_MATCH, LOCATION, VARY,
        },
    },
};
use http_api::{input::RequestInfo, routes::Answer};
use identity::secret::Secret;
use rust_embed::{Embed, EmbeddedFile};
use values::Language;

use crate::codes;

#[derive(Embed)]
#[folder = "../../frontend/dist"]
struct Dist;

/// Placeholder for the answer's nonce in the page.
const NONCE: &str = "__CSP_NONCE__";

/// Policy for the handbook, whose build moves inline scripts and styles into files.
const HANDBOOK_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self'; connect-src 'self'; base-uri 'none'; object-src 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// Serves a file of the UI, or its page for all paths that the UI routes itself.
pub async fn serve(request: HttpRequest) -> Answer<HttpResponse> {
    let path = request.path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return Err(codes::NOT_FOUND.into());
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Err(codes::METHOD_NOT_ALLOWED.into());
    }
    let is_file = path.contains('.') || path.starts_with("assets/");
    if is_file && path != "index.html" { file(&request, path) } else { page() }
}

/// Redirects to the handbook in the reader's language.
pub async fn handbook_start(RequestInfo(about): RequestInfo) -> HttpResponse {
    let language = match about.language {
        Language::De => "de",
        Language::En => "en",
    };
    HttpResponse::Found()
        .insert_header((LOCATION, format!("/help/{language}/")))
        .insert_header((VARY, "accept-language"))
        .finish()
}

/// Serves a page of the handbook, named like its file without `.html`, or one of its files.
pub async fn handbook(request: HttpRequest) -> Answer<HttpResponse> {
    let path = request.path().trim_start_matches('/');
    if path.rsplit_once('.').is_some_and(|(_, ending)| ending != "html") {
        return file(&request, path);
    }
    if matches!(path, "help/de" | "help/en") {
        return Ok(HttpResponse::Found().insert_header((LOCATION, format!("/{path}/"))).finish());
    }
    let page = if path.ends_with('/') { format!("{path}index.html") } else { format!("{path}.html") };
    let mut response = if Dist::get(&page).is_some() {
        file(&request, &page)?
    } else if Dist::get("help/404.html").is_some() {
        let mut missing = file(&request, "help/404.html")?;
        *missing.status_mut() = StatusCode::NOT_FOUND;
        missing
    } else {
        return Ok(not_built());
    };
    for (name, value) in
        [(CONTENT_TYPE, "text/html; charset=utf-8"), (CONTENT_SECURITY_POLICY, HANDBOOK_POLICY)]
    {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

fn file(request: &HttpRequest, path: &str) -> Answer<HttpResponse> {
    let accepted =
        request.headers().get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let packed = [("br", "br"), ("gz", "gzip")]
        .iter()
        .filter(|(_, encoding)| accepted.contains(encoding))
        .find_map(|(ending, encoding)| Some((Dist::get(&format!("{path}.{ending}"))?, Some(*encoding))));
    let Some((file, encoding)) = packed.or_else(|| Some((Dist::get(path)?, None))) else {
        return Err(codes::NOT_FOUND.into());
    };
    let etag = etag(&file);
    let mut response = HttpResponse::Ok();
    response.insert_header((ETAG, etag.clone())).insert_header((VARY, "accept-encoding")).insert_header((
        CACHE_CONTROL,
        if path.starts_with("assets/") || path.starts_with("help/assets/") {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        },
    ));
    if request.headers().get(IF_NONE_MATCH).is_some_and(|sent_etag| sent_etag.as_bytes() == etag.as_bytes()) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    if let Some(encoding) = encoding {
        response.insert_header((CONTENT_ENCODING, encoding));
    }
    response.insert_header((CONTENT_TYPE, mime_guess::from_path(path).first_or_octet_stream().as_ref()));
    Ok(response.body(file.data.into_owned()))
}

fn page() -> Answer<HttpResponse> {
    let Some(page) = Dist::get("index.html") else { return Ok(not_built()) };
    let nonce = Secret::new("")?.text;
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; \
         font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; \
         frame-ancestors 'none'"
    );
    let page = String::from_utf8_lossy(&page.data).replace(NONCE, &nonce);
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_SECURITY_POLICY, policy))
        .body(page))
}

fn not_built() -> HttpResponse {
    HttpResponse::NotFound().content_type("text/plain; charset=utf-8").body(
        "This binary was built without the UI: run `npm ci && npm run build` in frontend/ and build again.\n",
    )
}

fn etag(file: &EmbeddedFile) -> String {
    format!("\"{}\"", hex::encode(file.metadata.sha256_hash()))
}
