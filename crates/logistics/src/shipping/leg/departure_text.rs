//! Departures and exceptions as text in a cell: `Mo–Fr 06:00, 14:30; Sa 08:00` and `24.12.2026 entfällt;
//! 31.12.2026 05:00 zusätzlich`. Written text can be read back, in either language; forms read departures in
//! the same way.

use chrono::{Datelike, NaiveDate};
use values::{ClockTime, Language, Message, Weekday, fold};

use super::timetable::{Departure, DepartureException, ExceptionType};
use crate::codes;

/// Weekdays: short names in German and English for writing, and further folded names for reading.
const WEEKDAYS: [(Weekday, &str, &str, &[&str]); 7] = [
    (Weekday::Monday, "Mo", "Mon", &["montag", "monday"]),
    (Weekday::Tuesday, "Di", "Tue", &["dienstag", "tuesday", "tues"]),
    (Weekday::Wednesday, "Mi", "Wed", &["mittwoch", "wednesday"]),
    (Weekday::Thursday, "Do", "Thu", &["donnerstag", "thursday", "thur", "thurs"]),
    (Weekday::Friday, "Fr", "Fri", &["freitag", "friday"]),
    (Weekday::Saturday, "Sa", "Sat", &["samstag", "saturday", "sonnabend"]),
    (Weekday::Sunday, "So", "Sun", &["sonntag", "sunday"]),
];
const EVERY_DAY: [&str; 2] = ["taglich", "daily"];
/// Words between the days of a range.
const UNTIL: [&str; 6] = ["-", "–", "—", "bis", "to", "until"];
/// Separators without a meaning of their own.
const IGNORED: [&str; 13] = [",", ";", "/", "&", "+", "und", "and", "um", "at", "uhr", "h", "je", "jeweils"];
const DROPPED: [&str; 4] = ["entfallt", "fallt aus", "dropped", "cancelled"];
const ADDED: [&str; 4] = ["zusatzlich", "extra", "added", "additional"];

/// Formats departures; days with the same times are grouped.
pub fn format_departures(departures: &[Departure], language: Language) -> String {
    let mut groups: Vec<(Vec<ClockTime>, Vec<Weekday>)> = Vec::new();
    for weekday in Weekday::ALL {
        let of_day = departures.iter().filter(|departure| departure.weekday == weekday);
        let times: Vec<_> = of_day.map(|departure| departure.time).collect();
        if times.is_empty() {
            continue;
        }
        match groups.iter_mut().find(|(group_times, _)| *group_times == times) {
            Some((_, days)) => days.push(weekday),
            None => groups.push((times, vec![weekday])),
        }
    }
    let written = groups.iter().map(|(times, days)| {
        let times: Vec<_> = times.iter().map(ToString::to_string).collect();
        format!("{} {}", format_weekdays(days, language), times.join(", "))
    });
    written.collect::<Vec<_>>().join("; ")
}

/// Formats weekdays as `Mo–Fr, So`; two consecutive days are not written as a range.
fn format_weekdays(days: &[Weekday], language: Language) -> String {
    let name = |day: &Weekday| {
        let entry = WEEKDAYS.iter().find(|(weekday, ..)| weekday == day);
        entry.map_or("", |(_, de, en, _)| if language == Language::De { de } else { en })
    };
    let runs = days.chunk_by(|day, next| day.number() + 1 == next.number());
    let written = runs.map(|run| match run {
        [first, _, .., last] => format!("{}–{}", name(first), name(last)),
        days => days.iter().map(name).collect::<Vec<_>>().join(", "),
    });
    written.collect::<Vec<_>>().join(", ")
}

/// Reads departures: weekdays, followed by the times of all of them, until further weekdays follow. They are
/// returned in the order of the week, each once.
///
/// # Errors
/// [`codes::INVALID_DEPARTURES`] with the first unreadable part.
pub fn read_departures(text: &str) -> Result<Vec<Departure>, Message> {
    let unread = |part: &str| codes::INVALID_DEPARTURES.with("text", part);
    let mut departures = Vec::new();
    let mut days: Vec<Weekday> = Vec::new();
    let (mut has_times, mut is_range) = (true, false);
    for token in tokens(text) {
        let word = fold(token.trim_end_matches('.'));
        let word_days = days_of(&word);
        if !word_days.is_empty() {
            if std::mem::take(&mut has_times) {
                days.clear();
            }
            match (is_range, days.last().copied(), &word_days[..]) {
                (false, ..) => days.extend(word_days),
                (true, Some(first), [last]) => days.extend(days_between(first, *last)),
                _ => return Err(unread(token)),
            }
            is_range = false;
        } else if UNTIL.contains(&&*word) {
            if has_times || is_range {
                return Err(unread(token));
            }
            is_range = true;
        } else if word.starts_with(|character: char| character.is_ascii_digit()) {
            let time = clock_time(&word).filter(|_| !is_range && !days.is_empty());
            let time = time.ok_or_else(|| unread(token))?;
            departures.extend(days.iter().map(|weekday| Departure { weekday: *weekday, time }));
            has_times = true;
        } else if !IGNORED.contains(&&*word) {
            return Err(unread(token));
        }
    }
    if is_range || !has_times {
        return Err(unread(text.trim()));
    }
    departures.sort_unstable();
    departures.dedup();
    Ok(departures)
}

/// Formats exceptions, one after the other.
pub fn format_exceptions(exceptions: &[DepartureException], language: Language) -> String {
    let written = exceptions.iter().map(|DepartureException { date, time, r#type }| {
        let date = match language {
            Language::De => date.format("%d.%m.%Y"),
            Language::En => date.format("%Y-%m-%d"),
        };
        let time = time.map(|time| format!(" {time}")).unwrap_or_default();
        let what = match (r#type, language) {
            (ExceptionType::Dropped, Language::De) => "entfällt",
            (ExceptionType::Dropped, Language::En) => "dropped",
            (ExceptionType::Added, Language::De) => "zusätzlich",
            (ExceptionType::Added, Language::En) => "added",
        };
        format!("{date}{time} {what}")
    });
    written.collect::<Vec<_>>().join("; ")
}

/// Reads exceptions: a date, an optional time, and a word that the departure is dropped or added.
///
/// # Errors
/// [`codes::INVALID_EXCEPTIONS`] with the first unreadable part.
pub fn read_exceptions(text: &str) -> Result<Vec<DepartureException>, Message> {
    let parts = text.split([';', ',', '\n']).map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| read_exception(part).ok_or_else(|| codes::INVALID_EXCEPTIONS.with("text", part)))
        .collect()
}

fn read_exception(text: &str) -> Option<DepartureException> {
    let folded = fold(text);
    let r#type = [(DROPPED, ExceptionType::Dropped), (ADDED, ExceptionType::Added)]
        .into_iter()
        .find_map(|(words, r#type)| words.iter().find_map(|word| Some((folded.strip_suffix(word)?, r#type))));
    let (moment, r#type) = r#type?;
    let mut words = moment.split_whitespace().filter(|word| !IGNORED.contains(word));
    let date = read_date(words.next()?)?;
    let time = words.next().map(clock_time);
    let is_read = words.next().is_none() && time != Some(None);
    is_read.then_some(DepartureException { date, time: time.flatten(), r#type })
}

/// Reads a date: `24.12.2026` or `2026-12-24`.
fn read_date(text: &str) -> Option<NaiveDate> {
    let mut formats = ["%d.%m.%Y", "%Y-%m-%d"].into_iter();
    let date = formats.find_map(|format| NaiveDate::parse_from_str(text, format).ok())?;
    (1000..=9999).contains(&date.year()).then_some(date)
}

/// Weekdays that a word names.
fn days_of(word: &str) -> Vec<Weekday> {
    if EVERY_DAY.contains(&word) {
        return Weekday::ALL.into();
    }
    let is_named = |(_, de, en, others): &&(Weekday, &str, &str, &[&str])| {
        de.eq_ignore_ascii_case(word) || en.eq_ignore_ascii_case(word) || others.contains(&word)
    };
    WEEKDAYS.iter().filter(is_named).map(|(weekday, ..)| *weekday).collect()
}

/// Days after `first`, up to `last`.
fn days_between(first: Weekday, last: Weekday) -> impl Iterator<Item = Weekday> {
    let behind = Weekday::ALL.into_iter().cycle().skip_while(move |day| *day != first).skip(1);
    let count = (last.number() - first.number()).rem_euclid(7);
    behind.take(usize::try_from(count).unwrap_or_default())
}

/// Reads a time of day: `06:00`, `6.00`, `1430`, `6`.
pub(super) fn clock_time(text: &str) -> Option<ClockTime> {
    let (hour, minute) = match text.split_once([':', '.']) {
        Some((hour, minute)) if minute.len() == 2 => (hour, minute),
        None if text.len() > 2 => text.split_at_checked(text.len() - 2)?,
        None => (text, "0"),
        Some(_) => return None,
    };
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if hour.len() > 2 || !is_number(hour) || !is_number(minute) {
        return None;
    }
    ClockTime::new(hour.parse().ok()?, minute.parse().ok()?)
}

/// Splits a text into times of day, words with a trailing dot, and single signs.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let length_of = |text: &str, is_part: fn(char) -> bool| {
            text.find(|character| !is_part(character)).unwrap_or(text.len())
        };
        let digits = |text: &str| length_of(text, |character| character.is_ascii_digit());
        let end = if first.is_ascii_digit() {
            let hour = digits(rest);
            match rest.get(hour..).and_then(|behind| behind.strip_prefix([':', '.'])) {
                Some(behind) if hour <= 2 && digits(behind) == 2 => hour + 3,
                _ => hour,
            }
        } else if first.is_alphabetic() {
            let word = length_of(rest, char::is_alphabetic);
            word + usize::from(rest.get(word..).is_some_and(|behind| behind.starts_with('.')))
        } else {
            first.len_utf8()
        };
        let (token, behind) = rest.split_at_checked(end)?;
        rest = behind;
        Some(token)
    })
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    /// Test cases that the frontend forms share.
    #[derive(Deserialize)]
    struct Cases {
        read: Vec<Reading>,
        refused: Vec<Refusal>,
        written: Vec<Written>,
    }

    #[derive(Deserialize)]
    struct Reading {
        text: String,
        departures: Vec<String>,
    }

    #[derive(Deserialize)]
    struct Refusal {
        text: String,
        at: Option<String>,
    }

    #[derive(Deserialize)]
    struct Written {
        departures: Vec<String>,
        de: String,
        en: String,
    }

    fn cases() -> Cases {
        testkit::rules::read("departures.json")
    }

    fn departures(texts: &[String]) -> Vec<Departure> {
        let departure = |text: &String| {
            let (weekday, time) = text.split_once(' ').unwrap();
            let weekday = serde_json::from_value(weekday.into()).unwrap();
            Departure { weekday, time: time.parse().unwrap() }
        };
        texts.iter().map(departure).collect()
    }

    #[test]
    fn departures_are_read_in_common_spellings() {
        let Cases { read, refused, .. } = cases();
        for case in read {
            assert_eq!(read_departures(&case.text), Ok(departures(&case.departures)), "{}", case.text);
        }
        for Refusal { text, at } in refused {
            // If the end is incomplete, the error contains the whole text.
            let at = at.as_deref().unwrap_or(&text);
            assert_eq!(read_departures(&text), Err(codes::INVALID_DEPARTURES.with("text", at)), "{text}");
        }
    }

    #[test]
    fn written_departures_are_read_back() {
        for case in cases().written {
            let departures = departures(&case.departures);
            for (language, written) in [(Language::De, &case.de), (Language::En, &case.en)] {
                assert_eq!(&format_departures(&departures, language), written);
                assert_eq!(read_departures(written), Ok(departures.clone()), "{written}");
            }
        }
    }

    #[test]
    fn written_exceptions_are_read_back() {
        let exception = |date: &str, time: Option<&str>, r#type| DepartureException {
            date: date.parse().unwrap(),
            time: time.map(|time| time.parse().unwrap()),
            r#type,
        };
        let exceptions = vec![
            exception("2026-12-24", None, ExceptionType::Dropped),
            exception("2026-12-30", Some("06:00"), ExceptionType::Dropped),
            exception("2026-12-31", Some("05:00"), ExceptionType::Added),
        ];
        for (language, written) in [
            (Language::De, "24.12.2026 entfällt; 30.12.2026 06:00 entfällt; 31.12.2026 05:00 zusätzlich"),
            (Language::En, "2026-12-24 dropped; 2026-12-30 06:00 dropped; 2026-12-31 05:00 added"),
        ] {
            assert_eq!(format_exceptions(&exceptions, language), written);
            assert_eq!(read_exceptions(written), Ok(exceptions.clone()), "{written}");
        }
        assert_eq!(read_exceptions("24.12.2026 um 6 Uhr fällt aus").unwrap().len(), 1);
        assert_eq!(read_exceptions(" ; "), Ok(vec![]));
        for text in [
            "24.12.2026",
            "31.2.2026 entfällt",
            "entfällt",
            "24.12.2026 25:00 entfällt",
            "24.12.2026 6 7 extra",
        ] {
            assert_eq!(read_exceptions(text), Err(codes::INVALID_EXCEPTIONS.with("text", text)), "{text}");
        }
    }
}
