//! Shipping network of the demo: nodes, legs and departures. A few of them have findings, as in a real
//! network.

use std::collections::HashMap;

use api::demo_accounts::{NORDSTAHL, SUEDROHR};
use chrono::{Datelike, Days, NaiveDate};
use lists::Creatable;
use logistics::{
    calendar::region::Region,
    shipping::{
        leg::{ShippingLegInput, ShippingLegs, timetable::DepartureInput},
        node::{
            ShippingNodeInput, ShippingNodes,
            closure::{self, ShippingNodeClosureInput},
        },
    },
    warehouse::Warehouses,
};
use store::{Database, Scope};
use values::{Result, TenantId, Weekday, today};

/// Name, address, latitude and longitude, the warehouse there and its owner, region.
type NodeRow = (
    &'static str,
    &'static str,
    (&'static str, &'static str),
    Option<(&'static str, &'static str)>,
    Option<Region>,
);

const NODES: &[NodeRow] = &[
    (
        "Duisburg",
        "Hafenstraße 14, 47119 Duisburg, Deutschland",
        ("51.4562", "6.7346"),
        Some((NORDSTAHL, "DU")),
        Some(Region::NorthRhineWestphalia),
    ),
    (
        "Hamburg",
        "Kaistraße 3, 20457 Hamburg, Deutschland",
        ("53.5413", "9.9958"),
        Some((NORDSTAHL, "HH")),
        Some(Region::Hamburg),
    ),
    (
        "Leipzig",
        "Messeallee 8, 04356 Leipzig, Deutschland",
        ("51.3968", "12.4021"),
        Some((NORDSTAHL, "L")),
        Some(Region::Saxony),
    ),
    (
        "Mannheim",
        "Rheinkaistraße 21, 68159 Mannheim, Deutschland",
        ("49.4958", "8.4523"),
        Some((SUEDROHR, "MA")),
        Some(Region::BadenWuerttemberg),
    ),
    (
        "Nürnberg",
        "Hafenring 2, 90451 Nürnberg, Deutschland",
        ("49.3986", "11.0637"),
        Some((SUEDROHR, "N")),
        Some(Region::Bavaria),
    ),
    (
        "Linz",
        "Industriezeile 47, 4020 Linz, Österreich",
        ("48.3137", "14.3078"),
        Some((SUEDROHR, "LNZ")),
        Some(Region::Austria),
    ),
    (
        "Wien",
        "Freudenauer Hafenstraße 8, 1020 Wien, Österreich",
        ("48.1797", "16.4752"),
        None,
        Some(Region::Austria),
    ),
    ("Rotterdam", "Waalhaven Z.z. 44, 3088 HJ Rotterdam, Niederlande", ("51.8849", "4.4342"), None, None),
    ("Basel", "Hochbergerstrasse 160, 4019 Basel, Schweiz", ("47.5856", "7.5893"), None, None),
    // a digit of the longitude is wrong, so that it is in Saxony; no leg leads there yet
    ("Zgorzelec", "ul. Daszyńskiego 12, 59-900 Zgorzelec, Polen", ("51.1512", "13.0071"), None, None),
];

const WORKING_DAYS: &[Weekday] =
    &[Weekday::Monday, Weekday::Tuesday, Weekday::Wednesday, Weekday::Thursday, Weekday::Friday];

/// Sender, receiver, travel time in minutes, order time, weekdays and times of departures.
type LegRow =
    (&'static str, &'static str, i64, Option<&'static str>, &'static [Weekday], &'static [&'static str]);

const LEGS: &[LegRow] = &[
    ("Duisburg", "Hamburg", 330, None, WORKING_DAYS, &["18:00"]),
    ("Hamburg", "Duisburg", 330, None, WORKING_DAYS, &["17:00"]),
    ("Duisburg", "Mannheim", 240, Some("11:30"), WORKING_DAYS, &["06:00", "14:00"]),
    ("Mannheim", "Duisburg", 240, None, WORKING_DAYS, &["06:30", "15:00"]),
    ("Mannheim", "Nürnberg", 210, None, WORKING_DAYS, &["05:30", "13:30"]),
    ("Nürnberg", "Mannheim", 210, None, WORKING_DAYS, &["06:00", "12:00"]),
    ("Nürnberg", "Linz", 270, None, &[Weekday::Tuesday, Weekday::Friday], &["06:00"]),
    ("Linz", "Nürnberg", 270, None, &[Weekday::Monday, Weekday::Wednesday], &["06:00"]),
    ("Linz", "Wien", 150, None, WORKING_DAYS, &["07:00"]),
    ("Wien", "Linz", 150, None, WORKING_DAYS, &["13:00"]),
    ("Duisburg", "Rotterdam", 210, None, &[Weekday::Monday, Weekday::Wednesday, Weekday::Friday], &["05:00"]),
    ("Rotterdam", "Duisburg", 210, None, &[Weekday::Monday, Weekday::Wednesday, Weekday::Friday], &["13:00"]),
    ("Mannheim", "Basel", 210, None, &[Weekday::Monday, Weekday::Wednesday], &["14:00"]),
    ("Basel", "Mannheim", 210, None, &[Weekday::Tuesday, Weekday::Thursday], &["06:00"]),
    // goods that arrive in Basel by Wednesday wait until Friday, and no leg leads back
    ("Basel", "Linz", 600, None, &[Weekday::Friday], &["06:00"]),
    // no lorry leaves on a Sunday
    ("Hamburg", "Rotterdam", 390, None, &[Weekday::Tuesday, Weekday::Sunday], &["20:00"]),
    ("Rotterdam", "Hamburg", 390, None, &[Weekday::Thursday], &["08:00"]),
    ("Hamburg", "Leipzig", 300, None, &[Weekday::Monday, Weekday::Wednesday, Weekday::Thursday], &["05:00"]),
    ("Nürnberg", "Leipzig", 240, None, &[Weekday::Tuesday, Weekday::Thursday], &["06:30"]),
    // agreed, but without a timetable yet
    ("Leipzig", "Nürnberg", 240, None, &[], &[]),
];

const PREPARATION: i64 = 60;
const LOADING: i64 = 30;
const UNLOADING: i64 = 45;

/// Creates the network if there is none.
pub(super) async fn fill(db: &Database, tenants: &[(&str, i64)]) -> Result<()> {
    let platform = Scope::platform();
    if platform.find::<ShippingNodes>().one(db).await?.is_some() {
        return Ok(());
    }
    let mut ids = HashMap::new();
    for (name, address, (latitude, longitude), warehouse, region) in NODES {
        let warehouse_id = match warehouse {
            Some((owner, code)) => warehouse_of(db, tenants, owner, code).await?,
            None => None,
        };
        let input = ShippingNodeInput {
            name: (*name).to_owned(),
            address: Some((*address).to_owned()),
            latitude: latitude.parse().ok(),
            longitude: longitude.parse().ok(),
            active: true,
            warehouse_id,
            region: *region,
            version: None,
        };
        ids.insert(*name, ShippingNodes::create(db, &platform, input).await?.node.id);
    }
    let id = |name: &str| ids.get(name).copied().unwrap_or_default();
    for (sender, receiver, travel, order_time, weekdays, times) in LEGS {
        let departures = weekdays.iter().flat_map(|weekday| {
            let at = |time: &&str| DepartureInput { weekday: *weekday, time: (*time).to_owned() };
            times.iter().map(at)
        });
        let input = ShippingLegInput {
            sending_node_id: id(sender),
            receiving_node_id: id(receiver),
            preparation_duration: PREPARATION,
            loading_duration: LOADING,
            travel_duration: *travel,
            unloading_duration: UNLOADING,
            order_time: order_time.map(str::to_owned),
            departures: departures.collect(),
            exceptions: Vec::new(),
            version: None,
        };
        ShippingLegs::create(db, &platform, input).await?;
    }
    let today = today();
    let stocktaking = NaiveDate::from_ymd_opt(today.year(), 12, 30);
    let meeting = today.checked_add_days(Days::new(12));
    for (name, date, reason) in
        [("Duisburg", stocktaking, "Inventur"), ("Wien", meeting, "Betriebsversammlung")]
    {
        let Some(date) = date else { continue };
        let input = ShippingNodeClosureInput { shipping_node_id: id(name), date, name: reason.to_owned() };
        closure::create(db, &platform, input).await?;
    }
    Ok(())
}

/// Returns the id of a tenant's warehouse, if it still exists.
async fn warehouse_of(
    db: &Database,
    tenants: &[(&str, i64)],
    owner: &str,
    code: &str,
) -> Result<Option<i64>> {
    let Some((_, tenant)) = tenants.iter().find(|(short_code, _)| *short_code == owner) else {
        return Ok(None);
    };
    let scope = Scope::platform().acting_for(Some(TenantId(*tenant)));
    let warehouses = scope.find::<Warehouses>().all(db).await?;
    Ok(warehouses.into_iter().find(|warehouse| warehouse.short_code == code).map(|warehouse| warehouse.id))
}
