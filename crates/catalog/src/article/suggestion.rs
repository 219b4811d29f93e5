//! Suggestions for a search without results: the same text with one word corrected.

use std::collections::HashSet;

use values::fold;

use crate::{
    blueprint::Blueprint,
    catalogue::Catalogue,
    designation::{
        family::{self, FAMILIES},
        former_names, others,
    },
    material::Material,
};

/// Minimum length of a word that is corrected; shorter ones resemble too many others.
const SHORTEST: usize = 3;
/// Maximum number of suggestions; each costs a search.
const MOST: usize = 5;

/// Further words that occur in names.
const WORDS: &[&str] = &["warmgewalzt", "nahtlos", "geschweißt", "blank"];

/// Search texts that differ from this one by a typing error in one word and contain a word of the trade or
/// the catalogue in its place.
pub(crate) fn suggestions(text: &str, catalogue: &Catalogue) -> Vec<String> {
    let vocabulary = Vocabulary::new(catalogue);
    let pieces: Vec<&str> = text.split_whitespace().collect();
    let mut suggestions = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        for corrected in vocabulary.corrected(piece) {
            let mut pieces = pieces.clone();
            pieces.splice(at..=at, [corrected.as_str()]);
            suggestions.push(pieces.join(" "));
        }
    }
    suggestions.truncate(MOST);
    suggestions
}

/// Words that searches understand, folded and in normal spelling.
struct Vocabulary(Vec<(String, String)>);

impl Vocabulary {
    fn new(catalogue: &Catalogue) -> Self {
        let materials = catalogue.materials().iter().flat_map(names_of);
        let types = catalogue.blueprints().iter().flat_map(words_of);
        let codes =
            FAMILIES.iter().flat_map(|family| family.codes).chain(WORDS).map(|code| usual_spelling(code));
        let former = former_names::names().map(str::to_uppercase);
        let mut seen = HashSet::new();
        let words = materials.chain(codes).chain(types).chain(former);
        let words = words
            .map(|word| (fold(&word), word))
            .filter(|(folded, _)| folded.chars().count() >= SHORTEST && seen.insert(folded.clone()));
        Self(words.collect())
    }

    /// Returns the piece with one unknown word in it corrected: all of it, the part before its first digit,
    /// or a part between hyphens.
    fn corrected(&self, piece: &str) -> Vec<String> {
        let folded = fold(piece.trim_matches(|c: char| !c.is_alphanumeric()));
        if self.contains(&folded) {
            return Vec::new();
        }
        let mut corrected: Vec<String> = self.near(&folded).map(str::to_owned).collect();
        if let Some((head, rest)) = family::head(&folded)
            && !self.contains(head.trim_end_matches('-'))
        {
            corrected.extend(self.near(head).map(|word| format!("{word}{rest}")));
        }
        let parts: Vec<&str> = folded.split('-').collect();
        if parts.len() > 1 {
            for (at, part) in parts.iter().enumerate().filter(|(_, part)| !self.contains(part)) {
                corrected.extend(self.near(part).map(|word| {
                    let mut parts = parts.clone();
                    parts.splice(at..=at, [word]);
                    parts.join("-")
                }));
            }
        }
        corrected
    }

    fn contains(&self, folded: &str) -> bool {
        others::exists(folded) || self.0.iter().any(|(word, _)| word == folded)
    }

    /// Known words one typing error away, in normal spelling, likeliest errors first.
    fn near(&self, folded: &str) -> impl Iterator<Item = &str> {
        let letters: Vec<char> = folded.chars().collect();
        let error = |word: &str| error_between(&letters, &word.chars().collect::<Vec<_>>());
        let candidates = self.0.iter().filter(|_| letters.len() >= SHORTEST);
        let mut near: Vec<_> =
            candidates.filter_map(|(folded, word)| Some((error(folded)?, word.as_str()))).collect();
        near.sort_by_key(|(error, _)| *error);
        near.into_iter().map(|(_, word)| word)
    }
}

/// Typing errors, likeliest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TypingError {
    /// Two neighbouring characters are swapped.
    Exchanged,
    /// One character is replaced by another.
    Other,
    /// One character is missing or superfluous.
    Missing,
}

/// Returns the typing error between two words if they differ by exactly one.
fn error_between(a: &[char], b: &[char]) -> Option<TypingError> {
    let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (a.get(before..)?, b.get(before..)?);
    let behind = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    match (a.get(..a.len() - behind)?, b.get(..b.len() - behind)?) {
        ([_], [_]) => Some(TypingError::Other),
        ([_], []) | ([], [_]) => Some(TypingError::Missing),
        ([first, second], [other, another]) if first == another && second == other => {
            Some(TypingError::Exchanged)
        }
        _ => None,
    }
}

fn names_of(material: &Material) -> impl Iterator<Item = String> {
    let further = [&material.display_name, &material.article_number_name, &material.material_number];
    [material.name.clone()].into_iter().chain(further.into_iter().flatten().cloned())
}

fn words_of(blueprint: &Blueprint) -> impl Iterator<Item = String> {
    blueprint.article_type.name.split_whitespace().map(str::to_owned)
}

/// Normal spelling of a code: `HEB`, `Flachstahl`.
fn usual_spelling(code: &str) -> String {
    let mut letters = code.chars();
    match letters.next() {
        _ if code.chars().count() <= 4 && !matches!(code, "rohr" | "rund") => code.to_uppercase(),
        Some(first) => first.to_uppercase().chain(letters).collect::<String>().replace("rager", "räger"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_error_is_one_letter_or_two_swapped_neighbours() {
        for (a, b, expected) in [
            ("heb", "hbe", Some(TypingError::Exchanged)),
            ("heb", "hen", Some(TypingError::Other)),
            ("rohr", "rohhr", Some(TypingError::Missing)),
            ("rohr", "rhr", Some(TypingError::Missing)),
            ("rohr", "rohr", None),
            ("rohr", "ruhe", None),
            ("abcd", "badc", None),
            ("", "a", Some(TypingError::Missing)),
        ] {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            assert_eq!(error_between(&letters(a), &letters(b)), expected, "{a} {b}");
        }
    }
}
