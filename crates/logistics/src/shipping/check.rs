//! Network check: findings about nodes and legs. It is pure: its only inputs are the network, the nodes' rows
//! and the day.

mod transfer;

use std::collections::HashSet;

use chrono::{Datelike, NaiveDate};
use values::{ClockTime, Weekday};

use super::{
    country::Country,
    network::{Leg, LegIndex, Network, NodeIndex, TimetableException},
    node::ShippingNode,
};

/// Number of days, from today on, whose departures are examined.
const DAYS: usize = 364;

/// Finding of the network check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// Active node without an incoming leg.
    UnreachableNode(NodeIndex),
    /// Node of a warehouse without departures.
    IsolatedWarehouse(NodeIndex),
    /// Leg without departures from today on.
    LegWithoutDepartures(LegIndex),
    /// Goods of the first leg always wait longer than a day for the second one; hours are rounded down.
    LongTransfer { from: LegIndex, to: LegIndex, hours: i64 },
    /// Leg without a leg in the opposite direction.
    NoReturnLeg(LegIndex),
    /// Coordinates of a node outside the country in its address.
    CoordinatesElsewhere { node: NodeIndex, country: Country },
    /// Departure that runs on none of the examined days.
    UnreachableDeparture { leg: LegIndex, weekday: Weekday, time: ClockTime },
}

/// Checks nodes and legs for a day. `rows` are the nodes of the network at their positions. Findings are
/// sorted by type, then by node or leg.
pub fn check(network: &Network, rows: &[ShippingNode], today: NaiveDate) -> Vec<Finding> {
    let rows = || (0..).zip(rows);
    let mut legs: Vec<(LegIndex, &Leg)> = network.travelled().collect();
    legs.sort_unstable_by_key(|(position, _)| *position);
    let received: HashSet<NodeIndex> = legs.iter().map(|(_, leg)| leg.receiver).collect();
    let departing = legs.iter().filter(|(_, leg)| has_departures_from(leg, today));
    let sending: HashSet<NodeIndex> = departing.map(|(_, leg)| leg.sender).collect();
    let pairs: HashSet<_> = legs.iter().map(|(_, leg)| (leg.sender, leg.receiver)).collect();

    let active = || rows().filter(|(_, node)| node.active);
    // A warehouse from which goods are sent need not be reachable.
    let is_source =
        |position: NodeIndex, node: &ShippingNode| node.warehouse_id.is_some() && sending.contains(&position);
    let unreachable = active()
        .filter(|(position, node)| !received.contains(position) && !is_source(*position, node))
        .map(|(position, _)| Finding::UnreachableNode(position));
    let isolated = active()
        .filter(|(position, node)| node.warehouse_id.is_some() && !sending.contains(position))
        .map(|(position, _)| Finding::IsolatedWarehouse(position));
    let dead = legs
        .iter()
        .filter(|(_, leg)| !has_departures_from(leg, today))
        .map(|(position, _)| Finding::LegWithoutDepartures(*position));
    let one_way = legs
        .iter()
        .filter(|(_, leg)| !pairs.contains(&(leg.receiver, leg.sender)))
        .map(|(position, _)| Finding::NoReturnLeg(*position));
    let elsewhere = rows().filter_map(|(position, node)| {
        let country = Country::find_in_address(node.address.as_deref()?)?;
        let is_inside = country.may_contain(node.latitude?, node.longitude?);
        (!is_inside).then_some(Finding::CoordinatesElsewhere { node: position, country })
    });
    let waits = transfer::long_transfers(network, &legs, today);
    let never = legs.iter().flat_map(|(position, leg)| {
        unreachable_departures(network, leg, today).map(|(weekday, time)| Finding::UnreachableDeparture {
            leg: *position,
            weekday,
            time,
        })
    });
    let mut findings: Vec<_> = unreachable.chain(isolated).chain(dead).collect();
    findings.extend(waits.into_iter().chain(one_way).chain(elsewhere).chain(never));
    findings
}

/// True if departures repeat each week, or one is added today or later.
fn has_departures_from(leg: &Leg, today: NaiveDate) -> bool {
    let is_added = |exception: &TimetableException| match exception {
        TimetableException::Added { date, .. } => *date >= today,
        TimetableException::Dropped { .. } => false,
    };
    !leg.departures.is_empty() || leg.exceptions.iter().any(is_added)
}

/// Weekly departures of a leg that run on none of the examined days, because the sender is closed or they are
/// dropped.
fn unreachable_departures<'a>(
    network: &'a Network,
    leg: &'a Leg,
    today: NaiveDate,
) -> impl Iterator<Item = (Weekday, ClockTime)> + use<'a> {
    let calendar = &network.node(leg.sender).calendar;
    let runs = move |weekday: Weekday, time: ClockTime| {
        let days = today.iter_days().take(DAYS).filter(move |day| Weekday::from(day.weekday()) == weekday);
        let is_open = |day: NaiveDate| calendar.day_off(day).is_none() && !leg.is_dropped(day, time);
        days.into_iter().any(|day| is_open(day) || leg.added(day).any(|added| added == time))
    };
    leg.departures.iter().copied().filter(move |(weekday, time)| !runs(*weekday, *time))
}
