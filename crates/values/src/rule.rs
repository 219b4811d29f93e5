//! Validation rules that the crate `validator` does not have. Those of a field are declared at the field
//! ([`crate::input`]): `#[validate(length(min = 1, max = 255), custom(function = printable))]`. The others
//! are for values that are no field, and for relations between fields; they add to the violations of an
//! input.

use std::sync::LazyLock;

use regex::Regex;
use unicode_normalization::UnicodeNormalization;
use validator::ValidationError;

use crate::{
    clock_time::ClockTime, code::Code, codes, decimal::Decimal, duration::Minutes, error::Violations,
    fold::fold, input::broken, message::QUOTED_MAX, period::Period,
};

/// Maximum length of the text of a field, in characters (specification, section 5).
pub const TEXT_MAX: usize = QUOTED_MAX;

/// Checks a required text that is no field: a rendered number, a value of a file.
pub fn required(violations: &mut Violations, path: &str, text: &str) {
    if text.trim().is_empty() {
        violations.add(path, codes::REQUIRED);
    } else {
        bounded(violations, path, text);
    }
}

/// Checks an optional text that is no field.
pub fn optional(violations: &mut Violations, path: &str, text: Option<&str>) {
    if let Some(text) = text {
        bounded(violations, path, text);
    }
}

fn length(violations: &mut Violations, path: &str, text: &str) {
    if text.chars().count() > TEXT_MAX {
        violations.add(path, codes::TOO_LONG.with("max", TEXT_MAX));
    }
}

fn bounded(violations: &mut Violations, path: &str, text: &str) {
    length(violations, path, text);
    if printable(text).is_err() {
        violations.add(path, codes::NOT_PRINTABLE);
    }
}

/// Checks that a text has no control characters.
pub fn printable(text: &str) -> Result<(), ValidationError> {
    // Includes characters that XML does not allow, and the one for "a character that could not be read".
    if text.chars().any(|c| c.is_control() || matches!(c, '\u{FFFD}'..='\u{FFFF}')) {
        return Err(broken(codes::NOT_PRINTABLE));
    }
    Ok(())
}

/// Checks that a decimal is above zero with at most `BEFORE` digits before and `AFTER` digits after the
/// point.
pub fn positive<const BEFORE: u32, const AFTER: u32>(value: &Decimal) -> Result<(), ValidationError> {
    if !value.fits(BEFORE, AFTER) {
        let mut error = broken(if AFTER == 0 { codes::NOT_WHOLE } else { codes::INVALID_DECIMAL });
        error.add_param("before".into(), &BEFORE);
        error.add_param("after".into(), &AFTER);
        return Err(error);
    }
    if *value <= Decimal::ZERO {
        let mut error = broken(codes::NOT_GREATER);
        error.add_param("bound".into(), &0);
        return Err(error);
    }
    Ok(())
}

/// Checks that a decimal is at least `MIN` and at most `MAX`.
pub fn between<const MIN: i32, const MAX: i32>(value: &Decimal) -> Result<(), ValidationError> {
    let (code, param, bound) = if *value < Decimal::from(MIN) {
        (codes::TOO_SMALL, "min", MIN)
    } else if *value > Decimal::from(MAX) {
        (codes::TOO_BIG, "max", MAX)
    } else {
        return Ok(());
    };
    let mut error = broken(code);
    error.add_param(param.into(), &bound);
    Err(error)
}

/// Checks that a decimal is at least zero with at most `before` digits before and `after` digits after the
/// point.
pub fn not_negative(
    violations: &mut Violations,
    path: &str,
    value: Option<Decimal>,
    before: u32,
    after: u32,
) {
    let Some(value) = value else { return };
    if !value.fits(before, after) {
        violations.add(path, codes::INVALID_DECIMAL.with("before", before).with("after", after));
    } else if value < Decimal::ZERO {
        violations.add(path, codes::TOO_SMALL.with("min", 0));
    }
}

/// Converts a duration from whole minutes, as on the wire. An invalid one gives `None` and a violation.
pub fn duration(violations: &mut Violations, path: &str, minutes: i64) -> Option<Minutes> {
    let duration = Minutes::from_minutes(minutes);
    if duration.is_none() {
        violations.add(path, codes::INVALID_DURATION);
    }
    duration
}

/// Parses an optional time of day. An invalid one gives `None` and a violation.
pub fn clock_time(violations: &mut Violations, path: &str, text: Option<&str>) -> Option<ClockTime> {
    let time = text.filter(|text| !text.trim().is_empty())?.trim().parse::<ClockTime>();
    time.map_err(|error| violations.add(path, Code::from(error))).ok()
}

/// Checks a period; a violation is reported at the field of its end.
pub fn period<T: Ord>(violations: &mut Violations, path: &str, period: &Period<T>) {
    if period.is_empty() {
        violations.add(path, codes::ENDS_BEFORE_START);
    }
}

/// Material number according to EN 10027-2: `x.xxxx`, extended by two digits if a group is full.
pub static MATERIAL_NUMBER: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[0-9]\.[0-9]{4}([0-9]{2})?$"));

/// Short code: `A-Z a-z 0-9 - _ . ,`. It may be empty, since its presence is another rule.
pub static SHORT_CODE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[A-Za-z0-9_.,-]*$"));

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern of ours")
}

/// Maximum length of an e-mail address before the `@` (RFC 5321, 4.5.3.1.1).
pub const EMAIL_NAME_MAX: usize = 64;

/// Checks an e-mail address: a single `@`, text before it, a name with a dot after it, no invisible
/// characters, and none of the characters that separate addresses from one another and from names.
/// `validator`'s own rule accepts invisible characters and refuses names that are not ASCII.
pub fn email(text: &str) -> Result<(), ValidationError> {
    if text.chars().any(|c| is_invisible(c) || "<>()[]\\,;:\"".contains(c)) {
        return Err(broken(codes::EMAIL_CHARACTERS));
    }
    if text.split_once('@').is_some_and(|(name, _)| name.chars().count() > EMAIL_NAME_MAX) {
        let mut error = broken(codes::EMAIL_NAME_TOO_LONG);
        error.add_param("max".into(), &EMAIL_NAME_MAX);
        return Err(error);
    }
    let well_formed = text.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && !host.contains('@')
            && host.split('.').count() > 1
            && host.split('.').all(|part| !part.is_empty())
    });
    if !well_formed || text.chars().any(char::is_whitespace) {
        return Err(broken(codes::INVALID_EMAIL));
    }
    Ok(())
}

/// True for characters that are invisible or change the direction of a text: `Default_Ignorable_Code_Point`
/// of Unicode, and format characters.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{890}'..='\u{891}' | '\u{8E2}'
        | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{110BD}' | '\u{110CD}' | '\u{13430}'..='\u{1343F}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Checks that no key occurs twice; a repetition is reported at `path(index)`.
pub fn unique<K: Eq + std::hash::Hash>(
    violations: &mut Violations,
    keys: impl IntoIterator<Item = K>,
    path: impl Fn(usize) -> String,
) {
    let mut seen = std::collections::HashSet::new();
    for (index, key) in keys.into_iter().enumerate() {
        if !seen.insert(key) {
            violations.add(path(index), codes::DUPLICATE);
        }
    }
}

/// Checks that no text occurs twice, ignoring case; empty texts are left to another rule.
pub fn distinct<T: AsRef<str>>(
    violations: &mut Violations,
    texts: impl IntoIterator<Item = T>,
    path: impl Fn(usize) -> String,
) {
    let mut seen = std::collections::HashSet::new();
    for (index, text) in texts.into_iter().enumerate() {
        let folded = fold(text.as_ref());
        if !folded.is_empty() && !seen.insert(folded) {
            violations.add(path(index), codes::DUPLICATE);
        }
    }
}

/// Trims a text for storage; `None` if it is empty.
pub fn trimmed(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Normalises an identifier of another system for storage: composed Unicode (NFC), trimmed, leading zeros
/// preserved; `None` if empty.
pub fn identifier(text: Option<String>) -> Option<String> {
    trimmed(text.map(|text| text.nfc().collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(rule: impl FnOnce(&mut Violations)) -> Vec<Code> {
        let mut violations = Violations::new();
        rule(&mut violations);
        violations.iter().map(|violation| violation.message.code).collect()
    }

    fn code(outcome: Result<(), ValidationError>) -> Option<&'static str> {
        Code::find(&outcome.err()?.code).map(Code::as_str)
    }

    #[test]
    fn a_required_text_has_1_to_255_printable_characters() {
        let check = |text: &str| codes(|v| required(v, "name", text));
        assert_eq!(check(""), [codes::REQUIRED]);
        assert_eq!(check(" \t"), [codes::REQUIRED]);
        assert_eq!(check(&"ä".repeat(255)), []);
        assert_eq!(check(&"ä".repeat(256)), [codes::TOO_LONG]);
        for bad in ["a\u{0}b", "a\nb", "a\u{85}b", "a\u{FFFD}", "a\u{FFFE}b"] {
            assert_eq!(check(bad), [codes::NOT_PRINTABLE], "{bad:?}");
        }
    }

    #[test]
    fn a_material_number_has_the_form_of_en_10027() {
        for good in ["1.0038", "1.990100", "3.3206"] {
            assert!(MATERIAL_NUMBER.is_match(good), "{good}");
        }
        for bad in ["", "1.003", "1.00380", "1,0038", "10038", "1.0038 ", "1.003８", "a.0038", "11.0038"] {
            assert!(!MATERIAL_NUMBER.is_match(bad), "{bad}");
        }
    }

    #[test]
    fn a_positive_decimal_is_above_zero_and_within_its_digits() {
        let check = |text: &str| code(positive::<3, 2>(&text.parse().unwrap()));
        assert_eq!(check("7.85"), None);
        assert_eq!(check("0"), Some(codes::NOT_GREATER.as_str()));
        assert_eq!(check("-1"), Some(codes::NOT_GREATER.as_str()));
        assert_eq!(check("1000"), Some(codes::INVALID_DECIMAL.as_str()));
        assert_eq!(check("7.851"), Some(codes::INVALID_DECIMAL.as_str()));
    }

    #[test]
    fn a_decimal_between_bounds_may_equal_either_of_them() {
        let check = |text: &str| code(between::<-90, 90>(&text.parse().unwrap()));
        assert_eq!(["-90", "0", "90"].map(check), [None; 3]);
        assert_eq!(check("-90.000001"), Some(codes::TOO_SMALL.as_str()));
        assert_eq!(check("90.000001"), Some(codes::TOO_BIG.as_str()));
    }

    #[test]
    fn a_non_negative_decimal_may_be_zero() {
        let check = |text: &str| codes(|v| not_negative(v, "price", Some(text.parse().unwrap()), 3, 2));
        assert_eq!(check("0"), []);
        assert_eq!(check("999.99"), []);
        assert_eq!(check("-0.01"), [codes::TOO_SMALL]);
        assert_eq!(check("1000"), [codes::INVALID_DECIMAL]);
    }

    #[test]
    fn durations_times_of_day_and_periods_are_refused_at_their_fields() {
        let minutes = |minutes: i64| codes(|v| _ = duration(v, "travel_duration", minutes));
        assert_eq!([0, 43_200].map(minutes), [vec![], vec![]]);
        assert_eq!([-1, 43_201].map(minutes), [vec![codes::INVALID_DURATION], vec![codes::INVALID_DURATION]]);

        let time = |text: Option<&str>| codes(|v| _ = clock_time(v, "time", text));
        assert_eq!([None, Some(""), Some(" 23:59 ")].map(time), [vec![], vec![], vec![]]);
        assert_eq!(time(Some("24:00")), [codes::INVALID_CLOCK_TIME]);

        let until = |until: i32| codes(|v| period(v, "until", &Period::new(5, Some(until))));
        assert_eq!([6, 5].map(until), [vec![], vec![codes::ENDS_BEFORE_START]]);
    }

    #[test]
    fn an_email_address_has_a_name_and_a_host() {
        let check = |text: &str| code(email(text));
        assert_eq!(check("leitung@nordstahl.example"), None);
        for bad in [
            "leitung",
            "@nordstahl.example",
            "leitung@",
            "leitung@example",
            "a@b@c.example",
            "a b@c.example",
            "a@b..example",
        ] {
            assert_eq!(check(bad), Some(codes::INVALID_EMAIL.as_str()), "{bad}");
        }
    }

    #[test]
    fn an_email_address_has_no_invisible_characters() {
        let check = |text: &str| code(email(text));
        for good in [
            "müller@süd-rohr.example",
            "o'neil+ost@x.example",
            "李@例子.example",
            &format!("{}@x.example", "a".repeat(64)),
        ] {
            assert_eq!(check(good), None, "{good}");
        }
        assert_eq!(
            check(&format!("{}@x.example", "ä".repeat(65))),
            Some(codes::EMAIL_NAME_TOO_LONG.as_str())
        );
        for bad in [
            "<a@b.example>",
            "Eva <a@b.example>",
            "a@b.example,c@d.example",
            "\"a\"@b.example",
            "ad\u{200b}min@b.example",
            "admin@b.example\u{feff}",
            "\u{202e}nimda@b.example",
            "ad\u{ad}min@b.example",
        ] {
            assert_eq!(check(bad), Some(codes::EMAIL_CHARACTERS.as_str()), "{bad:?}");
        }
    }

    #[test]
    fn an_identifier_is_normalised_and_keeps_its_zeros() {
        let read = |text: &str| identifier(Some(text.to_owned()));
        assert_eq!(read(" 00047-O\u{308}l "), Some("00047-Öl".to_owned()));
        assert_eq!((read(" \t"), identifier(None)), (None, None));
    }

    #[test]
    fn repetitions_are_reported_at_their_position() {
        let mut violations = Violations::new();
        unique(&mut violations, ["a", "b", "a", "a"], |index| format!("options.{index}.name"));
        let paths: Vec<_> = violations.iter().map(|violation| violation.path.as_str()).collect();
        assert_eq!(paths, ["options.2.name", "options.3.name"]);
    }

    #[test]
    fn texts_are_compared_without_case_and_missing_ones_are_ignored() {
        let mut violations = Violations::new();
        distinct(&mut violations, ["L06", "", "l06", "", "Süd", "SUD"], |index| index.to_string());
        let paths: Vec<_> = violations.iter().map(|violation| violation.path.as_str()).collect();
        assert_eq!(paths, ["2", "5"]);
    }

    #[test]
    fn a_short_code_contains_no_umlauts_or_spaces() {
        assert!(SHORT_CODE.is_match("NS-01_a.b,c"));
        for bad in ["Süd", "a b", "a\n"] {
            assert!(!SHORT_CODE.is_match(bad), "{bad:?}");
        }
    }
}
