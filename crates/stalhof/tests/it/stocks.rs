//! Stocks over HTTP.

use actix_web::http::Method;
use pricing::permissions;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, Catalog, TYPES, beam_type, id},
    imports::{IMPORTS, counts, ended},
    support::{Client, Form, all_but},
    warehouses::warehouse,
};

pub(crate) const PATH: &str = "/api/admin/stocks";

/// Tenant's user, an article of 61.3 kg/m in bars of 12 m, one without a weight, and two warehouses.
pub(crate) struct Depot {
    pub catalog: Catalog,
    pub user: Client,
    pub measured: i64,
    pub articles: [Value; 2],
    pub warehouses: [i64; 2],
}

impl Depot {
    pub(crate) async fn new() -> Self {
        Self::over(Catalog::new().await).await
    }

    pub(crate) async fn over(catalog: Catalog) -> Self {
        let user = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
        let mut measured = beam_type(id(&catalog.height), id(&catalog.length), id(&catalog.surface));
        measured["name"] = "Träger mit Länge".into();
        measured["article_number_template"] = "M-{hoehe}-{material}-{laenge}".into();
        measured["attributes"][1]["dimension"] = "length".into();
        let measured = id(&catalog.admin.post(TYPES, measured).await.is(201));
        let mut articles = Vec::new();
        for (option, length) in [(0, "12"), (2, "6")] {
            let mut input = catalog.article(option, length);
            input["article_type_id"] = measured.into();
            articles.push(catalog.admin.post(ARTICLES, input).await.is(201));
        }
        let articles = articles.try_into().unwrap();
        let mut warehouses = [0; 2];
        for (number, (name, code)) in [("Duisburg", "DU"), ("Hamburg", "HH")].into_iter().enumerate() {
            warehouses[number] = id(&user.post("/api/admin/warehouses", warehouse(name, code)).await.is(201));
        }
        Self { catalog, user, measured, articles, warehouses }
    }

    pub(crate) fn stock(&self, article: usize, warehouse: usize) -> Value {
        json!({
            "article_id": self.articles[article]["id"], "warehouse_id": self.warehouses[warehouse],
            "availability_type": "quantity", "quantity": "36.3",
        })
    }
}

#[actix_web::test]
async fn a_stock_is_created_shown_changed_and_deleted() {
    let depot = Depot::new().await;
    let Depot { user, articles, catalog, .. } = &depot;
    let number = articles[0]["article_number"].as_str().unwrap();
    let input = json!({
        "article_number": number.to_lowercase(), "warehouse_short_code": " du ", "availability_type": "quantity",
        "quantity": "36.3", "lead_time": 2880,
    });
    let created = user.post(PATH, input).await.is(201);
    for (field, expected) in [
        ("tenant", json!({ "id": catalog.app.north, "short_code": "NORD" })),
        ("warehouse", json!({ "id": depot.warehouses[0], "short_code": "DU" })),
        ("availability_type", json!("quantity")),
        ("quantity", json!("36.3")),
        ("quantity_unit", json!("m")),
        ("lead_time", json!(2880)),
        ("length", Value::Null),
        ("external_price", Value::Null),
        ("external_bulk_prices", json!([])),
        ("confirmed_at", Value::Null),
        ("version", json!(1)),
    ] {
        assert_eq!(created[field], expected, "{field}");
    }
    assert_eq!(
        (&created["article"]["id"], &created["article"]["base_unit"]),
        (&articles[0]["id"], &json!("m"))
    );
    let uri = format!("{PATH}/{}", id(&created));
    assert_eq!(user.get(&uri).await.is(200), created);
    // a record that was read can be sent back
    assert_eq!(user.put(&uri, created.clone()).await.is(200)["quantity"], "36.3");
    let changed = user.send(Method::PATCH, &uri, Some(json!({ "quantity": "0" }))).await.is(200);
    assert_eq!((&changed["quantity"], &changed["lead_time"]), (&json!("0"), &json!(2880)));
    assert_eq!(user.put(&uri, json!({ "availability_type": "always", "version": 1, "article_id": articles[0]["id"], "warehouse_id": depot.warehouses[0] })).await.is(409)["code"], "stale");

    let history = user.get("/api/admin/audit?filter[record]=stock&sort=at").await.is(200);
    assert_eq!(history["data"][0]["record_name"], format!("{number}, DU"));
    // records in use cannot be deleted
    let used = catalog.admin.delete(&format!("{ARTICLES}/{}?confirm={number}", articles[0]["id"])).await;
    assert_eq!(used.is(409)["code"], "in_use");
    let used = user.delete(&format!("/api/admin/warehouses/{}", depot.warehouses[0])).await.is(409);
    assert_eq!(used["code"], "in_use");
    let price = json!({ "external_price": { "price": "850", "unit": "t" } });
    user.put(&format!("/api/admin/prices/{}", id(&created)), price).await.is(200);
    user.delete(&uri).await.is(204);
    user.get(&uri).await.is(404);
    // its price is deleted, but is in the history
    let history = user.get("/api/admin/audit?filter[record]=stock&filter[action]=deleted").await.is(200);
    let changes = history["data"][0]["changes"].as_array().unwrap();
    let lost = |field: &str| changes.iter().find(|change| change["field"] == field).unwrap()["from"].clone();
    assert_eq!([lost("external_price"), lost("quantity")], [json!("850"), json!("0")]);
}

#[actix_web::test]
async fn quantities_in_any_unit_are_exact_or_weighed_to_six_decimal_places() {
    let depot = Depot::new().await;
    let user = &depot.user;
    for (quantity, unit, kept) in [
        ("3", "piece", "36"),
        ("36300", "mm", "36.3"),
        ("61.3", "kg", "1"),
        ("0.0613", "t", "1"),
        ("0", "piece", "0"),
        // 61.3 kg a metre: the same in each unit of mass
        ("1000", "kg", "16.313214"),
        ("1", "t", "16.313214"),
        ("1000000", "g", "16.313214"),
        ("14157", "kg", "230.946166"),
    ] {
        let mut input = depot.stock(0, 0);
        (input["quantity"], input["quantity_unit"]) = (quantity.into(), unit.into());
        let created = user.post(PATH, input).await.is(201);
        assert_eq!(created["quantity"], kept, "{quantity} {unit}");
        if unit == "kg" {
            assert_eq!(created["weight"], quantity, "weighed again");
        }
        user.delete(&format!("{PATH}/{}", id(&created))).await.is(204);
    }
    for (article, quantity, unit, path, code) in [
        (0, "0.0001", "mm", "quantity", "not_exact"),
        (0, "-0.000001", "m", "quantity", "too_small"),
        (0, "1", "l", "quantity_unit", "wrong_unit_category"),
        (1, "1", "kg", "quantity_unit", "no_weight"),
    ] {
        let mut input = depot.stock(article, 0);
        (input["quantity"], input["quantity_unit"]) = (quantity.into(), unit.into());
        let refused = user.post(PATH, input).await.is(422);
        assert_eq!(refused["error_codes"], json!({ path: [code] }), "{quantity} {unit}");
    }
    let seventh = json!({ "quantity": "1.1234567" });
    let mut input = depot.stock(0, 0);
    input["quantity"] = seventh["quantity"].clone();
    assert_eq!(user.post(PATH, input).await.is(422)["error_codes"]["quantity"], json!(["no_decimal"]));
}

#[actix_web::test]
async fn errors_of_a_stock_are_reported_at_their_fields() {
    let depot = Depot::new().await;
    let Depot { user, catalog, .. } = &depot;
    let south = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    let foreign = id(&south.post("/api/admin/warehouses", warehouse("Linz", "LNZ")).await.is(201));
    let with = |changes: Value| {
        let mut input = depot.stock(0, 0);
        for (field, value) in changes.as_object().unwrap() {
            input[field] = value.clone();
        }
        input
    };
    let base = || json!({ "availability_type": "always" });
    for (input, codes) in [
        (base(), json!({ "article_id": ["required"], "warehouse_id": ["required"] })),
        (with(json!({ "warehouse_id": foreign })), json!({ "warehouse_id": ["unknown_reference"] })),
        (
            with(json!({ "warehouse_short_code": "HH" })),
            json!({ "warehouse_id": ["references_disagree"], "warehouse_short_code": ["references_disagree"] }),
        ),
        (with(json!({ "quantity": null })), json!({ "quantity": ["required"] })),
        (with(json!({ "availability_type": "always" })), json!({ "quantity": ["quantity_not_allowed"] })),
        (with(json!({ "lead_time": 43201 })), json!({ "lead_time": ["invalid_duration"] })),
        (with(json!({ "length": "0" })), json!({ "length": ["not_greater"] })),
    ] {
        let refused = user.post(PATH, input.clone()).await.is(422);
        assert_eq!(refused["error_codes"], codes, "{input}");
    }
    user.post(PATH, depot.stock(0, 0)).await.is(201);
    let twice = user.post(PATH, depot.stock(0, 0)).await.is(422);
    assert_eq!(twice["error_codes"], json!({ "warehouse_id": ["stock_taken"] }));
    user.post(PATH, depot.stock(0, 1)).await.is(201);
    // a platform administrator has to choose the tenant
    assert_eq!(catalog.admin.get(PATH).await.is(422)["code"], "tenant_required");
}

#[actix_web::test]
async fn stocks_are_found_by_several_fields_and_hide_prices_without_the_permission() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let first = user.post(PATH, depot.stock(0, 0)).await.is(201);
    let mut other = depot.stock(1, 1);
    other["quantity"] = "5".into();
    user.post(PATH, other).await.is(201);
    let total = async |filter: &str| {
        user.get(&format!("{PATH}?{filter}")).await.is(200)["meta"]["total"].as_u64().unwrap()
    };
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    for (filter, expected) in [
        (format!("filter[search]={number}"), 1),
        ("filter[search]=M-200".to_owned(), 1),
        ("filter[search]=M-2".to_owned(), 2),
        (format!("filter[article_id]={}", depot.articles[1]["id"]), 1),
        (format!("filter[article_type_id]={}", depot.measured), 2),
        (format!("filter[material_id]={}", depot.catalog.material), 2),
        (format!("filter[warehouse_id]={}", depot.warehouses[1]), 1),
        ("filter[quantity_lesser_than]=36.3".to_owned(), 1),
        ("filter[quantity_lesser_equals]=36.3&sort=-quantity".to_owned(), 2),
        ("filter[availability_type]=always".to_owned(), 0),
    ] {
        assert_eq!(total(&filter).await, expected, "{filter}");
    }
    let price = json!({ "external_price": { "price": "850", "unit": "t" } });
    user.put(&format!("/api/admin/prices/{}", id(&first)), price).await.is(200);
    let uri = format!("{PATH}/{}", id(&first));
    assert_eq!(user.get(&uri).await.is(200)["external_price"]["price"], "850");
    let blind =
        depot.catalog.app.caller(Some(depot.catalog.app.north), all_but(permissions::VIEW_PRICE)).await;
    assert_eq!(blind.get(&uri).await.is(200)["external_price"], Value::Null);
}

#[actix_web::test]
async fn an_export_can_be_imported_and_changes_nothing() {
    let depot = Depot::new().await;
    let Depot { user, catalog, .. } = &depot;
    let mut remnant = depot.stock(0, 0);
    (remnant["length"], remnant["quantity"], remnant["lead_time"]) = ("6000".into(), "6".into(), 90.into());
    for input in [depot.stock(0, 0), depot.stock(1, 1), remnant] {
        user.post(PATH, input).await.is(201);
    }
    for (kind, list) in [("Stock", "stocks"), ("Price", "prices")] {
        if kind == "Price" {
            for stock in user.get(PATH).await.is(200)["data"].as_array().unwrap() {
                let money =
                    |price: &str, per: &str| json!({ "price": price, "price_quantity": per, "unit": "m" });
                let tier = |from: &str, price: &str, per: &str| {
                    let mut tier = money(price, per);
                    let (quantity, unit) = from.split_once(' ').unwrap();
                    (tier["quantity_from"], tier["quantity_unit"]) = (quantity.into(), unit.into());
                    tier
                };
                // for another quantity than the price, and from quantities in several units
                let price = json!({
                    "external_price": money("92.5", "100"), "internal_price": money("80", "100"),
                    "external_bulk_prices": [
                        tier("120 m", "91", "100"), tier("15 piece", "9.1", "10"), tier("240 m", "9.05", "10"),
                    ],
                    "internal_bulk_prices": [tier("120000 mm", "7.9", "10")],
                });
                user.put(&format!("/api/admin/prices/{}", id(stock)), price).await.is(200);
            }
        }
        for client in [user.clone(), user.german()] {
            let file = client.get(&format!("/api/admin/{list}/export?format=csv")).await;
            let file = String::from_utf8(file.bytes.to_vec()).unwrap();
            let has_tiers =
                ["Staffelpreis 2 je", "Interner Staffelpreis 1 Einheit", "Internal bulk price 1 unit"];
            assert_eq!(kind == "Price", has_tiers.iter().any(|name| file.contains(name)), "{file}");
            let form = Form::new().field("type", kind).file("export.csv", file);
            let workers = catalog.app.workers().await;
            let import = ended(user, &form.send(user, IMPORTS).await.is(201)).await;
            workers.end().await;
            assert_eq!((&import["status"], counts(&import)), (&json!("Success"), [0, 0, 3, 0]), "{import}");
        }
    }
    let shown = user.get(PATH).await.is(200);
    assert!(shown["data"].as_array().unwrap().iter().all(|stock| stock["confirmed_at"].is_string()));
}

#[actix_web::test]
async fn stocks_and_prices_are_sorted_by_article_number() {
    let depot = Depot::new().await;
    let Depot { user, catalog, .. } = &depot;
    let mut number = catalog.article(1, "12");
    number["article_number"] = "M-9".into();
    let ninth = catalog.admin.post(ARTICLES, number).await.is(201);
    let mut of_ninth = depot.stock(0, 0);
    of_ninth["article_id"] = ninth["id"].clone();
    // M-200-…, M-240-…, and M-9 before them
    for input in [depot.stock(1, 0), depot.stock(0, 1), of_ninth, depot.stock(0, 0)] {
        user.post(PATH, input).await.is(201);
    }
    let [first, second] = &depot.articles;
    let [first, second] = [first, second].map(|article| article["article_number"].clone());
    let mut expected = vec![json!("M-9"), first.clone(), first, second];
    for sort in ["article_number", "-article_number"] {
        for list in [PATH, "/api/admin/prices"] {
            let mut found = Vec::new();
            for page in 1..=2 {
                let uri = format!("{list}?sort={sort}&page[size]=3&page[number]={page}");
                let rows = user.get(&uri).await.is(200)["data"].clone();
                found.extend(
                    rows.as_array().unwrap().iter().map(|row| row["article"]["article_number"].clone()),
                );
            }
            assert_eq!(found, expected, "{list} by {sort}");
            let file = user.get(&format!("{list}/export?format=csv&sort={sort}")).await;
            let file = String::from_utf8(file.bytes.to_vec()).unwrap();
            let places: Vec<_> = expected.iter().map(|number| file.find(number.as_str().unwrap())).collect();
            assert!(places.is_sorted(), "{list} by {sort}: {file}");
        }
        expected.reverse();
    }
}

#[actix_web::test]
async fn the_age_of_a_stock_is_that_of_its_last_change_or_confirmation() {
    let depot = Depot::new().await;
    let Depot { user, articles, catalog, .. } = &depot;
    let number = articles[0]["article_number"].as_str().unwrap();
    for warehouse in [0, 1] {
        user.post(PATH, depot.stock(0, warehouse)).await.is(201);
    }
    let tx = catalog.app.db.begin().await.unwrap();
    tx.execute_unprepared("UPDATE stock SET updated_at = '2026-01-01T00:00:00+00:00'").await.unwrap();
    tx.commit().await.unwrap();
    let known = async |comparison: &str| {
        let uri = format!("{PATH}?filter[known_at_{comparison}]=2026-06-01T00:00:00Z");
        user.get(&uri).await.is(200)["meta"]["total"].as_i64().unwrap()
    };
    let old = async || {
        let attention = user.get("/api/admin/attention").await.is(200);
        let lines = attention["data"].as_array().unwrap().iter();
        lines.clone().find(|line| line["about"] == "old_stocks").unwrap()["count"].as_i64().unwrap()
    };
    assert_eq!((known("lesser_than").await, known("greater_equals").await, old().await), (2, 0, 2));

    let workers = catalog.app.workers().await;
    let file = format!("Artikelnummer;Lager;Menge\r\n{number};DU;36,3\r\n");
    for (dry_run, expected) in [("true", (2, 0, 2)), ("false", (1, 1, 1))] {
        let form = Form::new().field("type", "Stock").field("dry_run", dry_run).file("bestand.csv", &file);
        let import = ended(user, &form.send(user, IMPORTS).await.is(201)).await;
        assert_eq!(counts(&import), [0, 0, 1, 0], "{import}");
        let found = (known("lesser_than").await, known("greater_equals").await, old().await);
        assert_eq!(found, expected, "dry run: {dry_run}");
    }
    let uri = format!("{PATH}?filter[known_at]=2026-06-01T00:00:00Z");
    user.get(&uri).await.is_refused_at(&["filter[known_at]"]);
    workers.end().await;
}
