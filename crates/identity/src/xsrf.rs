//! XSRF tokens, which a browser repeats to prove that a call comes from our page. Only the server can create
//! them: a token contains a code of its session under a server key, or a random value before the sign-in, and
//! a second code that proves its origin. It is valid for this one session, in every process, and after a
//! restart.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use store::Database;
use values::{Error, Result};

use crate::{
    secret::{self, Secret},
    server_key, session,
};

const PURPOSE: &str = "xsrf";

/// Key that the tokens are signed with.
#[derive(Clone)]
pub struct XsrfKey(Hmac<Sha256>);

impl std::fmt::Debug for XsrfKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("XsrfKey").finish_non_exhaustive()
    }
}

impl XsrfKey {
    /// Loads the key of this database, and creates it on first use.
    pub async fn load(db: &Database) -> Result<Self> {
        if let Some(key) = server_key::find(db, PURPOSE).await? {
            return Self::new(key.as_bytes());
        }
        let tx = db.begin().await?;
        let key = server_key::find_or_create(&tx, PURPOSE, Secret::new("")?.text).await?;
        tx.commit().await?;
        Self::new(key.as_bytes())
    }

    fn new(key: &[u8]) -> Result<Self> {
        Ok(Self(Hmac::new_from_slice(key).map_err(Error::internal)?))
    }

    /// Returns the XSRF token for the session of this bearer token, or a random one if there is no session.
    pub fn value(&self, token: Option<&str>) -> Result<String> {
        let name = match token.and_then(session_subject) {
            Some(session) => self.code(&session),
            None => Secret::new("")?.text,
        };
        let code = self.code(&server_subject(&name));
        Ok(format!("{name}.{code}"))
    }

    /// True if the XSRF token belongs to the session of this bearer token. Without a session any token of the
    /// server is accepted, because such a call acts for no user.
    pub fn confirms(&self, token: Option<&str>, value: &str) -> bool {
        let Some((name, code)) = value.split_once('.') else { return false };
        let is_own = |session: String| self.is_code(&session, name);
        self.is_code(&server_subject(name), code) && token.and_then(session_subject).is_none_or(is_own)
    }

    fn code(&self, subject: &str) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(self.mac(subject).finalize().into_bytes())
    }

    fn is_code(&self, subject: &str, code: &str) -> bool {
        BASE64_URL_SAFE_NO_PAD.decode(code).is_ok_and(|code| self.mac(subject).verify_slice(&code).is_ok())
    }

    fn mac(&self, subject: &str) -> Hmac<Sha256> {
        let mut mac = self.0.clone();
        mac.update(subject.as_bytes());
        mac
    }
}

/// Text that stands for a session; not checked for its existence here.
fn session_subject(token: &str) -> Option<String> {
    Some(format!("session:{}", secret::presented(session::PREFIX, token)?))
}

fn server_subject(name: &str) -> String {
    format!("server:{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_invalid_for_other_sessions_and_other_keys() {
        let (key, other) = (XsrfKey::new(b"one").unwrap(), XsrfKey::new(b"two").unwrap());
        let tokens = [Secret::new(session::PREFIX).unwrap().text, Secret::new(session::PREFIX).unwrap().text];
        let [mine, theirs] = tokens.each_ref().map(|token| Some(token.as_str()));
        let nobody = key.value(None).unwrap();
        for (token, value) in [(mine, key.value(mine).unwrap()), (None, nobody.clone())] {
            assert!(key.confirms(token, &value) && key.confirms(None, &value));
            assert!(!other.confirms(token, &value) && !key.confirms(theirs, &value));
            let (name, code) = value.split_once('.').unwrap();
            let forged =
                [name, code, &format!("{name}.{name}"), &format!("{code}.{code}"), &format!(".{code}")];
            for forged in forged.into_iter().chain(["", ".", "x"]) {
                assert!(!key.confirms(token, forged) && !key.confirms(None, forged), "{forged}");
            }
        }
        assert!(!key.confirms(mine, &nobody));
        assert_ne!(nobody, key.value(None).unwrap());
        assert_eq!(key.value(mine).unwrap(), key.value(mine).unwrap());
    }

    #[tokio::test]
    async fn all_processes_share_one_key() {
        let db = testkit::database().await;
        let token = Secret::new(session::PREFIX).unwrap().text;
        let mut values = Vec::new();
        for key in futures_util::future::join_all((0..5).map(|_| XsrfKey::load(&db))).await {
            values.push(key.unwrap().value(Some(&token)).unwrap());
        }
        values.dedup();
        assert_eq!(values.len(), 1);
    }
}
