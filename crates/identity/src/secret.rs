//! Random secrets of 256 bits. Only their hash is stored.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use kernel::{Error, Result};
use sha2::{Digest, Sha256};

/// A secret as it is handed out, and the hash under which it is found again.
#[derive(Debug)]
pub struct Secret {
    pub text: String,
    pub hash: String,
}

/// Characters behind the prefix: 32 bytes in base64.
const LENGTH: usize = 43;

impl Secret {
    /// A fresh secret; the prefix says what it is for (`ses_`, `lnk_`).
    pub fn new(prefix: &str) -> Result<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(Error::internal)?;
        let text = format!("{prefix}{}", BASE64_URL_SAFE_NO_PAD.encode(bytes));
        Ok(Self { hash: hash_of(&text), text })
    }
}

/// A name that cannot be guessed, for what must not be counted through.
pub(crate) fn public_id() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// The hash of a presented secret; `None` when it cannot be one, so that no database is asked.
pub fn presented(prefix: &str, text: &str) -> Option<String> {
    let random = text.strip_prefix(prefix)?;
    let well_formed = random.len() == LENGTH
        && random.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    well_formed.then(|| hash_of(text))
}

/// A hash that fits a column and tells nothing.
pub(crate) fn hash_of(text: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_by_its_hash_and_nothing_else_is_looked_up() {
        let secret = Secret::new("ses_").unwrap();
        assert_eq!(presented("ses_", &secret.text), Some(secret.hash.clone()));
        assert_ne!(Secret::new("ses_").unwrap().text, secret.text);
        for text in [
            "",
            "ses_",
            "lnk_",
            &secret.text.replace("ses_", "lnk_"),
            &format!("{}x", secret.text),
            "ses_'; drop table session; --aaaaaaaaaaaaaaaaa",
        ] {
            assert_eq!(presented("ses_", text), None, "{text}");
        }
    }
}
