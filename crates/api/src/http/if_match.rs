//! `If-Match`: the version of a single record that a change or a deletion is meant for, as its `ETag` says it.

use std::future::{Ready, ready};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::{Method, header::IF_MATCH},
    web::Bytes,
};
use kernel::{Code, Error, Result, Violations};
use serde_json::{Map, Value, value::RawValue};
use utoipa::openapi::{
    HttpMethod, Required,
    path::{Operation, ParameterBuilder, ParameterIn},
};

use crate::http::{
    answer::with_header,
    contract::{Schemas, text},
    input::Input,
    problem::Refusal,
    refusals,
};

/// The version that a deletion is meant for.
#[derive(Debug)]
pub(crate) struct IfMatch(pub(crate) Option<i64>);

/// The version that a request names; `None` without the header, and of `*`.
fn version(request: &HttpRequest) -> Result<Option<i64>> {
    let mut sent = request.headers().get_all(IF_MATCH);
    let Some(first) = sent.next() else { return Ok(None) };
    let text = first.to_str().ok().filter(|_| sent.next().is_none()).map(str::trim);
    let tag = |text: &str| text.strip_prefix('"')?.strip_suffix('"')?.parse().ok();
    match text {
        Some("*") => Ok(None),
        Some(text) if let Some(version) = tag(text) => Ok(Some(version)),
        _ => Err(Violations::of("If-Match", Code::InvalidParameter.with("expected", "\"7\""))),
    }
}

/// The body of a change with the version that its request names.
///
/// # Errors
/// [`Code::Stale`] if the body names another version.
pub(super) fn versioned(request: &HttpRequest) -> Result<impl FnOnce(Bytes) -> Result<Bytes> + use<>> {
    let is_change = [Method::PUT, Method::PATCH].contains(request.method());
    let version = if is_change { version(request)? } else { None };
    Ok(move |body| match version {
        Some(version) => with_version(body, version),
        None => Ok(body),
    })
}

fn with_version(body: Bytes, version: i64) -> Result<Bytes> {
    // what is no object is refused by whoever reads it
    let Ok(fields) = serde_json::from_slice::<Map<String, Value>>(&body) else { return Ok(body) };
    match fields.get("version") {
        Some(Value::Number(named)) if named.as_i64() != Some(version) => Err(Code::Stale.into()),
        Some(named) if !named.is_null() => Ok(body),
        _ => {
            // amounts stay as they are written
            let mut fields: std::collections::BTreeMap<String, &RawValue> =
                serde_json::from_slice(&body).map_err(Error::internal)?;
            let version = RawValue::from_string(version.to_string()).map_err(Error::internal)?;
            fields.insert("version".to_owned(), &version);
            Ok(serde_json::to_vec(&fields).map_err(Error::internal)?.into())
        }
    }
}

impl FromRequest for IfMatch {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(version(request).map(Self).map_err(Refusal))
    }
}

impl Input for IfMatch {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        describe_header(operation);
    }
}

/// Documents the `ETag` of a record, and the header that a change of it may carry.
pub(super) fn describe(operation: &mut Operation, method: &HttpMethod) {
    with_header(operation, "200", refusals::ETAG);
    if matches!(method, HttpMethod::Put | HttpMethod::Patch) {
        describe_header(operation);
    }
}

fn describe_header(operation: &mut Operation) {
    let parameter = ParameterBuilder::new()
        .name("If-Match")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("The `ETag` of the record as it was read, instead of `version`: 409 `stale` if it is another by now"))
        .schema(Some(text()));
    operation.parameters.get_or_insert_default().push(parameter.build().into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_has_the_version_that_its_request_names() {
        let versioned = |body: &str| with_version(Bytes::copy_from_slice(body.as_bytes()), 7);
        let text = |body: &str| String::from_utf8(versioned(body).unwrap().to_vec()).unwrap();
        assert_eq!(text("{}"), r#"{"version":7}"#);
        assert_eq!(text(r#"{"density":7.850}"#), r#"{"density":7.850,"version":7}"#, "as it was written");
        assert_eq!(text(r#"{"version":null}"#), r#"{"version":7}"#);
        assert_eq!(text(r#"{"version":7}"#), r#"{"version":7}"#);
        assert_eq!(text("[1]"), "[1]");
        assert_eq!(versioned(r#"{"version":6}"#).unwrap_err().code(), Code::Stale);
    }
}
