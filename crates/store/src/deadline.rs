//! Time limits of work, and the state of its effects when a limit is exceeded.

use std::{cell::Cell, future::Future, pin::pin, time::Duration};

use tokio::time::Instant;

/// Time limit of one database statement, independent of the server's own limit.
const STATEMENT: Duration = Duration::from_secs(10);

/// Time limit of work on many records; the frontend waits as long.
pub const MANY_RECORDS: Duration = Duration::from_mins(5);

/// Error for work that exceeded its time limit and was dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Elapsed {
    /// True if parts of the work had been committed before it was dropped.
    pub committed: bool,
}

struct Limits {
    until: Cell<Instant>,
    committing: Cell<bool>,
    committed: Cell<bool>,
}

tokio::task_local! {
    static LIMITS: Limits;
}

/// Runs work and drops it when the limit is exceeded. A commit that has been sent is awaited: it has its own
/// limit, after which its outcome is reported as unknown.
pub async fn within<T>(limit: Duration, work: impl Future<Output = T>) -> Result<T, Elapsed> {
    let limits = Limits {
        until: Cell::new(Instant::now() + limit),
        committing: Cell::new(false),
        committed: Cell::new(false),
    };
    LIMITS.scope(limits, supervised(work)).await
}

async fn supervised<T>(work: impl Future<Output = T>) -> Result<T, Elapsed> {
    let mut work = pin!(work);
    loop {
        let until = LIMITS.with(|limits| limits.until.get());
        tokio::select! {
            biased;
            done = &mut work => return Ok(done),
            () = tokio::time::sleep_until(until) => {}
        }
        let over = LIMITS.with(|limits| {
            let over = limits.until.get() <= Instant::now();
            if over && limits.committing.get() {
                limits.until.set(Instant::now() + Duration::from_millis(100));
                return None;
            }
            over.then(|| Elapsed { committed: limits.committed.get() })
        });
        if let Some(elapsed) = over {
            return Err(elapsed);
        }
    }
}

/// Moves the limit of the current work to `time` from now, unless it is later already. For uploads and for
/// long exports.
pub fn extend(time: Duration) {
    // Work without a limit needs no extension.
    let _ = LIMITS.try_with(|limits| limits.until.set(limits.until.get().max(Instant::now() + time)));
}

/// Deadline of a statement that begins now.
pub(crate) fn statement_deadline() -> Instant {
    let own = Instant::now() + STATEMENT;
    LIMITS.try_with(|limits| limits.until.get().min(own)).unwrap_or(own)
}

/// Marks a commit as in progress until it is dropped.
pub(crate) struct Committing {
    succeeded: bool,
}

impl Committing {
    pub(crate) fn begin() -> Self {
        // Work without a limit is never dropped.
        let _ = LIMITS.try_with(|limits| limits.committing.set(true));
        Self { succeeded: false }
    }

    pub(crate) fn succeeded(mut self) {
        self.succeeded = true;
    }
}

impl Drop for Committing {
    fn drop(&mut self) {
        let _ = LIMITS.try_with(|limits| {
            limits.committing.set(false);
            limits.committed.set(limits.committed.get() || self.succeeded);
        });
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn work_is_cancelled_at_its_time_limit() {
        assert_eq!(within(SECOND, async { 7 }).await, Ok(7));
        let late = within(SECOND, sleep(SECOND * 2)).await;
        assert_eq!(late, Err(Elapsed { committed: false }));
    }

    #[tokio::test(start_paused = true)]
    async fn a_commit_in_progress_is_awaited_beyond_the_time_limit() {
        let began = Instant::now();
        let work = async {
            let committing = Committing::begin();
            sleep(SECOND * 3).await;
            committing.succeeded();
            "confirmed"
        };
        assert_eq!(within(SECOND, work).await, Ok("confirmed"));
        assert!(began.elapsed() >= SECOND * 3);
    }

    #[tokio::test(start_paused = true)]
    async fn an_earlier_commit_is_reported() {
        let work = async {
            Committing::begin().succeeded();
            sleep(SECOND * 3).await;
        };
        assert_eq!(within(SECOND, work).await, Err(Elapsed { committed: true }));
    }

    #[tokio::test(start_paused = true)]
    async fn time_limits_can_be_extended() {
        let work = async {
            extend(SECOND * 10);
            extend(SECOND);
            sleep(SECOND * 5).await;
        };
        assert_eq!(within(SECOND, work).await, Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_statement_gets_the_remaining_time_of_its_work() {
        let remaining = within(SECOND, async { statement_deadline() - Instant::now() }).await;
        assert_eq!(remaining, Ok(SECOND));
        assert_eq!(statement_deadline() - Instant::now(), STATEMENT);
    }
}
