//! Articles sorted by their type or material, whose names are in natural order.

use std::collections::HashMap;

use actix_web::http::Method;
use serde_json::{Value, json};

use crate::{
    catalog::{ARTICLES, Catalog, MATERIALS, TYPES, id},
    exports::lines,
    support::Client,
};

struct Assortment {
    catalog: Catalog,
    /// Type of most of the articles.
    plates: i64,
}

impl Assortment {
    async fn new() -> Self {
        let catalog = Catalog::new().await;
        let mut types = HashMap::new();
        for size in ["9", "10", "2"] {
            let template = json!({
                "name": format!("Blech {size}"), "base_unit_of_measure": "piece",
                "listing_unit_of_measure": "piece", "price_unit_of_measure": "piece",
                "article_number_template": "{laenge}", "article_name_template": "{laenge}",
                "attributes": [{ "attribute_id": id(&catalog.length), "primary": true }],
            });
            types.insert(size, id(&catalog.admin.post(TYPES, template).await.is(201)));
        }
        let mut materials = HashMap::from([("0", Value::Null)]);
        for grade in ["9", "10"] {
            let material = json!({ "name": format!("S {grade}") });
            materials.insert(grade, json!(id(&catalog.admin.post(MATERIALS, material).await.is(201))));
        }
        for number in SHUFFLED {
            let mut parts = number.split('-');
            let article = json!({
                "article_type_id": types[parts.next().unwrap()], "material_id": materials[parts.next().unwrap()],
                "values": [{ "attribute_id": id(&catalog.length), "number": "6", "unit": "m" }],
                "article_number": number,
            });
            catalog.admin.post(ARTICLES, article).await.is(201);
        }
        Self { plates: types["10"], catalog }
    }
}

/// Numbers of all articles, read in small pages.
async fn paged(client: &Client, query: &str, size: usize) -> Vec<String> {
    let mut numbers = Vec::new();
    for page in 1.. {
        let uri = format!("{ARTICLES}?{query}&page[size]={size}&page[number]={page}");
        let found = client.get(&uri).await.is(200);
        let rows = found["data"].as_array().unwrap();
        if rows.is_empty() {
            assert_eq!(found["meta"]["total"], numbers.len(), "{query}");
            return numbers;
        }
        numbers.extend(rows.iter().map(|row| row["article_number"].as_str().unwrap().to_owned()));
    }
    unreachable!()
}

/// Numbers that contain type and material: `10-9-A` has the type `Blech 10` and the material `S 9`.
const SHUFFLED: [&str; 9] =
    ["10-9-A", "2-0-B", "9-10-B", "10-10-A", "10-0-A", "9-9-A", "10-9-B10", "10-9-B2", "2-10-A"];
const BY_TYPE: [&str; 9] =
    ["2-0-B", "2-10-A", "9-9-A", "9-10-B", "10-0-A", "10-9-A", "10-9-B2", "10-9-B10", "10-10-A"];
const BY_MATERIAL: [&str; 9] =
    ["9-9-A", "10-9-A", "10-9-B2", "10-9-B10", "2-10-A", "9-10-B", "10-10-A", "2-0-B", "10-0-A"];

#[actix_web::test]
async fn articles_are_sorted_by_type_and_by_material() {
    let assortment = Assortment::new().await;
    let admin = &assortment.catalog.admin;
    let reversed = |numbers: &[&'static str]| numbers.iter().rev().copied().collect::<Vec<_>>();
    // articles without a material are always last
    let (of_materials, without) = BY_MATERIAL.split_at(7);
    let by_material_backwards = [reversed(of_materials), reversed(without)].concat();
    for (sort, expected) in [
        ("article_type", BY_TYPE.to_vec()),
        ("-article_type", reversed(&BY_TYPE)),
        ("material", BY_MATERIAL.to_vec()),
        ("-material", by_material_backwards),
    ] {
        for size in [1, 2, 4, 40] {
            let found = paged(admin, &format!("sort={sort}"), size).await;
            assert_eq!(found, expected, "{sort}, {size} at a time");
        }
        for (filter, matches) in [
            (
                "filter[article_number]=b",
                Box::new(|number: &str| number.contains('B')) as Box<dyn Fn(&str) -> bool>,
            ),
            ("filter[search]=a", Box::new(|number: &str| number.contains('A'))),
            (
                &*format!("filter[article_type_id]={}", assortment.plates),
                Box::new(|number: &str| number.starts_with("10-")),
            ),
            ("filter[article_number]=qqq", Box::new(|_: &str| false)),
        ] {
            let found = paged(admin, &format!("sort={sort}&{filter}"), 2).await;
            let expected: Vec<_> = expected.iter().copied().filter(|number| matches(number)).collect();
            assert_eq!(found, expected, "{sort} {filter}");
        }
        let file = lines(&admin.get(&format!("{ARTICLES}/export?format=csv&sort={sort}")).await);
        let exported: Vec<_> = file[1..].iter().map(|line| line.split(';').nth(1).unwrap()).collect();
        assert_eq!(exported, expected, "the file by {sort}");
    }
}

#[actix_web::test]
async fn a_renamed_article_type_moves_in_the_order_immediately() {
    let Assortment { catalog, plates } = Assortment::new().await;
    let plates = format!("{TYPES}/{plates}");
    catalog.admin.send(Method::PATCH, &plates, Some(json!({ "name": "Blech 1" }))).await.is(200);
    let found = paged(&catalog.admin, "sort=article_type", 3).await;
    assert!(found[..5].iter().all(|number| number.starts_with("10-")), "{found:?}");
}
