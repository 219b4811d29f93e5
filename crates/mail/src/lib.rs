//! Mail: what it says, the outbox in which it waits, and how it leaves the house.

mod entity;
mod letter;
pub mod mailbox;
pub mod outbox;
pub mod transport;

pub use letter::{
    EmailNotice, Ending, FeedChange, FeedFile, FeedNotice, Kind, Mail, Report, Rows, WebhookNotice,
    WebhookPause,
};
