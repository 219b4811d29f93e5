//! Designations of articles as the trade writes them: `HEB200 S235`, `QRO 100x100x5`, `Fl 50x10`, `W.-Nr.
//! 1,0038`. Typed text is parsed into words, sections, sizes and material numbers, in any spelling, and
//! becomes a search.

pub(crate) mod family;
pub(crate) mod former_names;
pub(crate) mod others;
mod phrase;
pub(crate) mod reader;

use std::collections::HashSet;

use lists::search::{Edge, Needle, Search};
use values::{Decimal, Message, fold, fold_written_umlauts};

use self::{
    family::Family,
    reader::{Token, tokens},
};
use crate::gtin;

/// Name of the reference from articles to their material.
pub(crate) const MATERIAL: &str = "material";
/// Name of the reference from articles to their type.
pub(crate) const ARTICLE_TYPE: &str = "article_type";

/// Name of the reference from articles to their other numbers.
pub(crate) const OTHER_NUMBER: &str = "other_number";

/// Minimum length of a text that is searched in other numbers.
const OTHER_NUMBER_MIN: usize = 3;

/// Maximum number of beginnings; each costs one index lookup.
const BEGINNINGS_MAX: usize = 96;

/// Separators between a code and a size.
const GAPS: [&str; 5] = ["", " ", "-", " sw ", " ø "];

/// Delivery states after a grade, as in `S355J2+N`; an article named by the grade alone may be delivered in
/// them.
const STATES: &[&str] =
    &["ar", "n", "nr", "m", "c", "cr", "sh", "s", "a", "u", "q", "qt", "t", "at", "l", "p"];

/// Parses a search for articles: each token is in the number or name, or names their material or type; or the
/// whole text begins another of their numbers.
pub(crate) fn articles(text: &str) -> Result<Search, Message> {
    let mut is_measured = false;
    let all = tokens(text)?.into_iter().flat_map(|token| match token {
        Token::Section(family, size) => {
            is_measured |= size.is_some();
            section(family, size)
        }
        Token::Size(size) => vec![contains_any(size_spellings(&size), Edge::Size, Edge::Number)],
        Token::Number(number) => vec![contains_any(spellings(&number), Edge::Number, Edge::Number)],
        token => {
            let needles = material_needles(&token);
            let lengths = is_measured.then(|| digits_as_length(&token)).flatten().unwrap_or_default();
            let text = needles.iter().cloned().chain(lengths).map(Search::Contains);
            vec![Search::Any(text.chain([Search::Refers(MATERIAL, needles.clone())]).collect())]
        }
    });
    let called = Search::All(all.collect());
    let others: Vec<Needle> =
        other_numbers(text).into_iter().map(|text| needle(text, Edge::Nothing, Edge::Free)).collect();
    Ok(if others.is_empty() {
        called
    } else {
        Search::Any(vec![called, Search::Refers(OTHER_NUMBER, others)])
    })
}

/// Folded beginnings of other numbers that a search matches; for a GTIN also with its omitted leading zeros.
pub(crate) fn other_numbers(text: &str) -> Vec<String> {
    let folded = fold(text);
    let mut beginnings = Vec::new();
    if folded.chars().count() >= OTHER_NUMBER_MIN {
        let digits: String = folded.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        if digits.bytes().all(|digit| digit.is_ascii_digit()) {
            beginnings.extend(gtin::beginnings(&digits));
        }
        beginnings.push(folded);
    }
    let mut seen = HashSet::new();
    beginnings.retain(|beginning| seen.insert(beginning.clone()));
    beginnings
}

/// Parses a search for materials: by names, including former ones, and by material number in any spelling.
pub(crate) fn materials(text: &str) -> Result<Search, Message> {
    Ok(search_own_columns(&tokens(text)?))
}

/// Parses a search for article types. If it names a section, sizes and materials next to it are ignored.
pub(crate) fn article_types(text: &str) -> Result<Search, Message> {
    let tokens = tokens(text)?;
    let relevant = tokens.iter().filter_map(|token| match token {
        Token::Section(family, _) => {
            Some(Search::Any(family_needles(family).map(Search::Contains).collect()))
        }
        Token::Word(word) => Some(Search::Contains(Needle::free(word))),
        _ => None,
    });
    let relevant: Vec<_> = relevant.collect();
    Ok(if relevant.is_empty() { search_own_columns(&tokens) } else { Search::All(relevant) })
}

/// Matches rows whose own columns contain every token.
fn search_own_columns(tokens: &[Token]) -> Search {
    let all = tokens
        .iter()
        .map(|token| Search::Any(material_needles(token).into_iter().map(Search::Contains).collect()));
    Search::All(all.collect())
}

/// Matches the section's name next to its size. A size of several numbers is so specific that it may be
/// anywhere.
fn section(family: &'static Family, typed: Option<Vec<String>>) -> Vec<Search> {
    let name = || {
        let texts = family_needles(family).map(Search::Contains);
        Search::Any(texts.chain([Search::Refers(ARTICLE_TYPE, family_needles(family).collect())]).collect())
    };
    let Some(typed) = typed else { return vec![name()] };
    let (sizes, length) = family.sizes(&typed);
    let single = sizes.iter().find_map(|size| match size.as_slice() {
        [number] => Some(number),
        _ => None,
    });
    let mut all = if let Some(number) = single {
        vec![name_with_number(family, number)]
    } else {
        let sizes = sizes.iter().flat_map(|size| size_spellings(size)).collect();
        vec![name(), contains_any(sizes, Edge::Size, Edge::Number)]
    };
    all.extend(length.map(|length| contains_any(in_metres(&length), Edge::Size, Edge::Number)));
    all
}

/// Matches a single number next to the section's name. If the family has a series of sizes, the number may be
/// the beginning of one: `HEB-2`.
fn name_with_number(family: &'static Family, number: &str) -> Search {
    let mut needles = Vec::new();
    let after = if family.is_begun(number) { Edge::Free } else { Edge::Number };
    for number in spellings(number) {
        let codes = family.names().flat_map(|code| GAPS.map(|gap| format!("{code}{gap}{number}")));
        needles.extend(codes.map(|text| needle(text, Edge::Word, after)));
        let suffixed = family.suffix.map(|letter| {
            ["he {}{}", "he {} {}", "he{}{}", "he-{}-{}"]
                .map(|form| form.replacen("{}", &number, 1).replacen("{}", letter, 1))
        });
        needles.extend(suffixed.into_iter().flatten().map(|text| needle(text, Edge::Word, Edge::Word)));
    }
    Search::Any(needles.into_iter().map(Search::Contains).collect())
}

/// Names of the articles and types of a family: short codes match as whole words, longer names as prefixes.
fn family_needles(family: &'static Family) -> impl Iterator<Item = Needle> {
    family.names().map(|code| {
        let after = if code.chars().count() <= 4 { Edge::Letters } else { Edge::Free };
        needle(code.to_owned(), Edge::Word, after)
    })
}

/// Spellings of the material that a token names; other tokens are searched as plain text.
fn material_needles(token: &Token) -> Vec<Needle> {
    match token {
        Token::MaterialNumber(number, typed) => {
            let mut needles = vec![needle(number.clone(), Edge::Number, Edge::Free)];
            if typed.bytes().all(|byte| byte.is_ascii_digit()) {
                // The digits may also be a part of any other number.
                needles.push(Needle::free(typed));
            } else if typed != number {
                needles.push(needle(typed.clone(), Edge::Number, Edge::Number));
            }
            needles
        }
        Token::Former(name, former) => {
            let begin =
                former.beginnings.iter().map(|start| needle((*start).to_owned(), Edge::Word, Edge::Free));
            [needle(name.clone(), Edge::Word, Edge::Free)].into_iter().chain(begin).collect()
        }
        // `HL` does not match `Hohlprofil`.
        Token::Word(word) if others::is_section(word) => {
            vec![needle(word.clone(), Edge::Word, Edge::Letters)]
        }
        Token::Word(word) => {
            let further = [fold_written_umlauts(word), without_state(word)];
            [word.clone()].into_iter().chain(further.into_iter().flatten()).map(Needle::free).collect()
        }
        Token::Length(digits) => [Needle::free(digits.clone())].into_iter().chain(lengths(digits)).collect(),
        Token::Number(number) => spellings(number).into_iter().map(Needle::free).collect(),
        Token::Size(size) => size_spellings(size).into_iter().map(Needle::free).collect(),
        Token::Section(family, None) => family.codes.iter().map(|code| Needle::free(*code)).collect(),
        Token::Section(family, Some(size)) => family
            .codes
            .iter()
            .flat_map(|code| {
                size_spellings(size).into_iter().map(move |size| Needle::free(format!("{code}{size}")))
            })
            .collect(),
    }
}

/// Lengths in metres for digits after a section that may be a material or a length in millimetres: `HEB 200
/// 12100`.
fn digits_as_length(token: &Token) -> Option<Vec<Needle>> {
    match token {
        Token::MaterialNumber(_, typed) if typed.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(lengths(typed).collect())
        }
        _ => None,
    }
}

fn lengths(millimetres: &str) -> impl Iterator<Item = Needle> {
    in_metres(millimetres).into_iter().map(|text| needle(text, Edge::Size, Edge::Number))
}

fn contains_any(texts: Vec<String>, before: Edge, after: Edge) -> Search {
    Search::Any(texts.into_iter().map(|text| Search::Contains(needle(text, before, after))).collect())
}

fn needle(text: String, before: Edge, after: Edge) -> Needle {
    Needle { text, before, after }
}

/// Spellings of a decimal: article numbers have a point, names a comma.
fn spellings(number: &str) -> Vec<String> {
    if number.contains('.') {
        vec![number.to_owned(), number.replace('.', ",")]
    } else {
        vec![number.to_owned()]
    }
}

/// Spellings of a size: article numbers have `100x100x5`, names `100 x 100 x 5`.
fn size_spellings(size: &[String]) -> Vec<String> {
    ["x", " x "].iter().flat_map(|by| spellings(&size.join(by))).collect()
}

/// Spellings of a length in millimetres as articles may show it.
fn in_metres(millimetres: &str) -> Vec<String> {
    let metres = millimetres.parse::<Decimal>().ok().and_then(|length| length.scaled(1, 1_000));
    let metres = metres.map(|metres| spellings(&metres.to_string())).unwrap_or_default();
    metres.into_iter().chain([millimetres.to_owned()]).collect()
}

/// Strips the delivery state: `s355j2+n` becomes `s355j2`, `dx51d+z275` becomes `dx51d+z`. Articles named so
/// may be delivered in this state.
fn without_state(word: &str) -> Option<String> {
    let (grade, states) = word.split_once('+')?;
    let coating = states.trim_end_matches(|c: char| c.is_ascii_digit());
    if coating.len() < states.len() && coating.starts_with('z') {
        return Some(format!("{grade}+{coating}"));
    }
    (!grade.is_empty() && states.split('+').all(|state| STATES.contains(&state))).then(|| grade.to_owned())
}

/// Folded beginnings of the numbers and names that match a search best, at most as many as are worth an index
/// lookup.
pub(crate) fn beginnings(text: &str) -> Vec<String> {
    let mut beginnings = vec![fold(text)];
    match tokens(text).ok().and_then(|tokens| tokens.into_iter().next()) {
        Some(Token::Section(family, None)) => beginnings.extend(family.names().map(str::to_owned)),
        Some(Token::Section(family, Some(typed))) => {
            let (sizes, _) = family.sizes(&typed);
            for size in sizes.iter().flat_map(|size| size_spellings(size)) {
                let gaps = if size.contains(' ') { &[" "][..] } else { &["-", " ", ""] };
                for gap in gaps {
                    beginnings.extend(family.names().map(|code| format!("{code}{gap}{size}")));
                }
            }
        }
        Some(token) => beginnings.extend(material_needles(&token).into_iter().map(|needle| needle.text)),
        None => beginnings.clear(),
    }
    let mut seen = HashSet::new();
    beginnings.retain(|beginning| seen.insert(beginning.clone()));
    beginnings.truncate(BEGINNINGS_MAX);
    beginnings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Patterns that a search looks for; `*` matches any text.
    fn search_patterns(search: &Search) -> Vec<String> {
        match search {
            Search::All(parts) | Search::Any(parts) => parts.iter().flat_map(search_patterns).collect(),
            Search::Contains(Needle { text, before, after }) => {
                let edge = |edge: &Edge| if *edge == Edge::Free { "*" } else { "" };
                vec![format!("{}{text}{}", edge(before), edge(after))]
            }
            Search::Refers(..) | Search::Within(..) => Vec::new(),
        }
    }

    #[test]
    fn five_digits_are_searched_as_a_material_and_as_part_of_any_number() {
        for (typed, expected) in [
            ("1234", &["*1234*"][..]),
            ("12345", &["1.2345*", "*12345*"]),
            ("123456", &["*123456*"]),
            ("1.2345", &["1.2345*"]),
            ("1,2345", &["1.2345*", "1,2345"]),
        ] {
            assert_eq!(search_patterns(&articles(typed).unwrap()), expected, "{typed}");
            assert_eq!(search_patterns(&materials(typed).unwrap()), expected, "{typed}");
        }
    }

    #[test]
    fn article_types_are_found_by_section_or_else_by_the_typed_text() {
        for (typed, expected) in [
            ("bfl 200x10 S235 1.0038", &["bfl", "brfl", "breitflach*", "breitflachstahl*", "*s235*"][..]),
            ("1.0038", &["1.0038*"]),
            ("5x10", &["*5x10*", "*5 x 10*"]),
            ("12,1", &["*12.1*", "*12,1*"]),
            ("1.0038 6x1,5", &["1.0038*", "*6x1.5*", "*6x1,5*", "*6 x 1.5*", "*6 x 1,5*"]),
            (" , ", &[]),
        ] {
            assert_eq!(search_patterns(&article_types(typed).unwrap()), expected, "{typed}");
        }
    }
}
