//! Benchmark of the search for arrivals on 1,000 nodes with 50,000 departures a week, compared with a bare
//! connection scan and with petgraph's Dijkstra over a time-expanded graph of the same departures. All three
//! answer the same questions in turn, and the run fails if an arrival differs.
//!
//! `cargo run --release -p logistics --example itineraries [questions]`

#![expect(clippy::indexing_slicing, reason = "the positions are of the network's own nodes")]

use std::{
    collections::HashMap,
    hint::black_box,
    io::{self, Write},
    time::{Duration, Instant},
};

use chrono::{DateTime, TimeDelta, Utc};
use logistics::{
    calendar::{Calendar, Installation},
    shipping::{
        itinerary::{Origin, find_itinerary},
        network::{Connection, Leg, Network, Node},
    },
};
use petgraph::{
    algo::astar,
    graph::{DiGraph, NodeIndex},
};
use values::{ClockTime, Minutes, Weekday};

const NODES: u32 = 1_000;
/// Number of hubs. Each has legs to the nearest others, and every other place has legs to and from two of
/// them: 5,000 legs in total.
const HUBS: u32 = 40;
const LEGS_BETWEEN_HUBS: usize = 29;
const HUBS_OF_PLACE: usize = 2;
const DEPARTURES_PER_LEG: u32 = 10;
const WEEKS: u32 = 3;
/// Number of questions that one method answers before the next one does.
const ROUND: u16 = 20;
const FIRST: &str = "2026-11-23T00:00:00Z";

/// Random numbers that are the same in each run (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from(self.0 % u64::from(bound)).unwrap_or_default()
    }
}

/// Order at a node, and its destination.
struct Question {
    from: u32,
    to: u32,
    at: DateTime<Utc>,
}

fn main() -> io::Result<()> {
    let questions = std::env::args().nth(1).and_then(|argument| argument.parse().ok()).unwrap_or(1_000);
    let mut out = io::stdout();
    let mut random = Random(33);

    let began = Instant::now();
    let network = network(&mut random);
    writeln!(out, "compiled in {:?}", began.elapsed())?;
    let questions: Vec<_> = (0..questions).map(|_| question(&mut random)).collect();
    let began = Instant::now();
    black_box(arrival(&network, &questions[0]));
    writeln!(out, "first question in {:?}", began.elapsed())?;

    let first: DateTime<Utc> = FIRST.parse().expect("a moment");
    let connections = network.connections(first, WEEKS);
    let graph = TimeExpanded::new(&connections);
    writeln!(out, "{} departures in {WEEKS} weeks", connections.len())?;
    writeln!(out, "{} bytes in memory", network.bytes())?;

    let mut rounds = Vec::new();
    let mut answer_count = 0;
    for questions in questions.chunks(ROUND.into()) {
        let minute = |question: &Question| minute(question.at);
        let (explained, first) =
            timed(|| questions.iter().map(|question| arrival(&network, question)).collect::<Vec<_>>());
        let (scanned, second) = timed(|| {
            let answers = questions.iter();
            answers
                .map(|question| scan(&connections, question.from, question.to, minute(question)))
                .collect::<Vec<_>>()
        });
        let (walked, third) = timed(|| {
            let answers = questions.iter();
            answers
                .map(|question| graph.arrival(question.from, question.to, minute(question)))
                .collect::<Vec<_>>()
        });
        assert_eq!(explained, scanned, "the scan arrives at another time");
        assert_eq!(explained, walked, "Dijkstra arrives at another time");
        answer_count += explained.iter().flatten().count();
        rounds.push([first, second, third].map(|time| time.as_secs_f64() / f64::from(ROUND)));
    }
    writeln!(out, "{answer_count} of {} questions have an answer", questions.len())?;
    for (position, name) in ["Explained", "Scan", "Dijkstra"].into_iter().enumerate() {
        writeln!(out, "{name}: {:.0} answers a second", 1.0 / median(&rounds, |round| round[position]))?;
    }
    writeln!(out, "Explained beside the scan: {:.2}x", median(&rounds, |round| round[1] / round[0]))?;
    writeln!(out, "Explained beside Dijkstra: {:.1}x", median(&rounds, |round| round[2] / round[0]))?;
    Ok(())
}

/// Median of a figure over all rounds.
fn median(rounds: &[[f64; 3]], figure: impl Fn(&[f64; 3]) -> f64) -> f64 {
    let mut figures: Vec<_> = rounds.iter().map(figure).collect();
    figures.sort_unstable_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn timed<T>(answer: impl FnOnce() -> T) -> (T, Duration) {
    let began = Instant::now();
    let answer = black_box(answer());
    (answer, began.elapsed())
}

fn minute(moment: DateTime<Utc>) -> i32 {
    i32::try_from(moment.timestamp() / 60).expect("of this century")
}

fn question(random: &mut Random) -> Question {
    let first: DateTime<Utc> = FIRST.parse().expect("a moment");
    let (from, to) = (random.below(NODES), random.below(NODES));
    Question { from, to, at: first + TimeDelta::minutes(random.below(7 * 24 * 60).into()) }
}

/// Places on a square of 1,000 km, with departures twice on each working day.
fn network(random: &mut Random) -> Network {
    let places: Vec<_> =
        (0..NODES).map(|_| (i64::from(random.below(1_000)), i64::from(random.below(1_000)))).collect();
    let calendar = Calendar::new(Installation::default(), None, []);
    let nodes = (0..i64::from(NODES)).map(|id| Node { id, is_active: true, calendar: calendar.clone() });
    let mut legs = Vec::new();
    for (place, (x, y)) in (0..).zip(&places) {
        let mut hubs: Vec<_> = (0..HUBS)
            .zip(&places)
            .map(|(hub, (other_x, other_y))| ((x - other_x).pow(2) + (y - other_y).pow(2), hub))
            .filter(|(_, hub)| *hub != place)
            .collect();
        hubs.sort_unstable();
        if place < HUBS {
            for (square, hub) in hubs.into_iter().take(LEGS_BETWEEN_HUBS) {
                legs.push(leg(random, place, hub, square.isqrt()));
            }
        } else {
            for (square, hub) in hubs.into_iter().take(HUBS_OF_PLACE) {
                legs.push(leg(random, place, hub, square.isqrt()));
                legs.push(leg(random, hub, place, square.isqrt()));
            }
        }
    }
    Network::new(calendar.clone(), nodes.collect(), legs)
}

/// Leg that takes a minute per kilometre, and some more.
fn leg(random: &mut Random, sender: u32, receiver: u32, kilometres: i64) -> Leg {
    let minutes = |minutes| Minutes::from_minutes(minutes).expect("less than a month");
    let departures = (0..DEPARTURES_PER_LEG).map(|number| {
        let weekday = Weekday::from_number(i64::from(number % 5 + 1)).expect("a working day");
        // Half of them in the morning, half in the afternoon.
        let hour = u16::try_from(4 + number / 5 * 8 + random.below(8)).unwrap_or_default();
        let minute = u16::try_from(random.below(12) * 5).unwrap_or_default();
        (weekday, ClockTime::new(hour, minute).expect("a time of day"))
    });
    Leg {
        id: i64::from(sender) * i64::from(NODES) + i64::from(receiver),
        sender,
        receiver,
        preparation: minutes(30),
        loading: minutes(15),
        travel: minutes(kilometres + 20),
        unloading: minutes(15),
        order_time: None,
        departures: departures.collect(),
        exceptions: Vec::new(),
    }
}

/// Arrival that the product answers, with the whole itinerary and its reasons.
fn arrival(network: &Network, question: &Question) -> Option<i32> {
    let origin = Origin { node: question.from, warehouse: None };
    let itinerary = find_itinerary(network, origin, question.to, question.at).expect("a known year");
    itinerary.map(|itinerary| minute(black_box(itinerary).arrives_at))
}

/// Textbook scan over departures in their order; it yields only arrivals.
fn scan(connections: &[Connection], from: u32, to: u32, at: i32) -> Option<i32> {
    let mut earliest = vec![i32::MAX; NODES as usize];
    earliest[from as usize] = at;
    let first = connections.partition_point(|connection| connection.deadline < at);
    for connection in &connections[first..] {
        if connection.deadline >= earliest[to as usize] {
            break;
        }
        if earliest[connection.sender as usize] <= connection.deadline {
            let arrival = &mut earliest[connection.receiver as usize];
            *arrival = connection.arrival.min(*arrival);
        }
    }
    let arrival = earliest[to as usize];
    (arrival < i32::MAX).then_some(arrival)
}

/// Graph with a node for each deadline and each arrival; its edges are departures and waiting.
struct TimeExpanded {
    graph: DiGraph<(u32, i32), u32>,
    /// Events of each place, in their order.
    events: HashMap<u32, Vec<(i32, NodeIndex)>>,
}

impl TimeExpanded {
    fn new(connections: &[Connection]) -> Self {
        let mut graph = DiGraph::new();
        let mut events: HashMap<u32, Vec<(i32, NodeIndex)>> = HashMap::new();
        for connection in connections {
            let departure_event = graph.add_node((connection.sender, connection.deadline));
            let arrival_event = graph.add_node((connection.receiver, connection.arrival));
            graph.add_edge(departure_event, arrival_event, connection.arrival.abs_diff(connection.deadline));
            events.entry(connection.sender).or_default().push((connection.deadline, departure_event));
            events.entry(connection.receiver).or_default().push((connection.arrival, arrival_event));
        }
        for events in events.values_mut() {
            events.sort_unstable();
            for pair in events.windows(2) {
                graph.add_edge(pair[0].1, pair[1].1, pair[1].0.abs_diff(pair[0].0));
            }
            // Events of one minute can follow each other in either order.
            for pair in events.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
                graph.add_edge(pair[1].1, pair[0].1, 0);
            }
        }
        Self { graph, events }
    }

    fn arrival(&self, from: u32, to: u32, at: i32) -> Option<i32> {
        if from == to {
            return Some(at);
        }
        let events = self.events.get(&from)?;
        let (_, start) = events.get(events.partition_point(|(minute, _)| *minute < at))?;
        let is_goal = |event: NodeIndex| self.graph[event].0 == to;
        let (_, path) = astar(&self.graph, *start, is_goal, |edge| *edge.weight(), |_| 0)?;
        path.last().map(|event| self.graph[*event].1)
    }
}
