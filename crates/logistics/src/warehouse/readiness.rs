//! Readiness of an order in a warehouse, with its reasons: the cut-off of the order's day, and the
//! preparation time. Days off are skipped to find that day; from the cut-off on, clock time counts.

use chrono::{Datelike, NaiveDate};
use values::{ClockTime, Error, Instant, Minutes, Result, Violations, Weekday};

use crate::{
    calendar::{self, Calendar, DayOff, HORIZON_DAYS},
    codes,
};

/// Order cut-off times: a default, and overrides for single weekdays.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CutOffs {
    pub usual: Option<ClockTime>,
    /// Cut-offs of weekdays with one of their own.
    pub by_weekday: Vec<(Weekday, ClockTime)>,
}

/// Time at which an order is ready, and the steps that lead to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readiness {
    pub ready_at: Instant,
    /// Steps in chronological order; each begins when the one before ends.
    pub steps: Vec<Step>,
}

/// Period of the way to readiness, with its activity and reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub what: StepKind,
    pub from: Instant,
    pub to: Instant,
    pub because: StepReason,
}

/// Activity of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StepKind {
    /// The rest of a day, or a whole day, does not count.
    Skipped,
    /// The order waits for the cut-off of its day.
    Waiting,
    /// The order is being prepared.
    Preparation,
}

/// Reason of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepReason {
    /// The order was placed at the cut-off or later.
    AfterCutOff(ClockTime),
    DayOff(DayOff),
    /// Orders of a day are prepared from its cut-off on.
    CutOff(ClockTime),
    /// The order's day has no cut-off.
    NoCutOff(Minutes),
    /// Duration of the preparation.
    PreparationTakes(Minutes),
}

impl CutOffs {
    /// Cut-off of a weekday; `None` if orders are prepared immediately.
    pub fn on(&self, weekday: Weekday) -> Option<ClockTime> {
        let own = self.by_weekday.iter().find(|(day, _)| *day == weekday).map(|(_, time)| *time);
        own.or(self.usual)
    }

    fn on_date(&self, date: NaiveDate) -> Option<ClockTime> {
        self.on(date.weekday().into())
    }
}

/// Rules for the readiness of an order in a warehouse.
#[derive(Debug, Clone, Copy)]
pub struct PreparationRules<'a> {
    pub calendar: &'a Calendar,
    pub cut_offs: &'a CutOffs,
    pub preparation: Minutes,
    /// Time until the goods are in the warehouse. Its days are working days, its remainder is clock time.
    pub lead_time: Minutes,
}

impl PreparationRules<'_> {
    /// Time at which the goods of an order are in the warehouse, and the readiness of the order from then on.
    ///
    /// # Errors
    /// The errors of [`ready`].
    pub fn ready_with_lead_time(&self, at: Instant) -> Result<(Instant, Readiness)> {
        let Self { calendar, cut_offs, preparation, lead_time } = self;
        let (days, rest) = lead_time.working_days();
        let in_stock_at = calendar.after_working_days(at, days).ok_or_else(no_working_day)? + rest.elapsed();
        Ok((in_stock_at, ready(calendar, cut_offs, *preparation, in_stock_at)?))
    }
}

fn no_working_day() -> Error {
    Violations::error("at", codes::NO_WORKING_DAY.with("days", HORIZON_DAYS))
}

/// Readiness of an order placed at this time.
///
/// # Errors
/// At `at` if the time is outside 2000 to 2099, or if there is no working day within [`HORIZON_DAYS`].
pub fn ready(
    calendar: &Calendar,
    cut_offs: &CutOffs,
    preparation: Minutes,
    at: Instant,
) -> Result<Readiness> {
    calendar::check_year("at", at.year())?;
    let mut steps = Vec::new();
    let mut step = |what, from, to, because| {
        if from < to {
            steps.push(Step { what, from, to, because });
        }
    };
    let today = calendar.day_of(at);
    let Some(cut_off) = cut_offs.on_date(today) else {
        let ready_at = at + preparation.elapsed();
        step(StepKind::Preparation, at, ready_at, StepReason::NoCutOff(preparation));
        return Ok(Readiness { ready_at, steps });
    };
    let mut from = at;
    for day in today.iter_days().take(HORIZON_DAYS) {
        let too_late =
            (day == today && at >= calendar.moment(day, cut_off)).then_some(StepReason::AfterCutOff(cut_off));
        if let Some(because) = calendar.day_off(day).map(StepReason::DayOff).or(too_late) {
            let next = day.succ_opt().map_or(from, |next| calendar.beginning(next));
            step(StepKind::Skipped, from, next, because);
            from = next;
            continue;
        }
        let begun = cut_offs.on_date(day).map_or(from, |cut_off| {
            let held_until = calendar.moment(day, cut_off);
            step(StepKind::Waiting, from, held_until, StepReason::CutOff(cut_off));
            held_until
        });
        let ready_at = begun + preparation.elapsed();
        step(StepKind::Preparation, begun, ready_at, StepReason::PreparationTakes(preparation));
        return Ok(Readiness { ready_at, steps });
    }
    Err(no_working_day())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calendar::{Installation, holiday::Holiday};

    fn moment(text: &str) -> Instant {
        text.parse().unwrap()
    }

    fn duration(minutes: i64) -> Minutes {
        Minutes::from_minutes(minutes).unwrap()
    }

    fn usual(text: &str) -> CutOffs {
        CutOffs { usual: Some(text.parse().unwrap()), by_weekday: vec![] }
    }

    /// Readiness in Berlin, where noon is 11:00 in winter and 10:00 in summer (UTC).
    fn readiness_at(calendar: &Calendar, cut_offs: &CutOffs, minutes: i64, at: &str) -> Readiness {
        let readiness = ready(calendar, cut_offs, duration(minutes), moment(at)).unwrap();
        // The steps always lead from the order to the readiness without a gap.
        let mut from = moment(at);
        for step in &readiness.steps {
            assert_eq!(step.from, from, "{readiness:?}");
            from = step.to;
        }
        assert_eq!(from, readiness.ready_at, "{readiness:?}");
        readiness
    }

    fn plain() -> Calendar {
        Calendar::new(Installation::default(), None, [])
    }

    #[test]
    fn orders_at_or_after_the_cut_off_count_for_the_next_working_day() {
        for (at, ready_at) in [
            ("2026-11-23T10:59:59Z", "2026-11-23T13:00:00Z"),
            ("2026-11-23T11:00:00Z", "2026-11-24T13:00:00Z"),
            ("2026-11-23T23:00:00Z", "2026-11-24T13:00:00Z"),
            // A Friday: the weekend is skipped.
            ("2026-11-27T10:59:59Z", "2026-11-27T13:00:00Z"),
            ("2026-11-27T11:00:00Z", "2026-11-30T13:00:00Z"),
            ("2026-11-28T08:00:00Z", "2026-11-30T13:00:00Z"),
        ] {
            assert_eq!(readiness_at(&plain(), &usual("12:00"), 120, at).ready_at, moment(ready_at), "{at}");
        }
    }

    #[test]
    fn orders_count_immediately_on_any_day_if_there_is_no_cut_off() {
        let readiness = readiness_at(&plain(), &CutOffs::default(), 90, "2026-11-28T08:00:01Z");
        assert_eq!(readiness.ready_at, moment("2026-11-28T09:30:01Z"));
        let [step] = &readiness.steps[..] else { panic!("{readiness:?}") };
        assert_eq!((step.what, &step.because), (StepKind::Preparation, &StepReason::NoCutOff(duration(90))));
    }

    #[test]
    fn an_order_without_preparation_time_is_ready_at_the_cut_off() {
        let readiness = readiness_at(&plain(), &usual("12:00"), 0, "2026-11-23T06:00:00Z");
        assert_eq!(readiness.ready_at, moment("2026-11-23T11:00:00Z"));
        assert_eq!(readiness.steps.len(), 1);
        let none = readiness_at(&plain(), &CutOffs::default(), 0, "2026-11-23T06:00:00Z");
        assert_eq!((none.ready_at, none.steps.len()), (moment("2026-11-23T06:00:00Z"), 0));
    }

    #[test]
    fn each_skipped_day_has_a_reason() {
        let closed = ("2026-12-28".parse().unwrap(), "Inventur".to_owned());
        let calendar = Calendar::new(Installation::default(), None, [closed]);
        let readiness = readiness_at(&calendar, &usual("12:00"), 60, "2026-12-24T11:30:00Z");
        let actual: Vec<_> = readiness.steps.iter().map(|step| (step.what, step.because.clone())).collect();
        let noon: ClockTime = "12:00".parse().unwrap();
        let off = |day| (StepKind::Skipped, StepReason::DayOff(day));
        assert_eq!(
            actual,
            [
                (StepKind::Skipped, StepReason::AfterCutOff(noon)),
                off(DayOff::PublicHoliday(Holiday::ChristmasDay)),
                off(DayOff::NotInWorkingWeek(Weekday::Saturday)),
                off(DayOff::NotInWorkingWeek(Weekday::Sunday)),
                off(DayOff::Closed("Inventur".to_owned())),
                (StepKind::Waiting, StepReason::CutOff(noon)),
                (StepKind::Preparation, StepReason::PreparationTakes(duration(60))),
            ]
        );
        assert_eq!(readiness.ready_at, moment("2026-12-29T12:00:00Z"));
    }

    #[test]
    fn a_weekday_may_have_its_own_cut_off() {
        let mut cut_offs = usual("12:00");
        cut_offs.by_weekday.push((Weekday::Friday, "10:00".parse().unwrap()));
        assert_eq!(
            readiness_at(&plain(), &cut_offs, 0, "2026-11-27T08:59:59Z").ready_at,
            moment("2026-11-27T09:00:00Z")
        );
        assert_eq!(
            readiness_at(&plain(), &cut_offs, 0, "2026-11-27T09:00:00Z").ready_at,
            moment("2026-11-30T11:00:00Z")
        );
        let only = CutOffs { usual: None, ..cut_offs };
        // Monday has no cut-off: preparation starts at the beginning of the day.
        assert_eq!(
            readiness_at(&plain(), &only, 30, "2026-11-27T09:00:00Z").ready_at,
            moment("2026-11-29T23:30:00Z")
        );
    }

    #[test]
    fn readiness_is_correct_across_both_clock_changes() {
        let installation = Installation { working_week: Weekday::ALL.to_vec(), ..Installation::default() };
        let always = Calendar::new(installation, Some(crate::calendar::region::Region::Hesse), []);
        for (at, cut_off, minutes, ready_at) in [
            // 02:30 on 2027-03-28 does not exist and counts as 03:00.
            ("2027-03-28T00:59:59Z", "02:30", 60, "2027-03-28T02:00:00Z"),
            // The day after is Easter Monday.
            ("2027-03-28T01:00:00Z", "02:30", 60, "2027-03-30T01:30:00Z"),
            // 02:30 on 2026-10-25 occurs twice, and the first one counts.
            ("2026-10-25T00:29:59Z", "02:30", 60, "2026-10-25T01:30:00Z"),
            ("2026-10-25T00:30:00Z", "02:30", 60, "2026-10-26T02:30:00Z"),
            // An hour is an elapsed hour, whatever local clocks show.
            ("2027-03-28T00:00:00Z", "01:30", 60, "2027-03-28T01:30:00Z"),
            ("2026-10-24T23:00:00Z", "01:30", 120, "2026-10-25T01:30:00Z"),
        ] {
            assert_eq!(
                readiness_at(&always, &usual(cut_off), minutes, at).ready_at,
                moment(ready_at),
                "{at}"
            );
        }
    }

    #[test]
    fn moments_out_of_range_and_calendars_without_working_days_are_refused() {
        let refused = |calendar: &Calendar, at: &str| {
            let error = ready(calendar, &usual("12:00"), Minutes::ZERO, moment(at)).unwrap_err();
            let values::Error::Invalid(violations) = error else { panic!("{error}") };
            let codes: Vec<_> =
                violations.iter().map(|violation| (violation.path.clone(), violation.message.code)).collect();
            codes
        };
        let at = |code| vec![("at".to_owned(), code)];
        assert_eq!(refused(&plain(), "1999-12-31T23:59:59Z"), at(codes::INVALID_PARAMETER));
        assert_eq!(refused(&plain(), "2100-01-01T00:00:00Z"), at(codes::INVALID_PARAMETER));
        assert!(ready(&plain(), &usual("12:00"), Minutes::MAX, moment("2099-12-31T22:00:00Z")).is_ok());
        let never = Installation { working_week: vec![], ..Installation::default() };
        let never = Calendar::new(never, None, []);
        assert_eq!(refused(&never, "2026-11-23T10:00:00Z"), at(codes::NO_WORKING_DAY));
    }
}
