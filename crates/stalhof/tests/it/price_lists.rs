//! Price lists over HTTP: who sees and writes them, when they apply, and what prices they give.

mod customers;
mod figures;
mod files;
mod history;
mod prices;
mod restored;

use chrono::{DateTime, TimeDelta, Utc};
use pricing::permissions;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use values::{PermissionSet, now};

use crate::{
    catalog::{column, id},
    stocks::Depot,
    support::{Client, TestApp, all_but},
};

pub(crate) const PATH: &str = "/api/admin/price-lists";

pub(crate) fn after(seconds: i64) -> String {
    (now() + TimeDelta::seconds(seconds)).to_rfc3339()
}

/// List of a tenant for itself that starts in an hour.
pub(crate) fn list(name: &str, owner: i64) -> Value {
    json!({
        "name": name, "owner_tenant_id": owner, "owner_tenant_group_id": null, "type": "sales", "scope": "own",
        "valid_from": after(3600), "limited": false, "valid_until": null, "tenant_ids": [], "tenant_group_ids": [],
    })
}

fn with(mut input: Value, changes: Value) -> Value {
    for (field, value) in changes.as_object().unwrap() {
        input[field] = value.clone();
    }
    input
}

/// Sets start and end of a list in seconds from now, also to past times, which no input can do.
pub(crate) async fn shift(app: &TestApp, list: i64, from: i64, until: Option<i64>) {
    let tx = app.db.begin().await.unwrap();
    let start = now();
    let moment = |seconds: i64| {
        let text = (start + TimeDelta::seconds(seconds)).format("%Y-%m-%d %H:%M:%S%.6f+00:00");
        match app.db.get_database_backend() {
            sea_orm::DbBackend::Sqlite => format!("'{text}'"),
            _ => format!("'{text}'::timestamptz"),
        }
    };
    let until = until.map_or("NULL".to_owned(), moment);
    let from = moment(from);
    let sql = format!("UPDATE price_list SET valid_from = {from}, valid_until = {until} WHERE id = {list}");
    tx.execute_unprepared(&sql).await.unwrap();
    // invalidates the compiled prices
    tx.execute_unprepared("UPDATE prices_version SET version = version + 1 WHERE part = 0").await.unwrap();
    tx.commit().await.unwrap();
}

/// Converts a list that was read to an input.
fn written(view: &Value, changes: Value) -> Value {
    let ids =
        |named: &Value| named.as_array().unwrap().iter().map(|one| one["id"].clone()).collect::<Value>();
    let input = json!({
        "name": view["name"], "owner_tenant_id": view["owner_tenant"]["id"],
        "owner_tenant_group_id": view["owner_tenant_group"]["id"], "type": view["type"], "scope": view["scope"],
        "valid_from": view["valid_from"], "limited": view["limited"], "valid_until": view["valid_until"],
        "tenant_ids": ids(&view["tenants"]), "tenant_group_ids": ids(&view["tenant_groups"]),
        "customer_name": view["customer_name"], "announce": view["announce"], "version": view["version"],
    });
    with(input, changes)
}

pub(crate) async fn group(admin: &Client, name: &str, tenants: &[i64]) -> i64 {
    let input = json!({ "name": name, "description": null, "tenant_ids": tenants });
    id(&admin.post("/api/admin/tenant-groups", input).await.is(201))
}

fn time(text: &Value) -> DateTime<Utc> {
    text.as_str().unwrap().parse().unwrap()
}

#[actix_web::test]
async fn a_list_is_created_shown_changed_and_deleted_while_it_is_pending() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let created = user.post(PATH, list(" Verkauf 2027 ", app.north)).await.is(201);
    for (field, expected) in [
        ("name", json!("Verkauf 2027")),
        ("owner_tenant", json!({ "id": app.north, "company": "NORD GmbH" })),
        ("owner_tenant_group", Value::Null),
        ("status", json!("pending")),
        ("own", json!(true)),
        ("writable", json!(true)),
        ("valid_until", Value::Null),
        ("price_count", json!(0)),
        ("audience_count", json!(1)),
    ] {
        assert_eq!(created[field], expected, "{field}");
    }
    let uri = format!("{PATH}/{}", created["id"]);
    assert_eq!(user.get(&uri).await.is(200), created);
    // a list that was read can be sent back, and nothing changes
    assert_eq!(user.put(&uri, created.clone()).await.is(200)["version"], 1);
    let ends = written(&created, json!({ "limited": true, "valid_until": after(7200) }));
    let changed = user.put(&uri, ends.clone()).await.is(200);
    assert_eq!((&changed["limited"], &changed["version"]), (&json!(true), &json!(2)));
    assert_eq!(user.put(&uri, ends).await.is(409)["code"], "stale");

    user.post(PATH, list("VERKAUF 2027", app.north)).await.is_refused_at(&["name"]);
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    south.post(PATH, list("Verkauf 2027", app.south)).await.is(201);

    user.delete(&uri).await.is(204);
    user.get(&uri).await.is(404);
}

#[actix_web::test]
async fn errors_of_a_list_are_reported_at_their_fields() {
    let app = TestApp::new().await;
    let (north, south) = (app.north, app.south);
    let user = app.caller(Some(north), PermissionSet::all()).await;
    let admin = app.platform().await;
    let refused = async |client: &Client, changes: Value| {
        let body = client.post(PATH, with(list("Liste", north), changes)).await.is(422);
        body["error_codes"].clone()
    };
    let group = group(&admin, "Verbund", &[north]).await;
    let owners = json!({ "owner_tenant_id": ["one_owner"], "owner_tenant_group_id": ["one_owner"] });
    assert_eq!(refused(&user, json!({ "owner_tenant_id": null })).await, owners);
    assert_eq!(refused(&admin, json!({ "owner_tenant_group_id": group })).await, owners);
    let of_group = json!({ "owner_tenant_id": null, "owner_tenant_group_id": group });
    assert_eq!(refused(&user, of_group).await, json!({ "owner_tenant_group_id": ["not_own_price_list"] }));
    let unknown = json!({ "owner_tenant_id": ["unknown_reference"] });
    assert_eq!(refused(&user, json!({ "owner_tenant_id": south })).await, unknown);
    assert_eq!(refused(&user, json!({ "owner_tenant_id": 987_654 })).await, unknown);

    // in the time zone of the server, as the message shows
    let soon =
        user.german().post(PATH, with(list("Liste", north), json!({ "valid_from": after(290) }))).await;
    let soon = soon.is_refused_at(&["valid_from"]);
    let text = soon["errors"]["valid_from"][0].as_str().unwrap();
    assert!(text.contains("Auf der Uhr des Servers ist es") && text.ends_with("Uhr."), "{text}");
    user.post(PATH, with(list("Bald", north), json!({ "valid_from": after(310) }))).await.is(201);

    for (changes, codes) in [
        (json!({ "limited": true }), json!({ "valid_until": ["required"] })),
        (json!({ "valid_until": after(7200) }), json!({ "valid_until": ["not_limited"] })),
        (
            json!({ "limited": true, "valid_until": after(3000) }),
            json!({ "valid_until": ["ends_before_start"] }),
        ),
        (json!({ "name": "" }), json!({ "name": ["required"] })),
        (
            json!({ "scope": "global", "tenant_ids": [north] }),
            json!({ "tenant_ids": ["audience_of_global"] }),
        ),
        (
            json!({ "tenant_ids": [north, 987_654, north], "tenant_group_ids": [987_654] }),
            json!({
                "tenant_ids.1": ["unknown_reference"], "tenant_ids.2": ["duplicate"],
                "tenant_group_ids.0": ["unknown_reference"],
            }),
        ),
    ] {
        assert_eq!(refused(&user, changes.clone()).await, codes, "{changes}");
    }
    let same = after(3600);
    let empty = json!({ "valid_from": same, "limited": true, "valid_until": same });
    assert_eq!(refused(&user, empty).await, json!({ "valid_until": ["ends_before_start"] }));
}

#[actix_web::test]
async fn an_active_list_keeps_its_start_and_an_expired_list_is_read_only() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let created = user.post(PATH, list("Verkauf", app.north)).await.is(201);
    let uri = format!("{PATH}/{}", created["id"]);
    shift(&app, id(&created), -3600, None).await;
    let active = user.get(&uri).await.is(200);
    assert_eq!(active["status"], "active");
    assert_eq!(user.delete(&uri).await.is(409)["code"], "price_list_in_force");
    let moved = written(&active, json!({ "valid_from": after(3600), "type": "internal" }));
    let refused = user.put(&uri, moved).await.is(422);
    assert_eq!(
        refused["error_codes"],
        json!({ "valid_from": ["fixed_in_force"], "type": ["fixed_in_force"] })
    );
    let renamed = user.put(&uri, written(&active, json!({ "name": "Verkauf alt" }))).await.is(200);
    assert_eq!(renamed["name"], "Verkauf alt");
    let owned = written(&renamed, json!({ "owner_tenant_id": app.south }));
    let refused = user.put(&uri, owned).await.is(422);
    assert_eq!(refused["error_codes"], json!({ "owner_tenant_id": ["owner_fixed"] }));

    assert_eq!(user.post(&format!("{uri}/archive"), json!({ "version": 1 })).await.is(409)["code"], "stale");
    let before = now();
    let archived = user.post(&format!("{uri}/archive"), json!({})).await.is(200);
    assert_eq!(archived["status"], "inactive");
    assert!(time(&archived["valid_until"]) >= before && time(&archived["valid_until"]) <= now());
    for refused in [
        user.post(&format!("{uri}/archive"), json!({})).await,
        user.put(&uri, written(&archived, json!({ "name": "Anders" }))).await,
    ] {
        assert_eq!(refused.is(409)["code"], "price_list_expired");
    }
    assert_eq!(user.delete(&uri).await.is(409)["code"], "price_list_in_force");

    // a list archived before its start ends at its start
    let pending = user.post(PATH, list("Nie", app.north)).await.is(201);
    let archived = user.post(&format!("{PATH}/{}/archive", pending["id"]), json!({})).await.is(200);
    assert_eq!((&archived["status"], &archived["valid_until"]), (&json!("inactive"), &pending["valid_from"]));
}

#[actix_web::test]
async fn lists_are_found_by_status_and_by_named_customers() {
    let app = TestApp::new().await;
    let (admin, north) = (app.platform().await, app.north);
    let group = group(&admin, "Verbund", &[app.south]).await;
    let mut made = Vec::new();
    for (name, changes) in [
        ("Preise 2", json!({ "tenant_ids": [app.south] })),
        ("Preise 10", json!({ "tenant_group_ids": [group] })),
        ("Preise 1", json!({ "type": "internal" })),
        ("Alle", json!({ "scope": "global" })),
    ] {
        made.push(id(&admin.post(PATH, with(list(name, north), changes)).await.is(201)));
    }
    shift(&app, made[0], -10, None).await;
    shift(&app, made[1], -10, Some(-5)).await;
    shift(&app, made[2], 600, Some(600)).await;
    for (query, expected) in [
        ("", vec!["Alle", "Preise 1", "Preise 2", "Preise 10"]),
        ("filter[status]=pending", vec!["Alle"]),
        ("filter[status]=active", vec!["Preise 2"]),
        ("filter[status]=inactive", vec!["Preise 1", "Preise 10"]),
        ("filter[status]=active&filter[status]=pending", vec!["Alle", "Preise 2"]),
        ("filter[status_not_equals]=inactive", vec!["Alle", "Preise 2"]),
        ("filter[status_not_equals]=active&sort=-name", vec!["Preise 10", "Preise 1", "Alle"]),
        ("filter[type]=internal", vec!["Preise 1"]),
        ("filter[scope]=global", vec!["Alle"]),
        ("sort=valid_until&filter[name]=preise", vec!["Preise 2", "Preise 10", "Preise 1"]),
    ] {
        assert_eq!(column(&admin.get(&format!("{PATH}?{query}")).await.is(200), "name"), expected, "{query}");
    }
    for (filter, expected) in [
        (format!("filter[tenant_id]={}", app.south), vec!["Preise 2"]),
        (format!("filter[tenant_group_id]={group}"), vec!["Preise 10"]),
        (format!("filter[owner_tenant_id]={}", app.south), vec![]),
    ] {
        let found = admin.get(&format!("{PATH}?{filter}")).await.is(200);
        assert_eq!(column(&found, "name"), expected, "{filter}");
    }
    // a group that is named cannot be deleted
    assert_eq!(admin.delete(&format!("/api/admin/tenant-groups/{group}")).await.is(409)["code"], "in_use");
    let file = admin.get(&format!("{PATH}/export?format=csv")).await;
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    assert!(text.contains("Preise 10") && text.contains("Verbund") && text.contains("SUED GmbH"), "{text}");
}

#[actix_web::test]
async fn customers_see_only_applicable_sales_prices_and_no_other_customers() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let (admin, north, south) = (&depot.catalog.admin, app.north, app.south);
    let buyer = app.caller(Some(south), PermissionSet::all()).await;
    let group_of_both = group(admin, "Verbund", &[north, south]).await;
    let mut made = Vec::new();
    for (name, changes) in [
        ("Für Süd", json!({ "tenant_ids": [south, north] })),
        ("Für den Verbund", json!({ "tenant_group_ids": [group_of_both] })),
        ("Für alle", json!({ "scope": "global" })),
        ("Eigene", json!({})),
        ("Interne", json!({ "type": "internal" })),
        (
            "Des Verbunds",
            json!({ "owner_tenant_id": null, "owner_tenant_group_id": group_of_both, "type": "internal" }),
        ),
    ] {
        let announced = with(list(name, north), json!({ "announce": true }));
        let created = admin.post(PATH, with(announced, changes)).await.is(201);
        let prices = json!({ "prices": [{
            "article_id": depot.articles[0]["id"], "price": { "price": "850", "unit": "t" },
        }] });
        admin.put(&format!("{PATH}/{}/prices", created["id"]), prices).await.is(200);
        made.push(created);
    }
    let seen = buyer.get(PATH).await.is(200);
    assert_eq!(column(&seen, "name"), ["Des Verbunds", "Für alle", "Für den Verbund", "Für Süd"]);
    // filters reveal no more of them than their views
    let global = format!("{PATH}/{}/prices", made[2]["id"]);
    let jump = json!({ "prices": [{
        "article_id": depot.articles[0]["id"], "price": { "price": "8500", "unit": "t" },
    }] });
    admin.put(&global, jump).await.is(200);
    for (uri, summary) in [
        (format!("{PATH}?filter[tenant_id]={south}"), 1),
        (format!("{PATH}?filter[tenant_group_id]={group_of_both}"), 1),
        (format!("{global}?filter[held]=true"), 1),
    ] {
        assert_eq!(depot.user.get(&uri).await.is(200)["meta"]["total"], summary, "{uri}");
        assert_eq!(buyer.get(&uri).await.is(200)["meta"]["total"], 0, "{uri}");
    }
    let others = buyer.get(&format!("{PATH}?filter[tenant_id_not_equals]={north}")).await.is(200);
    assert_eq!(column(&others, "name"), ["Des Verbunds"]);
    for (index, list) in made.iter().enumerate() {
        let uri = format!("{PATH}/{}", list["id"]);
        let hidden = [3, 4].contains(&index);
        if hidden {
            for refused in [
                buyer.get(&uri).await,
                buyer.put(&uri, written(list, json!({}))).await,
                buyer.delete(&uri).await,
                buyer.post(&format!("{uri}/archive"), json!({})).await,
                buyer.post(&format!("{uri}/copy/preview"), json!({})).await,
                buyer.get(&format!("{uri}/audience")).await,
                buyer.get(&format!("{uri}/prices")).await,
                buyer.get(&format!("{uri}/prices/export?format=csv")).await,
                buyer.put(&format!("{uri}/prices"), json!({ "prices": [] })).await,
            ] {
                assert!(
                    [404, 422].contains(&refused.status.as_u16()),
                    "{} {:?}",
                    list["name"],
                    refused.status
                );
            }
            continue;
        }
        let own = index == 5;
        let shown = buyer.get(&uri).await.is(200);
        assert_eq!((&shown["own"], &shown["writable"]), (&json!(own), &json!(false)), "{}", list["name"]);
        let whom = if own { json!(2) } else { Value::Null };
        assert_eq!(shown["audience_count"], whom, "{}", list["name"]);
        assert_eq!((&shown["tenants"], &shown["tenant_groups"]), (&json!([]), &json!([])));
        let prices = buyer.get(&format!("{uri}/prices")).await.is(200);
        assert_eq!(prices["data"][0]["price"]["price"], "850");
        let expected = if own { 200 } else { 403 };
        buyer.get(&format!("{uri}/audience")).await.is(expected);
        buyer.post(&format!("{uri}/copy/preview"), json!({})).await.is(expected);
        for refused in [
            buyer.put(&uri, written(list, json!({}))).await,
            buyer.delete(&uri).await,
            buyer.post(&format!("{uri}/archive"), json!({})).await,
            buyer
                .put(
                    &format!("{uri}/prices"),
                    json!({ "prices": [{ "article_id": depot.articles[0]["id"] }] }),
                )
                .await,
            buyer.post(&format!("{uri}/prices/change"), json!({ "change": { "percent": "1" } })).await,
        ] {
            assert_eq!(refused.is(403)["code"], "not_own_price_list", "{}", list["name"]);
        }
    }
    // only the owner sees the history of a price
    let history = buyer.get("/api/admin/audit?filter[record]=price_list_entry").await.is(200);
    assert_eq!(history["meta"]["total"], 0);
    let history = depot.user.get("/api/admin/audit?filter[record]=price_list_entry").await.is(200);
    assert_eq!(history["meta"]["total"], 6);
}

#[actix_web::test]
async fn tenants_can_add_only_groups_that_they_belong_to() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let admin = &depot.catalog.admin;
    let own = group(admin, "Verbund", &[app.north, app.south]).await;
    let other = group(admin, "Einkauf", &[app.south]).await;
    let naming = |groups: &[i64]| with(list("Für Gruppen", app.north), json!({ "tenant_group_ids": groups }));
    let refused = depot.user.post(PATH, naming(&[own, other])).await;
    refused.is_refused_at(&["tenant_group_ids.1"]);
    assert_eq!(refused.is(422)["error_codes"]["tenant_group_ids.1"], json!(["not_in_group"]));
    let made = depot.user.post(PATH, naming(&[own])).await.is(201);
    // the platform can name any customer, who then stays
    let uri = format!("{PATH}/{}", made["id"]);
    let both = admin.put(&uri, written(&made, json!({ "tenant_group_ids": [own, other] }))).await.is(200);
    depot.user.put(&uri, written(&both, json!({ "name": "Für Gruppen 2" }))).await.is(200);

    let adjustments = "/api/admin/price-adjustments";
    let adjustment = |groups: Value, conditions: Value| {
        json!({
            "name": "Rabatt", "operation": "discount", "value": "3", "calculation_type": "relativeToBase",
            "apply_to": { "kind": "item_type", "item_types": ["article"] }, "active": true,
            "tenant_group_ids": groups, "conditions": conditions,
        })
    };
    let condition = json!({ "type": "tenant_group", "op": "in", "value": [other] });
    depot
        .user
        .post(adjustments, adjustment(json!([other]), condition.clone()))
        .await
        .is_refused_at(&["conditions.value.0", "tenant_group_ids.0"]);
    let by_platform = format!("{adjustments}?tenant_id={}", app.north);
    let made = admin.post(&by_platform, adjustment(json!([other]), condition.clone())).await.is(201);
    let mut again = adjustment(json!([other]), condition);
    again["version"] = made["version"].clone();
    depot.user.put(&format!("{adjustments}/{}", made["id"]), again).await.is(200);
}

#[actix_web::test]
async fn internal_lists_have_no_audience_and_existing_ones_do_not_apply_to_others() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let (admin, user, north, south) = (&depot.catalog.admin, &depot.user, app.north, app.south);
    let group = group(admin, "Verbund", &[north, south]).await;
    for (changes, field) in [
        (json!({ "scope": "global" }), "scope"),
        (json!({ "tenant_ids": [south] }), "tenant_ids"),
        (json!({ "tenant_group_ids": [group] }), "tenant_group_ids"),
    ] {
        let input = with(with(list("Einkauf", north), json!({ "type": "internal" })), changes);
        let refused = admin.post(PATH, input).await.is(422);
        assert_eq!(refused["error_codes"], json!({ field: ["internal_for_owner"] }));
    }
    // a list for others that was created before the rule existed
    let mut made = Vec::new();
    for (name, changes) in [("Eigener", json!({})), ("Fremder", json!({ "tenant_ids": [south] }))] {
        let created = admin.post(PATH, with(list(name, north), changes)).await.is(201);
        let price =
            json!({ "article_id": depot.articles[0]["id"], "price": { "price": "700", "unit": "t" } });
        admin.put(&format!("{PATH}/{}/prices", created["id"]), json!({ "prices": [price] })).await.is(200);
        made.push(id(&created));
    }
    let tx = app.db.begin().await.unwrap();
    tx.execute_unprepared("UPDATE price_list SET type = 'internal'").await.unwrap();
    tx.commit().await.unwrap();
    let asked = json!({ "article_id": depot.articles[0]["id"], "type": "internal", "buyer_id": south });
    let seen = user.post(&format!("{PATH}/timeline"), asked).await.is(200);
    let segments = seen["segments"].as_array().unwrap();
    let counts: Vec<_> = segments.iter().map(|segment| segment["counts"].as_i64()).collect();
    assert_eq!(counts, [Some(made[0])]);
    assert!(segments.iter().all(|segment| segment["behind"] == json!([])), "{segments:?}");
    // all other fields can still be changed
    let uri = format!("{PATH}/{}", made[1]);
    let view = user.get(&uri).await.is(200);
    let renamed = user.put(&uri, written(&view, json!({ "name": "Fremder 2" }))).await.is(200);
    assert_eq!(renamed["tenants"][0]["id"], south);
    user.put(&uri, written(&renamed, json!({ "scope": "global", "tenant_ids": [] })))
        .await
        .is_refused_at(&["scope"]);
}

#[actix_web::test]
async fn an_audience_lists_the_customers_with_reasons() {
    let app = TestApp::new().await;
    let (admin, north, south) = (app.platform().await, app.north, app.south);
    let user = app.caller(Some(north), PermissionSet::all()).await;
    let both = group(&admin, "Verbund", &[north, south]).await;
    let audience = async |client: &Client, changes: Value| {
        let name = changes.to_string();
        let created = admin.post(PATH, with(list(&name, north), changes)).await.is(201);
        client.get(&format!("{PATH}/{}/audience", created["id"])).await.is(200)
    };
    let reasons = |audience: &Value| {
        let summary = |tenant: &Value| {
            let because = tenant["because"].as_array().unwrap().iter();
            let codes: Vec<_> = because.map(|one| one["code"].as_str().unwrap().to_owned()).collect();
            format!("{}: {}", tenant["company"].as_str().unwrap(), codes.join(", "))
        };
        audience["tenants"].as_array().unwrap().iter().map(summary).collect::<Vec<_>>()
    };
    assert_eq!(reasons(&audience(&user, json!({})).await), ["NORD GmbH: owner"]);
    let named = audience(&user, json!({ "tenant_ids": [south], "tenant_group_ids": [both] })).await;
    assert_eq!(reasons(&named), ["NORD GmbH: group", "SUED GmbH: named, group"]);
    assert_eq!(named["tenants"][0]["because"][0]["group"], "Verbund");
    let global = audience(&admin, json!({ "scope": "global" })).await;
    assert_eq!(reasons(&global), ["NORD GmbH: global", "SUED GmbH: global"]);
    // other companies on the platform are not visible
    let global = audience(&user, json!({ "scope": "global", "limited": false })).await;
    assert_eq!((&global["count"], &global["tenants"]), (&json!(2), &json!([])));
    // customers named by the platform stay when the owner changes something else
    let kept = admin.post(PATH, with(list("Namen", north), json!({ "tenant_ids": [south] }))).await.is(201);
    let uri = format!("{PATH}/{}", kept["id"]);
    let kept = user.get(&uri).await.is(200);
    assert_eq!(kept["tenants"], json!([{ "id": south, "company": "SUED GmbH" }]));
    user.put(&uri, written(&kept, json!({ "name": "Namen neu" }))).await.is(200);
}

#[actix_web::test]
async fn a_list_of_a_group_is_written_by_the_platform_and_read_by_its_members() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let verbund = group(&admin, "Verbund", &[app.north]).await;
    let input = with(
        list("Verbund", app.north),
        json!({ "owner_tenant_id": null, "owner_tenant_group_id": verbund }),
    );
    // for every tenant that they act for
    let created = admin.post(&format!("{PATH}?tenant_id={}", app.south), input).await.is(201);
    assert_eq!(created["owner_tenant_group"], json!({ "id": verbund, "name": "Verbund" }));
    let uri = format!("{PATH}/{}", created["id"]);
    let member = app.caller(Some(app.north), PermissionSet::all()).await;
    let other = app.caller(Some(app.south), PermissionSet::all()).await;
    assert_eq!(member.get(&uri).await.is(200)["own"], true);
    other.get(&uri).await.is(404);
    assert_eq!(
        member.put(&uri, written(&created, json!({ "name": "x" }))).await.is(403)["code"],
        "not_own_price_list"
    );
    let renamed = written(&created, json!({ "name": "Verbund 2027" }));
    admin.put(&format!("{uri}?tenant_id={}", app.north), renamed).await.is(200);
    // a missing permission leads to a refusal
    for (missing, answer) in [
        (
            permissions::VIEW_PRICE_LIST,
            app.caller(Some(app.north), all_but(permissions::VIEW_PRICE_LIST)).await.get(&uri).await,
        ),
        (
            permissions::UPDATE_PRICE_LIST,
            app.caller(None, all_but(permissions::UPDATE_PRICE_LIST))
                .await
                .post(&format!("{uri}/archive"), json!({}))
                .await,
        ),
        (
            permissions::UPDATE_PRICE_LIST,
            app.caller(None, all_but(permissions::UPDATE_PRICE_LIST))
                .await
                .post(
                    &format!("{uri}/copy"),
                    json!({ "name": "x", "valid_from": after(7200), "ends_original": true }),
                )
                .await,
        ),
    ] {
        assert_eq!(answer.is(403)["code"], "forbidden", "{missing:?}");
    }
}

#[actix_web::test]
async fn a_list_is_found_by_its_name_and_its_changes_are_undone() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let made = user.post(PATH, list("Rahmenvertrag", app.north)).await;
    let view = made.is(201);
    let uri = format!("{PATH}/{}", id(&view));
    let found = user.get("/api/admin/search?q=rahmen").await.is(200);
    let record = json!({ "id": view["id"], "name": "Rahmenvertrag", "detail": "NORD GmbH" });
    assert_eq!(found["data"], json!([{ "resource": "price_lists", "total": 1, "records": [record] }]));
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    assert_eq!(south.get("/api/admin/search?q=rahmen").await.is(200)["data"], json!([]));

    let undo = async |answer: &crate::support::Answer| {
        let body = json!({ "request_id": answer.header("x-request-id") });
        user.post("/api/admin/audit/undo", body).await.is(200)
    };
    let changes = json!({ "name": "Verkauf", "tenant_ids": [app.north] });
    let changed = user.put(&uri, written(&view, changes)).await;
    changed.is(200);
    assert_eq!(undo(&changed).await["done"], 1);
    let back = user.get(&uri).await.is(200);
    for field in ["name", "tenants", "valid_from"] {
        assert_eq!(back[field], view[field], "{field}");
    }
}
