//! Folding of text for search, sort order and uniqueness, the same on both databases.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Folds text for comparison: lower case, no accents or umlauts, `ß` as `ss`, single white space.
///
/// Idempotent. `Träger  Ø 12` and `TRAGER Ø 12` fold alike.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        // fast path, as most numbers are ASCII
        return spaced(text.len(), text.chars().map(|c| c.to_ascii_lowercase()));
    }
    spaced(text.len(), text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase))
}

fn spaced(length: usize, characters: impl Iterator<Item = char>) -> String {
    let mut folded = String::with_capacity(length);
    let mut space = false;
    for character in characters {
        match character {
            c if c.is_whitespace() => space = !folded.is_empty(),
            c => {
                if std::mem::take(&mut space) {
                    folded.push(' ');
                }
                if c == 'ß' { folded.push_str("ss") } else { folded.push(c) }
            }
        }
    }
    folded
}

/// Folds written-out umlauts of a folded word: `traeger` becomes `trager`. `None` if it has none.
pub fn fold_written_umlauts(word: &str) -> Option<String> {
    let folded = word.replace("ae", "a").replace("oe", "o").replace("ue", "u");
    (folded != word).then_some(folded)
}

/// Folds an e-mail address for comparison: only case is ignored, so that no two people share an address.
///
/// Idempotent. `Müller@Stahl.example` becomes `müller@stahl.example`, and not `muller@stahl.example`.
pub fn fold_email(address: &str) -> String {
    // once more, since some letters compose differently in lower case
    address.trim().nfc().flat_map(char::to_lowercase).nfc().collect()
}

/// Turns a name into one lower-case word of `a-z 0-9 _` with umlauts written out: `Flansch-Höhe` becomes
/// `flansch_hoehe`.
pub fn slug(text: &str) -> String {
    let mut written_out = String::with_capacity(text.len());
    for character in text.nfc().flat_map(char::to_lowercase) {
        match character {
            'ä' => written_out.push_str("ae"),
            'ö' => written_out.push_str("oe"),
            'ü' => written_out.push_str("ue"),
            'ø' => written_out.push('d'), // the diameter sign as it is typed
            c => written_out.push(c),
        }
    }
    let mut slug = String::with_capacity(written_out.len());
    for character in fold(&written_out).chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('_') {
            slug.push('_');
        }
    }
    slug.truncate(slug.trim_end_matches('_').len());
    slug
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_umlauts_and_white_space_are_folded() {
        for (text, folded) in [
            ("Träger", "trager"),
            ("TRÄGER", "trager"),
            ("Tra\u{308}ger", "trager"),
            ("Straße", "strasse"),
            ("STRASSE", "strasse"),
            ("  IPE \t 80 ", "ipe 80"),
            ("m²", "m2"),
            ("", ""),
        ] {
            assert_eq!(fold(text), folded);
            assert_eq!(fold(folded), folded);
        }
    }

    #[test]
    fn email_addresses_are_trimmed_composed_and_lowercased() {
        for (text, folded) in [
            ("Admin@Stalhof.Example", "admin@stalhof.example"),
            (" MÜLLER@x.example ", "müller@x.example"),
            ("Mu\u{308}ller@x.example", "müller@x.example"),
            ("İ@x.example", "i\u{307}@x.example"),
        ] {
            assert_eq!(fold_email(text), folded);
            assert_eq!(fold_email(folded), folded);
        }
        for (one, other) in [
            ("ädmin@x.example", "admin@x.example"),
            ("strasse@x.example", "straße@x.example"),
            ("ａdmin@x.example", "admin@x.example"),
            ("admin\u{200b}@x.example", "admin@x.example"),
            ("ad min@x.example", "admin@x.example"),
        ] {
            assert_ne!(fold_email(one), fold_email(other));
        }
    }

    #[test]
    fn slugs_contain_only_ascii_letters_digits_and_underscores() {
        for (text, expected) in [
            ("Höhe", "hoehe"),
            ("Flansch-Breite (außen)", "flansch_breite_aussen"),
            ("Länge [m]", "laenge_m"),
            ("__", ""),
            ("h", "h"),
        ] {
            assert_eq!(slug(text), expected);
        }
    }
}
