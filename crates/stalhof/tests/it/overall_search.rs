//! The search of the whole admin area, over HTTP.

use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, Catalog, MATERIALS, id},
    support::{Client, TestApp, all_but},
    warehouses::warehouse,
};

const PATH: &str = "/api/admin/search";
const PROCESSINGS: &str = "/api/admin/processings";

async fn find_records(client: &Client, text: &str) -> Vec<Value> {
    let answer = client.get(&format!("{PATH}?q={text}")).await.is(200);
    answer["data"].as_array().unwrap().clone()
}

/// Resources of an answer with the names of their records.
fn names(data: &[Value]) -> Vec<(&str, Vec<&str>)> {
    data.iter()
        .map(|group| {
            let records = group["records"].as_array().unwrap();
            (
                group["resource"].as_str().unwrap(),
                records.iter().map(|record| record["name"].as_str().unwrap()).collect(),
            )
        })
        .collect()
}

async fn processing(client: &Client, name: &str) {
    let input =
        json!({ "name": name, "type": "sawing", "article_number_addition_template": "-S{schnittlaenge}" });
    client.post(PROCESSINGS, input).await.is(201);
}

#[actix_web::test]
async fn exact_names_come_first_and_each_resource_has_at_most_five_hits() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for name in ["Feinsägen", "Bandsägen", "Altsägen", "Sägen grob", "Großsägen", "Kreissägen", "Sägen"]
    {
        processing(&admin, name).await;
    }
    admin.post(MATERIALS, json!({ "name": "Sägenstahl", "material_number": "1.2003" })).await.is(201);

    let data = find_records(&admin, "s%C3%A4gen").await;
    let processings = vec!["Sägen", "Sägen grob", "Altsägen", "Bandsägen", "Feinsägen"];
    assert_eq!(names(&data), [("processings", processings), ("materials", vec!["Sägenstahl"])]);
    assert_eq!((&data[0]["total"], &data[1]["total"]), (&json!(7), &json!(1)));
    assert_eq!(data[1]["records"][0]["detail"], "1.2003");

    // other texts of the record count as well
    processing(&admin, "Kürzen 1.2003").await;
    let data = find_records(&admin, "1.2003").await;
    assert_eq!(names(&data), [("materials", vec!["Sägenstahl"]), ("processings", vec!["Kürzen 1.2003"])]);

    // in any case, and with umlauts written as plain vowels
    assert_eq!(names(&find_records(&admin, "SAGENSTAHL").await), [("materials", vec!["Sägenstahl"])]);
    assert_eq!(find_records(&admin, "nirgends").await, Vec::<Value>::new());
}

#[actix_web::test]
async fn only_records_that_the_caller_may_list_are_found() {
    let catalog = Catalog::new().await;
    let article = catalog.admin.post(ARTICLES, catalog.article(0, "6")).await.is(201);
    let number = article["article_number"].as_str().unwrap();
    let data = find_records(&catalog.admin, number).await;
    assert_eq!(names(&data), [("articles", vec![number])]);
    let record = json!({ "id": id(&article), "name": number, "detail": article["article_name"] });
    assert_eq!(data[0]["records"], json!([record]));

    let other = catalog.app.caller(None, all_but(catalog::permissions::LIST_ARTICLES)).await;
    assert_eq!(find_records(&other, number).await, Vec::<Value>::new());
    let outsider = catalog.app.caller(None, all_but(values::permissions::ACCESS_ADMIN)).await;
    outsider.get(&format!("{PATH}?q=heb")).await.is(403);
    catalog.app.anonymous().get(&format!("{PATH}?q=heb")).await.is(401);
}

#[actix_web::test]
async fn external_numbers_and_warehouses_are_those_of_the_tenant() {
    let catalog = Catalog::new().await;
    let article = catalog.admin.post(ARTICLES, catalog.article(0, "6")).await.is(201);
    let app = &catalog.app;
    let north = app.caller(Some(app.north), PermissionSet::all()).await;
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let matching = json!({ "article_id": id(&article), "external_article_number": "4711-200" });
    north.post("/api/admin/matchings", matching).await.is(201);
    north.post("/api/admin/warehouses", warehouse("Lager 4711", "DU")).await.is(201);

    let data = find_records(&north, "4711").await;
    let expected = [("matchings", vec!["4711-200"]), ("warehouses", vec!["Lager 4711"])];
    assert_eq!(names(&data), expected);
    assert_eq!(data[0]["records"][0]["detail"], article["article_number"]);
    assert_eq!(find_records(&south, "4711").await, Vec::<Value>::new());
    // the platform finds warehouses of all tenants, and external numbers of the tenant that it acts for
    assert_eq!(names(&find_records(&catalog.admin, "4711").await), [("warehouses", vec!["Lager 4711"])]);
    let chosen = find_records(&catalog.admin, &format!("4711&tenant_id={}", app.north)).await;
    assert_eq!(names(&chosen), expected);
}

#[actix_web::test]
async fn a_text_that_cannot_be_searched_for_is_refused() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for text in ["", "%20%20", &"a".repeat(256), "a%00b", &"a%20".repeat(13)] {
        admin.get(&format!("{PATH}?q={text}")).await.is_refused_at(&["q"]);
    }
    admin.get(PATH).await.is_refused_at(&["q"]);
    for text in ["%25", "_", "...", "'", "%22", "*", &"a".repeat(255)] {
        admin.get(&format!("{PATH}?q={text}")).await.is(200);
    }
}
