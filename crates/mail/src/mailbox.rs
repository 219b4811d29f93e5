//! What the demo has sent last, to be read from the sign-in page. In memory: it goes with the process.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use kernel::Instant;

const KEPT: usize = 20;

/// A mail as its recipient reads it.
#[derive(Debug, Clone)]
pub struct Received {
    pub id: i64,
    pub address: String,
    pub subject: String,
    pub text: String,
    pub received_at: Instant,
}

impl Received {
    /// Where it leads.
    pub fn link(&self) -> Option<&str> {
        self.text.lines().find(|line| line.starts_with("https://") || line.starts_with("http://"))
    }
}

/// The latest mails; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Mailbox(Arc<Mutex<VecDeque<Received>>>);

impl Mailbox {
    pub(crate) fn put(&self, mail: Received) {
        let mut mails = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        mails.retain(|known| known.id != mail.id);
        mails.push_front(mail);
        mails.truncate(KEPT);
    }

    /// The newest first.
    pub fn latest(&self) -> Vec<Received> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
