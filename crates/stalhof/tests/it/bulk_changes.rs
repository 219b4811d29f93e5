//! Bulk operations on many records.

use serde_json::{Value, json};

use crate::catalog::{ARTICLES, ATTRIBUTES, Catalog, MATERIALS, TYPES, column, id};

fn selection(ids: &[i64]) -> Value {
    json!({ "ids": ids, "count": ids.len() })
}

/// Creates materials with these names.
async fn materials(catalog: &Catalog, names: &[&str]) -> Vec<i64> {
    let mut ids = Vec::new();
    for name in names {
        ids.push(id(&catalog.admin.post(MATERIALS, json!({ "name": name })).await.is(201)));
    }
    ids
}

#[actix_web::test]
async fn a_bulk_deletion_keeps_records_in_use_and_reports_the_reason() {
    let catalog = Catalog::new().await;
    let Catalog { admin, material, .. } = &catalog;
    let mut ids = materials(&catalog, &["A1", "A2"]).await;
    admin.post(ARTICLES, catalog.article(0, "12")).await.is(201);
    ids.push(*material);
    let bulk = format!("{MATERIALS}/bulk-delete");
    let body = admin.post(&bulk, selection(&ids)).await.is(200);
    assert_eq!(body["done"], 2);
    let refused = &body["refused"][0];
    assert_eq!((&refused["id"], &refused["name"]), (&json!(material), &json!("S235JR")));
    assert!(refused["messages"][0].as_str().unwrap().contains("(articles: 1)"), "{refused}");
    assert_eq!(column(&admin.get(MATERIALS).await.is(200), "name"), ["S235JR"]);

    // A record deleted meanwhile makes the selection differ from the one that was shown.
    let gone = admin.post(&bulk, selection(&ids)).await.is(409);
    assert_eq!(gone["code"], "selection_changed");
    let nobody = catalog.app.caller(Some(catalog.app.north), values::PermissionSet::all()).await;
    let refused = nobody.post(&bulk, selection(&[*material])).await.is(200);
    assert_eq!(
        refused["refused"][0]["messages"][0],
        "Only platform administrators can change platform-wide master data."
    );
}

#[actix_web::test]
async fn a_selection_without_ids_covers_all_filtered_records() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    materials(&catalog, &["Edelstahl 1", "Edelstahl 2", "Messing"]).await;
    let bulk = format!("{MATERIALS}/bulk-change?filter[name]=edelstahl");
    let change = |count: u64, density: &str| json!({ "selection": { "ids": null, "count": count }, "change": { "field": "density", "value": density } });
    admin.post(&bulk, change(3, "7.9")).await.is(409);
    assert_eq!(admin.post(&bulk, change(2, "7.9")).await.is(200), json!({ "done": 2, "refused": [] }));
    let dense = admin.get(&format!("{MATERIALS}?filter[density]=7.9")).await.is(200);
    assert_eq!(column(&dense, "name"), ["Edelstahl 1", "Edelstahl 2"]);

    let wrong = admin.post(&bulk, change(2, "-1")).await.is(200);
    assert_eq!((&wrong["done"], wrong["refused"].as_array().unwrap().len()), (&json!(0), 2));
    assert_eq!(wrong["refused"][0]["messages"], json!(["Must be greater than 0"]));
    admin.post(&format!("{MATERIALS}/bulk-change?filter[nothing]=1"), change(2, "1")).await.is(422);
    let name = json!({ "selection": selection(&[]), "change": { "field": "name", "value": "x" } });
    admin.post(&bulk, name).await.is_refused_at(&["change.field"]);
    let many: Vec<i64> = (0..1_001).collect();
    admin.post(&format!("{MATERIALS}/bulk-delete"), selection(&many)).await.is_refused_at(&["ids"]);
}

#[actix_web::test]
async fn bulk_changes_update_derived_fields_and_deletions_are_confirmed() {
    let catalog = Catalog::new().await;
    let Catalog { admin, beam, height, .. } = &catalog;
    let mut ids = Vec::new();
    for length in ["6", "12"] {
        ids.push(id(&admin.post(ARTICLES, catalog.article(0, length)).await.is(201)));
    }
    let [steel] = materials(&catalog, &["S355"]).await[..] else { unreachable!() };
    let change = |field: &str, value: Value| json!({ "selection": selection(&ids), "change": { "field": field, "value": value } });
    let bulk = format!("{ARTICLES}/bulk-change");
    assert_eq!(admin.post(&bulk, change("material_id", json!(steel))).await.is(200)["done"], 2);
    let numbers = admin.get(&format!("{ARTICLES}?sort=updated_at")).await.is(200);
    assert_eq!(column(&numbers, "article_number"), ["HEB-200-S355-6", "HEB-200-S355-12"]);
    assert_eq!(admin.post(&bulk, change("weight_per_base_unit", json!("62"))).await.is(200)["done"], 2);
    let refused = admin.post(&bulk, change("material_id", json!(null))).await.is(200);
    assert_eq!(refused["refused"][1]["name"], "HEB-200-S355-12");

    let group = admin.post("/api/admin/article-type-groups", json!({ "name": "Träger" })).await.is(201);
    let of = |ids: &[i64], field: &str, value: &Value| json!({ "selection": selection(ids), "change": { "field": field, "value": value } });
    let types = of(&[id(beam)], "article_type_group_id", &group["id"]);
    assert_eq!(admin.post(&format!("{TYPES}/bulk-change"), types).await.is(200)["done"], 1);
    let attributes = of(&[id(height)], "primary", &json!(false));
    assert_eq!(admin.post(&format!("{ATTRIBUTES}/bulk-change"), attributes).await.is(200)["done"], 1);
    let confirmed =
        |ids: &[i64], confirm: &str| json!({ "ids": ids, "count": ids.len(), "confirm": confirm });
    let bulk = format!("{ARTICLES}/bulk-delete");
    assert_eq!(
        admin.post(&bulk, selection(&ids)).await.is_refused_at(&["confirm"])["error_codes"]["confirm"],
        json!(["required"])
    );
    for wrong in ["", "3", "zwei"] {
        let refused = admin.post(&bulk, confirmed(&ids, wrong)).await.is_refused_at(&["confirm"]);
        assert_eq!(refused["error_codes"]["confirm"], json!(["confirmation_mismatch"]), "{wrong}");
    }
    let all = json!({ "ids": null, "count": 3, "confirm": "3" });
    assert_eq!(admin.post(&bulk, all).await.is(409)["code"], "selection_changed");
    assert_eq!(admin.post(&bulk, confirmed(&ids, " 2 ")).await.is(200)["done"], 2);
    let bulk = format!("{TYPES}/bulk-delete");
    admin.post(&bulk, selection(&[id(beam)])).await.is_refused_at(&["confirm"]);
    assert_eq!(admin.post(&bulk, confirmed(&[id(beam)], "1")).await.is(200)["done"], 1);
}

#[actix_web::test]
async fn the_effect_of_another_material_on_many_articles_is_previewed() {
    let catalog = Catalog::new().await;
    let Catalog { admin, material, .. } = &catalog;
    let [other] = materials(&catalog, &["S355J2"]).await[..] else { unreachable!() };
    let mut ids = Vec::new();
    for option in 0..2 {
        ids.push(id(&admin.post(ARTICLES, catalog.article(option, "12")).await.is(201)));
    }
    let mut taking = catalog.article(0, "12");
    taking["material_id"] = json!(other);
    admin.post(ARTICLES, taking).await.is(201);

    let change = |field: &str, value: Value| json!({ "selection": selection(&ids), "change": { "field": field, "value": value } });
    let effect = format!("{ARTICLES}/bulk-effect");
    let shown = admin.post(&effect, change("material_id", json!(other))).await.is(200);
    let counts = ["total", "unchanged", "changed", "refused"].map(|count| shown[count].clone());
    assert_eq!(counts, [2, 0, 1, 1]);
    let problem = shown["changes"][0]["problem"].as_str().unwrap();
    assert!(problem.contains("HEB-200-S355J2-12"), "{problem}");
    assert_eq!(shown["changes"][1]["new_article_number"], "HEB-220-S355J2-12");
    assert_eq!(admin.get(&format!("{ARTICLES}/{}", ids[1])).await.is(200)["material"]["id"], *material);

    let done =
        admin.post(&format!("{ARTICLES}/bulk-change"), change("material_id", json!(other))).await.is(200);
    assert_eq!((&done["done"], &done["refused"][0]["id"]), (&json!(1), &json!(ids[0])));
    // of two articles that would get the same number, the first gets it
    let [steel, wanted] = materials(&catalog, &["S420", "S460"]).await[..] else { unreachable!() };
    let first = id(&admin.post(ARTICLES, catalog.article(2, "12")).await.is(201));
    let mut second = catalog.article(2, "12");
    second["material_id"] = json!(steel);
    let second = id(&admin.post(ARTICLES, second).await.is(201));
    let both = json!({ "selection": selection(&[first, second]), "change": { "field": "material_id", "value": wanted } });
    let shown = admin.post(&effect, both.clone()).await.is(200);
    assert_eq!((&shown["changed"], &shown["changes"][0]["article_id"]), (&json!(1), &json!(second)));
    let done = admin.post(&format!("{ARTICLES}/bulk-change"), both).await.is(200);
    assert_eq!((&done["done"], &done["refused"][0]["id"]), (&json!(1), &json!(second)));
    let same = admin.post(&effect, change("weight_per_base_unit", Value::Null)).await.is(200);
    assert_eq!((&same["changed"], &same["refused"]), (&json!(0), &json!(0)));
    let unknown = admin.post(&effect, change("material_id", json!(999_999))).await.is(200);
    assert_eq!(unknown["refused"], 2);
    let gone = json!({ "selection": { "ids": ids, "count": 3 }, "change": { "field": "material_id", "value": other } });
    assert_eq!(admin.post(&effect, gone).await.is(409)["code"], "selection_changed");
}
