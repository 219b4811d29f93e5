//! Host keys of SFTP servers: the fingerprint that is shown, pinned and compared.

use std::{fmt, str::FromStr};

use russh::keys::{Algorithm, HashAlg, PublicKey, PublicKeyOrCertificate};

/// The host key of a server, such as `ssh-ed25519 SHA256:…`: its algorithm and the SHA-256 fingerprint that
/// OpenSSH shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostKey {
    algorithm: String,
    fingerprint: String,
}

/// A text that is no host key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAHostKey;

impl HostKey {
    pub(super) fn from_public_key(key: &PublicKey) -> Self {
        let algorithm = plain(key.algorithm()).to_string();
        Self { algorithm, fingerprint: key.fingerprint(HashAlg::Sha256).to_string() }
    }

    pub(super) fn from_presented(presented: &PublicKeyOrCertificate) -> Option<Self> {
        match presented {
            PublicKeyOrCertificate::PublicKey { key, .. } => Some(Self::from_public_key(key)),
            PublicKeyOrCertificate::Certificate(_) => None,
        }
    }

    /// True if this key has the algorithm. A server with several keys is asked for the pinned one.
    pub(super) fn is_of(&self, algorithm: &Algorithm) -> bool {
        plain(algorithm.clone()).to_string() == self.algorithm
    }
}

/// Algorithm without its hash: an RSA key is the same with any hash.
fn plain(algorithm: Algorithm) -> Algorithm {
    match algorithm {
        Algorithm::Rsa { .. } => Algorithm::Rsa { hash: None },
        other => other,
    }
}

impl fmt::Display for HostKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.algorithm, self.fingerprint)
    }
}

impl fmt::Display for NotAHostKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected is a host key like ssh-ed25519 SHA256:…")
    }
}

impl std::error::Error for NotAHostKey {}

impl FromStr for HostKey {
    type Err = NotAHostKey;

    fn from_str(text: &str) -> Result<Self, NotAHostKey> {
        let (algorithm, fingerprint) = text.split_once(' ').ok_or(NotAHostKey)?;
        let algorithm: Algorithm = algorithm.parse().map_err(|_| NotAHostKey)?;
        let digest = fingerprint.strip_prefix("SHA256:").ok_or(NotAHostKey)?;
        let is_base64 = |c: char| c.is_ascii_alphanumeric() || c == '+' || c == '/';
        if digest.len() != 43 || !digest.chars().all(is_base64) {
            return Err(NotAHostKey);
        }
        Ok(Self { algorithm: plain(algorithm).to_string(), fingerprint: fingerprint.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_key_consists_of_an_algorithm_and_a_fingerprint() {
        let digest = "SHA256:uNiVztksCsDhcc0u9e8BrrJXVGDoDl8VPh7wYMRzXfI";
        let text = format!("ssh-ed25519 {digest}");
        assert_eq!(text.parse::<HostKey>().unwrap().to_string(), text);
        assert_eq!(
            format!("rsa-sha2-512 {digest}").parse::<HostKey>().unwrap().to_string(),
            format!("ssh-rsa {digest}")
        );
        for text in [
            "",
            "ssh-ed25519",
            digest,
            "ssh-ed25519 MD5:00:11",
            "ssh-ed25519 SHA256:short",
            &format!("ssh-ed25519 {digest}="),
            &format!("ssh-ed25519 {digest}\r\n"),
            &format!(" ssh-ed25519 {digest}"),
        ] {
            assert_eq!(text.parse::<HostKey>(), Err(NotAHostKey), "{text}");
        }
    }
}
