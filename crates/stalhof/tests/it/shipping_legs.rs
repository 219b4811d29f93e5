//! Shipping legs over HTTP, with their departures.

use logistics::permissions;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{column, id},
    exports::lines,
    imports::{IMPORTS, counts, ended},
    shipping_nodes::{NODES, nodes, undo},
    support::{Client, Form, TestApp, all_but},
};

pub(crate) const LEGS: &str = "/api/admin/shipping-legs";
const AUDIT: &str = "/api/admin/audit";

/// Leg with a lorry on Tuesdays and Fridays.
pub(crate) fn leg(sender: i64, receiver: i64) -> Value {
    json!({
        "sending_node_id": sender, "receiving_node_id": receiver, "preparation_duration": 30, "loading_duration": 60,
        "travel_duration": 420, "unloading_duration": 45, "order_time": null,
        "departures": [{ "weekday": "friday", "time": "06:00" }, { "weekday": "tuesday", "time": "18:30" }],
        "exceptions": []
    })
}

fn with(mut input: Value, more: &Value) -> Value {
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    input
}

/// Body for [`NODES`]`/{id}/legs`.
fn from_node(receiver: i64, more: &Value) -> Value {
    let mut input = with(leg(0, receiver), more);
    input.as_object_mut().unwrap().remove("sending_node_id");
    input
}

async fn names(client: &Client, query: &str) -> Vec<String> {
    let legs = client.get(&format!("{LEGS}?{query}")).await.is(200);
    column(&legs, "name").into_iter().map(str::to_owned).collect()
}

#[actix_web::test]
async fn a_leg_is_created_shown_changed_and_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let [duisburg, linz] = nodes(&admin, ["Duisburg", "Linz"]).await;
    let exceptions = json!([
        { "date": "2026-12-31", "time": "05:00", "type": "added" },
        { "date": "2026-12-24", "time": null, "type": "dropped" }
    ]);
    let created =
        admin.post(LEGS, with(leg(duisburg, linz), &json!({ "exceptions": exceptions }))).await.is(201);
    for (field, expected) in [
        ("name", json!("Duisburg → Linz")),
        ("sending_node", json!({ "id": duisburg, "name": "Duisburg" })),
        ("receiving_node", json!({ "id": linz, "name": "Linz" })),
        ("travel_duration", json!(420)),
        ("order_time", Value::Null),
        (
            "departures",
            json!([{ "weekday": "tuesday", "time": "18:30" }, { "weekday": "friday", "time": "06:00" }]),
        ),
        ("exceptions", json!([exceptions[1], exceptions[0]])),
        ("departures_per_week", json!(2)),
        (
            "departure_times",
            json!([
                {
                    "weekday": "tuesday", "start_time": "18:30", "order_time": "17:00", "order_day_offset": 0,
                    "arrival_time": "02:15", "arrival_day_offset": 1
                },
                {
                    "weekday": "friday", "start_time": "06:00", "order_time": "04:30", "order_day_offset": 0,
                    "arrival_time": "13:45", "arrival_day_offset": 0
                }
            ]),
        ),
        ("version", json!(1)),
    ] {
        assert_eq!(created[field], expected, "{field}");
    }
    let uri = format!("{LEGS}/{}", id(&created));
    assert_eq!(admin.get(&uri).await.is(200), created);
    // a record that was read can be sent back
    assert_eq!(admin.put(&uri, created.clone()).await.is(200)["departures"], created["departures"]);
    let ordered = admin.patch(&uri, json!({ "order_time": "16:00" })).await.is(200);
    let order = |leg: &Value, of: usize| {
        let departure = &leg["departure_times"][of];
        json!([departure["order_day_offset"], departure["order_time"]])
    };
    // later than the time of departure, so on the day before
    assert_eq!([order(&ordered, 0), order(&ordered, 1)], [json!([0, "16:00"]), json!([-1, "16:00"])]);
    assert_eq!(admin.put(&uri, created.clone()).await.is(409)["code"], "stale");

    // both nodes include it, with their current names
    let sender = admin.get(&format!("{NODES}/{duisburg}")).await.is(200);
    let end = json!([{
        "id": created["id"], "node": { "id": linz, "name": "Linz" }, "travel_duration": 420, "departures_per_week": 2
    }]);
    assert_eq!((&sender["outgoing_legs"], &sender["incoming_legs"]), (&end, &json!([])));
    admin.patch(&format!("{NODES}/{linz}"), json!({ "name": "Linz Hafen" })).await.is(200);
    assert_eq!(admin.get(&uri).await.is(200)["name"], "Duisburg → Linz Hafen");
    assert_eq!(names(&admin, "filter[search]=hafen").await, ["Duisburg → Linz Hafen"]);
    let of_node = admin.get(&format!("{NODES}/{linz}/legs")).await.is(200);
    assert_eq!(column(&of_node, "name"), ["Duisburg → Linz Hafen"]);

    // a node in use cannot be deleted
    for (node, filter) in [(duisburg, "sending_node_id"), (linz, "receiving_node_id")] {
        let refused = admin.german().delete(&format!("{NODES}/{node}")).await.is(409);
        let usage = json!([{
            "by": "shipping_legs", "filter": filter, "count": 1,
            "examples": [{ "id": created["id"], "name": "Duisburg → Linz Hafen" }]
        }]);
        assert_eq!(refused["used_by"], usage);
        assert!(refused["message"].as_str().unwrap().contains("(Versandstrecken: 1)"), "{refused}");
    }
    admin.delete(&uri).await.is(204);
    admin.delete(&format!("{NODES}/{linz}")).await.is(204);
}

#[actix_web::test]
async fn errors_of_a_leg_are_reported_at_their_fields_in_both_languages() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let [duisburg, linz] = nodes(&admin, ["Duisburg", "Linz"]).await;
    let departure = |weekday: &str, time: &str| json!({ "weekday": weekday, "time": time });
    let dropped = |time: Value| json!({ "date": "2026-12-24", "time": time, "type": "dropped" });
    let added = |time: Value| json!({ "date": "2026-12-24", "time": time, "type": "added" });
    let many: Vec<_> =
        (0..10_000).map(|minute| departure("monday", &format!("00:{:02}", minute % 60))).collect();
    for (more, field, german, english) in [
        (
            json!({ "receiving_node_id": duisburg }),
            "receiving_node_id",
            "verschiedene Versandknoten",
            "different",
        ),
        (json!({ "receiving_node_id": 987_654 }), "receiving_node_id", "Unbekannter Wert", "Unknown value"),
        (json!({ "sending_node_id": 987_654 }), "sending_node_id", "Unbekannter Wert", "Unknown value"),
        (json!({ "travel_duration": 0 }), "travel_duration", "mindestens eine Minute", "at least one minute"),
        (json!({ "travel_duration": 525_600 }), "travel_duration", "bis 30 Tage", "to 30 days"),
        (
            json!({ "loading_duration": -1 }),
            "loading_duration",
            "0 Minuten bis 30 Tage",
            "0 minutes to 30 days",
        ),
        (json!({ "preparation_duration": 43_201 }), "preparation_duration", "bis 30 Tage", "to 30 days"),
        (json!({ "unloading_duration": 1.5 }), "unloading_duration", "", ""),
        (json!({ "order_time": "25:00" }), "order_time", "00:00 bis 23:59", "00:00 to 23:59"),
        (
            json!({ "departures": [departure("monday", "25:00")] }),
            "departures.0.time",
            "00:00 bis 23:59",
            "00:00 to 23:59",
        ),
        (json!({ "departures": [departure("montag", "06:00")] }), "departures.0.weekday", "monday", "monday"),
        (
            json!({ "departures": [departure("monday", "06:00"), departure("monday", "06:00")] }),
            "departures.1.time",
            "Doppelter Wert",
            "Duplicate value",
        ),
        (json!({ "departures": many }), "departures", "höchstens 100", "at most 100"),
        (json!({ "exceptions": [added(Value::Null)] }), "exceptions.0.time", "Pflichtfeld", "Required"),
        (
            json!({ "exceptions": [dropped(json!("06:00")), added(json!("06:00"))] }),
            "exceptions.1.type",
            "zugleich entfallen und hinzukommen",
            "both dropped and added",
        ),
        (
            json!({ "exceptions": [dropped(Value::Null), dropped(Value::Null)] }),
            "exceptions.1.date",
            "Doppelter Wert",
            "Duplicate value",
        ),
        (
            json!({ "exceptions": [dropped(Value::Null), dropped(json!("06:00"))] }),
            "exceptions.1.time",
            "entfallen schon alle Abfahrten",
            "dropped already",
        ),
        (
            json!({ "exceptions": [{ "date": "2200-01-01", "time": null, "type": "dropped" }] }),
            "exceptions.0.date",
            "2000 bis 2099",
            "2000 to 2099",
        ),
    ] {
        let input = with(leg(duisburg, linz), &more);
        for (client, text) in [(admin.german(), german), (admin.clone(), english)] {
            let refused = client.post(LEGS, input.clone()).await.is_refused_at(&[field]);
            let message = refused["errors"][field][0].as_str().unwrap();
            assert!(message.contains(text), "{more}: {message}");
        }
    }
    for more in [
        json!({ "travel_duration": 1, "preparation_duration": 0, "loading_duration": 0, "unloading_duration": 0 }),
        json!({ "travel_duration": 43_200, "order_time": "23:59", "departures": [] }),
        json!({ "exceptions": [dropped(Value::Null), added(json!("23:59"))] }),
    ] {
        let made = admin.post(LEGS, with(leg(duisburg, linz), &more)).await.is(201);
        admin.delete(&format!("{LEGS}/{}", id(&made))).await.is(204);
    }
}

#[actix_web::test]
async fn a_pair_of_nodes_has_one_leg_even_after_concurrent_requests() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let [duisburg, linz, wels] = nodes(&admin, ["Duisburg", "Linz", "Wels"]).await;
    let at_once = (0..8).map(|_| admin.post(LEGS, leg(duisburg, linz)));
    let at_once = futures_util::future::join_all(at_once).await;
    assert_eq!(at_once.iter().filter(|answer| answer.status == 201).count(), 1);
    for answer in at_once.iter().filter(|answer| answer.status != 201) {
        let refused = answer.is_refused_at(&["receiving_node_id"]);
        assert!(refused["errors"]["receiving_node_id"][0].as_str().unwrap().contains("already a leg"));
    }
    // the way back is a separate leg, and neither can be turned into the other
    let back = admin.post(LEGS, leg(linz, duisburg)).await.is(201);
    let uri = format!("{LEGS}/{}", id(&back));
    admin.put(&uri, leg(duisburg, linz)).await.is_refused_at(&["receiving_node_id"]);
    assert_eq!(admin.put(&uri, leg(linz, wels)).await.is(200)["name"], "Linz → Wels");

    // concurrent requests for both directions and for one: the only error is for an existing pair
    let both = from_node(wels, &json!({ "both_directions": true }));
    let path = format!("{NODES}/{duisburg}/legs");
    let (one, two, three) = futures_util::join!(
        admin.post(&path, both.clone()),
        admin.post(&path, both.clone()),
        admin.post(LEGS, leg(wels, duisburg)),
    );
    let made: usize = [&one, &two]
        .iter()
        .filter(|answer| answer.status == 201)
        .map(|answer| answer.is(201)["created"].as_array().unwrap().len())
        .sum();
    assert_eq!(made + usize::from(three.status == 201), 2);
    for answer in [&one, &two, &three].iter().filter(|answer| answer.status != 201) {
        answer.is_refused_at(&["receiving_node_id"]);
    }
    // writers without a version wait, also for requests that rename the nodes
    let changed = (0..6).map(|minutes| admin.patch(&uri, json!({ "loading_duration": minutes })));
    let node = format!("{NODES}/{linz}");
    let renamed = (0..6).map(|number| admin.patch(&node, json!({ "name": format!("L{number}") })));
    let (changed, renamed) =
        futures_util::join!(futures_util::future::join_all(changed), futures_util::future::join_all(renamed));
    for answer in changed.into_iter().chain(renamed) {
        answer.is(200);
    }
    let linz = admin.get(&format!("{NODES}/{linz}")).await.is(200)["name"].clone();
    assert_eq!(admin.get(&uri).await.is(200)["name"], format!("{} → Wels", linz.as_str().unwrap()));
}

#[actix_web::test]
async fn creating_both_directions_skips_an_existing_leg() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let [duisburg, linz, wels] = nodes(&admin, ["Duisburg", "Linz", "Wels"]).await;
    let path = format!("{NODES}/{duisburg}/legs");
    let both = |receiver| from_node(receiver, &json!({ "both_directions": true }));
    let made = admin.post(&path, both(linz)).await.is(201);
    assert_eq!(column(&json!({ "data": made["created"] }), "name"), ["Duisburg → Linz", "Linz → Duisburg"]);
    assert_eq!(made["existing"], json!([]));
    let refused = admin.post(&path, both(linz)).await.is_refused_at(&["receiving_node_id"]);
    assert!(refused["errors"]["receiving_node_id"][0].as_str().unwrap().contains("already a leg"));

    let back = admin.post(LEGS, with(leg(wels, duisburg), &json!({ "travel_duration": 60 }))).await.is(201);
    let made = admin.post(&path, both(wels)).await.is(201);
    assert_eq!(column(&json!({ "data": made["created"] }), "name"), ["Duisburg → Wels"]);
    assert_eq!(made["existing"], json!([back]), "left as it is");
    admin.post(&path, from_node(wels, &json!({}))).await.is_refused_at(&["receiving_node_id"]);
    admin.post(&path, both(duisburg)).await.is_refused_at(&["receiving_node_id"]);
    admin.post(&path, both(987_654)).await.is_refused_at(&["receiving_node_id"]);
    admin
        .post(&path, from_node(linz, &json!({ "travel_duration": 0 })))
        .await
        .is_refused_at(&["travel_duration"]);
    admin.post(&format!("{NODES}/987654/legs"), both(linz)).await.is(404);
    admin.get(&format!("{NODES}/987654/legs")).await.is(404);
    let legs = admin.get(&path).await.is(200);
    let all = ["Duisburg → Linz", "Duisburg → Wels", "Linz → Duisburg", "Wels → Duisburg"];
    assert_eq!(column(&legs, "name"), all);
}

#[actix_web::test]
async fn legs_are_read_by_tenants_and_changed_by_users_who_may_change_nodes() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let [duisburg, linz] = nodes(&admin, ["Duisburg", "Linz"]).await;
    let made = admin.post(LEGS, leg(duisburg, linz)).await.is(201);
    let uri = format!("{LEGS}/{}", id(&made));
    let north = app.caller(Some(app.north), PermissionSet::all()).await;
    assert_eq!(north.get(&uri).await.is(200), made);
    assert_eq!(north.post(LEGS, leg(linz, duisburg)).await.is(403)["code"], "platform_only");
    assert_eq!(north.put(&uri, leg(duisburg, linz)).await.is(403)["code"], "platform_only");
    assert_eq!(north.delete(&uri).await.is(403)["code"], "platform_only");
    let path = format!("{NODES}/{linz}/legs");
    assert_eq!(north.post(&path, from_node(duisburg, &json!({}))).await.is(403)["code"], "platform_only");
    let reader = app.caller(None, all_but(permissions::UPDATE_SHIPPING_NODE)).await;
    for refused in [reader.post(LEGS, leg(linz, duisburg)).await, reader.delete(&uri).await] {
        assert_eq!(refused.is(403)["code"], "forbidden");
    }
}

#[actix_web::test]
async fn legs_are_paged_sorted_filtered_exported_and_restored() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let [duisburg, linz, wels] = nodes(&admin, ["Duisburg", "Linz", "Wels"]).await;
    for (sender, receiver, more) in [
        (duisburg, linz, json!({})),
        (linz, wels, json!({ "departures": [], "travel_duration": 30 })),
        (
            wels,
            duisburg,
            json!({
                "order_time": "12:00",
                "departures": [
                    { "weekday": "monday", "time": "06:00" }, { "weekday": "tuesday", "time": "06:00" },
                    { "weekday": "wednesday", "time": "06:00" }
                ],
                "exceptions": [{ "date": "2026-12-24", "time": null, "type": "dropped" }],
            }),
        ),
    ] {
        admin.post(LEGS, with(leg(sender, receiver), &more)).await.is(201);
    }
    let (to_linz, to_wels, to_duisburg) = ("Duisburg → Linz", "Linz → Wels", "Wels → Duisburg");
    for (query, expected) in [
        (String::new(), vec![to_linz, to_wels, to_duisburg]),
        ("sort=-name".to_owned(), vec![to_duisburg, to_wels, to_linz]),
        ("sort=departures_per_week".to_owned(), vec![to_wels, to_linz, to_duisburg]),
        ("sort=-travel_duration&page[size]=2".to_owned(), vec![to_duisburg, to_linz]),
        (format!("filter[sending_node_id]={linz}"), vec![to_wels]),
        (format!("filter[receiving_node_id]={linz}"), vec![to_linz]),
        (format!("filter[node_id]={linz}"), vec![to_linz, to_wels]),
        (format!("filter[node_id_not_equals]={linz}"), vec![to_duisburg]),
        ("filter[departures_per_week]=0".to_owned(), vec![to_wels]),
        ("filter[travel_duration_greater_than]=30".to_owned(), vec![to_linz, to_duisburg]),
        ("filter[search]=duisburg%20wels".to_owned(), vec![to_duisburg]),
        ("filter[name_starts_with]=duis".to_owned(), vec![to_linz]),
    ] {
        assert_eq!(names(&admin, &query).await, expected, "{query}");
    }
    let file = lines(&admin.german().get(&format!("{LEGS}/export?format=csv")).await);
    assert_eq!(
        file[0],
        "Absender;Empfänger;Bereitstellung;Beladung;Fahrt;Entladung;Bestellschluss;Abfahrten;Ausnahmen;Abfahrten je Woche;Geändert"
    );
    assert!(file[1].starts_with("Duisburg;Linz;30m;1h;7h;45m;;\"Di 18:30; Fr 06:00\";;2;"), "{}", file[1]);
    let last = "Wels;Duisburg;30m;1h;7h;45m;12:00;Mo–Mi 06:00;24.12.2026 entfällt;3;";
    assert!(file[3].starts_with(last), "{}", file[3]);

    // deleted together, and restored as they were
    let all = admin.get(LEGS).await.is(200);
    let ids: Vec<_> = all["data"].as_array().unwrap().iter().map(id).collect();
    let gone = admin.post(&format!("{LEGS}/bulk-delete"), json!({ "ids": ids, "count": 3 })).await;
    assert_eq!(gone.is(200), json!({ "done": 3, "refused": [] }));
    assert_eq!(undo(&admin, &gone).await["done"], 3);
    let back = admin.get(LEGS).await.is(200);
    for (before, after) in all["data"].as_array().unwrap().iter().zip(back["data"].as_array().unwrap()) {
        for field in ["id", "name", "order_time", "departures", "exceptions", "departure_times"] {
            assert_eq!(before[field], after[field], "{field}");
        }
    }
}

/// Imports a file for a tenant; returns the rows created, updated, unchanged and refused.
async fn imported(app: &TestApp, client: &Client, kind: &str, file: impl AsRef<[u8]>) -> (Value, [i64; 4]) {
    let uri = format!("{IMPORTS}?tenant_id={}", app.north);
    let import = Form::new().field("type", kind).file("Netz.csv", file).send(client, &uri).await.is(201);
    let import = ended(client, &import).await;
    let counted = counts(&import);
    (import, counted)
}

#[actix_web::test]
async fn nodes_and_legs_are_imported_as_they_were_exported_and_undone() {
    let app = TestApp::new().await;
    let workers = app.workers().await;
    let admin = app.platform().await.german();
    // without records, the template has example rows
    let template = format!("{IMPORTS}/template?type=ShippingNode&format=csv&tenant_id={}", app.north);
    let template = admin.get(&template).await;
    assert_eq!(imported(&app, &admin, "ShippingNode", &template.bytes).await.1, [1, 0, 0, 0]);
    let possible = admin.get(NODES).await.is(200)["data"][0].clone();
    assert_eq!((&possible["name"], &possible["region"]), (&json!("Depot Linz"), &json!("AT")));
    admin.delete(&format!("{NODES}/{}", id(&possible))).await.is(204);
    let nodes = "Name;Adresse;Aktiv;Feiertage nach\r\nDuisburg;Hafen 1;Ja;\r\nLinz;;;Österreich\r\n";
    assert_eq!(imported(&app, &admin, "ShippingNode", nodes).await.1, [2, 0, 0, 0]);
    let legs = "Absender;Empfänger;Fahrt;Abfahrten;Ausnahmen\r\n\
                Duisburg;Linz;7h30m;\"Mo 06:00, Di 06:00, Mo-Fr 14:30\";24.12.2026 entfällt\r\n\
                Linz;Hamburg;1h;;\r\n";
    let (made, counted) = imported(&app, &admin, "ShippingLeg", legs).await;
    assert_eq!(counted, [1, 0, 0, 1]);
    let errors = admin.get(&format!("{IMPORTS}/{}/errors", id(&made))).await.is(200);
    let error = &errors["data"][0]["errors"][0];
    assert_eq!(
        (&error["column"], &error["message"]),
        (&json!("Empfänger"), &json!("„Hamburg“ gibt es nicht"))
    );
    let leg = admin.get(LEGS).await.is(200)["data"][0].clone();
    assert_eq!((&leg["name"], &leg["departures_per_week"]), (&json!("Duisburg → Linz"), &json!(7)));

    for client in [admin.clone(), app.platform().await] {
        for (kind, path, rows) in [("ShippingNode", NODES, 2), ("ShippingLeg", LEGS, 1)] {
            for format in ["csv", "xlsx"] {
                let exported = client.get(&format!("{path}/export?format={format}")).await;
                let (import, counted) = imported(&app, &client, kind, &exported.bytes).await;
                assert_eq!(counted, [0, 0, rows, 0], "{kind} as {format}: {import}");
                let template =
                    format!("{IMPORTS}/template?type={kind}&format={format}&tenant_id={}", app.north);
                let template = client.get(&template).await;
                assert_eq!(imported(&app, &client, kind, &template.bytes).await.1, [0, 0, rows, 0], "{kind}");
            }
        }
    }
    // imports need the permission to write nodes, which users of tenants never have
    let north = app.caller(Some(app.north), PermissionSet::all()).await;
    let refused =
        Form::new().field("type", "ShippingNode").file("Netz.csv", nodes).send(&north, IMPORTS).await;
    assert_eq!(refused.is(403)["code"], "platform_only");
    let reader = app.caller(None, all_but(permissions::UPDATE_SHIPPING_NODE)).await;
    let uri = format!("{IMPORTS}?tenant_id={}", app.north);
    let refused = Form::new().field("type", "ShippingLeg").file("Netz.csv", legs).send(&reader, &uri).await;
    assert_eq!(refused.is(403)["code"], "forbidden");

    let undone =
        admin.post(&format!("{IMPORTS}/{}/undo", id(&made)), json!({ "dry_run": false })).await.is(201);
    assert_eq!(ended(&admin, &undone).await["rows_removed"], 1);
    assert_eq!(admin.get(LEGS).await.is(200)["meta"]["total"], 0);
    workers.end().await;
}

#[actix_web::test]
async fn the_next_departures_include_a_reason_for_each_that_does_not_run() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let [duisburg, linz] = nodes(&admin, ["Duisburg", "Linz"]).await;
    let closed = json!({ "shipping_node_id": duisburg, "date": "2026-12-22", "name": "Inventur" });
    admin.post("/api/admin/shipping-node-closures", closed).await.is(201);
    let exceptions = json!([{ "date": "2026-12-18", "time": null, "type": "dropped" }]);
    let made =
        admin.post(LEGS, with(leg(duisburg, linz), &json!({ "exceptions": exceptions }))).await.is(201);
    let uri = format!("{LEGS}/{}/next-departures", id(&made));
    let next = admin.get(&format!("{uri}?at=2026-12-15T17:00:00Z")).await.is(200);
    let departures = next["departures"].as_array().unwrap();
    let listed: Vec<_> = departures
        .iter()
        .map(|departure| json!([departure["date"], departure["time"], departure["reason"]["code"]]))
        .collect();
    let expected = [
        json!(["2026-12-15", "18:30", null]),
        json!(["2026-12-18", "06:00", "dropped"]),
        json!(["2026-12-22", "18:30", "closed"]),
        json!(["2026-12-25", "06:00", "public_holiday"]),
        json!(["2026-12-29", "18:30", null]),
        json!(["2027-01-01", "06:00", "public_holiday"]),
        json!(["2027-01-05", "18:30", null]),
        json!(["2027-01-08", "06:00", null]),
        json!(["2027-01-12", "18:30", null]),
    ];
    assert_eq!(listed, expected);
    let moments =
        ["order_by", "starts_at", "arrives_at"].map(|moment| departures[0][moment].as_str().unwrap());
    assert_eq!(moments, ["2026-12-15T16:00:00Z", "2026-12-15T17:30:00Z", "2026-12-16T01:15:00Z"]);
    assert_eq!(departures[2]["reason"]["name"], "Inventur");
    assert_eq!((&departures[0]["runs"], &departures[1]["runs"]), (&json!(true), &json!(false)));
    // a change is visible immediately
    admin.patch(&format!("{LEGS}/{}", id(&made)), json!({ "departures": [] })).await.is(200);
    assert_eq!(admin.get(&uri).await.is(200)["departures"], json!([]));
    for at in ["heute", "1899-12-31T12:00:00Z", "2200-01-01T00:00:00Z"] {
        admin.get(&format!("{uri}?at={at}")).await.is_refused_at(&["at"]);
    }
    admin.get(&format!("{LEGS}/987654/next-departures")).await.is(404);
}

#[actix_web::test]
async fn the_history_shows_added_and_removed_departures_and_undoes_the_change() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let [duisburg, linz] = nodes(&admin, ["Duisburg", "Linz"]).await;
    let made = admin.post(LEGS, leg(duisburg, linz)).await.is(201);
    let uri = format!("{LEGS}/{}", id(&made));
    let departures =
        json!([{ "weekday": "tuesday", "time": "18:30" }, { "weekday": "saturday", "time": "07:00" }]);
    let exceptions = json!([{ "date": "2026-12-24", "time": null, "type": "dropped" }]);
    let change = json!({ "departures": departures, "exceptions": exceptions, "travel_duration": 450 });
    let changed = admin.patch(&uri, change).await;
    changed.is(200);
    let history =
        admin.get(&format!("{AUDIT}?filter[record]=shipping_leg&filter[action]=changed")).await.is(200);
    let changes = history["data"][0]["changes"].as_array().unwrap();
    let of = |field: &str| changes.iter().find(|change| change["field"] == field).unwrap();
    assert_eq!(of("departures")["from"], json!([{ "weekday": "friday", "time": "06:00" }]));
    assert_eq!(of("departures")["to"], json!([{ "weekday": "saturday", "time": "07:00" }]));
    assert_eq!((&of("exceptions")["from"], &of("exceptions")["to"]), (&json!([]), &exceptions));
    assert_eq!(changes.len(), 3, "{changes:?}");
    for (client, words) in [
        (
            admin.german(),
            "Abfahrten: −Freitag 06:00, +Samstag 07:00; Ausnahmen: +2026-12-24 entfällt; Fahrt: 7h → 7h30m",
        ),
        (
            admin.clone(),
            "Departures: −Friday 06:00, +Saturday 07:00; Exceptions: +2026-12-24 dropped; Travel: 7h → 7h30m",
        ),
    ] {
        let export = format!("{AUDIT}/export?format=csv&filter[record]=shipping_leg&filter[action]=changed");
        let file = lines(&client.get(&export).await);
        assert!(file[1].contains(words), "{}", file[1]);
    }
    assert_eq!(undo(&admin, &changed).await["done"], 1);
    let back = admin.get(&uri).await.is(200);
    for field in ["departures", "exceptions", "travel_duration"] {
        assert_eq!(back[field], made[field], "{field}");
    }
    // records that have changed again since are left alone
    let other = admin.patch(&uri, json!({ "departures": [] })).await;
    admin.patch(&uri, json!({ "departures": departures })).await.is(200);
    let request = json!({ "request_id": other.header("x-request-id") });
    let refused = admin.german().post(&format!("{AUDIT}/undo"), request).await.is(409);
    assert!(refused["message"].as_str().unwrap().contains("Abfahrten"), "{refused}");
}
