//! Words and names that German passwords are usually made of, which zxcvbn's own English lists lack.

use std::sync::LazyLock;

/// The words in lower case, the most usual first, those with umlauts in both spellings.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let lines = include_str!("german_words.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).flat_map(spellings).collect()
});

/// Returns the words, the most usual first.
pub(super) fn words() -> &'static [String] {
    &WORDS
}

/// The word as it is and, where it has umlauts, as it is typed without them.
fn spellings(word: &str) -> impl Iterator<Item = String> {
    let typed = word.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ß', "ss");
    let differs = typed != word;
    std::iter::once(word.to_owned()).chain(differs.then_some(typed))
}
