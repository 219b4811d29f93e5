//! Tables of patterns and names, hostile names, and patterns made to take long.

use std::time::Instant;

use proptest::prelude::*;
use values::Language;

use super::*;
use crate::codes;

fn pattern(text: &str) -> FilePattern {
    FilePattern::parse(text).unwrap()
}

/// The date in a name, `yes` without one, or `no`.
fn matched(text: &str, name: &str) -> String {
    match pattern(text).matches(name) {
        None => "no".to_owned(),
        Some(NameMatch { date: None }) => "yes".to_owned(),
        Some(NameMatch { date: Some(date) }) => date.format("%F %T").to_string(),
    }
}

#[test]
fn names_match_their_patterns() {
    for (text, name, expected) in [
        ("preise.csv", "preise.csv", "yes"),
        ("preise.csv", "Preise.csv", "no"),
        ("preise.csv", "preise.csv ", "no"),
        ("*.csv", "a.csv", "yes"),
        ("*.csv", ".csv", "yes"),
        ("*.csv", "a.csv.tmp", "no"),
        ("**.csv", "a.csv", "yes"),
        ("preise*", "preise", "yes"),
        ("*a*a*", "aa", "yes"),
        ("*a*a*", "a", "no"),
        ("preis?.csv", "preisé.csv", "yes"),
        ("preis?.csv", "preis.csv", "no"),
        ("???", "äöü", "yes"),
        ("a.b", "axb", "no"),
        ("[a-z].csv", "[a-z].csv", "yes"),
        ("[a-z].csv", "q.csv", "no"),
        ("p_{yyyyMMdd}.csv", "p_20261128.csv", "2026-11-28 00:00:00"),
        ("p_{yyyyMMdd}.csv", "p_20261328.csv", "no"),
        ("p_{yyyyMMdd}.csv", "p_20260229.csv", "no"),
        ("p_{yyyyMMdd}.csv", "p_20280229.csv", "2028-02-29 00:00:00"),
        ("p_{yyyyMMdd}.csv", "p_19991231.csv", "no"),
        ("p_{yyyyMMdd}.csv", "p_2026112.csv", "no"),
        ("p_{yyyyMMdd}.csv", "p_202611２8.csv", "no"),
        ("{yyyy}-{MM}-{dd}.csv", "2026-11-28.csv", "2026-11-28 00:00:00"),
        ("{dd}.{MM}.{yy}.csv", "28.11.26.csv", "2026-11-28 00:00:00"),
        ("{yyyy-MM-dd}.csv", "2026-11-28.csv", "2026-11-28 00:00:00"),
        ("{yyyyMMdd_HHmmss}.csv", "20261128_060501.csv", "2026-11-28 06:05:01"),
        ("{yyyyMMddHHmm}.csv", "202611282460.csv", "no"),
        ("{yyyyMM}.csv", "202611.csv", "2026-11-01 00:00:00"),
        ("{dd}.csv", "31.csv", "2000-01-31 00:00:00"),
        // the digits before the date are no date
        ("*{yyyyMMdd}*.csv", "12345678_20261128_1.csv", "2026-11-28 00:00:00"),
        ("*{yyyyMMdd}.csv", "4711-20261128.csv", "2026-11-28 00:00:00"),
        ("*{dd}{MM}{yyyy}*", "99991128-28112026", "2026-11-28 00:00:00"),
    ] {
        assert_eq!(matched(text, name), expected, "{text} {name}");
    }
}

#[test]
fn hostile_names_never_match() {
    for name in [
        "",
        ".",
        "..",
        "../a",
        "/a",
        "a/b",
        "a\\b",
        "a\0b",
        "a\rb",
        "a\nb",
        "a\r\nDELE b",
        "a\tb",
        "a\u{7f}b",
        "a\u{85}b",
        "pr\u{fffd}is.csv",
    ] {
        for text in ["*", "?*", "a*b", "*?", "*{dd}*"] {
            assert_eq!(pattern(text).matches(name), None, "{text} {name:?}");
        }
    }
    assert_eq!(pattern("*").matches(&"x".repeat(256)), None);
    assert!(pattern("*").matches(&"x".repeat(255)).is_some());
}

#[test]
fn invalid_patterns_are_refused_with_their_position() {
    for (text, code, position) in [
        ("", codes::REQUIRED, None),
        (&*"x".repeat(256), codes::TOO_LONG, None),
        ("a/b", codes::FILE_PATTERN_CHARACTER, Some("2")),
        ("ä\\b", codes::FILE_PATTERN_CHARACTER, Some("2")),
        ("a\0b", codes::FILE_PATTERN_CHARACTER, Some("2")),
        ("abc\n", codes::FILE_PATTERN_CHARACTER, Some("4")),
        ("..", codes::FILE_PATTERN_CHARACTER, Some("1")),
        ("p{", codes::FILE_PATTERN_DATE, Some("2")),
        ("p{}", codes::FILE_PATTERN_DATE, Some("2")),
        ("p{-}", codes::FILE_PATTERN_DATE, Some("2")),
        ("p}", codes::FILE_PATTERN_DATE, Some("2")),
        ("p{yyyyMMdd", codes::FILE_PATTERN_DATE, Some("2")),
        ("p{yyy}", codes::FILE_PATTERN_DATE, Some("2")),
        ("p{YYYY}", codes::FILE_PATTERN_DATE, Some("2")),
        ("p{yyyy/MM}", codes::FILE_PATTERN_DATE, Some("2")),
        ("p{{dd}}", codes::FILE_PATTERN_DATE, Some("2")),
        ("p{ä}", codes::FILE_PATTERN_DATE, Some("2")),
        ("{dd}{dd}", codes::FILE_PATTERN_DATE, Some("5")),
        ("{yyyy}{yy}", codes::FILE_PATTERN_DATE, Some("7")),
        ("*a*a*a*a*a*a*a*a*", codes::FILE_PATTERN_STARS, None),
    ] {
        let message = FilePattern::parse(text).unwrap_err();
        assert_eq!((message.code, message.value("position")), (code, position), "{text}");
        for language in [Language::De, Language::En] {
            let sentence = message.text(language);
            assert!(
                !sentence.contains("{p") && !sentence.contains("{t") && !sentence.contains("{e"),
                "{sentence}"
            );
        }
    }
}

#[test]
fn the_expected_name_contains_the_local_date() {
    let local_time = "2026-01-02T03:04:05".parse().unwrap();
    for (text, name) in [
        ("p_{yyyyMMdd}.csv", Some("p_20260102.csv")),
        ("{yy-MM-dd}_{HHmmss}", Some("26-01-02_030405")),
        ("preise.csv", Some("preise.csv")),
        ("p_{yyyyMMdd}_*.csv", None),
        ("p?{yyyyMMdd}", None),
    ] {
        assert_eq!(pattern(text).name_at(local_time).as_deref(), name);
    }
    assert_eq!(pattern("preise.csv").literal().as_deref(), Some("preise.csv"));
    assert_eq!(pattern("p{dd}.csv").literal(), None);
    assert_eq!(pattern("p{dd}.csv").to_string(), "p{dd}.csv");
}

fn file(name: &str, modified: Option<&str>) -> RemoteEntry {
    let modified = modified.map(|text| text.parse().unwrap());
    RemoteEntry { name: name.to_owned(), kind: EntryKind::File, size: Some(1), modified }
}

fn order(text: &str, entries: Vec<RemoteEntry>) -> Vec<String> {
    let listing = Listing { entries, unsafe_names: 0 };
    pattern(text).files(&listing).into_iter().map(|entry| entry.name.clone()).collect()
}

#[test]
fn several_files_are_read_oldest_first() {
    const EARLY: Option<&str> = Some("2026-11-27T06:00:00Z");
    const LATE: Option<&str> = Some("2026-11-28T06:00:00Z");
    // the date in the name counts more than the time of the last change
    let dated = vec![file("p20261128.csv", EARLY), file("p20261127.csv", LATE), file("p20251231.csv", None)];
    assert_eq!(order("p{yyyyMMdd}.csv", dated.clone()), ["p20251231.csv", "p20261127.csv", "p20261128.csv"]);
    assert_eq!(order("p*.csv", dated), ["p20251231.csv", "p20261128.csv", "p20261127.csv"]);
    let same_time = vec![file("b.csv", LATE), file("a.csv", LATE), file("c.csv", EARLY)];
    assert_eq!(order("*.csv", same_time), ["c.csv", "a.csv", "b.csv"]);
    let folder = RemoteEntry { kind: EntryKind::Folder, ..file("d.csv", EARLY) };
    let link = RemoteEntry { kind: EntryKind::Other, ..file("e.csv", EARLY) };
    let others = vec![file("a.csv", LATE), file("a.csv.done", LATE), folder, link];
    assert_eq!(order("*", others), ["a.csv"]);
}

#[test]
fn a_pattern_made_to_be_slow_is_matched_in_bounded_time() {
    let began = Instant::now();
    let text = format!("{}{{dd}}{{MM}}", "*1".repeat(FILE_PATTERN_STARS_MAX));
    assert_eq!(
        pattern(&text).matches(&"1".repeat(255)).map(|name_match| name_match.date.is_some()),
        Some(true)
    );
    let text = format!("{}x", "*1".repeat(FILE_PATTERN_STARS_MAX));
    assert_eq!(pattern(&text).matches(&"1".repeat(255)), None);
    assert!(began.elapsed().as_secs() < 10, "{:?}", began.elapsed());
}

proptest! {
    #[test]
    fn a_name_made_from_a_pattern_matches_with_its_date(days in 0_u64..36_000, seconds in 0_u32..86_400) {
        let date = NaiveDate::from_ymd_opt(2000, 1, 1).unwrap() + chrono::Days::new(days);
        let local_time = date.and_time(chrono::NaiveTime::from_num_seconds_from_midnight_opt(seconds, 0).unwrap());
        for text in ["p{yyyyMMdd}-{HHmmss}.csv", "{ss}{mm}{HH}x{dd.MM.yy}"] {
            let pattern = pattern(text);
            let name = pattern.name_at(local_time).unwrap();
            prop_assert_eq!(pattern.matches(&name), Some(NameMatch { date: Some(local_time) }));
        }
    }

    #[test]
    fn arbitrary_patterns_match_only_safe_names(text in ".{0,40}", name in ".{0,40}") {
        if let Ok(pattern) = FilePattern::parse(&text) {
            let is_match = pattern.matches(&name).is_some();
            prop_assert!(!is_match || is_safe_name(&name));
            if pattern.literal().is_some() {
                prop_assert_eq!(is_match, text == name);
            }
        }
    }
}
