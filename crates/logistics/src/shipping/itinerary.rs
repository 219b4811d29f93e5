//! Itineraries: the arrival of an order, the latest order with the same arrival, and the arrivals of earlier
//! and later orders.

use std::{collections::VecDeque, iter::successors};

use chrono::{NaiveDate, TimeDelta};
use values::{ClockTime, Instant, Result};

use super::{
    network::{
        Leg, LegIndex, Network, NodeIndex,
        timetable::{Departure, Minute, Moments, deadline_of, minute_from, moment_from},
    },
    order_time::{OrderBy, latest_order_with_lead_time},
    scan::{Journey, earliest_journey, latest_start},
};
use crate::{
    calendar::DayOff,
    warehouse::readiness::{PreparationRules, Readiness},
};

/// Maximum number of skipped departures that a stage lists.
const SKIPPED_MAX: usize = 20;

/// Origin of goods.
#[derive(Debug, Clone, Copy)]
pub struct Origin<'a> {
    pub node: NodeIndex,
    /// Warehouse that prepares the order; without one, goods are available when the order is placed.
    pub warehouse: Option<PreparationRules<'a>>,
}

/// Itinerary of an order from its origin to its destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Itinerary {
    /// Position of the origin among the given ones.
    pub origin: usize,
    pub ordered_at: Instant,
    /// Time at which the warehouse has the goods; `None` without a warehouse.
    pub in_stock_at: Option<Instant>,
    /// Preparation in the warehouse; `None` without one.
    pub readiness: Option<Readiness>,
    /// Time at which goods are available at their first node.
    pub available_at: Instant,
    pub stages: Vec<Stage>,
    pub arrives_at: Instant,
}

/// Stage of an itinerary; each begins when the one before ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    pub leg: LegIndex,
    pub activity: Activity,
    pub begins_at: Instant,
    pub ends_at: Instant,
}

/// Activity of a stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Activity {
    /// Goods wait for a departure; `skipped` are those before it that they could not take.
    WaitingForDeparture {
        date: NaiveDate,
        time: ClockTime,
        skipped: Vec<SkippedDeparture>,
    },
    /// Goods that must arrive before the leg's order time wait for preparation to begin.
    WaitingAfterOrderTime {
        order_time: ClockTime,
    },
    Preparation,
    Loading,
    Travel,
    /// The receiver is closed on the day of the arrival.
    WaitingForOpening(DayOff),
    Unloading,
}

/// Departure between the availability of goods and the departure that they take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedDeparture {
    pub date: NaiveDate,
    pub time: ClockTime,
    pub reason: SkipReason,
}

/// Reason why goods do not take a departure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SkipReason {
    /// Goods were late by this time.
    Missed(TimeDelta),
    /// The sender is closed.
    SenderClosed(DayOff),
    /// Dropped from the timetable for that date.
    Dropped,
}

/// Another arrival, and the latest order for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alternative {
    pub arrives_at: Instant,
    pub order_by: OrderBy,
}

/// Answer for an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItineraryAnswer {
    pub itinerary: Itinerary,
    /// Latest order with the same arrival.
    pub order_by: OrderBy,
    /// Next earlier arrival, for an earlier order.
    pub earlier: Option<Alternative>,
    /// Next later arrival, for an order after `order_by`.
    pub later: Option<Alternative>,
}

/// Reason why goods cannot arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoWay {
    /// The first node, or the destination, is inactive.
    Inactive(NodeIndex),
    /// The destination is not reachable by legs with departures.
    NotConnected,
    /// Departures to the destination exist but do not run in the weeks that are searched.
    NoDeparture,
}

/// Finds the earliest arrival of an order from any of these origins, with the fewest legs among equals. The
/// latest order and the alternatives apply to all origins together.
///
/// # Errors
/// At `at` if no warehouse has a known time of readiness.
pub fn earliest_arrival(
    network: &Network,
    origins: &[Origin<'_>],
    destination: NodeIndex,
    at: Instant,
) -> Result<std::result::Result<ItineraryAnswer, NoWay>> {
    let search = match Search::new(network, origins, destination) {
        Ok(search) => search,
        Err(no_way) => return Ok(Err(no_way)),
    };
    let itinerary = search.itinerary(at)?;
    Ok(itinerary.and_then(|itinerary| search.answer(itinerary)).ok_or(NoWay::NoDeparture))
}

/// Finds the itinerary of an order from any of these origins, without the latest order and alternatives.
///
/// # Errors
/// At `at` if no warehouse has a known time of readiness.
pub fn earliest_itinerary(
    network: &Network,
    origins: &[Origin<'_>],
    destination: NodeIndex,
    at: Instant,
) -> Result<std::result::Result<Itinerary, NoWay>> {
    match Search::new(network, origins, destination) {
        Ok(search) => Ok(search.itinerary(at)?.ok_or(NoWay::NoDeparture)),
        Err(no_way) => Ok(Err(no_way)),
    }
}

/// Finds the latest order from any of these origins that arrives by a given time, which may be later than the
/// actual arrival.
pub fn latest_departure(
    network: &Network,
    origins: &[Origin<'_>],
    destination: NodeIndex,
    arrive_by: Instant,
) -> std::result::Result<ItineraryAnswer, NoWay> {
    let search = Search::new(network, origins, destination)?;
    let order_by = search.order_by(last_minute_until(arrive_by));
    // A warehouse that is ready in time has a known time of readiness.
    let itinerary = order_by.and_then(|order_by| search.itinerary(order_by.last_minute()).ok().flatten());
    itinerary.and_then(|itinerary| search.answer(itinerary)).ok_or(NoWay::NoDeparture)
}

/// Finds the itinerary of an order from one origin, without the latest order and alternatives.
///
/// # Errors
/// At `at` if the warehouse has no known time of readiness.
pub fn find_itinerary(
    network: &Network,
    origin: Origin<'_>,
    destination: NodeIndex,
    at: Instant,
) -> Result<Option<Itinerary>> {
    Search { network, origins: vec![(0, origin)], destination }.itinerary(at)
}

/// Last whole minute that is not after a time.
fn last_minute_until(moment: Instant) -> Minute {
    let minute = minute_from(moment);
    if moment_from(minute) > moment { minute - 1 } else { minute }
}

/// Origins of goods and their destination, which at least one of them can reach.
#[derive(Debug)]
pub(in crate::shipping) struct Search<'a> {
    network: &'a Network,
    /// Origins that can reach the destination, with their positions.
    origins: Vec<(usize, Origin<'a>)>,
    destination: NodeIndex,
}

impl<'a> Search<'a> {
    /// Creates a search, or returns the reason why the destination cannot be reached from any origin.
    pub(in crate::shipping) fn new(
        network: &'a Network,
        origins: &[Origin<'a>],
        destination: NodeIndex,
    ) -> std::result::Result<Self, NoWay> {
        let mut no_way = NoWay::NotConnected;
        let mut possible = Vec::with_capacity(origins.len());
        for (position, origin) in origins.iter().enumerate() {
            match is_possible(network, origin.node, destination) {
                Ok(()) => possible.push((position, *origin)),
                Err(reason) => no_way = reason,
            }
        }
        if possible.is_empty() {
            return Err(no_way);
        }
        Ok(Self { network, origins: possible, destination })
    }

    /// Itinerary of one order, without its alternatives.
    ///
    /// # Errors
    /// At `at` if no warehouse has a known time of readiness.
    pub(in crate::shipping) fn itinerary(&self, at: Instant) -> Result<Option<Itinerary>> {
        let mut refused = None;
        let mut best: Option<((Instant, usize), Itinerary)> = None;
        for (position, origin) in &self.origins {
            match self.itinerary_from(*position, origin, at) {
                Ok(Some((legs, itinerary))) => {
                    let rank = (itinerary.arrives_at, legs);
                    if best.as_ref().is_none_or(|(best_rank, _)| rank < *best_rank) {
                        best = Some((rank, itinerary));
                    }
                }
                Ok(None) => {}
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        match (best, refused) {
            (Some((_, itinerary)), _) => Ok(Some(itinerary)),
            (None, Some(error)) => Err(error),
            (None, None) => Ok(None),
        }
    }

    /// Itinerary from one origin, with its number of legs.
    fn itinerary_from(
        &self,
        origin: usize,
        place: &Origin<'_>,
        at: Instant,
    ) -> Result<Option<(usize, Itinerary)>> {
        let prepared = place.warehouse.map(|warehouse| warehouse.ready_with_lead_time(at)).transpose()?;
        let (in_stock_at, readiness) = prepared.unzip();
        let available_at = readiness.as_ref().map_or(at, |readiness: &Readiness| readiness.ready_at);
        let journey = earliest_journey(self.network, place.node, self.destination, minute_from(available_at));
        Ok(journey.map(|Journey { departures, .. }| {
            let stages = stages(self.network, &departures, available_at);
            let arrives_at = stages.last().map_or(available_at, |stage| stage.ends_at);
            let itinerary = Itinerary {
                origin,
                ordered_at: at,
                in_stock_at,
                readiness,
                available_at,
                stages,
                arrives_at,
            };
            (departures.len(), itinerary)
        }))
    }

    /// Latest order that arrives by a minute.
    pub(in crate::shipping) fn order_by(&self, arrival: Minute) -> Option<OrderBy> {
        let latest = self.origins.iter().filter_map(|(_, origin)| {
            let start = latest_start(self.network, origin.node, self.destination, arrival)?;
            order_by(origin, start)
        });
        latest.max_by_key(|order_by| (order_by.last_minute(), order_by.is_inclusive))
    }

    /// Adds the latest order and the alternatives to an itinerary.
    fn answer(&self, itinerary: Itinerary) -> Option<ItineraryAnswer> {
        let arrival = minute_from(itinerary.arrives_at);
        let order_by = self.order_by(arrival)?;
        let earlier = self.order_by(arrival - 1).and_then(|before| self.alternative(before.last_minute()));
        let later = self.alternative(order_by.last_minute() + TimeDelta::minutes(1));
        Some(ItineraryAnswer { itinerary, order_by, earlier, later })
    }

    /// Arrival of another order, and the latest order for it.
    pub(in crate::shipping) fn alternative(&self, at: Instant) -> Option<Alternative> {
        let Itinerary { arrives_at, .. } = self.itinerary(at).ok().flatten()?;
        let order_by = self.order_by(minute_from(arrives_at))?;
        Some(Alternative { arrives_at, order_by })
    }
}

fn is_possible(network: &Network, from: NodeIndex, to: NodeIndex) -> std::result::Result<(), NoWay> {
    match [from, to].into_iter().find(|node| !network.node(*node).is_active) {
        Some(node) => Err(NoWay::Inactive(node)),
        None if !network.is_connected(from, to) => Err(NoWay::NotConnected),
        None => Ok(()),
    }
}

/// Latest order whose goods are at their first node by a minute.
fn order_by(origin: &Origin<'_>, available: Minute) -> Option<OrderBy> {
    let at = moment_from(available);
    match &origin.warehouse {
        None => Some(OrderBy { at, is_inclusive: true }),
        Some(warehouse) => latest_order_with_lead_time(warehouse, at),
    }
}

/// Stages of consecutive departures.
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
        if let Some(day_off) = moments.day_off {
            add(Activity::WaitingForOpening(day_off), moments.unloading);
        }
        add(Activity::Unloading, moments.unloaded);
    }
    stages
}

/// Departures of a leg before the one that goods take: the last one that they missed by less than a day, and
/// those that do not run.
fn skipped_departures(
    network: &Network,
    used_departure: &Departure,
    available_at: Instant,
) -> Vec<SkippedDeparture> {
    let leg = network.leg(used_departure.leg);
    let sender = &network.node(leg.sender).calendar;
    let first = sender.day_of(available_at);
    let first = first.pred_opt().unwrap_or(first);
    let mut skipped = VecDeque::new();
    // Backwards, because departures before the last missed one do not matter.
    let days = successors(Some(used_departure.date), NaiveDate::pred_opt).take_while(|date| *date >= first);
    let departures = days.flat_map(|date| leg.times_of(date).into_iter().rev().map(move |time| (date, time)));
    for (date, time) in
        departures.skip_while(|departure| *departure >= (used_departure.date, used_departure.time))
    {
        let late = available_at - deadline_of(network, leg, date, time);
        let is_missed = late > TimeDelta::zero();
        if late >= TimeDelta::days(1) {
            break;
        }
        match skip_reason(network, leg, date, time) {
            Some(reason) if !is_missed => {
                skipped.truncate(SKIPPED_MAX - 1);
                skipped.push_front(SkippedDeparture { date, time, reason });
            }
            None if is_missed => {
                skipped.push_front(SkippedDeparture { date, time, reason: SkipReason::Missed(late) });
                break;
            }
            _ => {}
        }
    }
    skipped.into()
}

/// Reason why the departure of a leg does not run on a date.
pub(super) fn skip_reason(
    network: &Network,
    leg: &Leg,
    date: NaiveDate,
    time: ClockTime,
) -> Option<SkipReason> {
    match network.node(leg.sender).calendar.day_off(date) {
        _ if leg.added(date).any(|added| added == time) => None,
        Some(day_off) => Some(SkipReason::SenderClosed(day_off)),
        None => leg.is_dropped(date, time).then_some(SkipReason::Dropped),
    }
}
