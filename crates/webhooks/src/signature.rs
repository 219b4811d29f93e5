//! Signatures according to Standard Webhooks: HMAC-SHA256 over id, timestamp and body, with a secret that
//! begins with `whsec_`.

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use secrets::{ExposeSecret, SecretString};
use sha2::Sha256;

/// Prefix of every secret.
const PREFIX: &str = "whsec_";
const SECRET_BYTES: usize = 32;

/// Generates a secret.
pub fn generate_secret() -> SecretString {
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes).expect("the system has randomness");
    format!("{PREFIX}{}", STANDARD.encode(bytes)).into()
}

/// Signature of a message: `v1,` and the code in base64. `None` if the secret is malformed.
pub fn sign(secret: &SecretString, id: &str, timestamp: i64, body: &str) -> Option<String> {
    let key = STANDARD.decode(secret.expose_secret().strip_prefix(PREFIX)?).ok()?;
    let mut code = Hmac::<Sha256>::new_from_slice(&key).ok()?;
    code.update(format!("{id}.{timestamp}.{body}").as_bytes());
    Some(format!("v1,{}", STANDARD.encode(code.finalize().into_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Example of the specification and its libraries.
    #[test]
    fn the_published_example_has_the_published_signature() {
        let secret = SecretString::from("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".to_owned());
        let body = r#"{"test": 2432232314}"#;
        assert_eq!(
            sign(&secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, body).as_deref(),
            Some("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
        );
        assert_eq!(sign(&"geheim".to_owned().into(), "msg_1", 1, body), None);
    }

    #[test]
    fn generated_secrets_are_unique_and_usable() {
        let (one, other) = (generate_secret(), generate_secret());
        assert_ne!(one.expose_secret(), other.expose_secret());
        assert_eq!(one.expose_secret().len(), PREFIX.len() + 44);
        assert!(sign(&one, "msg_1", 1, "{}").is_some());
    }
}
