//! Itineraries: when an order arrives, how late it can be placed for that, and when it would arrive if it were placed earlier or later.

use chrono::{Datelike, NaiveDate, TimeDelta};
use kernel::{ClockTime, Instant, Minutes, Result, Weekday};

use super::{
    network::{
        LegIndex, Network, NodeIndex,
        timetable::{Departure, Minute, Moments, minute_from, moment_from},
    },
    order_time::{OrderBy, latest_order},
    scan::{Journey, earliest_journey, latest_start},
};
use crate::{
    calendar::{Calendar, DayOff},
    warehouse::readiness::{CutOffs, Readiness, ready},
};

/// Departures that a stage names as not running.
const SKIPPED_MAX: usize = 20;

/// The place that goods come from.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    pub node: NodeIndex,
    /// The warehouse there that prepares the order; without one, goods are there when the order is placed.
    pub warehouse: Option<Preparing<'a>>,
}

/// The rules by which a warehouse is ready with an order.
#[derive(Debug, Clone, Copy)]
pub struct Preparing<'a> {
    pub calendar: &'a Calendar,
    pub cut_offs: &'a CutOffs,
    pub preparation: Minutes,
}

/// An order's way to its destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Itinerary {
    pub ordered_at: Instant,
    /// The warehouse's part, where there is one.
    pub readiness: Option<Readiness>,
    /// The moment at which goods are at their first node.
    pub available_at: Instant,
    pub stages: Vec<Stage>,
    pub arrives_at: Instant,
}

/// A part of the way; each begins when the one before ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    pub leg: LegIndex,
    pub activity: Activity,
    pub begins_at: Instant,
    pub ends_at: Instant,
}

/// The activity of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Activity {
    /// Goods wait for a departure, because of these that came before it.
    WaitingForDeparture {
        date: NaiveDate,
        time: ClockTime,
        skipped: Vec<SkippedDeparture>,
    },
    /// Goods that have to be there by the leg's order time wait for preparation to begin.
    WaitingAfterOrderTime {
        order_time: ClockTime,
    },
    Preparation,
    Loading,
    Travel,
    /// The receiver is closed on the day on which the lorry arrives.
    WaitingForOpening(DayOff),
    Unloading,
}

/// A departure between the availability of goods and the departure that they travel with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedDeparture {
    pub date: NaiveDate,
    pub time: ClockTime,
    pub reason: SkipReason,
}

/// The reason why goods do not travel with a departure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    /// Goods came this much too late.
    Missed(TimeDelta),
    /// The sender is closed.
    SenderClosed(DayOff),
    /// It was taken out of the timetable for that date.
    Dropped,
}

/// Another arrival, and the latest order for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alternative {
    pub arrives_at: Instant,
    pub order_by: OrderBy,
}

/// The answer to an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub itinerary: Itinerary,
    /// The latest order that still arrives at the same time.
    pub order_by: OrderBy,
    /// The next earlier arrival, for an order before this one.
    pub earlier: Option<Alternative>,
    /// The next later arrival, for an order after `order_by`.
    pub later: Option<Alternative>,
}

/// The reason why goods do not arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoWay {
    /// The first node, or the destination, is not active.
    Inactive(NodeIndex),
    /// No legs with departures lead there.
    NotConnected,
    /// No departures run that lead there within the weeks that are searched.
    NoDeparture,
}

/// Finds the earliest arrival of an order, with the fewest legs among equals.
///
/// # Errors
/// At `at` when the warehouse cannot say when it is ready.
pub fn earliest_arrival(
    network: &Network,
    origin: Origin<'_>,
    destination: NodeIndex,
    at: Instant,
) -> Result<std::result::Result<Answer, NoWay>> {
    if let Err(no_way) = is_possible(network, origin.node, destination) {
        return Ok(Err(no_way));
    }
    let Some(itinerary) = itinerary(network, origin, destination, at)? else {
        return Ok(Err(NoWay::NoDeparture));
    };
    Ok(answer(network, origin, destination, itinerary)?.ok_or(NoWay::NoDeparture))
}

/// Finds the latest order that arrives by a moment. The moment is at least as late as the arrival of the answer.
///
/// # Errors
/// At `at` when the warehouse cannot say when it is ready.
pub fn latest_departure(
    network: &Network,
    origin: Origin<'_>,
    destination: NodeIndex,
    arrive_by: Instant,
) -> Result<std::result::Result<Answer, NoWay>> {
    if let Err(no_way) = is_possible(network, origin.node, destination) {
        return Ok(Err(no_way));
    }
    let by = last_minute_until(arrive_by);
    let start = latest_start(network, origin.node, destination, by);
    let order_by = start.and_then(|start| order_by(origin, start));
    let Some(order_by) = order_by else { return Ok(Err(NoWay::NoDeparture)) };
    let itinerary = itinerary(network, origin, destination, order_by.last_minute())?;
    let Some(itinerary) = itinerary else { return Ok(Err(NoWay::NoDeparture)) };
    Ok(answer(network, origin, destination, itinerary)?.ok_or(NoWay::NoDeparture))
}

fn is_possible(network: &Network, from: NodeIndex, to: NodeIndex) -> std::result::Result<(), NoWay> {
    match [from, to].into_iter().find(|node| !network.node(*node).is_active) {
        Some(node) => Err(NoWay::Inactive(node)),
        None if !network.is_connected(from, to) => Err(NoWay::NotConnected),
        None => Ok(()),
    }
}

/// The last whole minute that is not after a moment.
fn last_minute_until(moment: Instant) -> Minute {
    let minute = minute_from(moment);
    if moment_from(minute) > moment { minute - 1 } else { minute }
}

/// The way of one order, without its alternatives.
fn itinerary(
    network: &Network,
    origin: Origin<'_>,
    destination: NodeIndex,
    at: Instant,
) -> Result<Option<Itinerary>> {
    let readiness = origin
        .warehouse
        .map(|warehouse| ready(warehouse.calendar, warehouse.cut_offs, warehouse.preparation, at))
        .transpose()?;
    let available_at = readiness.as_ref().map_or(at, |readiness| readiness.ready_at);
    let journey = earliest_journey(network, origin.node, destination, minute_from(available_at));
    Ok(journey.map(|Journey { departures, .. }| {
        let stages = stages(network, &departures, available_at);
        let arrives_at = stages.last().map_or(available_at, |stage| stage.ends_at);
        Itinerary { ordered_at: at, readiness, available_at, stages, arrives_at }
    }))
}

/// Adds the latest order and the alternatives to an itinerary.
fn answer(
    network: &Network,
    origin: Origin<'_>,
    destination: NodeIndex,
    itinerary: Itinerary,
) -> Result<Option<Answer>> {
    let arrival = minute_from(itinerary.arrives_at);
    let start = latest_start(network, origin.node, destination, arrival);
    let Some(order_by) = start.and_then(|start| order_by(origin, start)) else { return Ok(None) };
    let earlier = latest_start(network, origin.node, destination, arrival - 1)
        .and_then(|start| self::order_by(origin, start))
        .map(|order_by| alternative(network, origin, destination, order_by.last_minute()))
        .transpose()?
        .flatten();
    let after = order_by.last_minute() + TimeDelta::minutes(1);
    let later = alternative(network, origin, destination, after)?;
    Ok(Some(Answer { itinerary, order_by, earlier, later }))
}

/// The arrival of another order, and the latest order for it.
fn alternative(
    network: &Network,
    origin: Origin<'_>,
    destination: NodeIndex,
    at: Instant,
) -> Result<Option<Alternative>> {
    let Some(itinerary) = itinerary(network, origin, destination, at)? else { return Ok(None) };
    let start = latest_start(network, origin.node, destination, minute_from(itinerary.arrives_at));
    let order_by = start.and_then(|start| order_by(origin, start));
    Ok(order_by.map(|order_by| Alternative { arrives_at: itinerary.arrives_at, order_by }))
}

/// The latest order whose goods are at their first node at a minute.
fn order_by(origin: Origin<'_>, available: Minute) -> Option<OrderBy> {
    let at = moment_from(available);
    match origin.warehouse {
        None => Some(OrderBy { at, is_inclusive: true }),
        Some(warehouse) => latest_order(warehouse.calendar, warehouse.cut_offs, warehouse.preparation, at),
    }
}

/// The stages of departures that follow each other.
fn stages(network: &Network, departures: &[Departure], available_at: Instant) -> Vec<Stage> {
    let mut stages = Vec::new();
    let mut from = available_at;
    for departure in departures {
        let leg = network.leg(departure.leg);
        let moments = Moments::new(network, leg, departure.date, departure.time);
        let skipped = skipped_departures(network, departure, from);
        let mut add = |activity: Activity, until: Instant| {
            if from < until {
                stages.push(Stage { leg: departure.leg, activity, begins_at: from, ends_at: until });
                from = until;
            }
        };
        add(
            Activity::WaitingForDeparture { date: departure.date, time: departure.time, skipped },
            moments.deadline,
        );
        if let Some(order_time) = leg.order_time {
            add(Activity::WaitingAfterOrderTime { order_time }, moments.preparation);
        }
        add(Activity::Preparation, moments.loading);
        add(Activity::Loading, moments.start);
        add(Activity::Travel, moments.arrival);
        let receiver = &network.node(leg.receiver).calendar;
        if let Some(day_off) = receiver.day_off(receiver.day_of(moments.arrival)) {
            add(Activity::WaitingForOpening(day_off), moments.unloading);
        }
        add(Activity::Unloading, moments.unloaded);
    }
    stages
}

/// The departures of a leg that goods could have taken before the one that they take: the last one that they have missed by less than
/// a day, and those that do not run.
fn skipped_departures(network: &Network, taken: &Departure, available_at: Instant) -> Vec<SkippedDeparture> {
    let leg = network.leg(taken.leg);
    let sender = &network.node(leg.sender).calendar;
    let first = sender.day_of(available_at);
    let first = first.pred_opt().unwrap_or(first);
    let mut missed = None;
    let mut skipped = Vec::new();
    for date in first.iter_days().take_while(|date| *date <= taken.date) {
        let weekday = Weekday::from(date.weekday());
        let weekly = leg.departures.iter().filter(|(day, _)| *day == weekday).map(|(_, time)| *time);
        let mut times: Vec<_> = weekly.chain(leg.added(date)).collect();
        times.sort_unstable();
        times.dedup();
        for time in times.into_iter().filter(|time| (date, *time) < (taken.date, taken.time)) {
            let is_added = leg.added(date).any(|added| added == time);
            let reason = match sender.day_off(date) {
                _ if is_added => None,
                Some(day_off) => Some(SkipReason::SenderClosed(day_off)),
                None if leg.is_dropped(date, time) => Some(SkipReason::Dropped),
                None => None,
            };
            let late = available_at - Moments::new(network, leg, date, time).deadline;
            let is_missed = late > TimeDelta::zero();
            match reason {
                Some(reason) if !is_missed && skipped.len() < SKIPPED_MAX => {
                    skipped.push(SkippedDeparture { date, time, reason });
                }
                None if is_missed && late < TimeDelta::days(1) => {
                    missed = Some(SkippedDeparture { date, time, reason: SkipReason::Missed(late) });
                }
                _ => {}
            }
        }
    }
    missed.into_iter().chain(skipped).collect()
}
