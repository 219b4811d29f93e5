//! Keys that seal secrets: the current one, and former ones that can still open what they have sealed.

use std::{fmt, io::Read, path::Path, sync::Arc};

use base64::{Engine, engine::general_purpose::STANDARD};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305};
use secrecy::{ExposeSecret, ExposeSecretMut, SecretBox, SecretString};
use sha2::{Digest, Sha256};

/// Length of a key in bytes.
pub const KEY_BYTES: usize = 32;
/// Maximum number of keys; more would mean that rotations were never finished.
const KEYS_MAX: usize = 16;
/// Maximum size of a key file; larger files are something else.
const FILE_BYTES_MAX: u64 = 16 * 1024;
const ID_BYTES: usize = 8;

/// Id of a key in sealed values: derived from the key, so that it cannot name another one by mistake.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyId([u8; ID_BYTES]);

impl KeyId {
    fn from_key(key: &[u8; KEY_BYTES]) -> Self {
        let digest = Sha256::new().chain_update(b"stalhof key id\0").chain_update(key).finalize();
        let mut id = [0; ID_BYTES];
        id.copy_from_slice(digest.split_at(ID_BYTES).0);
        Self(id)
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

/// Key whose memory is overwritten when it is dropped.
pub(crate) struct Key {
    pub(crate) id: KeyId,
    pub(crate) cipher: XChaCha20Poly1305,
}

/// All keys of an installation, current one first. Cheap to clone; debug output contains only the ids.
#[derive(Clone)]
pub struct Keys(Arc<[Key]>);

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|key| format!("{}", key.id))).finish()
    }
}

/// Reason why a list of keys is rejected; quotes nothing of it.
#[derive(Debug)]
pub enum InvalidKeys {
    Unreadable(std::io::Error),
    TooLarge,
    NoKey,
    TooMany,
    /// The key at this position, counted from 1, is not base64.
    NotBase64(usize),
    /// The key at this position has a wrong number of bytes.
    WrongLength(usize, usize),
    /// The key at this position was in the list before.
    Repeated(usize),
}

impl fmt::Display for InvalidKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => write!(f, "the file cannot be read: {error}"),
            Self::TooLarge => write!(f, "the file is larger than {FILE_BYTES_MAX} bytes"),
            Self::NoKey => f.write_str("there is no key in it"),
            Self::TooMany => write!(f, "there are more than {KEYS_MAX} keys in it"),
            Self::NotBase64(number) => write!(f, "key {number} is not base64"),
            Self::WrongLength(number, bytes) => {
                write!(f, "key {number} has {bytes} bytes, {KEY_BYTES} are expected")
            }
            Self::Repeated(number) => write!(f, "key {number} is there twice"),
        }
    }
}

impl std::error::Error for InvalidKeys {}

impl Keys {
    /// Creates an empty list, which can neither seal nor open.
    pub fn none() -> Self {
        Self(Arc::default())
    }

    /// Reads keys in base64, separated by white space or commas: the current one first, then former ones.
    /// Lines that begin with `#` are comments.
    pub fn from_text(text: &SecretString) -> Result<Self, InvalidKeys> {
        let lines = text.expose_secret().lines().filter(|line| !line.trim_start().starts_with('#'));
        let words =
            lines.flat_map(|line| line.split([',', ' ', '\t'])).filter(|word| !word.trim().is_empty());
        let mut keys: Vec<Key> = Vec::new();
        for (number, word) in (1..).zip(words) {
            if number > KEYS_MAX {
                return Err(InvalidKeys::TooMany);
            }
            let key = decode(number, word.trim())?;
            let id = KeyId::from_key(key.expose_secret());
            if keys.iter().any(|key| key.id == id) {
                return Err(InvalidKeys::Repeated(number));
            }
            keys.push(Key { id, cipher: XChaCha20Poly1305::new(key.expose_secret().into()) });
        }
        if keys.is_empty() { Err(InvalidKeys::NoKey) } else { Ok(Self(keys.into())) }
    }

    /// Reads keys from a file, as [`Keys::from_text`] does.
    pub fn from_file(path: &Path) -> Result<Self, InvalidKeys> {
        let mut text = String::new();
        let file = std::fs::File::open(path).map_err(InvalidKeys::Unreadable)?;
        let read = file.take(FILE_BYTES_MAX + 1).read_to_string(&mut text);
        let text = SecretString::from(text);
        match read {
            Ok(length) if length as u64 > FILE_BYTES_MAX => Err(InvalidKeys::TooLarge),
            Ok(_) => Self::from_text(&text),
            Err(error) => Err(InvalidKeys::Unreadable(error)),
        }
    }

    /// True if secrets can be sealed.
    pub fn is_configured(&self) -> bool {
        !self.0.is_empty()
    }

    pub(crate) fn current(&self) -> Option<&Key> {
        self.0.first()
    }

    pub(crate) fn find(&self, id: &str) -> Option<&Key> {
        self.0.iter().find(|key| key.id.to_string() == id)
    }
}

fn decode(number: usize, word: &str) -> Result<SecretBox<[u8; KEY_BYTES]>, InvalidKeys> {
    let bytes = STANDARD.decode(word).map_err(|_| InvalidKeys::NotBase64(number))?;
    let bytes: SecretBox<[u8]> = bytes.into_boxed_slice().into();
    let mut key = SecretBox::new(Box::new([0; KEY_BYTES]));
    if bytes.expose_secret().len() != KEY_BYTES {
        return Err(InvalidKeys::WrongLength(number, bytes.expose_secret().len()));
    }
    key.expose_secret_mut().copy_from_slice(bytes.expose_secret());
    Ok(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: &str = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    const SECOND: &str = "/////////////////////////////////////////v8=";

    fn keys(text: &str) -> Result<Keys, String> {
        Keys::from_text(&text.into()).map_err(|error| error.to_string())
    }

    #[test]
    fn keys_are_read_from_lines_and_lists_and_the_first_is_current() {
        for text in [
            format!("{FIRST}\n{SECOND}\n"),
            format!("# current\r\n{FIRST}\r\n\r\n# former\r\n{SECOND}"),
            format!("{FIRST},{SECOND}"),
            format!("  {FIRST} {SECOND} "),
        ] {
            let keys = keys(&text).unwrap();
            let first = KeyId::from_key(&std::array::from_fn(|place| u8::try_from(place).unwrap()));
            assert_eq!((keys.0.len(), keys.current().unwrap().id.to_string()), (2, first.to_string()));
            assert!(keys.is_configured());
        }
        assert!(!Keys::none().is_configured());
    }

    #[test]
    fn invalid_key_lists_are_refused_with_the_reason_and_without_their_text() {
        let short = STANDARD.encode([7; 16]);
        let long = STANDARD.encode([7; 64]);
        let many: Vec<_> = (0..17).map(|byte| STANDARD.encode([byte; KEY_BYTES])).collect();
        for (text, expected) in [
            (String::new(), "there is no key in it"),
            ("# nothing but a comment\n".to_owned(), "there is no key in it"),
            (short, "key 1 has 16 bytes, 32 are expected"),
            (format!("{FIRST}\n{long}"), "key 2 has 64 bytes, 32 are expected"),
            (format!("{FIRST}\ngeheim!"), "key 2 is not base64"),
            (format!("{FIRST}\n{SECOND}\n{FIRST}"), "key 3 is there twice"),
            (many.join("\n"), "there are more than 16 keys in it"),
        ] {
            assert_eq!(keys(&text).unwrap_err(), expected);
        }
    }

    #[test]
    fn a_key_file_is_read_and_a_missing_or_too_large_one_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("keys");
        let refused = || Keys::from_file(&path).unwrap_err().to_string();
        assert!(refused().starts_with("the file cannot be read: "), "{}", refused());
        std::fs::write(&path, [0xff; 44]).unwrap();
        assert!(refused().starts_with("the file cannot be read: "), "{}", refused());
        std::fs::write(&path, "#".repeat(20_000)).unwrap();
        assert_eq!(refused(), "the file is larger than 16384 bytes");
        std::fs::write(&path, FIRST).unwrap();
        assert!(Keys::from_file(&path).unwrap().is_configured());
    }

    #[test]
    fn only_the_ids_of_keys_are_printed() {
        let text = format!("{:?}", keys(FIRST).unwrap());
        assert!(text.len() < 25 && !text.contains("AAEC") && !text.contains("0, 1, 2"), "{text}");
    }
}
