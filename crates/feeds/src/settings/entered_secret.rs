//! A secret as a form sends it. It is neither shown nor serialised: what serialises it sees an empty text.

use secrets::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize, Serializer};

/// A password or a private key that was entered; empty if the stored one is to be removed.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "String")]
pub struct EnteredSecret(SecretString);

impl From<String> for EnteredSecret {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

/// Rules that are broken carry the value of their field; here they carry nothing.
impl Serialize for EnteredSecret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str("")
    }
}

impl EnteredSecret {
    /// True if the secret has no characters.
    pub fn is_empty(&self) -> bool {
        self.0.expose_secret().is_empty()
    }

    /// The secret itself, to be sealed or checked.
    pub fn secret(&self) -> &SecretString {
        &self.0
    }
}
