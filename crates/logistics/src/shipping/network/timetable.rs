//! The timetable of a week: each departure with the minute until which goods have to be there and the minute at which they are
//! unloaded, in the order of the former. Calendars, exceptions and changes of the clock are settled here, so that the search
//! compares numbers only.

use std::collections::HashMap;

use chrono::{DateTime, Datelike, Days, NaiveDate, TimeDelta, Utc};
use kernel::{ClockTime, Instant, Weekday};

use super::{Leg, LegIndex, Network, NodeIndex};
use crate::calendar::{Calendar, HORIZON_DAYS};

/// Minutes since 1970-01-01T00:00Z.
pub(in crate::shipping) type Minute = i32;
/// Weeks since 1970-01-01T00:00Z.
pub(in crate::shipping) type WeekNumber = i32;

pub(in crate::shipping) const MINUTES_PER_WEEK: Minute = 7 * 24 * 60;

/// The first whole minute that is not before a moment.
pub(in crate::shipping) fn minute_from(moment: Instant) -> Minute {
    let seconds = moment.timestamp() + i64::from(moment.timestamp_subsec_nanos() > 0);
    let minutes = seconds.div_euclid(60) + i64::from(seconds.rem_euclid(60) > 0);
    Minute::try_from(minutes).unwrap_or(if minutes < 0 { Minute::MIN } else { Minute::MAX })
}

/// The moment at which a minute begins.
pub(in crate::shipping) fn moment_from(minute: Minute) -> Instant {
    DateTime::<Utc>::UNIX_EPOCH + TimeDelta::minutes(minute.into())
}

pub(in crate::shipping) fn week_of(minute: Minute) -> WeekNumber {
    minute.div_euclid(MINUTES_PER_WEEK)
}

/// A departure of a certain day, as the search sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::shipping) struct Run {
    /// Goods that are there at this minute still travel with it.
    pub(in crate::shipping) deadline: Minute,
    /// Goods are unloaded; later than the deadline.
    pub(in crate::shipping) arrival: Minute,
    pub(in crate::shipping) sender: NodeIndex,
    pub(in crate::shipping) receiver: NodeIndex,
}

/// A departure of a certain day, as people see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::shipping) struct Departure {
    pub(in crate::shipping) leg: LegIndex,
    /// The day and time of the timetable.
    pub(in crate::shipping) date: NaiveDate,
    pub(in crate::shipping) time: ClockTime,
}

/// The departures whose deadlines lie in one week.
#[derive(Debug, Default)]
pub(in crate::shipping) struct Week {
    /// In the order of their deadlines.
    runs: Vec<Run>,
    departures: Vec<Departure>,
}

impl Week {
    pub(in crate::shipping) fn runs(&self) -> &[Run] {
        &self.runs
    }

    pub(in crate::shipping) fn departure(&self, position: usize) -> Departure {
        self.departures[position]
    }

    /// Settles which departures run, of all legs that are travelled.
    pub(in crate::shipping) fn lay_out(network: &Network, number: WeekNumber) -> Self {
        let begin = number.saturating_mul(MINUTES_PER_WEEK);
        let end = begin.saturating_add(MINUTES_PER_WEEK);
        let mut days = OpenDays { network, first_open: HashMap::new(), clocks: HashMap::new() };
        let mut found = Vec::new();
        for (position, leg) in network.travelled() {
            let lead = TimeDelta::minutes(leg.preparation.minutes() + leg.loading.minutes());
            // a deadline lies at most a day and the lead before the departure
            let first = network.clock().day_of(moment_from(begin));
            let last = network.clock().day_of(moment_from(end) + lead) + Days::new(2);
            for date in first.iter_days().take_while(|date| *date <= last) {
                for time in departures_on(leg, date, &mut days) {
                    let run = days.run(leg, date, time);
                    if (begin..end).contains(&run.deadline) {
                        found.push((run, Departure { leg: position, date, time }));
                    }
                }
            }
        }
        found.sort_unstable();
        let (runs, departures) = found.into_iter().unzip();
        Self { runs, departures }
    }
}

/// The times of day at which a leg's lorries leave on a date.
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

/// Moments of a departure, without regard to whether it runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::shipping) struct Moments {
    /// Until then goods have to be there.
    pub(in crate::shipping) deadline: Instant,
    pub(in crate::shipping) preparation: Instant,
    pub(in crate::shipping) loading: Instant,
    pub(in crate::shipping) start: Instant,
    pub(in crate::shipping) arrival: Instant,
    /// Later than the arrival if the receiver is closed on that day.
    pub(in crate::shipping) unloading: Instant,
    pub(in crate::shipping) unloaded: Instant,
}

impl Moments {
    /// The moments of a leg's departure. An order time holds if it is before the time that preparation and loading need.
    pub(in crate::shipping) fn new(network: &Network, leg: &Leg, date: NaiveDate, time: ClockTime) -> Self {
        let clock = network.clock();
        let start = clock.moment(date, time);
        let loading = start - leg.loading.elapsed();
        let preparation = loading - leg.preparation.elapsed();
        let ordered = leg.order_time.map(|order_time| {
            let day = if order_time > time { date.pred_opt().unwrap_or(date) } else { date };
            clock.moment(day, order_time)
        });
        let arrival = start + leg.travel.elapsed();
        let unloading = open_from(&network.node(leg.receiver).calendar, arrival);
        Self {
            deadline: ordered.map_or(preparation, |ordered| ordered.min(preparation)),
            preparation,
            loading,
            start,
            arrival,
            unloading,
            unloaded: unloading + leg.unloading.elapsed(),
        }
    }
}

/// This moment if it is on a working day, otherwise the beginning of the next one. Without a working day within a year it stays.
fn open_from(calendar: &Calendar, moment: Instant) -> Instant {
    let today = calendar.day_of(moment);
    let open = today.iter_days().take(HORIZON_DAYS).find(|day| calendar.day_off(*day).is_none());
    match open {
        Some(day) if day != today => calendar.beginning(day),
        _ => moment,
    }
}

/// Answers about days that many departures share, each worked out once.
struct OpenDays<'a> {
    network: &'a Network,
    /// The first day from one on, on which a node is open.
    first_open: HashMap<(NodeIndex, NaiveDate), Option<NaiveDate>>,
    /// The minute at which a day begins, of days that have 24 hours.
    clocks: HashMap<NaiveDate, Option<Minute>>,
}

impl OpenDays<'_> {
    fn first_open(&mut self, node: NodeIndex, date: NaiveDate) -> Option<NaiveDate> {
        *self.first_open.entry((node, date)).or_insert_with(|| {
            let calendar = &self.network.node(node).calendar;
            date.iter_days().take(HORIZON_DAYS).find(|day| calendar.day_off(*day).is_none())
        })
    }

    /// The minute at which clocks show a time on a day.
    fn minute(&mut self, date: NaiveDate, time: ClockTime) -> Minute {
        let clock = self.network.clock();
        let midnight = *self.clocks.entry(date).or_insert_with(|| {
            let begin = clock.beginning(date);
            let next = clock.beginning(date.succ_opt()?);
            (next - begin == TimeDelta::days(1)).then(|| minute_from(begin))
        });
        let shown = || minute_from(clock.moment(date, time));
        midnight.map_or_else(shown, |midnight| midnight + Minute::from(time.minutes()))
    }

    /// The same as [`Moments::new`] says, in minutes.
    fn run(&mut self, leg: &Leg, date: NaiveDate, time: ClockTime) -> Run {
        let minutes = |duration: kernel::Minutes| Minute::try_from(duration.minutes()).unwrap_or(Minute::MAX);
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
        Run {
            deadline,
            arrival: unloading + minutes(leg.unloading),
            sender: leg.sender,
            receiver: leg.receiver,
        }
    }
}
