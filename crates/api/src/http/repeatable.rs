//! Calls that a program may repeat without doing them twice: a body, and the key under which it is done once
//! (`Idempotency-Key`).

use std::{future::Future, marker::PhantomData, pin::Pin};

use actix_web::{
    FromRequest, HttpRequest, HttpResponse, Responder,
    body::BoxBody,
    dev::Payload,
    http::header::{ContentType, HeaderName, HeaderValue},
};
use identity::idempotency::Key;
use kernel::{Code, Error, Result, Violations};
use serde::{Serialize, de::DeserializeOwned};
use utoipa::{
    ToSchema,
    openapi::{
        Required,
        path::{Operation, ParameterBuilder, ParameterIn},
    },
};

use crate::http::{
    answer::{Shown, Success, with_header},
    contract::{Schemas, text},
    input::{Input, JSON, describe_body, json_bytes},
    json,
    problem::Refusal,
    refusals,
};

const KEY: &str = "Idempotency-Key";
const KEY_MAX: usize = 255;
/// In the answer of a call that was done before.
pub(super) const REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// A JSON body and, where it may be repeated, its key.
#[derive(Debug)]
pub(crate) struct Repeatable<T> {
    pub(crate) input: T,
    pub(crate) key: Option<Key>,
}

/// 200 with a value as it was written down when it was done.
#[derive(Debug)]
pub(crate) struct Told<V> {
    text: String,
    replayed: bool,
    value: PhantomData<V>,
}

impl<V> Told<V> {
    /// For the first time.
    pub(crate) fn now(text: String) -> Self {
        Self { text, replayed: false, value: PhantomData }
    }

    pub(crate) fn again(text: String) -> Self {
        Self { replayed: true, ..Self::now(text) }
    }
}

/// A value as it is written down.
pub(crate) fn written(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(Error::internal)
}

type Later<T> = Pin<Box<dyn Future<Output = Result<T, Refusal>>>>;

impl<T: DeserializeOwned + ToSchema + 'static> FromRequest for Repeatable<T> {
    type Error = Refusal;
    type Future = Later<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let key = key(request);
        let asked = format!("{} {}\n", request.method(), request.uri());
        let bytes = json_bytes(request, payload, &[JSON]);
        Box::pin(async move {
            let bytes = bytes.await?;
            let key = key?.map(|key| Key::new(key, &[asked.as_bytes(), &bytes].concat()));
            Ok(Self { input: json::read(&bytes)?, key })
        })
    }
}

/// The key as it is, or in the quotation marks of a structured field.
pub(super) fn key(request: &HttpRequest) -> Result<Option<String>> {
    let mut sent = request.headers().get_all(KEY);
    let Some(first) = sent.next() else { return Ok(None) };
    let refused = |code: kernel::Message| Err(Violations::of(KEY, code));
    if sent.next().is_some() {
        return refused(Code::DuplicateParameter.into());
    }
    let Some(text) = readable(first) else { return refused(Code::NotPrintable.into()) };
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    match text.len() {
        0 => refused(Code::Required.into()),
        1..=KEY_MAX => Ok(Some(text.to_owned())),
        _ => refused(Code::TooLong.with("max", KEY_MAX)),
    }
}

fn readable(value: &HeaderValue) -> Option<&str> {
    value.to_str().ok().map(str::trim).filter(|text| text.bytes().all(|byte| (b' '..=b'~').contains(&byte)))
}

impl<T: ToSchema> Input for Repeatable<T> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        describe_body::<T>(operation, schemas, &[JSON]);
        describe_key(operation);
    }
}

/// Documents the header with the key.
pub(super) fn describe_key(operation: &mut Operation) {
    let parameter = ParameterBuilder::new()
        .name(KEY)
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "Chosen by the caller, another for each call. Within 24 hours the same call under the same key is done once and \
             answered the same way again; another call under it is 422 `key_reused`",
        ))
        .schema(Some(text()));
    operation.parameters.get_or_insert_default().push(parameter.build().into());
}

impl<V> Responder for Told<V> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        let mut response = HttpResponse::Ok();
        if self.replayed {
            response.insert_header((REPLAYED, "true"));
        }
        response.insert_header(ContentType::json()).body(self.text)
    }
}

impl<V: ToSchema> Success for Told<V> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        Shown::<V>::describe(operation, schemas);
        with_header(operation, "200", refusals::REPLAYED);
    }
}
