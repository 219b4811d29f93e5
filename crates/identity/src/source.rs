//! The source of an attempt to sign in, and the account that it names.

use kernel::fold_email;

use crate::secret::hash_of;

/// Where a sign-in comes from and whom it names.
#[derive(Debug, Clone)]
pub struct Source {
    pub(crate) place: String,
    pub(crate) account: String,
    pub(crate) address: String,
    pub(crate) is_session: bool,
}

const BY_ADDRESS: &str = "address:";

impl Source {
    pub fn new(email: &str, address: &str) -> Self {
        let email = fold_email(email);
        Self {
            place: hash_of(&format!("{email}|{address}")),
            account: format!("account:{}", hash_of(&email)),
            address: format!("{BY_ADDRESS}{address}"),
            is_session: false,
        }
    }

    /// Somebody who is signed in already: whoever has stolen a session guesses no faster, and the owner's own sessions
    /// are not slowed by him.
    pub fn of_session(session: i64, email: &str, address: &str) -> Self {
        Self { place: format!("session:{session}"), is_session: true, ..Self::new(email, address) }
    }

    /// Where the attempt came from.
    pub(crate) fn address(&self) -> &str {
        self.address.strip_prefix(BY_ADDRESS).unwrap_or_default()
    }
}
