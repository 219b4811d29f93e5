//! Retries of work that other writers block. Work that names no version must not fail because of them, so it
//! is repeated until it succeeds or a time limit is over. Each attempt is a transaction of its own that reads
//! the current state.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::Backoff;

/// Backoff before the second and further attempts.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(20), longest: Duration::from_secs(1) };

/// Attempts at one piece of work.
#[derive(Debug)]
pub struct Attempts {
    until: Instant,
    failed: u32,
}

impl Attempts {
    /// Starts counting attempts that end after `limit`.
    pub fn within(limit: Duration) -> Self {
        Self { until: Instant::now() + limit, failed: 0 }
    }

    /// Waits before the next attempt; false once the time limit is over.
    pub async fn pause(&mut self) -> bool {
        if Instant::now() >= self.until {
            return false;
        }
        self.failed = self.failed.saturating_add(1);
        sleep(BACKOFF.pause(self.failed)).await;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn attempts_continue_until_the_time_limit() {
        let (began, limit) = (Instant::now(), Duration::from_secs(30));
        let mut attempts = Attempts::within(limit);
        let mut count = 0;
        while attempts.pause().await {
            count += 1;
        }
        assert!(count >= 30, "{count}");
        let elapsed = began.elapsed();
        assert!(elapsed >= limit && elapsed <= limit + BACKOFF.longest, "{elapsed:?}");
    }
}
