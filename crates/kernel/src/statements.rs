//! The statements that a piece of work sends to the database, one round trip each. A test compares their number with a
//! checked-in table, so that a new one needs a reason.

use std::{cell::RefCell, future::Future};

tokio::task_local! {
    static SENT: RefCell<Vec<String>>;
}

/// Does the work, and says what it has sent. What it hands to other tasks is not seen.
pub async fn sent_by<T>(work: impl Future<Output = T>) -> (T, Vec<String>) {
    SENT.scope(RefCell::default(), async {
        let outcome = work.await;
        (outcome, SENT.with(RefCell::take))
    })
    .await
}

pub(crate) fn sent(sql: &str) {
    // nobody counts, mostly
    let _ = SENT.try_with(|sent| sent.borrow_mut().push(sql.to_owned()));
}
