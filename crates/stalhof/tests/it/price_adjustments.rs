//! Price adjustments over HTTP: their fields, their order, and their effect on a quote.

use futures_util::future::join_all;
use pricing::permissions;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, id},
    exports::lines,
    stocks::{self, Depot},
    support::{Answer, Client, all_but},
};

pub(crate) const PATH: &str = "/api/admin/price-adjustments";
const ORDER: &str = "/api/admin/price-adjustments/order";
const CONDITIONS: &str = "/api/admin/price-adjustments/conditions";
const AUDIT: &str = "/api/admin/audit";

pub(crate) fn adjustment(name: &str) -> Value {
    json!({
        "name": name, "operation": "discount", "value": "3", "calculation_type": "relativeToBase",
        "apply_to": { "kind": "item_type", "item_types": ["article"] },
    })
}

fn with(mut input: Value, changes: Value) -> Value {
    for (field, value) in changes.as_object().unwrap() {
        input[field] = value.clone();
    }
    input
}

async fn created(client: &Client, input: Value) -> Value {
    client.post(PATH, input).await.is(201)
}

async fn ids(client: &Client) -> Vec<i64> {
    let listed = client.get(PATH).await.is(200);
    listed["data"].as_array().unwrap().iter().map(id).collect()
}

async fn undo(client: &Client, answer: &Answer) -> Value {
    client
        .post(&format!("{AUDIT}/undo"), json!({ "request_id": answer.header("x-request-id") }))
        .await
        .is(200)
}

/// Comparison inside the given number of nested groups.
fn nested(levels: usize) -> Value {
    let test = json!({ "type": "cart_weight", "op": "greater_equals", "value": "10", "unit": "t" });
    (1..levels).fold(test, |tree, _| json!({ "all": [tree] }))
}

#[actix_web::test]
async fn an_export_describes_in_words_what_an_adjustment_applies_to() {
    let depot = Depot::new().await;
    let Depot { user, catalog, articles, .. } = &depot;
    let apply_to =
        json!({ "kind": "item", "articles": [articles[0]["id"]], "materials": [catalog.material] });
    for (name, apply_to) in [
        ("Alle", json!({ "kind": "item_type", "item_types": ["article"] })),
        ("Arten", json!({ "kind": "item_type", "item_types": ["article", "processing"] })),
        ("Einige", apply_to),
    ] {
        created(user, with(adjustment(name), json!({ "apply_to": apply_to }))).await;
    }
    let number = articles[0]["article_number"].as_str().unwrap();
    let export = format!("{PATH}/export?format=csv");
    let both = format!("\"Artikel {number}; Werkstoffe S235JR\"");
    let german = lines(&user.german().get(&export).await);
    for (line, end) in german.iter().zip(["Wirkt auf", "Alle Artikel", "Artikel, Anarbeitung", &both]) {
        assert!(line.ends_with(end), "{line}");
    }
    let english = lines(&user.get(&export).await);
    for (line, end) in english.iter().zip(["Applies to", "All articles"]) {
        assert!(line.ends_with(end), "{line}");
    }
}

#[actix_web::test]
async fn the_history_describes_conditions_and_their_references_in_words() {
    let depot = Depot::new().await;
    let Depot { user, catalog, articles, .. } = &depot;
    let conditions = json!({ "all": [
        { "type": "cart_weight", "op": "greater_equals", "value": "10.5", "unit": "t" },
        { "any": [
            { "type": "cart_base_price", "op": "lesser_than", "value": "1000" },
            { "not": [{ "type": "weekday", "op": "in", "value": ["saturday", "sunday"] }] },
        ] },
        { "type": "material", "op": "in", "value": [catalog.material] },
        { "type": "date", "op": "greater_equals", "value": "2026-12-31" },
    ] });
    let apply_to =
        json!({ "kind": "item", "articles": [articles[0]["id"]], "materials": [catalog.material] });
    let made =
        created(user, with(adjustment("Rabatt"), json!({ "conditions": conditions, "apply_to": apply_to })))
            .await;
    let of_one = format!("filter[record]=price_adjustment&filter[record_id]={}", made["id"]);

    let changed_fields = user.get(&format!("{AUDIT}?{of_one}")).await.is(200)["data"][0]["changes"].take();
    let of = |field: &str| {
        changed_fields.as_array().unwrap().iter().find(|change| change["field"] == field).unwrap()["to"]
            .clone()
    };
    assert_eq!(of("conditions")["all"][2]["value"][0]["name"], "S235JR");
    assert_eq!(of("apply_to")["articles"][0]["name"], articles[0]["article_number"]);

    let number = articles[0]["article_number"].as_str().unwrap();
    let export = format!("{AUDIT}/export?format=csv&{of_one}");
    let german = lines(&user.german().get(&export).await).join("\n");
    for words in [
        "Bedingungen: Gewicht des Warenkorbs mindestens 10,5 t und (Warenkorb ohne Zuschläge und Rabatte unter 1000 € oder nicht \
         (Wochentag gehört zu Samstag, Sonntag)) und Werkstoff ist S235JR und Datum ab dem 31.12.2026",
        &format!("Wirkt auf: Artikel {number}, Umfang bestimmte Artikel, Werkstoffe S235JR"),
    ] {
        assert!(german.contains(words), "{german}");
    }
    let english = lines(&user.get(&export).await).join("\n");
    assert!(english.contains("Weight of the cart at least 10.5 t and ("), "{english}");
}

#[actix_web::test]
async fn an_adjustment_is_created_shown_changed_and_deleted() {
    let depot = Depot::new().await;
    let Depot { user, catalog, articles, .. } = &depot;
    let conditions = json!({ "all": [
        { "type": "cart_weight", "op": "greater_equals", "value": "10", "unit": "t" },
        { "not": [{ "type": "weekday", "op": "in", "value": ["saturday", "sunday"] }] },
        { "type": "warehouse", "op": "in", "value": [depot.warehouses[0]] },
    ] });
    let input = json!({
        "name": " Großmengenrabatt ", "active": false, "operation": "surcharge", "value": "12.5",
        "calculation_type": "perTon", "conditions": conditions, "ignore_on_further_adjustments": true,
        "apply_to": { "kind": "item", "articles": [articles[0]["id"]], "materials": [catalog.material] },
        "tenant_ids": [catalog.app.north],
        "purchase_constraints": { "min_quantity": "2", "multiple_of": "1", "unit": "piece" },
        "valid_from": "2027-01-01T00:00:00Z", "valid_until": "2028-01-01T00:00:00Z",
    });
    let made = created(user, input.clone()).await;
    for (field, expected) in [
        ("tenant", json!({ "id": catalog.app.north, "short_code": "NORD" })),
        ("name", json!("Großmengenrabatt")),
        ("position", json!(1)),
        ("active", json!(false)),
        ("operation", json!("surcharge")),
        ("value", json!("12.5")),
        ("calculation_type", json!("perTon")),
        ("conditions", conditions.clone()),
        (
            "conditions_text",
            json!(format!(
                "all(cart_weight >= 10 t, not(weekday in (saturday, sunday)), warehouse in ({}))",
                depot.warehouses[0]
            )),
        ),
        ("ignore_on_further_adjustments", json!(true)),
        ("tenants", json!([{ "id": catalog.app.north, "company": "NORD GmbH" }])),
        ("tenant_groups", json!([])),
        ("valid_until", json!("2028-01-01T00:00:00Z")),
        ("version", json!(1)),
    ] {
        assert_eq!(made[field], expected, "{field}");
    }
    assert_eq!(made["apply_to"]["articles"], json!([articles[0]["id"]]));
    assert_eq!(made["purchase_constraints"]["min_quantity"], "2");
    let uri = format!("{PATH}/{}", id(&made));
    assert_eq!(user.get(&uri).await.is(200), made);

    // a record that was read can be sent back
    let mut back = made.clone();
    back["active"] = true.into();
    let changed = user.put(&uri, back).await.is(200);
    assert_eq!((&changed["active"], &changed["version"]), (&json!(true), &json!(2)));
    assert_eq!(changed["conditions"], conditions);
    assert_eq!(user.put(&uri, with(input.clone(), json!({ "version": 1 }))).await.is(409)["code"], "stale");
    let plain = created(user, adjustment("Rabatt")).await;
    assert_eq!(
        (&plain["position"], &plain["active"], &plain["conditions"]),
        (&json!(2), &json!(true), &Value::Null)
    );
    user.post(PATH, adjustment("RABATT")).await.is_refused_at(&["name"]);

    // found by the records that it names, which cannot be deleted
    let naming = |filter: &str, id: &Value| format!("{PATH}?filter[{filter}]={id}");
    for (filter, named) in [
        ("article_id", &articles[0]["id"]),
        ("material_id", &json!(catalog.material)),
        ("warehouse_id", &json!(depot.warehouses[0])),
        ("named_tenant_id", &json!(catalog.app.north)),
    ] {
        assert_eq!(user.get(&naming(filter, named)).await.is(200)["meta"]["total"], 1, "{filter}");
    }
    assert_eq!(user.get(&naming("article_id", &articles[1]["id"])).await.is(200)["meta"]["total"], 0);
    let article = format!(
        "{ARTICLES}/{}?confirm={}",
        articles[0]["id"],
        articles[0]["article_number"].as_str().unwrap()
    );
    assert_eq!(catalog.admin.delete(&article).await.is(409)["used_by"][0]["by"], "price_adjustments");
    let warehouse = format!("/api/admin/warehouses/{}", depot.warehouses[0]);
    assert_eq!(user.delete(&warehouse).await.is(409)["code"], "in_use");

    // unknown to another tenant; the platform lists those of the chosen tenant
    let south = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    for refused in [south.get(&uri).await, south.put(&uri, adjustment("X")).await, south.delete(&uri).await] {
        refused.is(404);
    }
    assert_eq!(ids(&south).await, Vec::<i64>::new());
    assert_eq!(catalog.admin.get(PATH).await.is(422)["code"], "tenant_required");
    let chosen = catalog.admin.get(&format!("{PATH}?tenant_id={}", catalog.app.north)).await.is(200);
    assert_eq!(chosen["meta"]["total"], 2);

    user.delete(&uri).await.is(204);
    user.get(&uri).await.is(404);
    catalog.admin.delete(&article).await.is(204);
}

#[actix_web::test]
async fn all_violations_of_the_rules_are_reported() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let wide = json!({ "any": vec![nested(1); 10_000] });
    let item = |lists: Value| json!({ "apply_to": with(json!({ "kind": "item" }), lists) });
    let of = |kind: &str, id: i64| json!({ "conditions": { "type": kind, "op": "in", "value": [id] } });
    let south = depot.catalog.app.caller(Some(depot.catalog.app.south), PermissionSet::all()).await;
    let foreign = json!({ "name": "Linz", "short_code": "LI", "preparation_duration_before": 0 });
    let foreign = id(&south.post("/api/admin/warehouses", foreign).await.is(201));
    for (changes, path, code) in [
        (json!({ "value": "0" }), "value", "not_greater"),
        (json!({ "value": "100.0001" }), "value", "too_big"),
        (json!({ "value": "123456789", "calculation_type": "perTon" }), "value", "invalid_decimal"),
        (json!({ "name": " " }), "name", "required"),
        (
            json!({ "conditions": nested(6) }),
            "conditions.all.0.all.0.all.0.all.0.all.0",
            "condition_too_deep",
        ),
        (json!({ "conditions": nested(60) }), "conditions", "too_many"),
        (json!({ "conditions": wide }), "conditions", "too_many"),
        (json!({ "conditions": { "all": [] } }), "conditions.all", "too_few"),
        (json!({ "conditions": {} }), "conditions", "condition_form"),
        (of("warehouse", foreign), "conditions.value.0", "unknown_reference"),
        (of("processing", 987), "conditions.value.0", "unknown_reference"),
        (of("tenant", 987_654), "conditions.value.0", "unknown_reference"),
        (json!({ "tenant_ids": [987_654] }), "tenant_ids.0", "unknown_reference"),
        (json!({ "tenant_group_ids": [987] }), "tenant_group_ids.0", "unknown_reference"),
        (item(json!({})), "apply_to", "too_few"),
        (item(json!({ "articles": [987] })), "apply_to.articles.0", "unknown_reference"),
        (item(json!({ "categories": [987] })), "apply_to.categories.0", "unknown_reference"),
        (item(json!({ "article_types": [987] })), "apply_to.article_types.0", "unknown_reference"),
        (item(json!({ "materials": [987] })), "apply_to.materials.0", "unknown_reference"),
        (json!({ "purchase_constraints": { "unit": "t" } }), "purchase_constraints", "too_few"),
        (
            json!({
                "apply_to": { "kind": "item_type", "item_types": ["processing", "shipping"] },
                "purchase_constraints": { "min_quantity": "1", "unit": "piece" },
            }),
            "purchase_constraints",
            "constraints_need_articles",
        ),
        (
            json!({ "valid_from": "2027-01-01T00:00:00Z", "valid_until": "2027-01-01T00:00:00Z" }),
            "valid_until",
            "ends_before_start",
        ),
    ] {
        let refused = user.post(PATH, with(adjustment("Rabatt"), changes.clone())).await.is(422);
        assert_eq!(
            refused["error_codes"],
            json!({ path: [code] }),
            "{}",
            changes.to_string().get(..80).unwrap_or("")
        );
    }
    // the deepest and the widest tree that is accepted
    for (name, tree) in [("Tief", nested(5)), ("Breit", json!({ "any": vec![nested(1); 49] }))] {
        created(user, with(adjustment(name), json!({ "conditions": tree }))).await;
    }
    let both = with(adjustment(""), json!({ "value": "-1", "tenant_group_ids": [1, 1] }));
    user.post(PATH, both).await.is_refused_at(&["name", "tenant_group_ids.0", "tenant_group_ids.1", "value"]);
}

#[actix_web::test]
async fn the_order_is_changed_as_a_whole_and_outdated_requests_are_refused() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let mut seen = Vec::new();
    for name in ["A", "B", "C"] {
        seen.push(id(&created(user, adjustment(name)).await));
    }
    let [a, b, c] = seen[..] else { panic!() };
    assert_eq!(ids(user).await, seen);
    let moved = user.put(ORDER, json!({ "ids": [c, a, b], "seen": seen })).await;
    moved.is(204);
    assert_eq!(ids(user).await, [c, a, b]);
    let first = user.get(&format!("{PATH}/{c}")).await.is(200);
    assert_eq!((&first["position"], &first["version"]), (&json!(1), &json!(2)));
    let history =
        user.get(&format!("{AUDIT}?filter[record]=price_adjustment&filter[record_id]={c}")).await.is(200);
    assert_eq!(
        history["data"][0]["changes"],
        json!([{ "field": "position", "of": null, "unit": null, "from": 3, "to": 1 }])
    );

    // a request based on the former order
    let late = user.put(ORDER, json!({ "ids": [b, a, c], "seen": seen })).await.is(409);
    assert_eq!(late["code"], "order_changed");
    let another = id(&created(user, adjustment("D")).await);
    assert_eq!(
        user.put(ORDER, json!({ "ids": [a, b, c], "seen": [c, a, b] })).await.is(409)["code"],
        "order_changed"
    );
    let seen = json!([c, a, b, another]);
    for (ids, path, code) in [
        (json!([a, b, c]), "ids", "too_few"),
        (json!([a, b, c, c]), "ids.3", "duplicate"),
        (json!([a, b, c, 987_654]), "ids.3", "unknown_reference"),
    ] {
        let refused = user.put(ORDER, json!({ "ids": ids, "seen": seen })).await.is(422);
        assert_eq!(refused["error_codes"], json!({ path: [code] }));
    }
    assert_eq!(ids(user).await, [c, a, b, another]);
    // an adjustment that has not moved is not changed
    user.put(ORDER, json!({ "ids": seen, "seen": seen })).await.is(204);
    assert_eq!(user.get(&format!("{PATH}/{c}")).await.is(200)["version"], 2);
    let weak = depot
        .catalog
        .app
        .caller(Some(depot.catalog.app.north), all_but(permissions::UPDATE_PRICE_ADJUSTMENT))
        .await;
    weak.put(ORDER, json!({ "ids": seen, "seen": seen })).await.is(403);
}

#[actix_web::test]
async fn only_one_of_several_concurrent_reorderings_succeeds() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let names: Vec<String> = (0..6).map(|index| format!("Anpassung {index}")).collect();
    let made = join_all(names.iter().map(|name| created(user, adjustment(name)))).await;
    assert_eq!(made.len(), 6);
    let seen = ids(user).await;
    let positions = async || {
        let rows = user.get(&format!("{PATH}?sort=position")).await.is(200)["data"].clone();
        rows.as_array().unwrap().iter().map(|row| row["position"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(positions().await, [1, 2, 3, 4, 5, 6]);
    for _ in 0..3 {
        let seen = ids(user).await;
        let rotated = |by: usize| {
            let mut ids = seen.clone();
            ids.rotate_left(by);
            ids
        };
        let puts = (1..6).map(|by| user.put(ORDER, json!({ "ids": rotated(by), "seen": seen })));
        let answers = join_all(puts).await;
        let won: Vec<usize> =
            (1..).zip(&answers).filter(|(_, answer)| answer.status == 204).map(|(by, _)| by).collect();
        assert_eq!(won.len(), 1, "one wins");
        for answer in answers.iter().filter(|answer| answer.status != 204) {
            assert_eq!(answer.is(409)["code"], "order_changed");
        }
        assert_eq!(ids(user).await, rotated(won[0]), "and the order is theirs");
        assert_eq!(positions().await, [1, 2, 3, 4, 5, 6]);
    }
    assert_eq!(ids(user).await.len(), seen.len());
}

#[actix_web::test]
async fn conditions_are_parsed_and_printed_as_text() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let read = user
        .post(CONDITIONS, json!({ "text": "ALL( cart_weight>=10t ,not(weekday in (saturday)))" }))
        .await
        .is(200);
    let tree = json!({ "all": [
        { "type": "cart_weight", "op": "greater_equals", "value": "10", "unit": "t" },
        { "not": [{ "type": "weekday", "op": "in", "value": ["saturday"] }] },
    ] });
    let text = "all(cart_weight >= 10 t, not(weekday in (saturday)))";
    assert_eq!(read, json!({ "conditions": tree, "text": text, "faults": [] }));
    assert_eq!(user.post(CONDITIONS, json!({ "conditions": tree })).await.is(200), read);

    let broken = user.post(CONDITIONS, json!({ "text": "all(cart_weight >= )" })).await.is(200);
    assert_eq!((&broken["conditions"], &broken["text"]), (&Value::Null, &Value::Null));
    assert_eq!(
        (&broken["faults"][0]["position"], &broken["faults"][0]["code"]),
        (&json!(20), &json!("condition_text"))
    );
    user.post(CONDITIONS, json!({ "conditions": { "all": [] } })).await.is_refused_at(&["conditions.all"]);
    user.post(CONDITIONS, json!({})).await.is_refused_at(&["text"]);
    user.post(CONDITIONS, json!({ "text": "x", "conditions": tree })).await.is_refused_at(&["text"]);
}

#[actix_web::test]
async fn changes_are_undone() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let conditions = json!({ "type": "cart_weight", "op": "greater_equals", "value": "10", "unit": "t" });
    let input = with(
        adjustment("Rabatt"),
        json!({ "conditions": conditions, "tenant_ids": [depot.catalog.app.north] }),
    );
    let made = created(user, input).await;
    let uri = format!("{PATH}/{}", id(&made));
    let content = |mut record: Value| {
        for field in ["version", "created_at", "updated_at"] {
            record.as_object_mut().unwrap().remove(field);
        }
        record
    };
    let other = with(
        adjustment("Zuschlag"),
        json!({
            "operation": "surcharge", "apply_to": { "kind": "item_type", "item_types": ["article", "processing"] },
            "purchase_constraints": { "min_quantity": "1", "unit": "t" },
        }),
    );
    let changed = user.put(&uri, other).await;
    changed.is(200);
    assert_eq!(undo(user, &changed).await["done"], 1);
    assert_eq!(content(user.get(&uri).await.is(200)), content(made.clone()));

    let gone = user.delete(&uri).await;
    gone.is(204);
    assert_eq!(undo(user, &gone).await["done"], 1);
    assert_eq!(content(user.get(&uri).await.is(200)), content(made));
}

#[actix_web::test]
async fn a_quote_shows_applied_adjustments_and_failed_conditions() {
    let depot = Depot::new().await;
    let Depot { user, articles, .. } = &depot;
    let stock = id(&user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let price = json!({ "external_price": { "price": "985", "unit": "t" } });
    user.put(&format!("/api/admin/prices/{stock}"), price).await.is(200);
    let quote = async || {
        let lines = json!([{ "article_id": articles[0]["id"], "quantity": "3", "unit": "piece" }]);
        let body = json!({ "carts": [{ "lines": lines }], "explain": true });
        user.post("/api/admin/quotes", body).await.is(200)["data"][0].take()
    };
    assert_eq!(quote().await["total"], "2173.7");
    let discount = created(user, adjustment("Rabatt")).await;
    let heavy = json!({ "type": "cart_weight", "op": "greater_equals", "value": "10", "unit": "t" });
    let heavy = with(adjustment("Großmengenrabatt"), json!({ "conditions": { "all": [heavy] } }));
    let heavy = created(user, heavy).await;
    let quoted = quote().await;
    // 36 m of 61.3 kg are 2.2068 t: 2173.698 at 985, of which 3 % are 65.21094
    assert_eq!(quoted["total"], "2108.49");
    let steps = &quoted["lines"][0]["items"][0]["explanation"]["steps"];
    let step = |index: usize| {
        let step = &steps[index];
        [&step["adjustment_id"], &step["outcome"], &step["exact"]].map(Clone::clone)
    };
    assert_eq!(step(0), [discount["id"].clone(), json!("applied"), json!("-65.21094")]);
    assert_eq!(step(1), [heavy["id"].clone(), json!("conditions"), json!("0")]);
    let failed = &steps[1]["conditions"]["parts"][0];
    let met = [&failed["holds"], &failed["type"], &failed["value"], &failed["unit"], &failed["found"]];
    assert_eq!(met, [&json!(false), &json!("cart_weight"), &json!("10"), &json!("t"), &json!("2.2068")]);

    // the order takes effect immediately, and inactive adjustments are listed with the reason
    user.put(ORDER, json!({ "ids": [heavy["id"], discount["id"]], "seen": [discount["id"], heavy["id"]] }))
        .await
        .is(204);
    let steps = quote().await["lines"][0]["items"][0]["explanation"]["steps"].take();
    assert_eq!((&steps[0]["adjustment_id"], &steps[1]["adjustment_id"]), (&heavy["id"], &discount["id"]));
    let uri = format!("{PATH}/{}", id(&discount));
    user.put(&uri, with(adjustment("Rabatt"), json!({ "active": false }))).await.is(200);
    let quoted = quote().await;
    assert_eq!(quoted["total"], "2173.7");
    let left_out = json!([{ "id": discount["id"], "name": "Rabatt", "reason": "inactive" }]);
    assert_eq!(quoted["explanation"]["adjustments"], left_out);
    user.delete(&uri).await.is(204);
    assert_eq!(quote().await["explanation"]["adjustments"], json!([]));
}
