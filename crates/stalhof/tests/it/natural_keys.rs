//! Records by their natural keys, written back as they were read, and changed field by field.

use actix_web::http::{Method, StatusCode};
use catalog::permissions;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, ATTRIBUTES, Catalog, MATERIALS, TYPES, id},
    support::{Client, TestApp, all_but},
    warehouses::warehouse,
};

const BY_NUMBER: &str = "/api/admin/articles/by-number";

async fn patch(client: &Client, uri: &str, body: Value) -> crate::support::Answer {
    client.send(Method::PATCH, uri, Some(body)).await
}

fn numbered(catalog: &Catalog, number: &str) -> Value {
    let mut article = catalog.article(0, "12");
    article["article_number"] = json!(number);
    article
}

#[actix_web::test]
async fn an_article_is_created_found_and_changed_by_its_number() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    admin.get(&format!("{BY_NUMBER}/HEB-200")).await.is(404);
    let answer = admin.put(&format!("{BY_NUMBER}/HEB-200"), catalog.article(0, "12")).await;
    let created = answer.is(201);
    assert_eq!(answer.header("location"), format!("{ARTICLES}/{}", id(&created)));
    assert_eq!(
        (&created["article_number"], &created["article_number_overridden"]),
        (&json!("HEB-200"), &json!(true))
    );
    for spelling in ["HEB-200", "heb-200", "%20HEB-200%20", "H%C3%89B-200"] {
        let found = admin.get(&format!("{BY_NUMBER}/{spelling}")).await.is(200);
        assert_eq!(found, created, "{spelling}");
    }

    let mut change = catalog.article(1, "6");
    change["version"] = json!(1);
    let answer = admin.put(&format!("{BY_NUMBER}/heb-200"), change.clone()).await;
    let changed = answer.is(200);
    assert_eq!(answer.header("location"), "");
    assert_eq!((&changed["id"], &changed["article_number"]), (&created["id"], &json!("HEB-200")));
    assert_eq!(changed["article_name"], "HEB 220, S235JR+AR, 6 m, gestrahlt");
    assert_eq!(admin.put(&format!("{BY_NUMBER}/HEB-200"), change.clone()).await.is(409)["code"], "stale");
    // a record that does not exist has no version
    assert_eq!(admin.put(&format!("{BY_NUMBER}/HEB-201"), change).await.is(409)["code"], "stale");
    admin.get(&format!("{BY_NUMBER}/HEB-201")).await.is(404);

    let spelt = admin.put(&format!("{BY_NUMBER}/heb-200"), numbered(&catalog, "Heb-200")).await.is(200);
    assert_eq!(spelt["article_number"], "Heb-200");
    let other = admin.put(&format!("{BY_NUMBER}/HEB-200"), numbered(&catalog, "HEB-300")).await;
    assert_eq!(
        other.is_refused_at(&["article_number"])["error_codes"]["article_number"],
        json!(["other_key"])
    );
    let german =
        admin.german().put(&format!("{BY_NUMBER}/HEB-200"), numbered(&catalog, "HEB-300")).await.is(422);
    assert_eq!(
        german["errors"]["article_number"][0],
        "Die Adresse nennt „HEB-200“. Bitte senden Sie dasselbe oder nichts; umbenannt wird unter der Adresse mit der ID."
    );
    let faulty = json!({ "article_type_id": id(&catalog.beam), "values": [], "article_number": "X" });
    let refused = admin.put(&format!("{BY_NUMBER}/HEB-200"), faulty).await.is(422);
    assert!(refused["errors"].get("article_number").is_some());
}

#[actix_web::test]
async fn numbers_with_special_characters_work_in_paths() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    for (encoded, number) in [
        ("A%2FB", "A/B"),
        ("%2F", "/"),
        ("Fl.%2050%20x%2010", "Fl. 50 x 10"),
        ("St%C3%BCck", "Stück"),
        ("100%25", "100%"),
        ("A%252FB", "A%2FB"),
        ("S355J2+N", "S355J2+N"),
        ("S355J2%2BC", "S355J2+C"),
        ("a%3Fb%23c", "a?b#c"),
        ("50.x", "50.x"),
        ("usage", "usage"),
        ("%22q%22", "\"q\""),
    ] {
        let uri = format!("{BY_NUMBER}/{encoded}");
        let created = admin.put(&uri, catalog.article(0, "12")).await.is(201);
        assert_eq!(created["article_number"], number, "{encoded}");
        assert_eq!(admin.get(&uri).await.is(200)["id"], created["id"], "{encoded}");
        assert_eq!(admin.put(&uri, catalog.article(0, "12")).await.is(200)["id"], created["id"], "{encoded}");
    }
    for nothing in ["%00", "%FF", "a%0Ab", &"x".repeat(300)] {
        admin.get(&format!("{BY_NUMBER}/{nothing}")).await.is(404);
    }
    admin.put(&format!("{BY_NUMBER}/%20"), catalog.article(0, "12")).await.is(404);
    admin.put(&format!("{BY_NUMBER}/{}", "x".repeat(255)), catalog.article(0, "12")).await.is(201);
    admin
        .put(&format!("{BY_NUMBER}/{}", "x".repeat(256)), catalog.article(0, "12"))
        .await
        .is_refused_at(&["article_number"]);
}

#[actix_web::test]
async fn creating_by_number_also_needs_the_permission_to_create() {
    let catalog = Catalog::new().await;
    let changes = catalog.app.caller(None, all_but(permissions::CREATE_ARTICLE)).await;
    let uri = format!("{BY_NUMBER}/HEB-200");
    let refused = changes.put(&uri, catalog.article(0, "12")).await.is(403);
    assert!(refused["message"].as_str().unwrap().contains("article.create"), "{refused}");
    catalog.admin.put(&uri, catalog.article(0, "12")).await.is(201);
    changes.put(&uri, catalog.article(0, "12")).await.is(200);
    let tenant = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
    assert_eq!(tenant.put(&uri, catalog.article(0, "12")).await.is(403)["code"], "platform_only");
    tenant.get(&uri).await.is(200);
}

#[actix_web::test]
async fn an_article_can_be_written_back_as_it_was_read() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let created = admin.post(ARTICLES, catalog.article(0, "12.1")).await.is(201);
    let uri = format!("{ARTICLES}/{}", id(&created));
    let by_number = format!("{BY_NUMBER}/HEB-200-S235-12.1");
    let mut read = admin.german().get(&uri).await.is(200);
    for to in [&uri, &by_number] {
        let written = admin.put(to, read.clone()).await.is(200);
        for field in
            ["article_number", "article_number_overridden", "weight_per_base_unit_overridden", "material"]
        {
            assert_eq!(written[field], read[field], "{field}");
        }
        read = admin.get(&uri).await.is(200);
    }

    // computed values are computed again: another length, another number
    read["values"][1]["number"] = json!("6");
    let longer = admin.put(&uri, read.clone()).await.is(200);
    assert_eq!(longer["article_number"], "HEB-200-S235-6");
    assert_eq!(longer["article_number_overridden"], false);
    assert_eq!(longer["article_name"], "HEB 200 mm, S235JR+AR, 6 m, gestrahlt");
    // but not by number, since a repeated call would not find the record
    let mut read = longer;
    read["values"][1]["number"] = json!(7.5);
    let by_number = format!("{BY_NUMBER}/HEB-200-S235-6");
    let held = admin.put(&by_number, read.clone()).await.is(200);
    assert_eq!(
        (&held["article_number"], &held["article_number_overridden"]),
        (&json!("HEB-200-S235-6"), &json!(true))
    );
    assert_eq!(held["values"][1]["display"], "7.5 m");

    for (path, value, place) in [
        ("/id", json!(1_000), "id"),
        ("/material/name", json!("S355"), "material.name"),
        ("/article_type/id", json!(77), "article_type.id"),
        ("/values/1/display", json!("8 m"), "values.1.display"),
        ("/created_at", json!("2020-01-01T00:00:00Z"), "created_at"),
        ("/article_number_overridden", json!(false), "article_number_overridden"),
    ] {
        let mut body = held.clone();
        *body.pointer_mut(path).unwrap() = value;
        for to in [&uri, &by_number] {
            let refused = admin.put(to, body.clone()).await.is_refused_at(&[place]);
            assert_eq!(refused["error_codes"][place], json!(["read_only"]), "{path}");
        }
    }
    let mut body = held.clone();
    (body["id"], body["colour"]) = (json!(9), json!("red"));
    let refused = admin.german().put(&uri, body).await.is_refused_at(&["colour", "id"]);
    assert_eq!(
        refused["errors"]["id"][0],
        "Dieses Feld kann nur gelesen werden. Bitte senden Sie es unverändert oder gar nicht."
    );
    assert_eq!(admin.get(&uri).await.is(200), held);
    // there is no record that the body could have been read from
    let elsewhere = format!("{BY_NUMBER}/NEU");
    assert_eq!(admin.put(&elsewhere, held.clone()).await.is(409)["code"], "stale");
    let mut held = held;
    held["version"] = Value::Null;
    let elsewhere = admin.put(&elsewhere, held).await.is(422);
    assert_eq!(elsewhere["error_codes"]["id"], json!(["read_only"]));
    assert_eq!(elsewhere["error_codes"]["article_number"], json!(["other_key"]));
}

#[actix_web::test]
async fn a_patch_of_an_article_changes_only_the_fields_sent() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let created = admin.post(ARTICLES, catalog.article(0, "12")).await.is(201);
    let uri = format!("{ARTICLES}/{}", id(&created));
    let heavy = patch(admin, &uri, json!({ "weight_per_base_unit": 62.5 })).await.is(200);
    assert_eq!((&heavy["weight_per_base_unit"], &heavy["version"]), (&json!("62.5"), &json!(2)));
    for field in ["article_number", "article_name", "values", "material", "article_number_overridden"] {
        assert_eq!(heavy[field], created[field], "{field}");
    }
    let light = patch(admin, &uri, json!({ "weight_per_base_unit": null })).await.is(200);
    assert_eq!(
        (&light["weight_per_base_unit"], &light["weight_per_base_unit_overridden"]),
        (&json!("61.3"), &json!(false))
    );

    let mut values = catalog.article(1, "6")["values"].clone();
    let moved = patch(admin, &uri, json!({ "values": values })).await.is(200);
    assert_eq!(moved["article_number"], "HEB-220-S235-6", "derived fields are derived again");
    let named = patch(admin, &uri, json!({ "article_number": "EIGEN" })).await.is(200);
    assert_eq!(named["article_number_overridden"], true);
    values[1]["number"] = json!("7");
    let kept = patch(admin, &format!("{BY_NUMBER}/eigen"), json!({ "values": values })).await.is(200);
    assert_eq!((&kept["article_number"], &kept["values"][1]["number"]), (&json!("EIGEN"), &json!("7")));
    let back = patch(admin, &uri, json!({ "article_number": null })).await.is(200);
    assert_eq!(
        (&back["article_number"], &back["article_number_overridden"]),
        (&json!("HEB-220-S235-7"), &json!(false))
    );

    assert_eq!(patch(admin, &uri, json!({})).await.is(200)["article_number"], "HEB-220-S235-7");
    patch(admin, &uri, json!({ "material_id": null })).await.is_refused_at(&["material_id"]);
    patch(admin, &uri, json!({ "article_type_id": null })).await.is_refused_at(&["article_type_id"]);
    patch(admin, &uri, json!({ "colour": 1 })).await.is_refused_at(&["colour"]);
    patch(admin, &uri, json!({ "id": 0 })).await.is_refused_at(&["id"]);
    patch(admin, &uri, json!({ "id": id(&back), "material": back["material"] })).await.is(200);
    patch(admin, &uri, json!([1])).await.is_refused_at(&["body"]);
    patch(admin, &uri, json!({ "version": 1 })).await.is(409);
    patch(admin, &format!("{ARTICLES}/999999"), json!({})).await.is(404);
    patch(admin, &format!("{BY_NUMBER}/fehlt"), json!({})).await.is(404);
    let renamed = json!({ "article_number": "X" });
    patch(admin, &format!("{BY_NUMBER}/HEB-220-S235-7"), renamed).await.is_refused_at(&["article_number"]);
    let merge = admin
        .request(Method::PATCH, &uri)
        .set_payload(r#"{"article_name":"Restposten"}"#)
        .insert_header(("content-type", "application/merge-patch+json"));
    assert_eq!(admin.call(merge).await.is(200)["article_name"], "Restposten");
    let text =
        admin.request(Method::PATCH, &uri).set_payload("{}").insert_header(("content-type", "text/plain"));
    assert_eq!(admin.call(text).await.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

/// All resources whose records are written as they are read, each with an input.
async fn records(catalog: &Catalog) -> Vec<(Client, &'static str, Value)> {
    let admin = || catalog.admin.clone();
    let tenant = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
    let group = json!({ "name": "Profile", "description": "x" });
    let group = id(&catalog.admin.post("/api/admin/article-type-groups", group).await.is(201));
    let depot = id(&tenant.post("/api/admin/warehouses", warehouse("Ruhrort", "RU")).await.is(201));
    let article = id(&catalog.admin.post(ARTICLES, catalog.article(0, "9")).await.is(201));
    let above = json!({ "name": "Oben", "parent_id": null });
    let above = id(&catalog.admin.post("/api/admin/categories", above).await.is(201));
    let ladder = json!({ "name": "Stufen", "clusters": [
        { "short_code": "L06", "maximum": "6", "calculation_value": "6" },
        { "short_code": "L12", "minimum": "6", "maximum": "12", "calculation_value": "12" },
    ] });
    let mut option = crate::catalog::height();
    option["name"] = json!("Breite");
    vec![
        (admin(), ARTICLES, catalog.article(0, "12")),
        (admin(), MATERIALS, json!({ "name": "S355J2", "density": "7.85", "material_number": "1.0577" })),
        (admin(), ATTRIBUTES, option),
        (
            admin(),
            ATTRIBUTES,
            json!({ "name": "Dicke", "type": "metric", "unit_category": "length", "default_unit": "mm" }),
        ),
        (
            admin(),
            TYPES,
            json!({
                "name": "Rohr", "article_number_template": "R-{laenge}", "article_name_template": "Rohr {laenge}",
                "base_unit_of_measure": "m", "listing_unit_of_measure": "m", "price_unit_of_measure": "m",
                "article_type_group_id": group, "attributes": [{ "attribute_id": id(&catalog.length), "primary": true }],
            }),
        ),
        (admin(), "/api/admin/article-type-groups", json!({ "name": "Bleche", "description": null })),
        (admin(), "/api/admin/trade-dimensions", ladder),
        (
            admin(),
            "/api/admin/processings",
            json!({ "name": "Sägen", "type": "sawing", "article_number_addition_template": "-{schnittlaenge}" }),
        ),
        (
            admin(),
            "/api/admin/categories",
            json!({ "name": "Unten", "parent_id": above, "article_type_id": id(&catalog.beam) }),
        ),
        (
            admin(),
            "/api/admin/tenant-groups",
            json!({ "name": "Verbund", "tenant_ids": [catalog.app.north] }),
        ),
        (
            admin(),
            "/api/admin/tenants",
            json!({ "company": "West GmbH", "short_code": "WEST", "permissions": ["access-shop"] }),
        ),
        (admin(), "/api/admin/roles", json!({ "name": "Lesen", "permissions": ["article.list"] })),
        (tenant.clone(), "/api/admin/warehouses", warehouse("Duisburg", "DU")),
        (
            tenant,
            "/api/admin/matchings",
            json!({
                "article_id": article, "external_article_number": "4711", "warehouse_id": depot, "external_warehouse_identifier": "L1",
            }),
        ),
    ]
}

#[actix_web::test]
async fn every_record_can_be_written_back_as_it_was_read() {
    let catalog = Catalog::new().await;
    for (client, list, input) in records(&catalog).await {
        let created = client.post(list, input).await.is(201);
        let uri = format!("{list}/{}", id(&created));
        let mut last = client.get(&uri).await.is(200);
        for method in [Method::PUT, Method::PATCH] {
            let written = client.send(method.clone(), &uri, Some(last.clone())).await.is(200);
            let same = |record: &Value| {
                let mut record = record.clone();
                (record["version"], record["updated_at"]) = (json!(0), json!(0));
                record
            };
            assert_eq!(same(&written), same(&last), "{method} {list}");
            last = written;
        }
        let untouched = patch(&client, &uri, json!({})).await.is(200);
        assert_eq!(untouched["id"], last["id"], "{list}");
        let mut wrong = untouched.clone();
        wrong["created_at"] = json!("2020-01-01T00:00:00Z");
        for method in [Method::PUT, Method::PATCH] {
            client.send(method, &uri, Some(wrong.clone())).await.is_refused_at(&["created_at"]);
        }
        patch(&client, &uri, json!({ "no_such_field": 1 })).await.is_refused_at(&["no_such_field"]);
    }
}

#[actix_web::test]
async fn other_records_are_found_by_name_or_short_code() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let uri = format!("{MATERIALS}/by-name/s235jr");
    assert_eq!(admin.get(&uri).await.is(200)["id"], catalog.material);
    assert_eq!(patch(admin, &uri, json!({ "density": "7.85" })).await.is(200)["name"], "S235JR");
    let steel = admin.put(&format!("{MATERIALS}/by-name/S355J2%2BN"), json!({ "name": "S355J2+N" })).await;
    assert_eq!(steel.header("location"), format!("{MATERIALS}/{}", id(&steel.is(201))));
    admin.put(&format!("{MATERIALS}/by-name/S355"), json!({ "name": "S275" })).await.is_refused_at(&["name"]);
    // the name is in the path
    assert_eq!(admin.put(&format!("{MATERIALS}/by-name/S355"), json!({})).await.is(201)["name"], "S355");
    assert_eq!(admin.get(&format!("{ATTRIBUTES}/by-name/hohe")).await.is(200)["id"], catalog.height["id"]);
    assert_eq!(
        admin.get(&format!("{TYPES}/by-name/breitflanschtrager%20heb")).await.is(200)["id"],
        catalog.beam["id"]
    );

    let [north, south] = [app.north, app.south].map(|tenant| app.caller(Some(tenant), PermissionSet::all()));
    let (north, south) = (north.await, south.await);
    let depot = "/api/admin/warehouses/by-short-code/DU";
    let ours = north.put(depot, warehouse("Duisburg", "DU")).await.is(201);
    south.get(depot).await.is(404);
    let theirs = south.put(depot, warehouse("Duisburg", "du")).await.is(201);
    assert_ne!(ours["id"], theirs["id"]);
    assert_eq!(north.get(depot).await.is(200)["id"], ours["id"]);
    assert_eq!(admin.get(depot).await.is(422)["code"], "tenant_required");
    assert_eq!(admin.get(&format!("{depot}?tenant_id={}", app.south)).await.is(200)["id"], theirs["id"]);
}

/// The requests are concurrent, to two processes.
#[actix_web::test]
async fn concurrent_creations_by_one_number_yield_one_article() {
    let catalog = Catalog::new().await;
    let here = catalog.admin.clone();
    let there = catalog.app.another_process().await.signed_in(&json!(here.token));
    for round in 0..8 {
        let uri = format!("{BY_NUMBER}/RACE-{round}");
        let call = |client: &Client, length: &str| {
            let (client, uri, article) = (client.clone(), uri.clone(), catalog.article(0, length));
            async move { client.put(&uri, article).await.status.as_u16() }
        };
        let (a, b, c, d) =
            futures_util::join!(call(&here, "6"), call(&there, "12"), call(&here, "7"), call(&there, "8"));
        let mut found = [a, b, c, d];
        found.sort_unstable();
        assert_eq!(found.iter().filter(|status| **status == 201).count(), 1, "{found:?}");
        assert!(found.iter().all(|status| matches!(status, 200 | 201 | 409)), "{found:?}");
        let listed = here.get(&format!("{ARTICLES}?filter[article_number]=RACE-{round}")).await.is(200);
        assert_eq!(listed["meta"]["total"], 1);
    }
}

#[actix_web::test]
async fn concurrent_patches_of_different_fields_lose_nothing() {
    let catalog = Catalog::new().await;
    let here = catalog.admin.clone();
    let there = catalog.app.another_process().await.signed_in(&json!(here.token));
    let created = here.post(ARTICLES, catalog.article(0, "12")).await.is(201);
    let uri = format!("{ARTICLES}/{}", id(&created));
    for round in 1..=5 {
        let weight = json!({ "weight_per_base_unit": format!("{round}.5") });
        let name = json!({ "article_name": format!("Name {round}") });
        let (a, b) = futures_util::join!(patch(&here, &uri, weight), patch(&there, &uri, name));
        a.is(200);
        b.is(200);
        let article = here.get(&uri).await.is(200);
        assert_eq!(article["weight_per_base_unit"], format!("{round}.5"));
        assert_eq!(article["article_name"], format!("Name {round}"));
    }
}

#[actix_web::test]
async fn a_number_can_be_created_again_after_a_deletion() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let uri = format!("{MATERIALS}/by-name/S1");
    let first = admin.put(&uri, json!({})).await.is(201);
    admin.delete(&format!("{MATERIALS}/{}", id(&first))).await.is(204);
    let second = admin.put(&uri, json!({})).await.is(201);
    assert_ne!(first["id"], second["id"]);
}

#[actix_web::test]
async fn a_list_of_articles_includes_the_values_on_request() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let article = admin.post(ARTICLES, catalog.article(0, "12.1")).await.is(201);
    admin.post(ARTICLES, catalog.article(1, "6")).await.is(201);
    let plain = admin.get(ARTICLES).await.is(200);
    assert!(plain["data"][0].get("values").is_none());
    let listed = admin.get(&format!("{ARTICLES}?include=values&page[size]=1")).await.is(200);
    assert_eq!((&listed["data"][0]["values"], &listed["meta"]["total"]), (&article["values"], &json!(2)));
    let german = admin.german().get(&format!("{ARTICLES}?include=values")).await.is(200);
    assert_eq!(german["data"][0]["values"][1]["display"], "12,1 m");

    for (query, code) in
        [("nonsense", "invalid_parameter"), ("", "invalid_parameter"), ("values,x", "invalid_parameter")]
    {
        let refused = admin.get(&format!("{ARTICLES}?include={query}")).await.is_refused_at(&["include"]);
        assert_eq!(refused["error_codes"]["include"], json!([code]), "{query}");
        assert!(refused["errors"]["include"][0].as_str().unwrap().contains("values"), "{refused}");
    }
    let german = admin.german().get(&format!("{ARTICLES}?include=nonsense")).await.is(422);
    assert_eq!(german["errors"]["include"][0], "Ungültiger Wert; erwartet wird values.");
    admin.get(&format!("{ARTICLES}?include=values&include=values")).await.is_refused_at(&["include"]);
    admin.get(&format!("{MATERIALS}?include=values")).await.is_refused_at(&["include"]);
    admin.get(&format!("{ARTICLES}/export?format=csv&include=values")).await.is_refused_at(&["include"]);
}
