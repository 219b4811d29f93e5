//! Next departures of a leg by date: those that run, and those between them that do not, with the reason.

use chrono::NaiveDate;
use values::{ClockTime, Instant};

use super::{
    itinerary::{SkipReason, skip_reason},
    network::{LegIndex, Network, timetable::Moments},
};
use crate::calendar::HORIZON_DAYS;

/// Maximum number of running departures in the list.
const RUNNING_MAX: usize = 5;
/// Maximum number of departures in the list.
const ALL_MAX: usize = 40;

/// Departure on a date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextDeparture {
    /// Date and time of the timetable.
    pub date: NaiveDate,
    pub time: ClockTime,
    pub starts_at: Instant,
    /// Time by which goods must be there.
    pub order_by: Instant,
    /// Time at which goods are unloaded.
    pub arrives_at: Instant,
    /// Reason why it does not run; `None` if it runs.
    pub skipped: Option<SkipReason>,
}

/// Lists the next departures of a leg from a time on: five that run, and those before the last of them that
/// do not, within [`HORIZON_DAYS`].
pub fn next_departures(network: &Network, leg: LegIndex, at: Instant) -> Vec<NextDeparture> {
    let leg = network.leg(leg);
    let days = network.clock().day_of(at).iter_days().take(HORIZON_DAYS);
    let planned = days.flat_map(|date| leg.times_of(date).into_iter().map(move |time| (date, time)));
    let departures = planned.map(|(date, time)| {
        let skipped = skip_reason(network, leg, date, time);
        let Moments { start, deadline, unloaded, .. } = Moments::new(network, leg, date, time);
        NextDeparture { date, time, starts_at: start, order_by: deadline, arrives_at: unloaded, skipped }
    });
    let mut running = 0;
    let mut next = Vec::new();
    for departure in departures.filter(|departure| departure.starts_at >= at).take(ALL_MAX) {
        running += usize::from(departure.skipped.is_none());
        next.push(departure);
        if running == RUNNING_MAX {
            break;
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;
    use values::{Minutes, Weekday};

    use super::*;
    use crate::{
        calendar::{Calendar, DayOff, Installation, holiday::Holiday, region::Region},
        shipping::network::{Leg, Node, TimetableException},
    };

    fn installation() -> Installation {
        Installation { time_zone: Tz::Europe__Vienna, region: Region::Austria, ..Installation::default() }
    }

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn time(text: &str) -> ClockTime {
        text.parse().unwrap()
    }

    /// Network with departures on Tuesdays and Fridays at 06:00: one hour of loading, two of travel.
    fn network(exceptions: Vec<TimetableException>, closures: &[(&str, &str)]) -> Network {
        let node = |id, closures: &[(&str, &str)]| {
            let closures: Vec<_> =
                closures.iter().map(|(day, name)| (date(day), (*name).to_owned())).collect();
            Node { id, is_active: true, calendar: Calendar::new(installation(), None, closures) }
        };
        let hours = |hours: i64| Minutes::from_minutes(60 * hours).unwrap();
        let leg = Leg {
            id: 7,
            sender: 0,
            receiver: 1,
            preparation: hours(0),
            loading: hours(1),
            travel: hours(2),
            unloading: hours(0),
            order_time: None,
            departures: [Weekday::Tuesday, Weekday::Friday].map(|weekday| (weekday, time("06:00"))).to_vec(),
            exceptions,
        };
        let clock = Calendar::new(installation(), None, []);
        Network::new(clock, vec![node(1, closures), node(2, &[])], vec![leg])
    }

    fn departure_texts(network: &Network, at: &str) -> Vec<String> {
        let next = next_departures(network, 0, at.parse().unwrap());
        let lines = next.into_iter().map(|departure| {
            let reason = match departure.skipped {
                None => String::new(),
                Some(SkipReason::Dropped) => " dropped".to_owned(),
                Some(SkipReason::SenderClosed(DayOff::Closed(name))) => format!(" {name}"),
                Some(SkipReason::SenderClosed(DayOff::PublicHoliday(Holiday::EasterMonday))) => {
                    " holiday".into()
                }
                Some(other) => format!(" {other:?}"),
            };
            format!("{} {}{reason}", departure.date, departure.time)
        });
        lines.collect()
    }

    #[test]
    fn five_departures_are_listed_with_the_cancelled_ones_between_them() {
        let exceptions = vec![
            TimetableException::Dropped { date: date("2026-11-27"), time: None },
            TimetableException::Added { date: date("2026-11-29"), time: time("10:00") },
            TimetableException::Added { date: date("2026-12-04"), time: time("06:00") },
        ];
        let network = network(exceptions, &[("2026-12-01", "Inventur"), ("2026-12-04", "Betriebsausflug")]);
        let expected = [
            "2026-11-24 06:00",
            "2026-11-27 06:00 dropped",
            // On a Sunday.
            "2026-11-29 10:00",
            "2026-12-01 06:00 Inventur",
            // Added as well, so it runs although the sender is closed.
            "2026-12-04 06:00",
            "2026-12-08 06:00 SenderClosed(PublicHoliday(ImmaculateConception))",
            "2026-12-11 06:00",
            "2026-12-15 06:00",
        ];
        assert_eq!(departure_texts(&network, "2026-11-24T05:00:00Z"), expected, "06:00 has not passed");
        assert_eq!(departure_texts(&network, "2026-11-24T05:00:01Z")[0], expected[1]);
    }

    #[test]
    fn a_departure_has_order_start_and_arrival_times() {
        let network = network(Vec::new(), &[]);
        let next = next_departures(&network, 0, "2026-11-26T00:00:00Z".parse().unwrap()).remove(0);
        let moments = [next.order_by, next.starts_at, next.arrives_at].map(|moment| moment.to_rfc3339());
        let expected =
            ["2026-11-27T04:00:00+00:00", "2026-11-27T05:00:00+00:00", "2026-11-27T07:00:00+00:00"];
        assert_eq!(moments, expected);
    }

    #[test]
    fn legs_without_departures_list_none_and_legs_that_never_run_are_bounded() {
        let mut network = network(Vec::new(), &[]);
        let sunday = Installation { working_week: Vec::new(), ..installation() };
        let closed = Node { id: 1, is_active: true, calendar: Calendar::new(sunday, None, []) };
        let leg = network.leg(0).clone();
        network = Network::new(
            Calendar::new(installation(), None, []),
            vec![closed.clone(), Node { id: 2, ..closed.clone() }],
            vec![leg.clone()],
        );
        assert_eq!(departure_texts(&network, "2026-11-26T00:00:00Z").len(), ALL_MAX);
        let dead = Leg { departures: Vec::new(), ..leg };
        let clock = Calendar::new(installation(), None, []);
        let network = Network::new(clock, vec![closed.clone(), Node { id: 2, ..closed }], vec![dead]);
        assert_eq!(departure_texts(&network, "2026-11-26T00:00:00Z"), [""; 0]);
    }
}
