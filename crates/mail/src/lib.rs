//! Mail: contents, the outbox in which mails wait, and their transport.

mod entity;
mod letter;
pub mod mailbox;
pub mod outbox;
pub mod transport;

pub use letter::{
    EmailNotice, ExpiringToken, FeedChange, FeedFile, FeedNotice, Kind, Mail, Report, Rows, WebhookNotice,
    WebhookPause,
};
