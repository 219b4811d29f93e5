//! Indirect ways of writing (files, applied dry runs, undos, replays, bulk changes, copies) need the same
//! permissions as the direct way.

use std::collections::HashMap;

use serde_json::json;
use values::{Permission, PermissionSet};

use super::{Operation, operations};
use crate::{
    catalog::{ARTICLES, id},
    imports::{IMPORTS, ended},
    price_lists::{PATH as LISTS, list},
    stocks::{self, Depot},
    support::{Client, Form, TestApp, all_but},
};

/// Type of file with the operations that write the same by hand.
struct File {
    kind: &'static str,
    content: String,
    writes: &'static [&'static str],
    /// Further permissions for a file that replaces all, if the type supports that.
    replaces: &'static [&'static str],
    /// Further permissions for the undo of the import.
    undoes: &'static [&'static str],
}

fn files(depot: &Depot) -> Vec<File> {
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    vec![
        File {
            kind: "Stock",
            content: format!("Artikelnummer;Lager;Menge\r\n{number};DU;1\r\n"),
            writes: &["stocks.create", "stocks.update"],
            replaces: &["stocks.delete"],
            undoes: &["stocks.delete"],
        },
        File {
            kind: "Price",
            content: format!("Artikelnummer;Lager;Preis [EUR/t]\r\n{number};DU;850\r\n"),
            writes: &["prices.update"],
            replaces: &["prices.delete"],
            undoes: &["prices.delete"],
        },
        File {
            kind: "Listing",
            content: format!("Artikelnummer;Lager;Menge;Preis [EUR/t]\r\n{number};DU;2;851\r\n"),
            writes: &["stocks.create", "stocks.update", "prices.update"],
            replaces: &["stocks.delete", "prices.delete"],
            undoes: &["stocks.delete", "prices.delete"],
        },
        File {
            kind: "PriceList",
            content: format!("Artikelnummer;Preis;Preiseinheit\r\n{number};850;t\r\n"),
            writes: &["price_lists.update_prices"],
            replaces: &["price_lists.delete"],
            undoes: &[],
        },
        File {
            kind: "Matching",
            content: format!("Artikelnummer;Externe Artikelnummer\r\n{number};4711\r\n"),
            writes: &["matchings.create", "matchings.update"],
            replaces: &["matchings.delete"],
            undoes: &["matchings.delete"],
        },
        File {
            kind: "DeleteMatchings",
            content: "Externe Artikelnummer\r\n4711\r\n".to_owned(),
            writes: &["matchings.delete"],
            replaces: &[],
            undoes: &["matchings.create"],
        },
    ]
}

/// Callers of a tenant, each of whom lacks a single permission.
struct Lacking<'a> {
    app: &'a TestApp,
    tenant: i64,
    operations: Vec<Operation>,
    callers: HashMap<Permission, Client>,
}

impl<'a> Lacking<'a> {
    fn new(app: &'a TestApp, tenant: i64) -> Self {
        Self { app, tenant, operations: operations(), callers: HashMap::new() }
    }

    fn permission(&self, operation: &str) -> Permission {
        let found = self.operations.iter().find(|found| found.id == operation);
        found.and_then(|found| found.permission).unwrap_or_else(|| panic!("{operation} demands nothing"))
    }

    /// Permission of an operation, and a caller who lacks only that.
    async fn caller(&mut self, operation: &str) -> (Permission, Client) {
        let permission = self.permission(operation);
        if !self.callers.contains_key(&permission) {
            let caller = self.app.caller(Some(self.tenant), all_but(permission)).await;
            self.callers.insert(permission, caller);
        }
        (permission, self.callers[&permission].clone())
    }
}

fn assert_refused(answer: &crate::support::Answer, permission: Permission, what: &str) {
    let refused = answer.is(403);
    assert_eq!(refused["code"], "forbidden", "{what}");
    assert!(refused["message"].as_str().unwrap().contains(permission.as_str()), "{what}: {refused}");
}

#[actix_web::test]
async fn imports_and_their_undo_need_the_permissions_of_manual_changes() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let (user, north) = (&depot.user, app.north);
    let list = id(&user.post(LISTS, list("Verkauf", north)).await.is(201));
    let workers = app.workers().await;
    let mut lacking = Lacking::new(app, north);
    for file in files(&depot) {
        let form = |strategy: &str, dry_run: bool| {
            let form = Form::new().field("type", file.kind).field("strategy", strategy);
            let form = form.field("dry_run", if dry_run { "true" } else { "false" });
            let form = match file.kind {
                "PriceList" => form.field("price_list_id", &list.to_string()),
                _ => form,
            };
            form.file("Datei.csv", &file.content)
        };
        let tried = form("add_and_replace", true).send(user, IMPORTS).await.is(201);
        assert_eq!(ended(user, &tried).await["status"], "Success", "{}", file.kind);
        let apply = format!("{IMPORTS}/{}/apply", id(&tried));
        for operation in file.writes {
            let (permission, weak) = lacking.caller(operation).await;
            let what = |way: &str| format!("{} of {} without {operation}", way, file.kind);
            for strategy in ["add_and_replace", "only_existing"] {
                let answer = form(strategy, false).send(&weak, IMPORTS).await;
                assert_refused(&answer, permission, &what(strategy));
            }
            assert_refused(&weak.post(&apply, json!({})).await, permission, &what("apply"));
        }
        let made = ended(user, &form("add_and_replace", false).send(user, IMPORTS).await.is(201)).await;
        assert_eq!(made["status"], "Success", "{}: {made}", file.kind);
        let undo = format!("{IMPORTS}/{}/undo", id(&made));
        for operation in file.writes.iter().chain(file.undoes) {
            let (permission, weak) = lacking.caller(operation).await;
            let what = format!("undo of {} without {operation}", file.kind);
            for body in [json!({}), json!({ "dry_run": true })] {
                assert_refused(&weak.post(&undo, body).await, permission, &what);
            }
        }
        if file.replaces.is_empty() {
            continue;
        }
        let tried = ended(user, &form("replace_all", true).send(user, IMPORTS).await.is(201)).await;
        let removals = tried["removals_to_confirm"].as_u64().unwrap_or_default();
        let apply = format!("{IMPORTS}/{}/apply?confirm_removals={removals}", id(&tried));
        for operation in file.writes.iter().chain(file.replaces) {
            let (permission, weak) = lacking.caller(operation).await;
            let what = format!("replacing by {} without {operation}", file.kind);
            assert_refused(&form("replace_all", true).send(&weak, IMPORTS).await, permission, &what);
            assert_refused(&weak.post(&apply, json!({})).await, permission, &what);
        }
    }
    workers.end().await;
}

#[actix_web::test]
async fn imports_of_articles_need_the_permissions_of_the_form() {
    let depot = Depot::new().await;
    let app = &depot.catalog.app;
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    let upload = |dry_run: &str| {
        let form = Form::new().field("type", "Article").field("dry_run", dry_run);
        form.file("Artikel.csv", format!("Artikelnummer;Bezeichnung\r\n{number};Anders\r\n"))
    };
    let admin = app.platform().await;
    let to = format!("{IMPORTS}?tenant_id={}", app.north);
    let workers = app.workers().await;
    let made = ended(&admin, &upload("false").send(&admin, &to).await.is(201)).await;
    let undo = format!("{IMPORTS}/{}/undo?tenant_id={}", id(&made), app.north);
    let all = operations();
    let named = |name: &str| all.iter().find(|found| found.id == name).unwrap().permission.unwrap();
    for operation in ["articles.create", "articles.update"] {
        let weak = app.caller(None, all_but(named(operation))).await;
        assert_refused(&upload("true").send(&weak, &to).await, named(operation), operation);
        assert_refused(&weak.post(&undo, json!({})).await, named(operation), operation);
    }
    let weak = app.caller(None, all_but(named("articles.delete"))).await;
    assert_refused(&weak.post(&undo, json!({})).await, named("articles.delete"), "undo");
    workers.end().await;
    assert!(admin.get(ARTICLES).await.is(200)["meta"]["total"].as_u64().unwrap() > 0);
}

#[actix_web::test]
async fn waiting_rows_are_imported_only_with_the_permissions_to_import_them() {
    let depot = Depot::new().await;
    let (app, user) = (&depot.catalog.app, &depot.user);
    let number = &depot.articles[0]["article_number"];
    let workers = app.workers().await;
    let content = "Externe Artikelnummer;Lager;Menge\r\n4711;DU;2\r\n";
    let upload = Form::new().field("type", "Stock").file("Bestand.csv", content);
    let import = ended(user, &upload.send(user, IMPORTS).await.is(201)).await;
    assert_eq!(import["rows_unresolved"], 1);
    let matching = json!({ "article_number": number, "external_article_number": "4711" });
    user.post("/api/admin/matchings", matching).await.is(201);
    let mut lacking = Lacking::new(app, app.north);
    let replay = "/api/admin/unresolved-numbers/replay";
    for operation in ["stocks.create", "stocks.update", "imports.create"] {
        let (_, weak) = lacking.caller(operation).await;
        let answer = weak.post(replay, json!({})).await;
        assert!([403, 409].contains(&answer.status.as_u16()), "{operation}: {}", answer.status);
    }
    assert_eq!(user.get(stocks::PATH).await.is(200)["meta"]["total"], 0, "nothing was imported");
    let replayed = user.post(replay, json!({})).await.is(200);
    assert_eq!(ended(user, &json!({ "id": replayed["imports"][0] })).await["rows_created"], 1);
    workers.end().await;
}

#[actix_web::test]
async fn copying_and_ending_a_price_list_needs_permissions_to_create_view_and_update() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let original = id(&user.post(LISTS, list("Verkauf", app.north)).await.is(201));
    let copy = json!({ "name": "Verkauf 2027", "valid_from": "2099-01-01T00:00:00Z", "ends_original": true });
    let mut lacking = Lacking::new(&app, app.north);
    for operation in ["price_lists.create", "price_lists.view", "price_lists.update"] {
        let (permission, weak) = lacking.caller(operation).await;
        let answer = weak.post(&format!("{LISTS}/{original}/copy"), copy.clone()).await;
        assert_refused(&answer, permission, operation);
    }
    assert_eq!(user.get(LISTS).await.is(200)["meta"]["total"], 1, "no copy was made");
    user.post(&format!("{LISTS}/{original}/copy"), copy).await.is(201);
}

#[test]
fn bulk_operations_need_the_permissions_of_single_ones() {
    let all = operations();
    let permission = |id: &str| all.iter().find(|found| found.id == id).and_then(|found| found.permission);
    let mut compared = 0;
    for operation in &all {
        let Some((resource, verb)) = operation.id.split_once('.') else { continue };
        let one = match verb {
            "bulk_delete" => "delete",
            "bulk_change" | "bulk_effect" | "update_many" | "reorder" | "relocate" | "archive"
            | "update_prices" | "change_prices" | "update_values" | "accept" | "patch" => "update",
            _ => continue,
        };
        let Some(direct) = permission(&format!("{resource}.{one}")) else { continue };
        assert_eq!(operation.permission, Some(direct), "{}", operation.id);
        compared += 1;
    }
    assert!(compared > 40, "{compared}");
}
