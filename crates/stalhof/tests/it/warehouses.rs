//! Warehouses over HTTP, also the example for records of tenants; and the days on which they are closed.

use logistics::permissions;
use sea_orm::{ConnectionTrait, DbBackend};
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{column, id},
    exports::lines,
    support::{Client, TestApp},
};

const PATH: &str = "/api/admin/warehouses";
const CLOSURES: &str = "/api/admin/closures";

pub(crate) fn warehouse(name: &str, short_code: &str) -> Value {
    json!({
        "name": name, "short_code": short_code, "preparation_duration_before": 120,
        "preparation_shift_time": "12:00", "address": null, "region": null
    })
}

async fn sign_in_user(app: &TestApp) -> Client {
    app.caller(Some(app.north), PermissionSet::all()).await
}

#[actix_web::test]
async fn a_warehouse_is_created_shown_changed_and_deleted() {
    let app = TestApp::new().await;
    let user = sign_in_user(&app).await;
    let input = json!({
        "name": " Lager Duisburg ", "short_code": " DU ", "preparation_duration_before": 90,
        "preparation_shift_time": "12:30", "address": " Hafenstraße 1, 47119 Duisburg ", "region": "DE-NW"
    });
    let created = user.post(PATH, input).await.is(201);
    for (field, expected) in [
        ("tenant", json!({ "id": app.north, "short_code": "NORD" })),
        ("name", json!("Lager Duisburg")),
        ("short_code", json!("DU")),
        ("preparation_duration_before", json!(90)),
        ("preparation_shift_time", json!("12:30")),
        ("address", json!("Hafenstraße 1, 47119 Duisburg")),
        ("region", json!("DE-NW")),
        ("version", json!(1)),
    ] {
        assert_eq!(created[field], expected, "{field}");
    }
    let uri = format!("{PATH}/{}", id(&created));
    assert_eq!(user.get(&uri).await.is(200), created);

    let mut change = json!({ "name": "Lager Ruhrort", "short_code": "DU", "preparation_duration_before": 0 });
    change["version"] = json!(1);
    let changed = user.put(&uri, change.clone()).await.is(200);
    for empty in ["preparation_shift_time", "address", "region"] {
        assert_eq!(changed[empty], Value::Null, "{empty}");
    }
    assert_eq!((&changed["preparation_duration_before"], &changed["version"]), (&json!(0), &json!(2)));
    assert_eq!(user.put(&uri, change).await.is(409)["code"], "stale");

    let history = user
        .get(&format!("/api/admin/audit?filter[record]=warehouse&filter[record_id]={}", id(&created)))
        .await;
    let history = history.is(200);
    assert_eq!(column(&history, "action"), ["changed", "created"]);
    assert_eq!(history["data"][0]["tenant"]["id"], app.north);
    let changes = history["data"][0]["changes"].as_array().unwrap();
    let cut_off = changes.iter().find(|change| change["field"] == "warehouse_cut_off").unwrap();
    assert_eq!(
        (&cut_off["from"], &cut_off["to"]),
        (&json!([{ "cut_off": "12:30", "weekday": 0 }]), &json!([]))
    );

    assert_eq!(user.get(&format!("{uri}/usage")).await.is(200), json!({ "data": [] }));
    user.delete(&uri).await.is(204);
    user.get(&uri).await.is(404);
    user.delete(&uri).await.is(404);
}

#[actix_web::test]
async fn all_broken_rules_are_reported_at_once_and_boundary_values_are_accepted() {
    let app = TestApp::new().await;
    let user = sign_in_user(&app).await;
    let input = json!({
        "name": "", "short_code": "Süd 1", "preparation_duration_before": 43_201, "preparation_shift_time": "24:00",
        "address": "x".repeat(256)
    });
    let paths = ["name", "short_code", "preparation_duration_before", "preparation_shift_time", "address"];
    let refused = user.german().post(PATH, input.clone()).await.is_refused_at(&paths);
    let text = |field: &str| refused["errors"][field][0].as_str().unwrap().to_owned();
    assert!(text("preparation_duration_before").contains("0 Minuten bis 30 Tage"), "{refused}");
    assert!(text("preparation_shift_time").contains("00:00 bis 23:59"), "{refused}");
    let refused = user.post(PATH, input).await.is(422);
    assert!(refused["errors"]["preparation_shift_time"][0].as_str().unwrap().contains("00:00 to 23:59"));

    for (number, (field, value)) in [
        ("preparation_duration_before", json!(0)),
        ("preparation_duration_before", json!(43_200)),
        ("preparation_shift_time", json!("00:00")),
        ("preparation_shift_time", json!("23:59")),
        ("preparation_shift_time", json!(null)),
        ("address", json!("ä".repeat(255))),
        ("name", json!("ä".repeat(255))),
        ("short_code", json!("x".repeat(255))),
        ("region", json!("AT")),
    ]
    .into_iter()
    .enumerate()
    {
        let mut input = warehouse(&format!("Lager {number}"), &format!("L{number}"));
        input[field] = value.clone();
        assert_eq!(user.post(PATH, input).await.is(201)[field], value, "{field}");
    }
    for (field, value) in [
        ("preparation_duration_before", json!(-1)),
        ("preparation_duration_before", json!(1.5)),
        ("preparation_duration_before", json!("80")),
        ("preparation_duration_before", json!(null)),
        ("preparation_shift_time", json!("9:05")),
        ("preparation_shift_time", json!(720)),
        ("region", json!("DE-XX")),
        ("region", json!("de-nw")),
        ("name", json!("x".repeat(256))),
        ("short_code", json!("x".repeat(256))),
        ("tenant_id", json!(app.south)),
    ] {
        let mut input = warehouse("Lager", "LAGER");
        input[field] = value;
        user.post(PATH, input).await.is_refused_at(&[field]);
    }
    let mut missing = warehouse("Lager", "LAGER");
    missing.as_object_mut().unwrap().remove("preparation_duration_before");
    user.post(PATH, missing).await.is_refused_at(&["preparation_duration_before"]);
}

#[actix_web::test]
async fn name_and_short_code_are_unique_within_the_tenant_ignoring_case() {
    let app = TestApp::new().await;
    let user = sign_in_user(&app).await;
    let at_once = (0..8).map(|_| user.post(PATH, warehouse("Mannheim", "MA")));
    let at_once = futures_util::future::join_all(at_once).await;
    assert_eq!(at_once.iter().filter(|answer| answer.status == 201).count(), 1);
    user.post(PATH, warehouse("MANNHEIM", "M2")).await.is_refused_at(&["name"]);
    user.post(PATH, warehouse("Mannheim 2", "ma")).await.is_refused_at(&["short_code"]);
    let other = user.post(PATH, warehouse("Mannheim 2", "M2")).await.is(201);
    user.put(&format!("{PATH}/{}", id(&other)), warehouse("mannheim", "M2")).await.is_refused_at(&["name"]);
    // another tenant may have both
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    south.post(PATH, warehouse("Mannheim", "MA")).await.is(201);
}

#[actix_web::test]
async fn tenants_access_their_own_warehouses_and_the_platform_those_of_a_chosen_one() {
    let app = TestApp::new().await;
    let (user, admin) = (sign_in_user(&app).await, app.platform().await);
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let own = user.post(PATH, warehouse("Hamburg", "HH")).await.is(201);
    let theirs = south.post(PATH, warehouse("Linz", "LNZ")).await.is(201);
    assert_eq!(column(&user.get(PATH).await.is(200), "name"), ["Hamburg"]);
    for uri in [format!("{PATH}/{}", id(&theirs)), format!("{PATH}/{}?tenant_id={}", id(&theirs), app.north)]
    {
        user.get(&uri).await.is(404);
        user.put(&uri, warehouse("X", "X")).await.is(404);
        user.delete(&uri).await.is(404);
    }
    user.post(&format!("{PATH}/{}/readiness", id(&theirs)), json!({ "at": "2026-11-23T10:00:00Z" }))
        .await
        .is(404);
    assert_eq!(user.get(&format!("{PATH}?tenant_id={}", app.south)).await.is(403)["code"], "tenant_mismatch");

    assert_eq!(column(&admin.get(PATH).await.is(200), "name"), ["Hamburg", "Linz"]);
    let of_south = format!("{PATH}?tenant_id={}", app.south);
    assert_eq!(column(&admin.get(&of_south).await.is(200), "name"), ["Linz"]);
    assert_eq!(admin.post(PATH, warehouse("Wels", "WEL")).await.is(422)["code"], "tenant_required");
    let made = admin.post(&of_south, warehouse("Wels", "WEL")).await.is(201);
    assert_eq!(made["tenant"], json!({ "id": app.south, "short_code": "SUED" }));
    admin.get(&format!("{PATH}/{}?tenant_id={}", id(&made), app.north)).await.is(404);
    assert_eq!(user.get(&format!("{PATH}/{}", id(&own))).await.is(200), own);
}

#[actix_web::test]
async fn a_list_is_paged_sorted_filtered_and_searched() {
    let app = TestApp::new().await;
    let user = sign_in_user(&app).await;
    for (name, code, address, region) in [
        ("Duisburg", "DU", "Hafenstraße 1", "DE-NW"),
        ("Hamburg", "HH", "Kai 3", "DE-HH"),
        ("Änderlager", "Z-1", "Hafenring 12", "AT"),
    ] {
        let mut input = warehouse(name, code);
        input["address"] = json!(address);
        input["region"] = json!(region);
        user.post(PATH, input).await.is(201);
    }
    let list = async |query: &str| user.get(&format!("{PATH}?{query}")).await.is(200);
    let page = list("page[size]=2&page[number]=2").await;
    assert_eq!(column(&page, "name"), ["Hamburg"]);
    assert_eq!(page["meta"], json!({ "current_page": 2, "last_page": 2, "per_page": 2, "total": 3 }));
    for (query, expected) in [
        ("", vec!["Änderlager", "Duisburg", "Hamburg"]),
        ("sort=-short_code", vec!["Änderlager", "Hamburg", "Duisburg"]),
        ("sort=updated_at", vec!["Duisburg", "Hamburg", "Änderlager"]),
        ("filter[name]=BURG", vec!["Duisburg", "Hamburg"]),
        ("filter[short_code]=z-", vec!["Änderlager"]),
        ("filter[region]=DE-HH&filter[region]=AT", vec!["Änderlager", "Hamburg"]),
        ("filter[preparation_duration_before_greater_than]=120", vec![]),
        ("filter[preparation_duration_before_lesser_equals]=120&filter[name]=du", vec!["Duisburg"]),
        ("filter[search]=hafen", vec!["Änderlager", "Duisburg"]),
        ("filter[search]=hafen%20du", vec!["Duisburg"]),
        ("filter[search]=hh", vec!["Hamburg"]),
    ] {
        assert_eq!(column(&list(query).await, "name"), expected, "{query}");
    }
    let words = ["a"; 12].join("%20");
    list(&format!("filter[search]={words}")).await;
    user.get(&format!("{PATH}?filter[search]={words}%20a")).await.is_refused_at(&["filter[search]"]);
    user.get(&format!("{PATH}?sort=region&filter[colour]=red"))
        .await
        .is_refused_at(&["sort", "filter[colour]"]);

    let export = user.german().get(&format!("{PATH}/export?format=csv&filter[name]=duis")).await;
    let export = lines(&export);
    let header = "Name;Kurzzeichen;Vorbereitungsdauer;Bestellschluss;Adresse;Feiertage nach;Mandant;Geändert";
    assert_eq!(export[0], header);
    let row = "Duisburg;DU;2h;12:00;Hafenstraße 1;Nordrhein-Westfalen;NORD;";
    assert!(export[1].starts_with(row), "{}", export[1]);
    let history = "/api/admin/audit/export?format=csv&filter[record]=warehouse";
    let history = lines(&user.german().get(history).await);
    assert!(history.iter().any(|line| line.contains("Vorbereitungsdauer: 2h")), "{history:?}");

    let all = list("").await;
    let ids: Vec<_> = all["data"].as_array().unwrap().iter().map(id).collect();
    let outcome = user.post(&format!("{PATH}/bulk-delete"), json!({ "ids": ids[..2], "count": 2 })).await;
    assert_eq!(outcome.is(200), json!({ "done": 2, "refused": [] }));
    assert_eq!(column(&list("").await, "name"), ["Hamburg"]);
}

/// Time at which an order is ready, and the reasons of the steps.
async fn ready(user: &Client, warehouse: i64, at: &str) -> (String, Vec<String>) {
    let answer = user.post(&format!("{PATH}/{warehouse}/readiness"), json!({ "at": at })).await.is(200);
    let mut from = answer["steps"][0]["from"].clone();
    let mut reasons = Vec::new();
    for step in answer["steps"].as_array().unwrap() {
        assert_eq!(step["from"], from, "{answer}");
        from = step["to"].clone();
        let because = &step["because"];
        let named = ["cut_off", "weekday", "holiday", "name", "duration"].map(|field| &because[field]);
        let named = named.into_iter().filter(|value| !value.is_null()).map(ToString::to_string);
        reasons.push(format!("{} {}", because["code"].as_str().unwrap(), named.collect::<String>()));
    }
    assert_eq!(from, answer["ready_at"]);
    (answer["ready_at"].as_str().unwrap().to_owned(), reasons)
}

#[actix_web::test]
async fn readiness_follows_cut_off_calendar_and_preparation_with_reasons() {
    let app = TestApp::new().await;
    let user = sign_in_user(&app).await;
    let noon = id(&user.post(PATH, warehouse("Duisburg", "DU")).await.is(201));
    let close = |date: &str, name: &str, warehouse: Value| {
        user.post(CLOSURES, json!({ "date": date, "name": name, "warehouse_id": warehouse }))
    };
    // Berlin is one hour ahead of UTC in November
    let (at, reasons) = ready(&user, noon, "2026-11-23T10:59:59Z").await;
    assert_eq!(at, "2026-11-23T13:00:00Z");
    assert_eq!(reasons, ["cut_off \"12:00\"", "preparation_takes 120"]);
    let (at, reasons) = ready(&user, noon, "2026-11-23T11:00:00Z").await;
    assert_eq!(at, "2026-11-24T13:00:00Z");
    assert_eq!(reasons, ["after_cut_off \"12:00\"", "cut_off \"12:00\"", "preparation_takes 120"]);

    // the weekend, a closure of all warehouses and one of this warehouse; another's does not count
    let other = id(&user.post(PATH, warehouse("Hamburg", "HH")).await.is(201));
    close("2026-11-30", "Betriebsausflug", Value::Null).await.is(201);
    close("2026-12-01", "Inventur", json!(noon)).await.is(201);
    close("2026-12-02", "Umbau", json!(other)).await.is(201);
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    south
        .post(CLOSURES, json!({ "date": "2026-12-02", "name": "Fremd", "warehouse_id": null }))
        .await
        .is(201);
    let (at, reasons) = ready(&user, noon, "2026-11-27T11:00:00Z").await;
    assert_eq!(at, "2026-12-02T13:00:00Z");
    assert_eq!(
        reasons,
        [
            "after_cut_off \"12:00\"",
            "not_in_working_week \"saturday\"",
            "not_in_working_week \"sunday\"",
            "closed \"Betriebsausflug\"",
            "closed \"Inventur\"",
            "cut_off \"12:00\"",
            "preparation_takes 120"
        ]
    );
    let answer = app.platform().await;
    let uri = format!("{PATH}/{noon}/readiness");
    // an administrator without a chosen tenant gets the same answer
    assert_eq!(answer.post(&uri, json!({ "at": "2026-11-27T11:00:00Z" })).await.is(200)["ready_at"], at);

    // a holiday of its own region, and none of the installation's
    let mut linz = warehouse("Linz", "LNZ");
    linz["region"] = json!("AT");
    let linz = id(&user.post(PATH, linz).await.is(201));
    let (at, reasons) = ready(&user, linz, "2026-12-08T08:00:00Z").await;
    assert_eq!(at, "2026-12-09T13:00:00Z");
    assert_eq!(reasons[0], "public_holiday \"immaculate_conception\"");
    assert_eq!(ready(&user, noon, "2026-12-08T08:00:00Z").await.0, "2026-12-08T13:00:00Z");

    // without a cut-off the time of the order counts, on a Sunday too
    let mut always = warehouse("Leipzig", "LEJ");
    always["preparation_shift_time"] = Value::Null;
    let always = id(&user.post(PATH, always).await.is(201));
    let (at, reasons) = ready(&user, always, "2026-11-29T08:00:00Z").await;
    assert_eq!((at.as_str(), &reasons[..]), ("2026-11-29T10:00:00Z", &["no_cut_off 120".to_owned()][..]));

    for (at, status) in [
        ("1999-12-31T23:59:59Z", 422),
        ("2000-01-03T00:00:00Z", 200),
        ("2099-12-31T10:00:00Z", 200),
        ("2100-01-01T00:00:00Z", 422),
    ] {
        assert_eq!(user.post(&uri, json!({ "at": at })).await.status.as_u16(), status, "{at}");
    }
    for bad in [json!({ "at": "heute" }), json!({ "at": null }), json!({ "at": "+262000-01-01T00:00:00Z" })] {
        user.post(&uri, bad).await.is_refused_at(&["at"]);
    }
    user.post(&uri, json!({})).await.is_refused_at(&["at"]);
}

#[actix_web::test]
async fn a_day_is_closed_once_for_a_warehouse_and_once_for_all() {
    let app = TestApp::new().await;
    let user = sign_in_user(&app).await;
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let own = id(&user.post(PATH, warehouse("Duisburg", "DU")).await.is(201));
    let theirs = id(&south.post(PATH, warehouse("Linz", "LNZ")).await.is(201));
    let closure = |date: &str, name: &str, warehouse: Value| json!({ "date": date, "name": name, "warehouse_id": warehouse });
    let all = user.post(CLOSURES, closure("2026-12-24", " Heiligabend ", Value::Null)).await.is(201);
    assert_eq!((&all["name"], &all["tenant_id"]), (&json!("Heiligabend"), &json!(app.north)));
    user.post(CLOSURES, closure("2026-12-24", "Inventur", json!(own))).await.is(201);
    user.post(CLOSURES, closure("2026-12-24", "Noch einer", Value::Null)).await.is_refused_at(&["date"]);
    user.post(CLOSURES, closure("2026-12-24", "Noch einer", json!(own))).await.is_refused_at(&["date"]);
    south.post(CLOSURES, closure("2026-12-24", "Heiligabend", Value::Null)).await.is(201);
    for bad in [theirs, 987_654] {
        user.post(CLOSURES, closure("2026-12-28", "X", json!(bad))).await.is_refused_at(&["warehouse_id"]);
    }
    let both = closure("2026-12-28", " ", json!(theirs));
    user.post(CLOSURES, both).await.is_refused_at(&["name", "warehouse_id"]);
    user.post(CLOSURES, closure("2026-02-29", "X", Value::Null)).await.is_refused_at(&["date"]);
    let long = closure("2026-12-28", &"x".repeat(256), Value::Null);
    user.post(CLOSURES, long).await.is_refused_at(&["name"]);

    user.post(CLOSURES, closure("2026-12-23", "Vorher", Value::Null)).await.is(201);
    let list = async |query: &str| user.get(&format!("{CLOSURES}?{query}")).await.is(200);
    assert_eq!(column(&list("").await, "date"), ["2026-12-23", "2026-12-24", "2026-12-24"]);
    assert_eq!(
        column(&list("filter[date_greater_equals]=2026-12-24&sort=-date").await, "name"),
        ["Inventur", "Heiligabend"]
    );
    assert_eq!(column(&list(&format!("filter[warehouse_id]={own}")).await, "name"), ["Inventur"]);
    user.get(&format!("{CLOSURES}?filter[date]=24.12.2026")).await.is_refused_at(&["filter[date]"]);

    let rights = PermissionSet::all().without(permissions::UPDATE_WAREHOUSE);
    let reader = app.caller(Some(app.north), rights).await;
    reader.post(CLOSURES, closure("2026-12-29", "X", Value::Null)).await.is(403);
    south.delete(&format!("{CLOSURES}/{}", id(&all))).await.is(404);
    user.delete(&format!("{CLOSURES}/{}", id(&all))).await.is(204);
    // closures of a warehouse are deleted with it
    user.delete(&format!("{PATH}/{own}")).await.is(204);
    assert_eq!(column(&list("").await, "name"), ["Vorher"]);
    assert_eq!(column(&south.get(CLOSURES).await.is(200), "name"), ["Heiligabend"]);
}

#[actix_web::test]
async fn a_year_shows_the_working_week_the_holidays_of_the_region_and_the_closures() {
    let app = TestApp::new().await;
    let user = sign_in_user(&app).await;
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let own = id(&user.post(PATH, warehouse("Duisburg", "DU")).await.is(201));
    let other = id(&user.post(PATH, warehouse("Hamburg", "HH")).await.is(201));
    let close = async |by: &Client, date: &str, name: &str, warehouse: Value| {
        let closure = json!({ "date": date, "name": name, "warehouse_id": warehouse });
        by.post(CLOSURES, closure).await.is(201)
    };
    for (date, name, warehouse) in [
        ("2025-12-31", "Vorjahr", Value::Null),
        ("2026-01-01", "Neujahr", json!(own)),
        ("2026-12-31", "Silvester", Value::Null),
        ("2026-12-31", "Inventur", json!(own)),
        ("2027-01-01", "Folgejahr", Value::Null),
        ("2026-06-01", "Umbau", json!(other)),
    ] {
        close(&user, date, name, warehouse).await;
    }
    close(&south, "2026-06-02", "Fremd", Value::Null).await;
    let uri = |warehouse: i64, year: &str| format!("{PATH}/{warehouse}/calendar?year={year}");
    let year = user.get(&uri(own, "2026")).await.is(200);
    assert_eq!(year["region"], "DE-NW");
    assert_eq!(year["working_week"], json!(["monday", "tuesday", "wednesday", "thursday", "friday"]));
    let holidays = year["public_holidays"].as_array().unwrap();
    assert_eq!((holidays.len(), &holidays[0]), (11, &json!({ "date": "2026-01-01", "holiday": "new_year" })));
    let closures = year["closures"].as_array().unwrap();
    let named: Vec<_> = closures.iter().map(|closure| closure["name"].as_str().unwrap()).collect();
    assert_eq!(named, ["Neujahr", "Silvester", "Inventur"]);
    assert_eq!(closures[2]["warehouse_id"], own);
    // an administrator without a chosen tenant sees the same
    assert_eq!(app.platform().await.get(&uri(own, "2026")).await.is(200), year);

    south.get(&uri(own, "2026")).await.is(404);
    for known in ["2000", "2099"] {
        user.get(&uri(own, known)).await.is(200);
    }
    for bad in ["1999", "2100", "", "heuer", "2026.0", "99999999999"] {
        user.get(&uri(own, bad)).await.is_refused_at(&["year"]);
    }
    user.get(&format!("{PATH}/{own}/calendar")).await.is_refused_at(&["year"]);
}

#[actix_web::test]
async fn the_database_refuses_references_to_other_tenants_and_values_out_of_range() {
    let app = TestApp::new().await;
    let user = sign_in_user(&app).await;
    let own = id(&user.post(PATH, warehouse("Duisburg", "DU")).await.is(201));
    let now = if app.db.get_database_backend() == DbBackend::Sqlite { "datetime()" } else { "now()" };
    let closure = |tenant: i64, key: i64| {
        format!(
            "INSERT INTO closure (tenant_id, warehouse_id, warehouse_key, date, name, name_fold, version, created_at, \
             updated_at) VALUES ({tenant}, {own}, {key}, '2026-12-24', 'X', 'x', 1, {now}, {now})"
        )
    };
    let cut_off = |tenant: i64, weekday: i64, time: &str| {
        format!(
            "INSERT INTO warehouse_cut_off (tenant_id, warehouse_id, weekday, cut_off) VALUES ({tenant}, {own}, {weekday}, '{time}')"
        )
    };
    let set = |minutes: i64| {
        format!("UPDATE warehouse SET preparation_duration_before = {minutes} WHERE id = {own}")
    };
    for (sql, allowed) in [
        (closure(app.south, own), false),
        (closure(app.north, 0), false),
        (closure(app.north, own), true),
        (cut_off(app.south, 1, "12:00"), false),
        (cut_off(app.north, 8, "12:00"), false),
        (cut_off(app.north, -1, "12:00"), false),
        (cut_off(app.north, 1, "24:00"), false),
        (cut_off(app.north, 1, "9:00"), false),
        (cut_off(app.north, 7, "23:59"), true),
        (set(43_201), false),
        (set(-1), false),
        (set(43_200), true),
        (format!("DELETE FROM tenant WHERE id = {}", app.north), false),
    ] {
        let tx = app.db.begin().await.unwrap();
        let outcome = tx.execute_unprepared(&sql).await;
        assert_eq!(outcome.is_ok(), allowed, "{sql}: {outcome:?}");
        if allowed {
            tx.commit().await.unwrap();
        } else {
            tx.rollback().await.unwrap();
        }
    }
}

#[actix_web::test]
async fn a_tenant_with_warehouses_cannot_be_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let of_south = format!("tenant_id={}", app.south);
    let own = admin.post(&format!("{PATH}?{of_south}"), warehouse("Linz", "LNZ")).await.is(201);
    let closed = json!({ "date": "2026-12-24", "name": "Heiligabend", "warehouse_id": null });
    let closed = admin.post(&format!("{CLOSURES}?{of_south}"), closed).await.is(201);
    let refused = admin.delete(&format!("/api/admin/tenants/{}", app.south)).await.is(409);
    assert_eq!(
        refused["used_by"],
        json!([
            { "by": "closures", "filter": "tenant_id", "count": 1, "examples": [{ "id": closed["id"], "name": "Heiligabend" }] },
            { "by": "warehouses", "filter": "tenant_id", "count": 1, "examples": [{ "id": own["id"], "name": "Linz" }] },
        ])
    );
}
