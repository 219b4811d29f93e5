//! Moments at which a price may change:
//!
//! - the data change,
//! - a list or an adjustment begins or ends,
//! - a month with other surcharges begins,
//! - a day or date that a condition refers to begins.

use std::collections::BTreeSet;

use chrono::{Days, NaiveDate, NaiveTime, TimeZone};
use chrono_tz::Tz;
use values::Instant;

use super::past::PriceStates;
use crate::{condition::ExpectedValue, surcharge_table::surcharges::Month};

/// Returns all such moments in a period, including its start, and the current moment.
pub(super) fn find_points(
    states: &PriceStates,
    time_zone: Tz,
    from: Instant,
    until: Instant,
    now: Instant,
) -> Vec<Instant> {
    let mut points: BTreeSet<Instant> = BTreeSet::from([from, now, states.known_from]);
    points.extend(states.changes().filter(|change| *change <= now));
    let lists = states.lists.iter().flatten().filter_map(|(_, list)| list.as_ref());
    for list in lists {
        points.extend([Some(list.head.valid_from), list.head.valid_until].into_iter().flatten());
    }
    let (mut days, mut each_day) = (BTreeSet::new(), false);
    let adjustments = states.adjustments.iter().flatten().filter_map(|(_, adjustment)| adjustment.as_ref());
    for adjustment in adjustments {
        points.extend([adjustment.valid_from, adjustment.valid_until].into_iter().flatten());
        let Some(conditions) = &adjustment.conditions else { continue };
        for (_, test) in conditions.tests("") {
            match &test.expected {
                ExpectedValue::Weekday { .. } => each_day = true,
                ExpectedValue::Date { value, .. } => {
                    days.extend([Some(*value), value.checked_add_days(Days::new(1))].into_iter().flatten());
                }
                _ => {}
            }
        }
    }
    let (first, last) =
        (from.with_timezone(&time_zone).date_naive(), until.with_timezone(&time_zone).date_naive());
    if states.tables.iter().any(|table| !table.is_empty()) {
        let mut month = Month::from_date(first);
        while month <= Month::from_date(last) {
            days.extend(month.first_day());
            month = month.plus(1);
        }
    }
    if each_day {
        days.extend(first.iter_days().take_while(|day| *day <= last));
    }
    points.extend(days.into_iter().filter_map(|day| begin(day, time_zone)));
    points.into_iter().filter(|point| (from..until).contains(point)).collect()
}

/// Returns the first moment of a day.
fn begin(day: NaiveDate, time_zone: Tz) -> Option<Instant> {
    let midnight = day.and_time(NaiveTime::MIN);
    let local_result = time_zone.from_local_datetime(&midnight);
    local_result.earliest().map(|moment| moment.to_utc())
}
