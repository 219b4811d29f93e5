//! Calls that a program may repeat without processing them twice: a body with an `Idempotency-Key`.

use std::{future::Future, marker::PhantomData, pin::Pin};

use actix_web::{
    FromRequest, HttpRequest, HttpResponse, Responder, body::BoxBody, dev::Payload, http::header::ContentType,
};
use identity::idempotency::Key;
use serde::{Serialize, de::DeserializeOwned};
use utoipa::{ToSchema, openapi::path::Operation};
use values::{Error, Result};

use crate::{
    answer::{OkJson, Success, document_header},
    contract::Schemas,
    idempotency_key::{REPLAYED, describe_key, read_key},
    input::{Input, describe_body, json_bytes},
    json::{self, JSON},
    problem::Refusal,
    refusals,
};

/// JSON body with its idempotency key, if there is one.
#[derive(Debug)]
pub struct Repeatable<T> {
    pub input: T,
    pub key: Option<Key>,
}

/// Answer 200 with a value that was serialised when the call was processed.
#[derive(Debug)]
pub struct StoredAnswer<V> {
    text: String,
    replayed: bool,
    value: PhantomData<V>,
}

impl<V> StoredAnswer<V> {
    /// Answer of a call that was processed now.
    pub fn new(text: String) -> Self {
        Self { text, replayed: false, value: PhantomData }
    }

    /// Returns the answer of a call that was processed before.
    pub fn replayed(text: String) -> Self {
        Self { replayed: true, ..Self::new(text) }
    }
}

/// Serialises a value for the answer.
pub fn to_json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(Error::internal)
}

type InputFuture<T> = Pin<Box<dyn Future<Output = Result<T, Refusal>>>>;

impl<T: DeserializeOwned + ToSchema + 'static> FromRequest for Repeatable<T> {
    type Error = Refusal;
    type Future = InputFuture<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let key = read_key(request);
        let request_line = format!("{} {}\n", request.method(), request.uri());
        let bytes = json_bytes(request, payload, &[JSON]);
        Box::pin(async move {
            let bytes = bytes.await?;
            let key = key?.map(|key| Key::new(key, &[request_line.as_bytes(), &bytes].concat()));
            Ok(Self { input: json::read(&bytes)?, key })
        })
    }
}

impl<T: ToSchema> Input for Repeatable<T> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        describe_body::<T>(operation, schemas, &[JSON]);
        describe_key(operation);
    }
}

impl<V> Responder for StoredAnswer<V> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        let mut response = HttpResponse::Ok();
        if self.replayed {
            response.insert_header((REPLAYED, "true"));
        }
        response.insert_header(ContentType::json()).body(self.text)
    }
}

impl<V: ToSchema> Success for StoredAnswer<V> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        OkJson::<V>::describe(operation, schemas);
        document_header(operation, "200", refusals::REPLAYED);
    }
}
