//! Transfers at which goods always wait longer than a day, whichever departure they arrive with.

use std::collections::HashMap;

use chrono::NaiveDate;

use super::Finding;
use crate::shipping::network::{
    Leg, LegIndex, Network, NodeIndex,
    timetable::{MINUTES_PER_WEEK, Minute, minute_from, week_of},
};

/// Number of weeks whose arrivals are examined.
const ARRIVAL_WEEKS: i32 = 4;
/// Number of weeks whose departures are examined; more than those of arrivals, so that each arrival can wait
/// for some weeks.
const DEPARTURE_WEEKS: i32 = 8;
const DAY: Minute = 24 * 60;

/// Runs of a leg: the minute by which goods must be there, and that at which they are unloaded.
type Runs = Vec<(Minute, Minute)>;

/// Finds pairs of legs between which goods always wait longer than a day. A leg back to the origin is no
/// transfer.
pub(super) fn long_transfers(network: &Network, legs: &[(LegIndex, &Leg)], today: NaiveDate) -> Vec<Finding> {
    let begin = minute_from(network.clock().beginning(today));
    let until = begin + ARRIVAL_WEEKS * MINUTES_PER_WEEK;
    let runs = runs_of_legs(network, begin);
    let mut outgoing: HashMap<NodeIndex, Vec<(LegIndex, &Leg, &Runs)>> = HashMap::new();
    for (position, leg) in legs {
        if let Some(runs) = runs.get(position) {
            outgoing.entry(leg.sender).or_default().push((*position, leg, runs));
        }
    }
    let mut findings = Vec::new();
    for (from, leg) in legs {
        let Some(arriving) = runs.get(from) else { continue };
        let mut arrivals: Vec<_> =
            arriving.iter().map(|(_, arrival)| *arrival).filter(|arrival| *arrival < until).collect();
        arrivals.sort_unstable();
        let onward = outgoing.get(&leg.receiver).into_iter().flatten();
        for (to, _, departing) in onward.filter(|(_, onward, _)| onward.receiver != leg.sender) {
            if let Some(wait) = shortest_wait(&arrivals, departing).filter(|wait| *wait > DAY) {
                findings.push(Finding::LongTransfer { from: *from, to: *to, hours: i64::from(wait / 60) });
            }
        }
    }
    findings
}

/// Shortest time between an arrival and the next departure; `None` if there are no arrivals, or none is
/// followed by a departure.
fn shortest_wait(arrivals: &[Minute], departing: &Runs) -> Option<Minute> {
    let waits = arrivals.iter().filter_map(|arrival| {
        let next = departing.partition_point(|(deadline, _)| deadline < arrival);
        departing.get(next).map(|(deadline, _)| deadline - arrival)
    });
    waits.min()
}

/// Runs of the weeks from a minute on, in the order of their deadlines.
fn runs_of_legs(network: &Network, begin: Minute) -> HashMap<LegIndex, Runs> {
    let first = week_of(begin);
    let mut by_leg: HashMap<LegIndex, Runs> = HashMap::new();
    for number in first..first + DEPARTURE_WEEKS {
        let week = network.week(number);
        for (position, run) in week.connections().iter().enumerate() {
            let leg = week.departure(position).leg;
            by_leg.entry(leg).or_default().push((run.deadline, run.arrival));
        }
    }
    by_leg
}
