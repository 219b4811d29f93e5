//! Recording of the statements that a piece of work sends to the database, one round trip each. A test
//! compares their number with a checked-in table, so that an additional statement needs a reason.

use std::{cell::RefCell, future::Future};

tokio::task_local! {
    static SENT: RefCell<Vec<String>>;
}

/// Runs work and returns the statements that it has sent. Statements of other tasks are not recorded.
pub async fn sent_by<T>(work: impl Future<Output = T>) -> (T, Vec<String>) {
    SENT.scope(RefCell::default(), async {
        let outcome = work.await;
        (outcome, SENT.with(RefCell::take))
    })
    .await
}

pub(crate) fn record_statement(sql: &str) {
    // usually no recording is active
    let _ = SENT.try_with(|sent| sent.borrow_mut().push(sql.to_owned()));
}
