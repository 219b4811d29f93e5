//! Mails about a changed e-mail address, to the former and the new one.

use minijinja::context;
use values::{Instant, Language};

use super::{template::Letter, utc};

/// Mail about the address of an account.
#[derive(Debug, Clone, Copy)]
pub enum EmailNotice<'a> {
    /// Sent to the former address: the account has another one now; the link undoes that.
    Changed { at: Instant, from: &'a str, to: &'a str, by: Option<&'a str>, undo: &'a str, days: i64 },
    /// Sent to the new address.
    Arrived { at: Instant, from: &'a str, to: &'a str, by: Option<&'a str>, sign_in: &'a str },
    /// Sent to the former address, which belongs to the account again; the page sets a new password.
    Restored { email: &'a str, page: &'a str },
    /// Sent to an address that no longer belongs to the account.
    Dropped { email: &'a str, sign_in: &'a str },
}

impl<'a> EmailNotice<'a> {
    pub(super) fn letter(self, language: Language) -> Letter<'a> {
        match self {
            Self::Changed { at, from, to, by, undo, days } => {
                Letter::new("email_changed", undo, context! { at => utc(at, language), from, to, by, days })
            }
            Self::Arrived { at, from, to, by, sign_in } => {
                Letter::new("email_arrived", sign_in, context! { at => utc(at, language), from, to, by })
            }
            Self::Restored { email, page } => Letter::new("email_restored", page, context! { email }),
            Self::Dropped { email, sign_in } => Letter::new("email_dropped", sign_in, context! { email }),
        }
    }
}
