//! Many concurrent writers of the same records. Requests without a version wait and succeed.

use actix_web::http::Method;
use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::{
    access::token,
    catalog::{ARTICLES, Catalog, id},
    imports::{IMPORTS, ended},
    stocks::Depot,
    support::{Client, Form},
};

/// The clients use two processes: those of one process wait in its queue and compete with those of the other.
#[actix_web::test]
async fn sixteen_concurrent_patches_without_a_version_all_succeed() {
    const ROUNDS: usize = 3;
    let catalog = Catalog::new().await;
    let here = catalog.admin.clone();
    let there = catalog.app.another_process().await.signed_in(&json!(here.token));
    let created = here.post(ARTICLES, catalog.article(0, "12")).await.is(201);
    let uri = format!("{ARTICLES}/{}", id(&created));
    let clients = (0..16).map(|number| {
        let (client, uri) = (if number % 4 < 3 { here.clone() } else { there.clone() }, uri.clone());
        async move {
            for round in 0..ROUNDS {
                let value = 1 + number * ROUNDS + round;
                let patch = match number % 2 {
                    0 => json!({ "weight_per_base_unit": value.to_string() }),
                    _ => json!({ "article_name": format!("Name {value}") }),
                };
                let shown = client.send(Method::PATCH, &uri, Some(patch.clone())).await.is(200);
                for (field, value) in patch.as_object().unwrap() {
                    assert_eq!(&shown[field], value);
                }
            }
        }
    });
    join_all(clients).await;
    let version = here.get(&uri).await.is(200)["version"].as_u64().unwrap();
    assert_eq!(version, 1 + 16 * ROUNDS as u64, "each of them has changed it once");
}

const STOCKS: usize = 60;

async fn say_stocks(client: &Client, article: &Value, quantity: usize) -> Value {
    let stocks = (0..STOCKS).map(|stock| {
        json!({
            "article_number": article["article_number"], "warehouse_short_code": "DU",
            "length": (1_000 + stock).to_string(), "quantity": quantity.to_string(),
        })
    });
    client.put("/api/v1/stocks", json!({ "items": stocks.collect::<Vec<_>>() })).await.is(200)
}

/// All writers first create the stocks and then change them.
#[actix_web::test]
async fn eight_connectors_and_an_import_of_the_same_stocks_all_succeed() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let (_, erp) = token(app, &depot.user, &["import-stocks"]).await;
    let article = &depot.articles[0];
    let rows = (0..STOCKS)
        .map(|stock| format!("{};DU;{};7;m\n", article["article_number"].as_str().unwrap(), 1_000 + stock));
    let file = "Artikelnummer;Lager;Länge [mm];Menge;Mengeneinheit\n".to_owned() + &rows.collect::<String>();
    let workers = app.workers().await;
    let connectors = (0..8).map(|connector| {
        let erp = &erp;
        async move {
            for round in 0..2 {
                let said = say_stocks(erp, article, 1 + connector * 2 + round).await;
                let items = said["data"].as_array().unwrap();
                assert!(items.iter().all(|item| item["errors"] == json!([])), "{said}");
            }
        }
    });
    let import = async {
        let form = Form::new().field("type", "Stock").file("Bestand.csv", &file);
        ended(&depot.user, &form.send(&depot.user, IMPORTS).await.is(201)).await
    };
    let (import, _) = futures_util::join!(import, join_all(connectors));
    assert_eq!((&import["status"], &import["rows_done"]), (&json!("Success"), &json!(STOCKS)), "{import}");
    let listed = depot.user.get("/api/admin/stocks?page[size]=1").await.is(200);
    assert_eq!(listed["meta"]["total"], STOCKS);
    workers.end().await;
}
