//! Measures after the name of a column: the unit of its numbers, or quantity and unit of a price. `Länge
//! [m]`, `Länge in mm`, `Preis (EUR/100 kg)`, `Preis €/t`, `Preis je 1000 kg`.

use values::{
    Currency, Decimal, Unit,
    currency::SIGNS,
    fold::{fold, slug},
};

/// Word of a measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    Number(Decimal),
    Unit(Unit),
    Currency(Currency),
    /// Separator before the unit of a price: `/`, `je`, `per`.
    Per,
    /// Word before a unit: `in`.
    In,
    Unknown,
}

/// Splits a measure into words; brackets only separate them.
pub fn words(text: &str) -> Vec<Word> {
    tokens(text).into_iter().map(word).collect()
}

/// Splits a heading into the name of a column and the measure after it, in every possible way. The name is
/// empty if the whole heading is a measure.
pub(super) fn cuts(text: &str) -> Vec<(&str, String)> {
    let starts = text.char_indices().filter(|(at, c)| {
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        is_bracket(*c) || *c == '/' || SIGNS.contains(c) || before.is_none_or(char::is_whitespace)
    });
    let measured = starts.filter_map(|(at, _)| {
        let (name, behind) = text.split_at_checked(at)?;
        is_measure(behind).then(|| (name.trim_end(), bare(behind)))
    });
    // any text in square brackets is meant as a measure
    let bracketed = text.strip_suffix(']').and_then(|text| text.rsplit_once('['));
    let bracketed = bracketed.map(|(name, inner)| (name.trim_end(), inner.trim().to_owned()));
    measured.chain(bracketed.filter(|(_, inner)| !inner.is_empty())).collect()
}

/// Measure of a heading, without its name.
pub fn measure_of(text: &str) -> Option<String> {
    cuts(text).into_iter().next().map(|(_, measure)| measure)
}

/// True if a heading contains signs that the comparison of names ignores: `Preis [$]`, `Preis %`.
pub(super) fn has_lone_signs(text: &str) -> bool {
    let inner = text.strip_suffix(']').and_then(|text| text.rsplit_once('[')).map(|(_, inner)| inner.trim());
    text.contains(SIGNS)
        || text.contains(['%', '‰'])
        || inner.is_some_and(|inner| !inner.is_empty() && slug(inner).is_empty())
}

/// Currency within a measure, if there is one.
pub(super) fn currency_in(measure: &str) -> Option<&str> {
    tokens(measure).into_iter().find(|token| matches!(word(token), Word::Currency(_)))
}

fn is_bracket(c: char) -> bool {
    matches!(c, '(' | '[')
}

/// True if a text after a name can only be a measure.
fn is_measure(text: &str) -> bool {
    let words = words(text);
    let opens = text.starts_with(|c| is_bracket(c) || c == '/')
        || matches!(words.first(), Some(Word::Per | Word::In | Word::Currency(_)));
    let says = words.iter().any(|word| matches!(word, Word::Unit(_) | Word::Currency(_)))
        || matches!(words.as_slice(), [.., Word::Per, Word::Number(_)]);
    // the first of two consecutive units belongs to the name: `Maß (m) [km]`
    let twice = words.windows(2).any(|pair| matches!(pair, [Word::Unit(_), Word::Unit(_)]));
    opens && says && !twice && !words.contains(&Word::Unknown)
}

/// Removes the brackets of a measure and the `in` before it.
fn bare(behind: &str) -> String {
    let text = behind.replace(['(', ')', '[', ']'], " ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.split_once(' ') {
        Some((first, rest)) if word(first) == Word::In => rest.to_owned(),
        _ => text,
    }
}

fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    for part in text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']')) {
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let end = if first == '/' || SIGNS.contains(&first) {
                first.len_utf8()
            } else {
                let is_number = first.is_ascii_digit();
                rest.find(|c: char| {
                    c == '/'
                        || SIGNS.contains(&c)
                        || (is_number && !c.is_ascii_digit() && !matches!(c, '.' | ',' | '\''))
                })
                .unwrap_or(rest.len())
            };
            let (token, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
            tokens.push(token);
            rest = behind;
        }
    }
    tokens
}

fn word(token: &str) -> Word {
    match fold(token.trim_end_matches('.')).as_str() {
        "/" | "je" | "per" | "pro" | "fur" | "fuer" | "for" => return Word::Per,
        "in" => return Word::In,
        _ => {}
    }
    if let Some(number) = number(token) {
        Word::Number(number)
    } else if let Some(unit) = Unit::parse(token) {
        Word::Unit(unit)
    } else {
        Currency::parse(token).map_or(Word::Unknown, Word::Currency)
    }
}

/// Parses a number in the notation of headings: `100`, `1.000`, `1'000`, `0,5`.
fn number(token: &str) -> Option<Decimal> {
    let parts: Vec<&str> = token.split(['.', ',', '\'']).collect();
    if !parts.iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit())) {
        return None;
    }
    match parts.as_slice() {
        [first, rest @ ..] if first.len() <= 3 && rest.iter().all(|part| part.len() == 3) => {
            parts.concat().parse().ok()
        }
        [whole] => whole.parse().ok(),
        [whole, behind] => format!("{whole}.{behind}").parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Option<(&str, String)> {
        cuts(text).into_iter().next()
    }

    #[test]
    fn measures_are_read_from_brackets_after_a_slash_or_after_a_preposition() {
        for (text, name, measure) in [
            ("Preis [EUR/100 kg]", "Preis", "EUR/100 kg"),
            ("Preis (kg)", "Preis", "kg"),
            ("Preis(€/kg)", "Preis", "€/kg"),
            ("Preis EUR/to", "Preis", "EUR/to"),
            ("Preis €/100kg", "Preis", "€/100kg"),
            ("Preis€/t", "Preis", "€/t"),
            ("Preis / t", "Preis", "/ t"),
            ("Preis/100 kg", "Preis", "/100 kg"),
            ("Price per 1000 kg", "Price", "per 1000 kg"),
            ("Preis je t", "Preis", "je t"),
            ("Preis in EUR je 100 kg", "Preis", "EUR je 100 kg"),
            ("Preis (EUR) je 1.000 kg", "Preis", "EUR je 1.000 kg"),
            ("Länge in mm", "Länge", "mm"),
            ("Breite (innen) [mm]", "Breite (innen)", "mm"),
            ("Maß (m) [km]", "Maß (m)", "km"),
            ("Gewicht [kg/m]", "Gewicht", "kg/m"),
            ("Länge [Elle]", "Länge", "Elle"),
            ("€/100 kg", "", "€/100 kg"),
        ] {
            assert_eq!(cut(text), Some((name, measure.to_owned())), "{text}");
        }
        for none in
            ["Preis", "Breite (innen)", "Preis (netto)", "Preis je ME", "Staffel 1 ab", "Lieferzeit t", "[]"]
        {
            assert_eq!(cut(none), None, "{none}");
        }
    }

    #[test]
    fn thousands_separators_of_every_style_are_read() {
        for (text, value) in
            [("100", 100), ("1.000", 1000), ("1,000", 1000), ("1'000", 1000), ("1000000", 1_000_000)]
        {
            assert_eq!(words(text), [Word::Number(Decimal::from(value))], "{text}");
        }
        assert_eq!(words("0,5"), [Word::Number("0.5".parse().unwrap())]);
        assert_eq!(words("1.00.0"), [Word::Unknown]);
    }
}
