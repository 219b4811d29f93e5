//! Server-sent events, until the client disconnects, loses access, or the server ends.

use std::{convert::Infallible, marker::PhantomData, pin::Pin, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse, Responder,
    body::{BodyStream, BoxBody},
    http::header::{CACHE_CONTROL, CONTENT_TYPE},
    web::Bytes,
};
use background::ShutdownSignal;
use futures_util::{Stream, stream};
use identity::caller::Caller;
use serde::Serialize;
use tokio::time::{Instant, sleep, sleep_until};
use utoipa::{
    ToSchema,
    openapi::{ObjectBuilder, RefOr, schema::Type},
};
use values::Result;

use crate::{
    answer::Success,
    contract::{Schemas, response},
    reauthorization::Reauthorization,
};

/// Interval of comments that keep the connection open: proxies close silent connections, and clients notice a
/// lost one.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Minimum interval between events, for data that change all the time.
const AT_MOST_EVERY: Duration = Duration::from_secs(1);

const STREAM: &str = "text/event-stream";

/// Source of events.
#[expect(async_fn_in_trait, reason = "answers of actix stay on their thread")]
pub trait Source: 'static {
    type Event: Serialize;
    /// Name of the events.
    const NAME: &'static str;

    /// Waits until there may be changes.
    async fn wait_for_change(&mut self);

    /// Returns the changes since the last call; the first call only records the present state.
    async fn changes(&mut self) -> Result<Vec<Self::Event>>;
}

/// Answer 200 with a stream of events.
pub struct Events<V> {
    body: Pin<Box<dyn Stream<Item = Result<Bytes, Infallible>>>>,
    event: PhantomData<V>,
}

/// Listener with the source of its events.
pub struct Audience<S> {
    pub by: Caller,
    pub reauthorization: Reauthorization,
    pub ending: ShutdownSignal,
    pub source: S,
}

/// Streams the events that `source` returns, whenever the data may have changed.
pub fn events<S: Source>(audience: Audience<S>) -> Events<S::Event> {
    let events = EventStream { audience, read_at: None };
    Events { body: Box::pin(stream::unfold(events, EventStream::next)), event: PhantomData }
}

struct EventStream<S> {
    audience: Audience<S>,
    /// Time of the last look at the source; `None` until the first comment was sent.
    read_at: Option<Instant>,
}

impl<S: Source> EventStream<S> {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        let chunk = if self.read_at.is_none() { self.begin().await } else { self.next_chunk().await? };
        Some((Ok(chunk.into()), self))
    }

    async fn begin(&mut self) -> String {
        self.read_at = Some(Instant::now());
        if let Err(error) = self.audience.source.changes().await {
            tracing::debug!(%error, "what there is to listen to cannot be read");
        }
        ": listening\n\n".to_owned()
    }

    /// Returns the next chunk to send; `None` at the end.
    async fn next_chunk(&mut self) -> Option<String> {
        let Audience { by, reauthorization, ending, source } = &mut self.audience;
        let beat = sleep(HEARTBEAT);
        tokio::pin!(beat);
        loop {
            let has_moved = tokio::select! {
                biased;
                () = ending.wait() => return None,
                () = source.wait_for_change() => true,
                () = &mut beat => false,
            };
            let soonest = self.read_at.map_or_else(Instant::now, |read_at| read_at + AT_MOST_EVERY);
            if has_moved {
                tokio::select! {
                    () = ending.wait() => return None,
                    () = sleep_until(soonest) => {}
                }
            }
            match reauthorization.is_still_authorized(by).await {
                Ok(true) => {}
                Ok(false) => return None,
                // the database is not available: nothing changes
                Err(_) => return Some(HEARTBEAT_COMMENT.to_owned()),
            }
            if !has_moved {
                return Some(HEARTBEAT_COMMENT.to_owned());
            }
            self.read_at = Some(Instant::now());
            let events = source.changes().await.unwrap_or_default();
            if !events.is_empty() {
                return Some(events.iter().map(event_text::<S>).collect());
            }
        }
    }
}

/// Empty comment.
const HEARTBEAT_COMMENT: &str = ":\n\n";

/// Formats an event; its JSON has no line breaks.
fn event_text<S: Source>(event: &S::Event) -> String {
    let data = serde_json::to_string(event).unwrap_or_default();
    format!("event: {}\ndata: {data}\n\n", S::NAME)
}

impl<V> Responder for Events<V> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        HttpResponse::Ok()
            .insert_header((CONTENT_TYPE, STREAM))
            .insert_header((CACHE_CONTROL, "no-store"))
            // proxies that buffer answers do not buffer this one
            .insert_header(("x-accel-buffering", "no"))
            .body(BodyStream::new(self.body))
    }
}

impl<V: ToSchema> Success for Events<V> {
    fn describe(operation: &mut utoipa::openapi::path::Operation, schemas: &mut Schemas) {
        schemas.refer::<V>();
        // generated clients would read a single value if the schema were that of the data
        let text = ObjectBuilder::new().schema_type(Type::String);
        let about = format!("Stream of events; the data of each is a `{}`", V::name());
        let answer = response(&about, Some((STREAM, text.into())));
        operation.responses.responses.insert("200".to_owned(), RefOr::T(answer));
    }
}
