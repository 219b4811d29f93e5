//! Mail about a webhook that was paused.

use minijinja::context;

use super::template::Letter;

/// Reason for a pause of a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookPause {
    /// The receiver wants no more events.
    Gone,
    /// The receiver has accepted no event for three days.
    Undeliverable,
}

/// A mail about a webhook.
#[derive(Debug, Clone, Copy)]
pub struct WebhookNotice<'a> {
    /// The receiver.
    pub host: &'a str,
    /// Company of the tenant.
    pub company: &'a str,
    pub pause: WebhookPause,
}

impl<'a> WebhookNotice<'a> {
    pub(super) fn letter(self, page: &'a str) -> Letter<'a> {
        let Self { host, company, pause } = self;
        let pause = match pause {
            WebhookPause::Gone => "gone",
            WebhookPause::Undeliverable => "undeliverable",
        };
        Letter::new("webhook", page, context! { host, company, pause })
    }
}
