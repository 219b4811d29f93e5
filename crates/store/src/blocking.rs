//! CPU-bound work on threads of its own, so that it does not block the async runtime.

use values::error::{Error, Result};

/// Runs CPU-bound work on a blocking thread, so that the threads that serve requests stay free.
pub async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(Error::internal)
}
