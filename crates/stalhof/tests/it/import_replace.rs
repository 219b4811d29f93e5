//! Files that replace all: removals are shown before, their number is confirmed, and the user needs the
//! permission to delete.

use logistics::permissions::{DELETE_MATCHING, DELETE_STOCK};
use pricing::permissions::DELETE_PRICE_LIST;
use serde_json::{Value, json};
use values::{Permission, PermissionSet};

use crate::{
    access::token,
    catalog::id,
    imports::{IMPORTS, ended},
    price_lists::{PATH as LISTS, list},
    stocks::{self, Depot},
    support::{Client, Form, all_but},
};

/// Dry run of a file of stocks that replaces all.
fn replacing(content: &str) -> Form {
    Form::new()
        .field("type", "Stock")
        .field("strategy", "replace_all")
        .field("dry_run", "true")
        .file("Bestand.csv", content)
}

/// Quantities of all stocks, by id.
async fn quantities(user: &Client) -> Vec<Value> {
    let rows = user.get(&format!("{}?sort=id", stocks::PATH)).await.is(200)["data"].clone();
    rows.as_array().unwrap().iter().map(|row| row["quantity"].clone()).collect()
}

/// Depot with three stocks, two of them in its first warehouse; and a file with one of those two.
async fn filled() -> (Depot, String) {
    let depot = Depot::new().await;
    for (article, warehouse) in [(0, 0), (1, 0), (0, 1)] {
        depot.user.post(stocks::PATH, depot.stock(article, warehouse)).await.is(201);
    }
    let rows = depot.user.get(&format!("{}?sort=id", stocks::PATH)).await.is(200);
    let (article, place) = (
        rows["data"][0]["article"]["article_number"].clone(),
        rows["data"][0]["warehouse"]["short_code"].clone(),
    );
    let file = format!(
        "Artikelnummer;Lager;Menge\r\n{};{};1\r\n",
        article.as_str().unwrap(),
        place.as_str().unwrap()
    );
    (depot, file)
}

#[actix_web::test]
async fn removals_are_listed_first_and_their_count_is_confirmed() {
    let (depot, file) = filled().await;
    let user = &depot.user;
    let workers = depot.catalog.app.workers().await;
    let before = quantities(user).await;

    let tried = ended(user, &replacing(&file).send(user, IMPORTS).await.is(201)).await;
    assert_eq!((&tried["rows_removed"], &tried["removals_to_confirm"]), (&json!(1), &json!(1)), "one of two");
    assert_eq!(tried["replace_scope"], "named_warehouses");
    let rows = format!("{IMPORTS}/{}/rows?filter[outcome]=removed", id(&tried));
    let rows = user.get(&rows).await.is(200);
    assert_eq!(rows["meta"]["total"], 1);
    let changes = &rows["data"][0]["changes"];
    assert_eq!((&changes[0]["field"], &changes[0]["to"]), (&json!("quantity"), &json!("0")), "{rows}");
    assert_eq!(quantities(user).await, before, "a dry run changes nothing");

    let apply = format!("{IMPORTS}/{}/apply", id(&tried));
    for uri in [apply.clone(), format!("{apply}?confirm_removals=2")] {
        let refused = user.post(&uri, json!({})).await.is(409);
        assert_eq!(refused["code"], "removals_unconfirmed");
        assert!(refused["message"].as_str().unwrap().contains("removes 1 records"), "{refused}");
    }
    user.post(&format!("{apply}?confirm_removals=viele"), json!({}))
        .await
        .is_refused_at(&["confirm_removals"]);
    let applied = user.post(&format!("{apply}?confirm_removals=1"), json!({})).await.is(201);
    let applied = ended(user, &applied).await;
    assert_eq!((&applied["status"], &applied["rows_removed"]), (&json!("Success"), &json!(1)));
    let after = quantities(user).await;
    assert_eq!((&after[1], &after[2]), (&json!("0"), &before[2]), "the other warehouse is not named");

    // and the undo restores it
    let undone = user.post(&format!("{IMPORTS}/{}/undo", id(&applied)), json!({})).await.is(201);
    assert_eq!(ended(user, &undone).await["status"], "Success");
    assert_eq!(quantities(user).await, before);

    // all warehouses only on request
    let all = replacing(&file).field("replace_scope", "all").send(user, IMPORTS).await.is(201);
    let all = ended(user, &all).await;
    assert_eq!((&all["rows_removed"], &all["replace_scope"]), (&json!(2), &json!("all")));
    let wrong = replacing(&file).field("replace_scope", "some").send(user, IMPORTS).await;
    wrong.is_refused_at(&["replace_scope"]);
    workers.end().await;
}

#[actix_web::test]
async fn replacing_everything_needs_the_permission_to_delete() {
    let (depot, file) = filled().await;
    let app = &depot.catalog.app;
    let list = id(&depot.user.post(LISTS, list("Verkauf", app.north)).await.is(201));
    let prices = "Artikelnummer;Preis;Preiseinheit\r\nHEB;850;t\r\n";
    let matchings = "Artikelnummer;Externe Artikelnummer\r\nHEB;4711\r\n";
    let form = |kind: &str, content: &str| {
        let form = Form::new().field("type", kind).field("strategy", "replace_all").field("dry_run", "true");
        let form = if kind == "PriceList" { form.field("price_list_id", &list.to_string()) } else { form };
        form.file("Liste.csv", content)
    };
    let cases: [(&str, &str, Permission); 3] = [
        ("Stock", &file, DELETE_STOCK),
        ("Matching", matchings, DELETE_MATCHING),
        ("PriceList", prices, DELETE_PRICE_LIST),
    ];
    for (kind, content, needed) in cases {
        let weak = app.caller(Some(app.north), all_but(needed)).await;
        let refused = form(kind, content).send(&weak, IMPORTS).await.is(403);
        assert!(refused["message"].as_str().unwrap().contains(needed.as_str()), "{kind}: {refused}");
        form(kind, content).send(&depot.user, IMPORTS).await.is(201);
        // without the permission, the same file can still add
        let adds = Form::new().field("type", kind).field("dry_run", "true");
        let adds = if kind == "PriceList" { adds.field("price_list_id", &list.to_string()) } else { adds };
        adds.file("Liste.csv", content).send(&weak, IMPORTS).await.is(201);
    }

    // a user who loses the permission in between can no longer replace all
    let workers = app.workers().await;
    let tried = ended(&depot.user, &form("Stock", &file).send(&depot.user, IMPORTS).await.is(201)).await;
    let weak = app.caller(Some(app.north), all_but(DELETE_STOCK)).await;
    let apply = format!("{IMPORTS}/{}/apply?confirm_removals=1", id(&tried));
    assert_eq!(weak.post(&apply, json!({})).await.is(403)["code"], "forbidden");
    workers.end().await;
}

#[actix_web::test]
async fn a_token_needs_a_separate_ability_to_replace_everything() {
    let (depot, file) = filled().await;
    let app = &depot.catalog.app;
    let owner = app.caller(Some(app.north), PermissionSet::all()).await;
    let (_, uploads) = token(app, &owner, &["import-stocks"]).await;
    assert_eq!(replacing(&file).send(&uploads, IMPORTS).await.is(403)["code"], "forbidden");
    let (_, replaces) = token(app, &owner, &["import-replace"]).await;
    assert_eq!(
        replacing(&file).send(&replaces, IMPORTS).await.is(403)["code"],
        "forbidden",
        "it uploads none"
    );
    let (_, both) = token(app, &owner, &["import-stocks", "import-replace"]).await;
    replacing(&file).send(&both, IMPORTS).await.is(201);
    // this user cannot delete by hand either
    let first = id(&depot.user.get(stocks::PATH).await.is(200)["data"][0]);
    both.delete(&format!("{}/{first}", stocks::PATH)).await.is(403);
    let weak = app.caller(Some(app.north), all_but(DELETE_STOCK)).await;
    let (_, of_weak) = token(app, &weak, &["import-stocks", "import-replace"]).await;
    assert_eq!(
        replacing(&file).send(&of_weak, IMPORTS).await.is(403)["code"],
        "forbidden",
        "its owner may not"
    );
}
