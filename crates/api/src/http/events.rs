//! Answers that go on: server-sent events, until whoever listens leaves, is no longer let in, or the server ends.

use std::{convert::Infallible, marker::PhantomData, pin::Pin, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse, Responder,
    body::{BodyStream, BoxBody},
    http::header::{CACHE_CONTROL, CONTENT_TYPE},
    web::Bytes,
};
use background::Ending;
use futures_util::{Stream, stream};
use identity::caller::Caller;
use kernel::Result;
use serde::Serialize;
use tokio::time::{Instant, sleep, sleep_until};
use utoipa::{
    ToSchema,
    openapi::{ObjectBuilder, RefOr, schema::Type},
};

use crate::{
    http::{
        again::Again,
        answer::Success,
        contract::{Schemas, described},
    },
    live::listeners::Listener,
};

/// Says that the connection stands: proxies close what is silent for long, and who listens learns that nobody speaks any more.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// What moves all the time is told once in a while.
const AT_MOST_EVERY: Duration = Duration::from_secs(1);

const STREAM: &str = "text/event-stream";

/// What is new of something that is listened to.
pub(crate) trait Source: 'static {
    type Event: Serialize;
    /// What the events are called.
    const NAME: &'static str;

    /// What has changed since the last look; the first one only remembers.
    async fn look(&mut self) -> Result<Vec<Self::Event>>;
}

/// 200 with events as they come.
pub(crate) struct Events<V> {
    body: Pin<Box<dyn Stream<Item = Result<Bytes, Infallible>>>>,
    event: PhantomData<V>,
}

/// Who listens, and to what.
pub(crate) struct Audience<S> {
    pub by: Caller,
    pub again: Again,
    pub listener: Listener,
    pub ending: Ending,
    pub source: S,
}

/// Tells what `source` finds, whenever the listener hears of something.
pub(crate) fn events<S: Source>(audience: Audience<S>) -> Events<S::Event> {
    let telling = Telling { audience, looked: None };
    Events { body: Box::pin(stream::unfold(telling, Telling::next)), event: PhantomData }
}

struct Telling<S> {
    audience: Audience<S>,
    /// When it has looked last; not before it has said that it is there.
    looked: Option<Instant>,
}

impl<S: Source> Telling<S> {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        let chunk = if self.looked.is_none() { self.begin().await } else { self.go_on().await? };
        Some((Ok(chunk.into()), self))
    }

    async fn begin(&mut self) -> String {
        self.looked = Some(Instant::now());
        if let Err(error) = self.audience.source.look().await {
            tracing::debug!(%error, "what there is to listen to cannot be read");
        }
        ": listening\n\n".to_owned()
    }

    /// Something to send; nothing at the end.
    async fn go_on(&mut self) -> Option<String> {
        let Audience { by, again, listener, ending, source } = &mut self.audience;
        let beat = sleep(HEARTBEAT);
        tokio::pin!(beat);
        loop {
            let has_moved = tokio::select! {
                biased;
                () = ending.comes() => return None,
                () = listener.moved() => true,
                () = &mut beat => false,
            };
            let soonest = self.looked.map_or_else(Instant::now, |looked| looked + AT_MOST_EVERY);
            if has_moved {
                tokio::select! {
                    () = ending.comes() => return None,
                    () = sleep_until(soonest) => {}
                }
            }
            match again.is_let_in(by).await {
                Ok(true) => {}
                Ok(false) => return None,
                // the database is away: nothing moves
                Err(_) => return Some(SILENCE.to_owned()),
            }
            if !has_moved {
                return Some(SILENCE.to_owned());
            }
            self.looked = Some(Instant::now());
            let told = source.look().await.unwrap_or_default();
            if !told.is_empty() {
                return Some(told.iter().map(written::<S>).collect());
            }
        }
    }
}

/// A comment, which says nothing.
const SILENCE: &str = ":\n\n";

/// JSON has no line breaks of its own.
fn written<S: Source>(event: &S::Event) -> String {
    let data = serde_json::to_string(event).unwrap_or_default();
    format!("event: {}\ndata: {data}\n\n", S::NAME)
}

impl<V> Responder for Events<V> {
    type Body = BoxBody;

    fn respond_to(self, _: &HttpRequest) -> HttpResponse {
        HttpResponse::Ok()
            .insert_header((CONTENT_TYPE, STREAM))
            .insert_header((CACHE_CONTROL, "no-store"))
            // proxies that collect answers pass this one on
            .insert_header(("x-accel-buffering", "no"))
            .body(BodyStream::new(self.body))
    }
}

impl<V: ToSchema> Success for Events<V> {
    fn describe(operation: &mut utoipa::openapi::path::Operation, schemas: &mut Schemas) {
        schemas.refer::<V>();
        // generated clients read one value where a schema of the data stands
        let text = ObjectBuilder::new().schema_type(Type::String);
        let about = format!("Events as they come; the data of each is `{}`", V::name());
        let answer = described(&about, Some((STREAM, text.into())));
        operation.responses.responses.insert("200".to_owned(), RefOr::T(answer));
    }
}
