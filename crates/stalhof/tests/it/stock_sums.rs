//! Stocks added up, found by properties of their articles, and changed in bulk.

use serde_json::{Value, json};

use crate::{
    catalog::{column, id},
    stocks::{Depot, PATH},
    warehouses::warehouse,
};

/// Creates three stocks: 36.3 m and a remnant of 2.5 m of the first article in Duisburg, 12 m of the second
/// in Hamburg.
async fn stocked(depot: &Depot) -> [i64; 3] {
    let mut remnant = depot.stock(0, 0);
    remnant["length"] = "2500".into();
    remnant["quantity"] = "5".into();
    let mut other = depot.stock(1, 1);
    other["quantity"] = "12".into();
    let mut ids = [0; 3];
    for (id_of, input) in ids.iter_mut().zip([depot.stock(0, 0), remnant, other]) {
        *id_of = id(&depot.user.post(PATH, input).await.is(201));
    }
    ids
}

fn figures(sum: &Value) -> Vec<Value> {
    ["stocks", "without_quantity", "without_weight", "without_pieces", "weight", "pieces"]
        .map(|figure| sum[figure].clone())
        .into()
}

#[actix_web::test]
async fn stocks_are_added_up_by_warehouse_and_article_without_rounding() {
    let depot = Depot::new().await;
    stocked(&depot).await;
    let mut always = depot.stock(1, 0);
    always["availability_type"] = "always".into();
    always["quantity"] = Value::Null;
    depot.user.post(PATH, always).await.is(201);

    let sums = depot.user.get(&format!("{PATH}/sums")).await.is(200);
    // 41.3 m of 61.3 kg; 36.3 m in bars of 12 m and two remnants of 2.5 m; the other article has no weight
    assert_eq!(
        figures(&sums["total"]),
        [json!(4), json!(1), json!(1), json!(0), json!("2531.69"), json!("7.025")]
    );
    let warehouses: Vec<_> = sums["warehouses"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["warehouse"]["short_code"].clone(), figures(&row["sum"])))
        .collect();
    assert_eq!(
        warehouses,
        [
            (json!("DU"), vec![json!(3), json!(1), json!(0), json!(0), json!("2531.69"), json!("5.025")]),
            (json!("HH"), vec![json!(1), json!(0), json!(1), json!(0), json!("0"), json!("2")]),
        ]
    );
    assert_eq!(sums["articles_total"], 2);
    let articles: Vec<_> = sums["articles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (row["article"]["article_number"].clone(), row["quantity"].clone(), row["sum"]["pieces"].clone())
        })
        .collect();
    let number = |index: usize| depot.articles[index]["article_number"].clone();
    assert_eq!(articles, [(number(0), json!("41.3"), json!("5.025")), (number(1), json!("12"), json!("2")),]);

    let second = depot.user.get(&format!("{PATH}/sums?page[size]=1&page[number]=2")).await.is(200);
    assert_eq!(second["articles"][0]["article"]["article_number"], number(1));
    assert_eq!(second["total"], sums["total"]);
    let foreign = depot.catalog.app.caller(Some(depot.catalog.app.south), values::PermissionSet::all()).await;
    assert_eq!(foreign.get(&format!("{PATH}/sums")).await.is(200)["total"]["stocks"], 0);
}

#[actix_web::test]
async fn a_sum_of_many_small_quantities_is_not_rounded_in_between() {
    let depot = Depot::new().await;
    for length in 1..=3 {
        let mut remnant = depot.stock(0, 0);
        remnant["length"] = length.to_string().into();
        // 0.4 g each
        remnant["quantity"] = "0.000006".into();
        depot.user.post(PATH, remnant).await.is(201);
    }
    let sums = depot.user.get(&format!("{PATH}/sums")).await.is(200);
    assert_eq!(sums["total"]["weight"], "0.001");
    let listed = depot.user.get(PATH).await.is(200);
    assert_eq!(column(&listed, "weight"), ["0", "0", "0"]);
}

#[actix_web::test]
async fn stocks_are_found_by_the_values_of_their_articles_and_by_their_own_size() {
    let depot = Depot::new().await;
    let [whole, remnant, other] = stocked(&depot).await;
    let found = async |filter: &str| {
        let list = depot.user.get(&format!("{PATH}?sort=id&{filter}")).await.is(200);
        let rows = list["data"].as_array().unwrap().iter().map(id).collect::<Vec<_>>();
        let sums = depot.user.get(&format!("{PATH}/sums?{filter}")).await.is(200);
        assert_eq!(sums["total"]["stocks"], rows.len(), "{filter}");
        rows
    };
    let length = depot.catalog.length["id"].clone();
    assert_eq!(found(&format!("filter[attribute][{length}]=12%20m")).await, [whole, remnant]);
    assert_eq!(found("filter[attribute][laenge_lesser_than]=12%20m").await, [other]);
    assert_eq!(
        found("filter[attribute][laenge_lesser_equals]=12%20m&filter[size]=whole").await,
        [whole, other]
    );
    assert_eq!(found("filter[size]=remnant").await, [remnant]);
    assert_eq!(found("filter[size_not_equals]=remnant&filter[article_type_id]=0").await, [0_i64; 0]);
    // the first article is 12 m long, the second 6 m; the remnant 2.5 m
    assert_eq!(found("filter[length_lesser_than]=12000").await, [remnant, other]);
    assert_eq!(found("filter[length_lesser_equals]=12000").await, [whole, remnant, other]);
    assert_eq!(found("filter[length]=2500").await, [remnant]);
    assert_eq!(found("filter[length_not_equals]=2500").await, [whole, other]);
    assert_eq!(
        found("filter[length_greater_than]=2500.000001&filter[length_lesser_than]=6000.5").await,
        [other]
    );
    let programs = depot.user.get("/api/v1/stocks?filter[length_lesser_than]=6000").await.is(200);
    assert_eq!(programs["data"][0]["id"], remnant);
    assert_eq!(programs["meta"]["total"], 1);
    depot.user.get(&format!("{PATH}?filter[attribute][nothing]=1")).await.is(422);
    let file = depot.user.get(&format!("{PATH}/export?format=csv&filter[attribute][laenge]=6%20m")).await;
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    assert!(text.contains("HH") && !text.contains("DU"), "{text}");
    let programs = depot.user.get("/api/v1/stocks?filter[attribute][laenge]=6%20m").await.is(200);
    assert_eq!(programs["meta"]["total"], 1);
}

#[actix_web::test]
async fn bulk_changes_of_stocks_follow_the_rules_of_single_changes() {
    let depot = Depot::new().await;
    let ids = stocked(&depot).await;
    let change = async |field: &str, value: Value| {
        let body = json!({
            "selection": { "ids": ids, "count": 3 }, "change": { "field": field, "value": value }
        });
        depot.user.post(&format!("{PATH}/bulk-change"), body).await.is(200)
    };
    assert_eq!(change("lead_time", json!(1440)).await, json!({ "done": 3, "refused": [] }));
    let listed = depot.user.get(&format!("{PATH}?sort=id")).await.is(200);
    assert!(listed["data"].as_array().unwrap().iter().all(|stock| stock["lead_time"] == 1440), "{listed}");
    assert_eq!(change("warehouse_id", json!(depot.warehouses[1])).await["done"], 3);
    // the warehouse already has a stock of the third one's article
    let mut taken = depot.stock(1, 0);
    taken["quantity"] = "1".into();
    depot.user.post(PATH, taken).await.is(201);
    let refused = change("warehouse_id", json!(depot.warehouses[0])).await;
    assert_eq!((&refused["done"], &refused["refused"][0]["id"]), (&json!(2), &json!(ids[2])));
    let south = depot.catalog.app.caller(Some(depot.catalog.app.south), values::PermissionSet::all()).await;
    let theirs = id(&south.post("/api/admin/warehouses", warehouse("Ulm", "UL")).await.is(201));
    assert_eq!(change("warehouse_id", json!(theirs)).await["done"], 0);
    assert_eq!(change("availability_type", json!("always")).await["done"], 3);
    let refused = change("availability_type", json!("quantity")).await;
    assert_eq!(refused["refused"].as_array().unwrap().len(), 3, "{refused}");
}
