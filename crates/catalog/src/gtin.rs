//! GTINs according to the GS1 General Specifications: 8, 12, 13 or 14 digits, the last of which is a check
//! digit.

use values::Message;

use crate::codes;

const LENGTHS: [usize; 4] = [8, 12, 13, 14];
const FULL: usize = 14;

/// Reads the digits of a GTIN, which may be separated by spaces and hyphens.
pub fn read(text: &str) -> Result<String, Message> {
    let digits: String = text.chars().filter(|c| !matches!(c, ' ' | '\u{a0}' | '-')).collect();
    if !LENGTHS.contains(&digits.len()) || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(codes::INVALID_GTIN.into());
    }
    let (body, last_digit) = digits.split_at(digits.len() - 1);
    let expected = check_digit(body).to_string();
    if last_digit != expected {
        return Err(codes::GTIN_CHECK_DIGIT.with("digits", body).with("expected", expected));
    }
    Ok(digits)
}

/// Pads a GTIN to 14 digits, since the same number may be written with fewer.
pub(crate) fn full(digits: &str) -> String {
    format!("{digits:0>FULL$}")
}

/// Possible beginnings of 14-digit GTINs for digits of a GTIN of any length.
pub(crate) fn beginnings(digits: &str) -> impl Iterator<Item = String> {
    LENGTHS.into_iter().map(move |length| format!("{}{digits}", "0".repeat(FULL - length)))
}

/// Check digit: counted from the right, every other digit weighs three.
fn check_digit(body: &str) -> u32 {
    let digits = body.bytes().rev().map(|digit| u32::from(digit - b'0'));
    let sum: u32 = digits.zip([3, 1].into_iter().cycle()).map(|(digit, weight)| digit * weight).sum();
    (10 - sum % 10) % 10
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The frontend form is tested with the same cases.
    #[test]
    fn a_gtin_has_one_of_four_lengths_and_the_right_check_digit() {
        #[derive(serde::Deserialize)]
        struct Cases {
            cases: Vec<Case>,
        }
        #[derive(serde::Deserialize)]
        struct Case {
            written: String,
            gtin: Option<String>,
            error: Option<String>,
        }
        for Case { written, gtin, error } in crate::testdata::read::<Cases>("gtin.json").cases {
            let result = read(written.trim());
            assert_eq!(result.as_ref().err().map(|fault| fault.code.as_str()), error.as_deref(), "{written}");
            assert_eq!(result.ok(), gtin, "{written}");
        }
        for last in '0'..='9' {
            let result = read(&format!("400638133393{last}"));
            let wrong = || codes::GTIN_CHECK_DIGIT.with("digits", "400638133393").with("expected", "1");
            assert_eq!(result.err(), (last != '1').then(wrong), "{last}");
        }
    }

    #[test]
    fn gtins_of_any_length_are_compared_with_14_digits() {
        assert_eq!(full("96385074"), "00000096385074");
        assert_eq!(full("4006381333931"), "04006381333931");
        assert_eq!(full("04006381333931"), "04006381333931");
        let actual: Vec<_> = beginnings("4006").collect();
        assert_eq!(actual, ["0000004006", "004006", "04006", "4006"]);
    }
}
