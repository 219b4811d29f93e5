//! Suggestions for a search without results: the same text with one word corrected.

use std::collections::HashSet;

use kernel::fold;

use crate::{
    blueprint::Blueprint,
    catalogue::Catalogue,
    designation::{
        family::{self, FAMILIES},
        former, others,
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
    let known = Known::of(catalogue);
    let pieces: Vec<&str> = text.split_whitespace().collect();
    let mut suggestions = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        for mended in known.mended(piece) {
            let mut pieces = pieces.clone();
            pieces.splice(at..=at, [mended.as_str()]);
            suggestions.push(pieces.join(" "));
        }
    }
    suggestions.truncate(MOST);
    suggestions
}

/// Words that searches understand, folded and in normal spelling.
struct Known(Vec<(String, String)>);

impl Known {
    fn of(catalogue: &Catalogue) -> Self {
        let materials = catalogue.materials().iter().flat_map(names_of);
        let types = catalogue.blueprints().iter().flat_map(words_of);
        let codes = FAMILIES.iter().flat_map(|family| family.codes).chain(WORDS).map(|code| written(code));
        let former = former::names().map(str::to_uppercase);
        let mut seen = HashSet::new();
        let words = materials.chain(codes).chain(types).chain(former);
        let words = words
            .map(|word| (fold(&word), word))
            .filter(|(folded, _)| folded.chars().count() >= SHORTEST && seen.insert(folded.clone()));
        Self(words.collect())
    }

    /// Returns the piece with one unknown word in it corrected: all of it, the part before its first digit,
    /// or a part between hyphens.
    fn mended(&self, piece: &str) -> Vec<String> {
        let folded = fold(piece.trim_matches(|c: char| !c.is_alphanumeric()));
        if self.knows(&folded) {
            return Vec::new();
        }
        let mut mended: Vec<String> = self.near(&folded).map(str::to_owned).collect();
        if let Some((head, rest)) = family::head(&folded)
            && !self.knows(head.trim_end_matches('-'))
        {
            mended.extend(self.near(head).map(|word| format!("{word}{rest}")));
        }
        let parts: Vec<&str> = folded.split('-').collect();
        if parts.len() > 1 {
            for (at, part) in parts.iter().enumerate().filter(|(_, part)| !self.knows(part)) {
                mended.extend(self.near(part).map(|word| {
                    let mut parts = parts.clone();
                    parts.splice(at..=at, [word]);
                    parts.join("-")
                }));
            }
        }
        mended
    }

    fn knows(&self, folded: &str) -> bool {
        others::exists(folded) || self.0.iter().any(|(known, _)| known == folded)
    }

    /// Known words one typing error away, in normal spelling, likeliest errors first.
    fn near(&self, folded: &str) -> impl Iterator<Item = &str> {
        let letters: Vec<char> = folded.chars().collect();
        let slip = |known: &str| error_between(&letters, &known.chars().collect::<Vec<_>>());
        let known = self.0.iter().filter(|_| letters.len() >= SHORTEST);
        let mut near: Vec<_> =
            known.filter_map(|(folded, word)| Some((slip(folded)?, word.as_str()))).collect();
        near.sort_by_key(|(slip, _)| *slip);
        near.into_iter().map(|(_, word)| word)
    }
}

/// Typing errors, likeliest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Slip {
    /// Two neighbouring characters are swapped.
    Exchanged,
    /// One character is replaced by another.
    Other,
    /// One character is missing or superfluous.
    Missing,
}

/// Returns the typing error between two words if they differ by exactly one.
fn error_between(a: &[char], b: &[char]) -> Option<Slip> {
    let before = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (a.get(before..)?, b.get(before..)?);
    let behind = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    match (a.get(..a.len() - behind)?, b.get(..b.len() - behind)?) {
        ([_], [_]) => Some(Slip::Other),
        ([_], []) | ([], [_]) => Some(Slip::Missing),
        ([first, second], [other, another]) if first == another && second == other => Some(Slip::Exchanged),
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
fn written(code: &str) -> String {
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
    fn one_error_is_one_letter_or_two_neighbours() {
        for (a, b, expected) in [
            ("heb", "hbe", Some(Slip::Exchanged)),
            ("heb", "hen", Some(Slip::Other)),
            ("rohr", "rohhr", Some(Slip::Missing)),
            ("rohr", "rhr", Some(Slip::Missing)),
            ("rohr", "rohr", None),
            ("rohr", "ruhe", None),
            ("abcd", "badc", None),
            ("", "a", Some(Slip::Missing)),
        ] {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            assert_eq!(error_between(&letters(a), &letters(b)), expected, "{a} {b}");
        }
    }
}
