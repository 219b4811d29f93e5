//! Calendar of the installation: its time zone, its working week, the public holidays of a region, and
//! closures.

pub mod holiday;
pub mod region;

use std::{
    collections::BTreeMap,
    iter::successors,
    ops::{Range, RangeInclusive},
};

use chrono::{Datelike, NaiveDate, NaiveTime, TimeDelta};
use chrono_tz::Tz;
use values::{ClockTime, Instant, Message, Result, Violations, Weekday, earliest_moment_at};

use self::{holiday::Holiday, region::Region};

use crate::codes;

/// Years for which holidays and clock changes are known.
pub const YEARS: RangeInclusive<i32> = 2000..=2099;

/// Checks that a year is within [`YEARS`].
///
/// # Errors
/// At the path of the input otherwise.
pub fn check_year(path: &str, year: i32) -> Result<()> {
    if YEARS.contains(&year) {
        return Ok(());
    }
    let years = format!("{}–{}", YEARS.start(), YEARS.end());
    Err(Violations::error(path, codes::INVALID_PARAMETER.with("expected", years)))
}

/// True if a time is within [`YEARS`].
pub fn is_in_known_year(moment: &Instant) -> bool {
    YEARS.contains(&moment.year())
}

/// Error for a time outside the known years.
pub fn unknown_year() -> Message {
    codes::INVALID_YEAR.with("first", YEARS.start()).with("last", YEARS.end())
}

/// Calendar settings for all warehouses of an installation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// Time zone of days, weekdays and times of day.
    pub time_zone: Tz,
    /// Region whose public holidays apply to warehouses without a region of their own.
    pub region: Region,
    pub working_week: Vec<Weekday>,
}

impl Default for Installation {
    fn default() -> Self {
        use Weekday::{Friday, Monday, Thursday, Tuesday, Wednesday};
        Self {
            time_zone: Tz::Europe__Berlin,
            region: Region::NorthRhineWestphalia,
            working_week: vec![Monday, Tuesday, Wednesday, Thursday, Friday],
        }
    }
}

/// Maximum number of days that are searched for working days.
pub const HORIZON_DAYS: usize = 400;

/// Working days of a warehouse, and its time zone.
#[derive(Debug, Clone)]
pub struct Calendar {
    installation: Installation,
    region: Region,
    /// Closures with their names.
    closures: BTreeMap<NaiveDate, String>,
}

/// Reason why a day is not a working day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DayOff {
    NotInWorkingWeek(Weekday),
    PublicHoliday(Holiday),
    Closed(String),
}

/// Days of a year on which a place does not work, with its closures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DaysOff<C> {
    pub region: Region,
    pub working_week: Vec<Weekday>,
    pub public_holidays: Vec<(NaiveDate, Holiday)>,
    pub closures: Vec<C>,
}

impl<C> DaysOff<C> {
    /// Days off of a place, with its closures of that year.
    pub fn new(installation: &Installation, region: Option<Region>, year: i32, closures: Vec<C>) -> Self {
        let open = Calendar::new(installation.clone(), region, []);
        Self {
            region: open.region(),
            working_week: installation.working_week.clone(),
            public_holidays: open.public_holidays(year).collect(),
            closures,
        }
    }
}

/// Days of a year.
///
/// # Errors
/// At `year` if its holidays are not known.
pub fn days_of_year(year: i32) -> Result<Range<NaiveDate>> {
    check_year("year", year)?;
    let first_day = |year| NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or_default();
    Ok(first_day(year)..first_day(year + 1))
}

impl Calendar {
    /// Creates a calendar; `region` replaces that of the installation.
    pub fn new(
        installation: Installation,
        region: Option<Region>,
        closures: impl IntoIterator<Item = (NaiveDate, String)>,
    ) -> Self {
        let region = region.unwrap_or(installation.region);
        Self { installation, region, closures: closures.into_iter().collect() }
    }

    /// Returns the reason for a day off; `None` on a working day.
    pub fn day_off(&self, date: NaiveDate) -> Option<DayOff> {
        let weekday = Weekday::from(date.weekday());
        if !self.installation.working_week.contains(&weekday) {
            return Some(DayOff::NotInWorkingWeek(weekday));
        }
        if let Some(holiday) = holiday::on(self.region, date) {
            return Some(DayOff::PublicHoliday(holiday));
        }
        self.closures.get(&date).map(|name| DayOff::Closed(name.clone()))
    }

    /// Region whose public holidays apply.
    pub fn region(&self) -> Region {
        self.region
    }

    /// Public holidays of a year, including those outside the working week.
    pub fn public_holidays(&self, year: i32) -> impl Iterator<Item = (NaiveDate, Holiday)> {
        let first = NaiveDate::from_ymd_opt(year, 1, 1).into_iter();
        let days = first.flat_map(|first| first.iter_days()).take_while(move |day| day.year() == year);
        days.filter_map(|day| Some((day, holiday::on(self.region, day)?)))
    }

    /// Local date at a time.
    pub fn day_of(&self, moment: Instant) -> NaiveDate {
        moment.with_timezone(&self.installation.time_zone).date_naive()
    }

    /// Converts a local time to an instant. A time that is skipped when clocks go forward becomes the first
    /// one after the gap; of a time that occurs twice when they go back, the first one counts.
    pub fn moment(&self, date: NaiveDate, time: ClockTime) -> Instant {
        earliest_moment_at(self.installation.time_zone, date.and_time(time.time()))
    }

    /// Same time of day `days` working days later; `None` beyond [`HORIZON_DAYS`]. A time on a day off counts
    /// as the beginning of the next working day, so that a later start never gives an earlier result.
    pub fn after_working_days(&self, moment: Instant, days: usize) -> Option<Instant> {
        if days == 0 {
            return Some(moment);
        }
        let from = moment.with_timezone(&self.installation.time_zone).naive_local();
        let mut open = from.date().iter_days().take(HORIZON_DAYS).filter(|day| self.day_off(*day).is_none());
        let first = open.next()?;
        let time = if first == from.date() { from.time() } else { NaiveTime::MIN };
        Some(earliest_moment_at(self.installation.time_zone, open.nth(days - 1)?.and_time(time)))
    }

    /// Last whole minute from which `days` working days end by a time: the inverse of
    /// [`Self::after_working_days`].
    pub fn before_working_days(&self, by: Instant, days: usize) -> Option<Instant> {
        if days == 0 {
            return Some(by);
        }
        let minute = TimeDelta::minutes(1);
        let until = by.with_timezone(&self.installation.time_zone).naive_local();
        let earlier = successors(until.date().pred_opt(), NaiveDate::pred_opt).take(HORIZON_DAYS);
        let mut open = earlier.filter(|day| self.day_off(*day).is_none());
        if self.day_off(until.date()).is_some() {
            // The days end on the working day before, at any time.
            let day = open.nth(days)?;
            return Some(self.beginning(day.succ_opt()?) - minute);
        }
        let latest = open.nth(days - 1)?.and_time(until.time());
        let latest = earliest_moment_at(self.installation.time_zone, latest);
        // A skipped time becomes the first one after the gap.
        let is_late = self.after_working_days(latest, days).is_none_or(|end| end > by);
        Some(if is_late { latest - minute } else { latest })
    }

    /// Instant at which a day begins.
    pub fn beginning(&self, date: NaiveDate) -> Instant {
        self.moment(date, ClockTime::new(0, 0).expect("midnight"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn calendar() -> Calendar {
        let closures = [("2026-12-24", "Heiligabend"), ("2026-12-25", "Betriebsruhe")];
        Calendar::new(Installation::default(), None, closures.map(|(day, name)| (date(day), name.to_owned())))
    }

    #[test]
    fn a_day_is_off_outside_the_working_week_on_holidays_and_when_closed() {
        let off = |day: &str| calendar().day_off(date(day));
        assert_eq!(off("2026-11-27"), None, "a Friday");
        assert_eq!(off("2026-11-28"), Some(DayOff::NotInWorkingWeek(Weekday::Saturday)));
        assert_eq!(off("2026-05-01"), Some(DayOff::PublicHoliday(Holiday::LabourDay)));
        assert_eq!(off("2026-12-24"), Some(DayOff::Closed("Heiligabend".to_owned())));
        assert_eq!(off("2026-12-25"), Some(DayOff::PublicHoliday(Holiday::ChristmasDay)));
        assert_eq!(off("2026-12-23"), None);
    }

    #[test]
    fn lead_times_are_counted_in_working_days_at_the_same_time_of_day() {
        let after = |from: &str, days| calendar().after_working_days(from.parse().unwrap(), days);
        for (from, days, expected) in [
            // A Friday: Monday is one working day later.
            ("2026-11-27T11:00:00Z", 1, "2026-11-30T11:00:00Z"),
            ("2026-11-27T11:00:00Z", 5, "2026-12-04T11:00:00Z"),
            ("2026-11-27T22:59:00Z", 1, "2026-11-30T22:59:00Z"),
            // A Saturday: not earlier than an order on the Friday before.
            ("2026-11-28T11:00:00Z", 1, "2026-11-30T23:00:00Z"),
            ("2026-11-28T11:00:00Z", 0, "2026-11-28T11:00:00Z"),
            // Christmas Eve is closed, and Christmas a holiday.
            ("2026-12-23T11:00:00Z", 1, "2026-12-28T11:00:00Z"),
            // Noon stays noon when clocks go forward.
            ("2026-03-27T11:00:00Z", 1, "2026-03-30T10:00:00Z"),
        ] {
            assert_eq!(after(from, days), Some(expected.parse().unwrap()), "{from} + {days}");
        }
        assert_eq!(after("2026-11-27T11:00:00Z", 400), None);
    }

    #[test]
    fn the_latest_start_of_a_lead_time_is_the_last_minute_that_ends_in_time() {
        let minutes = |by: Instant| (0..9 * 24 * 60).map(move |before| by - TimeDelta::minutes(before));
        for by in [
            "2026-11-30T23:00:00Z",
            "2026-11-30T22:59:00Z",
            "2026-12-01T11:30:00Z",
            // A Sunday, and a Saturday after a closure and a holiday.
            "2026-11-29T15:00:00Z",
            "2026-12-26T08:00:00Z",
            // Before and after the days on which clocks change.
            "2027-03-29T10:00:00Z",
            "2026-10-26T10:00:00Z",
        ] {
            let by: Instant = by.parse().unwrap();
            for days in [0, 1, 2] {
                let ends_in_time = |at: &Instant| calendar().after_working_days(*at, days).unwrap() <= by;
                let expected = minutes(by).find(ends_in_time);
                assert_eq!(calendar().before_working_days(by, days), expected, "{days} days until {by}");
            }
        }
    }

    #[test]
    fn a_warehouse_observes_the_holidays_of_its_region() {
        let day_off_in =
            |region| Calendar::new(Installation::default(), region, []).day_off(date("2026-10-26"));
        assert_eq!(day_off_in(None), None);
        let national = DayOff::PublicHoliday(Holiday::AustrianNationalDay);
        assert_eq!(day_off_in(Some(Region::Austria)), Some(national));
    }

    #[test]
    fn a_year_has_the_public_holidays_of_the_region_in_their_order() {
        let holidays_of = |region, year| -> Vec<_> {
            let calendar = Calendar::new(Installation::default(), Some(region), []);
            calendar.public_holidays(year).map(|(day, _)| day.to_string()).collect()
        };
        let hamburg = [
            "2026-01-01",
            "2026-04-03",
            "2026-04-06",
            "2026-05-01",
            "2026-05-14",
            "2026-05-25",
            "2026-10-03",
            "2026-10-31",
            "2026-12-25",
            "2026-12-26",
        ];
        assert_eq!(holidays_of(Region::Hamburg, 2026), hamburg);
        assert_eq!(holidays_of(Region::Austria, 2026).len(), 13);
    }

    #[test]
    fn the_working_week_is_set_by_the_installation() {
        let installation = Installation { working_week: vec![Weekday::Saturday], ..Installation::default() };
        let calendar = Calendar::new(installation, None, []);
        assert_eq!(calendar.day_off(date("2026-11-28")), None);
        assert_eq!(calendar.day_off(date("2026-11-27")), Some(DayOff::NotInWorkingWeek(Weekday::Friday)));
    }

    #[test]
    fn skipped_and_repeated_local_times_map_to_one_moment() {
        for (day, time, moment) in [
            ("2026-11-23", "12:00", "2026-11-23T11:00:00Z"),
            ("2026-07-01", "12:00", "2026-07-01T10:00:00Z"),
            // Clocks go forward: 02:00 to 03:00 is skipped.
            ("2027-03-28", "01:59", "2027-03-28T00:59:00Z"),
            ("2027-03-28", "02:00", "2027-03-28T01:00:00Z"),
            ("2027-03-28", "02:30", "2027-03-28T01:00:00Z"),
            ("2027-03-28", "03:00", "2027-03-28T01:00:00Z"),
            ("2027-03-28", "03:01", "2027-03-28T01:01:00Z"),
            // Clocks go back: 02:00 to 03:00 occurs twice.
            ("2026-10-25", "01:59", "2026-10-24T23:59:00Z"),
            ("2026-10-25", "02:30", "2026-10-25T00:30:00Z"),
            ("2026-10-25", "03:00", "2026-10-25T02:00:00Z"),
        ] {
            let actual = calendar().moment(date(day), time.parse().unwrap());
            assert_eq!(actual, moment.parse::<Instant>().unwrap(), "{day} {time}");
        }
    }

    #[test]
    fn the_day_of_a_moment_depends_on_the_time_zone() {
        let day = |moment: &str| calendar().day_of(moment.parse().unwrap());
        assert_eq!(day("2026-11-23T22:59:59Z"), date("2026-11-23"));
        assert_eq!(day("2026-11-23T23:00:00Z"), date("2026-11-24"));
        assert_eq!(day("2026-07-01T22:00:00Z"), date("2026-07-02"));
    }
}
