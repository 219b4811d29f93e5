//! Test cases of `testdata/rules`, shared with the tests of the frontend forms.

#[cfg(test)]
mod reader;

use std::collections::BTreeMap;

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use values::{Error, Result, Violations};

/// Reads a file of `testdata/rules`.
///
/// # Panics
/// If the file is missing or has another shape, so the test cannot run.
pub fn read<T: DeserializeOwned>(file: &str) -> T {
    let text = std::fs::read_to_string(format!("{}/{file}", folder())).expect("the file is there");
    serde_json::from_str(&text).expect("the file has the shape that is asked for")
}

const fn folder() -> &'static str {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/rules")
}

#[derive(Deserialize)]
struct Inputs {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    input: Value,
    errors: BTreeMap<String, Vec<String>>,
}

/// Checks that every input of a file breaks exactly the rules that the file lists.
///
/// # Panics
/// If one does not.
pub fn check<T: DeserializeOwned>(file: &str, rules: impl Fn(T) -> Violations) {
    let Inputs { cases } = read(file);
    assert!(!cases.is_empty());
    for Case { mut input, errors } in cases {
        let input_text = input.to_string();
        input.as_object_mut().expect("an input is an object").values_mut().for_each(unfold);
        assert_eq!(
            codes(&rules(serde_json::from_value(input).expect("an input of this resource"))),
            errors,
            "{input_text}"
        );
    }
}

/// Same for rules that return a row.
///
/// # Panics
/// If one does not.
pub fn check_rows<T: DeserializeOwned, R>(file: &str, row: impl Fn(T) -> Result<R>) {
    check(file, |input| match row(input) {
        Ok(_) => Violations::new(),
        Err(Error::Invalid(violations)) => violations,
        Err(error) => panic!("{error}"),
    });
}

#[test]
fn durations_are_read_and_shown() {
    #[derive(Deserialize)]
    struct Durations {
        cases: Vec<Read>,
    }
    #[derive(Deserialize)]
    struct Read {
        text: String,
        minutes: Option<i64>,
        shown: Option<String>,
    }
    for Read { text, minutes, shown } in read::<Durations>("duration.json").cases {
        let duration = values::Minutes::read(&text);
        assert_eq!(duration.ok().map(values::Minutes::minutes), minutes, "{text:?}");
        assert_eq!(duration.ok().map(|duration| duration.to_string()), shown, "{text:?}");
        if let Some(shown) = shown {
            assert_eq!(values::Minutes::read(&shown), duration, "{text:?} reads back");
        }
    }
}

#[test]
fn lead_times_are_read_and_shown_in_working_days() {
    #[derive(Deserialize)]
    struct LeadTimes {
        lead_times: Vec<Read>,
    }
    #[derive(Deserialize)]
    struct Read {
        text: String,
        minutes: Option<i64>,
        de: Option<String>,
        en: Option<String>,
    }
    for Read { text, minutes, de, en } in read::<LeadTimes>("duration.json").lead_times {
        let read = values::Minutes::read_lead_time(&text).ok();
        assert_eq!(read.map(values::Minutes::minutes), minutes, "{text:?}");
        for (language, shown) in [(values::Language::De, de), (values::Language::En, en)] {
            assert_eq!(read.map(|read| read.lead_time_text(language)), shown, "{text:?}");
            let again = shown.map(|shown| values::Minutes::read_lead_time(&shown).ok());
            assert_eq!(again.flatten(), read, "{text:?} reads back");
        }
    }
}

#[test]
fn times_of_day_are_read_and_shown() {
    #[derive(Deserialize)]
    struct Times {
        cases: Vec<Read>,
    }
    #[derive(Deserialize)]
    struct Read {
        text: String,
        minutes: Option<u16>,
    }
    for Read { text, minutes } in read::<Times>("clock_time.json").cases {
        let time = text.parse::<values::ClockTime>().ok();
        assert_eq!(time.map(values::ClockTime::minutes), minutes, "{text:?}");
        assert_eq!(time.map(|time| time.to_string()), minutes.map(|_| text));
    }
}

/// Codes at each path.
#[must_use]
pub fn codes(violations: &Violations) -> BTreeMap<String, Vec<String>> {
    let mut codes = BTreeMap::<_, Vec<_>>::new();
    for violation in violations.iter() {
        codes.entry(violation.path.clone()).or_default().push(violation.message.code.as_str().to_owned());
    }
    codes
}

/// Expands `{"repeat": 3}` to `"xxx"`.
fn unfold(field: &mut Value) {
    if let Some(count) = field.get("repeat").and_then(Value::as_u64) {
        *field = "x".repeat(usize::try_from(count).expect("a small number")).into();
    }
}
