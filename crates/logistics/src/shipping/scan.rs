//! The search itself: a connection scan over the departures in the order of their deadlines (Dibbelt, Pajor, Strasser, Wagner:
//! Connection Scan Algorithm, 2018), with the best arrival for each number of legs. It knows numbers only.
//!
//! It is bounded: it looks at departures of [`WEEKS`] weeks and at journeys of at most [`LEGS_MAX`] legs, and looks at each departure
//! once.

use std::sync::Arc;

use super::network::{
    Network, NodeIndex,
    timetable::{Departure, Minute, Run, Week, WeekNumber, week_of},
};

/// Weeks in which departures are searched for, the week in which the goods are available included.
pub(super) const WEEKS: WeekNumber = 14;
/// Legs of a journey.
pub(super) const LEGS_MAX: usize = 16;

/// Place of a run: how many weeks after the first one, and where in that week.
#[derive(Debug, Clone, Copy, Default)]
struct RunPosition {
    week: u32,
    run: u32,
}

/// The best that is known of a node, by the number of legs at most.
#[derive(Debug, Clone, Copy)]
struct Reached {
    arrivals: [Minute; LEGS_MAX + 1],
    /// The last leg of the journey.
    by: [RunPosition; LEGS_MAX + 1],
}

/// A journey: when it ends, and its departures in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Journey {
    pub(super) arrival: Minute,
    pub(super) departures: Vec<Departure>,
}

/// The journey that arrives first, of those the one with the fewest legs.
pub(super) fn earliest_journey(
    network: &Network,
    from: NodeIndex,
    to: NodeIndex,
    available: Minute,
) -> Option<Journey> {
    if from == to {
        return Some(Journey { arrival: available, departures: Vec::new() });
    }
    let nodes = network.nodes().len();
    let unreached =
        Reached { arrivals: [Minute::MAX; LEGS_MAX + 1], by: [RunPosition::default(); LEGS_MAX + 1] };
    let mut reached = vec![unreached; nodes];
    // the earliest arrival at each node, so that most departures are settled by one comparison
    let mut earliest = vec![Minute::MAX; nodes];
    reached[from as usize].arrivals = [available; LEGS_MAX + 1];
    earliest[from as usize] = available;

    let mut weeks: Vec<Arc<Week>> = Vec::new();
    let first = week_of(available);
    'weeks: for number in first..first.saturating_add(WEEKS) {
        let week = network.week(number);
        weeks.push(Arc::clone(&week));
        let runs = week.runs();
        let begin = runs.partition_point(|run| run.deadline < available);
        for (position, run) in (0..).zip(runs).skip(begin) {
            let best = earliest[to as usize];
            if run.deadline >= best {
                break 'weeks;
            }
            if earliest[run.sender as usize] > run.deadline || run.arrival > best {
                continue;
            }
            let by = RunPosition { week: (number - first).unsigned_abs(), run: position };
            if ride(&mut reached, run, by) && run.arrival < earliest[run.receiver as usize] {
                earliest[run.receiver as usize] = run.arrival;
            }
        }
    }
    let arrival = earliest[to as usize];
    (arrival < Minute::MAX)
        .then(|| Journey { arrival, departures: departures(&reached, &weeks, (from, to), arrival) })
}

/// Notes where goods get to with a departure that they can take; true if that is better than before.
fn ride(reached: &mut [Reached], run: &Run, by: RunPosition) -> bool {
    let before = &reached[run.sender as usize].arrivals;
    let Some(legs) = before[..LEGS_MAX].iter().position(|arrival| *arrival <= run.deadline) else {
        return false;
    };
    let receiver = &mut reached[run.receiver as usize];
    let mut is_better = false;
    for legs in legs + 1..=LEGS_MAX {
        if receiver.arrivals[legs] <= run.arrival {
            break;
        }
        receiver.arrivals[legs] = run.arrival;
        receiver.by[legs] = by;
        is_better = true;
    }
    is_better
}

/// The departures of the journey with the fewest legs that arrives at a minute.
fn departures(
    reached: &[Reached],
    weeks: &[Arc<Week>],
    (from, to): (NodeIndex, NodeIndex),
    arrival: Minute,
) -> Vec<Departure> {
    let mut departures = Vec::new();
    let (mut node, mut until) = (to, arrival);
    while node != from {
        let Reached { arrivals, by } = &reached[node as usize];
        let legs =
            arrivals.iter().position(|arrival| *arrival <= until).expect("a node on the way is reached");
        let week = &weeks[by[legs].week as usize];
        let position = by[legs].run as usize;
        let run = week.runs()[position];
        departures.push(week.departure(position));
        (node, until) = (run.sender, run.deadline);
    }
    departures.reverse();
    departures
}

/// The last minute at which goods have to be at a node to arrive by a minute; `None` if that is too late within [`WEEKS`] weeks before.
pub(super) fn latest_start(network: &Network, from: NodeIndex, to: NodeIndex, by: Minute) -> Option<Minute> {
    if from == to {
        return Some(by);
    }
    // the latest minute at each node, by the number of legs at most that are left
    let mut latest = vec![[Minute::MIN; LEGS_MAX + 1]; network.nodes().len()];
    latest[to as usize] = [by; LEGS_MAX + 1];
    let last = week_of(by);
    for number in (last.saturating_sub(WEEKS)..=last).rev() {
        let week = network.week(number);
        let runs = week.runs();
        let end = runs.partition_point(|run| run.deadline < by);
        for run in runs[..end].iter().rev() {
            let after = &latest[run.receiver as usize][..LEGS_MAX];
            if after[LEGS_MAX - 1] < run.arrival {
                continue;
            }
            let Some(legs) = after.iter().position(|minute| *minute >= run.arrival) else { continue };
            if run.sender == from {
                // deadlines descend: no later one follows
                return Some(run.deadline);
            }
            for minute in &mut latest[run.sender as usize][legs + 1..] {
                *minute = (*minute).max(run.deadline);
            }
        }
    }
    None
}
