//! Tests of the network check: each finding on a network that has only this one.

use values::{ClockTime, Decimal, Minutes, Weekday, now};

use crate::{
    calendar::{Calendar, Installation},
    shipping::{
        check::{Finding, check},
        country::Country,
        network::{Leg, Network, Node, TimetableException},
        node::ShippingNode,
    },
};

fn time(text: &str) -> ClockTime {
    text.parse().unwrap()
}

fn minutes(minutes: i64) -> Minutes {
    Minutes::from_minutes(minutes).unwrap()
}

/// Node, optionally with a warehouse.
fn node(id: i64, warehouse_id: Option<i64>) -> ShippingNode {
    ShippingNode {
        id,
        name: format!("Knoten {id}"),
        name_fold: String::new(),
        name_sort: String::new(),
        address: None,
        address_fold: String::new(),
        latitude: None,
        longitude: None,
        active: true,
        warehouse_tenant_id: warehouse_id.map(|_| values::TenantId(1)),
        warehouse_id,
        region: None,
        version: 1,
        created_at: now(),
        updated_at: now(),
    }
}

fn leg(sender: u32, receiver: u32, departures: &[(Weekday, &str)]) -> Leg {
    Leg {
        id: 0,
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

const TUESDAY: &[(Weekday, &str)] = &[(Weekday::Tuesday, "06:00")];

/// Two nodes, the first with a warehouse, with a leg in each direction.
fn healthy() -> (Vec<ShippingNode>, Vec<Leg>) {
    (vec![node(1, Some(10)), node(2, None)], vec![leg(0, 1, TUESDAY), leg(1, 0, TUESDAY)])
}

/// Findings on a Friday.
fn findings((rows, legs): (Vec<ShippingNode>, Vec<Leg>)) -> Vec<Finding> {
    let calendar = Calendar::new(Installation::default(), None, []);
    let nodes = rows.iter().map(|row| Node { id: row.id, is_active: row.active, calendar: calendar.clone() });
    let network = Network::new(calendar.clone(), nodes.collect(), legs);
    check(&network, &rows, "2026-11-27".parse().unwrap())
}

#[test]
fn each_weakness_is_reported_as_its_own_finding() {
    let healthy_with = |change: &dyn Fn(&mut Vec<ShippingNode>, &mut Vec<Leg>)| {
        let (mut nodes, mut legs) = healthy();
        change(&mut nodes, &mut legs);
        findings((nodes, legs))
    };
    assert_eq!(healthy_with(&|_, _| {}), []);

    let lonely = healthy_with(&|nodes, _| nodes.push(node(3, None)));
    assert_eq!(lonely, [Finding::UnreachableNode(2)]);
    let inactive = healthy_with(&|nodes, _| nodes.push(ShippingNode { active: false, ..node(3, Some(11)) }));
    assert_eq!(inactive, [], "a node that is not active needs no legs");
    // A warehouse that sends goods need not be reachable.
    let source = healthy_with(&|nodes, legs| {
        nodes.push(node(3, Some(11)));
        legs.push(leg(2, 0, &[(Weekday::Monday, "06:00")]));
    });
    assert_eq!(source, [Finding::NoReturnLeg(2)]);

    let isolated = healthy_with(&|nodes, legs| {
        nodes.push(node(3, Some(11)));
        legs.push(leg(0, 2, &[(Weekday::Wednesday, "14:00")]));
    });
    assert_eq!(isolated, [Finding::IsolatedWarehouse(2), Finding::NoReturnLeg(2)]);

    let empty = healthy_with(&|_, legs| legs[1].departures.clear());
    assert_eq!(empty, [Finding::LegWithoutDepartures(1)]);
    let added = |date: &str| TimetableException::Added { date: date.parse().unwrap(), time: time("08:00") };
    let over = healthy_with(&|_, legs| {
        legs[1].departures.clear();
        legs[1].exceptions.push(added("2026-11-26"));
    });
    assert_eq!(over, [Finding::LegWithoutDepartures(1)], "the only departure was yesterday");
    let still = healthy_with(&|_, legs| {
        legs[1].departures.clear();
        legs[1].exceptions.push(added("2026-11-27"));
    });
    assert_eq!(still, []);

    let sunday = healthy_with(&|_, legs| legs[0].departures.push((Weekday::Sunday, time("06:00"))));
    let unreachable = |weekday, at| Finding::UnreachableDeparture { leg: 0, weekday, time: time(at) };
    assert_eq!(sunday, [unreachable(Weekday::Sunday, "06:00")]);
    let dropped = healthy_with(&|_, legs| {
        legs[0].departures.push((Weekday::Friday, time("06:00")));
        let fridays = (0..60)
            .map(|week| "2026-11-27".parse::<chrono::NaiveDate>().unwrap() + chrono::Days::new(7 * week));
        legs[0].exceptions.extend(fridays.map(|date| TimetableException::Dropped { date, time: None }));
    });
    assert_eq!(dropped, [unreachable(Weekday::Friday, "06:00")]);
}

#[test]
fn coordinates_outside_the_country_of_the_address_are_found() {
    let placed = |address: &str, latitude: &str, longitude: &str| {
        let (mut nodes, legs) = healthy();
        let degrees = |text: &str| Some(text.parse::<Decimal>().unwrap());
        nodes[1] = ShippingNode {
            address: Some(address.to_owned()),
            latitude: degrees(latitude),
            longitude: degrees(longitude),
            ..node(2, None)
        };
        findings((nodes, legs))
    };
    let linz = "Hafenstraße 61, 4020 Linz, Österreich";
    assert_eq!(placed(linz, "48.316667", "14.316667"), []);
    assert_eq!(placed("Hafenstraße 61, 4020 Linz", "51.4344", "6.7623"), [], "names no country");
    let country = Country::find_in_address(linz).unwrap();
    let elsewhere = [Finding::CoordinatesElsewhere { node: 1, country }];
    assert_eq!(placed(linz, "14.316667", "48.316667"), elsewhere, "swapped");
    assert_eq!(placed(linz, "51.4344", "6.7623"), elsewhere);
}

#[test]
fn transfers_that_always_wait_longer_than_a_day_are_found_with_the_shortest_wait() {
    use Weekday::{Friday, Monday, Thursday, Tuesday};
    let through = |incoming: &[(Weekday, &str)], outgoing: &[(Weekday, &str)]| {
        let nodes = vec![node(1, Some(10)), node(2, None), node(3, None)];
        let legs = vec![leg(0, 1, incoming), leg(1, 2, outgoing), leg(1, 0, TUESDAY), leg(2, 1, TUESDAY)];
        let long = |finding: &Finding| matches!(finding, Finding::LongTransfer { from: 0, .. });
        findings((nodes, legs)).into_iter().filter(long).collect::<Vec<_>>()
    };
    // Unloaded on Tuesday at 12:45; goods must be there on Thursday at 04:30.
    let wait = |hours| vec![Finding::LongTransfer { from: 0, to: 1, hours }];
    assert_eq!(through(TUESDAY, &[(Thursday, "06:00")]), wait(39));
    assert_eq!(through(TUESDAY, &[(Tuesday, "20:00")]), []);
    assert_eq!(through(&[(Tuesday, "06:00"), (Friday, "06:00")], &[(Monday, "06:00")]), wait(63));
    // One of several arrivals is in time.
    assert_eq!(through(&[(Monday, "06:00"), (Tuesday, "06:00")], &[(Tuesday, "20:00")]), []);
    // Exactly a day is not longer than a day.
    assert_eq!(through(TUESDAY, &[(Weekday::Wednesday, "14:15")]), []);
    assert_eq!(through(TUESDAY, &[(Weekday::Wednesday, "14:16")]), wait(24));
    assert_eq!(through(TUESDAY, &[]), [], "has no departures at all");
}
