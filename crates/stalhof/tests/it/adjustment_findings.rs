//! Findings about adjustments that name categories and about discounts that are given twice, over HTTP.

use serde_json::{Value, json};

use crate::{
    catalog::{ARTICLES, column, id},
    price_adjustments::{self, adjustment},
    stocks::{self, Depot},
};

const FINDINGS: &str = "/api/admin/price-adjustments/findings";
const CATEGORIES: &str = "/api/admin/categories";

/// Depot whose beams cost 1,000 per tonne.
async fn priced() -> Depot {
    let depot = Depot::new().await;
    let stock = id(&depot.user.post(stocks::PATH, depot.stock(0, 0)).await.is(201));
    let body = json!({ "external_price": { "price": "1000", "unit": "t" } });
    depot.user.put(&format!("/api/admin/prices/{stock}"), body).await.is(200);
    depot
}

fn with(name: &str, changes: Value) -> Value {
    let mut input = adjustment(name);
    for (field, value) in changes.as_object().unwrap() {
        input[field] = value.clone();
    }
    input
}

async fn category(depot: &Depot, name: &str, parent: Option<i64>, article_type: Option<i64>) -> i64 {
    let body = json!({ "name": name, "parent_id": parent, "article_type_id": article_type });
    id(&depot.catalog.admin.post(CATEGORIES, body).await.is(201))
}

#[actix_web::test]
async fn a_category_with_an_inherited_article_type_contains_its_articles() {
    let depot = priced().await;
    let Depot { user, articles, .. } = &depot;
    let beams = category(&depot, "Träger", None, Some(depot.measured)).await;
    let wide = category(&depot, "Breitflansch", Some(beams), None).await;
    let empty = category(&depot, "Demnächst", None, None).await;
    for (one, count) in [(beams, 2), (wide, 2), (empty, 0)] {
        let listed = user.get(&format!("{ARTICLES}?filter[category_id]={one}")).await.is(200);
        assert_eq!(column(&listed, "article_number").len(), count, "{listed}");
    }

    let named = |id: i64| json!({ "type": "category", "op": "in", "value": [id] });
    let made = [
        with("Nach Bedingung", json!({ "conditions": named(wide), "value": "1" })),
        with("Nach Kategorie", json!({ "apply_to": { "kind": "item", "categories": [wide] }, "value": "2" })),
        with("Ins Leere", json!({ "conditions": named(empty), "value": "4" })),
    ];
    for input in made {
        user.post(price_adjustments::PATH, input).await.is(201);
    }
    let line = json!({ "article_id": articles[0]["id"], "quantity": "1", "unit": "t" });
    let body = json!({ "carts": [{ "lines": [line] }], "explain": true });
    let quoted = user.post("/api/admin/quotes", body).await.is(200);
    let steps = quoted["data"][0]["lines"][0]["items"][0]["explanation"]["steps"].as_array().unwrap();
    let outcomes: Vec<_> = steps.iter().map(|step| step["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["applied", "applied", "conditions"]);
    assert_eq!(steps[0]["conditions"]["found"], json!([beams, wide]), "each category once, ascending");

    let findings = user.german().get(FINDINGS).await.is(200);
    let empty =
        findings["data"].as_array().unwrap().iter().find(|one| one["kind"] == "empty_category").unwrap();
    assert_eq!((&empty["adjustment"]["name"], &empty["cart"]), (&json!("Ins Leere"), &Value::Null));
    assert_eq!(
        empty["message"],
        "„Ins Leere“ nennt Kategorien, in denen kein Artikel steht: Demnächst. Ordnen Sie ihnen einen Artikeltyp zu, oder \
         nennen Sie andere."
    );
    let kinds = findings["data"].as_array().unwrap().iter().filter(|one| one["kind"] == "empty_category");
    assert_eq!(kinds.count(), 1, "{findings}");
}

#[actix_web::test]
async fn overlapping_discounts_are_a_finding_with_an_example_cart() {
    let depot = priced().await;
    let Depot { user, catalog, .. } = &depot;
    let south = catalog.app.south;
    let of_material = json!({ "kind": "item", "materials": [catalog.material] });
    let of_type = json!({ "kind": "item", "article_types": [depot.measured] });
    for input in [
        with("Süd", json!({ "tenant_ids": [south], "value": "3", "apply_to": of_material })),
        with("HEB", json!({ "value": "3", "apply_to": of_type })),
        with(
            "Alle außer Süd",
            json!({ "excluded_tenant_ids": [south], "value": "3", "apply_to": of_material }),
        ),
    ] {
        user.post(price_adjustments::PATH, input).await.is(201);
    }
    let findings = user.get(FINDINGS).await.is(200);
    let overlaps: Vec<_> =
        findings["data"].as_array().unwrap().iter().filter(|one| one["kind"] == "overlap").collect();
    let pairs: Vec<_> =
        overlaps.iter().map(|one| (&one["others"][0]["name"], &one["adjustment"]["name"])).collect();
    let name = |name: &str| json!(name);
    let expected = [(name("Süd"), name("HEB")), (name("HEB"), name("Alle außer Süd"))];
    assert_eq!(pairs, expected.iter().map(|(one, other)| (one, other)).collect::<Vec<_>>());
    let first = overlaps[0];
    assert_eq!(first["cart"]["buyer"]["id"], south);
    assert_eq!(
        first["message"],
        "“HEB” and “Süd” reach the same customers and articles, and both count. If only one of the two is meant, limit the other."
    );
    assert_ne!(first["cart"]["total"], first["cart"]["otherwise"]);
}
