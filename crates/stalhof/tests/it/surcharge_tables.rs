//! Surcharge tables over HTTP: their values, the tables that they are based on, and their effect on a quote.

use pricing::surcharge_table::surcharges::Month;
use serde_json::{Value, json};
use values::{Language, PermissionSet, today};

use crate::{
    catalog::{MATERIALS, TYPES, id},
    price_adjustments::{self, adjustment},
    stocks::{self, Depot},
    support::{Answer, Client},
};

const PATH: &str = "/api/admin/surcharge-tables";
const AUDIT: &str = "/api/admin/audit";

fn table(name: &str) -> Value {
    json!({ "name": name, "kind": "alloy", "keyed_by": "material" })
}

fn based(name: &str, base: i64) -> Value {
    json!({ "name": name, "kind": "alloy", "keyed_by": "material", "base_table_id": base })
}

/// Current month, or one that is later by a number of months.
fn month(later: i32) -> String {
    Month::from_date(today()).plus(later).to_string()
}

async fn created(client: &Client, input: Value) -> i64 {
    id(&client.post(PATH, input).await.is(201))
}

async fn put(client: &Client, table: i64, values: Value) -> Answer {
    // releases implausible values, which have a test of their own
    client.put(&format!("{PATH}/{table}/values"), json!({ "values": values, "release": true })).await
}

async fn view(client: &Client, table: i64) -> Value {
    client.get(&format!("{PATH}/{table}")).await.is(200)
}

async fn undo(client: &Client, answer: &Answer) -> Answer {
    client.post(&format!("{AUDIT}/undo"), json!({ "request_id": answer.header("x-request-id") })).await
}

/// Month and value of each value of a table, and true if it is inherited from another one.
async fn said(client: &Client, table: i64) -> Vec<(String, String, bool)> {
    let values = client.get(&format!("{PATH}/{table}/values")).await.is(200);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let value =
        |value: &Value| (text(&value["month"]), text(&value["value"]), !value["base_table"].is_null());
    values["data"].as_array().unwrap().iter().map(value).collect()
}

fn own(month: &str, value: &str) -> (String, String, bool) {
    (month.to_owned(), value.to_owned(), false)
}

#[actix_web::test]
async fn a_table_is_created_shown_changed_and_deleted() {
    let depot = Depot::new().await;
    let Depot { user, catalog, .. } = &depot;
    let made = user.post(PATH, table(" Legierungszuschlag ")).await.is(201);
    for (field, expected) in [
        ("tenant", json!({ "id": catalog.app.north, "short_code": "NORD" })),
        ("name", json!("Legierungszuschlag")),
        ("kind", json!("alloy")),
        ("keyed_by", json!("material")),
        ("base_table", Value::Null),
        ("value_count", json!(0)),
        ("last_month", Value::Null),
        ("missing", json!([])),
        ("version", json!(1)),
    ] {
        assert_eq!(made[field], expected, "{field}");
    }
    let uri = format!("{PATH}/{}", id(&made));
    let mut back = made.clone();
    back["kind"] = "scrap".into();
    let changed = user.put(&uri, back).await.is(200);
    assert_eq!((&changed["kind"], &changed["version"]), (&json!("scrap"), &json!(2)));
    let stale = json!({ "name": "X", "kind": "alloy", "keyed_by": "material", "version": 1 });
    assert_eq!(user.put(&uri, stale).await.is(409)["code"], "stale");
    user.post(PATH, table("LEGIERUNGSZUSCHLAG")).await.is_refused_at(&["name"]);
    user.post(PATH, based("", 987)).await.is_refused_at(&["base_table_id", "name"]);

    created(user, json!({ "name": "Energie", "kind": "energy", "keyed_by": "article_type" })).await;
    let listed = user.get(&format!("{PATH}?sort=-name")).await.is(200);
    assert_eq!(crate::catalog::column(&listed, "name"), ["Legierungszuschlag", "Energie"]);
    assert_eq!(user.get(&format!("{PATH}?filter[kind]=energy")).await.is(200)["meta"]["total"], 1);
    assert_eq!(
        user.get(&format!("{PATH}?page[size]=1&page[number]=2")).await.is(200)["meta"]["last_page"],
        2
    );

    // unknown to another tenant
    let south = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    for refused in [south.get(&uri).await, south.put(&uri, table("X")).await, south.delete(&uri).await] {
        refused.is(404);
    }
    south.get(&format!("{uri}/values")).await.is(404);
    put(&south, id(&made), json!([{ "material_id": catalog.material, "month": month(0), "value": "1" }]))
        .await
        .is(404);
    south.post(PATH, based("Fremd", id(&made))).await.is_refused_at(&["base_table_id"]);
    user.delete(&uri).await.is(204);
    user.get(&uri).await.is(404);
}

#[actix_web::test]
async fn single_values_are_changed_and_missing_ones_are_reported() {
    let depot = Depot::new().await;
    let Depot { user, catalog, .. } = &depot;
    let table = created(user, table("Legierung")).await;
    let value = |later: i32, value: Value| json!({ "material_id": catalog.material, "month": month(later), "value": value });
    put(user, table, json!([value(-1, json!("100")), value(0, json!("0"))])).await.is(200);
    let shown = view(user, table).await;
    assert_eq!(
        (&shown["version"], &shown["value_count"], &shown["last_month"]),
        (&json!(2), &json!(2), &json!(month(0)))
    );
    assert_eq!(
        shown["missing"],
        json!([{ "key": { "id": catalog.material, "name": "S235JR" }, "month": month(1) }])
    );

    // one is changed, one added, one removed; the others stay
    put(user, table, json!([value(-1, json!("110")), value(0, Value::Null), value(1, json!("120.5"))]))
        .await
        .is(200);
    assert_eq!(said(user, table).await, [own(&month(-1), "110"), own(&month(1), "120.5")]);
    assert_eq!(view(user, table).await["missing"][0]["month"], json!(month(0)));
    let attention = user.get("/api/admin/attention").await.is(200);
    assert!(
        attention["data"].as_array().unwrap().contains(&json!({ "about": "surcharges_missing", "count": 1 }))
    );
    let history =
        user.get(&format!("{AUDIT}?filter[record]=surcharge_table&filter[record_id]={table}")).await.is(200);
    let change = &history["data"][0]["changes"][0];
    assert_eq!(change["field"], "surcharge_value");
    let noted =
        |rows: &Value| rows.as_array().unwrap().iter().map(|row| row["value"].clone()).collect::<Vec<_>>();
    assert_eq!(
        (noted(&change["from"]), noted(&change["to"])),
        (vec![json!("100"), json!("0")], vec![json!("110"), json!("120.5")])
    );
    // a save without changes creates no version
    put(user, table, json!([value(1, json!("120.50"))])).await.is(200);
    assert_eq!(view(user, table).await["version"], 3);

    let broken = json!([
        { "article_type_id": 1, "month": month(0), "value": "1" },
        { "month": month(0), "value": "1" },
        { "material_id": 987, "month": month(0), "value": "1" },
        { "material_id": catalog.material, "month": "2026-13", "value": "-1" },
        value(2, json!("1")),
        value(2, json!("123456789")),
    ]);
    let refused = put(user, table, broken).await.is(422);
    assert_eq!(
        refused["error_codes"],
        json!({
            "values.0.article_type_id": ["other_keys"],
            "values.1.material_id": ["required"],
            "values.2.material_id": ["unknown_reference"],
            "values.3.month": ["invalid_month"],
            "values.3.value": ["too_small"],
            "values.5.month": ["duplicate"],
            "values.5.value": ["invalid_decimal"],
        })
    );
    let uri = format!("{PATH}/{table}/values");
    let put_at = async |version: &Value| {
        user.put(&uri, json!({ "values": [value(1, json!("125"))], "version": version })).await
    };
    assert_eq!(put_at(&json!(2)).await.is(409)["code"], "stale");
    put(user, table, json!([])).await.is_refused_at(&["values"]);
    let many: Vec<_> = (0..2_001).map(|_| value(0, json!("1"))).collect();
    put(user, table, json!(many)).await.is_refused_at(&["values"]);
    // values come with the version that their next change has to name
    let loaded = user.get(&uri).await.is(200);
    assert_eq!(loaded["version"], 3);
    let changed = put_at(&loaded["version"]).await.is(200);
    assert_eq!(changed["version"], 4);
    assert_eq!(put_at(&changed["version"]).await.is(200)["version"], 4, "nothing has changed");
    put(user, table, json!([value(1, json!("120.5"))])).await.is(200);

    // a material cannot be deleted while a table has values for it, and the kind of rows is fixed
    let material = format!("{MATERIALS}/{}", catalog.material);
    assert_eq!(
        user.get(&format!("{PATH}?filter[material_id]={}", catalog.material)).await.is(200)["meta"]["total"],
        1
    );
    let used = catalog.admin.delete(&material).await.is(409);
    assert!(used["used_by"].as_array().unwrap().iter().any(|by| by["by"] == "surcharge_tables"));
    let other = json!({ "name": "Legierung", "kind": "alloy", "keyed_by": "article_type" });
    let fixed = user.put(&format!("{PATH}/{table}"), other).await.is(422);
    assert_eq!(fixed["error_codes"]["keyed_by"], json!(["keys_fixed"]));
    let types = created(user, json!({ "name": "Formen", "kind": "other", "keyed_by": "article_type" })).await;
    let of_type = json!([{ "article_type_id": catalog.beam["id"], "month": month(0), "value": "5" }]);
    put(user, types, of_type).await.is(200);
    let used = catalog.admin.get(&format!("{TYPES}/{}/usage", catalog.beam["id"])).await.is(200);
    assert!(used["data"].as_array().unwrap().iter().any(|by| by["by"] == "surcharge_tables"), "{used}");
}

#[actix_web::test]
async fn missing_values_come_from_the_base_table_and_cycles_are_refused() {
    let depot = Depot::new().await;
    let Depot { user, catalog, .. } = &depot;
    let value = |later: i32, value: &str| json!({ "material_id": catalog.material, "month": month(later), "value": value });
    let lowest = created(user, table("Alle")).await;
    put(user, lowest, json!([value(0, "100"), value(1, "120")])).await.is(200);
    let middle = created(user, based("Händler", lowest)).await;
    let highest = created(user, based("Großkunden", middle)).await;
    put(user, highest, json!([value(0, "90")])).await.is(200);
    assert_eq!(said(user, highest).await, [own(&month(0), "90"), (month(1), "120".to_owned(), true)]);
    assert_eq!(view(user, highest).await["missing"], json!([]));
    assert_eq!(view(user, highest).await["base_table"], json!({ "id": middle, "name": "Händler" }));

    for base in [lowest, middle, highest] {
        let refused = user.put(&format!("{PATH}/{lowest}"), based("Alle", base)).await.is(422);
        assert_eq!(refused["error_codes"]["base_table_id"], json!(["surcharge_cycle"]));
    }
    let refused = user.german().put(&format!("{PATH}/{lowest}"), based("Alle", highest)).await.is(422);
    let text = refused["errors"]["base_table_id"][0].as_str().unwrap().to_owned();
    assert!(text.ends_with("Alle, Großkunden, Händler, Alle"), "{text}");
    let of_types =
        json!({ "name": "Formen", "kind": "alloy", "keyed_by": "article_type", "base_table_id": lowest });
    let refused = user.post(PATH, of_types).await.is(422);
    assert_eq!(refused["error_codes"]["base_table_id"], json!(["other_keys"]));

    // a table that others are based on cannot be deleted
    assert_eq!(
        user.delete(&format!("{PATH}/{lowest}")).await.is(409)["used_by"][0]["by"],
        "surcharge_tables"
    );
    let free = created(user, table("Frei")).await;
    user.delete(&format!("{PATH}/{free}")).await.is(204);
}

#[actix_web::test]
async fn one_of_two_concurrent_changes_that_form_a_cycle_is_refused() {
    let depot = Depot::new().await;
    let user = &depot.user;
    for turn in 0..5 {
        let names = [format!("A {turn}"), format!("B {turn}")];
        let a = created(user, table(&names[0])).await;
        let b = created(user, table(&names[1])).await;
        let (uri_a, uri_b) = (format!("{PATH}/{a}"), format!("{PATH}/{b}"));
        let (one, other) = futures_util::future::join(
            user.put(&uri_a, based(&names[0], b)),
            user.put(&uri_b, based(&names[1], a)),
        )
        .await;
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 422]);
    }
}

#[actix_web::test]
async fn changes_of_a_table_are_undone() {
    let depot = Depot::new().await;
    let Depot { user, catalog, .. } = &depot;
    let table = created(user, table("Legierung")).await;
    let value = |later: i32, value: Value| json!({ "material_id": catalog.material, "month": month(later), "value": value });
    put(user, table, json!([value(0, json!("100"))])).await.is(200);
    let changed = put(user, table, json!([value(0, json!("200")), value(1, json!("300"))])).await;
    changed.is(200);
    assert_eq!(undo(user, &changed).await.is(200)["done"], 1);
    assert_eq!(said(user, table).await, [own(&month(0), "100")]);

    // values changed since by another user are not overwritten
    let first = put(user, table, json!([value(0, json!("110"))])).await;
    put(user, table, json!([value(0, json!("115"))])).await.is(200);
    assert_eq!(undo(user, &first).await.is(409)["code"], "changed_since");
    assert_eq!(said(user, table).await, [own(&month(0), "115")]);

    let gone = user.delete(&format!("{PATH}/{table}")).await;
    gone.is(204);
    assert_eq!(undo(user, &gone).await.is(200)["done"], 1);
    assert_eq!(said(user, table).await, [own(&month(0), "115")]);
}

#[actix_web::test]
async fn findings_name_a_table_that_lacks_values_of_this_month() {
    let depot = Depot::new().await;
    let Depot { user, catalog, .. } = &depot;
    let table = created(user, table("Legierung")).await;
    let mut input = adjustment("Legierungszuschlag");
    for (field, value) in [
        ("operation", json!("surcharge")),
        ("value", Value::Null),
        ("surcharge_table_id", json!(table)),
        ("calculation_type", json!("perTon")),
    ] {
        input[field] = value;
    }
    user.post(price_adjustments::PATH, input).await.is(201);
    let lacking = async || {
        let found = user.get(&format!("{}/findings", price_adjustments::PATH)).await.is(200);
        let findings = found["data"].as_array().unwrap().clone();
        let findings = findings.into_iter().filter(|finding| finding["kind"] == "lacks_values");
        findings.map(|finding| finding["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let value =
        |later: i32| json!({ "material_id": catalog.material, "month": month(later), "value": "100" });
    assert_eq!(lacking().await, [] as [&str; 0], "values that never existed are not missing");
    put(user, table, json!([value(-1)])).await.is(200);
    let found = lacking().await;
    let this = Month::from_date(today());
    assert!(found.len() == 1 && found[0].contains(&this.text(Language::En)), "{found:?}");
    let german = user.german().get(&format!("{}/findings", price_adjustments::PATH)).await.is(200);
    let text = this.text(Language::De);
    assert!(german["data"].to_string().contains(&format!("fehlen Werte für {text}")), "{german}");
    put(user, table, json!([value(0), value(1)])).await.is(200);
    assert_eq!(lacking().await, [] as [&str; 0]);
}

#[actix_web::test]
async fn an_adjustment_uses_table_values_and_the_next_quote_reflects_changes() {
    let depot = Depot::new().await;
    let Depot { user, articles, catalog, .. } = &depot;
    let stock = id(&user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let price = json!({ "external_price": { "price": "1000", "unit": "t" } });
    user.put(&format!("/api/admin/prices/{stock}"), price).await.is(200);
    let table = created(user, table("Legierung")).await;
    let mut input = adjustment("Legierungszuschlag");
    for (field, value) in
        [("operation", json!("surcharge")), ("value", Value::Null), ("surcharge_table_id", json!(table))]
    {
        input[field] = value;
    }
    let refused = user.post(price_adjustments::PATH, input.clone()).await.is(422);
    assert_eq!(refused["error_codes"], json!({ "calculation_type": ["table_is_per_ton"] }));
    input["calculation_type"] = "perTon".into();
    for (field, value, path) in
        [("value", json!("3"), "surcharge_table_id"), ("surcharge_table_id", Value::Null, "value")]
    {
        let mut broken = input.clone();
        broken[field] = value;
        let refused = user.post(price_adjustments::PATH, broken).await.is(422);
        assert_eq!(refused["error_codes"], json!({ path: ["one_value"] }));
    }
    let mut unknown = input.clone();
    unknown["surcharge_table_id"] = 987.into();
    user.post(price_adjustments::PATH, unknown).await.is_refused_at(&["surcharge_table_id"]);
    let made = user.post(price_adjustments::PATH, input).await.is(201);
    assert_eq!(
        (&made["value"], &made["surcharge_table"]),
        (&Value::Null, &json!({ "id": table, "name": "Legierung" }))
    );

    let quote = async || {
        let lines = json!([{ "article_id": articles[0]["id"], "quantity": "2", "unit": "t" }]);
        let body = json!({ "carts": [{ "lines": lines }], "explain": true });
        let quoted = user.post("/api/admin/quotes", body).await.is(200)["data"][0].take();
        let step = quoted["lines"][0]["items"][0]["explanation"]["steps"][0].clone();
        (quoted["total"].as_str().unwrap().to_owned(), step)
    };
    // also without an explanation, for the seller and for a buyer
    let warnings = async |client: &Client, seller: Option<&str>| {
        let lines = json!([{ "article_id": articles[0]["id"], "quantity": "2", "unit": "t" }]);
        let body = json!({ "carts": [{ "seller_short_code": seller, "lines": lines }] });
        client.post("/api/admin/quotes", body).await.is(200)["data"][0]["lines"][0]["warnings"].take()
    };
    let buyer = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    let months = format!("The surcharge table of “Legierungszuschlag” lacks the value for {}.", month(0));
    for warnings in [warnings(user, None).await, warnings(&buyer, Some("NORD")).await] {
        assert_eq!(warnings[0]["code"], "no_surcharge_value", "{warnings}");
        assert!(warnings[0]["message"].as_str().unwrap().starts_with(&months), "{warnings}");
    }
    let (total, step) = quote().await;
    assert_eq!(
        (total.as_str(), &step["outcome"], &step["value"]),
        ("2000", &json!("no_table_value"), &Value::Null)
    );
    assert_eq!(
        step["surcharge"],
        json!({ "table_id": table, "table": "Legierung", "month": month(0), "material_id": catalog.material, "article_type_id": null })
    );
    for (value, total, amount) in [("150", "2300", "300"), ("0", "2000", "0"), ("160.25", "2320.5", "320.5")]
    {
        let cell = json!([{ "material_id": catalog.material, "month": month(0), "value": value }]);
        put(user, table, cell).await.is(200);
        let (found, step) = quote().await;
        assert_eq!(
            (found.as_str(), step["amount"].as_str(), step["value"].as_str()),
            (total, Some(amount), Some(value))
        );
        assert_eq!(step["outcome"], "applied");
        assert_eq!(warnings(user, None).await, json!([]));
    }
    // a table that an adjustment uses cannot be deleted
    let uri = format!("{PATH}/{table}");
    assert_eq!(user.delete(&uri).await.is(409)["used_by"][0]["by"], "price_adjustments");
    let used = user.get(&format!("{uri}/usage")).await.is(200);
    assert_eq!(used["data"][0]["examples"][0]["name"], "Legierungszuschlag");
    let found =
        user.get(&format!("{}?filter[surcharge_table_id]={table}", price_adjustments::PATH)).await.is(200);
    assert_eq!(found["meta"]["total"], 1);
}

#[actix_web::test]
async fn an_implausible_surcharge_is_saved_only_once_released() {
    let depot = Depot::new().await;
    let Depot { user, catalog, .. } = &depot;
    let table = created(user, table("Legierungszuschlag")).await;
    let uri = format!("{PATH}/{table}/values");
    let body = |month: &str, value: &str, more: Value| {
        let mut body =
            json!({ "values": [{ "material_id": catalog.material, "month": month, "value": value }] });
        body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        body
    };
    user.put(&uri, body(&month(0), "1350", json!({}))).await.is(200);

    // in the same month, and in one without a value
    for month in [month(0), month(1)] {
        let asked = user.german().put(&uri, body(&month, "13500", json!({}))).await.is(409);
        assert_eq!(asked["code"], "release_needed");
        assert_eq!(asked["error_codes"], json!({ "values.0.value": ["price_point_times"] }));
        assert_eq!(
            asked["errors"]["values.0.value"][0],
            "13.500,00 € je t ist das 10-Fache des bisherigen Preises: Vielleicht ist das Komma verrutscht, und gemeint ist \
             1.350,00 € je t."
        );
    }
    assert_eq!(said(user, table).await, [own(&month(0), "1350")], "nothing is saved");
    // the tenant's limit in percent applies
    user.put(&uri, body(&month(1), "1755", json!({}))).await.is(200);
    let asked = user.put(&uri, body(&month(1), "2281.6", json!({}))).await.is(409);
    assert_eq!(asked["error_codes"], json!({ "values.0.value": ["price_jump"] }));
    let released = user.put(&uri, body(&month(1), "13500", json!({ "release": true }))).await;
    released.is(200);
    assert_eq!(said(user, table).await, [own(&month(0), "1350"), own(&month(1), "13500")]);
    // an undo restores former values without a review
    assert_eq!(undo(user, &released).await.is(200)["done"], 1);
    assert_eq!(said(user, table).await, [own(&month(0), "1350"), own(&month(1), "1755")]);
}
