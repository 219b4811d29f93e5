//! History of a price list: one entry for each save, bulk change, import or call, with the numbers of prices
//! and links to each price.

use identity::permissions;
use serde_json::{Value, json};

use super::{PATH, list};
use crate::{
    access::token,
    catalog::id,
    imports::{IMPORTS, ended},
    stocks::Depot,
    support::{Answer, Client, Form, all_but},
};

const AUDIT: &str = "/api/admin/audit";

/// Entries of a list about its prices, newest first: channel and numbers.
async fn list_history(client: &Client, list: i64) -> Vec<(Value, Value)> {
    let uri =
        format!("{AUDIT}?filter[record]=price_list&filter[record_id]={list}&filter[action]=prices_changed");
    let page = client.get(&uri).await.is(200);
    let numbers = |entry: &Value| {
        let changes = entry["changes"].as_array().unwrap().iter();
        changes
            .map(|change| (change["field"].as_str().unwrap().to_owned(), change["to"].clone()))
            .collect::<Value>()
    };
    page["data"].as_array().unwrap().iter().map(|entry| (entry["channel"].clone(), numbers(entry))).collect()
}

/// Price of an article; the second article has no weight.
fn priced(depot: &Depot, article: usize, amount: &str) -> Value {
    let unit = ["t", "m"][article];
    json!({ "article_id": depot.articles[article]["id"], "price": { "price": amount, "unit": unit } })
}

fn request(answer: &Answer) -> String {
    answer.header("x-request-id").to_owned()
}

#[actix_web::test]
async fn a_save_is_one_entry_of_the_list_with_a_link_to_each_of_its_prices() {
    let depot = Depot::new().await;
    let (user, articles) = (&depot.user, &depot.articles);
    let list = id(&user.post(PATH, list("Verkauf", depot.catalog.app.north)).await.is(201));
    let uri = format!("{PATH}/{list}/prices");
    let save = async |prices: Value| {
        let answer = user.put(&uri, json!({ "prices": prices })).await;
        answer.is(200);
        request(&answer)
    };
    save(json!([priced(&depot, 0, "850")])).await;
    let saved = save(json!([priced(&depot, 0, "860"), priced(&depot, 1, "900")])).await;
    // an unchanged price is not recorded anywhere
    save(json!([priced(&depot, 0, "860")])).await;
    assert_eq!(
        list_history(user, list).await,
        [
            (json!("session"), json!({ "prices_changed": 1, "prices_added": 1 })),
            (json!("session"), json!({ "prices_added": 1 })),
        ]
    );
    let entries =
        user.get(&format!("{AUDIT}?filter[record]=price_list&filter[record_id]={list}")).await.is(200);
    let entry = &entries["data"][0];
    assert_eq!(
        (&entry["action"], &entry["record_name"], &entry["request_id"], &entry["undoable"]),
        (&json!("prices_changed"), &json!("Verkauf"), &json!(saved), &json!(false))
    );
    let rows = user
        .get(&format!("{AUDIT}?filter[record]=price_list_entry&filter[request_id]={saved}"))
        .await
        .is(200);
    assert_eq!(rows["meta"]["total"], 2);
    let nothing = user.get(&format!("{AUDIT}?filter[request_id]=abc")).await.is(200);
    assert_eq!(nothing["meta"]["total"], 0);

    // an implausible price is put under review and counted as such; its release is a change
    let held = user.put(&uri, json!({ "prices": [priced(&depot, 0, "8600")] })).await.is(200);
    assert_eq!(list_history(user, list).await[0].1, json!({ "prices_held": 1 }));
    let row = &held["data"][0];
    let decided =
        json!({ "prices": [{ "id": row["id"], "version": row["version"] }], "decision": "release" });
    user.post(&format!("{uri}/decide"), decided).await.is(200);
    assert_eq!(list_history(user, list).await[0].1, json!({ "prices_changed": 1 }));

    // undoing the request reverts all of it, which is recorded as well
    let removed = save(json!([{ "article_id": articles[1]["id"] }])).await;
    assert_eq!(list_history(user, list).await[0].1, json!({ "prices_removed": 1 }));
    let undone = user.post(&format!("{AUDIT}/undo"), json!({ "request_id": removed })).await.is(200);
    assert_eq!((&undone["done"], &undone["refused"]), (&json!(1), &json!([])));
    assert_eq!(list_history(user, list).await[0].1, json!({ "prices_added": 1 }));

    // in the exported file, in words
    let file = user
        .german()
        .get(&format!("{AUDIT}/export?format=csv&filter[record]=price_list&filter[record_id]={list}"))
        .await;
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    assert!(text.contains("Preise geändert") && text.contains("Geänderte Preise"), "{text}");

    let blind =
        depot.catalog.app.caller(Some(depot.catalog.app.north), all_but(permissions::LIST_AUDIT)).await;
    blind.get(&format!("{AUDIT}?filter[record]=price_list")).await.is(403);
}

#[actix_web::test]
async fn a_bulk_change_a_call_an_import_and_its_undo_are_one_entry_each() {
    let depot = Depot::new().await;
    let (app, user, articles) = (&depot.catalog.app, &depot.user, &depot.articles);
    let workers = app.workers().await;
    let list = id(&user.post(PATH, list("Verkauf", app.north)).await.is(201));
    let uri = format!("{PATH}/{list}/prices");
    let prices = json!({ "prices": [priced(&depot, 0, "850"), priced(&depot, 1, "900")] });
    user.put(&uri, prices).await.is(200);
    user.post(&format!("{uri}/change"), json!({ "change": { "percent": "2" } })).await.is(200);
    assert_eq!(list_history(user, list).await[0], (json!("session"), json!({ "prices_changed": 2 })));

    let (_, erp) = token(app, user, &["import-prices"]).await;
    let before = user.get(&format!("{PATH}/{list}")).await.is(200)["updated_at"].clone();
    let item =
        json!({ "article_number": articles[0]["article_number"], "price": { "price": "870", "unit": "t" } });
    let put = format!("/api/v1/price-lists/{list}/prices");
    for dry_run in [true, false, false] {
        erp.put(&put, json!({ "items": [item], "dry_run": dry_run })).await.is(200);
    }
    assert_eq!(list_history(user, list).await[0], (json!("token"), json!({ "prices_changed": 1 })));
    assert_ne!(user.get(&format!("{PATH}/{list}")).await.is(200)["updated_at"], before);

    let number = |article: usize| articles[article]["article_number"].as_str().unwrap();
    let file = format!("Artikelnummer;Preis;Preiseinheit\n{};880;t\n{};;\n", number(0), number(1));
    let form = |dry: &str| {
        Form::new()
            .field("type", "PriceList")
            .field("price_list_id", &list.to_string())
            .field("dry_run", dry)
            .file("Preise.csv", &file)
    };
    let tried = form("true").send(user, IMPORTS).await.is(201);
    ended(user, &tried).await;
    assert_eq!(list_history(user, list).await.len(), 3);
    let import = form("false").send(user, IMPORTS).await.is(201);
    let import = ended(user, &import).await;
    let changed = &list_history(user, list).await[0];
    assert_eq!(changed.0, "import", "{import}");
    assert_eq!(changed.1["prices_changed"], 1, "{import}");
    let entry =
        user.get(&format!("{AUDIT}?filter[record]=price_list&filter[record_id]={list}")).await.is(200);
    assert_eq!(entry["data"][0]["through"]["id"], import["id"]);

    let count = list_history(user, list).await.len();
    let undo = user.post(&format!("{IMPORTS}/{}/undo", import["id"]), json!({})).await.is(201);
    ended(user, &undo).await;
    let all = list_history(user, list).await;
    assert_eq!((all.len(), &all[0].0, &all[0].1["prices_changed"]), (count + 1, &json!("import"), &json!(1)));
    drop(workers);
}
