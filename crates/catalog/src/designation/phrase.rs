//! Rewrites typed text into words that the reader understands: English names of bars and sections, nominal
//! sizes of pipes in DN and inches, lengths with a keyword, and a count before the article.

use super::family::{find_family, head};

/// Folded English names and the code of their family. If two match, the longer one comes first.
const ENGLISH: &[(&str, &str)] = &[
    ("square hollow section", "shs"),
    ("square hollow sections", "shs"),
    ("rectangular hollow section", "rhs"),
    ("rectangular hollow sections", "rhs"),
    ("circular hollow section", "chs"),
    ("circular hollow sections", "chs"),
    ("hollow section", "hohlprofil"),
    ("hollow sections", "hohlprofil"),
    ("square tube", "shs"),
    ("square tubes", "shs"),
    ("square pipe", "shs"),
    ("rectangular tube", "rhs"),
    ("rectangular tubes", "rhs"),
    ("box section", "hohlprofil"),
    ("round tube", "chs"),
    ("steel tube", "chs"),
    ("steel pipe", "chs"),
    ("flat bar", "flachstahl"),
    ("flat bars", "flachstahl"),
    ("flat steel", "flachstahl"),
    ("round bar", "rundstahl"),
    ("round bars", "rundstahl"),
    ("round steel", "rundstahl"),
    ("square bar", "vierkantstahl"),
    ("square bars", "vierkantstahl"),
    ("hex bar", "sechskantstahl"),
    ("hexagon bar", "sechskantstahl"),
    ("hexagonal bar", "sechskantstahl"),
    ("equal angle", "winkelstahl"),
    ("unequal angle", "winkelstahl"),
    ("angle bar", "winkelstahl"),
    ("angle iron", "winkelstahl"),
    ("angle steel", "winkelstahl"),
    ("checker plate", "tranenblech"),
    ("checkered plate", "tranenblech"),
    ("chequer plate", "tranenblech"),
    ("chequered plate", "tranenblech"),
    ("tread plate", "tranenblech"),
    ("tear plate", "tranenblech"),
    ("steel plate", "blech"),
    ("steel sheet", "blech"),
    ("reinforcing bar", "betonstahl"),
    ("reinforcing steel", "betonstahl"),
    ("wide flange beam", "breitflansch"),
    ("h beam", "breitflansch"),
    ("i beam", "trager"),
    ("u channel", "u-profil"),
    ("angle", "winkelstahl"),
    ("angles", "winkelstahl"),
    ("lnp", "l"),
    ("ea", "l"),
    ("eqa", "l"),
    ("rsa", "l"),
    ("ua", "l"),
    ("uea", "l"),
    ("channel", "u-profil"),
    ("channels", "u-profil"),
    ("beam", "trager"),
    ("beams", "trager"),
    ("tube", "chs"),
    ("tubes", "chs"),
    ("pipe", "chs"),
    ("pipes", "chs"),
    ("plate", "blech"),
    ("plates", "blech"),
    ("sheet", "blech"),
    ("sheets", "blech"),
    ("rebar", "betonstahl"),
    ("rebars", "betonstahl"),
];

/// Pipes: nominal size, thread in eighths of an inch, and outer diameter in millimetres; EN 10255 and, above
/// DN 150, series 1 of EN 10220.
const PIPES: &[(&str, u32, &str)] = &[
    ("6", 1, "10.2"),
    ("8", 2, "13.5"),
    ("10", 3, "17.2"),
    ("15", 4, "21.3"),
    ("20", 6, "26.9"),
    ("25", 8, "33.7"),
    ("32", 10, "42.4"),
    ("40", 12, "48.3"),
    ("50", 16, "60.3"),
    ("65", 20, "76.1"),
    ("80", 24, "88.9"),
    ("100", 32, "114.3"),
    ("125", 40, "139.7"),
    ("150", 48, "168.3"),
    ("200", 64, "219.1"),
    ("250", 80, "273"),
    ("300", 96, "323.9"),
    ("350", 112, "355.6"),
    ("400", 128, "406.4"),
    ("500", 160, "508"),
];

/// Words after a number that make it a count.
const COUNTED: &[&str] = &[
    "x", "*", "×", "st", "stk", "stck", "stuck", "stueck", "pc", "pcs", "stab", "stabe", "staebe", "stange",
    "stangen", "bund", "kg",
];

/// Words before a number that make it a length.
const LENGTH: &[&str] = &["l", "lg", "lange", "laenge", "lang", "length"];

const INCH_SIGNS: &[&str] = &["\"", "''", "”", "“", "″", "′′"];
const INCH_WORDS: &[&str] = &["zoll", "inch", "inches", "in"];

/// Rewrites the words of a folded text into words that the reader understands.
pub(super) fn rewritten<'a>(words: impl Iterator<Item = &'a str>) -> Vec<String> {
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut rest = without_count(&words);
    let mut rewritten: Vec<String> = Vec::new();
    while let [word, further @ ..] = rest {
        if let Some((pipe, word_count)) = pipe(rest, rewritten.last().map(String::as_str)) {
            if !rewritten.last().is_some_and(|before| is_pipe(before)) {
                rewritten.push("ro".to_owned());
            }
            rest = rest.get(word_count..).unwrap_or_default();
            // `1 1/2" x 3,2`
            if let ["x", wall, further @ ..] = rest {
                rewritten.push(format!("{pipe}x{wall}"));
                rest = further;
            } else {
                rewritten.push(pipe);
            }
        } else if let Some((code, word_count)) = english(rest) {
            rewritten.push(code.to_owned());
            rest = rest.get(word_count..).unwrap_or_default();
        } else if let (["=", number, further @ ..] | [number, further @ ..], true) =
            (further, LENGTH.contains(word) && !rewritten.is_empty())
            && number.starts_with(|c: char| c.is_ascii_digit())
        {
            rewritten.push(format!("l={number}"));
            rest = further;
        } else {
            rewritten.push((*word).to_owned());
            rest = further;
        }
    }
    rewritten
}

/// Words after a count: `HEB 200` of `2 x HEB 200`, `3 Stk. HEB 200` and `2 HEB 200`. Only articles are
/// counted.
fn without_count<'a, 'b>(words: &'a [&'b str]) -> &'a [&'b str] {
    let [first, rest @ ..] = words else { return words };
    let digits = first.bytes().take_while(u8::is_ascii_digit).count();
    let Some((count, unit)) = first.split_at_checked(digits).filter(|(count, _)| !count.is_empty()) else {
        return words;
    };
    let is_unit = |word: &str| COUNTED.contains(&word.trim_end_matches('.'));
    let counted = match (unit, rest) {
        (unit, rest) if is_unit(unit) => Some(rest),
        ("", [unit, rest @ ..]) if is_unit(unit) => Some(rest),
        // A number before a section may be its size: `200 HEB`.
        ("", [_, ..]) if has_size(rest) && count.len() <= 3 => Some(rest),
        _ => None,
    };
    counted.filter(|counted| begins_article(counted)).unwrap_or(words)
}

fn begins_article(words: &[&str]) -> bool {
    let Some(first) = words.first() else { return false };
    let code = head(first).map_or(*first, |(head, _)| head);
    let is_section = |code: &str| find_family(code.trim_end_matches(['.', '-'])).is_some();
    is_section(code) || is_section(first) || code == "he" || *first == "dn" || english(words).is_some()
}

/// True if the words begin with a section followed by a number.
fn has_size(words: &[&str]) -> bool {
    let is_number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    begins_article(words)
        && match (words, english(words)) {
            (words, Some((_, word_count))) => words.get(word_count).is_some_and(is_number),
            ([section, size, ..], None) => head(section).is_some() || is_number(size),
            ([section], None) => head(section).is_some(),
            ([], None) => false,
        }
}

/// Code for an English name, and its number of words.
fn english(words: &[&str]) -> Option<(&'static str, usize)> {
    let begins = |name: &str| {
        let mut word_count = 0;
        name.split(' ').all(|part| {
            word_count += 1;
            words.get(word_count - 1).is_some_and(|word| word.trim_end_matches(['.', ',']) == part)
        })
    };
    // `ea` and `ua` alone are ambiguous.
    let is_clear = |name: &str| {
        name.len() > 2 || words.get(1).is_some_and(|next| next.starts_with(|c: char| c.is_ascii_digit()))
    };
    let (name, code) = ENGLISH.iter().find(|(name, _)| begins(name) && is_clear(name))?;
    Some((code, name.split(' ').count()))
}

fn is_pipe(word: &str) -> bool {
    find_family(word).is_some_and(|family| family.codes.contains(&"ro"))
}

/// Outer diameter for a nominal size, with the wall typed after it, and the number of words read.
fn pipe(words: &[&str], before: Option<&str>) -> Option<(String, usize)> {
    nominal(words).or_else(|| inches(words, before.is_some_and(is_pipe)))
}

/// Reads a nominal size: `DN 40` and `DN40x3,2`.
fn nominal(words: &[&str]) -> Option<(String, usize)> {
    let (size, word_count) = match words {
        ["dn", size, ..] => (*size, 2),
        [word, ..] => (word.strip_prefix("dn")?, 1),
        [] => return None,
    };
    let (size, wall) = split_wall(size);
    let (.., diameter) = PIPES.iter().find(|(nominal, ..)| *nominal == size)?;
    Some((format!("{diameter}{wall}"), word_count))
}

/// Reads a size in inches: `1 1/2"`, `1.1/2 Zoll` and `2"x3,6`. After a pipe a fraction needs no inch sign.
fn inches(words: &[&str], is_behind_pipe: bool) -> Option<(String, usize)> {
    let [first, rest @ ..] = words else { return None };
    let whole = first.parse::<u32>().ok().filter(|whole| *whole <= 20);
    let mixed = whole.zip(rest.first()).and_then(|(whole, second)| {
        let (eighths, wall, has_sign) = thread(second).filter(|(eighths, ..)| *eighths < 8)?;
        Some((whole * 8 + eighths, wall, has_sign, 2))
    });
    let plain = || thread(first).map(|(eighths, wall, has_sign)| (eighths, wall, has_sign, 1));
    let (eighths, wall, has_sign, word_count) = mixed.or_else(plain)?;
    let has_word = words.get(word_count).is_some_and(|word| INCH_WORDS.contains(word));
    let is_fraction = eighths % 8 > 0;
    if !(has_sign || has_word || is_behind_pipe && is_fraction) {
        return None;
    }
    let (.., diameter) = PIPES.iter().find(|(_, inches, _)| *inches == eighths)?;
    Some((format!("{diameter}{wall}"), word_count + usize::from(has_word && !has_sign)))
}

/// Reads a number of inches: the size in eighths, the wall after it, and true if it has an inch sign.
fn thread(word: &str) -> Option<(u32, &str, bool)> {
    let sign = INCH_SIGNS.iter().find_map(|sign| word.split_once(sign));
    let (size, wall) = match sign {
        Some((size, wall)) if wall.is_empty() || wall.starts_with('x') => (size, wall),
        Some(_) => return None,
        None => split_wall(word),
    };
    let (size, has_sign) = match INCH_WORDS.iter().find_map(|unit| size.strip_suffix(unit)) {
        Some(size) if !size.is_empty() => (size, true),
        _ => (size, sign.is_some()),
    };
    let (whole, fraction) = match size.split_once(['.', '-']) {
        Some((whole, fraction)) if fraction.contains('/') => (whole.parse::<u32>().ok()?, fraction),
        _ => (0, size),
    };
    let eighths = match fraction.split_once('/') {
        Some((above, below)) => {
            let (above, below) = (above.parse::<u32>().ok()?, below.parse::<u32>().ok()?);
            (matches!(below, 2 | 4 | 8) && above < below).then(|| above * 8 / below)?
        }
        None => fraction.parse::<u32>().ok()?.checked_mul(8)?,
    };
    Some((whole.checked_mul(8)?.checked_add(eighths)?, wall, has_sign)).filter(|(eighths, ..)| *eighths > 0)
}

/// Splits `40x3,2` into `40` and `x3,2`.
fn split_wall(size: &str) -> (&str, &str) {
    size.find('x').and_then(|at| size.split_at_checked(at)).unwrap_or((size, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_inches_and_english_names_are_normalised() {
        for (typed, expected) in [
            ("heb 200", "heb 200"),
            ("2 x heb 200", "heb 200"),
            ("2x heb 200", "heb 200"),
            ("2 heb 200", "heb 200"),
            ("200 heb", "200 heb"),
            ("3 stk. heb200", "heb200"),
            ("3 stk. anything", "3 stk. anything"),
            ("12st flat bar 50x10", "flachstahl 50x10"),
            ("500 kg rd 20", "rd 20"),
            ("2 x 4711", "2 x 4711"),
            ("50x10 flat bar", "50x10 flachstahl"),
            ("square hollow section 100x5", "shs 100x5"),
            ("plate 10mm", "blech 10mm"),
            ("ea 50x50x5", "l 50x50x5"),
            ("ea", "ea"),
            ("rohr dn40", "rohr 48.3"),
            ("dn 40", "ro 48.3"),
            ("rohr dn40x3,2", "rohr 48.3x3,2"),
            ("dn 41", "dn 41"),
            ("rohr 1 1/2\"", "rohr 48.3"),
            ("rohr 1.1/2\"", "rohr 48.3"),
            ("rohr 1 1/2 zoll", "rohr 48.3"),
            ("1 1/2\" rohr", "ro 48.3 rohr"),
            ("rohr 2\"x3,6", "rohr 60.3x3,6"),
            ("rohr 1 1/2\" x 3,2", "rohr 48.3x3,2"),
            ("rohr 1/2", "rohr 21.3"),
            ("pipe 2 inch", "chs 60.3"),
            ("rohr 2zoll", "rohr 60.3"),
            ("fl 1/2", "fl 1/2"),
            ("4711 2", "4711 2"),
            ("heb 200 lange 12,1", "heb 200 l=12,1"),
            ("heb 200 l = 12,1", "heb 200 l=12,1"),
            ("l 50x5", "l 50x5"),
        ] {
            assert_eq!(rewritten(typed.split(' ')).join(" "), expected, "{typed}");
        }
    }

    #[test]
    fn english_names_map_to_codes_and_are_no_codes_themselves() {
        for (name, code) in ENGLISH {
            assert!(find_family(code).is_some(), "{code}");
            assert!(find_family(name).is_none(), "{name} is a code itself");
            let words: Vec<&str> = name.split(' ').chain(["10"]).collect();
            assert_eq!(english(&words), Some((*code, words.len() - 1)), "{name}");
        }
    }
}
