//! Conditional answers: a caller who already has the present value gets 304 without a body (`ETag`, RFC
//! 9110).

use actix_web::{
    HttpRequest, HttpResponse, Responder,
    body::{BoxBody, MessageBody},
    http::{
        StatusCode,
        header::{CACHE_CONTROL, ETAG, HeaderMap, IF_NONE_MATCH},
    },
};

use sha2::{Digest, Sha256};
use utoipa::openapi::{
    ObjectBuilder, RefOr, Required,
    path::{Operation, ParameterBuilder, ParameterIn},
    schema::Type,
};

use crate::{
    answer::{OkJson, Success, document_header},
    contract::{Schemas, response},
    refusals,
};

/// Answer with its tag, or 304 for callers who have it already.
#[derive(Debug)]
pub struct WithEtag<A>(pub A);

/// Returns a value with its tag.
pub fn with_etag<V>(value: V) -> WithEtag<OkJson<V>> {
    WithEtag(OkJson(value))
}

impl<A: Responder<Body = BoxBody>> Responder for WithEtag<A> {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        let response = self.0.respond_to(request);
        if response.status() != StatusCode::OK {
            return response;
        }
        let (response, body) = response.into_parts();
        let Ok(bytes) = body.try_into_bytes() else { return response.map_into_boxed_body() };
        // a weak tag, because it is the same with and without compression
        let tag = format!("W/\"{}\"", hex::encode(Sha256::digest(&bytes)));
        let is_unchanged = is_current(request.headers(), &tag);
        let mut response =
            response.set_body(if is_unchanged { BoxBody::new(()) } else { BoxBody::new(bytes) });
        if is_unchanged {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        if let Ok(tag) = tag.try_into() {
            headers.insert(ETAG, tag);
        }
        headers.insert(CACHE_CONTROL, actix_web::http::header::HeaderValue::from_static("private, no-cache"));
        response
    }
}

/// True if the caller has the value with this tag, in any encoding.
fn is_current(headers: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let headers_sent = headers.get_all(IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    headers_sent.flat_map(|value| value.split(',')).any(|one| one.trim() == "*" || opaque(one) == opaque(tag))
}

impl<A: Success> Success for WithEtag<A> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        A::describe(operation, schemas);
        document_header(operation, "200", refusals::ETAG);
        let unchanged = response("The caller already has the answer, according to `If-None-Match`", None);
        operation.responses.responses.insert("304".to_owned(), RefOr::T(unchanged));
        let parameter = ParameterBuilder::new()
            .name("If-None-Match")
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some("`ETag` of the answer that the caller has; 304 if it is unchanged"))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)));
        operation.parameters.get_or_insert_default().push(parameter.build().into());
    }
}
