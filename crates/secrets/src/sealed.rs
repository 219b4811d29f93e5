//! Sealed values: `v1.<key id>.<nonce and ciphertext>`, which can be opened only in the cell that they were
//! sealed for.

use std::fmt;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chacha20poly1305::{
    XNonce,
    aead::{Aead, Payload},
};
use sea_orm::DeriveValueType;
use secrecy::{ExposeSecret, SecretString};
use values::{Code, Error};

use crate::{
    Keys, codes,
    keys::{Key, KeyId},
};

const VERSION: &str = "v1";
const NONCE_BYTES: usize = 24;

/// Column of sealed values; its name ends in `_sealed`, and its table has an `id`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SealedColumn {
    pub table: &'static str,
    pub column: &'static str,
}

impl SealedColumn {
    /// Returns the cell of a row.
    pub const fn cell(self, row: i64) -> Cell {
        Cell { column: self, row }
    }
}

impl fmt::Display for SealedColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.table, self.column)
    }
}

/// Place in the database with a sealed value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    column: SealedColumn,
    row: i64,
}

impl Cell {
    /// Associated data: place and key, each preceded by its length, so that no two places give the same
    /// bytes.
    fn associated_data(self, key: KeyId) -> Vec<u8> {
        let mut data = Vec::new();
        let key = key.to_string();
        for part in [VERSION, &key, self.column.table, self.column.column] {
            data.extend((part.len() as u64).to_be_bytes());
            data.extend(part.as_bytes());
        }
        data.extend(self.row.to_be_bytes());
        data
    }
}

/// Secret as the database stores it. It is neither shown nor serialised.
#[derive(Clone, PartialEq, Eq, DeriveValueType)]
pub struct SealedValue(String);

impl fmt::Debug for SealedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedValue")
    }
}

/// Reason why a secret can be neither sealed nor opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The installation has no key.
    NoKey,
    /// The key that sealed it is not in the list.
    KeyUnknown,
    /// The value was changed, or belongs to another cell.
    Damaged,
}

impl From<Failure> for Code {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NoKey => codes::SECRET_KEY_MISSING,
            Failure::KeyUnknown => codes::SECRET_KEY_UNKNOWN,
            Failure::Damaged => codes::SECRET_DAMAGED,
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Code::from(failure).into()
    }
}

impl SealedValue {
    /// Splits off the id of the key.
    fn parts(&self) -> Result<(&str, &str), Failure> {
        let rest = self.0.strip_prefix(VERSION).and_then(|rest| rest.strip_prefix('.'));
        rest.and_then(|rest| rest.split_once('.')).ok_or(Failure::Damaged)
    }

    /// True if this key has sealed it.
    pub(crate) fn is_under(&self, key: &Key) -> bool {
        self.parts().is_ok_and(|(id, _)| id == key.id.to_string())
    }
}

impl Keys {
    /// Seals a secret for a cell, under the current key.
    pub fn seal(&self, cell: Cell, secret: &SecretString) -> Result<SealedValue, Failure> {
        let key = self.current().ok_or(Failure::NoKey)?;
        let mut nonce = [0; NONCE_BYTES];
        getrandom::fill(&mut nonce).expect("the system has randomness");
        let payload = Payload { msg: secret.expose_secret().as_bytes(), aad: &cell.associated_data(key.id) };
        let ciphertext = key.cipher.encrypt(&XNonce::from(nonce), payload).map_err(|_| Failure::Damaged)?;
        let sealed = URL_SAFE_NO_PAD.encode([nonce.as_slice(), &ciphertext].concat());
        Ok(SealedValue(format!("{VERSION}.{}.{sealed}", key.id)))
    }

    /// Opens the secret of a cell with the key that has sealed it.
    pub fn open(&self, cell: Cell, sealed: &SealedValue) -> Result<SecretString, Failure> {
        if !self.is_configured() {
            return Err(Failure::NoKey);
        }
        let (id, text) = sealed.parts()?;
        let key = self.find(id).ok_or(Failure::KeyUnknown)?;
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| Failure::Damaged)?;
        let (nonce, msg) = bytes.split_first_chunk::<NONCE_BYTES>().ok_or(Failure::Damaged)?;
        let payload = Payload { msg, aad: &cell.associated_data(key.id) };
        let secret = key.cipher.decrypt(&XNonce::from(*nonce), payload).map_err(|_| Failure::Damaged)?;
        String::from_utf8(secret).map(SecretString::from).map_err(|_| Failure::Damaged)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use base64::engine::general_purpose::STANDARD;
    use proptest::prelude::*;
    use values::Language;

    use super::*;

    pub(crate) const PASSWORD: SealedColumn = SealedColumn { table: "feed", column: "password_sealed" };

    /// Keys made of these bytes, the current one first.
    pub(crate) fn keys(bytes: &[u8]) -> Keys {
        let text: Vec<_> = bytes.iter().map(|byte| STANDARD.encode([*byte; 32])).collect();
        Keys::from_text(&text.join("\n").into()).unwrap()
    }

    pub(crate) fn opened(keys: &Keys, cell: Cell, sealed: &SealedValue) -> Result<String, Failure> {
        keys.open(cell, sealed).map(|secret| secret.expose_secret().to_owned())
    }

    pub(crate) fn text(sealed: &SealedValue) -> &str {
        &sealed.0
    }

    proptest! {
        #[test]
        fn a_secret_opens_in_its_own_cell_and_in_no_other(secret in ".{0,200}", row in 0_i64.., other in 0_i64..) {
            let keys = keys(&[1]);
            let sealed = keys.seal(PASSWORD.cell(row), &secret.as_str().into()).unwrap();
            prop_assert_eq!(opened(&keys, PASSWORD.cell(row), &sealed), Ok(secret.clone()));
            if secret.len() > 2 {
                prop_assert!(!text(&sealed).contains(&secret));
            }
            let column = |table, column| SealedColumn { table, column }.cell(row);
            for cell in [
                PASSWORD.cell(row.wrapping_add(1)),
                PASSWORD.cell(if other == row { row ^ 1 } else { other }),
                column("feed", "key_sealed"),
                column("feedp", "assword_sealed"),
                column("external_api", "password_sealed"),
            ] {
                prop_assert_eq!(opened(&keys, cell, &sealed), Err(Failure::Damaged));
            }
        }

        #[test]
        fn a_sealed_value_with_a_flipped_bit_does_not_open(place: prop::sample::Index, bit in 0_u8..8) {
            let keys = keys(&[1]);
            let sealed = keys.seal(PASSWORD.cell(7), &"geheim".into()).unwrap();
            let mut bytes = text(&sealed).as_bytes().to_vec();
            let place = place.index(bytes.len());
            bytes[place] ^= 1 << bit;
            let changed = SealedValue(String::from_utf8_lossy(&bytes).into_owned());
            let outcome = opened(&keys, PASSWORD.cell(7), &changed);
            prop_assert!(matches!(outcome, Err(Failure::Damaged | Failure::KeyUnknown)), "{outcome:?}");
        }
    }

    #[test]
    fn truncated_and_malformed_values_are_reported_as_damaged() {
        let keys = keys(&[1]);
        let sealed = keys.seal(PASSWORD.cell(7), &"geheim".into()).unwrap();
        let whole = text(&sealed);
        let (head, _) = whole.rsplit_once('.').unwrap();
        for broken in
            ["", "v1", "v1.", "geheim", "v2.x.y", &whole[..whole.len() - 1], &whole[1..], &format!("{head}.")]
        {
            assert_eq!(
                opened(&keys, PASSWORD.cell(7), &SealedValue(broken.to_owned())),
                Err(Failure::Damaged),
                "{broken}"
            );
        }
    }

    #[test]
    fn the_same_secret_is_sealed_differently_each_time() {
        let keys = keys(&[1]);
        let seal = || keys.seal(PASSWORD.cell(7), &"geheim".into()).unwrap();
        assert_ne!(text(&seal()), text(&seal()));
    }

    #[test]
    fn a_former_key_opens_and_the_current_one_seals() {
        let before = keys(&[1]);
        let sealed = before.seal(PASSWORD.cell(7), &"geheim".into()).unwrap();
        let both = keys(&[2, 1]);
        assert_eq!(opened(&both, PASSWORD.cell(7), &sealed).as_deref(), Ok("geheim"));
        let anew = both.seal(PASSWORD.cell(7), &"geheim".into()).unwrap();
        let after = keys(&[2]);
        assert_eq!(opened(&after, PASSWORD.cell(7), &anew).as_deref(), Ok("geheim"));
        assert_eq!(opened(&after, PASSWORD.cell(7), &sealed), Err(Failure::KeyUnknown));
        assert_eq!(opened(&before, PASSWORD.cell(7), &anew), Err(Failure::KeyUnknown));
    }

    #[test]
    fn a_missing_key_is_reported_to_the_caller() {
        let sealed = keys(&[1]).seal(PASSWORD.cell(7), &"geheim".into()).unwrap();
        let none = Keys::none();
        let refused = none.seal(PASSWORD.cell(7), &"geheim".into()).unwrap_err();
        assert_eq!(
            (refused, opened(&none, PASSWORD.cell(7), &sealed)),
            (Failure::NoKey, Err(Failure::NoKey))
        );
        let sentence = Error::from(refused).sentence(Language::De).unwrap();
        assert!(sentence.contains("STALHOF_SECRET_KEYS_FILE"), "{sentence}");
    }

    #[test]
    fn secrets_and_sealed_values_are_not_printed() {
        let keys = keys(&[1]);
        let secret = SecretString::from("geheim".to_owned());
        let sealed = keys.seal(PASSWORD.cell(7), &secret).unwrap();
        let printed = format!("{secret:?} {sealed:?} {keys:?}");
        assert!(!printed.contains("geheim") && !printed.contains(text(&sealed)), "{printed}");
    }
}
