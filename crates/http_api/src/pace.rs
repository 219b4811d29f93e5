//! Minimum pace of request bodies: a client that sends nothing, or hardly anything, does not occupy a
//! connection for minutes.

use std::{
    cell::Cell,
    io,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
    time::Duration,
};

use actix_web::{error::PayloadError, web::Bytes};
use futures_util::Stream;
use tokio::time::{Instant, Sleep, sleep};

use crate::request_limits::{PACE_BYTES, PACE_TIME};

/// Body that is aborted if the server waits longer than [`PACE_TIME`] for the next [`PACE_BYTES`]. The time
/// that the server itself takes meanwhile does not count.
pub(crate) struct PacedBody<S> {
    body: S,
    /// Bytes received since the beginning, or since the last [`PACE_BYTES`] were complete.
    arrived: usize,
    /// Remaining time for the rest of them.
    remaining: Duration,
    /// Start of the present wait, with its timer.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
    body_aborted: BodyAborted,
}

/// True if a body was aborted instead of arriving completely.
#[derive(Clone, Default)]
pub(crate) struct BodyAborted(Rc<Cell<bool>>);

impl BodyAborted {
    pub(crate) fn is_set(&self) -> bool {
        self.0.get()
    }
}

impl<S: Stream<Item = Result<Bytes, PayloadError>> + Unpin> PacedBody<S> {
    pub(crate) fn new(body: S) -> (Self, BodyAborted) {
        let body_aborted = BodyAborted::default();
        let paced = Self {
            body,
            arrived: 0,
            remaining: PACE_TIME,
            waiting: None,
            body_aborted: body_aborted.clone(),
        };
        (paced, body_aborted)
    }

    fn count(&mut self, bytes: usize) {
        if let Some((since, _)) = self.waiting.take() {
            self.remaining = self.remaining.saturating_sub(since.elapsed());
        }
        self.arrived += bytes;
        if self.arrived >= PACE_BYTES {
            (self.arrived, self.remaining) = (0, PACE_TIME);
        }
    }

    fn is_too_slow(&mut self, context: &mut Context<'_>) -> bool {
        let remaining = self.remaining;
        let (_, until) = self.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(remaining))));
        until.as_mut().poll(context).is_ready()
    }
}

impl<S: Stream<Item = Result<Bytes, PayloadError>> + Unpin> Stream for PacedBody<S> {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = match Pin::new(&mut self.body).poll_next(context) {
            Poll::Pending if self.is_too_slow(context) => {
                Poll::Ready(Some(Err(PayloadError::Io(io::ErrorKind::TimedOut.into()))))
            }
            next => next,
        };
        match &next {
            Poll::Ready(Some(Ok(bytes))) => self.count(bytes.len()),
            Poll::Ready(Some(Err(_))) => self.body_aborted.0.set(true),
            _ => {}
        }
        next
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt, stream};

    use super::*;

    /// Sends a body of `times` chunks of some bytes at an interval; returns its duration in seconds, and true
    /// if it arrived completely.
    async fn receive_chunks(bytes: usize, every: Duration, times: usize) -> (u64, bool) {
        let chunk = Bytes::from(vec![b'x'; bytes]);
        let body = stream::iter(vec![chunk; times]).then(|chunk| async move {
            sleep(every).await;
            Ok(chunk)
        });
        receive(Box::pin(body)).await
    }

    async fn receive(body: impl Stream<Item = Result<Bytes, PayloadError>> + Unpin) -> (u64, bool) {
        let started = Instant::now();
        let (mut body, body_aborted) = PacedBody::new(body);
        while let Some(Ok(_)) = body.next().await {}
        (started.elapsed().as_secs(), !body_aborted.is_set())
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_steady_body_is_received_regardless_of_its_duration() {
        assert_eq!(receive_chunks(200 << 10, SECOND, 250).await, (250, true), "200 KiB/s");
        assert_eq!(receive_chunks(2 << 10, SECOND, 250).await, (250, true), "2 KiB/s");
        assert_eq!(receive_chunks(64 << 10, 9 * SECOND, 20).await, (180, true), "in bursts");
        assert_eq!(receive_chunks(100, SECOND, 5).await, (5, true), "a short one");
    }

    #[tokio::test(start_paused = true)]
    async fn a_stalled_or_dripping_body_is_aborted_after_ten_seconds() {
        assert_eq!(receive_chunks(1, SECOND, 300).await, (10, false), "1 byte/s");
        assert_eq!(receive_chunks(1000, SECOND, 300).await, (10, false), "just below 1 KiB/s");
        assert_eq!(receive(stream::pending()).await, (10, false), "nothing");
        assert_eq!(receive_chunks(64 << 10, 11 * SECOND, 3).await, (10, false), "pauses");
        let begun = stream::iter([1 << 20; 3])
            .map(|bytes| Ok(Bytes::from(vec![b'x'; bytes])))
            .chain(stream::pending());
        assert_eq!(receive(begun).await, (10, false), "a stall after a fast start");
    }

    #[tokio::test(start_paused = true)]
    async fn processing_time_of_the_server_does_not_count() {
        let body = stream::iter(0..100).map(|_| Ok(Bytes::from_static(b"x")));
        let gap = stream::once(async {
            sleep(SECOND).await;
            Ok(Bytes::from_static(b"y"))
        });
        let (mut body, body_aborted) = PacedBody::new(Box::pin(gap.chain(body)));
        while let Some(Ok(_)) = body.next().await {
            sleep(20 * SECOND).await;
        }
        assert!(!body_aborted.is_set());
    }
}
