//! Words and names that are common in German passwords and missing in the English lists of zxcvbn.

use std::sync::LazyLock;

/// Words in lower case, most common first, those with umlauts in both spellings.
static WORDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let lines = include_str!("german_words.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).flat_map(spellings).collect()
});

/// Returns the words, most common first.
pub(super) fn words() -> &'static [String] {
    &WORDS
}

/// Word as it is and, if it has umlauts, with these written as two letters.
fn spellings(word: &str) -> impl Iterator<Item = String> {
    let typed = word.replace('ä', "ae").replace('ö', "oe").replace('ü', "ue").replace('ß', "ss");
    let differs = typed != word;
    std::iter::once(word.to_owned()).chain(differs.then_some(typed))
}
