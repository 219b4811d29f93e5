//! Undo of saves, deletions and bulk changes, and undo of the undo.

use serde_json::{Value, json};

use crate::{
    articles::laddered,
    catalog::{ARTICLES, ATTRIBUTES, Catalog, MATERIALS, TYPES, id, resent},
    stocks::{self, Depot},
    support::{Answer, Client, TestApp, all_but},
    warehouses::warehouse,
};

const AUDIT: &str = "/api/admin/audit";
const UNDONE: fn() -> Value = || outcome(1);

fn outcome(done: u64) -> Value {
    json!({ "done": done, "refused": [], "asks_for_articles": null, "asks_for_deletions": null })
}

/// Undoes everything that a call has written.
async fn undo(client: &Client, answer: &Answer) -> Answer {
    client.post(&format!("{AUDIT}/undo"), json!({ "request_id": answer.header("x-request-id") })).await
}

/// Undoes the creation of a record, after confirming that this deletes it.
async fn undo_creation(client: &Client, answer: &Answer) -> Answer {
    let asked = undo(client, answer).await.is(200);
    let deletes = json!({ "records": 1, "prices": 0 });
    assert_eq!((&asked["done"], &asked["asks_for_deletions"]), (&json!(0), &deletes), "nothing goes unasked");
    let said = json!({ "request_id": answer.header("x-request-id"), "deletes": deletes });
    client.post(&format!("{AUDIT}/undo"), said).await
}

/// Latest history entry of a record.
async fn latest(client: &Client, record: &str, id: i64) -> Value {
    let uri = format!("{AUDIT}?filter[record]={record}&filter[record_id]={id}");
    client.get(&uri).await.is(200)["data"][0].clone()
}

/// Record without its version and times.
fn content(mut record: Value) -> Value {
    for field in ["version", "created_at", "updated_at"] {
        record.as_object_mut().unwrap().remove(field);
    }
    record
}

#[actix_web::test]
async fn a_change_is_undone_and_so_is_the_undo() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let input = json!({ "name": "S235JR", "material_number": "1.0038", "density": "7.85" });
    let made = admin.post(MATERIALS, input).await.is(201);
    let uri = format!("{MATERIALS}/{}", id(&made));
    let changed = admin.put(&uri, json!({ "name": "S235", "density": "7.9" })).await;
    let after = content(changed.is(200));

    let first = latest(&admin, "material", id(&made)).await;
    assert_eq!((&first["undoable"], &first["undone"]), (&json!(true), &json!(false)));
    let back = undo(&admin, &changed).await;
    assert_eq!(back.is(200), UNDONE());
    assert_eq!(content(admin.get(&uri).await.is(200)), content(made.clone()));
    let second = latest(&admin, "material", id(&made)).await;
    assert_eq!((&second["action"], &second["undoes"]), (&json!("changed"), &first["id"]));
    assert_eq!(undo(&admin, &changed).await.is(409)["code"], "already_undone");

    assert_eq!(undo(&admin, &back).await.is(200), UNDONE());
    assert_eq!(content(admin.get(&uri).await.is(200)), after);
    let life = admin.get(&format!("{AUDIT}?filter[record]=material&sort=at")).await.is(200);
    let listed: Vec<_> = life["data"].as_array().unwrap().iter().map(|entry| &entry["undone"]).collect();
    assert_eq!(listed, [false, true, true, false]);
}

#[actix_web::test]
async fn later_changes_by_others_are_not_overwritten() {
    let app = TestApp::new().await;
    let (admin, other) = (app.platform().await, app.platform().await);
    let made = admin.post(MATERIALS, json!({ "name": "S235JR", "density": "7.85" })).await;
    let uri = format!("{MATERIALS}/{}", id(&made.is(201)));
    let changed = admin.put(&uri, json!({ "name": "S235", "density": "7.9" })).await;
    changed.is(200);
    other.put(&uri, json!({ "name": "S235", "density": "8", "material_number": "1.0038" })).await.is(200);

    let refused = undo(&admin.german(), &changed).await.is(409);
    assert_eq!(refused["code"], "changed_since");
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("geändert: Dichte"), "{message}");
    let refused = undo(&admin, &made).await.is(409);
    assert_eq!(refused["code"], "changed_since", "a creation");
    assert_eq!(admin.get(&uri).await.is(200)["density"], "8");

    // only the number was changed by another user
    let theirs = latest(&admin, "material", id(&made.is(201))).await;
    assert_eq!(undo(&admin, &changed).await.is(409)["code"], "changed_since");
    admin.post(&format!("{AUDIT}/{}/undo", theirs["id"]), json!({})).await.is(200);
    assert_eq!(undo(&admin, &changed).await.is(200), UNDONE());
    assert_eq!(undo_creation(&admin, &made).await.is(200), UNDONE(), "it is as it was made");
}

#[actix_web::test]
async fn deleted_records_are_restored_with_their_parts() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let mut beam = catalog.article(1, "12.1");
    beam["other_numbers"] = json!([{ "kind": "drawing", "number": "Z-1" }]);
    let article = admin.post(ARTICLES, beam).await.is(201);
    let number = article["article_number"].as_str().unwrap();
    let own = json!({ "name": "Güte", "type": "categorial", "options": [
        { "name": "A", "value": "a", "weight_per_base_unit": "1.5" }, { "name": "B", "value": "b" }] });
    let attribute = admin.post(ATTRIBUTES, own).await.is(201);
    let ladder = json!({ "name": "Träger", "clusters": [
        { "short_code": "A", "maximum": "6.5", "calculation_value": "6" },
        { "short_code": "B", "minimum": "6.5", "maximum": "12.001", "calculation_value": "12" } ] });
    let ladder = admin.post("/api/admin/trade-dimensions", ladder).await.is(201);
    let role = json!({ "name": "Einkauf", "permissions": ["article.list", "article.view"] });
    let role = admin.post(&format!("/api/admin/roles?tenant_id={}", app.north), role).await.is(201);
    let tenant = json!({ "company": "Ost", "short_code": "OST", "permissions": ["article.list"] });
    let tenant = admin.post("/api/admin/tenants", tenant).await.is(201);
    let of_north = |path: &str| format!("/api/admin/{path}?tenant_id={}", app.north);
    let mut depot = warehouse("Duisburg", "DU");
    depot["preparation_shift_time"] = json!("14:30");
    let depot = admin.post(&of_north("warehouses"), depot).await.is(201);
    let closed = json!({ "date": "2026-12-24", "name": "Inventur", "warehouse_id": depot["id"] });
    admin.post(&of_north("closures"), closed).await.is(201);

    let cases = [
        (format!("{ARTICLES}/{}", article["id"]), format!("?confirm={number}"), 1),
        (format!("{ATTRIBUTES}/{}", attribute["id"]), String::new(), 1),
        (format!("/api/admin/trade-dimensions/{}", ladder["id"]), String::new(), 1),
        (format!("/api/admin/roles/{}", role["id"]), String::new(), 1),
        (format!("/api/admin/tenants/{}", tenant["id"]), String::new(), 1),
        (format!("/api/admin/warehouses/{}", depot["id"]), format!("?tenant_id={}", app.north), 2),
    ];
    for (uri, confirm, records) in cases {
        let before = content(admin.get(&uri).await.is(200));
        let deleted = admin.delete(&format!("{uri}{confirm}")).await;
        deleted.is(204);
        admin.get(&uri).await.is(404);
        assert_eq!(undo(admin, &deleted).await.is(200), outcome(records), "{uri}");
        let mut restored = content(admin.get(&uri).await.is(200));
        if uri.starts_with(ATTRIBUTES) {
            for index in 0..2 {
                restored["options"][index]["id"] = before["options"][index]["id"].clone();
            }
        }
        assert_eq!(restored, before);
        assert_eq!(undo(admin, &deleted).await.status, 409, "once");
    }
    let closures = admin.get(&of_north("closures")).await.is(200);
    assert_eq!(closures["data"][0]["warehouse_id"], depot["id"]);
    let of_article = format!("{AUDIT}?filter[record]=article&filter[record_id]={}&sort=at", article["id"]);
    let life = admin.get(&of_article).await.is(200);
    let listed: Vec<_> = life["data"].as_array().unwrap().iter().map(|entry| &entry["action"]).collect();
    assert_eq!(listed, ["created", "deleted", "created"], "its history goes on");
}

#[actix_web::test]
async fn articles_are_reverted_with_their_material() {
    let catalog = Catalog::new().await;
    let Catalog { admin, material, .. } = &catalog;
    let article = admin.post(ARTICLES, catalog.article(0, "12.1")).await.is(201);
    let uri = format!("{MATERIALS}/{material}");
    let renamed = json!({ "name": "S235JR", "article_number_name": "S235J0", "display_name": "S235JR+AR", "change_articles": 1 });
    let changed = admin.put(&uri, renamed.clone()).await;
    changed.is(200);
    let at = format!("{ARTICLES}/{}", article["id"]);
    assert_ne!(admin.get(&at).await.is(200)["article_number"], article["article_number"]);
    let entry = latest(admin, "material", *material).await;
    admin.post(&format!("{AUDIT}/{}/undo", entry["id"]), json!({})).await.is(200);
    assert_eq!(admin.get(&at).await.is(200)["article_number"], article["article_number"]);

    // another article would follow that did not change then, so confirmation is required
    let changed = admin.put(&uri, renamed).await;
    changed.is(200);
    admin.post(ARTICLES, catalog.article(1, "12.1")).await.is(201);
    let asked = undo(admin, &changed).await.is(200);
    assert_eq!((&asked["done"], &asked["asks_for_articles"]), (&json!(0), &json!(2)));
    let answered = json!({ "request_id": changed.header("x-request-id"), "change_articles": 2 });
    admin.post(&format!("{AUDIT}/undo"), answered).await.is(200);
    assert_eq!(admin.get(&at).await.is(200)["article_number"], article["article_number"]);
}

#[actix_web::test]
async fn the_fields_and_values_of_an_article_are_undone() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let article = admin.post(ARTICLES, catalog.article(0, "12.1")).await.is(201);
    let uri = format!("{ARTICLES}/{}", article["id"]);
    let mut input = catalog.article(1, "6.5");
    input["article_number"] = json!("EIGEN");
    input["values"][2]["text"] = json!("verzinkt");
    let changed = admin.put(&uri, input).await;
    changed.is(200);
    assert_eq!(undo(admin, &changed).await.is(200), UNDONE());
    let mut restored = content(admin.get(&uri).await.is(200));
    // the number that it had meanwhile stays as an other number
    assert_eq!(restored["other_numbers"], json!([{ "kind": "former", "number": "EIGEN" }]));
    restored["other_numbers"] = json!([]);
    assert_eq!(restored, content(article));
}

#[actix_web::test]
async fn an_option_keeps_its_id_when_its_name_is_restored() {
    let catalog = Catalog::new().await;
    let Catalog { admin, height, .. } = &catalog;
    admin.post(ARTICLES, catalog.article(0, "12.1")).await.is(201);
    let uri = format!("{ATTRIBUTES}/{}", height["id"]);
    let before = admin.get(&uri).await.is(200);
    let mut input = resent(&before, &["name", "type", "primary", "options"]);
    let options = input["options"].as_array_mut().unwrap();
    options.remove(2);
    options[0]["name"] = json!("Zweihundert");
    options.push(json!({ "name": "260 mm", "value": "260" }));
    input["change_articles"] = json!(1);
    let changed = admin.put(&uri, input).await;
    changed.is(200);
    assert_eq!(undo(admin, &changed).await.is(200), UNDONE());
    let mut restored = admin.get(&uri).await.is(200);
    restored["options"][2]["id"] = before["options"][2]["id"].clone();
    assert_eq!(restored["options"], before["options"]);
}

#[actix_web::test]
async fn many_records_are_undone_together_except_those_that_cannot_be() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let mut ids = Vec::new();
    for name in ["S235", "S355", "S460"] {
        ids.push(id(&admin.post(MATERIALS, json!({ "name": name, "density": "7.85" })).await.is(201)));
    }
    let bulk =
        json!({ "selection": { "ids": ids, "count": 3 }, "change": { "field": "density", "value": "8" } });
    let changed = admin.post(&format!("{MATERIALS}/bulk-change"), bulk).await;
    changed.is(200);
    admin.put(&format!("{MATERIALS}/{}", ids[1]), json!({ "name": "S355", "density": "8.1" })).await.is(200);
    let outcome = undo(&admin, &changed).await.is(200);
    assert_eq!((&outcome["done"], &outcome["refused"][0]["name"]), (&json!(2), &json!("S355")));
    let density = async |id: i64| admin.get(&format!("{MATERIALS}/{id}")).await.is(200)["density"].clone();
    assert_eq!(
        [density(ids[0]).await, density(ids[1]).await, density(ids[2]).await],
        ["7.85", "8.1", "7.85"]
    );

    let gone = admin.post(&format!("{MATERIALS}/bulk-delete"), json!({ "ids": ids, "count": 3 })).await;
    gone.is(200);
    admin.post(MATERIALS, json!({ "name": "S460" })).await.is(201);
    let outcome = undo(&admin, &gone).await.is(200);
    assert_eq!((&outcome["done"], &outcome["refused"][0]["id"]), (&json!(2), &json!(ids[2])));
    assert_eq!(outcome["refused"][0]["messages"], json!(["Already taken"]));
}

#[actix_web::test]
async fn undoing_a_creation_deletes_the_record_unless_it_is_in_use() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let made = admin.post(MATERIALS, json!({ "name": "S355J2" })).await;
    let mut article = catalog.article(0, "12.1");
    article["material_id"] = made.is(201)["id"].clone();
    let article = admin.post(ARTICLES, article).await;
    assert_eq!(undo_creation(admin, &made).await.is(409)["code"], "in_use");
    assert_eq!(undo_creation(admin, &article).await.is(200), UNDONE());
    let back = undo_creation(admin, &made).await;
    assert_eq!(back.is(200), UNDONE());
    admin.get(&format!("{MATERIALS}/{}", made.is(201)["id"])).await.is(404);
    assert_eq!(undo(admin, &back).await.is(200), UNDONE());
    admin.get(&format!("{MATERIALS}/{}", made.is(201)["id"])).await.is(200);
}

#[actix_web::test]
async fn the_undo_of_a_creation_is_offered_only_for_unchanged_records() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), values::PermissionSet::all()).await;
    let made = user.post("/api/admin/warehouses", warehouse("Duisburg", "DU")).await;
    let depot = id(&made.is(201));
    let is_offered = async || {
        let uri = format!("{AUDIT}?filter[record]=warehouse&filter[record_id]={depot}&sort=at");
        user.get(&uri).await.is(200)["data"][0]["undoable"].clone()
    };
    assert_eq!(is_offered().await, true);
    // records that belong to it and are not its fields would be deleted as well
    let closed = json!({ "date": "2026-12-24", "name": "Inventur", "warehouse_id": depot });
    let closed = user.post("/api/admin/closures", closed).await;
    closed.is(201);
    assert_eq!(is_offered().await, false);
    let refused = undo(&user.german(), &made).await.is(409);
    assert!(refused["message"].as_str().unwrap().contains("Schließtag"), "{refused}");
    undo_creation(&user, &closed).await.is(200);
    assert_eq!(is_offered().await, true);

    let renamed = user.put(&format!("/api/admin/warehouses/{depot}"), warehouse("Hafen", "DU")).await;
    renamed.is(200);
    assert_eq!(is_offered().await, false);
    undo(&user, &renamed).await.is(200);
    assert_eq!(is_offered().await, true);
    undo_creation(&user, &made).await.is(200);
    assert_eq!(is_offered().await, false, "it is gone");
}

#[actix_web::test]
async fn the_undo_of_one_entry_affects_that_entry_alone() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let mut ids = Vec::new();
    for name in ["S235", "S355", "S460"] {
        ids.push(id(&admin.post(MATERIALS, json!({ "name": name, "density": "7.85" })).await.is(201)));
    }
    let bulk =
        json!({ "selection": { "ids": ids, "count": 3 }, "change": { "field": "density", "value": "8" } });
    admin.post(&format!("{MATERIALS}/bulk-change"), bulk).await.is(200);
    let gone = admin.post(&format!("{MATERIALS}/bulk-delete"), json!({ "ids": ids, "count": 3 })).await;
    gone.is(200);
    let entry = latest(&admin, "material", ids[1]).await;
    let back = admin.post(&format!("{AUDIT}/{}/undo", entry["id"]), json!({})).await;
    assert_eq!(back.is(200), UNDONE());
    let there = admin.get(MATERIALS).await.is(200);
    let there: Vec<_> = there["data"].as_array().unwrap().iter().map(|row| &row["name"]).collect();
    assert_eq!(there, ["S355"]);
}

#[actix_web::test]
async fn an_undo_needs_the_permission_of_the_change_and_for_others_the_history() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let made = admin.post(MATERIALS, json!({ "name": "S235JR" })).await;
    let uri = format!("{MATERIALS}/{}", made.is(201)["id"]);
    let changed = admin.put(&uri, json!({ "name": "S235" })).await;
    changed.is(200);
    let entry = latest(&admin, "material", id(&made.is(201))).await;

    let reader = app.caller(None, all_but(catalog::permissions::UPDATE_MATERIAL)).await;
    assert_eq!(latest(&reader, "material", id(&made.is(201))).await["undoable"], false);
    let refused = reader.post(&format!("{AUDIT}/{}/undo", entry["id"]), json!({})).await.is(403);
    assert!(refused["message"].as_str().unwrap().contains("material.update"));
    let other = app.caller(None, all_but(identity::permissions::LIST_AUDIT)).await;
    undo(&other, &changed).await.is(404);
    let own = other.put(&uri, json!({ "name": "S235J2" })).await;
    assert_eq!(undo(&other, &own).await.is(200), UNDONE());
    let tenant = app.caller(Some(app.north), values::PermissionSet::all()).await;
    undo(&tenant, &changed).await.is(404);
    tenant.post(&format!("{AUDIT}/{}/undo", entry["id"]), json!({})).await.is(404);
    undo(&admin, &changed).await.is(200);
}

#[actix_web::test]
async fn the_platform_can_restore_records_of_a_tenant() {
    let app = TestApp::new().await;
    let north = app.caller(Some(app.north), values::PermissionSet::all()).await;
    let list = "/api/admin/warehouses";
    let made = north.post(list, warehouse("Duisburg", "DU")).await.is(201);
    let deleted = north.delete(&format!("{list}/{}", made["id"])).await;
    deleted.is(204);
    let south = app.caller(Some(app.south), values::PermissionSet::all()).await;
    undo(&south, &deleted).await.is(404);
    let admin = app.platform().await;
    let chosen = json!({ "request_id": deleted.header("x-request-id") });
    admin.post(&format!("{AUDIT}/undo?tenant_id={}", app.south), chosen).await.is(200);
    assert_eq!(content(north.get(&format!("{list}/{}", made["id"])).await.is(200)), content(made));
}

#[actix_web::test]
async fn revoking_a_token_cannot_be_undone() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let input = json!({ "name": "ERP", "abilities": ["access-admin"], "expires_at": null });
    let token = admin.post("/api/admin/tokens", input).await.is(201)["token"].clone();
    let revoked = admin.delete(&format!("/api/admin/tokens/{}", token["id"])).await;
    revoked.is(204);
    assert_eq!(latest(&admin, "personal_access_token", id(&token)).await["undoable"], false);
    assert_eq!(undo(&admin, &revoked).await.is(409)["code"], "not_undoable");
    let unknown = json!({ "request_id": "019376f0c2d87b3fb1f4a0e5c6d7e8f9" });
    admin.post(&format!("{AUDIT}/undo"), unknown).await.is(404);
    admin.post(&format!("{AUDIT}/undo"), json!({ "request_id": "x" })).await.is(404);
}

#[actix_web::test]
async fn article_types_are_restored_with_trade_dimension_and_attributes() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    laddered(&catalog).await;
    let uri = format!("{TYPES}/{}", catalog.beam["id"]);
    let before = content(admin.get(&uri).await.is(200));
    let these = json!({ "ids": [catalog.beam["id"]], "count": 1, "confirm": "1" });
    let gone = admin.post(&format!("{TYPES}/bulk-delete"), these).await;
    gone.is(200);
    assert_eq!(undo(admin, &gone).await.is(200), UNDONE());
    assert_eq!(content(admin.get(&uri).await.is(200)), before);

    let mut other = resent(
        &before,
        &[
            "name",
            "article_number_template",
            "article_name_template",
            "base_unit_of_measure",
            "listing_unit_of_measure",
            "price_unit_of_measure",
            "attributes",
        ],
    );
    other["attributes"].as_array_mut().unwrap().rotate_left(1);
    let attributes = other["attributes"].as_array().unwrap().iter();
    other["attributes"] =
        attributes.map(|row| resent(row, &["attribute_id", "primary", "dimension"])).collect();
    other["name"] = json!("Träger");
    other["trade_dimension_id"] = before["trade_dimension"]["id"].clone();
    let changed = admin.put(&uri, other).await;
    changed.is(200);
    assert_eq!(undo(admin, &changed).await.is(200), UNDONE());
    assert_eq!(content(admin.get(&uri).await.is(200)), before);
}

#[actix_web::test]
async fn changes_of_users_are_undone_but_deleted_users_are_not_restored() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let role = |name: &str, right: &str| json!({ "name": name, "permissions": ["access-admin", right] });
    let one = id(&admin.post("/api/admin/roles", role("Einkauf", "article.list")).await.is(201));
    let other = id(&admin.post("/api/admin/roles", role("Verkauf", "material.list")).await.is(201));
    let input = json!({ "name": "Ute", "email": "ute@nord.example", "tenant_id": app.north, "role_ids": [one], "permissions": ["access-admin"] });
    let made = admin.post("/api/admin/users", input).await;
    let uri = format!("/api/admin/users/{}", id(&made.is(201)));
    let before = content(admin.get(&uri).await.is(200));
    let patch = json!({ "name": "Ute Maier", "role_ids": [other], "narrowed": false });
    let changed = admin.send(actix_web::http::Method::PATCH, &uri, Some(patch)).await;
    changed.is(200);
    assert_eq!(undo(&admin, &changed).await.is(200), UNDONE());
    assert_eq!(content(admin.get(&uri).await.is(200)), before);
    let disabled = admin.send(actix_web::http::Method::PATCH, &uri, Some(json!({ "disabled": true }))).await;
    disabled.is(200);
    assert_eq!(undo(&admin, &disabled).await.is(200), UNDONE());
    assert_eq!(admin.get(&uri).await.is(200)["status"], before["status"]);

    let deleted = admin.delete(&uri).await;
    deleted.is(204);
    assert_eq!(undo(&admin, &deleted).await.is(409)["code"], "not_undoable");
    let entry = latest(&admin, "user", id(&made.is(201))).await;
    assert_eq!((&entry["action"], &entry["undoable"]), (&json!("deleted"), &json!(false)));
    assert_eq!(undo(&admin, &made).await.is(409)["code"], "already_undone");
}

const PRICES: &str = "/api/admin/prices";
const HELD: &str = "/api/admin/held-prices";

fn price(amount: &str, quantity: &str, unit: &str) -> Value {
    json!({ "price": amount, "price_quantity": quantity, "unit": unit })
}

/// Creates a stock with both prices and with tiers.
async fn offered(depot: &Depot, warehouse: usize) -> Value {
    let stock = depot.user.post(stocks::PATH, depot.stock(0, warehouse)).await.is(201);
    let tier = |from: &str, amount: &str| json!({ "quantity_from": from, "price": amount, "unit": "t" });
    let prices = json!({
        "external_price": price("850", "1", "t"), "internal_price": price("78", "100", "kg"),
        "external_bulk_prices": [tier("10", "840"), tier("20", "830")],
    });
    depot.user.put(&format!("{PRICES}/{}", stock["id"]), prices).await.is(200);
    stock
}

/// Quantity and prices of a stock, without the times of their changes.
async fn sides(user: &Client, id: &Value) -> [Value; 2] {
    let of = async |path: &str| {
        let mut side = content(user.get(&format!("{path}/{id}")).await.is(200));
        side.as_object_mut().unwrap().remove("price_updated_at");
        side
    };
    [of(stocks::PATH).await, of(PRICES).await]
}

#[actix_web::test]
async fn quantity_and_price_of_a_stock_are_undone_separately() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let stock = offered(&depot, 0).await;
    let id = &stock["id"];
    let (of_stock, of_prices) = (format!("{}/{id}", stocks::PATH), format!("{PRICES}/{id}"));
    let before = sides(user, id).await;

    let mut booked = depot.stock(0, 1);
    (booked["quantity"], booked["lead_time"], booked["length"]) = (json!("3"), json!(60), json!("6000"));
    let booked = user.put(&of_stock, booked).await;
    booked.is(200);
    let repriced = user.put(&of_prices, json!({ "external_price": price("86", "100", "kg") })).await;
    let repriced_at = repriced.is(200)["updated_at"].clone();
    let after = sides(user, id).await;
    let back = undo(user, &booked).await;
    assert_eq!(back.is(200), UNDONE());
    let now = sides(user, id).await;
    assert_eq!((&now[0]["quantity"], &now[0]["warehouse"]), (&json!("36.3"), &before[0]["warehouse"]));
    assert_eq!((&now[0]["length"], &now[0]["lead_time"]), (&Value::Null, &Value::Null));
    assert_eq!(now[1]["external_price"], price("86", "100", "kg"));
    assert_eq!(user.get(&of_prices).await.is(200)["updated_at"], repriced_at, "another side");

    let back_again = undo(user, &repriced).await;
    assert_eq!(back_again.is(200), UNDONE());
    assert_eq!(sides(user, id).await, before);
    assert_eq!(undo(user, &repriced).await.is(409)["code"], "already_undone");
    for answer in [&back, &back_again] {
        assert_eq!(undo(user, answer).await.is(200), UNDONE());
    }
    assert_eq!(sides(user, id).await, after);

    // removed prices are restored as well
    let emptied = user.delete(&of_prices).await;
    emptied.is(204);
    let entry = latest(user, "stock", id.as_i64().unwrap()).await;
    assert_eq!((&entry["action"], &entry["undoable"]), (&json!("changed"), &json!(true)));
    assert_eq!(undo(user, &emptied).await.is(200), UNDONE());
    assert_eq!(sides(user, id).await, after);
}

#[actix_web::test]
async fn an_undo_does_not_overwrite_a_price_that_has_changed_since() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let made = user.post(stocks::PATH, depot.stock(0, 0)).await;
    let stock = made.is(201);
    let uri = format!("{PRICES}/{}", stock["id"]);
    user.put(&uri, json!({ "external_price": price("850", "1", "t") })).await.is(200);
    let raised = user.put(&uri, json!({ "external_price": price("900", "1", "t") })).await;
    raised.is(200);
    // same number and unit for another quantity; put under review, and released
    user.put(&uri, json!({ "external_price": price("900", "10", "t") })).await.is(200);
    let held = user.get(HELD).await.is(200)["data"][0]["id"].clone();
    let body = json!({ "selection": { "ids": [held], "count": 1 }, "change": { "field": "decision", "value": "release" } });
    let released = user.post(&format!("{HELD}/bulk-change"), body).await;
    assert_eq!(released.is(200)["done"], 1);

    let refused = undo(&user.german(), &raised).await.is(409);
    assert_eq!(refused["code"], "changed_since");
    assert!(refused["message"].as_str().unwrap().contains("Externer Preis"), "{refused}");
    assert_eq!(user.get(&uri).await.is(200)["external_price"], price("900", "10", "t"));
    assert_eq!(undo(user, &made).await.is(409)["code"], "changed_since", "it has prices by now");
    // ten times as much: an undo is a decision of the user, so nothing is reviewed
    assert_eq!(undo(user, &released).await.is(200), UNDONE());
    assert_eq!(undo(user, &raised).await.is(200), UNDONE());
    let shown = user.get(&uri).await.is(200);
    assert_eq!((&shown["external_price"], &shown["held"]), (&price("850", "1", "t"), &Value::Null));
    user.delete(&format!("{}/{}", stocks::PATH, stock["id"])).await.is(204);
    assert_eq!(undo(user, &raised).await.is(409)["code"], "deleted_since");
}

#[actix_web::test]
async fn deleted_stocks_are_restored_with_their_ids_quantities_and_prices() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let stocks = [offered(&depot, 0).await, offered(&depot, 1).await];
    let ids = [&stocks[0]["id"], &stocks[1]["id"]];
    let bare = user.post(stocks::PATH, depot.stock(1, 0)).await;
    let before = [sides(user, ids[0]).await, sides(user, ids[1]).await];
    let gone = user.post(&format!("{}/bulk-delete", stocks::PATH), json!({ "ids": ids, "count": 2 })).await;
    assert_eq!(gone.is(200)["done"], 2);
    // another stock is in the place of the second by now
    let other = user.post(stocks::PATH, depot.stock(0, 1)).await;
    let back = undo(user, &gone).await.is(200);
    assert_eq!((&back["done"], &back["refused"][0]["id"]), (&json!(1), ids[1]));
    assert_eq!(sides(user, ids[0]).await, before[0]);
    assert_eq!(undo_creation(user, &other).await.is(200), UNDONE(), "a creation is undone");
    user.get(&format!("{}/{}", stocks::PATH, other.is(201)["id"])).await.is(404);
    assert_eq!(undo(user, &gone).await.is(200)["done"], 1);
    assert_eq!(sides(user, ids[1]).await, before[1]);
    assert_eq!(undo(user, &gone).await.is(409)["code"], "already_undone");
    let life = format!("{AUDIT}?filter[record]=stock&filter[record_id]={}&sort=-at", ids[1]);
    let life = user.get(&life).await.is(200);
    let listed: Vec<_> = life["data"].as_array().unwrap().iter().map(|entry| &entry["action"]).collect();
    assert_eq!(listed, ["created", "deleted", "changed", "created"], "its history goes on");

    // both sides need both permissions, whatever a deletion needs
    let app = &depot.catalog.app;
    let mut rights = all_but(pricing::permissions::UPDATE_PRICE);
    let without = app.caller(Some(app.north), rights).await;
    let deleted = without.delete(&format!("{}/{}", stocks::PATH, ids[0])).await;
    let entry = latest(&without, "stock", ids[0].as_i64().unwrap()).await;
    assert_eq!(entry["undoable"], false);
    let refused = undo(&without, &deleted).await.is(403);
    assert!(refused["message"].as_str().unwrap().contains("listing.update"), "{refused}");
    let unpriced = without.delete(&format!("{}/{}", stocks::PATH, bare.is(201)["id"])).await;
    assert_eq!(undo(&without, &unpriced).await.is(200), UNDONE());
    rights = all_but(logistics::permissions::CREATE_STOCK);
    let without = app.caller(Some(app.north), rights).await;
    assert!(undo(&without, &deleted).await.is(403)["message"].as_str().unwrap().contains("stock.create"));
    let south = app.caller(Some(app.south), values::PermissionSet::all()).await;
    undo(&south, &deleted).await.is(404);
    assert_eq!(undo(user, &deleted).await.is(200), UNDONE());
    assert_eq!(sides(user, ids[0]).await, before[0]);
}

#[actix_web::test]
async fn a_saved_sheet_of_prices_is_undone_with_its_prices_under_review() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let stocks = [offered(&depot, 0).await, offered(&depot, 1).await];
    let before = [sides(user, &stocks[0]["id"]).await, sides(user, &stocks[1]["id"]).await];
    let sheet = async |first: &str, second: &str| {
        let of = |stock: &Value, amount: &str| json!({ "id": stock["id"], "external_price": price(amount, "1", "t") });
        let prices = json!({ "prices": [of(&stocks[0], first), of(&stocks[1], second)] });
        let saved = user.put(&format!("{PRICES}/bulk"), prices).await;
        saved.is(200);
        saved
    };
    let waiting = async || user.get(HELD).await.is(200)["meta"]["total"].clone();
    let saved = sheet("860", "8600").await;
    assert_eq!(waiting().await, 1);
    assert_eq!(undo(user, &saved).await.is(200), outcome(2));
    assert_eq!(waiting().await, 0);
    assert_eq!([sides(user, &stocks[0]["id"]).await, sides(user, &stocks[1]["id"]).await], before);
    assert_eq!(undo(user, &saved).await.is(409)["code"], "already_undone");

    // for a price that was under review before, the former prices are restored
    sheet("860", "8600").await;
    let saved = sheet("870", "870").await;
    assert_eq!(waiting().await, 0);
    assert_eq!(undo(user, &saved).await.is(200), outcome(2));
    assert_eq!(waiting().await, 0);
    let amount = async |stock: &Value| {
        user.get(&format!("{PRICES}/{}", stock["id"])).await.is(200)["external_price"]["price"].clone()
    };
    assert_eq!([amount(&stocks[0]).await, amount(&stocks[1]).await], ["860", "850"]);
    let changer = depot
        .catalog
        .app
        .caller(Some(depot.catalog.app.north), all_but(logistics::permissions::UPDATE_STOCK))
        .await;
    assert_eq!(
        undo(&changer, &saved).await.is(409)["code"],
        "already_undone",
        "no right of the other side is asked for"
    );
}
