//! Natural order: numbers within a text are compared as numbers, so that `RD-20` comes before `RD-100`.

/// Mark after a whole number that is followed by a fraction: the greatest code point that database tools do
/// not drop, since the two above it are noncharacters.
const FRACTION: char = '\u{10fffd}';
/// Mark before the counts of leading zeros; smaller than any other character.
const ZEROS: char = '\u{1}';
/// Maximum length of a key in bytes. PostgreSQL's indexes take rows of 2,704 bytes, which also hold two
/// folded texts of 255 characters.
const LONGEST: usize = 600;

/// Sort key of a folded text, to be compared byte by byte. Different texts have different keys, except long
/// ones of other scripts: a key is cut at 600 bytes.
///
/// A whole number is preceded by the number of its digits. A single point or comma between digits begins a
/// fraction (`2,5` before `10`); several separate whole numbers (`1.2.10`). Leading zeros decide only if
/// everything else is equal.
pub fn sort_key(folded: &str) -> String {
    let mut key = String::with_capacity(folded.len() + 8);
    let mut zeros = String::new();
    let mut rest = folded;
    while let Some(begin) = rest.find(is_digit) {
        let (before, from) = rest.split_at(begin);
        let (number, behind) = from.split_at(number_length(from));
        key.push_str(before);
        rest = behind;
        let mut parts = number.split(is_mark);
        let (whole, fraction) = (parts.next().unwrap_or_default(), parts.next());
        match (fraction, parts.next()) {
            (Some(fraction), None) => {
                push_whole(whole, &mut key, &mut zeros);
                key.push(FRACTION);
                key.push_str(fraction);
                // terminates the digits, as it is less than any of them
                key.extend(number.chars().find(|character| is_mark(*character)));
            }
            _ => {
                for piece in number.split_inclusive(is_mark) {
                    let whole = piece.trim_end_matches(is_mark);
                    push_whole(whole, &mut key, &mut zeros);
                    key.extend(piece.chars().skip(whole.len()));
                }
            }
        }
    }
    key.push_str(rest);
    if zeros.contains(|count| count != '0') {
        key.push(ZEROS);
        key.push_str(&zeros);
    }
    key.truncate(key.floor_char_boundary(LONGEST));
    key
}

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}

fn is_mark(character: char) -> bool {
    matches!(character, '.' | ',')
}

/// Length of a run of digits with single marks between them.
fn number_length(text: &str) -> usize {
    let mut length = 0;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let joins = is_mark(character) && characters.peek().copied().is_some_and(is_digit);
        if !is_digit(character) && !joins {
            break;
        }
        length += character.len_utf8();
    }
    length
}

fn push_whole(digits: &str, key: &mut String, zeros: &mut String) {
    let number = digits.trim_start_matches('0');
    push_count(number.len(), key);
    key.push_str(number);
    push_count(digits.len() - number.len().max(1), zeros);
}

/// Writes a count as digits that sort like counts of any size: 8 is `8`, 9 is `90`, 18 is `990`.
fn push_count(count: usize, key: &mut String) {
    key.extend(std::iter::repeat_n('9', count / 9));
    key.push_str(&(count % 9).to_string());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fold;

    fn keys(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| sort_key(&fold(text))).collect()
    }

    #[test]
    fn texts_are_sorted_in_natural_order() {
        let long = |digits: usize, last: &str| format!("{}{last}", "9".repeat(digits));
        let (short, shorter) = (long(253, "0"), long(253, ""));
        let (less, more) = (long(254, "0"), long(254, "1"));
        for ordered in [
            &["RD-2", "RD-10", "RD-20", "RD-100", "RD-100-S235", "RD-1000"][..],
            &["IPE 80", "IPE 80 A", "ipe 100", "IPE 1000", "IPEA 80"],
            &[
                "Bl 1,5x1000",
                "Bl 2x1000",
                "Bl 2x1250",
                "Bl 2,25x1000",
                "Bl 2,5x500",
                "Bl 2,5x1000",
                "Bl 10x1000",
            ],
            &["FL-2-6000", "FL-2.5-6000", "FL-2.75-6000", "FL-3-6000", "FL-10-6000"],
            &["1.0038", "1.0577", "1.4301", "1.4571", "2.4602"],
            &["1.2.3", "1.2.10", "1.10.2", "2.1.1"],
            &["0", "0,5", "00,5", "1", "01", "001", "2", "02", "10"],
            &["a 7", "a 07", "a 7 b", "a 07 b", "a 8"],
            &["", "-", "1", "a", "a1", "ø 12", "ø 100"],
            &["M8", "M10", "M10x80", "M10x100"],
            &["m²", "m³", "m10"],
            &[
                "99999999",
                "999999999",
                "9999999999",
                "10000000000",
                "99999999999999999",
                "999999999999999999",
            ],
            &[&shorter, &short, &less, &more],
            &["10.", "10.a", "10.5"],
            &["2,", "2, 5", "2,,5", "2,.5", "2,5"],
        ] {
            let keys = keys(ordered);
            assert!(keys.is_sorted_by(|one, other| one < other), "{ordered:?} {keys:?}");
        }
    }

    #[test]
    fn texts_without_digits_are_their_own_key() {
        for text in ["", "trager", "a.b,c", "größe", "٢", "🜁"] {
            assert_eq!(sort_key(text), text);
        }
    }

    #[test]
    fn only_equal_texts_have_equal_keys() {
        let texts = [
            "",
            "0",
            "00",
            "000",
            "0000000000",
            "1",
            "01",
            "010",
            "0,1",
            "0.1",
            "00.1",
            "0.10",
            "1.0",
            "1.00",
            "01.0",
            "1a1",
            "1a01",
            "01a1",
            "a",
            "1,1,1",
            "1.1,1",
            "1,1.1",
            "11,1",
            "1,11",
        ];
        for one in texts {
            for other in texts {
                assert_eq!(sort_key(one) == sort_key(other), one == other, "{one} {other}");
            }
        }
    }

    #[test]
    fn keys_fit_into_an_index_in_any_script() {
        assert_eq!(sort_key(&"🜁".repeat(255)), "🜁".repeat(150));
        assert_eq!(sort_key(&"ß1".repeat(127)).len(), 127 * 4);
        assert_eq!(sort_key(&format!("a{}", "€".repeat(254))).len(), 598);
    }

    #[test]
    fn a_key_is_at_most_about_twice_as_long_as_its_text() {
        for length in 0..=255 {
            for text in ["9".repeat(length), "1a".repeat(length / 2), "0".repeat(length)] {
                assert!(sort_key(&text).len() <= text.len() * 2 + 2, "{text}");
            }
        }
    }
}
