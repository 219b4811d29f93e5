//! Which records a running import has met already, in as little memory as possible.

use std::{
    collections::{HashMap, hash_map::RandomState},
    hash::BuildHasher,
};

use crate::importer::Key;

/// The lines in which records were seen, by a hash of their keys.
#[derive(Default)]
pub(crate) struct Seen {
    hasher: RandomState,
    lines: HashMap<u64, u32>,
}

impl Seen {
    /// The line in which the record was seen first.
    pub(crate) fn first_line(&self, key: &Key) -> Option<u32> {
        self.lines.get(&self.hasher.hash_one(key)).copied()
    }

    pub(crate) fn see(&mut self, key: &Key, line: u32) {
        self.lines.insert(self.hasher.hash_one(key), line);
    }
}

/// Ids, in the same two megabytes however many they are: what it does not hold was not put in, and of what it may hold that
/// is to be looked up. Ids that lie 16,777,216 apart share a bit.
pub(crate) struct Ids(Vec<u64>);

impl Default for Ids {
    fn default() -> Self {
        Self(vec![0; Self::WORDS])
    }
}

impl Ids {
    const WORDS: usize = 1 << 18;

    fn bit(id: i64) -> (usize, u64) {
        let id = id.unsigned_abs();
        let word = usize::try_from(id / 64 % Self::WORDS as u64).unwrap_or_default();
        (word, 1 << (id % 64))
    }

    pub(crate) fn may_hold(&self, id: i64) -> bool {
        let (word, bit) = Self::bit(id);
        self.0.get(word).is_none_or(|word| word & bit != 0)
    }

    pub(crate) fn hold(&mut self, id: i64) {
        let (word, bit) = Self::bit(id);
        if let Some(word) = self.0.get_mut(word) {
            *word |= bit;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_held_one_by_one() {
        let mut ids = Ids::default();
        for id in [0, 1, 63, 64, 9_999_999, i64::MAX] {
            assert!(!ids.may_hold(id), "{id}");
            ids.hold(id);
            assert!(ids.may_hold(id), "{id}");
        }
        assert!(!ids.may_hold(2));
        assert!(!ids.may_hold(65));
    }

    #[test]
    fn an_id_that_shares_its_bit_with_another_may_be_held() {
        let mut ids = Ids::default();
        ids.hold(7);
        assert!(ids.may_hold(7 + 16_777_216));
    }
}
