//! Clock times of the weekly departures, independent of the days on which they run: the order time and the
//! time of unloading.

use serde::Serialize;
use utoipa::ToSchema;
use values::{ClockTime, Weekday};

use super::{ShippingLeg, timetable::Departure};

const MINUTES_PER_DAY: i64 = 24 * 60;

/// Clock times of a weekly departure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct DepartureTime {
    /// Weekday of the departure.
    pub weekday: Weekday,
    pub start_time: ClockTime,
    /// Time of day by which goods must be there.
    pub order_time: ClockTime,
    /// Number of days from the departure to the order time; 0 or negative.
    #[schema(example = -1)]
    pub order_day_offset: i64,
    /// Time of day at which goods are unloaded.
    pub arrival_time: ClockTime,
    /// Number of days from the departure to the arrival.
    #[schema(example = 1)]
    pub arrival_day_offset: i64,
}

/// Clock times of the departures of a leg, in their order.
pub fn departure_times(leg: &ShippingLeg) -> Vec<DepartureTime> {
    leg.departures.0.iter().map(|departure| departure_time(leg, *departure)).collect()
}

fn departure_time(leg: &ShippingLeg, Departure { weekday, time }: Departure) -> DepartureTime {
    let start = i64::from(time.minutes());
    let needed = start - leg.preparation_duration.minutes() - leg.loading_duration.minutes();
    let ordered = leg.order_time.map(|order_time| {
        let minutes = i64::from(order_time.minutes());
        if order_time > time { minutes - MINUTES_PER_DAY } else { minutes }
    });
    let (order_day_offset, order_time) = on_the_clock(ordered.map_or(needed, |ordered| ordered.min(needed)));
    let arrival = start + leg.travel_duration.minutes() + leg.unloading_duration.minutes();
    let (arrival_day_offset, arrival_time) = on_the_clock(arrival);
    DepartureTime {
        weekday,
        start_time: time,
        order_time,
        order_day_offset,
        arrival_time,
        arrival_day_offset,
    }
}

/// Splits a minute, counted from the beginning of a day, into days and the time of day.
fn on_the_clock(minute: i64) -> (i64, ClockTime) {
    let (days, of_day) = (minute.div_euclid(MINUTES_PER_DAY), minute.rem_euclid(MINUTES_PER_DAY));
    let of_day = u16::try_from(of_day).unwrap_or_default();
    (days, ClockTime::new(of_day / 60, of_day % 60).unwrap_or(MIDNIGHT))
}

const MIDNIGHT: ClockTime = ClockTime::new(0, 0).expect("midnight");

#[cfg(test)]
mod tests {
    use values::{Minutes, now};

    use super::*;
    use crate::shipping::leg::timetable::{DepartureExceptions, Departures};

    fn time(text: &str) -> ClockTime {
        text.parse().unwrap()
    }

    /// Order day and time, and arrival day and time of a departure; durations are preparation, loading,
    /// travel and unloading in minutes.
    fn departure_texts(
        departure: &str,
        order_time: Option<&str>,
        durations: [i64; 4],
    ) -> (i64, String, i64, String) {
        let [preparation, loading, travel, unloading] =
            durations.map(|minutes| Minutes::from_minutes(minutes).unwrap());
        let departure = Departure { weekday: Weekday::Monday, time: time(departure) };
        let leg = ShippingLeg {
            id: 1,
            name: String::new(),
            name_fold: String::new(),
            name_sort: String::new(),
            sending_node_id: 1,
            receiving_node_id: 2,
            preparation_duration: preparation,
            loading_duration: loading,
            travel_duration: travel,
            unloading_duration: unloading,
            order_time: order_time.map(time),
            departures: Departures(vec![departure]),
            exceptions: DepartureExceptions::default(),
            departures_per_week: 1,
            version: 1,
            created_at: now(),
            updated_at: now(),
        };
        let times = departure_times(&leg).remove(0);
        let text = |time: ClockTime| time.to_string();
        (times.order_day_offset, text(times.order_time), times.arrival_day_offset, text(times.arrival_time))
    }

    #[test]
    fn a_departure_is_shown_with_its_order_time_and_its_arrival() {
        for (departure, order_time, durations, expected) in [
            ("14:30", None, [30, 60, 180, 45], (0, "13:00", 0, "18:15")),
            ("14:30", None, [0, 0, 1, 0], (0, "14:30", 0, "14:31")),
            // Preparation begins on the day before, and the arrival is on the next day.
            ("01:00", None, [60, 1, 1_380, 0], (-1, "23:59", 1, "00:00")),
            ("06:00", None, [1_440, 0, 2_880, 60], (-1, "06:00", 2, "07:00")),
            ("00:00", None, [0, 0, 1_439, 0], (0, "00:00", 0, "23:59")),
            ("06:00", None, [43_200, 43_200, 43_200, 43_200], (-60, "06:00", 60, "06:00")),
            // An order time before the departure.
            ("14:30", Some("11:30"), [30, 60, 180, 45], (0, "11:30", 0, "18:15")),
            // An order time too late for preparation and loading has no effect.
            ("14:30", Some("14:00"), [30, 60, 180, 45], (0, "13:00", 0, "18:15")),
            ("14:30", Some("14:30"), [0, 0, 180, 0], (0, "14:30", 0, "17:30")),
            // A time after the departure is on the day before.
            ("06:00", Some("16:00"), [30, 30, 60, 0], (-1, "16:00", 0, "07:00")),
            ("06:00", Some("06:01"), [0, 0, 60, 0], (-1, "06:01", 0, "07:00")),
        ] {
            let (order_day, order, arrival_day, arrival) = expected;
            let expected = (order_day, order.to_owned(), arrival_day, arrival.to_owned());
            assert_eq!(
                departure_texts(departure, order_time, durations),
                expected,
                "{departure} {order_time:?}"
            );
        }
    }
}
