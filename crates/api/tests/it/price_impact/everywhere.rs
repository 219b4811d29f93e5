//! Wherever a price can change its impact is told, by the same numbers, and nothing of that is written.

use kernel::today;
use pricing::surcharge::Month;
use serde_json::{Value, json};

use super::{IMPACT, listed, price, priced, rows, with};
use crate::{
    catalog::id,
    imports::{IMPORTS, ended},
    price_adjustments::{self, adjustment},
    price_lists::{self, shift},
    processing_prices::{self, costs},
    processings::{self, sawing},
    support::{Answer, Client, Form},
};

const AUDIT: &str = "/api/admin/audit";
const TABLES: &str = "/api/admin/surcharge-tables";

/// The newest entry of the history of a kind of records.
async fn last(client: &Client, record: &str) -> i64 {
    let listed = client.get(&format!("{AUDIT}?filter[record]={record}&sort=-at")).await.is(200);
    id(&listed["data"][0])
}

async fn impact_of_undo(client: &Client, record: &str) -> Value {
    let entry = last(client, record).await;
    client.post(&format!("{AUDIT}/{entry}/impact"), json!(null)).await.is(200)
}

fn request(answer: &Answer) -> Value {
    json!({ "request_id": answer.header("x-request-id") })
}

/// What the largest change is.
fn largest(told: &Value) -> [String; 2] {
    let mover = &told["movers"][0];
    [&mover["before"], &mover["after"]]
        .map(|total| total.as_str().unwrap_or_else(|| panic!("{told}")).to_owned())
}

#[actix_web::test]
async fn values_of_a_table_show_their_impact_in_their_month_and_what_needs_a_release() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let month = |later: i32| Month::of(today()).plus(later).to_string();
    let table = json!({ "name": "Legierung", "kind": "alloy", "keyed_by": "material" });
    let table = id(&user.post(TABLES, table).await.is(201));
    let uri = format!("{TABLES}/{table}");
    let values = |of: &str, amount: &str| json!({ "values": [{ "material_id": depot.catalog.material, "month": of, "value": amount }] });
    user.put(&format!("{uri}/values"), values(&month(0), "100")).await.is(200);
    user.put(&format!("{uri}/values"), values(&month(1), "100")).await.is(200);
    let alloy = with(
        adjustment("Legierung"),
        json!({ "operation": "surcharge", "calculation_type": "perTon", "surcharge_table_id": table, "value": null }),
    );
    user.post(price_adjustments::PATH, alloy).await.is(201);
    let before = rows(app).await;

    let told =
        user.post(&format!("{uri}/impact"), json!({ "values": values(&month(0), "110") })).await.is(200);
    assert_eq!((largest(&told), &told["held"]), (["27125", "27375"].map(str::to_owned), &json!(0)));
    // next month's is of next month
    let told =
        user.post(&format!("{uri}/impact"), json!({ "values": values(&month(1), "1000") })).await.is(200);
    assert_eq!((&told["articles_touched"], &told["held"]), (&json!(1), &json!(1)), "{told}");
    assert!(told["movers"][0]["at"].as_str().unwrap().starts_with(&month(1)), "{told}");
    // based on another table it says more
    let other = json!({ "name": "Alle", "kind": "alloy", "keyed_by": "material" });
    let other = id(&user.post(TABLES, other).await.is(201));
    user.put(&format!("{TABLES}/{other}/values"), values(&month(2), "90")).await.is(200);
    let change =
        json!({ "name": "Legierung", "kind": "alloy", "keyed_by": "material", "base_table_id": other });
    let told = user.post(&format!("{uri}/impact"), json!({ "change": change })).await.is(200);
    assert!(told["movers"][0]["at"].as_str().unwrap().starts_with(&month(2)), "{told}");
    assert_eq!(rows(app).await[5..9], before[5..9], "nothing is written");
    user.post(&format!("{uri}/impact"), json!({})).await.is_refused_at(&["values"]);
    user.post(&format!("{uri}/impact"), json!({ "values": values("2026-13", "1") }))
        .await
        .is_refused_at(&["values.0.month"]);
}

#[actix_web::test]
async fn prices_of_processings_show_their_impact_on_lines_with_them() {
    let depot = priced().await;
    let (user, catalog) = (&depot.user, &depot.catalog);
    let band =
        id(&catalog.admin.post(processings::PATH, sawing("Bandsäge", "-{schnittlaenge}")).await.is(201));
    let impact = format!("{}/impact", processing_prices::PATH);
    let told = user.post(&impact, json!({ "create": costs(band, None, "12.5") })).await.is(200);
    assert_eq!((&told["articles_appearing"], &told["articles_touched"]), (&json!(1), &json!(1)), "{told}");
    let made = id(&user.post(processing_prices::PATH, costs(band, None, "12.5")).await.is(201));
    let update = json!({ "id": made, "input": costs(band, None, "125") });
    let told = user.post(&impact, json!({ "update": update })).await.is(200);
    assert_eq!((largest(&told), &told["held"]), (["997.5", "1110"].map(str::to_owned), &json!(1)));
    assert_eq!(told["movers"][0]["processing"], "Bandsäge");
    let told = user.post(&impact, json!({ "delete": { "id": made } })).await.is(200);
    assert_eq!(told["articles_vanishing"], 1);
    assert_eq!(user.get(&format!("{}/{made}", processing_prices::PATH)).await.is(200)["version"], 1);
    user.post(&impact, json!({})).await.is_refused_at(&["create"]);
}

#[actix_web::test]
async fn the_deletion_of_a_list_and_its_undo_show_their_impact() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let (list, impact) = listed(&depot).await;
    let told = user.post(&impact, json!({ "delete": true })).await.is(200);
    assert_eq!(largest(&told), ["22500", "24625"].map(str::to_owned));
    let before = rows(app).await;
    let deleted = user.delete(&format!("{}/{list}", price_lists::PATH)).await;
    deleted.is(204);
    let told = impact_of_undo(user, "price_list").await;
    assert_eq!(largest(&told), ["24625", "22500"].map(str::to_owned), "{told}");
    assert_eq!(told["customers"]["count"], 1);
    let told = user.post(&format!("{AUDIT}/impact"), request(&deleted)).await.is(200);
    assert_eq!(largest(&told), ["24625", "22500"].map(str::to_owned), "{told}");
    user.get(&format!("{}/{list}", price_lists::PATH)).await.is(404);
    assert_eq!(rows(app).await[3], before[3] - 1, "the price is still gone");
}

#[actix_web::test]
async fn undoing_prices_and_adjustments_shows_their_impact_and_leaves_nothing() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let (list, _) = listed(&depot).await;
    shift(app, list, -3600, None).await;
    let prices = json!({ "prices": [with(price(&depot, 0, "950"), json!({ "version": 1 }))] });
    let saved = user.put(&format!("{}/{list}/prices", price_lists::PATH), prices).await;
    saved.is(200);
    let before = rows(app).await;
    for told in [
        impact_of_undo(user, "price_list_entry").await,
        user.post(&format!("{AUDIT}/impact"), request(&saved)).await.is(200),
    ] {
        assert_eq!(largest(&told), ["23750", "22500"].map(str::to_owned), "{told}");
        assert_eq!(told["movers"][0]["buyer"]["short_code"], "SUED");
    }
    assert_eq!(rows(app).await, before, "nothing is written");

    let made = id(&user.post(price_adjustments::PATH, adjustment("Rabatt")).await.is(201));
    let uri = format!("{}/{made}", price_adjustments::PATH);
    user.put(&uri, with(adjustment("Rabatt"), json!({ "value": "5" }))).await.is(200);
    let told = impact_of_undo(user, "price_adjustment").await;
    assert_eq!(largest(&told)[0], "23393.75", "{told}");
    let same =
        user.post(IMPACT, json!({ "update": { "id": made, "input": adjustment("Rabatt") } })).await.is(200);
    let figures = |told: &Value| ["down", "up", "customers"].map(|field| told[field].clone());
    assert_eq!(
        (figures(&told), largest(&told)),
        (figures(&same), largest(&same)),
        "as for the change itself"
    );
    user.delete(&uri).await.is(204);
    let told = impact_of_undo(user, "price_adjustment").await;
    assert_eq!(told["articles_touched"], 1, "{told}");
    user.get(&uri).await.is(404);
}

#[actix_web::test]
async fn a_file_of_prices_shows_its_impact_before_it_is_applied() {
    let depot = priced().await;
    let (user, app) = (&depot.user, &depot.catalog.app);
    let (list, _) = listed(&depot).await;
    shift(app, list, -3600, None).await;
    let workers = app.workers().await;
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    let file =
        |amount: &str| format!("Artikelnummer;Preis;Preismenge;Preiseinheit\r\n{number};{amount};1;t\r\n");
    let tried = async |amount: &str| {
        let form = Form::new().field("type", "PriceList").field("price_list_id", &list.to_string());
        let form = form.field("dry_run", "true").file("Preise.csv", file(amount));
        ended(user, &form.send(user, IMPORTS).await.is(201)).await
    };
    let dry_run = tried("950").await;
    assert_eq!((&dry_run["status"], &dry_run["rows_updated"]), (&json!("Success"), &json!(1)), "{dry_run}");
    let before = rows(app).await;
    let uri = format!("{IMPORTS}/{}/impact", id(&dry_run));
    let told = user.post(&uri, json!(null)).await.is(200);
    assert_eq!(largest(&told), ["22500", "23750"].map(str::to_owned), "{told}");
    assert_eq!(rows(app).await, before, "nothing is written");
    let listed = user.get(IMPORTS).await.is(200);
    assert_eq!(listed["meta"]["total"], 1, "no import is left behind");
    // what looks like a mistake would wait
    let told =
        user.post(&format!("{IMPORTS}/{}/impact", id(&tried("9000").await)), json!(null)).await.is(200);
    assert_eq!((&told["held"], &told["articles_touched"]), (&json!(1), &json!(0)), "{told}");
    // it is still there to be applied
    user.post(&format!("{IMPORTS}/{}/apply", id(&dry_run)), json!(null)).await.is(201);
    workers.end().await;
}
