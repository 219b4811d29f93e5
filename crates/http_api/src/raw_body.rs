//! Bodies that change a record and are read once it is known: an input, a record that is written back, or a
//! merge patch.

use std::{future::Future, marker::PhantomData, pin::Pin};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Bytes};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr, Schema,
        path::Operation,
        schema::{AdditionalProperties, Type},
    },
};

use crate::{
    contract::Schemas,
    input::{Input, describe_body, json_bytes},
    json::JSON,
    problem::Refusal,
};

/// Input, or a record that is written back as it was read.
pub struct RawBody<T> {
    pub bytes: Bytes,
    input: PhantomData<T>,
}

/// Merge patch with some fields of an input (RFC 7396).
pub struct Patch(pub Bytes);

const MERGE_PATCH: &str = "application/merge-patch+json";

type InputFuture<T> = Pin<Box<dyn Future<Output = Result<T, Refusal>>>>;

impl<T: 'static> FromRequest for RawBody<T> {
    type Error = Refusal;
    type Future = InputFuture<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = json_bytes(request, payload, &[JSON]);
        Box::pin(async move { Ok(Self { bytes: bytes.await?, input: PhantomData }) })
    }
}

impl FromRequest for Patch {
    type Error = Refusal;
    type Future = InputFuture<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = json_bytes(request, payload, &[MERGE_PATCH, JSON]);
        Box::pin(async move { Ok(Self(bytes.await?)) })
    }
}

impl<T: ToSchema> Input for RawBody<T> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        describe_body::<T>(operation, schemas, &[JSON]);
    }
}

impl Input for Patch {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        describe_body::<MergePatch>(operation, schemas, &[MERGE_PATCH, JSON]);
    }
}

struct MergePatch;

impl PartialSchema for MergePatch {
    fn schema() -> RefOr<Schema> {
        let about = "Fields of the record as in PUT. Omitted fields stay unchanged, `null` clears a field, a list is \
                     replaced as a whole.";
        let example = serde_json::json!({ "density": "7.9" });
        ObjectBuilder::new()
            .schema_type(Type::Object)
            .description(Some(about))
            .additional_properties(Some(AdditionalProperties::FreeForm(true)))
            .examples([example])
            .into()
    }
}

impl ToSchema for MergePatch {}
