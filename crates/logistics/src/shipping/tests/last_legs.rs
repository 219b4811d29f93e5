//! Tests of better paths that are found after the scan has examined the last legs.

use chrono::Datelike;
use values::{Instant, Minutes};

use crate::{
    calendar::{Calendar, Installation},
    shipping::{
        network::{
            Leg, Network, Node, NodeIndex,
            timetable::{minute_from, moment_from},
        },
        scan::earliest_journey,
    },
};

const START: NodeIndex = 0;
const STOP: NodeIndex = 1;
const DETOUR: NodeIndex = 2;
const HUB: NodeIndex = 3;
const DEPOT: NodeIndex = 4;
const ELSEWHERE: [NodeIndex; 2] = [5, 6];

/// Leg with departures on a Tuesday, without preparation and loading.
fn leg(sender: NodeIndex, receiver: NodeIndex, travel: i64, times: &[&str]) -> Leg {
    let tuesday = moment("00:00").weekday().into();
    Leg {
        id: i64::from(sender * 10 + receiver),
        sender,
        receiver,
        preparation: Minutes::ZERO,
        loading: Minutes::ZERO,
        travel: Minutes::from_minutes(travel).unwrap(),
        unloading: Minutes::ZERO,
        order_time: None,
        departures: times.iter().map(|time| (tuesday, time.parse().unwrap())).collect(),
        exceptions: Vec::new(),
    }
}

fn moment(time: &str) -> Instant {
    format!("2026-11-24T{time}:00Z").parse().unwrap()
}

/// Arrival of goods that are at the first node at 06:00, and the nodes that they pass. Departures elsewhere
/// every ten minutes make the scan examine the last legs between those of the legs.
fn journey(mut legs: Vec<Leg>) -> (Instant, Vec<NodeIndex>) {
    let times: Vec<_> = (6..18).flat_map(|hour| (0..6).map(move |ten| format!("{hour:02}:{ten}0"))).collect();
    legs.push(leg(ELSEWHERE[0], ELSEWHERE[1], 5, &times.iter().map(String::as_str).collect::<Vec<_>>()));
    let zone = Installation { time_zone: chrono_tz::Tz::UTC, ..Installation::default() };
    let calendar = Calendar::new(zone, None, []);
    let node = |id| Node { id, is_active: true, calendar: calendar.clone() };
    let network = Network::new(calendar.clone(), (0..7).map(node).collect(), legs);
    let journey = earliest_journey(&network, START, DEPOT, minute_from(moment("06:00"))).unwrap();
    let receivers = journey.departures.iter().map(|departure| network.leg(departure.leg).receiver);
    (moment_from(journey.arrival), receivers.collect())
}

#[test]
fn a_later_route_with_one_leg_less_is_preferred_for_the_same_last_leg() {
    let actual = journey(vec![
        leg(START, DETOUR, 60, &["07:00"]),
        leg(DETOUR, HUB, 60, &["08:30"]),
        leg(START, HUB, 60, &["10:00"]),
        leg(HUB, DEPOT, 60, &["14:00"]),
    ]);
    assert_eq!(actual, (moment("15:00"), vec![HUB, DEPOT]));
}

#[test]
fn a_later_route_with_two_legs_is_preferred_to_three() {
    let actual = journey(vec![
        leg(START, DETOUR, 60, &["07:00"]),
        leg(DETOUR, STOP, 60, &["08:30"]),
        leg(STOP, HUB, 60, &["10:00"]),
        leg(DETOUR, HUB, 60, &["12:00"]),
        leg(HUB, DEPOT, 60, &["14:00"]),
    ]);
    assert_eq!(actual, (moment("15:00"), vec![DETOUR, HUB, DEPOT]));
}

#[test]
fn a_later_but_faster_lorry_reaches_an_earlier_last_leg() {
    let actual = journey(vec![
        leg(START, HUB, 270, &["07:30"]),
        leg(START, DETOUR, 60, &["07:00"]),
        leg(DETOUR, HUB, 60, &["10:15"]),
        leg(HUB, DEPOT, 60, &["11:30", "18:00"]),
    ]);
    assert_eq!(actual, (moment("12:30"), vec![DETOUR, HUB, DEPOT]));
}
