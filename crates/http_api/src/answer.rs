//! Answers: one type for each kind, with its status and its description.

use std::marker::PhantomData;

use actix_web::{
    HttpRequest, HttpResponse, Responder,
    body::{BodyStream, BoxBody},
    http::{
        StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, Charset, ContentDisposition, ContentType,
            DispositionParam, DispositionType, ETAG, ExtendedValue, LOCATION,
        },
    },
    web::Bytes,
};
use futures_util::Stream;
use lists::Page;
use serde::{Deserialize, Serialize};
use tokio_util::io::ReaderStream;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Array, ObjectBuilder, Ref, RefOr, Schema,
        path::Operation,
        schema::{KnownFormat, SchemaFormat, Type},
    },
};
use values::in_use::{Usage, Usages};

use crate::{
    contract::{Schemas, response},
    field_selection,
    problem::Refusal,
    refusals,
};

/// Answer that documents itself.
pub trait Success {
    fn describe(operation: &mut Operation, schemas: &mut Schemas);
}

/// Answer 200 with a value.
#[derive(Debug)]
pub struct OkJson<V>(pub V);

/// Answer 201 with the created record.
#[derive(Debug)]
pub struct Created<V>(pub V);

/// Answer 201 with the created record and its address, or 200 with the changed one.
#[derive(Debug)]
pub struct CreatedOrChanged<V> {
    value: V,
    /// Path of the list, if the record was created.
    created: Option<String>,
}

/// Answer 201 with a record that was created in another list than the path's.
#[derive(Debug)]
pub struct CreatedIn<V> {
    value: V,
    /// Path of the list.
    list: &'static str,
    id: i64,
}

/// Answer 200 with a page of rows.
#[derive(Debug)]
pub struct OkPage<V>(Page<V>);

/// Answer 204.
#[derive(Debug)]
pub struct NoContent;

/// Answer 202: processed later.
#[derive(Debug)]
pub struct Accepted;

/// Answer 202 with a value that describes the later processing.
#[derive(Debug)]
pub struct AcceptedJson<V>(pub V);

/// Answer 200 with the bytes of a file to be saved.
pub struct Download {
    name: String,
    content: std::pin::Pin<Box<dyn Stream<Item = Result<Bytes, std::io::Error>>>>,
}

/// Answer 200 with a value to be saved: a file whose content is documented.
pub struct Document<V> {
    file: Download,
    content: PhantomData<V>,
}

/// Answers 200 with a value.
pub fn ok_json<V>(value: impl Into<V>) -> OkJson<V> {
    OkJson(value.into())
}

/// Answers 201 with a value.
pub fn created<V>(value: impl Into<V>) -> Created<V> {
    Created(value.into())
}

/// Answers 202 with a value.
pub fn accepted_json<V>(value: impl Into<V>) -> AcceptedJson<V> {
    AcceptedJson(value.into())
}

/// Returns an answer for a record that was created in a list, with its id.
pub fn created_in<V>(list: &'static str, id: i64, value: impl Into<V>) -> CreatedIn<V> {
    CreatedIn { value: value.into(), list, id }
}

/// Returns an answer for a record that existed, or was created in a list.
pub fn created_or_changed<V>(value: V, list: String, existed: bool) -> CreatedOrChanged<V> {
    CreatedOrChanged { value, created: (!existed).then_some(list) }
}

/// Answers 200 with a page of rows.
pub fn ok_page<R, V: From<R>>(page: Page<R>) -> OkPage<V> {
    OkPage(page.map(V::from))
}

/// Answers 204.
pub fn no_content((): ()) -> NoContent {
    NoContent
}

/// Answers 202 without a value.
pub fn accepted((): ()) -> Accepted {
    Accepted
}

/// Returns a file; `name` is the name that the browser suggests.
pub fn download(
    name: String,
    content: impl Stream<Item = Result<Bytes, std::io::Error>> + 'static,
) -> Download {
    Download { name, content: Box::pin(content) }
}

/// Returns a file that was generated for this answer.
pub fn download_file(name: String, file: std::fs::File) -> Download {
    download(name, ReaderStream::new(tokio::fs::File::from_std(file)))
}

/// Returns a file with a documented content.
pub fn document<V>(file: Download) -> Document<V> {
    Document { file, content: PhantomData }
}

/// Position of a page.
#[derive(Debug, Serialize, ToSchema)]
struct Meta {
    /// Page, from 1.
    #[schema(example = 1)]
    current_page: u64,
    /// Last page, 1 for an empty list.
    #[schema(example = 26)]
    last_page: u64,
    #[schema(example = 40)]
    per_page: u64,
    /// Rows on all pages; for very large lists at most ten seconds old.
    #[schema(example = 1014)]
    total: u64,
    /// Suggestion for a search without matches: a text with matches that corrects a typing error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "heb 200")]
    suggestion: Option<String>,
}

#[derive(Serialize)]
struct ListBody<V> {
    data: Vec<V>,
    meta: Meta,
}

/// Marks a path below which each record is shown by its id.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShowsRecords;

/// Fields of an answer that its headers contain, too.
#[derive(Deserialize)]
struct Stamp {
    id: Option<i64>,
    version: Option<i64>,
}

/// Returns a value, with the version of a single record as its `ETag`.
fn respond(
    status: StatusCode,
    value: &impl Serialize,
    location: Location<'_>,
    request: &HttpRequest,
) -> HttpResponse {
    let body = match serde_json::to_string(value) {
        Ok(body) => body,
        Err(error) => return HttpResponse::from_error(Refusal(values::Error::internal(error))),
    };
    let is_record = || request.match_pattern().is_some_and(|path| path.ends_with('}'));
    let stamp: Option<Stamp> = match location {
        Location::None if !is_record() => None,
        _ => serde_json::from_str(&body).ok(),
    };
    let mut response = HttpResponse::build(status);
    if let Some(Stamp { version: Some(version), .. }) = stamp {
        response.insert_header((ETAG, format!("\"{version}\"")));
    }
    let list = match location {
        Location::None => None,
        Location::Below(list) => Some((list, stamp.and_then(|stamp| stamp.id))),
        Location::Record(list, id) => Some((list, Some(id))),
    };
    if let Some((list, Some(id))) = list {
        response.insert_header((LOCATION, format!("{list}/{id}")));
    }
    response.insert_header(ContentType::json()).body(body)
}

/// Path of a created record.
enum Location<'l> {
    None,
    /// Path of the list; the id is that of the value.
    Below(&'l str),
    Record(&'l str, i64),
}

impl<V: Serialize> Responder for OkJson<V> {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        respond(StatusCode::OK, &self.0, Location::None, request)
    }
}

impl<V: Serialize> Responder for AcceptedJson<V> {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        respond(StatusCode::ACCEPTED, &self.0, Location::None, request)
    }
}

impl<V: Serialize> Responder for Created<V> {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        let shows_records = request.app_data::<ShowsRecords>().is_some();
        let location = if shows_records { Location::Below(request.path()) } else { Location::None };
        respond(StatusCode::CREATED, &self.0, location, request)
    }
}

impl<V: Serialize> Responder for CreatedIn<V> {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        let Self { value, list, id } = self;
        respond(StatusCode::CREATED, &value, Location::Record(list, id), request)
    }
}

impl<V: Serialize> Responder for CreatedOrChanged<V> {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        match self.created {
            Some(list) => respond(StatusCode::CREATED, &self.value, Location::Below(&list), request),
            None => respond(StatusCode::OK, &self.value, Location::None, request),
        }
    }
}

impl<V: Serialize + ToSchema> Responder for OkPage<V> {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        let Self(page) = self;
        let meta = Meta {
            current_page: page.page,
            last_page: page.last_page(),
            per_page: page.size,
            total: page.total,
            suggestion: page.suggestion,
        };
        match field_selection::selected_properties::<V>(request) {
            Ok(None) => HttpResponse::Ok().json(ListBody { data: page.rows, meta }),
            Ok(Some(names)) => match field_selection::keep_properties(&names, &page.rows) {
                Ok(data) => HttpResponse::Ok().json(ListBody { data, meta }),
                Err(error) => HttpResponse::from_error(Refusal(error)),
            },
            Err(error) => HttpResponse::from_error(Refusal(error)),
        }
    }
}

impl Responder for NoContent {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        HttpResponse::NoContent().finish()
    }
}

impl Responder for Accepted {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        HttpResponse::Accepted().finish()
    }
}

impl Responder for Download {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        let name = ExtendedValue {
            charset: Charset::Ext("UTF-8".into()),
            language_tag: None,
            value: self.name.clone().into_bytes(),
        };
        let plain: String = self
            .name
            .chars()
            .map(|c| if c.is_ascii_graphic() && c != '"' && c != '\\' { c } else { '_' })
            .collect();
        let disposition = ContentDisposition {
            disposition: DispositionType::Attachment,
            parameters: vec![DispositionParam::Filename(plain), DispositionParam::FilenameExt(name)],
        };
        HttpResponse::Ok()
            .insert_header((CONTENT_TYPE, media_type(&self.name)))
            .insert_header((CONTENT_DISPOSITION, disposition))
            .insert_header((CACHE_CONTROL, "no-store"))
            .body(BodyStream::new(self.content))
    }
}

impl<V> Responder for Document<V> {
    type Body = BoxBody;

    fn respond_to(self, request: &HttpRequest) -> HttpResponse {
        self.file.respond_to(request)
    }
}

fn document_response(
    operation: &mut Operation,
    status: &str,
    description: &str,
    content: impl IntoIterator<Item = (&'static str, RefOr<Schema>)>,
) {
    operation.responses.responses.insert(status.to_owned(), RefOr::T(response(description, content)));
}

/// Documents a header of an answer.
pub(super) fn document_header(operation: &mut Operation, status: &str, header: &str) {
    if let Some(RefOr::T(response)) = operation.responses.responses.get_mut(status) {
        refusals::add_header(response, header);
    }
}

impl<V: ToSchema> Success for OkJson<V> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        let schema = schemas.refer::<V>();
        document_response(operation, "200", "Success", Some(("application/json", schema)));
    }
}

impl<V: ToSchema> Success for AcceptedJson<V> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        let schema = schemas.refer::<V>();
        document_response(operation, "202", "Accepted for processing", Some(("application/json", schema)));
    }
}

impl<V: ToSchema> Success for Created<V> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        let schema = schemas.refer::<V>();
        document_response(operation, "201", "Created", Some(("application/json", schema)));
    }
}

impl<V: ToSchema> Success for CreatedOrChanged<V> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        OkJson::<V>::describe(operation, schemas);
        CreatedIn::<V>::describe(operation, schemas);
    }
}

impl<V: ToSchema> Success for CreatedIn<V> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        Created::<V>::describe(operation, schemas);
        document_header(operation, "201", refusals::LOCATION);
    }
}

impl<V: ToSchema> Success for OkPage<V> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        let name = format!("{}Page", V::name());
        let body = ObjectBuilder::new()
            .property("data", Array::new(schemas.refer::<V>()))
            .required("data")
            .property("meta", schemas.refer::<Meta>())
            .required("meta");
        schemas.define(&name, body.into());
        field_selection::describe::<V>(operation);
        document_response(
            operation,
            "200",
            "One page of the list",
            Some(("application/json", Ref::from_schema_name(name).into())),
        );
    }
}

impl Success for NoContent {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        document_response(operation, "204", "Done", None);
    }
}

impl Success for Accepted {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        document_response(
            operation,
            "202",
            "Accepted; the response does not say if anything will be sent",
            None,
        );
    }
}

impl Success for Download {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        // generated clients use the first type: bytes
        let types = [ANY, CSV, WORKBOOK, JSON].map(|media_type| {
            let bytes = ObjectBuilder::new()
                .schema_type(Type::String)
                .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
            (media_type, bytes.into())
        });
        document_response(operation, "200", "The file", types);
    }
}

const CSV: &str = "text/csv";
const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const JSON: &str = "application/json";
/// Type of an uploaded file with another extension: browsers never display it.
const ANY: &str = "application/octet-stream";

fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase()).as_deref() {
        Some("csv") => CSV,
        Some("xlsx") => WORKBOOK,
        Some("json") => JSON,
        _ => ANY,
    }
}

impl<V: ToSchema> Success for Document<V> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        let schema = schemas.refer::<V>();
        document_response(operation, "200", "The file, as a download", Some(("application/json", schema)));
    }
}

/// Short list that is always returned as a whole.
#[derive(Debug, Serialize)]
pub struct Unpaged<V> {
    pub data: Vec<V>,
}

impl From<Usages> for Unpaged<Usage> {
    fn from(Usages(data): Usages) -> Self {
        Self { data }
    }
}

impl<V: ToSchema> ToSchema for Unpaged<V> {
    fn name() -> std::borrow::Cow<'static, str> {
        format!("{}List", V::name()).into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((V::name().into_owned(), V::schema()));
        V::schemas(schemas);
    }
}

impl<V: ToSchema> PartialSchema for Unpaged<V> {
    fn schema() -> RefOr<Schema> {
        let row: RefOr<Schema> = Ref::from_schema_name(V::name()).into();
        ObjectBuilder::new().property("data", Array::new(row)).required("data").into()
    }
}
