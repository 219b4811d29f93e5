//! Undo of imports, as the screen does it.

use actix_web::http::Method;
use logistics::permissions;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, id},
    imports::{IMPORTS, articles, ended, for_north},
    stocks::{Depot, PATH as STOCKS},
    support::{Form, all_but},
};

const HEADER: &str = "Artikeltyp;Werkstoff;Höhe;Länge [m];Oberfläche;Artikelnummer\r\n";

fn outcomes(rows: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let rows = rows["data"].as_array().unwrap();
    rows.iter().map(|row| (text(&row["record_name"]), text(&row["outcome"]))).collect()
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(one, other)| ((*one).to_owned(), (*other).to_owned())).collect()
}

#[actix_web::test]
async fn the_undo_of_an_import_is_tried_applied_and_undone() {
    let depot = Depot::new().await;
    let (admin, app) = (&depot.catalog.admin, &depot.catalog.app);
    let workers = app.workers().await;
    let file = format!(
        "{HEADER}Breitflanschträger HEB;S235JR;200;12,1;roh;A1\r\nBreitflanschträger HEB;S235JR;200;6;roh;A2\r\n\
         Breitflanschträger HEB;S235JR;200;7;roh;A3\r\n"
    );
    let import = articles(&file).field("name", "Träger").send(admin, &for_north(app)).await.is(201);
    let undo = format!("{IMPORTS}/{}/undo", id(&import));
    let import = ended(admin, &import).await;
    assert_eq!(
        (&import["undoable"], &import["undone_by"], &import["undoes"]),
        (&json!(true), &Value::Null, &Value::Null)
    );

    // one is in use by now, another has been edited
    let listed = admin.get(&format!("{ARTICLES}?filter[import_id]={}", id(&import))).await.is(200);
    let of = |number: &str| {
        let mut all = listed["data"].as_array().unwrap().iter();
        id(all.find(|article| article["article_number"] == number).unwrap())
    };
    let stock =
        json!({"article_id": of("A2"), "warehouse_id": depot.warehouses[0], "availability_type": "always"});
    depot.user.post(STOCKS, stock).await.is(201);
    let edit = json!({"article_name": "Sonderträger"});
    admin.send(Method::PATCH, &format!("{ARTICLES}/{}", of("A3")), Some(edit)).await.is(200);

    let tried = admin.post(&undo, json!({"dry_run": true})).await.is(201);
    assert_eq!((&tried["dry_run"], &tried["undoes"]), (&json!(true), &import["id"]));
    let tried = ended(admin, &tried).await;
    let counts = ["rows_removed", "rows_kept", "rows_refused", "rows_total"]
        .map(|count| tried[count].as_i64().unwrap());
    assert_eq!((counts, &tried["status"]), ([1, 1, 1, 3], &json!("PartialSuccess")));
    admin.get(&format!("{ARTICLES}/{}", of("A1"))).await.is(200);

    // the dry run is applied, like that of a file
    let apply = format!("{IMPORTS}/{}/apply?tenant_id={}", id(&tried), app.north);
    let undone = admin.post(&apply, Value::Null).await.is(201);
    let undone = ended(admin, &undone).await;
    assert_eq!(
        (&undone["undoes"], &undone["name"], &undone["files_kept"]),
        (&import["id"], &json!("Träger"), &json!(false))
    );
    let rows = admin.german().get(&format!("{IMPORTS}/{}/rows", id(&undone))).await.is(200);
    let expected = [("A1", "removed"), ("A2", "refused"), ("A3", "kept")];
    assert_eq!(outcomes(&rows), pairs(&expected));
    assert_eq!(rows["data"][1]["warnings"][0]["code"], "used_elsewhere");
    assert_eq!(rows["data"][2]["warnings"][0]["column"], "Bezeichnung");
    admin.get(&format!("{ARTICLES}/{}", of("A1"))).await.is(404);
    admin.get(&format!("{ARTICLES}/{}", of("A2"))).await.is(200);

    // the history of a removed record says so, and by whom
    let history = format!("/api/admin/audit?filter[record]=article&filter[record_id]={}", of("A1"));
    let history = admin.get(&history).await.is(200);
    let actions: Vec<_> =
        history["data"].as_array().unwrap().iter().map(|entry| entry["action"].clone()).collect();
    assert_eq!(actions, ["deleted", "created"]);

    // both imports link to each other, and there is only one undo
    let first = admin.get(&format!("{IMPORTS}/{}", id(&import))).await.is(200);
    assert_eq!((&first["undone_by"], &first["undoable"]), (&undone["id"], &json!(false)));
    assert_eq!(admin.post(&undo, json!({})).await.is(409)["code"], "already_undone");
    admin.post(&undo, json!({"unknown": 1})).await.is(422);

    let again = admin.post(&format!("{IMPORTS}/{}/undo", id(&undone)), json!({})).await.is(201);
    let again = ended(admin, &again).await;
    assert_eq!((&again["rows_created"], &again["status"]), (&json!(1), &json!("Success")));
    admin.get(&format!("{ARTICLES}/{}", of("A1"))).await.is(200);
    workers.end().await;
}

#[actix_web::test]
async fn undoing_an_import_needs_the_permission_to_delete() {
    let depot = Depot::new().await;
    let (app, user) = (&depot.catalog.app, &depot.user);
    let workers = app.workers().await;
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    let file = format!("Artikelnummer;Lager;Menge\r\n{number};DU;3\r\n");
    let upload = Form::new().field("type", "Stock").file("bestand.csv", &file);
    let import = upload.send(user, IMPORTS).await.is(201);
    let undo = format!("{IMPORTS}/{}/undo", id(&import));
    ended(user, &import).await;

    let lacking = app.caller(Some(app.north), all_but(permissions::DELETE_STOCK)).await;
    assert_eq!(lacking.post(&undo, json!({})).await.is(403)["code"], "forbidden");
    let other = app.caller(Some(app.south), PermissionSet::all()).await;
    other.post(&undo, json!({})).await.is(404);
    // the platform acts for the owning tenant
    let undone = depot.catalog.admin.post(&undo, json!({})).await.is(201);
    assert_eq!(undone["tenant"]["id"], app.north);
    assert_eq!(ended(user, &undone).await["rows_removed"], 1);
    assert_eq!(user.get(STOCKS).await.is(200)["meta"]["total"], 0);
    workers.end().await;
}
