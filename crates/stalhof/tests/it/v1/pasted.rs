//! Examples of these operations in the contract can be sent unchanged.

use std::collections::BTreeSet;

use actix_web::http::Method;
use serde_json::Value;

use crate::{
    access::token,
    document::{document, resolved},
    support::TestApp,
};

#[actix_web::test]
async fn the_examples_of_the_contract_work_in_the_demo() {
    let app = TestApp::full_demo().await;
    let user = app.sign_in("leitung@nordstahl.example".to_owned()).await;
    let (_, program) = token(&app, &user, &["access-admin"]).await;
    let document = document();
    let lists = program.get("/api/v1/price-lists").await.is(200);
    let own = lists["data"].as_array().unwrap().iter().find(|list| list["writable"] == true).unwrap();
    let list = own["id"].to_string();
    let stock = program.get("/api/v1/stocks").await.is(200)["data"][0]["id"].to_string();
    let mut called = BTreeSet::new();
    // prices need a stock
    for path in [
        "articles",
        "warehouses",
        "stocks",
        "stocks/{id}",
        "prices",
        "availability",
        "delivery-dates",
        "changes",
        "changes/articles",
        "changes/materials",
        "changes/warehouses",
        "changes/matchings",
        "changes/price-lists/{id}",
        "imports",
        "listings",
        "listings/{id}",
        "price-lists",
        "price-lists/{id}",
        "price-lists/{id}/prices",
        "quotes",
    ] {
        let template = format!("/api/v1/{path}");
        let uri = template.replace("{id}", if path.contains("price-lists") { &list } else { &stock });
        for (method, operation) in document["paths"][&template].as_object().unwrap() {
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            let parameters = parameters.map(|parameter| resolved(&document, parameter));
            let shown =
                parameters.filter(|parameter| parameter["in"] == "query" && !parameter["example"].is_null());
            let query: Vec<_> = shown
                .flat_map(|parameter| {
                    let values = parameter["example"].as_array().unwrap().iter();
                    values.map(|value| {
                        format!("{}={}", parameter["name"].as_str().unwrap(), value.as_str().unwrap())
                    })
                })
                .collect();
            let body = resolved(&document, &operation["requestBody"]);
            let body = &body["content"]["application/json"]["schema"];
            let body = body.is_object().then(|| resolved(&document, body)["example"].clone());
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            let answer = program.send(method, &format!("{uri}?{}", query.join("&")), body).await;
            let answer = answer.is(200);
            called.insert(operation["operationId"].as_str().unwrap().to_owned());
            let Some(data) = answer["data"].as_array() else {
                assert!(path.ends_with("{id}"), "{answer}");
                continue;
            };
            assert!(!data.is_empty() || path == "imports", "{path}");
            for item in data {
                assert_ne!(item["result"], "refused", "{item}");
                let lines = item["lines"].as_array().into_iter().flatten();
                for result in lines.chain([item]) {
                    assert!(result["errors"].as_array().is_none_or(Vec::is_empty), "{result}");
                }
            }
        }
    }
    let of_programs =
        document["paths"].as_object().unwrap().iter().filter(|(path, _)| path.starts_with("/api/v1/"));
    let all: BTreeSet<_> = of_programs
        .flat_map(|(_, item)| item.as_object().unwrap().values())
        .map(|operation: &Value| operation["operationId"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(called, all);
}
