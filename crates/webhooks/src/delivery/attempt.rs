//! The log of a delivery: its attempts.

use sea_orm::FromJsonQueryResult;
use serde::{Deserialize, Serialize};
use values::{Instant, Message};

/// Maximum number of stored attempts; older ones are deleted.
const ATTEMPTS_KEPT: usize = 50;

/// An attempt to deliver an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryAttempt {
    pub at: Instant,
    /// The status of the answer, if there was one.
    pub status: Option<u16>,
    pub duration_ms: i64,
    /// The reason for a failure.
    pub failure: Option<Message>,
    /// True if a user asked for it.
    pub by_hand: bool,
}

/// Attempts as the database holds them, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, FromJsonQueryResult)]
pub struct Attempts(pub Vec<DeliveryAttempt>);

impl Attempts {
    #[must_use]
    pub(crate) fn with(mut self, attempt: DeliveryAttempt) -> Self {
        let excess = (self.0.len() + 1).saturating_sub(ATTEMPTS_KEPT);
        self.0.drain(..excess);
        self.0.push(attempt);
        self
    }
}
