//! A statement that the first commit of a request executes besides its own: neither is there without the other.

use std::{cell::Cell, future::Future};

use sea_orm::{DbBackend, Statement};

use crate::code::Code;

type Build = Box<dyn Fn(DbBackend) -> Statement>;

struct FirstCommit {
    build: Build,
    /// The refusal of the commit where the statement returns no row.
    refusal: Code,
    is_done: Cell<bool>,
}

tokio::task_local! {
    static FIRST_COMMIT: FirstCommit;
}

/// Carries out work whose first commit also executes a statement, and is refused where that returns no row. Also returns true if
/// there was such a commit.
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

/// The statement that the next commit executes, and the refusal of the commit where it returns no row.
pub(crate) fn pending(backend: DbBackend) -> Option<(Statement, Code)> {
    let pending =
        |first: &FirstCommit| (!first.is_done.get()).then(|| ((first.build)(backend), first.refusal));
    FIRST_COMMIT.try_with(pending).ok().flatten()
}

/// Notes that the transaction is committed.
pub(crate) fn committed() {
    // Work without such a statement has nothing to note.
    let _ = FIRST_COMMIT.try_with(|first| first.is_done.set(true));
}
