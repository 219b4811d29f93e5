//! Short months, both changes of the clock, and every schedule against a search minute by minute.

use chrono::TimeDelta;
use proptest::prelude::*;

use super::*;

const BERLIN: Tz = Tz::Europe__Berlin;

fn clock(text: &str) -> ClockTime {
    text.parse().unwrap()
}

fn day(day: u32) -> MonthDay {
    MonthDay::new(day).unwrap()
}

fn moment(text: &str) -> Instant {
    text.parse().unwrap()
}

/// The next five runs as clocks show them, each with its reasons.
fn next_runs(timetable: Timetable, zone: Tz, after: &str) -> Vec<String> {
    let runs = timetable.runs(zone, moment(after), 5);
    let line = |run: Run| {
        let reasons = run.reasons.iter().map(|reason| match reason {
            Reason::LastDayOfMonth { day: MonthDay(day) } => format!(" no {day}th"),
            Reason::ClockForward { time } => format!(" no {time}"),
            Reason::ClockBack { time } => format!(" {time} twice"),
            Reason::Together => " together".to_owned(),
        });
        format!("{}{}", run.local_time.format("%a %Y-%m-%d %H:%M"), reasons.collect::<String>())
    };
    runs.into_iter().map(line).collect()
}

#[test]
fn each_schedule_has_its_next_five_runs() {
    let (six, noon) = (clock("06:00"), clock("12:00"));
    for (timetable, expected) in [
        (
            Timetable::Daily { time: six },
            [
                "Sun 2026-11-29 06:00",
                "Mon 2026-11-30 06:00",
                "Tue 2026-12-01 06:00",
                "Wed 2026-12-02 06:00",
                "Thu 2026-12-03 06:00",
            ],
        ),
        (
            Timetable::TwiceDaily { time: noon, time_2: six },
            [
                "Sat 2026-11-28 12:00",
                "Sun 2026-11-29 06:00",
                "Sun 2026-11-29 12:00",
                "Mon 2026-11-30 06:00",
                "Mon 2026-11-30 12:00",
            ],
        ),
        (
            Timetable::Weekly { day: Weekday::Monday, time: six },
            [
                "Mon 2026-11-30 06:00",
                "Mon 2026-12-07 06:00",
                "Mon 2026-12-14 06:00",
                "Mon 2026-12-21 06:00",
                "Mon 2026-12-28 06:00",
            ],
        ),
        (
            Timetable::Monthly { day: day(1), time: six },
            [
                "Tue 2026-12-01 06:00",
                "Fri 2027-01-01 06:00",
                "Mon 2027-02-01 06:00",
                "Mon 2027-03-01 06:00",
                "Thu 2027-04-01 06:00",
            ],
        ),
        (
            Timetable::TwiceMonthly { day: day(15), day_2: day(1), time: six, time_2: noon },
            [
                "Tue 2026-12-01 12:00",
                "Tue 2026-12-15 06:00",
                "Fri 2027-01-01 12:00",
                "Fri 2027-01-15 06:00",
                "Mon 2027-02-01 12:00",
            ],
        ),
    ] {
        // in Berlin it is ten o'clock
        assert_eq!(next_runs(timetable, BERLIN, "2026-11-28T09:00:00Z"), expected);
    }
}

#[test]
fn a_run_due_at_the_current_moment_is_not_listed_again() {
    let timetable = Timetable::Daily { time: clock("10:00") };
    assert_eq!(next_runs(timetable, BERLIN, "2026-11-28T08:59:59Z")[0], "Sat 2026-11-28 10:00");
    assert_eq!(next_runs(timetable, BERLIN, "2026-11-28T09:00:00Z")[0], "Sun 2026-11-29 10:00");
}

#[test]
fn months_without_the_day_run_on_their_last_day_with_a_reason() {
    let last = Timetable::Monthly { day: day(31), time: clock("06:00") };
    let expected = ["Sun 2028-01-30 18:00", "Tue 2028-02-29 18:00 no 30th"];
    assert_eq!(
        next_runs(last, BERLIN, "2027-01-30T09:00:00Z"),
        [
            "Sun 2027-01-31 06:00",
            "Sun 2027-02-28 06:00 no 31th",
            "Wed 2027-03-31 06:00",
            "Fri 2027-04-30 06:00 no 31th",
            "Mon 2027-05-31 06:00"
        ]
    );
    let thirtieth = Timetable::Monthly { day: day(30), time: clock("18:00") };
    assert_eq!(next_runs(thirtieth, BERLIN, "2028-01-30T09:00:00Z")[..2], expected, "a leap year");
}

#[test]
fn two_days_on_the_same_last_day_merge_unless_their_times_differ() {
    let same = Timetable::TwiceMonthly {
        day: day(30),
        day_2: day(31),
        time: clock("06:00"),
        time_2: clock("06:00"),
    };
    assert_eq!(
        next_runs(same, BERLIN, "2027-01-31T09:00:00Z"),
        [
            "Sun 2027-02-28 06:00 no 30th no 31th together",
            "Tue 2027-03-30 06:00",
            "Wed 2027-03-31 06:00",
            "Fri 2027-04-30 06:00 no 31th together",
            "Sun 2027-05-30 06:00",
        ]
    );
    let other = Timetable::TwiceMonthly {
        day: day(31),
        day_2: day(30),
        time: clock("18:00"),
        time_2: clock("06:00"),
    };
    assert_eq!(
        next_runs(other, BERLIN, "2027-01-31T19:00:00Z")[..2],
        ["Sun 2027-02-28 06:00 no 30th", "Sun 2027-02-28 18:00 no 31th"]
    );
}

#[test]
fn a_skipped_local_time_runs_once_after_the_clock_change() {
    let daily = Timetable::Daily { time: clock("02:30") };
    let runs = next_runs(daily, BERLIN, "2026-03-28T12:00:00Z");
    assert_eq!(runs[..2], ["Sun 2026-03-29 03:00 no 02:30", "Mon 2026-03-30 02:30"]);
    let both = Timetable::TwiceDaily { time: clock("02:15"), time_2: clock("02:45") };
    let runs = next_runs(both, BERLIN, "2026-03-28T12:00:00Z");
    assert_eq!(runs[..2], ["Sun 2026-03-29 03:00 no 02:15 no 02:45 together", "Mon 2026-03-30 02:15"]);
    let beside = Timetable::TwiceDaily { time: clock("02:30"), time_2: clock("03:00") };
    let runs = next_runs(beside, BERLIN, "2026-03-28T12:00:00Z");
    assert_eq!(runs[..2], ["Sun 2026-03-29 03:00 no 02:30 together", "Mon 2026-03-30 02:30"]);
    // a whole day that never was, and a change at midnight
    let apia = Timetable::Daily { time: clock("08:00") };
    let runs = next_runs(apia, Tz::Pacific__Apia, "2011-12-29T20:00:00Z");
    assert_eq!(runs[..2], ["Sat 2011-12-31 00:00 no 08:00", "Sat 2011-12-31 08:00"]);
    let santiago = Timetable::Daily { time: clock("00:00") };
    let runs = next_runs(santiago, Tz::America__Santiago, "2026-09-05T12:00:00Z");
    assert_eq!(runs[0], "Sun 2026-09-06 01:00 no 00:00");
}

#[test]
fn a_repeated_local_time_runs_only_the_first_time() {
    let daily = Timetable::Daily { time: clock("02:30") };
    let runs = daily.runs(BERLIN, moment("2026-10-24T12:00:00Z"), 2);
    assert_eq!(runs[0].at, moment("2026-10-25T00:30:00Z"));
    assert_eq!(runs[0].reasons, [Reason::ClockBack { time: clock("02:30") }]);
    assert_eq!(runs[1].at, moment("2026-10-26T01:30:00Z"));
    // between both it is over
    let between = daily.next_run(BERLIN, moment("2026-10-25T00:45:00Z")).unwrap();
    assert_eq!(between.at, moment("2026-10-26T01:30:00Z"));
}

#[test]
fn the_end_of_representable_time_has_no_runs() {
    let daily = Timetable::Daily { time: clock("02:30") };
    assert_eq!(daily.next_run(BERLIN, Instant::MAX_UTC), None);
    assert_eq!(daily.runs(BERLIN, moment("2026-10-25T00:45:00Z"), 0), []);
}

fn any_time() -> impl Strategy<Value = ClockTime> {
    (0_u16..24, 0_u16..60).prop_map(|(hour, minute)| ClockTime::new(hour, minute).unwrap())
}

fn any_day() -> impl Strategy<Value = MonthDay> {
    (1_u32..=31).prop_map(day)
}

fn any_timetable() -> impl Strategy<Value = Timetable> {
    let weekday = proptest::sample::select(&Weekday::ALL[..]);
    prop_oneof![
        any_time().prop_map(|time| Timetable::Daily { time }),
        (any_time(), any_time()).prop_map(|(time, time_2)| Timetable::TwiceDaily { time, time_2 }),
        (weekday, any_time()).prop_map(|(day, time)| Timetable::Weekly { day, time }),
        (any_day(), any_time()).prop_map(|(day, time)| Timetable::Monthly { day, time }),
        (any_day(), any_day(), any_time(), any_time())
            .prop_map(|(day, day_2, time, time_2)| Timetable::TwiceMonthly { day, day_2, time, time_2 }),
    ]
}

proptest! {
    // a month has 44,640 minutes
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn runs_match_a_search_minute_by_minute(
        timetable in any_timetable(),
        zone in proptest::sample::select(&[BERLIN, Tz::UTC, Tz::America__New_York, Tz::Australia__Lord_Howe][..]),
        hours in 0_i64..24 * 900,
    ) {
        let after = moment("2026-01-01T00:00:00Z") + TimeDelta::hours(hours);
        let runs = timetable.runs(zone, after, 3);
        prop_assert_eq!(runs.len(), 3);
        prop_assert!(runs.is_sorted_by(|earlier, later| earlier.at < later.at));
        prop_assert_eq!(timetable.next_run(zone, after).map(|run| run.at), Some(runs[0].at));
        prop_assert_eq!(timetable.next_run(zone, runs[0].at).map(|run| run.at), Some(runs[1].at));

        // each minute of real time until the first run, with the clock before and after it
        let mut minute = after;
        let due = |at: Instant| {
            let now = local_time_in(zone, &at);
            let before = local_time_in(zone, &(at - TimeDelta::minutes(1)));
            // the times that clocks have reached since the minute before, unless they were shown already
            let skipped = (1..=(now - before).num_minutes()).map(|later| before + TimeDelta::minutes(later));
            let repeated = earliest_moment_at(zone, now) < at;
            !repeated && skipped.into_iter().any(|time| {
                timetable.on(time.date()).iter().any(|(clock, _)| time.time() == clock.time())
            })
        };
        while minute < runs[0].at {
            minute += TimeDelta::minutes(1);
            prop_assert_eq!(due(minute), minute == runs[0].at, "{} {:?}", minute, timetable);
        }
    }
}
