//! Latest mails of the demo, readable from the sign-in page. In memory only, so they are lost when the
//! process ends.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use values::Instant;

const KEPT: usize = 20;

/// Mail as its recipient reads it.
#[derive(Debug, Clone)]
pub struct ReceivedMail {
    pub id: i64,
    pub address: String,
    pub subject: String,
    pub text: String,
    pub received_at: Instant,
}

impl ReceivedMail {
    /// First link in the text.
    pub fn link(&self) -> Option<&str> {
        self.text.lines().find(|line| line.starts_with("https://") || line.starts_with("http://"))
    }
}

/// Latest mails; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Mailbox(Arc<Mutex<VecDeque<ReceivedMail>>>);

impl Mailbox {
    pub(crate) fn put(&self, mail: ReceivedMail) {
        let mut mails = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        mails.retain(|existing| existing.id != mail.id);
        mails.push_front(mail);
        mails.truncate(KEPT);
    }

    /// Latest mails, newest first.
    pub fn latest(&self) -> Vec<ReceivedMail> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
