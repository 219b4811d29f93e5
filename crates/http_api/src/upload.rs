//! Uploaded files: a multipart form, one part of which is a file that is streamed to disk.

use std::{collections::BTreeMap, future::Future, pin::Pin};

use actix_multipart::{Field, Multipart};
use actix_web::{FromRequest, HttpMessage, HttpRequest, dev::Payload};
use futures_util::TryStreamExt;
use storage::Storage;
use store::deadline;
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;
use utoipa::{
    ToSchema,
    openapi::{Content, Required, path::Operation, request_body::RequestBodyBuilder},
};
use values::{Error, Result, Violations};

use crate::{
    codes,
    context::server,
    contract::{Schemas, refuses},
    input::Input,
    pace::{BodyAborted, PacedBody},
    problem::Refusal,
    request_limits::{STORED_WITHIN, UPLOAD_TIMEOUT},
};

/// Fields besides the file, as they were sent.
pub type Fields = BTreeMap<String, String>;

/// Form with a file. Its schema documents the file as `file`.
pub trait Form: ToSchema + Sized {
    /// Maximum size of the file, if it differs from the settings.
    const MAX_BYTES: Option<u64> = None;

    /// Maximum size of each field besides the file.
    const FIELD_MAX_BYTES: usize = 4 * 1024;

    /// Reads the fields besides the file; refuses unknown ones.
    fn read(fields: Fields) -> Result<Self>;
}

/// Form as it was sent.
#[derive(Debug)]
pub struct Upload<F> {
    pub form: F,
    pub file: UploadedFile,
}

/// Completely received file; it is deleted when this is dropped.
#[derive(Debug)]
pub struct UploadedFile {
    /// File name that the browser has sent.
    pub name: String,
    pub content: NamedTempFile,
}

const FILE: &str = "file";
const FIELDS_MAX: usize = 20;
/// Multiple of the maximum size up to which a too large file is read and discarded, so that the browser reads
/// the refusal.
const DISCARD_FACTOR: u64 = 8;

impl<F: Form + 'static> FromRequest for Upload<F> {
    type Error = Refusal;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Refusal>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let is_form =
            matches!(request.mime_type(), Ok(Some(kind)) if kind.essence_str() == "multipart/form-data");
        let (body, body_aborted) = PacedBody::new(payload.take());
        let parts = Multipart::new(request.headers(), body);
        let server = server(request).cloned();
        Box::pin(async move {
            let server = server?;
            if !is_form {
                return Err(codes::UNSUPPORTED_MEDIA.with("expected", "multipart/form-data").into());
            }
            server.storage().check_free_space()?;
            deadline::extend(UPLOAD_TIMEOUT + STORED_WITHIN);
            let max = F::MAX_BYTES.unwrap_or(server.upload_max_bytes());
            let receiving = receive(parts, &body_aborted, server.storage(), max, F::FIELD_MAX_BYTES);
            let (fields, file) = tokio::time::timeout(UPLOAD_TIMEOUT, receiving)
                .await
                .map_err(|_| codes::REQUEST_TIMEOUT)??;
            Ok(Self { form: F::read(fields)?, file: file.ok_or_else(|| at_file(codes::FILE_MISSING))? })
        })
    }
}

async fn receive(
    mut parts: Multipart,
    body_aborted: &BodyAborted,
    storage: &Storage,
    max: u64,
    field_max: usize,
) -> Result<(Fields, Option<UploadedFile>)> {
    let (mut fields, mut file) = (Fields::new(), None);
    while let Some(part) = parts.try_next().await.map_err(|error| read_error(&error, body_aborted))? {
        let name = part.name().unwrap_or_default().to_owned();
        if file.is_some() && name == FILE || fields.contains_key(&name) {
            return Err(Violations::error(name, codes::DUPLICATE_PARAMETER));
        }
        if name == FILE {
            file = Some(save(part, body_aborted, storage, max).await?);
        } else if fields.len() == FIELDS_MAX {
            return Err(Violations::error(name, codes::UNKNOWN_FIELD));
        } else {
            let text = text(part, body_aborted, &name, field_max).await?;
            fields.insert(name, text);
        }
    }
    Ok((fields, file))
}

/// Writes a file to disk while it arrives.
async fn save(
    mut part: Field,
    body_aborted: &BodyAborted,
    storage: &Storage,
    max: u64,
) -> Result<UploadedFile> {
    let name = part
        .content_disposition()
        .and_then(|disposition| disposition.get_filename())
        .unwrap_or_default()
        .to_owned();
    let content = storage.spool_file()?;
    let mut file = tokio::fs::File::from_std(content.reopen()?);
    let mut size = 0;
    while let Some(bytes) = part.try_next().await.map_err(|error| read_error(&error, body_aborted))? {
        size += bytes.len() as u64;
        if size > max * DISCARD_FACTOR {
            break;
        }
        if size <= max {
            file.write_all(&bytes).await?;
        }
    }
    if size > max {
        return Err(at_file(codes::FILE_TOO_LARGE.with("max", format!("{} MiB", max >> 20))));
    }
    if name.contains(char::is_control) {
        return Err(at_file(codes::FILE_NAME_INVALID));
    }
    file.flush().await?;
    Ok(UploadedFile { name, content })
}

async fn text(mut part: Field, body_aborted: &BodyAborted, name: &str, max: usize) -> Result<String> {
    let bytes = part.bytes(max).await;
    let bytes = bytes.map_err(|_| Violations::error(name, codes::TOO_LONG.with("max", max)))?;
    let bytes = bytes.map_err(|error| read_error(&error, body_aborted))?;
    String::from_utf8(bytes.into()).map_err(|_| Violations::error(name, codes::NOT_PRINTABLE))
}

/// Error for an aborted connection or an invalid form, whose most frequent cause is the file name.
fn read_error(error: &actix_multipart::MultipartError, body_aborted: &BodyAborted) -> Error {
    tracing::debug!(%error, "an upload that cannot be read");
    if body_aborted.is_set() { codes::REQUEST_TIMEOUT.into() } else { at_file(codes::FORM_MALFORMED) }
}

fn at_file(message: impl Into<values::Message>) -> Error {
    Violations::error(FILE, message)
}

impl<F: Form> Input for Upload<F> {
    fn describe(operation: &mut Operation, schemas: &mut Schemas) {
        let body = RequestBodyBuilder::new()
            .content("multipart/form-data", Content::new(Some(schemas.refer::<F>())))
            .required(Some(Required::True))
            .build();
        operation.request_body = Some(body.into());
        let about = "The form did not arrive completely, or hardly any data arrived for ten seconds";
        refuses(operation, schemas, "408", about);
    }
}
