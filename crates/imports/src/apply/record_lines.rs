//! Compact memory of the records that a running import has already met.

use std::{
    collections::{HashMap, hash_map::RandomState},
    hash::BuildHasher,
};

use crate::importer::Key;

/// Lines in which records were seen, by a hash of their keys.
#[derive(Default)]
pub(crate) struct RecordLines {
    hasher: RandomState,
    lines: HashMap<u64, u32>,
}

impl RecordLines {
    /// Line in which the record was seen first.
    pub(crate) fn first_line(&self, key: &Key) -> Option<u32> {
        self.lines.get(&self.hasher.hash_one(key)).copied()
    }

    pub(crate) fn insert(&mut self, key: &Key, line: u32) {
        self.lines.insert(self.hasher.hash_one(key), line);
    }
}

/// Set of ids as a bitmap of fixed size (two megabytes). An id without its bit was not added; one with its
/// bit must be looked up, since ids that differ by 16,777,216 share a bit.
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

    pub(crate) fn may_contain(&self, id: i64) -> bool {
        let (word, bit) = Self::bit(id);
        self.0.get(word).is_none_or(|word| word & bit != 0)
    }

    pub(crate) fn insert(&mut self, id: i64) {
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
    fn inserted_ids_are_contained_and_others_are_not() {
        let mut ids = Ids::default();
        for id in [0, 1, 63, 64, 9_999_999, i64::MAX] {
            assert!(!ids.may_contain(id), "{id}");
            ids.insert(id);
            assert!(ids.may_contain(id), "{id}");
        }
        assert!(!ids.may_contain(2));
        assert!(!ids.may_contain(65));
    }

    #[test]
    fn an_id_with_the_same_bit_as_another_may_be_contained() {
        let mut ids = Ids::default();
        ids.insert(7);
        assert!(ids.may_contain(7 + 16_777_216));
    }
}
