//! Timetable of a week: each departure with the minute by which goods must be there and the minute at which
//! they are unloaded, sorted by the former. Calendars, exceptions and clock changes are resolved here, so
//! that the search only compares numbers.

use std::collections::HashMap;

use chrono::{DateTime, Datelike, Days, NaiveDate, TimeDelta, Utc};
use values::{ClockTime, Instant, Weekday};

use super::{Leg, LegIndex, Network, NodeIndex};
use crate::calendar::{Calendar, DayOff, HORIZON_DAYS};

/// Number of minutes since 1970-01-01T00:00Z.
pub type Minute = i32;
/// Number of weeks since 1970-01-01T00:00Z.
pub(in crate::shipping) type WeekNumber = i32;

pub(in crate::shipping) const MINUTES_PER_WEEK: Minute = 7 * 24 * 60;

/// First whole minute that is not before a time.
pub(in crate::shipping) fn minute_from(moment: Instant) -> Minute {
    let seconds = moment.timestamp() + i64::from(moment.timestamp_subsec_nanos() > 0);
    let minutes = seconds.div_euclid(60) + i64::from(seconds.rem_euclid(60) > 0);
    Minute::try_from(minutes).unwrap_or(if minutes < 0 { Minute::MIN } else { Minute::MAX })
}

/// Time at which a minute begins.
pub(in crate::shipping) fn moment_from(minute: Minute) -> Instant {
    DateTime::<Utc>::UNIX_EPOCH + TimeDelta::minutes(minute.into())
}

pub(in crate::shipping) fn week_of(minute: Minute) -> WeekNumber {
    minute.div_euclid(MINUTES_PER_WEEK)
}

/// Departure on a date, as the search sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Connection {
    /// Last minute at which goods can arrive to travel with it.
    pub deadline: Minute,
    /// Minute at which goods are unloaded; later than the deadline.
    pub arrival: Minute,
    pub sender: NodeIndex,
    pub receiver: NodeIndex,
}

/// Departure on a date, as people see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::shipping) struct Departure {
    pub(in crate::shipping) leg: LegIndex,
    /// Date and time of the timetable.
    pub(in crate::shipping) date: NaiveDate,
    pub(in crate::shipping) time: ClockTime,
}

/// Departures whose deadlines are in one week.
#[derive(Debug, Default)]
pub(in crate::shipping) struct Week {
    /// Connections in the order of their deadlines.
    connections: Vec<Connection>,
    departures: Vec<Departure>,
    by_sender: ConnectionIndex,
    by_receiver: ConnectionIndex,
}

/// Positions of connections, grouped by node, and in their order within each node.
#[derive(Debug, Default)]
struct ConnectionIndex {
    positions: Vec<u32>,
    /// End of each node's positions, which is the start of the next node's.
    ends: Vec<u32>,
}

impl ConnectionIndex {
    fn new(connections: &[Connection], nodes: usize, node: impl Fn(&Connection) -> NodeIndex) -> Self {
        let mut positions: Vec<u32> = (0..).take(connections.len()).collect();
        positions.sort_by_key(|position| node(&connections[*position as usize]));
        let mut ends = vec![0; nodes];
        for connection in connections {
            ends[node(connection) as usize] += 1;
        }
        let mut end = 0;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        Self { positions, ends }
    }

    fn positions(&self, node: NodeIndex) -> &[u32] {
        let node = node as usize;
        let begin = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.positions[begin as usize..self.ends[node] as usize]
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.positions) + size_of_val(&*self.ends)
    }
}

impl Week {
    pub(in crate::shipping) fn connections(&self) -> &[Connection] {
        &self.connections
    }

    /// Positions of the connections that leave from a node, in the order of their deadlines.
    pub(in crate::shipping) fn connections_from(&self, sender: NodeIndex) -> impl Iterator<Item = usize> {
        self.by_sender.positions(sender).iter().map(|position| *position as usize)
    }

    /// Positions of the connections that arrive at a node, from a position on, in the order of their
    /// deadlines.
    pub(in crate::shipping) fn connections_to(
        &self,
        receiver: NodeIndex,
        begin: usize,
    ) -> impl Iterator<Item = usize> + Clone {
        let positions = self.by_receiver.positions(receiver);
        let first = positions.partition_point(|position| (*position as usize) < begin);
        positions[first..].iter().map(|position| *position as usize)
    }

    pub(in crate::shipping) fn departure(&self, position: usize) -> Departure {
        self.departures[position]
    }

    /// Memory of the week in bytes.
    pub(in crate::shipping) fn bytes(&self) -> usize {
        size_of_val(&*self.connections)
            + size_of_val(&*self.departures)
            + self.by_sender.bytes()
            + self.by_receiver.bytes()
    }

    /// Computes the departures that run in a week, for all usable legs.
    pub(in crate::shipping) fn lay_out(network: &Network, number: WeekNumber) -> Self {
        let begin = number.saturating_mul(MINUTES_PER_WEEK);
        let end = begin.saturating_add(MINUTES_PER_WEEK);
        let mut days = OpenDays { network, first_open: HashMap::new(), clocks: HashMap::new() };
        let mut runs = Vec::new();
        for (position, leg) in network.travelled() {
            let lead = TimeDelta::minutes(leg.preparation.minutes() + leg.loading.minutes());
            // A deadline is at most a day and the lead time before the departure.
            let first = network.clock().day_of(moment_from(begin));
            let last = network.clock().day_of(moment_from(end) + lead) + Days::new(2);
            for date in first.iter_days().take_while(|date| *date <= last) {
                for time in departures_on(leg, date, &mut days) {
                    let connection = days.connection(leg, date, time);
                    if (begin..end).contains(&connection.deadline) {
                        runs.push((connection, Departure { leg: position, date, time }));
                    }
                }
            }
        }
        runs.sort_unstable();
        let (connections, departures): (Vec<Connection>, _) = runs.into_iter().unzip();
        let nodes = network.nodes().len();
        let by_sender = ConnectionIndex::new(&connections, nodes, |connection| connection.sender);
        let by_receiver = ConnectionIndex::new(&connections, nodes, |connection| connection.receiver);
        Self { connections, departures, by_sender, by_receiver }
    }
}

/// Times of day of a leg's departures on a date.
fn departures_on(leg: &Leg, date: NaiveDate, days: &mut OpenDays<'_>) -> Vec<ClockTime> {
    let weekday = Weekday::from(date.weekday());
    let weekly: Vec<_> =
        leg.departures.iter().filter(|(day, _)| *day == weekday).map(|(_, time)| *time).collect();
    let mut times: Vec<_> = leg.added(date).collect();
    if !weekly.is_empty() && days.first_open(leg.sender, date) == Some(date) {
        times.extend(weekly.into_iter().filter(|time| !leg.is_dropped(date, *time)));
    }
    times.sort_unstable();
    times.dedup();
    times
}

/// Times of a departure, independent of whether it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::shipping) struct Moments {
    /// Time by which goods must be there.
    pub(in crate::shipping) deadline: Instant,
    pub(in crate::shipping) preparation: Instant,
    pub(in crate::shipping) loading: Instant,
    pub(in crate::shipping) start: Instant,
    pub(in crate::shipping) arrival: Instant,
    /// Reason why goods are not unloaded on the day of the arrival.
    pub(in crate::shipping) day_off: Option<DayOff>,
    /// Start of unloading; later than the arrival if the receiver is closed on that day.
    pub(in crate::shipping) unloading: Instant,
    pub(in crate::shipping) unloaded: Instant,
}

impl Moments {
    /// Computes the times of a leg's departure. An order time applies if it is before the time that
    /// preparation and loading require.
    pub(in crate::shipping) fn new(network: &Network, leg: &Leg, date: NaiveDate, time: ClockTime) -> Self {
        let start = network.clock().moment(date, time);
        let loading = start - leg.loading.elapsed();
        let preparation = loading - leg.preparation.elapsed();
        let arrival = start + leg.travel.elapsed();
        let (unloading, day_off) = open_from(&network.node(leg.receiver).calendar, arrival);
        Self {
            deadline: deadline(network, leg, date, time, preparation),
            preparation,
            loading,
            start,
            arrival,
            day_off,
            unloading,
            unloaded: unloading + leg.unloading.elapsed(),
        }
    }
}

/// Time by which goods must be there for a leg's departure.
pub(in crate::shipping) fn deadline_of(
    network: &Network,
    leg: &Leg,
    date: NaiveDate,
    time: ClockTime,
) -> Instant {
    let lead = leg.loading.elapsed() + leg.preparation.elapsed();
    deadline(network, leg, date, time, network.clock().moment(date, time) - lead)
}

fn deadline(network: &Network, leg: &Leg, date: NaiveDate, time: ClockTime, preparation: Instant) -> Instant {
    let ordered = leg.order_time.map(|order_time| {
        let day = if order_time > time { date.pred_opt().unwrap_or(date) } else { date };
        network.clock().moment(day, order_time)
    });
    ordered.map_or(preparation, |ordered| ordered.min(preparation))
}

/// Returns the time if it is on a working day, otherwise the beginning of the next working day and the
/// reason. Without a working day within a year the time is returned unchanged.
fn open_from(calendar: &Calendar, moment: Instant) -> (Instant, Option<DayOff>) {
    let today = calendar.day_of(moment);
    let Some(day_off) = calendar.day_off(today) else { return (moment, None) };
    let mut later = today.iter_days().take(HORIZON_DAYS).skip(1);
    let open = later.find(|day| calendar.day_off(*day).is_none());
    (open.map_or(moment, |day| calendar.beginning(day)), Some(day_off))
}

/// Cache of facts about days that many departures share.
struct OpenDays<'a> {
    network: &'a Network,
    /// First day, from a given one on, on which a node is open.
    first_open: HashMap<(NodeIndex, NaiveDate), Option<NaiveDate>>,
    /// Minute at which a day begins, for days of 24 hours.
    clocks: HashMap<NaiveDate, Option<Minute>>,
}

impl OpenDays<'_> {
    fn first_open(&mut self, node: NodeIndex, date: NaiveDate) -> Option<NaiveDate> {
        *self.first_open.entry((node, date)).or_insert_with(|| {
            let calendar = &self.network.node(node).calendar;
            date.iter_days().take(HORIZON_DAYS).find(|day| calendar.day_off(*day).is_none())
        })
    }

    /// Minute of a local time on a day.
    fn minute(&mut self, date: NaiveDate, time: ClockTime) -> Minute {
        let clock = self.network.clock();
        let midnight = *self.clocks.entry(date).or_insert_with(|| {
            let begin = clock.beginning(date);
            let next = clock.beginning(date.succ_opt()?);
            (next - begin == TimeDelta::days(1)).then(|| minute_from(begin))
        });
        let local_minute = || minute_from(clock.moment(date, time));
        midnight.map_or_else(local_minute, |midnight| midnight + Minute::from(time.minutes()))
    }

    /// Computes the times of a departure as [`Moments::new`] does, in minutes.
    fn connection(&mut self, leg: &Leg, date: NaiveDate, time: ClockTime) -> Connection {
        let minutes = |duration: values::Minutes| Minute::try_from(duration.minutes()).unwrap_or(Minute::MAX);
        let start = self.minute(date, time);
        let ready = start - minutes(leg.loading) - minutes(leg.preparation);
        let deadline = match leg.order_time {
            Some(order_time) => {
                let day = if order_time > time { date.pred_opt().unwrap_or(date) } else { date };
                ready.min(self.minute(day, order_time))
            }
            None => ready,
        };
        let arrived = start + minutes(leg.travel);
        let day = self.network.clock().day_of(moment_from(arrived));
        let unloading = match self.first_open(leg.receiver, day) {
            Some(open) if open != day => minute_from(self.network.clock().beginning(open)),
            _ => arrived,
        };
        Connection {
            deadline,
            arrival: unloading + minutes(leg.unloading),
            sender: leg.sender,
            receiver: leg.receiver,
        }
    }
}
