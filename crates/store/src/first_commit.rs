//! Additional statement in the first commit of a request, such that both take effect or neither does.

use std::{cell::Cell, future::Future};

use sea_orm::{DbBackend, Statement};
use values::code::Code;

type Build = Box<dyn Fn(DbBackend) -> Statement>;

struct FirstCommit {
    build: Build,
    /// Error with which the commit is refused if the statement returns no row.
    refusal: Code,
    is_done: Cell<bool>,
}

tokio::task_local! {
    static FIRST_COMMIT: FirstCommit;
}

/// Runs work whose first commit also executes a statement, and is refused if that returns no row. Also
/// returns true if there was such a commit.
pub async fn with<T>(
    build: impl Fn(DbBackend) -> Statement + 'static,
    refusal: Code,
    work: impl Future<Output = T>,
) -> (T, bool) {
    let first = FirstCommit { build: Box::new(build), refusal, is_done: Cell::new(false) };
    let reported = async {
        let done = work.await;
        (done, FIRST_COMMIT.with(|first| first.is_done.get()))
    };
    FIRST_COMMIT.scope(first, reported).await
}

/// Statement for the next commit, and the error if it returns no row.
pub(crate) fn pending(backend: DbBackend) -> Option<(Statement, Code)> {
    let pending =
        |first: &FirstCommit| (!first.is_done.get()).then(|| ((first.build)(backend), first.refusal));
    FIRST_COMMIT.try_with(pending).ok().flatten()
}

/// Marks the statement as committed.
pub(crate) fn committed() {
    // Work without such a statement has nothing to mark.
    let _ = FIRST_COMMIT.try_with(|first| first.is_done.set(true));
}
