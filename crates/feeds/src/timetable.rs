//! Timetables of feeds: daily, twice daily, weekly, monthly or twice monthly, at times of day in the
//! installation's time zone. The functions are pure: zone, start and number of runs are parameters.
//!
//! A month that lacks a day uses its last day. A time that is skipped when clocks go forward runs right after
//! the change; one that occurs twice when they go back runs the first time. Two runs at the same time are
//! one.

mod fields;

use chrono::{Datelike, Days, LocalResult, NaiveDate, NaiveDateTime, TimeZone};
use chrono_tz::Tz;
use values::{ClockTime, Instant, Weekday, earliest_moment_at, local_time_in};

pub use self::fields::{ScheduleFields, ScheduleType};

/// The days that a search for runs looks through: every schedule has a run within two months.
const DAYS_PER_RUN: u64 = 62;

/// A day of a month, from 1 to 31.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct MonthDay(u32);

impl MonthDay {
    pub const LAST: u32 = 31;

    /// Creates the day; `None` if no month has it.
    pub const fn new(day: u32) -> Option<Self> {
        if day >= 1 && day <= Self::LAST { Some(Self(day)) } else { None }
    }

    /// Number of the day, counted from 1.
    pub const fn number(self) -> u32 {
        self.0
    }

    /// True if a run for this day is on the date: it is that day, or the last one of a shorter month.
    fn is_on(self, date: NaiveDate) -> bool {
        let length = u32::from(date.num_days_in_month());
        date.day() == self.0.min(length)
    }
}

/// The times at which a feed runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Timetable {
    Daily { time: ClockTime },
    TwiceDaily { time: ClockTime, time_2: ClockTime },
    Weekly { day: Weekday, time: ClockTime },
    Monthly { day: MonthDay, time: ClockTime },
    TwiceMonthly { day: MonthDay, day_2: MonthDay, time: ClockTime, time_2: ClockTime },
}

/// Run, with the reasons if it is not at its usual time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub at: Instant,
    /// Local date and time in the time zone of the schedule.
    pub local_time: NaiveDateTime,
    pub reasons: Vec<Reason>,
}

/// Reason why a run deviates from the timetable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The month lacks this day, and its last day counts.
    LastDayOfMonth { day: MonthDay },
    /// Clocks go forward over this time.
    ClockForward { time: ClockTime },
    /// Clocks show this time twice, and the first time counts.
    ClockBack { time: ClockTime },
    /// Two runs fall together.
    Together,
}

impl Timetable {
    /// First run after a time.
    pub fn next_run(&self, zone: Tz, after: Instant) -> Option<Run> {
        self.runs(zone, after, 1).pop()
    }

    /// First `count` runs after a time, in their order.
    pub fn runs(&self, zone: Tz, after: Instant, count: usize) -> Vec<Run> {
        let first = local_time_in(zone, &after).date();
        let days = (count as u64).saturating_add(1).saturating_mul(DAYS_PER_RUN);
        let dates = (0..days).map_while(|day| first.checked_add_days(Days::new(day)));
        let mut runs: Vec<Run> = Vec::new();
        for date in dates {
            let mut today = self.on(date);
            today.sort_by_key(|(time, _)| *time);
            for (time, reason) in today {
                let run = resolve(zone, date, time, reason);
                let is_full = runs.len() == count;
                match runs.last_mut() {
                    _ if run.at <= after => {}
                    Some(last) if last.at == run.at => last.join(run),
                    // the last one may still be joined by another
                    _ if is_full => return runs,
                    _ => runs.push(run),
                }
            }
        }
        runs
    }

    /// The times of a date, each with the reason why it is on this date.
    fn on(&self, date: NaiveDate) -> Vec<(ClockTime, Option<Reason>)> {
        let monthly = |day: MonthDay, time: ClockTime| {
            let reason = (date.day() != day.0).then_some(Reason::LastDayOfMonth { day });
            day.is_on(date).then_some((time, reason))
        };
        match *self {
            Self::Daily { time } => vec![(time, None)],
            Self::TwiceDaily { time, time_2 } => vec![(time, None), (time_2, None)],
            Self::Weekly { day, time } if Weekday::from(date.weekday()) == day => vec![(time, None)],
            Self::Weekly { .. } => Vec::new(),
            Self::Monthly { day, time } => monthly(day, time).into_iter().collect(),
            Self::TwiceMonthly { day, day_2, time, time_2 } => {
                monthly(day, time).into_iter().chain(monthly(day_2, time_2)).collect()
            }
        }
    }
}

impl Run {
    /// Merges another run at the same time.
    fn join(&mut self, other: Self) {
        for reason in other.reasons.into_iter().chain([Reason::Together]) {
            if !self.reasons.contains(&reason) {
                self.reasons.push(reason);
            }
        }
    }
}

/// The run at a time of a date, with the reasons of the clock.
fn resolve(zone: Tz, date: NaiveDate, time: ClockTime, reason: Option<Reason>) -> Run {
    let local_time = date.and_time(time.time());
    let at = earliest_moment_at(zone, local_time);
    let clock = match zone.from_local_datetime(&local_time) {
        LocalResult::Single(_) => None,
        LocalResult::Ambiguous(..) => Some(Reason::ClockBack { time }),
        LocalResult::None => Some(Reason::ClockForward { time }),
    };
    Run { at, local_time: local_time_in(zone, &at), reasons: reason.into_iter().chain(clock).collect() }
}

#[cfg(test)]
mod tests;
