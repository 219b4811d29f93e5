//! Random secrets of 256 bits, followed by a checksum. Only their hash is stored.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use values::{Error, Result};

/// Secret as it is handed out, and the hash by which it is found.
#[derive(Debug)]
pub struct Secret {
    pub text: String,
    pub hash: String,
}

/// Letters and digits only, so that a double click selects the whole secret.
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Number of random characters after the prefix: 62^43 > 2^256.
const RANDOM: usize = 43;

/// Number of characters of the checksum: 62^6 > 2^32. It only detects typing errors and lets scanners
/// recognise a secret.
const CHECKSUM: usize = 6;

impl Secret {
    /// Creates a secret; the prefix names its purpose (`ses_`, `pat_`, `lnk_`).
    pub fn new(prefix: &str) -> Result<Self> {
        let random = format!("{prefix}{}", random()?);
        let text = format!("{random}{}", checksum(&random));
        Ok(Self { hash: hash_of(&text), text })
    }
}

/// Creates an id that cannot be guessed, for records that must not be enumerable.
pub(crate) fn public_id() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// Hash of a presented secret; `None` if it is malformed, which saves a query.
pub fn presented(prefix: &str, text: &str) -> Option<String> {
    let behind = text.strip_prefix(prefix)?;
    let possible =
        behind.len() == RANDOM + CHECKSUM && behind.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let (random, end) = possible.then(|| text.split_at(text.len() - CHECKSUM))?;
    (checksum(random) == end).then(|| hash_of(text))
}

fn random() -> Result<String> {
    let mut text = String::with_capacity(RANDOM);
    while text.len() < RANDOM {
        let mut bytes = [0; RANDOM];
        getrandom::fill(&mut bytes).map_err(Error::internal)?;
        // Four times the alphabet, so that every character is equally likely.
        let usable = bytes.into_iter().map(usize::from).filter(|byte| *byte < 4 * ALPHABET.len());
        text.extend(usable.take(RANDOM - text.len()).map(letter));
    }
    Ok(text)
}

/// CRC-32 in letters and digits, as in the tokens of well-known code hosts.
fn checksum(text: &str) -> String {
    let mut rest = crc32fast::hash(text.as_bytes()) as usize;
    let mut letters = [' '; CHECKSUM];
    for place in letters.iter_mut().rev() {
        *place = letter(rest);
        rest /= ALPHABET.len();
    }
    letters.iter().collect()
}

fn letter(number: usize) -> char {
    ALPHABET.iter().copied().nth(number % ALPHABET.len()).map(char::from).unwrap_or_default()
}

/// Hash that fits a column and does not reveal the text.
pub(crate) fn hash_of(text: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn secrets_are_looked_up_by_hash_and_malformed_texts_are_not() {
        let secret = Secret::new("ses_").unwrap();
        assert_eq!(presented("ses_", &secret.text), Some(secret.hash.clone()));
        assert_ne!(Secret::new("ses_").unwrap().text, secret.text);
        for text in [
            "",
            "ses_",
            "lnk_",
            &secret.text.replace("ses_", "lnk_"),
            &format!("{}x", secret.text),
            &secret.text[..secret.text.len() - 1],
            &format!("ses_{}", "ä".repeat(24)),
            "ses_'; drop table session; --aaaaaaaaaaaaaaaaaaaaaaaa",
        ] {
            assert_eq!(presented("ses_", text), None, "{text}");
        }
    }

    #[test]
    fn every_single_wrong_character_is_detected() {
        let text = Secret::new("pat_").unwrap().text;
        for position in "pat_".len()..text.len() {
            let mut mangled = text.clone().into_bytes();
            mangled[position] = if mangled[position] == b'x' { b'y' } else { b'x' };
            let mangled = String::from_utf8(mangled).unwrap();
            assert_eq!(presented("pat_", &mangled), None, "{mangled} for {text}");
        }
    }

    #[test]
    fn the_checksum_matches_the_published_crc_32() {
        // CRC-32 of the check string is 0xCBF43926.
        assert_eq!(checksum("123456789"), "3jZRME");
        assert_eq!(checksum(""), "000000");
    }

    #[test]
    fn random_texts_use_the_whole_alphabet() {
        let characters: HashSet<char> =
            (0..50).flat_map(|_| random().unwrap().chars().collect::<Vec<_>>()).collect();
        assert_eq!(characters.len(), ALPHABET.len());
    }
}
