//! Test of the search against a minute-by-minute simulation of generated networks. The simulation shares no
//! code with the search: it reads local clocks and moves goods.

use std::collections::{BTreeMap, HashSet};

use chrono::{Datelike, NaiveDate, NaiveDateTime, TimeDelta, Timelike, Utc};
use chrono_tz::Tz;
use values::{ClockTime, Instant, Minutes, Weekday};

use crate::{
    calendar::{Calendar, Installation, region::Region},
    shipping::{
        itinerary::{NoWay, Origin, earliest_arrival, latest_departure},
        network::{Leg, Network, Node, TimetableException},
    },
};

/// Number of questions in a normal run; `STALHOF_SEQUENCES` sets more.
const QUESTIONS: u32 = 1_000;
const QUESTIONS_PER_NETWORK: u32 = 100;
/// Number of days in which the simulation looks for an arrival.
const DAYS: i64 = 30;

/// Random numbers that are the same for the same seed (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from(self.0 % u64::from(bound)).unwrap()
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(u32::try_from(items.len()).unwrap()) as usize]
    }

    fn minutes(&mut self, bound: u32) -> Minutes {
        Minutes::from_minutes(self.below(bound).into()).unwrap()
    }

    fn day_after(&mut self, first: NaiveDate) -> NaiveDate {
        first + TimeDelta::days(self.below(20).into())
    }

    fn time(&mut self) -> ClockTime {
        // Times near clock changes are overrepresented.
        let hour = if self.below(4) == 0 { self.below(4) } else { self.below(24) };
        clock_time(hour, self.below(12) * 5)
    }
}

fn clock_time(hour: u32, minute: u32) -> ClockTime {
    ClockTime::new(hour.try_into().unwrap(), minute.try_into().unwrap()).unwrap()
}

fn network(random: &mut Random, first: NaiveDate) -> (Vec<Node>, Vec<Leg>) {
    let nodes: Vec<_> = (0..3 + i64::from(random.below(6)))
        .map(|id| {
            let region = random.one_of(&[Region::NorthRhineWestphalia, Region::Bavaria, Region::Austria]);
            let closed: Vec<_> =
                (0..random.below(3)).map(|_| (random.day_after(first), "zu".to_owned())).collect();
            let working_week = if random.below(3) == 0 {
                Weekday::ALL.to_vec()
            } else {
                Installation::default().working_week
            };
            let installation = Installation { working_week, ..Installation::default() };
            let calendar = Calendar::new(installation, Some(region), closed);
            Node { id, is_active: random.below(12) > 0, calendar }
        })
        .collect();
    let count = u32::try_from(nodes.len()).unwrap();
    let mut legs: Vec<Leg> = Vec::new();
    for id in 0..i64::from(2 * count) {
        let sender = random.below(count);
        let receiver = random.below(count);
        let is_second = |leg: &Leg| (leg.sender, leg.receiver) == (sender, receiver);
        if sender == receiver || legs.iter().any(is_second) {
            continue;
        }
        let departures: Vec<_> =
            (0..random.below(6)).map(|_| (random.one_of(&Weekday::ALL), random.time())).collect();
        let exceptions = (0..random.below(3))
            .map(|_| {
                let date = random.day_after(first);
                match random.below(3) {
                    0 => TimetableException::Dropped { date, time: None },
                    1 => {
                        TimetableException::Dropped { date, time: departures.first().map(|(_, time)| *time) }
                    }
                    _ => TimetableException::Added { date, time: random.time() },
                }
            })
            .collect();
        legs.push(Leg {
            id,
            sender,
            receiver,
            preparation: random.minutes(120),
            loading: random.minutes(90),
            travel: Minutes::from_minutes(1 + i64::from(random.below(20 * 60))).unwrap(),
            unloading: random.minutes(90),
            order_time: (random.below(4) == 0).then(|| random.time()),
            departures,
            exceptions,
        });
    }
    (nodes, legs)
}

/// Departure in the simulation: its minute is the deadline; receiver and time of unloading.
struct Lorry {
    sender: u32,
    receiver: u32,
    unloaded: i64,
}

/// All departures of some weeks by deadline, found from the local time of each minute.
fn lorries(nodes: &[Node], legs: &[Leg], first: Instant, days: i64) -> BTreeMap<i64, Vec<Lorry>> {
    let zone = Tz::Europe__Berlin;
    // Minute at which a local time is reached for the first time.
    let mut reached: BTreeMap<NaiveDateTime, i64> = BTreeMap::new();
    let begin = first.timestamp() / 60 - 5 * 1_440;
    let mut latest: Option<NaiveDateTime> = None;
    for minute in begin..begin + (days + 12) * 1_440 {
        let local = Instant::from_timestamp(minute * 60, 0).unwrap().with_timezone(&zone).naive_local();
        let mut next = latest.map_or(local, |latest| latest + TimeDelta::minutes(1));
        while next <= local {
            reached.insert(next, minute);
            latest = Some(next);
            next += TimeDelta::minutes(1);
        }
    }
    let is_open = |node: u32, date: NaiveDate| nodes[node as usize].calendar.day_off(date).is_none();
    let midnight = |date: NaiveDate| date.and_hms_opt(0, 0, 0).unwrap();
    let mut lorries: BTreeMap<i64, Vec<Lorry>> = BTreeMap::new();
    for leg in legs
        .iter()
        .filter(|leg| [leg.sender, leg.receiver].iter().all(|node| nodes[*node as usize].is_active))
    {
        for (local, start) in &reached {
            let (date, time) = (local.date(), clock_time(local.hour(), local.minute()));
            let mut leaves =
                leg.departures.contains(&(Weekday::from(date.weekday()), time)) && is_open(leg.sender, date);
            for exception in &leg.exceptions {
                if let TimetableException::Dropped { date: day, time: dropped } = exception {
                    leaves &= !(*day == date && dropped.is_none_or(|dropped| dropped == time));
                }
            }
            leaves |= leg.exceptions.contains(&TimetableException::Added { date, time });
            if !leaves {
                continue;
            }
            let mut deadline = start - leg.loading.minutes() - leg.preparation.minutes();
            if let Some(order_time) = leg.order_time {
                let day = if order_time > time { date - TimeDelta::days(1) } else { date };
                let Some(ordered) = reached.get(&day.and_time(order_time.time())) else { continue };
                deadline = deadline.min(*ordered);
            }
            let mut unloading = start + leg.travel.minutes();
            let local = |minute: i64| {
                Instant::from_timestamp(minute * 60, 0).unwrap().with_timezone(&zone).naive_local()
            };
            while !is_open(leg.receiver, local(unloading).date()) {
                let tomorrow = local(unloading).date() + TimeDelta::days(1);
                match reached.get(&midnight(tomorrow)) {
                    Some(minute) => unloading = *minute,
                    None => break,
                }
            }
            let unloaded = unloading + leg.unloading.minutes();
            lorries.entry(deadline).or_default().push(Lorry {
                sender: leg.sender,
                receiver: leg.receiver,
                unloaded,
            });
        }
    }
    lorries
}

/// Minute of arrival and number of legs, by moving goods from minute to minute.
fn simulate(lorries: &BTreeMap<i64, Vec<Lorry>>, from: u32, to: u32, available: i64) -> Option<(i64, usize)> {
    // Fewest legs with which goods have reached each node, and goods on their way.
    let mut legs: BTreeMap<u32, usize> = BTreeMap::new();
    let mut arriving: BTreeMap<i64, HashSet<(u32, usize)>> = BTreeMap::new();
    arriving.entry(available).or_default().insert((from, 0));
    for minute in available..available + DAYS * 1_440 {
        for (node, count) in arriving.remove(&minute).into_iter().flatten() {
            let fewest = legs.entry(node).or_insert(count);
            *fewest = count.min(*fewest);
        }
        if let Some(count) = legs.get(&to) {
            return Some((minute, *count));
        }
        for lorry in lorries.get(&minute).into_iter().flatten() {
            if let Some(count) = legs.get(&lorry.sender) {
                arriving.entry(lorry.unloaded).or_default().insert((lorry.receiver, count + 1));
            }
        }
    }
    None
}

#[test]
fn itineraries_match_a_simulation_minute_by_minute() {
    let questions =
        std::env::var("STALHOF_SEQUENCES").ok().and_then(|count| count.parse().ok()).unwrap_or(QUESTIONS);
    let mut arrivals = 0;
    for seed in 1..=(questions / QUESTIONS_PER_NETWORK).max(1) {
        let mut random = Random(u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        // Around both clock changes, the turn of a year, and a leap day.
        let first = random.one_of(&["2027-03-20", "2026-10-17", "2026-12-19", "2028-02-20"]);
        let first: NaiveDate = first.parse().unwrap();
        let (nodes, legs) = network(&mut random, first);
        let clock = Calendar::new(Installation::default(), None, []);
        let begin = clock.beginning(first);
        let lorries = lorries(&nodes, &legs, begin, 10 + 2 * DAYS);
        let count = u32::try_from(nodes.len()).unwrap();
        let network = Network::new(clock, nodes, legs);
        for _ in 0..QUESTIONS_PER_NETWORK {
            let (from, to) = (random.below(count), random.below(count));
            if from == to {
                continue;
            }
            let at = begin + TimeDelta::minutes(random.below(10 * 1_440).into());
            let available = at.timestamp() / 60;
            let is_active = [from, to].iter().all(|node| network.node(*node).is_active);
            let expected = is_active.then(|| simulate(&lorries, from, to, available)).flatten();
            let origin = Origin { node: from, warehouse: None };
            let place = format!("seed {seed}, {from} to {to} at {at}");
            match (expected, earliest_arrival(&network, &[origin], to, at).unwrap()) {
                (Some((arrival, legs)), Ok(answer)) => {
                    arrivals += 1;
                    let actual = answer.itinerary.arrives_at.timestamp() / 60;
                    assert_eq!(actual, arrival, "arrival, {place}");
                    let mut used: Vec<_> = answer.itinerary.stages.iter().map(|stage| stage.leg).collect();
                    used.dedup();
                    assert_eq!(used.len(), legs, "legs, {place}: {:?}", answer.itinerary);
                    check_order_times((&lorries, begin.timestamp() / 60), (from, to), &answer, &place);
                    let by = latest_departure(&network, &[origin], to, answer.itinerary.arrives_at).unwrap();
                    assert_eq!(by.order_by, answer.order_by, "arrive by, {place}");
                }
                (None, Err(_)) => {}
                // Beyond the days that the simulation covers.
                (None, Ok(answer)) => {
                    assert!(
                        is_active && answer.itinerary.arrives_at - at >= TimeDelta::days(DAYS),
                        "{place}: {answer:?}"
                    );
                }
                (Some(arrival), Err(no_way)) => panic!("{place}: {no_way:?} instead of {arrival:?}"),
            }
        }
    }
    assert!(arrivals > questions / 4, "{arrivals} arrivals in {questions} questions");
}

/// Checks that the latest order arrives as early, that one a minute later does not, and that the latter's
/// arrival is the later alternative.
fn check_order_times(
    (lorries, first): (&BTreeMap<i64, Vec<Lorry>>, i64),
    (from, to): (u32, u32),
    answer: &crate::shipping::itinerary::ItineraryAnswer,
    place: &str,
) {
    let minute = |moment: Instant| moment.with_timezone(&Utc).timestamp() / 60;
    let arrival = minute(answer.itinerary.arrives_at);
    let arrival_of = |available: i64| simulate(lorries, from, to, available).map(|(arrival, _)| arrival);
    let order_by = minute(answer.order_by.at);
    assert_eq!(arrival_of(order_by), Some(arrival), "latest order, {place}");
    let later = arrival_of(order_by + 1);
    assert_ne!(later, Some(arrival), "an order after the latest one, {place}");
    if let Some(later) = later {
        assert_eq!(
            answer.later.map(|later| minute(later.arrives_at)),
            Some(later),
            "later alternative, {place}"
        );
    }
    if let Some(earlier) = answer.earlier {
        let before = minute(earlier.order_by.at);
        assert!(
            before < minute(answer.itinerary.ordered_at),
            "an earlier arrival needs an earlier order, {place}"
        );
        // The simulation has the departures of some days before and after.
        let is_known = before >= first - 4 * 1_440 && arrival - before < DAYS * 1_440;
        if is_known {
            let arrives_at = minute(earlier.arrives_at);
            assert_eq!(arrival_of(before), Some(arrives_at), "earlier alternative, {place}");
            assert!(arrives_at < arrival, "{place}");
            assert_eq!(arrival_of(before + 1), Some(arrival), "nothing lies between the two, {place}");
        }
    }
}

#[test]
fn an_unconnected_destination_has_no_itinerary() {
    let calendar = Calendar::new(Installation::default(), None, []);
    let node = |id| Node { id, is_active: true, calendar: calendar.clone() };
    let network = Network::new(calendar.clone(), vec![node(1), node(2)], Vec::new());
    let origin = Origin { node: 0, warehouse: None };
    let answer = earliest_arrival(&network, &[origin], 1, "2026-11-27T10:00:00Z".parse().unwrap()).unwrap();
    assert_eq!(answer, Err(NoWay::NotConnected));
}
