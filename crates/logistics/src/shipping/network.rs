//! Compiled network: nodes, the legs between them, and the departures of each week, which are computed on
//! first use. It is immutable; a change of a node or a leg compiles another one.

pub(super) mod timetable;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, PoisonError},
};

use chrono::{Datelike, NaiveDate};
use values::{ClockTime, Instant, Minutes, Weekday};

pub use self::timetable::{Connection, Minute};
use self::timetable::{Week, WeekNumber, minute_from, week_of};
use crate::calendar::Calendar;

/// Position of a node in its network.
pub type NodeIndex = u32;
/// Position of a leg in its network.
pub type LegIndex = u32;

/// Maximum number of weeks of departures in memory.
const WEEKS_MAX: usize = 64;

/// Place that goods leave from and arrive at.
#[derive(Debug, Clone)]
pub struct Node {
    pub id: i64,
    /// False if goods travel neither to nor from the node.
    pub is_active: bool,
    /// Days on which departures leave and goods are unloaded.
    pub calendar: Calendar,
}

/// Connection from one node to another.
#[derive(Debug, Clone)]
pub struct Leg {
    pub id: i64,
    pub sender: NodeIndex,
    pub receiver: NodeIndex,
    pub preparation: Minutes,
    pub loading: Minutes,
    /// Travel time; more than zero.
    pub travel: Minutes,
    pub unloading: Minutes,
    /// Time of day by which goods must be there; without one, they must be in time for preparation and
    /// loading. A time after that of the departure is on the day before.
    pub order_time: Option<ClockTime>,
    /// Departures that repeat each week, on days on which the sender is open.
    pub departures: Vec<(Weekday, ClockTime)>,
    pub exceptions: Vec<TimetableException>,
}

/// Departure that differs from the weekly ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TimetableException {
    /// Departure of a day that does not run; without a time, all of the day.
    Dropped { date: NaiveDate, time: Option<ClockTime> },
    /// Additional departure, which runs even if the sender is closed on that day.
    Added { date: NaiveDate, time: ClockTime },
}

/// Nodes and legs, prepared for searches.
#[derive(Debug)]
pub struct Network {
    nodes: Vec<Node>,
    legs: Vec<Leg>,
    positions: HashMap<i64, NodeIndex>,
    /// Usable legs from each sender.
    outgoing: Vec<Vec<LegIndex>>,
    /// Usable legs to each receiver.
    incoming: Vec<Vec<LegIndex>>,
    /// Minutes of the shortest usable leg to each node; 0 if there is none.
    shortest_to: Vec<Minute>,
    /// Calendar of the time zone that all nodes share.
    clock: Calendar,
    weeks: Mutex<BTreeMap<WeekNumber, Arc<Week>>>,
}

impl Network {
    /// Compiles a network. `clock` is a calendar of the installation, whose time zone applies to all
    /// departures.
    ///
    /// # Panics
    /// If a leg names a node that does not exist.
    pub fn new(clock: Calendar, nodes: Vec<Node>, legs: Vec<Leg>) -> Self {
        let positions = (0..).zip(&nodes).map(|(position, node)| (node.id, position)).collect();
        let mut outgoing = vec![Vec::new(); nodes.len()];
        let mut incoming = vec![Vec::new(); nodes.len()];
        for (position, leg) in (0..).zip(&legs) {
            let is_travelled = [leg.sender, leg.receiver].iter().all(|node| nodes[*node as usize].is_active);
            if is_travelled {
                outgoing[leg.sender as usize].push(position);
                incoming[leg.receiver as usize].push(position);
            }
        }
        let mut network = Self {
            nodes,
            legs,
            positions,
            outgoing,
            incoming,
            shortest_to: Vec::new(),
            clock,
            weeks: Mutex::default(),
        };
        network.shortest_to = network.shortest_legs();
        network
    }

    fn shortest_legs(&self) -> Vec<Minute> {
        let mut shortest: Vec<Option<i64>> = vec![None; self.nodes.len()];
        for (_, leg) in self.travelled() {
            let minutes = [leg.preparation, leg.loading, leg.travel, leg.unloading].map(Minutes::minutes);
            let minutes = minutes.iter().copied().sum();
            let shortest_to_node = &mut shortest[leg.receiver as usize];
            *shortest_to_node = Some(shortest_to_node.map_or(minutes, |current| current.min(minutes)));
        }
        shortest.into_iter().map(|minutes| Minute::try_from(minutes.unwrap_or(0)).unwrap_or(0)).collect()
    }

    /// Lower bound of the minutes of any leg to a node, from the deadline of a departure to its arrival.
    pub(in crate::shipping) fn shortest_to(&self, node: NodeIndex) -> Minute {
        self.shortest_to[node as usize]
    }

    /// Position of the node with an id.
    pub fn position(&self, id: i64) -> Option<NodeIndex> {
        self.positions.get(&id).copied()
    }

    /// Nodes, by their position.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Legs, by their position.
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// Returns the node at a position.
    pub fn node(&self, position: NodeIndex) -> &Node {
        &self.nodes[position as usize]
    }

    /// Returns the leg at a position.
    pub fn leg(&self, position: LegIndex) -> &Leg {
        &self.legs[position as usize]
    }

    /// Calendar of the installation's time zone.
    pub(in crate::shipping) fn clock(&self) -> &Calendar {
        &self.clock
    }

    /// Usable legs, sender by sender.
    pub(in crate::shipping) fn travelled(&self) -> impl Iterator<Item = (LegIndex, &Leg)> {
        self.outgoing.iter().flatten().map(|position| (*position, self.leg(*position)))
    }

    /// Nodes that can be reached from a node by one leg.
    pub(in crate::shipping) fn receivers(&self, sender: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        self.outgoing[sender as usize].iter().map(|leg| self.leg(*leg).receiver)
    }

    /// Nodes from which a node can be reached by one leg.
    pub(in crate::shipping) fn senders(&self, receiver: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        self.incoming[receiver as usize].iter().map(|leg| self.leg(*leg).sender)
    }

    /// True if legs with departures lead from one node to another, on any days.
    pub fn is_connected(&self, from: NodeIndex, to: NodeIndex) -> bool {
        let mut is_reached = vec![false; self.nodes.len()];
        let mut waiting = vec![from];
        is_reached[from as usize] = true;
        while let Some(node) = waiting.pop() {
            if node == to {
                return true;
            }
            for leg in self.outgoing[node as usize].iter().map(|leg| self.leg(*leg)) {
                if leg.has_departures() && !is_reached[leg.receiver as usize] {
                    is_reached[leg.receiver as usize] = true;
                    waiting.push(leg.receiver);
                }
            }
        }
        false
    }

    /// Departures whose deadlines are in a week.
    pub(in crate::shipping) fn week(&self, number: WeekNumber) -> Arc<Week> {
        let mut weeks = self.weeks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(week) = weeks.get(&number) {
            return Arc::clone(week);
        }
        let week = Arc::new(Week::lay_out(self, number));
        weeks.insert(number, Arc::clone(&week));
        if weeks.len() > WEEKS_MAX {
            let farthest = weeks.keys().copied().max_by_key(|other| other.abs_diff(number));
            farthest.map(|other| weeks.remove(&other));
        }
        week
    }

    /// Departures of several weeks in the order of their deadlines; the first week is that of `from`.
    pub fn connections(&self, from: Instant, weeks: u32) -> Vec<Connection> {
        let first = week_of(minute_from(from));
        let weeks = (first..).take(weeks as usize);
        weeks.flat_map(|number| self.week(number).connections().to_vec()).collect()
    }

    /// Approximate memory of the network in bytes, without the calendars of its nodes.
    pub fn bytes(&self) -> usize {
        let weeks = self.weeks.lock().unwrap_or_else(PoisonError::into_inner);
        let laid_out: usize = weeks.values().map(|week| week.bytes()).sum();
        let leg =
            |leg: &Leg| size_of::<Leg>() + size_of_val(&*leg.departures) + size_of_val(&*leg.exceptions);
        laid_out + self.legs.iter().map(leg).sum::<usize>() + size_of_val(&*self.nodes)
    }
}

impl Leg {
    /// True if there is a weekly departure, or one on a single date.
    pub fn has_departures(&self) -> bool {
        let is_added = |exception: &TimetableException| matches!(exception, TimetableException::Added { .. });
        !self.departures.is_empty() || self.exceptions.iter().any(is_added)
    }

    /// True if the departure of a date and time does not run.
    pub(in crate::shipping) fn is_dropped(&self, date: NaiveDate, time: ClockTime) -> bool {
        self.exceptions.iter().any(|exception| match exception {
            TimetableException::Dropped { date: day, time: dropped } => {
                *day == date && dropped.is_none_or(|dropped| dropped == time)
            }
            TimetableException::Added { .. } => false,
        })
    }

    /// Times of the departures on a date, including dropped ones and those of a closed sender, in their
    /// order.
    pub(in crate::shipping) fn times_of(&self, date: NaiveDate) -> Vec<ClockTime> {
        let weekday = Weekday::from(date.weekday());
        let weekly = self.departures.iter().filter(|(day, _)| *day == weekday).map(|(_, time)| *time);
        let mut times: Vec<_> = weekly.chain(self.added(date)).collect();
        times.sort_unstable();
        times.dedup();
        times
    }

    /// Departures that are added on a date.
    pub(in crate::shipping) fn added(&self, date: NaiveDate) -> impl Iterator<Item = ClockTime> {
        self.exceptions.iter().filter_map(move |exception| match exception {
            TimetableException::Added { date: day, time } => (*day == date).then_some(*time),
            TimetableException::Dropped { .. } => None,
        })
    }
}
