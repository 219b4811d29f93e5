//! Run of a claimed row: its lease is renewed during the work, and each way to end has a variant of its own.

use std::{future::Future, panic::AssertUnwindSafe, time::Duration};

use futures_util::FutureExt;
use store::Database;
use values::Result;

use crate::{Leased, Panics, ShutdownSignal, lease};

/// The end of a run.
#[derive(Debug)]
pub(crate) enum End<T> {
    Finished(T),
    /// Failure with this word, worth a retry soon.
    Failed(&'static str),
    /// Failure with this word, without a retry.
    GivenUp(&'static str),
    /// The process is ending.
    Interrupted,
    /// The lease has expired: another process may run it.
    Lost,
}

/// Name of a run in the log, its time limit, and the counter of its panics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<'a> {
    pub(crate) name: &'static str,
    pub(crate) limit: Duration,
    pub(crate) panics: &'a Panics,
}

/// Runs `work` under the lease of a row.
pub(crate) async fn run<E: Leased, T>(
    db: &Database,
    row: &E::Model,
    frame: Frame<'_>,
    mut ending: ShutdownSignal,
    work: impl Future<Output = Result<T>>,
) -> End<T> {
    let Frame { name, limit, panics } = frame;
    let work = AssertUnwindSafe(work).catch_unwind();
    tokio::select! {
        biased;
        () = ending.wait() => End::Interrupted,
        outcome = work => match outcome {
            Ok(Ok(outcome)) => End::Finished(outcome),
            Ok(Err(error)) => {
                tracing::warn!(job = name, %error, "a job has failed");
                End::Failed(error.code().as_str())
            }
            Err(_) => {
                panics.count(name);
                tracing::error!(job = name, "a job has panicked");
                End::Failed("panic")
            }
        },
        () = tokio::time::sleep(limit) => {
            tracing::error!(job = name, "a job has taken too long");
            End::Failed("took_too_long")
        }
        () = renew_until_lost::<E>(db, row, name) => End::Lost,
    }
}

/// Renews the lease repeatedly; returns when it could not be renewed in time.
async fn renew_until_lost<E: Leased>(db: &Database, row: &E::Model, name: &'static str) {
    let lease = E::LEASE.to_std().unwrap_or_default();
    let mut renewed = tokio::time::Instant::now();
    while renewed.elapsed() < lease {
        tokio::time::sleep(lease / 4).await;
        match lease::renew::<E>(db, row).await {
            Ok(true) => renewed = tokio::time::Instant::now(),
            Ok(false) => return,
            Err(error) => tracing::debug!(job = name, %error, "a lease cannot be renewed"),
        }
    }
}
