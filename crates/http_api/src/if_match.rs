//! `If-Match`: version of the single record to be changed or deleted, from its `ETag`.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use utoipa::openapi::{
    HttpMethod, Required,
    path::{Operation, ParameterBuilder, ParameterIn},
};
use values::Result;

use crate::{
    answer::document_header,
    contract::{Schemas, text},
    input::Input,
    problem::Refusal,
    refusals,
    request_version::read_version,
};

/// Version of the record to be deleted.
#[derive(Debug)]
pub struct IfMatch(pub Option<i64>);

impl FromRequest for IfMatch {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(read_version(request).map(Self).map_err(Refusal))
    }
}

impl Input for IfMatch {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        describe_header(operation);
    }
}

/// Documents the `ETag` of a record, and the header for changes of it.
pub(super) fn describe(operation: &mut Operation, method: &HttpMethod) {
    document_header(operation, "200", refusals::ETAG);
    if matches!(method, HttpMethod::Put | HttpMethod::Patch) {
        describe_header(operation);
    }
}

fn describe_header(operation: &mut Operation) {
    let parameter = ParameterBuilder::new()
        .name("If-Match")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("`ETag` of the record as it was read, instead of `version`; 409 `stale` if the record has changed since"))
        .schema(Some(text()));
    operation.parameters.get_or_insert_default().push(parameter.build().into());
}
