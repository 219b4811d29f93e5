//! Calculations of many carts, on blocking threads so that other requests are not delayed.

use std::time::Duration;

pub(crate) use store::run_blocking;
use tokio::{sync::Semaphore, time::timeout};
use values::{Error, Result};

use crate::codes;

/// Maximum time that a calculation waits for its turn.
const PATIENCE: Duration = Duration::from_secs(8);

/// Limit of parallel calculations, so that processors stay free for other requests.
static TURNS: Semaphore = Semaphore::const_new(AT_ONCE);

const AT_ONCE: usize = 2;

/// Runs a calculation on a blocking thread, waiting for its turn.
///
/// # Errors
/// [`codes::BUSY`] if other calculations take too long.
pub(crate) async fn run_limited<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    let turn = timeout(PATIENCE, TURNS.acquire()).await.map_err(|_| codes::BUSY)?.map_err(Error::internal)?;
    // the permit is released when the work ends, even if the request has been dropped
    run_blocking(move || {
        let _turn = turn;
        work()
    })
    .await
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Takes all permits until the returned value is dropped.
    pub(crate) async fn all_permits() -> tokio::sync::SemaphorePermit<'static> {
        TURNS.acquire_many(u32::try_from(AT_ONCE).unwrap()).await.unwrap()
    }

    #[tokio::test]
    async fn few_calculations_run_in_parallel_and_block_no_other_request() {
        static RUNNING: AtomicUsize = AtomicUsize::new(0);
        static MOST: AtomicUsize = AtomicUsize::new(0);
        let work = || {
            let running = RUNNING.fetch_add(1, Ordering::SeqCst) + 1;
            MOST.fetch_max(running, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(20));
            RUNNING.fetch_sub(1, Ordering::SeqCst);
        };
        let caller = std::thread::current().id();
        assert_ne!(run_blocking(|| std::thread::current().id()).await.unwrap(), caller);
        let all = futures_util::future::join_all((0..8).map(|_| run_limited(work))).await;
        assert!(all.into_iter().all(|one| one.is_ok()));
        assert!(MOST.load(Ordering::SeqCst) <= AT_ONCE);
    }
}
