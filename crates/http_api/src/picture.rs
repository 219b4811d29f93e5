//! Pictures in requests and answers; browsers cache those with a version in their address forever.

use std::future::{Ready, ready};

use actix_web::{
    FromRequest, HttpRequest, HttpResponse, Responder,
    body::{BodyStream, BoxBody},
    dev::Payload,
    http::{
        StatusCode,
        header::{AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY},
    },
};
use futures_util::stream::BoxStream;
use storage::{Bytes, Storage, picture::MAX_BYTES};
use utoipa::{
    ToSchema,
    openapi::{
        ObjectBuilder,
        path::Operation,
        schema::{KnownFormat, SchemaFormat, Type},
    },
};
use values::{Result, Violations};

use crate::{
    answer::Success,
    codes,
    contract::{Schemas, query_parameter, response},
    input::Input,
    problem::Refusal,
    upload::{Fields, Form},
};

/// Picture to be uploaded.
#[derive(ToSchema)]
#[schema(as = ImageInput)]
#[expect(clippy::manual_non_exhaustive, reason = "documentation: the file itself streams to the disk")]
pub struct ImageForm {
    /// File in PNG, JPEG or WebP, recognised by its content: up to 10 MiB, fewer than 40 megapixels.
    #[schema(value_type = String, format = Binary)]
    #[expect(dead_code, reason = "documentation: the file itself streams to the disk")]
    file: (),
    /// Version of the record that the caller has read; an outdated one is refused.
    pub version: Option<i64>,
}

impl Form for ImageForm {
    const MAX_BYTES: Option<u64> = Some(MAX_BYTES);

    fn read(mut fields: Fields) -> Result<Self> {
        let mut violations = Violations::new();
        let version = fields.remove("version").map(|text| text.parse().ok());
        if version == Some(None) {
            violations.add("version", codes::INVALID_PARAMETER.with("expected", "123"));
        }
        for unknown in fields.into_keys() {
            violations.add(unknown, codes::UNKNOWN_FIELD);
        }
        violations.check()?;
        Ok(Self { file: (), version: version.flatten() })
    }
}

/// Versions of a picture in a browser's request.
#[derive(Debug)]
pub struct CacheVersions {
    /// Version in the address.
    in_address: Option<String>,
    /// Version in the browser's cache.
    etag: Option<String>,
}

/// Answer 200 with the bytes of a picture, or 304.
pub struct PictureAnswer {
    version: String,
    media_type: String,
    for_ever: bool,
    /// Bytes; `None` if the browser has them.
    content: Option<BoxStream<'static, std::io::Result<Bytes>>>,
}

const VERSION: &str = "v";
/// Length of a SHA-256 in hexadecimal.
const VERSION_MAX: usize = 64;

/// Returns the stored file with this key as a picture.
pub async fn picture_answer(
    storage: &Storage,
    versions: CacheVersions,
    version: String,
    key: &str,
    media_type: &str,
) -> Result<PictureAnswer> {
    let unchanged = versions.etag.is_some_and(|sent_etag| sent_etag == etag(&version));
    Ok(PictureAnswer {
        content: if unchanged { None } else { Some(storage.read(key).await?) },
        for_ever: versions.in_address.as_ref() == Some(&version),
        media_type: media_type.to_owned(),
        version,
    })
}

fn etag(version: &str) -> String {
    format!("\"{version}\"")
}

impl Responder for PictureAnswer {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        let status = if self.content.is_some() { StatusCode::OK } else { StatusCode::NOT_MODIFIED };
        let keep = if self.for_ever { "private, max-age=31536000, immutable" } else { "private, no-cache" };
        let mut response = HttpResponse::build(status);
        response
            .insert_header((ETAG, etag(&self.version)))
            .insert_header((CACHE_CONTROL, keep))
            .insert_header((VARY, AUTHORIZATION.as_str()));
        match self.content {
            Some(content) => {
                response.insert_header((CONTENT_TYPE, self.media_type)).body(BodyStream::new(content))
            }
            None => response.finish(),
        }
    }
}

impl Success for PictureAnswer {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let bytes = ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
        for (status, response) in [
            ("200", response("The picture", Some(("image/*", bytes.into())))),
            ("304", response("The picture has the version in `If-None-Match`", None)),
        ] {
            operation.responses.responses.insert(status.to_owned(), response.into());
        }
    }
}

impl FromRequest for CacheVersions {
    type Error = Refusal;
    type Future = Ready<Result<Self, Refusal>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let in_address = form_urlencoded::parse(request.query_string().as_bytes())
            .find(|(name, _)| name == VERSION)
            .map(|(_, version)| version.into_owned());
        if in_address.as_ref().is_some_and(|version| version.chars().count() > VERSION_MAX) {
            return ready(Err(Refusal(Violations::error(VERSION, codes::TOO_LONG.with("max", VERSION_MAX)))));
        }
        let etag = request.headers().get(IF_NONE_MATCH).and_then(|etag| etag.to_str().ok());
        ready(Ok(Self { in_address, etag: etag.map(str::to_owned) }))
    }
}

impl Input for CacheVersions {
    fn describe(operation: &mut Operation, _: &mut Schemas) {
        let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(VERSION_MAX));
        let meaning = "Version of the picture; the answer may then be cached forever";
        query_parameter(operation, VERSION, meaning, text.into());
    }
}
