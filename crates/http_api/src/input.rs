//! Inputs: each kind of parameter is read, refused and documented in one place.

use std::{
    borrow::Cow,
    future::{Future, Ready, ready},
    pin::Pin,
    time::Duration,
};

use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload, web};
use chrono::DateTime;
use lists::{
    ListQuery, Listed, Paging,
    list::{DEFAULT_SIZE, MAX_SIZE},
};
use serde::{Deserialize, de::DeserializeOwned};
use store::{Database, deadline};
use utoipa::{
    ToSchema,
    openapi::{
        Content, ObjectBuilder, Required,
        path::{Operation, ParameterBuilder, ParameterIn},
        request_body::RequestBodyBuilder,
        schema::{KnownFormat, SchemaFormat, Type},
    },
};
use values::{Error, Instant, Result, Violations, rule};

use crate::{
    codes,
    context::server,
    contract::{FIELDS, Schemas, TENANT, integer, query_parameter, refuses, required_parameter, text},
    filters,
    json::{self, JSON},
    keyed_call,
    problem::Refusal,
    request::Request,
    request_limits::{BODY_MAX_BYTES, BODY_TIMEOUT, REQUEST_TIMEOUT},
    request_version,
};

/// Parameter that documents itself.
pub trait Input {
    fn describe(operation: &mut Operation, schemas: &mut Schemas);
}

/// Database.
#[derive(Debug)]
pub struct Db(pub Database);

/// Id of the row in the path.
#[derive(Debug)]
pub struct Id(pub i64);

/// JSON body.
#[derive(Debug)]
pub struct Body<T>(pub T);

/// Page, sort and filters of a list.
pub struct List<E: Listed>(pub ListQuery<E>);

/// Page of a list with a fixed order.
#[derive(Debug)]
pub struct Pages(pub Paging);

/// Confirmed number of records that an import with `replace_all` deletes (`?confirm_removals=`).
#[derive(Debug)]
pub struct ConfirmedRemovals(pub Option<i64>);

/// Text that must be retyped to confirm a deletion.
#[derive(Debug)]
pub struct Confirmation(pub String);

/// List that something belongs to, by its name in the frontend.
#[derive(Debug)]
pub struct ListName(pub String);

/// Text to be searched.
#[derive(Debug)]
pub struct SearchedText(pub String);

/// Year in the query.
#[derive(Debug)]
pub struct Year(pub i32);

/// Time in the query; `None` without one.
#[derive(Debug)]
pub struct At(pub Option<Instant>);

/// New order of rows.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OrderInput {
    /// Ids of all rows of the list, each once.
    #[schema(max_items = 10_000)]
    pub ids: Vec<i64>,
    /// Order that the caller has read. If it is not the present one, nothing is changed.
    #[schema(max_items = 10_000)]
    pub seen: Vec<i64>,
}

/// Language and id of the request.
#[derive(Debug)]
pub struct RequestInfo(pub Request);

type InputFuture<T> = Pin<Box<dyn Future<Output = Result<T, Refusal>>>>;

/// Returns the language and the id of a request.
pub fn request_info(request: &HttpRequest) -> Result<Request> {
    request.extensions().get::<Request>().cloned().ok_or_else(|| Error::internal("no request"))
}

impl FromRequest for Db {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(server(request).map(|server| Self(server.db().clone())).map_err(Refusal))
    }
}

impl FromRequest for RequestInfo {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(request_info(request).map(Self).map_err(Refusal))
    }
}

impl FromRequest for Id {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let id = request.match_info().get("id").and_then(|id| id.parse().ok());
        ready(id.map(Self).ok_or_else(|| Refusal(Error::not_found())))
    }
}

impl<T: DeserializeOwned + ToSchema + 'static> FromRequest for Body<T> {
    type Error = Refusal;
    type Future = InputFuture<Self>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let bytes = json_bytes(request, payload, &[JSON]);
        Box::pin(async move { Ok(Self(json::read(&bytes.await?)?)) })
    }
}

/// Reads a body of one of these media types; the refusal of another type names them.
pub(crate) fn json_bytes(
    request: &HttpRequest,
    payload: &mut Payload,
    types: &'static [&'static str],
) -> impl Future<Output = Result<web::Bytes, Refusal>> + use<> {
    let media_type = request.mime_type();
    let add_version = request_version::add_version(request);
    let call = keyed_call::call(request);
    let payload = web::Payload::from_request(request, payload).into_inner();
    async move {
        match media_type {
            Ok(Some(media_type)) if types.contains(&media_type.essence_str()) => {}
            _ => return Err(codes::UNSUPPORTED_MEDIA.list("expected", types).into()),
        }
        let payload = payload.map_err(Error::internal)?;
        // a slow body gets its own error, and does not reduce the time for the answer
        deadline::extend(BODY_TIMEOUT + Duration::from_millis(200));
        let bytes = tokio::time::timeout(BODY_TIMEOUT, payload.to_bytes_limited(BODY_MAX_BYTES))
            .await
            .map_err(|_| codes::REQUEST_TIMEOUT)?
            .map_err(|_| codes::BODY_TOO_LARGE.with("max", "1 MiB"))?
            .map_err(|_| codes::REQUEST_TIMEOUT)?;
        deadline::extend(REQUEST_TIMEOUT);
        if let Some(call) = call {
            call.read(&bytes).await?;
        }
        Ok(add_version?(bytes)?)
    }
}

impl<E: Listed + 'static> FromRequest for List<E> {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let pairs = list_parameters(request);
        let query = ListQuery::parse(pairs.iter().map(|(name, value)| (&**name, &**value)));
        ready(query.map(Self).map_err(Refusal))
    }
}

impl FromRequest for Pages {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let pairs = list_parameters(request);
        let paging = Paging::parse(pairs.iter().map(|(name, value)| (&**name, &**value)));
        ready(paging.map(Self).map_err(Refusal))
    }
}

/// Returns the query without the chosen tenant, which authentication reads.
pub fn parameters(request: &HttpRequest) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
    form_urlencoded::parse(request.query_string().as_bytes()).filter(|(name, _)| name != TENANT).collect()
}

/// Returns the query of a list: also without the selected properties, which the answer reads.
pub fn list_parameters(request: &HttpRequest) -> Vec<(Cow<'_, str>, Cow<'_, str>)> {
    let mut parameters = parameters(request);
    parameters.retain(|(name, _)| name != FIELDS);
    parameters
}

impl FromRequest for Confirmation {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let confirmation = form_urlencoded::parse(request.query_string().as_bytes())
            .find(|(name, _)| name == CONFIRM)
            .map(|(_, text)| Self(text.into_owned()));
        ready(confirmation.ok_or_else(|| Refusal(Violations::error(CONFIRM, codes::REQUIRED))))
    }
}

impl FromRequest for ConfirmedRemovals {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let text = parameters(request).into_iter().find(|(name, _)| name == CONFIRM_REMOVALS);
        ready(match text.map(|(_, text)| text.trim().parse()) {
            None => Ok(Self(None)),
            Some(Ok(count)) => Ok(Self(Some(count))),
            Some(Err(_)) => {
                let wrong = codes::INVALID_PARAMETER.with("expected", "4967");
                Err(Refusal(Violations::error(CONFIRM_REMOVALS, wrong)))
            }
        })
    }
}

impl FromRequest for ListName {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let name = parameters(request).into_iter().find(|(name, _)| name == LIST);
        let name = name.map(|(_, name)| name.into_owned()).unwrap_or_default();
        let mut violations = Violations::new();
        rule::required(&mut violations, LIST, &name);
        ready(violations.check().map(|()| Self(name)).map_err(Refusal))
    }
}

impl FromRequest for SearchedText {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let text = parameters(request).into_iter().find(|(name, _)| name == SEARCHED_TEXT);
        let text = text.map(|(_, text)| text.trim().to_owned()).unwrap_or_default();
        let mut violations = Violations::new();
        rule::required(&mut violations, SEARCHED_TEXT, &text);
        ready(violations.check().map(|()| Self(text)).map_err(Refusal))
    }
}

impl FromRequest for Year {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let text = parameters(request).into_iter().find(|(name, _)| name == YEAR).map(|(_, text)| text);
        let mut violations = Violations::new();
        rule::required(&mut violations, YEAR, text.as_deref().unwrap_or_default());
        let year = violations.check().and_then(|()| {
            let year = text.and_then(|text| text.parse().ok());
            year.ok_or_else(|| Violations::error(YEAR, codes::INVALID_PARAMETER.with("expected", "2026")))
        });
        ready(year.map(Self).map_err(Refusal))
    }
}

impl FromRequest for At {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let text = parameters(request).into_iter().find(|(name, _)| name == AT).map(|(_, text)| text);
        let read = |text: Cow<'_, str>| {
            let moment = DateTime::parse_from_rfc3339(&text).map(|moment| moment.to_utc());
            let expected = codes::INVALID_PARAMETER.with("expected", "2026-01-31T12:00:00Z");
            moment.map_err(|_| Refusal(Violations::error(AT, expected)))
        };
        ready(text.map(read).transpose().map(Self))
    }
}

/// Query parameter with the text to search for.
pub const SEARCHED_TEXT: &str = "q";
const CONFIRM: &str = "confirm";
const CONFIRM_REMOVALS: &str = "confirm_removals";
const LIST: &str = "list";
const YEAR: &str = "year";
const AT: &str = "at";

impl Input for Db {
    fn describe(_: &mut Operation, _: &mut Schemas) {}
}

impl Input for RequestInfo {
    fn describe(_: &mut Operation, _: &mut Schemas) {}
}

impl Input for Id {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let parameter = ParameterBuilder::new()
            .name("id")
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .schema(Some(integer()));
        operation.parameters.get_or_insert_default().push(parameter.build().into());
    }
}

impl<T: ToSchema> Input for Body<T> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        describe_body::<T>(operation, schemas, &[JSON]);
    }
}

pub(crate) fn describe_body<T: ToSchema>(operation: &mut Operation, schemas: &mut Schemas, types: &[&str]) {
    let body = RequestBodyBuilder::new().required(Some(Required::True));
    let schema = schemas.refer::<T>();
    let with = |body: RequestBodyBuilder, media_type: &&str| {
        body.content(*media_type, Content::new(Some(schema.clone())))
    };
    operation.request_body = Some(types.iter().fold(body, with).build().into());
}

impl Input for Confirmation {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        required_parameter(operation, CONFIRM, "Name or number of the record, typed again", text());
    }
}

impl Input for ListName {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        required_parameter(operation, LIST, "Name of the list in the interface", text());
    }
}

impl Input for SearchedText {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        required_parameter(operation, SEARCHED_TEXT, "Text to search for", text());
    }
}

impl Input for ConfirmedRemovals {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let about = "Number of records to remove, as `removals_to_confirm` of the dry run";
        query_parameter(operation, CONFIRM_REMOVALS, about, integer());
    }
}

impl Input for Year {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        required_parameter(operation, YEAR, "Year, 2000 to 2099", integer());
    }
}

impl Input for At {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let moment = ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)));
        query_parameter(operation, AT, "Start of the period; now if omitted", moment.into());
    }
}

impl Input for Pages {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let whole = |max: Option<u64>, default: u64| {
            ObjectBuilder::new()
                .schema_type(Type::Integer)
                .minimum(Some(1))
                .maximum(max.and_then(|max| u32::try_from(max).ok()).map(f64::from))
                .default(Some(default.into()))
                .into()
        };
        query_parameter(operation, "page[number]", "Number of the page, from 1", whole(None, 1));
        query_parameter(operation, "page[size]", "Rows of a page", whole(Some(MAX_SIZE), DEFAULT_SIZE));
    }
}

impl<E: Listed> Input for List<E> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        Pages::describe(operation, schemas);
        if !E::INCLUDES.is_empty() {
            let included =
                ObjectBuilder::new().schema_type(Type::String).enum_values(Some(E::INCLUDES.iter().copied()));
            query_parameter(operation, "include", "Additional data of the rows", included.into());
        }
        filters::describe::<E>(operation, schemas);
    }
}

/// Client of a request.
#[derive(Debug)]
pub struct Client {
    /// Address, for IPv6 the network; behind trusted proxies the forwarded one.
    pub address: String,
    pub user_agent: Option<String>,
}

/// Secret of a one-time link.
#[derive(Debug)]
pub struct LinkToken(pub String);

/// Id of a one-time link whose secret is sent separately.
#[derive(Debug)]
pub struct LinkId(pub String);

impl Client {
    pub(crate) fn read(request: &HttpRequest) -> Self {
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
        let trusted = server(request).map(|server| server.trusted_proxies()).unwrap_or_default();
        let mut address = request.peer_addr().map(|peer| peer.ip());
        for hop in header("x-forwarded-for").unwrap_or_default().rsplit(',') {
            if !address.is_some_and(|address| trusted.contains(&address)) {
                break;
            }
            address = hop.trim().parse().ok().or(address);
        }
        let address = match address {
            Some(std::net::IpAddr::V6(address)) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
            Some(address) => address.to_string(),
            None => String::new(),
        };
        Self { address, user_agent: header("user-agent").map(str::to_owned) }
    }
}

impl FromRequest for Client {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::read(request)))
    }
}

impl FromRequest for LinkToken {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(request.match_info().get("token").unwrap_or_default().to_owned())))
    }
}

impl FromRequest for LinkId {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self(request.match_info().get("id").unwrap_or_default().to_owned())))
    }
}

impl Input for Client {
    fn describe(_: &mut Operation, _: &mut Schemas) {}
}

impl Input for LinkToken {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        link_parameter(operation, schemas, "token");
    }
}

impl Input for LinkId {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        link_parameter(operation, schemas, "id");
    }
}

fn link_parameter(operation: &mut Operation, schemas: &mut Schemas, name: &str) {
    let parameter = ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .schema(Some(text()));
    operation.parameters.get_or_insert_default().push(parameter.build().into());
    refuses(operation, schemas, "404", "The link is invalid");
}
