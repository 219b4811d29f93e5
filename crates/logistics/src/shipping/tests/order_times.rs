//! Test of the latest order of a warehouse against all orders, minute by minute.

use chrono::TimeDelta;
use values::{ClockTime, Instant, Minutes, Weekday};

use crate::{
    calendar::{Calendar, Installation},
    shipping::order_time::{OrderBy, latest_order},
    warehouse::readiness::{CutOffs, ready},
};

fn time(text: &str) -> ClockTime {
    text.parse().unwrap()
}

/// Last minute, within some days, whose order is ready by a time.
fn latest_by_trying(
    calendar: &Calendar,
    cut_offs: &CutOffs,
    preparation: Minutes,
    by: Instant,
) -> Option<Instant> {
    let minutes = (0..12 * 24 * 60).map(|minutes| by - TimeDelta::minutes(minutes));
    let mut orders = minutes.filter(|at| ready(calendar, cut_offs, preparation, *at).unwrap().ready_at <= by);
    orders.next()
}

#[test]
fn the_latest_order_is_the_last_minute_that_is_ready_in_time() {
    let closed = [("2026-12-28".parse().unwrap(), "Inventur".to_owned())];
    let calendar = Calendar::new(Installation::default(), None, closed);
    let usual = CutOffs { usual: Some(time("12:00")), by_weekday: vec![] };
    let friday = CutOffs { by_weekday: vec![(Weekday::Friday, time("09:30"))], ..usual.clone() };
    // The other days have no cut-off.
    let only_friday = CutOffs { usual: None, ..friday.clone() };
    let midnight = CutOffs { usual: Some(time("00:00")), by_weekday: vec![] };
    for cut_offs in [CutOffs::default(), usual, friday, only_friday, midnight] {
        for preparation in [0, 45, 1_500] {
            let preparation = Minutes::from_minutes(preparation).unwrap();
            for by in [
                "2026-11-27T08:30:00Z",
                "2026-11-27T10:59:00Z",
                "2026-11-27T11:00:00Z",
                "2026-11-29T23:00:00Z",
                "2026-11-30T11:00:00Z",
                "2026-12-24T20:00:00Z",
                "2026-12-29T11:45:00Z",
                "2027-03-28T02:30:00Z",
                "2026-10-25T01:30:00Z",
            ] {
                let by = by.parse().unwrap();
                let actual = latest_order(&calendar, &cut_offs, preparation, by).map(OrderBy::last_minute);
                let expected = latest_by_trying(&calendar, &cut_offs, preparation, by);
                assert_eq!(actual, expected, "{cut_offs:?} {preparation:?} {by}");
            }
        }
    }
}

#[test]
fn an_order_at_the_cut_off_is_too_late() {
    let calendar = Calendar::new(Installation::default(), None, []);
    let cut_offs = CutOffs { usual: Some(time("12:00")), by_weekday: vec![] };
    let order =
        latest_order(&calendar, &cut_offs, Minutes::ZERO, "2026-11-27T11:00:00Z".parse().unwrap()).unwrap();
    assert_eq!((order.at, order.is_inclusive), ("2026-11-27T11:00:00Z".parse().unwrap(), false));
    let order = latest_order(&calendar, &CutOffs::default(), Minutes::ZERO, order.at).unwrap();
    assert_eq!((order.at, order.is_inclusive), ("2026-11-27T11:00:00Z".parse().unwrap(), true));
}
