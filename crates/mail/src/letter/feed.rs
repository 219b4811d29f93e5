//! Mails about a feed that brings no file, and about its recovery.

use minijinja::{Value, context};
use values::{Instant, Language, local_time_in, time_zone};

use super::{day_format, template::Letter};

/// The kind of file that a feed brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedFile {
    Price,
    Stock,
}

/// A change in the state of a feed.
#[derive(Debug, Clone, Copy)]
pub enum FeedChange<'a> {
    /// A file was expected by this moment and has not come.
    Late { expected: Instant },
    /// Files cannot be fetched or imported, in the reader's language.
    Broken { reason: &'a str },
    /// Files come again, after an incident that began at this moment.
    Recovered { since: Instant },
}

/// A mail about a feed.
#[derive(Debug, Clone, Copy)]
pub struct FeedNotice<'a> {
    pub file: FeedFile,
    /// The server that the file comes from.
    pub host: &'a str,
    /// Company of the tenant.
    pub company: &'a str,
    pub change: FeedChange<'a>,
}

/// Day and time of a moment in the server's time zone, as templates show it.
fn local(at: Instant, language: Language) -> Value {
    let at = local_time_in(time_zone(), &at);
    context! { day => at.format(day_format(language)).to_string(), time => at.format("%H:%M").to_string() }
}

impl<'a> FeedNotice<'a> {
    pub(super) fn letter(self, page: &'a str, language: Language) -> Letter<'a> {
        let Self { file, host, company, change } = self;
        let file = match file {
            FeedFile::Price => "price",
            FeedFile::Stock => "stock",
        };
        let change = match change {
            FeedChange::Late { expected } => context! { change => "late", at => local(expected, language) },
            FeedChange::Broken { reason } => context! { change => "broken", reason },
            FeedChange::Recovered { since } => {
                context! { change => "recovered", at => local(since, language) }
            }
        };
        Letter::new("feed", page, context! { file, host, company, ..change })
    }
}
