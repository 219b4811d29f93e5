//! Shipping nodes over HTTP, and the days on which they are closed.

use logistics::permissions;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{column, id},
    exports::lines,
    support::{Answer, Client, TestApp, all_but},
    warehouses::warehouse,
};

pub(crate) const NODES: &str = "/api/admin/shipping-nodes";
const CLOSURES: &str = "/api/admin/shipping-node-closures";
const WAREHOUSES: &str = "/api/admin/warehouses";
const AUDIT: &str = "/api/admin/audit";

pub(crate) fn node(name: &str) -> Value {
    json!({ "name": name, "active": true })
}

/// Creates nodes and returns their ids.
pub(crate) async fn nodes<const N: usize>(admin: &Client, names: [&str; N]) -> [i64; N] {
    let mut ids = [0; N];
    for (id_of, name) in ids.iter_mut().zip(names) {
        *id_of = id(&admin.post(NODES, node(name)).await.is(201));
    }
    ids
}

/// Undoes everything that a call has written.
pub(crate) async fn undo(client: &Client, answer: &Answer) -> Value {
    let request = json!({ "request_id": answer.header("x-request-id") });
    client.post(&format!("{AUDIT}/undo"), request).await.is(200)
}

#[actix_web::test]
async fn a_node_is_created_shown_changed_and_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let north = app.caller(Some(app.north), PermissionSet::all()).await;
    let depot = id(&north.post(WAREHOUSES, warehouse("Lager Linz", "LZ")).await.is(201));
    let input = json!({
        "name": " Depot Linz ", "address": " Hafenstraße 61, 4020 Linz ", "latitude": "48.316667",
        "longitude": "14.316667", "active": true, "warehouse_id": depot, "region": "AT"
    });
    let created = admin.post(NODES, input).await.is(201);
    for (field, expected) in [
        ("name", json!("Depot Linz")),
        ("address", json!("Hafenstraße 61, 4020 Linz")),
        ("latitude", json!("48.316667")),
        ("longitude", json!("14.316667")),
        ("active", json!(true)),
        ("warehouse", json!({ "id": depot, "short_code": "LZ", "name": "Lager Linz" })),
        ("region", json!("AT")),
        ("incoming_legs", json!([])),
        ("outgoing_legs", json!([])),
        ("version", json!(1)),
    ] {
        assert_eq!(created[field], expected, "{field}");
    }
    let uri = format!("{NODES}/{}", id(&created));
    assert_eq!(admin.get(&uri).await.is(200), created);

    // a record that was read can be sent back, and fields can be changed one by one
    assert_eq!(admin.put(&uri, created.clone()).await.is(200)["warehouse"], created["warehouse"]);
    let changed = admin.patch(&uri, json!({ "active": false })).await.is(200);
    assert_eq!((&changed["active"], &changed["warehouse"]), (&json!(false), &created["warehouse"]));
    let moved = admin.put(&uri, json!({ "name": "Depot Wels", "active": false, "version": 3 })).await.is(200);
    for empty in ["address", "latitude", "longitude", "warehouse", "region"] {
        assert_eq!(moved[empty], Value::Null, "{empty}");
    }
    assert_eq!(admin.put(&uri, created).await.is(409)["code"], "stale");
    let named = format!("{NODES}/by-name/depot%20wels");
    assert_eq!(admin.get(&named).await.is(200), moved);
    assert_eq!(admin.put(&named, json!({ "active": true })).await.is(200)["name"], "Depot Wels");
    admin.put(&format!("{NODES}/by-name/Depot%20Enns"), json!({ "active": true })).await.is(201);

    let history = format!("{AUDIT}?filter[record]=shipping_node&filter[record_id]={}", id(&moved));
    let history = admin.get(&history).await.is(200);
    assert_eq!(column(&history, "action"), ["changed", "changed", "changed", "created"]);
    let moved_away = history["data"][1]["changes"].as_array().unwrap();
    let stood = moved_away.iter().find(|change| change["field"] == "warehouse_id").unwrap();
    assert_eq!((&stood["from"]["name"], &stood["to"]), (&json!("Lager Linz"), &Value::Null));
    assert!(moved_away.iter().all(|change| change["field"] != "warehouse_tenant_id"), "{moved_away:?}");

    assert_eq!(admin.get(&format!("{uri}/usage")).await.is(200), json!({ "data": [] }));
    admin.delete(&uri).await.is(204);
    admin.get(&uri).await.is(404);
}

#[actix_web::test]
async fn bad_coordinates_names_and_warehouses_are_reported_at_their_fields() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let depot = async |tenant, code: &str| {
        let user = app.caller(Some(tenant), PermissionSet::all()).await;
        id(&user.post(WAREHOUSES, warehouse(code, code)).await.is(201))
    };
    let (hamburg, linz) = (depot(app.north, "HH").await, depot(app.south, "LZ").await);
    let with = |name: &str, more: Value| {
        let mut input = node(name);
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        input
    };
    admin.post(NODES, with("Hamburg", json!({ "warehouse_id": hamburg }))).await.is(201);
    for (more, field, german) in [
        (json!({ "name": "HAMBURG" }), "name", "Bereits vergeben"),
        (json!({ "latitude": "91", "longitude": "0" }), "latitude", "Darf höchstens 90 sein"),
        (json!({ "latitude": "-90.000001", "longitude": "0" }), "latitude", "Muss mindestens -90 sein"),
        (json!({ "latitude": "0", "longitude": "180.000001" }), "longitude", "Darf höchstens 180 sein"),
        (json!({ "latitude": "0", "longitude": "-181" }), "longitude", "Muss mindestens -180 sein"),
        (json!({ "latitude": "48.3" }), "longitude", "Breite und Länge gehören zusammen"),
        (json!({ "longitude": "14.3" }), "latitude", "Breite und Länge gehören zusammen"),
        (json!({ "latitude": "48.3166667", "longitude": "14" }), "latitude", "6 nach dem Punkt"),
        (json!({ "warehouse_id": hamburg }), "warehouse_id", "steht schon an einem anderen Versandknoten"),
        (json!({ "warehouse_id": 987_654 }), "warehouse_id", "Unbekannter Wert"),
        (json!({ "region": "DE-XX" }), "region", "DE-NW"),
        (json!({ "active": null }), "active", ""),
    ] {
        let refused = admin.german().post(NODES, with("Neu", more.clone())).await.is_refused_at(&[field]);
        let text = refused["errors"][field][0].as_str().unwrap();
        assert!(text.contains(german), "{more}: {text}");
    }
    for more in [
        json!({ "latitude": "90", "longitude": "180" }),
        json!({ "latitude": "-90", "longitude": "-180" }),
        json!({ "warehouse_id": linz }),
    ] {
        admin.post(NODES, with(&more.to_string(), more)).await.is(201);
    }
    // the same warehouse in two concurrent requests, of any tenant
    let wels = depot(app.south, "WEL").await;
    let at_once =
        (0..6).map(|n| admin.post(NODES, with(&format!("Wels {n}"), json!({ "warehouse_id": wels }))));
    let at_once = futures_util::future::join_all(at_once).await;
    assert_eq!(at_once.iter().filter(|answer| answer.status == 201).count(), 1);
    for answer in at_once.iter().filter(|answer| answer.status != 201) {
        answer.is_refused_at(&["warehouse_id"]);
    }
}

#[actix_web::test]
async fn tenants_read_nodes_with_their_own_warehouses_and_change_none() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let north = app.caller(Some(app.north), PermissionSet::all()).await;
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let depot = id(&north.post(WAREHOUSES, warehouse("Hamburg", "HH")).await.is(201));
    let mut input = node("Hamburg");
    input["warehouse_id"] = depot.into();
    let made = admin.post(NODES, input).await.is(201);
    let uri = format!("{NODES}/{}", id(&made));
    assert_eq!(north.get(&uri).await.is(200), made);
    let seen = south.get(&uri).await.is(200);
    assert_eq!((&seen["name"], &seen["warehouse"]), (&json!("Hamburg"), &Value::Null));
    // neither by a filter nor in a file
    let filtered = format!("{NODES}?filter[warehouse_id]={depot}");
    assert_eq!(south.get(&filtered).await.is(200)["meta"]["total"], 0);
    assert_eq!(north.get(&filtered).await.is(200)["meta"]["total"], 1);
    let others = format!("{NODES}?filter[warehouse_id_not_equals]={depot}");
    assert_eq!(south.get(&others).await.is(200)["meta"]["total"], 0);
    let of_south = format!("{NODES}?tenant_id={}&filter[warehouse_id]={depot}", app.south);
    assert_eq!(admin.get(&of_south).await.is(200)["data"][0]["warehouse"]["short_code"], "HH");
    let file = lines(&south.german().get(&format!("{NODES}/export?format=csv")).await);
    assert_eq!(file[0], "Name;Adresse;Breitengrad;Längengrad;Aktiv;Lager;Feiertage nach;Geändert");
    assert!(file[1].starts_with("Hamburg;;;;Ja;;;"), "{}", file[1]);

    for tenant in [&north, &south] {
        assert_eq!(tenant.post(NODES, node("Neu")).await.is(403)["code"], "platform_only");
        assert_eq!(tenant.put(&uri, node("Neu")).await.is(403)["code"], "platform_only");
        assert_eq!(tenant.patch(&uri, json!({ "active": false })).await.is(403)["code"], "platform_only");
        assert_eq!(tenant.delete(&uri).await.is(403)["code"], "platform_only");
    }
    let reader = app.caller(None, all_but(permissions::UPDATE_SHIPPING_NODE)).await;
    reader.put(&uri, node("Neu")).await.is(403);

    // a warehouse in use cannot be deleted, and its owner is shown the node
    let refused = north.german().delete(&format!("{WAREHOUSES}/{depot}")).await.is(409);
    let usage = json!([{
        "by": "shipping_nodes", "filter": "warehouse_id", "count": 1,
        "examples": [{ "id": made["id"], "name": "Hamburg" }]
    }]);
    assert_eq!((&refused["code"], &refused["used_by"]), (&json!("in_use"), &usage));
    assert!(refused["message"].as_str().unwrap().contains("(Versandknoten: 1)"), "{refused}");
    assert_eq!(north.get(&format!("{WAREHOUSES}/{depot}/usage")).await.is(200)["data"], usage);
    admin.delete(&uri).await.is(204);
    north.delete(&format!("{WAREHOUSES}/{depot}")).await.is(204);
}

#[actix_web::test]
async fn nodes_are_paged_sorted_filtered_searched_and_found() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for (name, address, region, active) in [
        ("Tor 10", "Ruhrort", "DE-NW", true),
        ("Tor 9", "Hafenring 12", "AT", false),
        ("Änderdepot", "Hafenstraße 1", "DE-NW", true),
    ] {
        let input = json!({ "name": name, "address": address, "region": region, "active": active });
        admin.post(NODES, input).await.is(201);
    }
    let list = async |query: &str| admin.get(&format!("{NODES}?{query}")).await.is(200);
    for (query, expected) in [
        ("", vec!["Änderdepot", "Tor 9", "Tor 10"]),
        ("sort=-name", vec!["Tor 10", "Tor 9", "Änderdepot"]),
        ("sort=updated_at", vec!["Tor 10", "Tor 9", "Änderdepot"]),
        ("filter[active]=false", vec!["Tor 9"]),
        ("filter[region]=DE-NW", vec!["Änderdepot", "Tor 10"]),
        ("filter[search]=hafen", vec!["Änderdepot", "Tor 9"]),
        ("filter[name_starts_with]=tor", vec!["Tor 9", "Tor 10"]),
        ("page[size]=2&page[number]=2", vec!["Tor 10"]),
    ] {
        assert_eq!(column(&list(query).await, "name"), expected, "{query}");
    }
    let found = admin.get("/api/admin/search?q=tor%209").await.is(200);
    assert_eq!(found["data"][0]["resource"], "shipping_nodes");
    assert_eq!(found["data"][0]["records"][0]["detail"], "Hafenring 12");

    // deleted together, and restored together
    let ids: Vec<_> = list("").await["data"].as_array().unwrap().iter().map(id).collect();
    let gone = admin.post(&format!("{NODES}/bulk-delete"), json!({ "ids": ids, "count": 3 })).await;
    assert_eq!(gone.is(200), json!({ "done": 3, "refused": [] }));
    assert_eq!(list("").await["meta"]["total"], 0);
    assert_eq!(undo(&admin, &gone).await["done"], 3);
    let back: Vec<_> = list("").await["data"].as_array().unwrap().iter().map(id).collect();
    assert_eq!(back, ids);
}

#[actix_web::test]
async fn a_node_has_one_closure_a_day_and_its_calendar_shows_it() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let [linz, wels] = nodes(&admin, ["Linz", "Wels"]).await;
    admin.patch(&format!("{NODES}/{linz}"), json!({ "region": "AT" })).await.is(200);
    let closure =
        |node: i64, date: &str| json!({ "shipping_node_id": node, "date": date, "name": " Inventur " });
    let closed = admin.post(CLOSURES, closure(linz, "2026-12-23")).await.is(201);
    assert_eq!((&closed["shipping_node_id"], &closed["name"]), (&json!(linz), &json!("Inventur")));
    let at_once = (0..6).map(|_| admin.post(CLOSURES, closure(linz, "2026-12-22")));
    let at_once = futures_util::future::join_all(at_once).await;
    assert_eq!(at_once.iter().filter(|answer| answer.status == 201).count(), 1);
    admin.post(CLOSURES, closure(linz, "2026-12-23")).await.is_refused_at(&["date"]);
    admin.post(CLOSURES, closure(wels, "2026-12-23")).await.is(201);
    for (field, value) in [
        ("shipping_node_id", json!(987_654)),
        ("date", json!("2026-02-30")),
        ("name", json!(" ")),
        ("name", json!("x".repeat(256))),
    ] {
        let mut input = closure(linz, "2026-12-21");
        input[field] = value;
        admin.post(CLOSURES, input).await.is_refused_at(&[field]);
    }
    let listed = admin.get(&format!("{CLOSURES}?filter[shipping_node_id]={linz}")).await.is(200);
    assert_eq!(column(&listed, "date"), ["2026-12-22", "2026-12-23"]);
    let calendar = admin.get(&format!("{NODES}/{linz}/calendar?year=2026")).await.is(200);
    assert_eq!((&calendar["region"], &calendar["closures"]), (&json!("AT"), &listed["data"]));
    let holidays = calendar["public_holidays"].as_array().unwrap();
    assert!(holidays.contains(&json!({ "date": "2026-10-26", "holiday": "austrian_national_day" })));
    let next = admin.get(&format!("{NODES}/{linz}/calendar?year=2027")).await.is(200);
    assert_eq!(next["closures"], json!([]));
    admin.get(&format!("{NODES}/{linz}/calendar?year=1899")).await.is_refused_at(&["year"]);
    admin.get(&format!("{NODES}/987654/calendar?year=2026")).await.is(404);

    let north = app.caller(Some(app.north), PermissionSet::all()).await;
    assert_eq!(north.get(CLOSURES).await.is(200)["meta"]["total"], 3);
    assert_eq!(north.post(CLOSURES, closure(linz, "2026-12-20")).await.is(403)["code"], "platform_only");
    let uri = format!("{CLOSURES}/{}", id(&closed));
    assert_eq!(north.delete(&uri).await.is(403)["code"], "platform_only");
    let reopened = admin.delete(&uri).await;
    reopened.is(204);
    assert_eq!(undo(&admin, &reopened).await["done"], 1);
    assert_eq!(
        admin.get(&format!("{CLOSURES}?filter[id]={}", id(&closed))).await.is(200)["meta"]["total"],
        1
    );

    // a node is deleted and restored with its closures
    let gone = admin.delete(&format!("{NODES}/{linz}")).await;
    gone.is(204);
    assert_eq!(admin.get(CLOSURES).await.is(200)["meta"]["total"], 1);
    assert_eq!(undo(&admin, &gone).await["done"], 3, "the node and two closures");
    let back = admin.get(&format!("{CLOSURES}?filter[shipping_node_id]={linz}")).await.is(200);
    assert_eq!(column(&back, "date"), ["2026-12-22", "2026-12-23"]);
}

#[actix_web::test]
async fn concurrent_writes_without_a_version_all_succeed() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let [linz] = nodes(&admin, ["Linz"]).await;
    let uri = format!("{NODES}/{linz}");
    let at_once = (0..8).map(|number| admin.patch(&uri, json!({ "address": format!("Tor {number}") })));
    for answer in futures_util::future::join_all(at_once).await {
        answer.is(200);
    }
    let at_once = (0..8).map(|number| admin.put(&uri, node(&format!("Linz {number}"))));
    for answer in futures_util::future::join_all(at_once).await {
        answer.is(200);
    }
}
