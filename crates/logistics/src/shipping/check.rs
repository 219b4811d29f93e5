//! The network check: findings about nodes and legs. It is pure: the network, the nodes' rows and the day are all that it sees.

mod transfer;

use std::collections::HashSet;

use chrono::{Datelike, NaiveDate};
use kernel::{ClockTime, Weekday};

use super::{
    country::Country,
    network::{DepartureException, Leg, LegIndex, Network, NodeIndex},
    node::ShippingNode,
};

/// Days, from today on, on which departures are looked at.
const DAYS: usize = 364;

/// A finding of the network check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// No leg leads to an active node.
    UnreachableNode(NodeIndex),
    /// No departures leave from the node of a warehouse.
    IsolatedWarehouse(NodeIndex),
    /// A leg with no departures from today on.
    LegWithoutDepartures(LegIndex),
    /// Goods of the first leg always wait longer than a day for the second one; the hours are rounded down.
    LongTransfer { from: LegIndex, to: LegIndex, hours: i64 },
    /// No leg leads back.
    NoReturnLeg(LegIndex),
    /// The coordinates of a node lie outside the country that its address names.
    CoordinatesElsewhere { node: NodeIndex, country: Country },
    /// A departure that runs on none of the days that are looked at.
    UnreachableDeparture { leg: LegIndex, weekday: Weekday, time: ClockTime },
}

/// Checks nodes and legs on a day. `rows` are the nodes of the network at their positions. Findings are in the order of their types,
/// then in that of nodes and legs.
pub fn check(network: &Network, rows: &[ShippingNode], today: NaiveDate) -> Vec<Finding> {
    let rows = || (0..).zip(rows);
    let mut legs: Vec<(LegIndex, &Leg)> = network.travelled().collect();
    legs.sort_unstable_by_key(|(position, _)| *position);
    let received: HashSet<NodeIndex> = legs.iter().map(|(_, leg)| leg.receiver).collect();
    let departing = legs.iter().filter(|(_, leg)| has_departures_from(leg, today));
    let sending: HashSet<NodeIndex> = departing.map(|(_, leg)| leg.sender).collect();
    let pairs: HashSet<_> = legs.iter().map(|(_, leg)| (leg.sender, leg.receiver)).collect();

    let active = || rows().filter(|(_, node)| node.active);
    // a warehouse that goods leave need not be reached
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

/// True if departures repeat each week, or one is added on a day that is not over.
fn has_departures_from(leg: &Leg, today: NaiveDate) -> bool {
    let is_added = |exception: &DepartureException| match exception {
        DepartureException::Added { date, .. } => *date >= today,
        DepartureException::Dropped { .. } => false,
    };
    !leg.departures.is_empty() || leg.exceptions.iter().any(is_added)
}

/// The weekly departures of a leg that run on none of the days that are looked at: the sender is closed, or each one is dropped.
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
