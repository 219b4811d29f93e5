//! Tests of single itineraries, to the minute and with their reasons.

use chrono::TimeDelta;
use values::{ClockTime, Instant, Minutes, Weekday};

use crate::{
    calendar::{Calendar, DayOff, Installation, holiday::Holiday, region::Region},
    shipping::{
        itinerary::{Activity, NoWay, Origin, SkipReason, earliest_arrival, latest_departure},
        network::{Leg, Network, Node, TimetableException},
        order_days::{ORDER_DAYS, order_days},
    },
    warehouse::readiness::{CutOffs, PreparationRules},
};

fn moment(text: &str) -> Instant {
    text.parse().unwrap()
}

fn time(text: &str) -> ClockTime {
    text.parse().unwrap()
}

fn minutes(minutes: i64) -> Minutes {
    Minutes::from_minutes(minutes).unwrap()
}

fn calendar(region: Region) -> Calendar {
    Calendar::new(Installation::default(), Some(region), [])
}

const DUISBURG: u32 = 0;
const NUREMBERG: u32 = 1;
const LINZ: u32 = 2;

fn node(id: i64, region: Region) -> Node {
    Node { id, is_active: true, calendar: calendar(region) }
}

fn leg(sender: u32, receiver: u32, departures: &[(Weekday, &str)]) -> Leg {
    Leg {
        id: i64::from(sender * 10 + receiver),
        sender,
        receiver,
        preparation: minutes(30),
        loading: minutes(60),
        travel: minutes(6 * 60),
        unloading: minutes(45),
        order_time: None,
        departures: departures.iter().map(|(day, departure)| (*day, time(departure))).collect(),
        exceptions: Vec::new(),
    }
}

fn nodes() -> Vec<Node> {
    vec![node(7, Region::NorthRhineWestphalia), node(8, Region::Bavaria), node(9, Region::Austria)]
}

/// Legs from Duisburg to Nuremberg each working day at 14:00, and from Nuremberg to Linz on Tuesdays and
/// Fridays at 06:00.
fn legs() -> Vec<Leg> {
    use Weekday::{Friday, Monday, Thursday, Tuesday, Wednesday};
    vec![
        leg(DUISBURG, NUREMBERG, &[Monday, Tuesday, Wednesday, Thursday, Friday].map(|day| (day, "14:00"))),
        leg(NUREMBERG, LINZ, &[(Tuesday, "06:00"), (Friday, "06:00")]),
    ]
}

fn network(nodes: Vec<Node>, legs: Vec<Leg>) -> Network {
    Network::new(calendar(Region::NorthRhineWestphalia), nodes, legs)
}

#[test]
fn a_depot_in_linz_is_reached_via_nuremberg_and_a_missed_cut_off_costs_three_days() {
    let network = network(nodes(), legs());
    let calendar = calendar(Region::NorthRhineWestphalia);
    let cut_offs = CutOffs { usual: Some(time("11:30")), by_weekday: vec![] };
    let warehouse = PreparationRules {
        calendar: &calendar,
        cut_offs: &cut_offs,
        preparation: minutes(60),
        lead_time: Minutes::ZERO,
    };
    let origin = Origin { node: DUISBURG, warehouse: Some(warehouse) };
    // A Wednesday; the Thursday after it is Corpus Christi in Duisburg, Nuremberg and Linz.
    let before =
        earliest_arrival(&network, &[origin], LINZ, moment("2026-06-03T09:29:00Z")).unwrap().unwrap();
    assert_eq!(before.itinerary.available_at, moment("2026-06-03T10:30:00Z"));
    assert_eq!(before.itinerary.arrives_at, moment("2026-06-05T10:45:00Z"), "Friday 12:45");
    assert_eq!((before.order_by.at, before.order_by.is_inclusive), (moment("2026-06-03T09:30:00Z"), false));

    let after = earliest_arrival(&network, &[origin], LINZ, moment("2026-06-03T09:40:00Z")).unwrap().unwrap();
    assert_eq!(after.itinerary.arrives_at, moment("2026-06-09T10:45:00Z"), "Tuesday 12:45");
    let earlier = after.earlier.unwrap();
    assert_eq!(earlier.arrives_at, before.itinerary.arrives_at);
    assert_eq!(earlier.order_by, before.order_by, "ordering ten minutes earlier wins four days");
    assert_eq!(before.later.unwrap().arrives_at, after.itinerary.arrives_at);

    let mut from = after.itinerary.available_at;
    for stage in &after.itinerary.stages {
        assert_eq!(stage.begins_at, from, "stages follow each other without a gap");
        from = stage.ends_at;
    }
    assert_eq!(from, after.itinerary.arrives_at);
}

#[test]
fn skipped_and_missed_departures_have_reasons() {
    let mut legs = legs();
    legs[0].exceptions.push(TimetableException::Dropped { date: "2026-06-05".parse().unwrap(), time: None });
    let network = network(nodes(), legs);
    let origin = Origin { node: DUISBURG, warehouse: None };
    // 12:42 on a Wednesday: loading for the departure at 14:00 starts at 12:30.
    let answer =
        earliest_arrival(&network, &[origin], NUREMBERG, moment("2026-06-03T10:42:00Z")).unwrap().unwrap();
    let Activity::WaitingForDeparture { date, skipped, .. } = &answer.itinerary.stages[0].activity else {
        panic!("{:?}", answer.itinerary)
    };
    assert_eq!(date.to_string(), "2026-06-08");
    let reasons: Vec<_> =
        skipped.iter().map(|skipped| (skipped.date.to_string(), skipped.reason.clone())).collect();
    assert_eq!(
        reasons,
        [
            ("2026-06-03".to_owned(), SkipReason::Missed(TimeDelta::minutes(12))),
            (
                "2026-06-04".to_owned(),
                SkipReason::SenderClosed(DayOff::PublicHoliday(Holiday::CorpusChristi))
            ),
            ("2026-06-05".to_owned(), SkipReason::Dropped),
        ]
    );
}

#[test]
fn goods_that_arrive_on_a_day_off_are_unloaded_when_the_receiver_opens() {
    let network = network(nodes(), vec![leg(DUISBURG, NUREMBERG, &[(Weekday::Friday, "20:00")])]);
    let origin = Origin { node: DUISBURG, warehouse: None };
    let answer =
        earliest_arrival(&network, &[origin], NUREMBERG, moment("2026-11-27T10:00:00Z")).unwrap().unwrap();
    assert_eq!(answer.itinerary.arrives_at, moment("2026-11-29T23:45:00Z"), "Monday 00:45");
    let waiting = DayOff::NotInWorkingWeek(Weekday::Saturday);
    assert!(
        answer
            .itinerary
            .stages
            .iter()
            .any(|stage| stage.activity == Activity::WaitingForOpening(waiting.clone()))
    );
}

#[test]
fn an_added_departure_runs_although_the_sender_is_closed() {
    let mut legs = vec![leg(DUISBURG, NUREMBERG, &[(Weekday::Monday, "14:00")])];
    let saturday = TimetableException::Added { date: "2026-11-28".parse().unwrap(), time: time("10:00") };
    legs[0].exceptions.push(saturday);
    legs[0].travel = minutes(3 * 24 * 60);
    let network = network(nodes(), legs);
    let origin = Origin { node: DUISBURG, warehouse: None };
    let answer =
        earliest_arrival(&network, &[origin], NUREMBERG, moment("2026-11-27T10:00:00Z")).unwrap().unwrap();
    assert_eq!(answer.itinerary.arrives_at, moment("2026-12-01T09:45:00Z"));
    assert_eq!(answer.order_by.at, moment("2026-11-28T07:30:00Z"));
}

#[test]
fn an_order_time_after_the_departure_refers_to_the_day_before() {
    let mut legs = vec![leg(DUISBURG, NUREMBERG, &[(Weekday::Tuesday, "08:00")])];
    legs[0].order_time = Some(time("15:00"));
    let network = network(nodes(), legs);
    let origin = Origin { node: DUISBURG, warehouse: None };
    let answer = |at| earliest_arrival(&network, &[origin], NUREMBERG, moment(at)).unwrap().unwrap();
    let in_time = answer("2026-11-23T14:00:00Z");
    assert_eq!(in_time.itinerary.arrives_at, moment("2026-11-24T13:45:00Z"));
    assert_eq!(in_time.order_by.at, moment("2026-11-23T14:00:00Z"));
    assert_eq!(answer("2026-11-23T14:00:01Z").itinerary.arrives_at, moment("2026-12-01T13:45:00Z"));
}

#[test]
fn the_fewest_legs_win_among_equal_arrivals() {
    let mut legs = legs();
    // A detour that reaches Nuremberg first, for the same departure to Linz.
    legs.push(leg(DUISBURG, LINZ, &[(Weekday::Friday, "06:00")]));
    let network = network(nodes(), legs);
    let origin = Origin { node: DUISBURG, warehouse: None };
    let answer =
        earliest_arrival(&network, &[origin], LINZ, moment("2026-11-25T08:00:00Z")).unwrap().unwrap();
    let mut used: Vec<_> = answer.itinerary.stages.iter().map(|stage| stage.leg).collect();
    used.dedup();
    assert_eq!(used, [2]);
}

#[test]
fn the_latest_order_for_a_given_arrival_is_found() {
    let network = network(nodes(), legs());
    let origin = Origin { node: DUISBURG, warehouse: None };
    let by = |at| latest_departure(&network, &[origin], LINZ, moment(at)).unwrap();
    // The departure on Thursday at 14:00, for which goods must be there at 12:30, is in time for Friday
    // 12:45.
    assert_eq!(by("2026-11-27T11:45:00Z").order_by.at, moment("2026-11-26T11:30:00Z"));
    assert_eq!(by("2026-11-27T11:44:59Z").itinerary.arrives_at, moment("2026-11-24T11:45:00Z"));
}

#[test]
fn inactive_nodes_and_legs_without_departures_have_no_itinerary() {
    let origin = Origin { node: DUISBURG, warehouse: None };
    let at = moment("2026-11-27T10:00:00Z");
    let mut nodes = nodes();
    nodes[LINZ as usize].is_active = false;
    assert_eq!(
        earliest_arrival(&network(nodes, legs()), &[origin], LINZ, at).unwrap(),
        Err(NoWay::Inactive(LINZ))
    );
    let without = vec![leg(DUISBURG, LINZ, &[])];
    assert_eq!(
        earliest_arrival(&network(self::nodes(), without), &[origin], LINZ, at).unwrap(),
        Err(NoWay::NotConnected)
    );
    // Sundays are days off.
    let never = vec![leg(DUISBURG, LINZ, &[(Weekday::Sunday, "08:00")])];
    assert_eq!(
        earliest_arrival(&network(self::nodes(), never), &[origin], LINZ, at).unwrap(),
        Err(NoWay::NoDeparture)
    );
}

#[test]
fn a_journey_has_at_most_sixteen_legs() {
    let everyday = Weekday::ALL.map(|day| (day, "08:00"));
    let chain = |legs: u32| {
        let nodes = (0..=legs).map(|id| node(id.into(), Region::Bavaria)).collect();
        let legs = (0..legs).map(|sender| leg(sender, sender + 1, &everyday)).collect();
        network(nodes, legs)
    };
    let at = moment("2026-11-02T05:00:00Z");
    let origin = Origin { node: 0, warehouse: None };
    assert!(earliest_arrival(&chain(16), &[origin], 16, at).unwrap().is_ok());
    assert_eq!(earliest_arrival(&chain(17), &[origin], 17, at).unwrap(), Err(NoWay::NoDeparture));
}

/// A warehouse in Duisburg with a cut-off at 11:30 and a preparation of one hour.
fn duisburg<'a>(calendar: &'a Calendar, cut_offs: &'a CutOffs, lead_time: i64) -> Origin<'a> {
    let lead_time = minutes(lead_time);
    let warehouse = PreparationRules { calendar, cut_offs, preparation: minutes(60), lead_time };
    Origin { node: DUISBURG, warehouse: Some(warehouse) }
}

#[test]
fn lead_times_precede_the_cut_off_and_shift_the_latest_order() {
    let network = network(nodes(), legs());
    let calendar = calendar(Region::NorthRhineWestphalia);
    let cut_offs = CutOffs { usual: Some(time("11:30")), by_weekday: vec![] };
    let answer = |lead_time, at| {
        let origin = duisburg(&calendar, &cut_offs, lead_time);
        earliest_arrival(&network, &[origin], NUREMBERG, moment(at)).unwrap().unwrap()
    };
    // A Wednesday at 11:29; the Thursday after it is a holiday, so one working day later is Friday.
    let later = answer(24 * 60, "2026-06-03T09:29:00Z");
    assert_eq!(later.itinerary.in_stock_at, Some(moment("2026-06-05T09:29:00Z")));
    assert_eq!(later.itinerary.arrives_at, answer(0, "2026-06-05T09:29:00Z").itinerary.arrives_at);
    assert_eq!((later.order_by.at, later.order_by.is_inclusive), (moment("2026-06-03T09:30:00Z"), false));
    // A working day and two hours: orders before Wednesday 09:30 meet the cut-off of Friday.
    let with_rest = answer(26 * 60, "2026-06-03T07:00:00Z");
    assert_eq!(with_rest.itinerary.in_stock_at, Some(moment("2026-06-05T09:00:00Z")));
    assert_eq!(with_rest.order_by.at, moment("2026-06-03T07:30:00Z"));
    assert_eq!(with_rest.itinerary.arrives_at, later.itinerary.arrives_at);
}

#[test]
fn the_fastest_origin_delivers_and_the_latest_order_considers_all_origins() {
    let mut legs = legs();
    // A night departure, against that of 14:00 from Duisburg.
    legs.push(leg(LINZ, NUREMBERG, &Weekday::ALL.map(|day| (day, "22:00"))));
    let network = network(nodes(), legs);
    let from = |node| Origin { node, warehouse: None };
    let origins = [from(DUISBURG), from(LINZ)];
    let answer = |at| earliest_arrival(&network, &origins, NUREMBERG, moment(at)).unwrap().unwrap();
    // A Monday at 09:00: the departure at 14:00 arrives at 20:45, the night one at 04:45.
    let day = answer("2026-11-23T08:00:00Z");
    assert_eq!((day.itinerary.origin, day.itinerary.arrives_at), (0, moment("2026-11-23T19:45:00Z")));
    assert_eq!(day.order_by.at, moment("2026-11-23T11:30:00Z"));
    let later = day.later.unwrap();
    assert_eq!(later.arrives_at, moment("2026-11-24T03:45:00Z"));
    assert_eq!(later.order_by.at, moment("2026-11-23T19:30:00Z"), "for the night lorry from Linz");
    let night = answer("2026-11-23T12:00:00Z");
    assert_eq!((night.itinerary.origin, night.itinerary.arrives_at), (1, later.arrives_at));
    assert_eq!(night.earlier.unwrap().order_by.at, day.order_by.at);
}

#[test]
fn order_days_match_single_queries_for_fourteen_days() {
    let network = network(nodes(), legs());
    let calendar = calendar(Region::NorthRhineWestphalia);
    let cut_offs = CutOffs { usual: Some(time("11:30")), by_weekday: vec![] };
    let origins = [duisburg(&calendar, &cut_offs, 0)];
    let begin = moment("2026-06-03T08:00:00Z");
    let days = order_days(&network, &origins, LINZ, begin).unwrap();
    assert_eq!(days.len(), ORDER_DAYS);
    let wednesday = &days[0];
    let orders: Vec<_> = wednesday.orders.iter().map(|order| (order.order_by.at, order.arrives_at)).collect();
    assert_eq!(
        orders,
        [
            (moment("2026-06-03T09:30:00Z"), moment("2026-06-05T10:45:00Z")),
            (moment("2026-06-08T09:30:00Z"), moment("2026-06-09T10:45:00Z")),
        ],
        "orders before 11:30 arrive on Friday, later ones until Monday 11:30 on Tuesday"
    );
    let mut from = begin;
    for day in &days {
        let mut at = from;
        for order in &day.orders {
            for query_time in [at, order.order_by.last_minute()] {
                let answer = earliest_arrival(&network, &origins[..1], LINZ, query_time).unwrap().unwrap();
                assert_eq!(answer.itinerary.arrives_at, order.arrives_at, "{query_time}");
            }
            at = order.order_by.last_minute() + TimeDelta::minutes(1);
        }
        from = calendar.beginning(day.date.succ_opt().unwrap());
        assert!(at >= from, "the orders of a day reach until its end");
    }
    let never = vec![leg(DUISBURG, LINZ, &[(Weekday::Sunday, "08:00")])];
    let never = self::network(nodes(), never);
    assert_eq!(order_days(&never, &origins, LINZ, begin), Err(NoWay::NoDeparture));
}
