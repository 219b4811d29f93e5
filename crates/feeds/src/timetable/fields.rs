//! The fields of a schedule as a form has them, and which of them each type needs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{ClockTime, Message, Result, Violations, Weekday};

use super::{MonthDay, Timetable};
use crate::codes;

/// The rhythm of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleType {
    Daily,
    TwiceDaily,
    Weekly,
    Monthly,
    TwiceMonthly,
}

/// The fields of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduleFields {
    pub schedule_type: ScheduleType,
    /// A day: of a weekly schedule 1 for Monday to 7 for Sunday, of monthly ones a day of the month.
    pub day: Option<i64>,
    pub day_2: Option<i64>,
    pub time: Option<ClockTime>,
    pub time_2: Option<ClockTime>,
}

impl ScheduleFields {
    /// The timetable, or what is wrong at which field below `path`.
    pub fn timetable(&self, path: &str) -> Result<Timetable> {
        let mut check = Check { path, violations: Violations::new() };
        let Self { schedule_type, day, day_2, time, time_2 } = *self;
        let timetable = check.timetable(schedule_type, [day, day_2], [time, time_2]);
        check.violations.check()?;
        timetable.ok_or_else(|| Violations::error(path, codes::REQUIRED))
    }
}

struct Check<'a> {
    path: &'a str,
    violations: Violations,
}

impl Check<'_> {
    fn timetable(
        &mut self,
        schedule_type: ScheduleType,
        [day, day_2]: [Option<i64>; 2],
        [time, time_2]: [Option<ClockTime>; 2],
    ) -> Option<Timetable> {
        let first = self.required("time", time);
        match schedule_type {
            ScheduleType::Daily => {
                self.empty("day", day);
                self.empty("day_2", day_2);
                self.empty("time_2", time_2);
                Some(Timetable::Daily { time: first? })
            }
            ScheduleType::TwiceDaily => {
                self.empty("day", day);
                self.empty("day_2", day_2);
                let time_2 = self.required("time_2", time_2);
                self.differing("time_2", first, time_2);
                Some(Timetable::TwiceDaily { time: first?, time_2: time_2? })
            }
            ScheduleType::Weekly => {
                let day = self.day("day", day, 7).and_then(Weekday::from_number);
                self.empty("day_2", day_2);
                self.empty("time_2", time_2);
                Some(Timetable::Weekly { day: day?, time: first? })
            }
            ScheduleType::Monthly => {
                let day = self.month_day("day", day);
                self.empty("day_2", day_2);
                self.empty("time_2", time_2);
                Some(Timetable::Monthly { day: day?, time: first? })
            }
            ScheduleType::TwiceMonthly => {
                let (day, day_2) = (self.month_day("day", day), self.month_day("day_2", day_2));
                self.differing("day_2", day, day_2);
                let time = first?;
                Some(Timetable::TwiceMonthly {
                    day: day?,
                    day_2: day_2?,
                    time,
                    time_2: time_2.unwrap_or(time),
                })
            }
        }
    }

    fn add(&mut self, field: &str, message: impl Into<Message>) {
        self.violations.add(format!("{}.{field}", self.path), message);
    }

    fn required<T>(&mut self, field: &str, value: Option<T>) -> Option<T> {
        if value.is_none() {
            self.add(field, codes::REQUIRED);
        }
        value
    }

    fn empty<T>(&mut self, field: &str, value: Option<T>) {
        if value.is_some() {
            self.add(field, codes::NOT_FOR_SCHEDULE);
        }
    }

    fn differing<T: PartialEq>(&mut self, field: &str, first: Option<T>, second: Option<T>) {
        if first.is_some() && first == second {
            self.add(field, codes::DUPLICATE);
        }
    }

    fn day(&mut self, field: &str, value: Option<i64>, last: i64) -> Option<i64> {
        let day = self.required(field, value)?;
        if day < 1 {
            self.add(field, codes::TOO_SMALL.with("min", 1));
        } else if day > last {
            self.add(field, codes::TOO_BIG.with("max", last));
        } else {
            return Some(day);
        }
        None
    }

    fn month_day(&mut self, field: &str, value: Option<i64>) -> Option<MonthDay> {
        let day = self.day(field, value, MonthDay::LAST.into())?;
        u32::try_from(day).ok().and_then(MonthDay::new)
    }
}

#[cfg(test)]
mod tests {
    use values::Error;

    use super::*;

    fn clock(text: &str) -> ClockTime {
        text.parse().unwrap()
    }

    fn fields(
        schedule_type: ScheduleType,
        days: [Option<i64>; 2],
        times: [Option<&str>; 2],
    ) -> ScheduleFields {
        let [time, time_2] = times.map(|time| time.map(clock));
        ScheduleFields { schedule_type, day: days[0], day_2: days[1], time, time_2 }
    }

    #[test]
    fn each_schedule_type_uses_its_own_fields() {
        use ScheduleType::{Daily, Monthly, TwiceDaily, TwiceMonthly, Weekly};
        let (six, noon) = (clock("06:00"), clock("12:00"));
        let day = |day| MonthDay::new(day).unwrap();
        for (schedule_fields, expected) in [
            (fields(Daily, [None, None], [Some("06:00"), None]), Timetable::Daily { time: six }),
            (
                fields(TwiceDaily, [None, None], [Some("06:00"), Some("12:00")]),
                Timetable::TwiceDaily { time: six, time_2: noon },
            ),
            (
                fields(Weekly, [Some(7), None], [Some("06:00"), None]),
                Timetable::Weekly { day: Weekday::Sunday, time: six },
            ),
            (
                fields(Monthly, [Some(31), None], [Some("06:00"), None]),
                Timetable::Monthly { day: day(31), time: six },
            ),
            (
                fields(TwiceMonthly, [Some(15), Some(1)], [Some("06:00"), None]),
                Timetable::TwiceMonthly { day: day(15), day_2: day(1), time: six, time_2: six },
            ),
            (
                fields(TwiceMonthly, [Some(1), Some(15)], [Some("06:00"), Some("12:00")]),
                Timetable::TwiceMonthly { day: day(1), day_2: day(15), time: six, time_2: noon },
            ),
        ] {
            assert_eq!(schedule_fields.timetable("schedules.price").unwrap(), expected);
        }
    }

    #[test]
    fn missing_superfluous_and_invalid_values_are_reported_at_their_fields() {
        use ScheduleType::{Daily, Monthly, TwiceDaily, TwiceMonthly, Weekly};
        for (schedule_fields, expected) in [
            (fields(Daily, [None, None], [None, None]), "p.time required"),
            (
                fields(Daily, [Some(1), Some(2)], [Some("06:00"), Some("07:00")]),
                "p.day not_for_schedule, p.day_2 not_for_schedule, p.time_2 not_for_schedule",
            ),
            (fields(TwiceDaily, [None, None], [Some("06:00"), Some("06:00")]), "p.time_2 duplicate"),
            (
                fields(TwiceDaily, [Some(1), None], [None, None]),
                "p.time required, p.day not_for_schedule, p.time_2 required",
            ),
            (fields(Weekly, [Some(8), None], [Some("06:00"), None]), "p.day too_big"),
            (
                fields(Weekly, [Some(0), Some(1)], [Some("06:00"), None]),
                "p.day too_small, p.day_2 not_for_schedule",
            ),
            (fields(Monthly, [Some(32), None], [Some("06:00"), None]), "p.day too_big"),
            (fields(Monthly, [None, None], [Some("06:00"), None]), "p.day required"),
            (fields(TwiceMonthly, [Some(1), Some(1)], [Some("06:00"), None]), "p.day_2 duplicate"),
            (
                fields(TwiceMonthly, [None, Some(-1)], [None, None]),
                "p.time required, p.day required, p.day_2 too_small",
            ),
        ] {
            let Error::Invalid(violations) = schedule_fields.timetable("p").unwrap_err() else {
                panic!("{schedule_fields:?}")
            };
            let texts = violations
                .iter()
                .map(|violation| format!("{} {}", violation.path, violation.message.code.as_str()));
            assert_eq!(texts.collect::<Vec<_>>().join(", "), expected);
        }
    }
}
