//! Work that keeps a processor busy, on threads on which it keeps nobody waiting.

use crate::error::{Error, Result};

/// Runs work on a thread of its own, so that the threads that serve everybody's requests go on.
pub async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)
}
