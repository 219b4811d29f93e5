//! Bodies of answers: empty for HEAD, and compressed JSON for callers who accept it.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use actix_http::encoding::Encoder;
use actix_web::{
    Error,
    body::{BodySize, EitherBody, MessageBody},
    dev::{ResponseHead, ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{AcceptEncoding, CONTENT_TYPE, ContentEncoding, Encoding, Header},
    },
    middleware::Next,
    web::Bytes,
};

/// Minimum size for compression; a shorter body fits one packet anyway.
const WORTH_PACKING: u64 = 1024;

/// Middleware outside of all others, which read and change the uncompressed answer.
pub async fn middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let only_head = request.method() == Method::HEAD;
    let accepts_gzip = !only_head && accepts_gzip(&request);
    let response = next.call(request).await?;
    Ok(response.map_body(|head, body| {
        let size = body.size();
        let encoding = if accepts_gzip && is_worth_packing(head, size) {
            ContentEncoding::Gzip
        } else {
            ContentEncoding::Identity
        };
        let body = if only_head { EitherBody::right(OmittedBody(size)) } else { EitherBody::left(body) };
        Encoder::response(encoding, head, body)
    }))
}

fn accepts_gzip(request: &ServiceRequest) -> bool {
    let supported = [Encoding::identity(), Encoding::gzip()];
    let preferred =
        AcceptEncoding::parse(request).ok().and_then(|accepted| accepted.negotiate(supported.iter()));
    preferred == Some(Encoding::gzip())
}

/// True for large bodies, except files, which are compressed already.
fn is_worth_packing(head: &ResponseHead, size: BodySize) -> bool {
    let is_json =
        head.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    is_json && !matches!(size, BodySize::None | BodySize::Sized(..WORTH_PACKING))
}

/// Body that GET would have sent.
struct OmittedBody(BodySize);

impl MessageBody for OmittedBody {
    type Error = std::convert::Infallible;

    fn size(&self) -> BodySize {
        self.0
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Poll::Ready(None)
    }
}
