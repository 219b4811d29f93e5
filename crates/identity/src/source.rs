//! Sources of sign-in attempts: place, account and address, by which attempts are limited.

use values::fold_email;

use crate::secret::hash_of;

/// Source of a sign-in attempt, and the account that it names.
#[derive(Debug, Clone)]
pub struct Source {
    pub(crate) place: String,
    pub(crate) account: String,
    pub(crate) address: String,
    pub(crate) is_session: bool,
}

const BY_ADDRESS: &str = "address:";

impl Source {
    /// Source of an attempt from an address for the account with an e-mail address.
    pub fn new(email: &str, address: &str) -> Self {
        let email = fold_email(email);
        Self {
            place: hash_of(&format!("{email}|{address}")),
            account: format!("account:{}", hash_of(&email)),
            address: format!("{BY_ADDRESS}{address}"),
            is_session: false,
        }
    }

    /// Source of a user who is signed in already. Its attempts are limited by session, so that the thief of a
    /// session guesses no faster and does not slow down the owner's other sessions.
    pub(crate) fn from_session(session: i64, email: &str, address: &str) -> Self {
        Self { place: format!("session:{session}"), is_session: true, ..Self::new(email, address) }
    }

    /// Address of the client.
    pub(crate) fn address(&self) -> &str {
        self.address.strip_prefix(BY_ADDRESS).unwrap_or_default()
    }
}
