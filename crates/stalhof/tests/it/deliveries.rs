//! Deliveries over the shipping network: itineraries, the orders of fourteen days, the network check, and
//! delivery dates for programs.

use logistics::permissions;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    access::token,
    catalog::{column, id},
    stocks::Depot,
    support::Client,
};

const NODES: &str = "/api/admin/shipping-nodes";
const LEGS: &str = "/api/admin/shipping-legs";
const ITINERARIES: &str = "/api/admin/shipping/itineraries";
const ORDER_DAYS: &str = "/api/admin/shipping/order-days";
const FINDINGS: &str = "/api/admin/shipping/findings";
const DATES: &str = "/api/v1/delivery-dates";

/// Creates a node with the given fields.
pub(crate) async fn node(client: &Client, name: &str, fields: Value) -> i64 {
    let mut input = json!({ "name": name, "active": true });
    input.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    id(&client.post(NODES, input).await.is(201))
}

pub(crate) async fn leg(client: &Client, (from, to): (i64, i64), departures: &[(&str, &str)]) -> i64 {
    let departures: Vec<_> =
        departures.iter().map(|(weekday, time)| json!({ "weekday": weekday, "time": time })).collect();
    let input = json!({
        "sending_node_id": from, "receiving_node_id": to, "preparation_duration": 30, "loading_duration": 60,
        "travel_duration": 360, "unloading_duration": 45, "departures": departures, "exceptions": [],
    });
    id(&client.post(LEGS, input).await.is(201))
}

/// Network with a depot in Duisburg, where orders are accepted until 11:30 and prepared for an hour; a lorry
/// to Nürnberg each working day at 14:00, and from there to Linz on Tuesdays and Fridays at 06:00.
struct Network {
    depot: Depot,
    duisburg: i64,
    nuremberg: i64,
    linz: i64,
    legs: [i64; 2],
}

impl Network {
    async fn new() -> Self {
        let depot = Depot::new().await;
        let warehouse = json!({
            "name": "Duisburg", "short_code": "DU", "preparation_duration_before": 60,
            "preparation_shift_time": "11:30", "address": null, "region": null,
        });
        let uri = format!("/api/admin/warehouses/{}", depot.warehouses[0]);
        depot.user.put(&uri, warehouse).await.is(200);
        let admin = &depot.catalog.admin;
        let of_warehouse = json!({ "warehouse_id": depot.warehouses[0] });
        let duisburg = node(admin, "Duisburg", of_warehouse).await;
        let nuremberg = node(admin, "Nürnberg", json!({ "region": "DE-BY" })).await;
        let linz = node(admin, "Depot Linz", json!({ "region": "AT" })).await;
        let daily = ["monday", "tuesday", "wednesday", "thursday", "friday"].map(|day| (day, "14:00"));
        let legs = [
            leg(admin, (duisburg, nuremberg), &daily).await,
            leg(admin, (nuremberg, linz), &[("tuesday", "06:00"), ("friday", "06:00")]).await,
        ];
        Self { depot, duisburg, nuremberg, linz, legs }
    }

    fn user(&self) -> &Client {
        &self.depot.user
    }

    fn order_from_warehouse(&self, fields: Value) -> Value {
        let mut input =
            json!({ "from": { "warehouse_id": self.depot.warehouses[0] }, "to_node_id": self.linz });
        input.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        input
    }
}

#[actix_web::test]
async fn an_itinerary_shows_the_arrival_and_the_effect_of_an_earlier_order() {
    let network = Network::new().await;
    // ordered at 11:40; the following Thursday is Corpus Christi
    let late = network.order_from_warehouse(json!({ "at": "2026-06-03T09:40:00Z" }));
    let late = network.user().post(ITINERARIES, late).await.is(200);
    assert_eq!(late["arrives_at"], "2026-06-09T10:45:00Z", "Tuesday 12:45");
    assert_eq!(
        late["earlier"],
        json!({
            "arrives_at": "2026-06-05T10:45:00Z",
            "order_by": { "at": "2026-06-03T09:30:00Z", "is_inclusive": false },
        }),
        "Friday 12:45, for orders before 11:30"
    );
    assert_eq!(late["order_by"], json!({ "at": "2026-06-08T09:30:00Z", "is_inclusive": false }));
    let codes: Vec<_> = late["readiness"]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["because"]["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["after_cut_off", "public_holiday", "cut_off", "preparation_takes"]);
    assert_eq!(late["from_node"], json!({ "id": network.duisburg, "name": "Duisburg" }));
    assert_eq!(late["to_node"], json!({ "id": network.linz, "name": "Depot Linz" }));
    assert_eq!(
        late["warehouse"],
        json!({ "id": network.depot.warehouses[0], "short_code": "DU", "name": "Duisburg" })
    );
    assert_eq!(late["time_zone"], "Europe/Berlin");
    let stages = late["stages"].as_array().unwrap();
    let mut from = &late["available_at"];
    for stage in stages {
        assert_eq!(&stage["begins_at"], from);
        from = &stage["ends_at"];
    }
    assert_eq!(from, &late["arrives_at"]);
    assert_eq!(stages[0]["leg"]["id"], network.legs[0]);
    assert_eq!(stages.last().unwrap()["activity"], "unloading");

    let early = network.order_from_warehouse(json!({ "at": "2026-06-03T09:29:00Z" }));
    let early = network.user().post(ITINERARIES, early).await.is(200);
    assert_eq!(early["arrives_at"], "2026-06-05T10:45:00Z");
    assert_eq!(early["later"]["arrives_at"], late["arrives_at"]);

    // backwards from the arrival
    let by = network.order_from_warehouse(json!({ "arrive_by": "2026-06-05T11:00:00Z" }));
    let by = network.user().post(ITINERARIES, by).await.is(200);
    assert_eq!((&by["order_by"], &by["arrives_at"]), (&early["order_by"], &early["arrives_at"]));
    assert_eq!(by["ordered_at"], "2026-06-03T09:29:00Z");

    let days = network.order_from_warehouse(json!({ "at": "2026-06-03T08:00:00Z" }));
    let days = network.user().post(ORDER_DAYS, days).await.is(200);
    assert_eq!(days["days"].as_array().unwrap().len(), 14);
    assert_eq!(
        days["days"][0],
        json!({ "date": "2026-06-03", "orders": [
            { "order_by": early["order_by"], "arrives_at": early["arrives_at"] },
            { "order_by": late["order_by"], "arrives_at": late["arrives_at"] },
        ] })
    );
}

#[actix_web::test]
async fn skipped_departures_and_closed_receivers_have_a_reason() {
    let network = Network::new().await;
    let admin = &network.depot.catalog.admin;
    let closures = "/api/admin/shipping-node-closures";
    let closed = json!({ "shipping_node_id": network.linz, "date": "2026-06-12", "name": "Inventur" });
    admin.post(closures, closed).await.is(201);
    // starts at the node itself at 12:42 on Wednesday: the lorry of 14:00 has been loading since 12:30
    let input = json!({
        "from": { "node_id": network.duisburg }, "to_node_id": network.nuremberg, "at": "2026-06-03T10:42:00Z",
    });
    let found = network.user().post(ITINERARIES, input).await.is(200);
    let nothing = json!({ "minutes": null, "weekday": null, "holiday": null, "name": null, "region": null });
    let reason = |fields: Value| {
        let mut reason = nothing.clone();
        reason.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        reason
    };
    let holiday = json!({ "code": "public_holiday", "holiday": "corpus_christi", "region": "DE-NW" });
    assert_eq!(
        found["stages"][0]["skipped"],
        json!([
            { "date": "2026-06-03", "time": "14:00", "reason": reason(json!({ "code": "missed", "minutes": 12 })) },
            { "date": "2026-06-04", "time": "14:00", "reason": reason(holiday) },
        ])
    );
    assert_eq!(found["stages"][0]["departure"], json!({ "date": "2026-06-05", "time": "14:00" }));
    assert_eq!((&found["warehouse"], &found["readiness"]), (&Value::Null, &Value::Null));
    // Friday's lorry arrives while Linz is closed, and is unloaded on Monday
    let input = json!({
        "from": { "node_id": network.nuremberg }, "to_node_id": network.linz, "at": "2026-06-10T06:00:00Z",
    });
    let found = network.user().post(ITINERARIES, input).await.is(200);
    assert_eq!(found["arrives_at"], "2026-06-14T22:45:00Z");
    let stages = found["stages"].as_array().unwrap();
    let waiting = stages.iter().find(|stage| stage["activity"] == "waiting_for_opening").unwrap();
    assert_eq!(waiting["reason"], reason(json!({ "code": "closed", "name": "Inventur" })));
}

#[actix_web::test]
async fn errors_are_reported_at_their_fields_and_missing_routes_have_a_reason() {
    let network = Network::new().await;
    let user = network.user();
    let warehouse = network.depot.warehouses[0];
    let article = id(&network.depot.articles[0]);
    let at_linz = |from: Value| json!({ "from": from, "to_node_id": network.linz });
    for (input, path, code) in [
        (at_linz(json!({})), "from", "one_origin"),
        (at_linz(json!({ "node_id": 1, "warehouse_id": warehouse })), "from", "one_origin"),
        (at_linz(json!({ "node_id": 1, "article_id": article, "quantity": "1" })), "from", "one_origin"),
        (at_linz(json!({ "node_id": 987_654 })), "from.node_id", "unknown_reference"),
        (at_linz(json!({ "warehouse_id": 987_654 })), "from.warehouse_id", "unknown_reference"),
        (at_linz(json!({ "warehouse_id": warehouse, "unit": "t" })), "from.unit", "only_with_article"),
        (
            at_linz(json!({ "warehouse_id": warehouse, "seller_id": 1 })),
            "from.seller_id",
            "only_with_article",
        ),
        (at_linz(json!({ "article_id": article })), "from.quantity", "required"),
        (at_linz(json!({ "article_id": article, "quantity": "0" })), "from.quantity", "not_greater"),
        (
            at_linz(json!({ "article_id": article, "quantity": "1", "unit": "l" })),
            "from.unit",
            "wrong_unit_category",
        ),
        (at_linz(json!({ "article_id": 987_654, "quantity": "1" })), "from.article_id", "unknown_reference"),
        (
            at_linz(json!({ "article_id": article, "quantity": "1", "seller_id": 987_654 })),
            "from.seller_id",
            "unknown_reference",
        ),
        (network.order_from_warehouse(json!({ "to_node_id": 987_654 })), "to_node_id", "unknown_reference"),
        (network.order_from_warehouse(json!({ "at": "1899-12-31T12:00:00Z" })), "at", "invalid_parameter"),
        (
            network.order_from_warehouse(json!({ "arrive_by": "2200-01-01T00:00:00Z" })),
            "arrive_by",
            "invalid_parameter",
        ),
        (
            network.order_from_warehouse(
                json!({ "at": "2026-06-03T09:40:00Z", "arrive_by": "2026-06-05T09:40:00Z" }),
            ),
            "arrive_by",
            "one_moment",
        ),
    ] {
        let refused = user.post(ITINERARIES, input.clone()).await.is(422);
        assert_eq!(refused["error_codes"], json!({ path: [code] }), "{input}");
    }

    let admin = &network.depot.catalog.admin;
    let island = node(admin, "Helgoland", json!({})).await;
    let retired = node(admin, "Altes Depot", json!({ "active": false })).await;
    leg(admin, (network.nuremberg, retired), &[("monday", "06:00")]).await;
    let sundays = node(admin, "Sonntag", json!({})).await;
    leg(admin, (network.nuremberg, sundays), &[("sunday", "06:00")]).await;
    let elsewhere = network.depot.warehouses[1];
    let in_stock = json!({ "article_id": article, "quantity": "1" });
    for (from, to, reason, node) in [
        (json!({ "warehouse_id": warehouse }), island, "not_connected", Value::Null),
        (
            json!({ "warehouse_id": warehouse }),
            retired,
            "inactive",
            json!({ "id": retired, "name": "Altes Depot" }),
        ),
        (json!({ "warehouse_id": warehouse }), sundays, "no_departure", Value::Null),
        (json!({ "warehouse_id": elsewhere }), network.linz, "no_node", Value::Null),
        (in_stock, network.linz, "no_stock", Value::Null),
    ] {
        let input = json!({ "from": from, "to_node_id": to, "at": "2026-06-03T09:40:00Z" });
        let found = user.post(ITINERARIES, input.clone()).await.is(200);
        assert_eq!(found["no_way"], json!({ "reason": reason, "node": node }), "{input}");
        assert_eq!((&found["arrives_at"], &found["stages"]), (&Value::Null, &json!([])));
        let days = user.post(ORDER_DAYS, input).await.is(200);
        assert_eq!((&days["days"], &days["no_way"]), (&json!([]), &found["no_way"]));
    }
}

/// Creates stocks in both warehouses, with more in Hamburg and the given lead times; the Hamburg warehouse is
/// at the Nürnberg node.
async fn stocked(network: &Network, lead_times: [i64; 2]) {
    let mut hamburg =
        network.depot.catalog.admin.get(&format!("{NODES}/{}", network.nuremberg)).await.is(200);
    let hamburg = hamburg.as_object_mut().unwrap();
    let input = json!({
        "name": "Nürnberg", "active": true, "region": "DE-BY", "warehouse_id": network.depot.warehouses[1],
        "version": hamburg["version"],
    });
    network.depot.catalog.admin.put(&format!("{NODES}/{}", network.nuremberg), input).await.is(200);
    for (warehouse, lead_time) in lead_times.into_iter().enumerate() {
        let mut stock = network.depot.stock(0, warehouse);
        stock["quantity"] = json!(["24", "60"][warehouse]);
        stock["lead_time"] = lead_time.into();
        network.user().post("/api/admin/stocks", stock).await.is(201);
    }
}

#[actix_web::test]
async fn an_article_comes_from_the_warehouse_that_delivers_first_after_its_lead_time() {
    let network = Network::new().await;
    // Hamburg, which is at Nürnberg here, needs two hours from 12:00 on, after five working days
    stocked(&network, [1440, 5 * 1440]).await;
    let article = id(&network.depot.articles[0]);
    let asked = |fields: Value| {
        let mut from = json!({ "article_id": article, "quantity": "2", "unit": "piece" });
        from.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        json!({ "from": from, "to_node_id": network.linz, "at": "2026-06-02T08:00:00Z" })
    };
    let found = network.user().post(ITINERARIES, asked(json!({}))).await.is(200);
    // Tuesday 10:00, and a day later the goods are available: same as an order on Wednesday 10:00
    assert_eq!((&found["lead_time"], &found["in_stock_at"]), (&json!(1440), &json!("2026-06-03T08:00:00Z")));
    assert_eq!(
        (&found["arrives_at"], &found["warehouse"]["short_code"]),
        (&json!("2026-06-05T10:45:00Z"), &json!("DU"))
    );
    assert_eq!(found["order_by"], json!({ "at": "2026-06-02T09:30:00Z", "is_inclusive": false }));
    // more than the stock in Duisburg
    let much = network.user().post(ITINERARIES, asked(json!({ "quantity": "5" }))).await.is(200);
    assert_eq!((&much["lead_time"], &much["warehouse"]["short_code"]), (&json!(7200), &json!("HH")));
    let here = asked(json!({ "warehouse_id": network.depot.warehouses[1] }));
    assert_eq!(network.user().post(ITINERARIES, here).await.is(200)["warehouse"]["short_code"], "HH");
    let nothing = network.user().post(ITINERARIES, asked(json!({ "quantity": "6" }))).await.is(200);
    assert_eq!(nothing["no_way"]["reason"], "no_stock");
}

#[actix_web::test]
async fn another_tenants_warehouse_is_reachable_only_through_its_offers() {
    let network = Network::new().await;
    stocked(&network, [0, 0]).await;
    let app = &network.depot.catalog.app;
    let buyer = app.caller(Some(app.south), PermissionSet::all()).await;
    let article = id(&network.depot.articles[0]);
    let ask = |from: Value| json!({ "from": from, "to_node_id": network.linz, "at": "2026-06-03T09:29:00Z" });
    let offered = json!({ "article_id": article, "quantity": "12", "seller_id": app.north });
    // without a price there is no offer
    let hidden = buyer.post(ITINERARIES, ask(offered.clone())).await.is(200);
    assert_eq!(hidden["no_way"]["reason"], "no_stock");
    let price = json!({
        "article_number": network.depot.articles[0]["article_number"], "warehouse_short_code": "DU",
        "external_price": { "price": "985", "unit": "t" },
    });
    network.user().put("/api/v1/prices", json!({ "items": [price] })).await.is(200);
    let found = buyer.post(ITINERARIES, ask(offered.clone())).await.is(200);
    assert_eq!(found["arrives_at"], "2026-06-05T10:45:00Z");
    let [own, other] = network.depot.warehouses;
    assert_eq!(found["warehouse"], json!({ "id": own, "short_code": "DU", "name": null }));
    let mut named = offered.clone();
    for (warehouse, status) in [(own, 200), (other, 422), (987_654, 422)] {
        named["warehouse_id"] = warehouse.into();
        buyer.post(ITINERARIES, ask(named.clone())).await.is(status);
    }
    // its id is answered like one that does not exist
    for warehouse in [own, 987_654] {
        let refused = buyer.post(ITINERARIES, ask(json!({ "warehouse_id": warehouse }))).await.is(422);
        assert_eq!(refused["error_codes"], json!({ "from.warehouse_id": ["unknown_reference"] }));
    }
    let shown = buyer.get(&format!("{NODES}/{}", network.duisburg)).await.is(200);
    assert_eq!(shown["warehouse"], Value::Null);
    // each kind of origin needs its own permission
    for (missing, from, path) in [
        (permissions::VIEW_WAREHOUSE, json!({ "warehouse_id": own }), "from.warehouse_id"),
        (permissions::LIST_STOCKS, json!({ "article_id": article, "quantity": "1" }), "from.article_id"),
    ] {
        let user = app.caller(Some(app.north), PermissionSet::all().without(missing)).await;
        let refused = user.post(ITINERARIES, ask(from)).await.is(422);
        assert_eq!(refused["error_codes"], json!({ path: ["unknown_reference"] }));
    }
}

#[actix_web::test]
async fn the_network_check_lists_findings_and_the_start_page_counts_them() {
    let network = Network::new().await;
    let admin = &network.depot.catalog.admin;
    leg(admin, (network.linz, network.nuremberg), &[("wednesday", "06:00")]).await;
    let back =
        leg(admin, (network.nuremberg, network.duisburg), &[("thursday", "12:00"), ("sunday", "06:00")])
            .await;
    let far = json!({ "address": "Hafen 1, 4020 Linz, Österreich", "latitude": "14.3", "longitude": "48.3" });
    let far = node(admin, "Verdreht", far).await;
    let dead = leg(admin, (network.duisburg, far), &[]).await;
    let isolated = node(admin, "Hamburg", json!({ "warehouse_id": network.depot.warehouses[1] })).await;
    let found = network.user().get(FINDINGS).await.is(200);
    let types: Vec<_> = found["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let place = if one["node"].is_null() { &one["leg"]["id"] } else { &one["node"]["id"] };
            (one["type"].as_str().unwrap().to_owned(), place.as_i64().unwrap())
        })
        .collect();
    let of = |kind: &str, place: i64| (kind.to_owned(), place);
    assert_eq!(
        types,
        [
            of("unreachable_node", isolated),
            of("isolated_warehouse", isolated),
            of("leg_without_departures", dead),
            of("no_return_leg", dead),
            of("coordinates_elsewhere", far),
            of("unreachable_departure", back),
        ]
    );
    assert_eq!(found["data"][4]["country"], "AT");
    assert_eq!(found["data"][5]["departure"], json!({ "weekday": "sunday", "time": "06:00" }));
    let attention = network.user().get("/api/admin/attention").await.is(200);
    let about = attention["data"].as_array().unwrap().iter().find(|one| one["about"] == "shipping_findings");
    assert_eq!(about.unwrap()["count"], 6);
    // a change is effective immediately
    admin.delete(&format!("{LEGS}/{dead}")).await.is(204);
    assert_eq!(column(&network.user().get(FINDINGS).await.is(200), "type").len(), 5);
}

#[actix_web::test]
async fn programs_request_many_delivery_dates_in_one_call() {
    let network = Network::new().await;
    stocked(&network, [0, 1440]).await;
    let app = &network.depot.catalog.app;
    let (_, program) = token(app, network.user(), &["stock:availability"]).await;
    let number = &network.depot.articles[0]["article_number"];
    let ask = |fields: Value| {
        let mut question = json!({ "to": "depot linz", "at": "2026-06-03T09:29:00Z" });
        question.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        question
    };
    let error = |date: &Value| {
        let errors = date["errors"].as_array().unwrap();
        let one = |error: &Value| {
            format!("{} {}", error["field"].as_str().unwrap(), error["code"].as_str().unwrap())
        };
        errors.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let article = |fields: Value| {
        let mut question = ask(json!({ "article_number": number, "quantity": "12" }));
        question.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        question
    };
    let friday = "2026-06-05T10:45:00Z";
    for (question, arrival, wrong) in [
        (article(json!({})), friday, ""),
        (article(json!({ "warehouse_short_code": "du" })), friday, ""),
        (ask(json!({ "warehouse_short_code": "DU" })), friday, ""),
        (
            ask(json!({ "warehouse_short_code": "DU", "at": null, "arrive_by": "2026-06-05T12:00:00Z" })),
            friday,
            "",
        ),
        (article(json!({ "quantity": "100" })), "no_stock", ""),
        (article(json!({ "to": "Duisburg" })), "2026-06-03T10:30:00Z", ""),
        (article(json!({ "to": "Nirgendwo" })), "", "to unknown_reference"),
        (article(json!({ "quantity": null })), "", "quantity required"),
        (article(json!({ "unit": "l" })), "", "unit wrong_unit_category"),
        (article(json!({ "article_number": "NO" })), "", "article_number unknown_reference"),
        (article(json!({ "arrive_by": "2026-06-05T12:00:00Z" })), "", "arrive_by one_moment"),
        (article(json!({ "at": "1899-06-05T12:00:00Z" })), "", "at invalid_parameter"),
        (ask(json!({})), "", "article_number required"),
        (ask(json!({ "quantity": "1", "warehouse_short_code": "DU" })), "", "quantity only_with_article"),
        (ask(json!({ "warehouse_short_code": "NO" })), "", "warehouse_short_code unknown_reference"),
    ] {
        let answer = program.post(DATES, json!({ "questions": [question.clone()] })).await.is(200);
        let date = &answer["data"][0];
        let found = date["arrives_at"].as_str().or(date["no_way"]["reason"].as_str()).unwrap_or_default();
        assert_eq!((found, &*error(date)), (arrival, wrong), "{question}: {date}");
        assert_eq!(date["itinerary"], Value::Null);
    }
    let questions = json!([article(json!({ "explain": true })), ask(json!({}))]);
    let both = program.post(DATES, json!({ "questions": questions })).await.is(200);
    assert_eq!(both["data"][0]["itinerary"]["arrives_at"], friday);
    assert_eq!(both["data"][0]["order_by"], json!({ "at": "2026-06-03T09:30:00Z", "is_inclusive": false }));
    assert_eq!((&both["data"][1]["index"], &both["data"][1]["arrives_at"]), (&json!(1), &Value::Null));
    for (questions, code) in [(json!([]), "too_few"), (json!(vec![article(json!({})); 201]), "too_many")] {
        let refused = program.post(DATES, json!({ "questions": questions })).await.is(422);
        assert_eq!(refused["error_codes"], json!({ "questions": [code] }));
    }

    // a buyer can use what the seller shows
    let buyer = app.caller(Some(app.south), PermissionSet::all()).await;
    let (_, program) = token(app, &buyer, &["stock:availability", "listings:read"]).await;
    let of_seller = |question: Value| json!({ "seller_short_code": "NORD", "questions": [question] });
    let date = program.post(DATES, of_seller(article(json!({})))).await.is(200)["data"][0].take();
    assert_eq!(date["no_way"]["reason"], "no_stock");
    let price = json!({
        "article_number": number, "warehouse_short_code": "DU", "external_price": { "price": "985", "unit": "t" },
    });
    network.user().put("/api/v1/prices", json!({ "items": [price] })).await.is(200);
    let date =
        program.post(DATES, of_seller(article(json!({ "explain": true })))).await.is(200)["data"][0].take();
    assert_eq!(
        (&date["arrives_at"], &date["itinerary"]["warehouse"]["name"]),
        (&json!(friday), &Value::Null)
    );
    for question in
        [ask(json!({ "warehouse_short_code": "DU" })), article(json!({ "warehouse_short_code": "HH" }))]
    {
        let date = program.post(DATES, of_seller(question)).await.is(200)["data"][0].take();
        assert_eq!(error(&date), "warehouse_short_code unknown_reference");
    }
    let (_, blind) = token(app, &buyer, &["stock:availability"]).await;
    let refused = blind.post(DATES, of_seller(article(json!({})))).await.is(422);
    assert_eq!(refused["error_codes"], json!({ "seller_short_code": ["unknown_reference"] }));
}

const STOCK_DATES: &str = "/api/admin/shipping/stock-dates";
const CART_DATES: &str = "/api/admin/shipping/cart-dates";

/// Ids of the stocks of an article, in the order of their warehouses.
async fn stock_ids(network: &Network) -> Vec<i64> {
    let list = network.user().get("/api/admin/stocks?sort=updated_at").await.is(200);
    list["data"].as_array().unwrap().iter().map(id).collect()
}

#[actix_web::test]
async fn stocks_show_their_arrival_at_a_destination() {
    let network = Network::new().await;
    stocked(&network, [0, 5 * 1440]).await;
    let mut empty = network.depot.stock(1, 0);
    empty["quantity"] = json!("0");
    network.user().post("/api/admin/stocks", empty).await.is(201);
    let ids = stock_ids(&network).await;
    let ask = |to: i64| json!({ "stock_ids": ids, "to_node_id": to });
    let dates = network.user().post(STOCK_DATES, ask(network.linz)).await.is(200);
    let dates = dates["data"].as_array().unwrap();
    assert_eq!(dates.iter().map(|date| date["index"].as_i64().unwrap()).collect::<Vec<_>>(), [0, 1, 2]);
    // each date is that of the itinerary of an order placed now
    for (date, warehouse) in dates.iter().zip(network.depot.warehouses) {
        let from = json!({ "article_id": id(&network.depot.articles[0]), "quantity": "1", "warehouse_id": warehouse });
        let input = json!({ "from": from, "to_node_id": network.linz });
        let found = network.user().post(ITINERARIES, input).await.is(200);
        assert_eq!(date["earliest"]["arrives_at"], found["arrives_at"]);
        assert_eq!(date["earliest"]["available_at"], found["available_at"]);
        assert_eq!(date["earliest"]["warehouse"]["id"], warehouse);
    }
    assert_ne!(dates[0]["earliest"]["available_at"], dates[1]["earliest"]["available_at"]);
    assert_eq!(dates[2]["earliest"]["no_way"]["reason"], "no_stock");

    let admin = &network.depot.catalog.admin;
    let island = node(admin, "Helgoland", json!({})).await;
    let dates = network.user().post(STOCK_DATES, ask(island)).await.is(200);
    assert_eq!(dates["data"][0]["earliest"]["no_way"]["reason"], "not_connected");
    for (input, path, code) in [
        (json!({ "stock_ids": [], "to_node_id": island }), "stock_ids", "too_few"),
        (json!({ "stock_ids": vec![ids[0]; 201], "to_node_id": island }), "stock_ids", "too_many"),
        (json!({ "stock_ids": ids, "to_node_id": 987_654 }), "to_node_id", "unknown_reference"),
    ] {
        let refused = network.user().post(STOCK_DATES, input).await.is(422);
        assert_eq!(refused["error_codes"], json!({ path: [code] }));
    }
    // stocks of other tenants are answered like ones that do not exist
    let app = &network.depot.catalog.app;
    let other = app.caller(Some(app.south), PermissionSet::all()).await;
    let input = json!({ "stock_ids": [ids[0], 987_654], "to_node_id": network.linz });
    let unknown = other.post(STOCK_DATES, input.clone()).await.is(200);
    let unknown = unknown["data"].as_array().unwrap();
    assert_eq!(unknown.len(), 2);
    for date in unknown {
        let error = &date["errors"][0];
        assert_eq!((&error["field"], &error["code"]), (&json!("stock_id"), &json!("unknown_reference")));
        assert_eq!(date["earliest"], Value::Null);
    }
    let blind = app.caller(Some(app.north), PermissionSet::all().without(permissions::LIST_STOCKS)).await;
    blind.post(STOCK_DATES, input.clone()).await.is(403);
    let (_, program) = token(app, network.user(), &["stock:availability"]).await;
    program.post(STOCK_DATES, input).await.is(200);
}

#[actix_web::test]
async fn cart_lines_show_their_arrival_even_from_another_seller() {
    let network = Network::new().await;
    stocked(&network, [0, 1440]).await;
    let article = id(&network.depot.articles[0]);
    let line = |fields: Value| {
        let mut line = json!({ "article_id": article, "quantity": "12" });
        line.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        line
    };
    let [duisburg, hamburg] = network.depot.warehouses;
    let ask =
        |lines: Value| json!({ "lines": lines, "to_node_id": network.linz, "at": "2026-06-03T09:29:00Z" });
    let lines = json!([
        line(json!({})),
        line(json!({ "warehouse_id": hamburg })),
        line(json!({ "warehouse_short_code": "du" })),
        line(json!({ "quantity": "100" })),
        line(json!({ "unit": "l" })),
        line(json!({ "article_id": 987_654 })),
    ]);
    let dates = network.user().post(CART_DATES, ask(lines)).await.is(200);
    let dates = dates["data"].as_array().unwrap();
    assert_eq!(
        dates[0]["earliest"],
        json!({
            "warehouse": { "id": duisburg, "short_code": "DU" }, "available_at": "2026-06-03T10:30:00Z",
            "arrives_at": "2026-06-05T10:45:00Z", "no_way": null,
        })
    );
    assert_eq!(dates[1]["earliest"]["warehouse"]["id"], hamburg);
    assert_eq!(dates[2]["earliest"], dates[0]["earliest"]);
    assert_eq!(dates[3]["earliest"]["no_way"]["reason"], "no_stock");
    for (date, field, code) in
        [(&dates[4], "unit", "wrong_unit_category"), (&dates[5], "article_id", "unknown_reference")]
    {
        assert_eq!((&date["errors"][0]["field"], &date["errors"][0]["code"]), (&json!(field), &json!(code)));
        assert_eq!(date["earliest"], Value::Null);
    }
    assert_eq!(dates[5]["index"], 5);

    // a buyer only sees what the seller shows
    let app = &network.depot.catalog.app;
    let buyer = app.caller(Some(app.south), PermissionSet::all()).await;
    let bought = |line: Value| {
        let mut input = ask(json!([line]));
        input["seller_id"] = app.north.into();
        input
    };
    let hidden = buyer.post(CART_DATES, bought(line(json!({})))).await.is(200);
    assert_eq!(hidden["data"][0]["earliest"]["no_way"]["reason"], "no_stock");
    let price = json!({
        "article_number": network.depot.articles[0]["article_number"], "warehouse_short_code": "DU",
        "external_price": { "price": "985", "unit": "t" },
    });
    network.user().put("/api/v1/prices", json!({ "items": [price] })).await.is(200);
    for (named, is_shown) in [
        (json!({}), true),
        (json!({ "warehouse_short_code": "DU" }), true),
        (json!({ "warehouse_id": duisburg }), true),
        (json!({ "warehouse_id": hamburg }), false),
        (json!({ "warehouse_short_code": "HH" }), false),
    ] {
        let found = buyer.post(CART_DATES, bought(line(named))).await.is(200)["data"][0].take();
        let code = &found["errors"][0]["code"];
        if is_shown {
            assert_eq!((&found["earliest"], code), (&dates[0]["earliest"], &Value::Null));
        } else {
            assert_eq!((&found["earliest"], code), (&Value::Null, &json!("unknown_reference")));
        }
    }
    // an itinerary names the seller's warehouse by short code, too
    let from = |code: &str| {
        let mut from = bought(line(json!({ "warehouse_short_code": code })));
        from.as_object_mut().unwrap().remove("lines");
        let seller = from.as_object_mut().unwrap().remove("seller_id").unwrap();
        from["from"] = line(json!({ "warehouse_short_code": code, "seller_id": seller }));
        from
    };
    let found = buyer.post(ITINERARIES, from("DU")).await.is(200);
    assert_eq!(found["arrives_at"], dates[0]["earliest"]["arrives_at"]);
    let refused = buyer.post(ITINERARIES, from("HH")).await.is(422);
    assert_eq!(refused["error_codes"], json!({ "from.warehouse_short_code": ["unknown_reference"] }));
}

#[actix_web::test]
async fn programs_name_warehouses_by_external_identifiers() {
    let network = Network::new().await;
    stocked(&network, [0, 1440]).await;
    let matching =
        json!({ "warehouse_id": network.depot.warehouses[0], "external_warehouse_identifier": "W-01" });
    network.user().post("/api/admin/matchings", matching).await.is(201);
    let (_, program) = token(&network.depot.catalog.app, network.user(), &["stock:availability"]).await;
    let number = &network.depot.articles[0]["article_number"];
    let ask = |fields: Value| {
        let mut question = json!({ "to": "Depot Linz", "at": "2026-06-03T09:29:00Z" });
        question.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        question
    };
    let questions = json!([
        ask(json!({ "external_warehouse_identifier": "w-01" })),
        ask(json!({ "external_warehouse_identifier": "W-01", "warehouse_short_code": "DU" })),
        ask(json!({ "external_warehouse_identifier": "W-01", "article_number": number, "quantity": "12" })),
        ask(json!({ "external_warehouse_identifier": "W-02" })),
        ask(json!({ "external_warehouse_identifier": "W-01", "warehouse_short_code": "HH" })),
    ]);
    let dates = program.post(DATES, json!({ "questions": questions })).await.is(200);
    let dates = dates["data"].as_array().unwrap();
    for date in &dates[..3] {
        assert_eq!(date["arrives_at"], "2026-06-05T10:45:00Z", "{date}");
        assert_eq!(date["warehouse"]["short_code"], "DU");
    }
    assert_eq!(dates[3]["errors"][0]["code"], "unmatched");
    assert_eq!(dates[4]["errors"][0]["code"], "references_disagree");
}
