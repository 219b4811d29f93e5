//! Search for journeys: a connection scan over the departures in the order of their deadlines (Dibbelt,
//! Pajor, Strasser, Wagner: Connection Scan Algorithm, 2018), with the best arrival for each number of legs.
//! It works on numbers only.
//!
//! It is bounded: it examines departures of [`WEEKS`] weeks and journeys of at most [`LEGS_MAX`] legs, and
//! each departure once.

use std::sync::Arc;

use super::network::{
    Network, NodeIndex,
    timetable::{Connection, Departure, Minute, Week, WeekNumber, week_of},
};

/// Number of weeks whose departures are searched, including the week in which the goods become available.
pub(super) const WEEKS: WeekNumber = 14;
/// Maximum number of legs of a journey.
pub(super) const LEGS_MAX: u32 = 16;

/// Journey with its arrival and its departures in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Journey {
    pub(super) arrival: Minute,
    pub(super) departures: Vec<Departure>,
}

/// Position of a connection: number of weeks after the first one, and position in that week.
#[derive(Debug, Clone, Copy, Default)]
struct ConnectionPosition {
    week: u32,
    connection: u32,
}

/// Path between a node and the start of the search that is not dominated by one with as few legs.
#[derive(Debug, Clone, Copy)]
struct Label {
    legs: u32,
    /// Time at the node.
    minute: Minute,
    /// Last leg of the path.
    by: ConnectionPosition,
    /// Next label of the same node: more legs and a better minute.
    next: u32,
}

/// Number of connections in a block. Tests have small networks and use small blocks.
const BLOCK: usize = if cfg!(test) { 2 } else { 64 };

/// Number of blocks after which the last legs are examined again.
const BLOCKS_BETWEEN: usize = if cfg!(test) { 2 } else { 8 };

/// Maximum number of departures of last legs in one examination.
const LAST_LEGS_MAX: usize = if cfg!(test) { 8 } else { 64 };

/// Index that stands for no label.
const NONE: u32 = u32::MAX;

/// Path with the fewest legs to a node, which decides most comparisons without the others.
#[derive(Debug, Clone, Copy)]
struct BestPath {
    first: Minute,
    fewest_legs: u32,
    /// Label with the fewest legs.
    label: u32,
    /// True if one leg leads there from the first node, even without a departure.
    is_next: bool,
}

/// Labels of all nodes, those of each node sorted by their number of legs.
struct Labels {
    all: Vec<Label>,
    nodes: Vec<BestPath>,
    /// Best minute at each node.
    best: Vec<Minute>,
}

impl Labels {
    /// Creates labels in which only `start` is reached, at `minute`; `unreached` is worse than all minutes.
    fn new(nodes: usize, start: NodeIndex, minute: Minute, unreached: Minute) -> Self {
        let mut best = vec![unreached; nodes];
        best[start as usize] = minute;
        let mut all = Vec::with_capacity(nodes);
        all.push(Label { legs: 0, minute, by: ConnectionPosition::default(), next: NONE });
        let mut nodes =
            vec![BestPath { first: unreached, fewest_legs: NONE, label: NONE, is_next: false }; nodes];
        nodes[start as usize] = BestPath { first: minute, fewest_legs: 0, label: 0, is_next: false };
        Self { all, nodes, best }
    }

    fn best(&self, node: NodeIndex) -> Minute {
        self.best[node as usize]
    }

    /// Connections of a block for which goods wait, as a bit mask. A loop without branches, because most
    /// connections leave from nodes that are not reached.
    fn waiting(&self, block: &[Connection]) -> u64 {
        let bit = |(position, connection): (usize, &Connection)| {
            u64::from(self.best(connection.sender) <= connection.deadline) << position
        };
        block.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit)
    }

    fn node(&self, node: NodeIndex) -> &BestPath {
        &self.nodes[node as usize]
    }

    /// Label with the fewest legs whose minute is good enough.
    fn fewest_legs(&self, node: NodeIndex, is_good: impl Fn(Minute) -> bool) -> Option<&Label> {
        let mut next = self.node(node).label;
        while next != NONE {
            let label = &self.all[next as usize];
            if is_good(label.minute) {
                return Some(label);
            }
            next = label.next;
        }
        None
    }

    /// Adds a path to a node; false if one with as few legs is as good. `is_as_good` compares an existing
    /// minute with a new one.
    fn add(&mut self, node: NodeIndex, mut new: Label, is_as_good: impl Fn(Minute, Minute) -> bool) -> bool {
        let mut before = NONE;
        let mut next = self.node(node).label;
        while let Some(label) = self.all.get(next as usize)
            && label.legs <= new.legs
        {
            if is_as_good(label.minute, new.minute) {
                return false;
            }
            if label.legs < new.legs {
                before = next;
            }
            next = label.next;
        }
        // Drops labels with more legs that are no longer better.
        while let Some(label) = self.all.get(next as usize)
            && is_as_good(new.minute, label.minute)
        {
            next = label.next;
        }
        new.next = next;
        let added = u32::try_from(self.all.len()).expect("fewer labels than departures");
        self.all.push(new);
        if let Some(before) = self.all.get_mut(before as usize) {
            before.next = added;
        } else {
            let reached = &mut self.nodes[node as usize];
            (reached.first, reached.fewest_legs, reached.label) = (new.minute, new.legs, added);
        }
        if next == NONE {
            self.best[node as usize] = new.minute;
        }
        true
    }
}

/// Finds the journey with the earliest arrival, and with the fewest legs among these.
pub(super) fn earliest_journey(
    network: &Network,
    from: NodeIndex,
    to: NodeIndex,
    available: Minute,
) -> Option<Journey> {
    if from == to {
        return Some(Journey { arrival: available, departures: Vec::new() });
    }
    let mut scan = Scan {
        network,
        to,
        first: week_of(available),
        weeks: Vec::new(),
        labels: Labels::new(network.nodes().len(), from, available, Minute::MAX),
        arrival: Minute::MAX,
    };
    for node in network.receivers(from) {
        scan.labels.nodes[node as usize].is_next = true;
    }
    let begin = scan.scan_first_legs(from, available)?;
    scan.scan_all(begin);
    (scan.arrival < Minute::MAX).then(|| Journey { arrival: scan.arrival, departures: scan.departures(from) })
}

/// Forward scan over the departures of [`WEEKS`] weeks.
struct Scan<'a> {
    network: &'a Network,
    to: NodeIndex,
    first: WeekNumber,
    /// Weeks scanned, from the first one on.
    weeks: Vec<Arc<Week>>,
    labels: Labels,
    /// Best arrival at the destination.
    arrival: Minute,
}

impl Scan<'_> {
    fn week(&mut self, number: WeekNumber) -> Arc<Week> {
        let position = usize::try_from(number - self.first).unwrap_or(0);
        while self.weeks.len() <= position {
            let number = self.first.saturating_add(i32::try_from(self.weeks.len()).unwrap_or(WEEKS));
            self.weeks.push(self.network.week(number));
        }
        Arc::clone(&self.weeks[position])
    }

    /// Takes departures from the first node until goods are at a second one. Returns the minute of that
    /// arrival: other departures do not matter before it.
    fn scan_first_legs(&mut self, from: NodeIndex, available: Minute) -> Option<Minute> {
        let mut arrived = Minute::MAX;
        for number in self.first..self.first.saturating_add(WEEKS) {
            if number > week_of(arrived) {
                break;
            }
            let week = self.week(number);
            for position in week.connections_from(from) {
                let connection = &week.connections()[position];
                if connection.deadline >= arrived {
                    return Some(arrived);
                }
                if connection.deadline >= available && self.take(number, position, connection) {
                    arrived = arrived.min(connection.arrival);
                }
            }
        }
        (arrived < Minute::MAX).then_some(arrived)
    }

    /// Examines all departures from a minute on, until none can arrive earlier, or as early with fewer legs.
    /// Once only last legs can still change the result, it examines no others.
    fn scan_all(&mut self, begin: Minute) {
        let shortest = self.network.shortest_to(self.to);
        let mut useful = Minute::MAX;
        for number in week_of(begin)..self.first.saturating_add(WEEKS) {
            let week = self.week(number);
            let connections = week.connections();
            let begin = connections.partition_point(|connection| connection.deadline < begin);
            let blocks = connections[begin..].chunks(BLOCK).zip((begin..).step_by(BLOCK));
            for (count, (block, begin)) in blocks.enumerate() {
                let now = block[0].deadline;
                if now.saturating_add(shortest) > self.arrival {
                    return;
                }
                if count % BLOCKS_BETWEEN == 0 {
                    useful = self.last_useful_deadline(number, &week, begin);
                }
                if now > useful {
                    return self.scan_last_legs(number, begin);
                }
                let end = block[block.len() - 1].deadline;
                let mut waiting = self.labels.waiting(block);
                while waiting != 0 {
                    let position = waiting.trailing_zeros();
                    waiting &= waiting - 1;
                    let connection = &block[position as usize];
                    if self.take(number, begin + position as usize, connection) && connection.arrival <= end {
                        // Goods that have just arrived can continue within the block.
                        waiting = self.labels.waiting(block) & (u64::MAX << position << 1);
                    }
                }
            }
        }
    }

    /// Last deadline at which a departure of a week can still change the result, apart from the last legs of
    /// journeys; [`Minute::MAX`] while that is unknown.
    ///
    /// A departure matters only if it leads to the sender of a last leg in time for one that arrives no later
    /// than the best journey so far, and by a better path than the sender's. No path is better than one that
    /// is as early and has as few legs as the network allows.
    fn last_useful_deadline(&self, number: WeekNumber, week: &Week, begin: usize) -> Minute {
        let last_legs = week.connections_to(self.to, begin).map(|position| &week.connections()[position]);
        let mut arrival = self.arrival;
        for (count, last_leg) in last_legs.clone().enumerate() {
            if last_leg.deadline >= arrival {
                break;
            }
            if count == LAST_LEGS_MAX {
                return Minute::MAX;
            }
            let predecessor = self.labels.fewest_legs(last_leg.sender, |minute| minute <= last_leg.deadline);
            if predecessor.is_some_and(|label| label.legs < LEGS_MAX) {
                arrival = arrival.min(last_leg.arrival);
            }
        }
        // The last legs of the next week are not known.
        if week_of(arrival) > number {
            return Minute::MAX;
        }
        let in_time = last_legs.take_while(|last_leg| last_leg.deadline < arrival);
        in_time
            .filter(|last_leg| last_leg.arrival <= arrival)
            .map(|last_leg| self.useful_until(last_leg))
            .max()
            .unwrap_or(Minute::MIN)
    }

    /// Last deadline at which another departure can lead to a last leg's sender by a better path.
    fn useful_until(&self, last_leg: &Connection) -> Minute {
        let sender = last_leg.sender;
        let reached = self.labels.node(sender);
        let arrival = if self.has_fewest_legs(sender, reached) {
            last_leg.deadline.min(reached.first - 1)
        } else {
            last_leg.deadline
        };
        arrival - self.network.shortest_to(sender)
    }

    /// True if no path to a reached node can have fewer legs, on any day.
    fn has_fewest_legs(&self, node: NodeIndex, reached: &BestPath) -> bool {
        match reached.fewest_legs {
            0 | 1 => true,
            2 => !reached.is_next,
            3 => {
                let mut senders = self.network.senders(node);
                !reached.is_next && senders.all(|sender| !self.labels.node(sender).is_next)
            }
            _ => false,
        }
    }

    /// Takes only last legs, from a position in a week on.
    fn scan_last_legs(&mut self, number: WeekNumber, mut begin: usize) {
        for number in number..self.first.saturating_add(WEEKS) {
            let week = self.week(number);
            for position in week.connections_to(self.to, std::mem::take(&mut begin)) {
                let connection = &week.connections()[position];
                if connection.deadline >= self.arrival {
                    return;
                }
                if self.labels.best(connection.sender) <= connection.deadline {
                    self.take(number, position, connection);
                }
            }
        }
    }

    /// Takes a departure; false if its receiver is already reached as early with as few legs, or the arrival
    /// is too late.
    fn take(&mut self, number: WeekNumber, position: usize, connection: &Connection) -> bool {
        let labels = &mut self.labels;
        let (sender, receiver) = (labels.node(connection.sender), labels.node(connection.receiver));
        let is_beaten =
            receiver.first <= connection.arrival && receiver.fewest_legs <= sender.fewest_legs + 1;
        if is_beaten || connection.arrival > self.arrival {
            return false;
        }
        let predecessor = labels.fewest_legs(connection.sender, |minute| minute <= connection.deadline);
        let Some(Label { legs, .. }) = predecessor.copied().filter(|label| label.legs < LEGS_MAX) else {
            return false;
        };
        let week = (number - self.first).unsigned_abs();
        let by = ConnectionPosition { week, connection: u32::try_from(position).unwrap_or(NONE) };
        let label = Label { legs: legs + 1, minute: connection.arrival, by, next: NONE };
        labels.add(connection.receiver, label, |minute, other| minute <= other);
        self.arrival = labels.best(self.to);
        true
    }

    /// Departures of the journey with the fewest legs among those with the best arrival.
    fn departures(&self, from: NodeIndex) -> Vec<Departure> {
        let mut departures = Vec::new();
        let (mut node, mut until) = (self.to, self.arrival);
        while node != from {
            let label = self.labels.fewest_legs(node, |minute| minute <= until);
            let by = label.expect("a node on the way is reached").by;
            let week = &self.weeks[by.week as usize];
            let position = by.connection as usize;
            let connection = week.connections()[position];
            departures.push(week.departure(position));
            (node, until) = (connection.sender, connection.deadline);
        }
        departures.reverse();
        departures
    }
}

/// Last minute at which goods must be at a node to arrive by a minute; `None` if there is none within the
/// [`WEEKS`] weeks before.
pub(super) fn latest_start(network: &Network, from: NodeIndex, to: NodeIndex, by: Minute) -> Option<Minute> {
    if from == to {
        return Some(by);
    }
    let mut labels = Labels::new(network.nodes().len(), to, by, Minute::MIN);
    let last = week_of(by);
    for number in (last.saturating_sub(WEEKS)..=last).rev() {
        let week = network.week(number);
        let connections = week.connections();
        let end = connections.partition_point(|connection| connection.deadline < by);
        for connection in connections[..end].iter().rev() {
            if labels.best(connection.receiver) < connection.arrival {
                continue;
            }
            let receiver = labels.node(connection.receiver);
            // Deadlines descend, so a further label of the sender helps only if it has fewer legs.
            if labels.node(connection.sender).fewest_legs <= receiver.fewest_legs + 1 {
                continue;
            }
            let after = labels.fewest_legs(connection.receiver, |minute| minute >= connection.arrival);
            let Some(Label { legs, .. }) = after.copied().filter(|label| label.legs < LEGS_MAX) else {
                continue;
            };
            if connection.sender == from {
                return Some(connection.deadline);
            }
            let by = ConnectionPosition::default();
            let label = Label { legs: legs + 1, minute: connection.deadline, by, next: NONE };
            labels.add(connection.sender, label, |minute, other| minute >= other);
        }
    }
    None
}
