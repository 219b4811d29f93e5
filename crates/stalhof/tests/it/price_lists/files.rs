//! Import of files into a price list over HTTP: in the format of its export, with the permission to write the
//! list, and undone.

use serde_json::{Value, json};

use super::{PATH, list, shift};
use crate::{
    access::token,
    catalog::id,
    imports::{IMPORTS, counts, ended},
    stocks::Depot,
    support::{Client, Form, all_but},
};

async fn listed(depot: &Depot, name: &str) -> i64 {
    id(&depot.user.post(PATH, list(name, depot.catalog.app.north)).await.is(201))
}

fn file(list: i64, content: impl AsRef<[u8]>) -> Form {
    Form::new()
        .field("type", "PriceList")
        .field("price_list_id", &list.to_string())
        .file("Preise.csv", content)
}

async fn costs(user: &Client, list: i64) -> Vec<Value> {
    let uri = format!("{PATH}/{list}/prices?sort=article_number");
    let rows = user.get(&uri).await.is(200)["data"].clone();
    rows.as_array().unwrap().iter().map(|row| row["price"]["price"].clone()).collect()
}

#[actix_web::test]
async fn an_export_is_imported_again_replaces_another_list_and_is_undone() {
    let depot = Depot::new().await;
    let (app, user) = (&depot.catalog.app, &depot.user);
    let workers = app.workers().await;
    let list = listed(&depot, "Verkauf").await;
    let [first, second] = [0, 1].map(|article| depot.articles[article]["id"].clone());
    let tier = json!([
        { "quantity_from": "10", "price": "83", "price_quantity": "100", "unit": "kg" },
        { "quantity_from": "5.05", "quantity_unit": "t", "price": "84", "price_quantity": "100", "unit": "kg" },
    ]);
    let most = (1..=50).map(|step| {
        let (quantity, price) = ((step * 10).to_string(), format!("10.{}", 50 - step));
        json!({ "quantity_from": quantity, "quantity_unit": "m", "price": price, "price_quantity": "100", "unit": "m" })
    });
    let most: Vec<Value> = most.collect();
    let prices = json!({ "prices": [
        { "article_id": first, "price": { "price": "850", "unit": "t" }, "bulk_prices": tier },
        { "article_id": second, "price": { "price": "10.5", "price_quantity": "100", "unit": "m" }, "bulk_prices": most },
    ] });
    user.put(&format!("{PATH}/{list}/prices"), prices).await.is(200);
    for format in ["csv", "xlsx"] {
        let export = user.get(&format!("{PATH}/{list}/prices/export?format={format}")).await;
        let import = file(list, &export.bytes).send(user, IMPORTS).await.is(201);
        assert_eq!(import["price_list"], json!({ "id": list, "name": "Verkauf" }));
        assert_eq!(counts(&ended(user, &import).await), [0, 0, 2, 0], "{format}");
    }

    // a file replaces all prices of another list; other prices in it are removed once the user has confirmed
    // their number
    let gone = json!({ "prices": [{ "article_id": second }] });
    user.put(&format!("{PATH}/{list}/prices"), gone).await.is(200);
    let exported = user.get(&format!("{PATH}/{list}/prices/export?format=csv")).await.bytes;
    let other = listed(&depot, "Einkauf").await;
    let besides = json!({ "prices": [{ "article_id": second, "price": { "price": "1", "unit": "m" } }] });
    user.put(&format!("{PATH}/{other}/prices"), besides).await.is(200);
    let form = || file(other, &exported).field("strategy", "replace_all");
    assert_eq!(form().send(user, IMPORTS).await.is(409)["code"], "try_first");
    let tried = form().field("dry_run", "true").send(user, IMPORTS).await.is(201);
    let tried = ended(user, &tried).await;
    assert_eq!((&tried["rows_removed"], counts(&tried)), (&json!(1), [1, 0, 0, 0]));
    let applied = user.post(&format!("{IMPORTS}/{}/apply?confirm_removals=1", id(&tried)), json!({})).await;
    let applied = applied.is(201);
    assert_eq!(applied["price_list"]["id"], other);
    let applied = ended(user, &applied).await;
    assert_eq!((&applied["status"], &applied["rows_removed"]), (&json!("Success"), &json!(1)));
    assert_eq!(costs(user, other).await, [json!("850")]);
    assert_eq!(user.get(&format!("{PATH}/{other}")).await.is(200)["price_count"], 1);
    let listed = user.get(&format!("{IMPORTS}?filter[price_list_id]={other}")).await.is(200);
    assert_eq!(listed["meta"]["total"], 2);

    // the history of a price names the import
    let rows = user.get(&format!("{PATH}/{other}/prices")).await.is(200);
    let entry = id(&rows["data"][0]);
    let uri = format!("/api/admin/audit?filter[record]=price_list_entry&filter[record_id]={entry}");
    let history = user.get(&uri).await.is(200);
    assert_eq!(history["data"][0]["through"]["id"], applied["id"], "{history}");

    let undo = user.post(&format!("{IMPORTS}/{}/undo", id(&applied)), json!({})).await.is(201);
    assert_eq!(ended(user, &undo).await["status"], "Success");
    assert_eq!(costs(user, other).await, [json!("1")]);
    workers.end().await;
}

#[actix_web::test]
async fn a_file_is_refused_without_a_list_and_the_permission_to_change_it() {
    let depot = Depot::new().await;
    let (app, user) = (&depot.catalog.app, &depot.user);
    let list = listed(&depot, "Verkauf").await;
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    let content = format!("Artikelnummer;Preis;Preiseinheit\r\n{number};850;t\r\n");
    let south = app.caller(Some(app.south), values::PermissionSet::all()).await;
    for (client, form) in [
        (&south, file(list, &content)),
        (user, file(999_999, &content)),
        (user, Form::new().field("type", "PriceList").file("Preise.csv", &content)),
        (user, file(list, &content).field("price_list_id", "x")),
        (user, Form::new().field("type", "Price").field("price_list_id", "1").file("Preise.csv", &content)),
    ] {
        form.send(client, IMPORTS).await.is_refused_at(&["price_list_id"]);
    }
    let inspect = format!("{IMPORTS}/inspect");
    let found = file(list, &content).send(user, &inspect).await.is(200);
    assert_eq!((&found["problems"], &found["rows"]), (&json!([]), &json!(1)));
    file(list, &content).send(&south, &inspect).await.is_refused_at(&["price_list_id"]);

    let weak = app.caller(Some(app.north), all_but(pricing::permissions::UPDATE_PRICE_LIST)).await;
    assert_eq!(file(list, &content).send(&weak, IMPORTS).await.is(403)["code"], "forbidden");
    let weak = app.caller(Some(app.north), all_but(imports::permissions::CREATE_IMPORT)).await;
    file(list, &content).send(&weak, IMPORTS).await.is(403);
    // a token for price files can write lists if its owner can
    let (_, program) = token(app, user, &["import-prices"]).await;
    file(list, &content).send(&program, IMPORTS).await.is(201);

    // a file of another type is not taken for one of a list
    let stocks = format!("Artikelnummer;Lager;Preis;Preiseinheit\r\n{number};DU;850;t\r\n");
    let found =
        Form::new().field("type", "Stock").file("Preise.csv", &content).send(user, &inspect).await.is(200);
    assert_eq!(found["better_type"], Value::Null);
    let found = file(list, &stocks).send(user, &inspect).await.is(200);
    assert_eq!(found["better_type"], "Price");

    shift(app, list, -7200, Some(-60)).await;
    assert_eq!(file(list, &content).send(user, IMPORTS).await.is(409)["code"], "price_list_expired");
    let admin = app.platform().await;
    let group = json!({ "name": "Verbund", "description": null, "tenant_ids": [app.north] });
    let group = id(&admin.post("/api/admin/tenant-groups", group).await.is(201));
    let mut of_group = super::list("Verbund", app.north);
    of_group["owner_tenant_id"] = Value::Null;
    of_group["owner_tenant_group_id"] = json!(group);
    let of_group = id(&admin.post(PATH, of_group).await.is(201));
    assert_eq!(file(of_group, &content).send(&admin, IMPORTS).await.is(409)["code"], "list_of_group");
    assert_eq!(file(of_group, &content).send(user, IMPORTS).await.is(403)["code"], "not_own_price_list");
}
