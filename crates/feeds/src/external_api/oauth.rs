//! OAuth2 tokens by client credentials, cached in memory until they expire.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use secrets::{ExposeSecret, SecretString};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::time::Instant;
use values::TenantId;

use super::target::ClientCredentials;

/// Tokens that the server issues are fetched again this long before they expire.
const EXPIRY_MARGIN: Duration = Duration::from_secs(10);
/// Lifetime of a token if the server does not specify one.
const LIFETIME: Duration = Duration::from_mins(5);
/// The longest lifetime that is believed.
const LIFETIME_MAX: Duration = Duration::from_hours(24);
/// The longest token: one header.
const TOKEN_MAX: usize = 16 * 1024;

/// Hash of a tenant, their credentials and all parameters of the token request.
type TokenKey = [u8; 32];

/// The tokens of this process.
#[derive(Debug, Default)]
pub struct TokenCache(Mutex<HashMap<TokenKey, CachedToken>>);

#[derive(Debug, Clone)]
struct CachedToken {
    token: SecretString,
    expires_at: Instant,
}

/// The answer of a token server (RFC 6749, section 5.1).
#[derive(Deserialize)]
struct TokenAnswer {
    access_token: String,
    #[serde(default)]
    token_type: Option<String>,
    #[serde(default)]
    expires_in: Option<u64>,
}

impl TokenCache {
    /// A token that has not expired.
    pub(super) fn get(&self, key: &TokenKey) -> Option<SecretString> {
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tokens.retain(|_, token| token.expires_at > Instant::now());
        tokens.get(key).map(|token| token.token.clone())
    }

    /// Removes a rejected token from the cache, unless another call has renewed it meanwhile.
    pub(super) fn forget(&self, key: &TokenKey, refused: &SecretString) {
        let mut tokens = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tokens.get(key).is_some_and(|token| token.token.expose_secret() == refused.expose_secret()) {
            tokens.remove(key);
        }
    }

    fn put(&self, key: TokenKey, token: CachedToken) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, token);
    }

    /// Caches the token of an answer, and returns it; `None` if the answer contains no usable one.
    pub(super) fn store_answer(&self, key: TokenKey, body: &[u8]) -> Option<SecretString> {
        let answer: TokenAnswer = serde_json::from_slice(body).ok()?;
        let is_bearer = answer.token_type.is_none_or(|kind| kind.eq_ignore_ascii_case("bearer"));
        let is_header = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_bearer || answer.access_token.len() > TOKEN_MAX || !is_header(&answer.access_token) {
            return None;
        }
        let lifetime = answer.expires_in.map_or(LIFETIME, Duration::from_secs).min(LIFETIME_MAX);
        let token = SecretString::from(answer.access_token);
        let expires_at = Instant::now() + lifetime.saturating_sub(EXPIRY_MARGIN);
        self.put(key, CachedToken { token: token.clone(), expires_at });
        Some(token)
    }
}

/// The key of the tokens that these credentials are issued.
pub(super) fn token_key(tenant: TenantId, credentials: &ClientCredentials) -> TokenKey {
    let mut hash = Sha256::new();
    let tenant = tenant.0.to_string();
    let scope = credentials.scope.as_deref().unwrap_or_default();
    let secret = credentials.client_secret.expose_secret();
    for part in [&tenant, credentials.token_url.as_str(), &credentials.client_id, scope, secret] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_token_is_kept_until_shortly_before_it_expires() {
        let tokens = TokenCache::default();
        let stored =
            tokens.store_answer([1; 32], br#"{"access_token":"abc","token_type":"Bearer","expires_in":60}"#);
        assert_eq!(stored.unwrap().expose_secret(), "abc");
        assert!(tokens.get(&[1; 32]).is_some() && tokens.get(&[2; 32]).is_none());
        tokio::time::advance(Duration::from_secs(51)).await;
        assert!(tokens.get(&[1; 32]).is_none());
    }

    #[tokio::test]
    async fn a_refused_token_is_forgotten_but_not_its_successor() {
        let tokens = TokenCache::default();
        let old = tokens.store_answer([1; 32], br#"{"access_token":"old"}"#).unwrap();
        tokens.store_answer([1; 32], br#"{"access_token":"new"}"#).unwrap();
        tokens.forget(&[1; 32], &old);
        let new = tokens.get(&[1; 32]).unwrap();
        assert_eq!(new.expose_secret(), "new");
        tokens.forget(&[1; 32], &new);
        assert!(tokens.get(&[1; 32]).is_none());
    }

    #[test]
    fn answers_without_a_usable_token_are_refused() {
        for body in [
            &b""[..],
            b"{}",
            br#"{"access_token":""}"#,
            br#"{"access_token":"a b"}"#,
            br#"{"access_token":"a\r\nX: y"}"#,
            br#"{"access_token":"a","token_type":"mac"}"#,
            br#"{"error":"invalid_client"}"#,
        ] {
            assert!(TokenCache::default().store_answer([1; 32], body).is_none());
        }
    }
}
