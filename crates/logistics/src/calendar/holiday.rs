//! Public holidays, computed: those of a whole German state and of Austria. Holidays in parts of a state (the
//! Peace Festival in Augsburg, Assumption in most of Bavaria's municipalities, Corpus Christi in some of
//! Saxony's and Thuringia's) are entered as closures where they apply.
//!
//! Sources: the states' laws on Sundays and holidays, as the Federal Ministry of the Interior lists them
//! (<https://www.bmi.bund.de/DE/themen/verfassung/staatliche-symbole/nationale-feiertage>); Berlin's law of
//! 30 January 2019 (8 March; 8 May 2020), of 2024 (8 May 2025, 17 June 2028); Mecklenburg-Vorpommern's of
//! 2022 (8 March); Thuringia's of 2019 (20 September); for Austria section 7 of the Arbeitsruhegesetz.
//! Correct from 2019 on.

use chrono::{Datelike, Days, NaiveDate, TimeDelta, Weekday};
use serde::Serialize;
use utoipa::ToSchema;

use crate::calendar::region::Region;

/// Public holiday.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Holiday {
    NewYear,
    Epiphany,
    WomensDay,
    GoodFriday,
    EasterSunday,
    EasterMonday,
    LabourDay,
    LiberationDay,
    AscensionDay,
    WhitSunday,
    WhitMonday,
    CorpusChristi,
    /// Day of the uprising in the German Democratic Republic, 1953.
    UprisingDay,
    AssumptionDay,
    ChildrensDay,
    GermanUnityDay,
    AustrianNationalDay,
    ReformationDay,
    AllSaintsDay,
    RepentanceDay,
    ImmaculateConception,
    ChristmasDay,
    SecondChristmasDay,
}

/// Rule for the date of a holiday.
#[derive(Clone, Copy)]
enum Day {
    /// Month and day, and the first year.
    Fixed(u32, u32, i32),
    /// Single date.
    Once(i32, u32, u32),
    /// Number of days after Easter Sunday.
    Easter(i64),
    /// Wednesday before 23 November.
    Repentance,
}

use Day::{Easter, Fixed, Once, Repentance};
use Region::{
    Austria, BadenWuerttemberg, Bavaria, Berlin, Brandenburg, Bremen, Hamburg, Hesse, LowerSaxony,
    MecklenburgVorpommern, NorthRhineWestphalia, RhinelandPalatinate, Saarland, Saxony, SaxonyAnhalt,
    SchleswigHolstein, Thuringia,
};

/// Holidays of all German states.
const GERMANY: &[(Holiday, Day)] = &[
    (Holiday::NewYear, Fixed(1, 1, 0)),
    (Holiday::GoodFriday, Easter(-2)),
    (Holiday::EasterMonday, Easter(1)),
    (Holiday::LabourDay, Fixed(5, 1, 0)),
    (Holiday::AscensionDay, Easter(39)),
    (Holiday::WhitMonday, Easter(50)),
    (Holiday::GermanUnityDay, Fixed(10, 3, 1990)),
    (Holiday::ChristmasDay, Fixed(12, 25, 0)),
    (Holiday::SecondChristmasDay, Fixed(12, 26, 0)),
];

/// Holidays of some German states.
const STATES: &[(Holiday, Day, &[Region])] = &[
    (Holiday::Epiphany, Fixed(1, 6, 0), &[BadenWuerttemberg, Bavaria, SaxonyAnhalt]),
    (Holiday::WomensDay, Fixed(3, 8, 2019), &[Berlin]),
    (Holiday::WomensDay, Fixed(3, 8, 2023), &[MecklenburgVorpommern]),
    (Holiday::EasterSunday, Easter(0), &[Brandenburg]),
    (Holiday::LiberationDay, Once(2020, 5, 8), &[Berlin]),
    (Holiday::LiberationDay, Once(2025, 5, 8), &[Berlin]),
    (Holiday::WhitSunday, Easter(49), &[Brandenburg]),
    (
        Holiday::CorpusChristi,
        Easter(60),
        &[BadenWuerttemberg, Bavaria, Hesse, NorthRhineWestphalia, RhinelandPalatinate, Saarland],
    ),
    (Holiday::UprisingDay, Once(2028, 6, 17), &[Berlin]),
    (Holiday::AssumptionDay, Fixed(8, 15, 0), &[Saarland]),
    (Holiday::ChildrensDay, Fixed(9, 20, 2019), &[Thuringia]),
    (
        Holiday::ReformationDay,
        Fixed(10, 31, 0),
        &[Brandenburg, MecklenburgVorpommern, Saxony, SaxonyAnhalt, Thuringia],
    ),
    (Holiday::ReformationDay, Fixed(10, 31, 2018), &[Bremen, Hamburg, LowerSaxony, SchleswigHolstein]),
    (
        Holiday::AllSaintsDay,
        Fixed(11, 1, 0),
        &[BadenWuerttemberg, Bavaria, NorthRhineWestphalia, RhinelandPalatinate, Saarland],
    ),
    (Holiday::RepentanceDay, Repentance, &[Saxony]),
];

const AUSTRIA: &[(Holiday, Day)] = &[
    (Holiday::NewYear, Fixed(1, 1, 0)),
    (Holiday::Epiphany, Fixed(1, 6, 0)),
    (Holiday::EasterMonday, Easter(1)),
    (Holiday::LabourDay, Fixed(5, 1, 0)),
    (Holiday::AscensionDay, Easter(39)),
    (Holiday::WhitMonday, Easter(50)),
    (Holiday::CorpusChristi, Easter(60)),
    (Holiday::AssumptionDay, Fixed(8, 15, 0)),
    (Holiday::AustrianNationalDay, Fixed(10, 26, 0)),
    (Holiday::AllSaintsDay, Fixed(11, 1, 0)),
    (Holiday::ImmaculateConception, Fixed(12, 8, 0)),
    (Holiday::ChristmasDay, Fixed(12, 25, 0)),
    (Holiday::SecondChristmasDay, Fixed(12, 26, 0)),
];

/// Returns the public holiday on a day in a region, if there is one.
pub fn on(region: Region, date: NaiveDate) -> Option<Holiday> {
    let everywhere = if region == Austria { AUSTRIA } else { GERMANY };
    let of_state = STATES.iter().filter(|(.., regions)| regions.contains(&region));
    let all = everywhere.iter().copied().chain(of_state.map(|(holiday, day, _)| (*holiday, *day)));
    all.into_iter().find(|(_, day)| day.is(date)).map(|(holiday, _)| holiday)
}

impl Day {
    fn is(self, date: NaiveDate) -> bool {
        match self {
            Fixed(month, day, since) => (date.month(), date.day()) == (month, day) && date.year() >= since,
            Once(year, month, day) => (date.year(), date.month(), date.day()) == (year, month, day),
            // From Good Friday to Corpus Christi.
            Easter(after) => {
                (3..=6).contains(&date.month())
                    && easter(date.year()).is_some_and(|easter| date - easter == TimeDelta::days(after))
            }
            Repentance => {
                date.weekday() == Weekday::Wed && date.month() == 11 && (16..=22).contains(&date.day())
            }
        }
    }
}

/// Easter Sunday in the Gregorian calendar, by the algorithm of Meeus, Jones and Butcher (Jean Meeus,
/// Astronomical Algorithms, chapter 8).
#[expect(clippy::many_single_char_names, reason = "named as in the book")]
pub fn easter(year: i32) -> Option<NaiveDate> {
    let a = year.rem_euclid(19);
    let (b, c) = (year.div_euclid(100), year.rem_euclid(100));
    let (d, e) = (b / 4, b % 4);
    let g = (b - (b + 8) / 25 + 1) / 3;
    let h = (19 * a + b - d - g + 15) % 30;
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    // Days after 22 March, the earliest possible Easter.
    let after = h + l - 7 * m;
    let first = NaiveDate::from_ymd_opt(year, 3, 22)?;
    first.checked_add_days(Days::new(after.unsigned_abs().into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn holidays_in_year(region: Region, year: i32) -> Vec<(String, Holiday)> {
        let days = date(&format!("{year}-01-01")).iter_days().take_while(|day| day.year() == year);
        days.filter_map(|day| Some((day.format("%m-%d").to_string(), on(region, day)?))).collect()
    }

    #[test]
    fn easter_matches_the_almanacs() {
        for day in [
            "1818-03-22",
            "1943-04-25",
            "1961-04-02",
            "2000-04-23",
            "2019-04-21",
            "2024-03-31",
            "2025-04-20",
            "2026-04-05",
            "2027-03-28",
            "2028-04-16",
            "2030-04-21",
            "2038-04-25",
            "2049-04-18",
            "2076-04-19",
            "2099-04-12",
            "2285-03-22",
        ] {
            assert_eq!(easter(date(day).year()), Some(date(day)));
        }
    }

    /// Numbers of holidays in 2026 as published by the states, and those that distinguish a state from
    /// others.
    #[test]
    fn each_region_has_its_own_holidays() {
        for (region, count) in [
            (BadenWuerttemberg, 12),
            (Bavaria, 12),
            (Berlin, 10),
            (Brandenburg, 12),
            (Bremen, 10),
            (Hamburg, 10),
            (Hesse, 10),
            (MecklenburgVorpommern, 11),
            (LowerSaxony, 10),
            (NorthRhineWestphalia, 11),
            (RhinelandPalatinate, 11),
            (Saarland, 12),
            (Saxony, 11),
            (SaxonyAnhalt, 11),
            (SchleswigHolstein, 10),
            (Thuringia, 11),
            (Austria, 13),
        ] {
            let holidays = holidays_in_year(region, 2026);
            assert_eq!(holidays.len(), count, "{region}: {holidays:?}");
        }
    }

    #[test]
    fn regional_holidays_apply_only_in_their_regions() {
        use Holiday::{
            AllSaintsDay, AssumptionDay, ChildrensDay, CorpusChristi, Epiphany, GoodFriday, LiberationDay,
            ReformationDay, RepentanceDay, UprisingDay, WomensDay,
        };
        for (day, region, holiday, not_in) in [
            ("2026-01-06", Bavaria, Epiphany, Hesse),
            ("2026-03-08", Berlin, WomensDay, Brandenburg),
            ("2023-03-08", MecklenburgVorpommern, WomensDay, Hamburg),
            ("2026-04-03", Saxony, GoodFriday, Austria),
            ("2025-05-08", Berlin, LiberationDay, Brandenburg),
            ("2028-06-17", Berlin, UprisingDay, Brandenburg),
            ("2026-06-04", NorthRhineWestphalia, CorpusChristi, Saxony),
            ("2026-06-04", Austria, CorpusChristi, Thuringia),
            // A holiday in most of Bavaria's municipalities but not in the state; likewise Augsburg's a week
            // before.
            ("2026-08-15", Saarland, AssumptionDay, Bavaria),
            ("2026-09-20", Thuringia, ChildrensDay, Saxony),
            ("2026-10-31", Hamburg, ReformationDay, Berlin),
            ("2026-10-31", SaxonyAnhalt, ReformationDay, Hesse),
            ("2026-11-01", RhinelandPalatinate, AllSaintsDay, Hesse),
            ("2026-11-18", Saxony, RepentanceDay, Thuringia),
            ("2022-11-16", Saxony, RepentanceDay, Bavaria),
            ("2023-11-22", Saxony, RepentanceDay, Bavaria),
        ] {
            assert_eq!(on(region, date(day)), Some(holiday), "{day} in {region}");
            assert_eq!(on(not_in, date(day)), None, "{day} in {not_in}");
        }
        for (day, region) in [
            ("2018-03-08", Berlin),
            ("2022-03-08", MecklenburgVorpommern),
            ("2026-05-08", Berlin),
            ("2024-06-17", Berlin),
            ("2018-09-20", Thuringia),
            ("2017-10-30", Hamburg),
            ("2026-08-08", Bavaria),
            ("2026-11-11", Saxony),
            ("2026-10-03", Austria),
            ("2026-10-26", Bavaria),
            ("2026-12-24", Saxony),
        ] {
            assert_eq!(on(region, date(day)), None, "{day} in {region}");
        }
    }

    #[test]
    fn whole_years_match_printed_calendars() {
        let printed = [
            "01-01", "04-03", "04-06", "05-01", "05-14", "05-25", "06-04", "10-03", "11-01", "12-25", "12-26",
        ];
        let days: Vec<_> =
            holidays_in_year(NorthRhineWestphalia, 2026).into_iter().map(|(day, _)| day).collect();
        assert_eq!(days, printed);
        let printed = [
            "01-01", "01-06", "03-29", "05-01", "05-06", "05-17", "05-27", "08-15", "10-26", "11-01",
            "12-08", "12-25", "12-26",
        ];
        let days: Vec<_> = holidays_in_year(Austria, 2027).into_iter().map(|(day, _)| day).collect();
        assert_eq!(days, printed);
    }
}
