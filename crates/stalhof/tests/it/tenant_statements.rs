//! Tenant in statements that `statements.rs` does not count: operations with a varying number of statements,
//! all filters and sort orders of a tenant's lists, and the worker that imports a file of each type.

use std::collections::BTreeSet;

use actix_web::http::Method;
use imports::import_type::ImportType;
use sea_orm::{ConnectionTrait, DbBackend};
use serde_json::{Value, json};
use store::statements::sent_by;
use values::PermissionSet;

use crate::{
    access::token,
    catalog::id,
    document::{document, resolved},
    imports::IMPORTS,
    price_adjustments, price_lists,
    statements::{NOT_COUNTED, openapi_operations, operation},
    stocks::{self, Depot},
    support::{Answer, Form, PASSWORD},
    tenant_rule::{reads_without_tenant, writes_without_tenant},
    unresolved_numbers::PATH as NUMBERS,
};

/// Operations that are not called, each with the reason.
const NOT_CALLED: &[&str] = &[
    "article_images.",                // records of the platform
    "category_images.",               // records of the platform
    "demo_mails.",                    // of the demo alone
    "email_change.",                  // without a session
    "external_apis.import_meta_data", // asks a server, then uploads a file
    "ftp_settings.repeat",            // asks a server, then uploads a file
    "password_reset.",                // without a session
    "steel_catalogue.",               // records of the platform
    "verification.",                  // without a session
];

struct Watched {
    depot: Depot,
    document: Value,
    called: BTreeSet<String>,
    broken: BTreeSet<String>,
}

impl Watched {
    /// Runs a piece of work and records its statements that do not name the tenant. On SQLite, the choice of
    /// the index decides if a read names it, so reads count only on PostgreSQL.
    async fn watch<T>(&mut self, what: &str, work: impl Future<Output = T>) -> T {
        let (outcome, sent) = sent_by(Box::pin(work)).await;
        let reads = self.depot.catalog.app.db.get_database_backend() == DbBackend::Postgres;
        for sql in sent {
            if writes_without_tenant(&sql).is_some() || reads && !reads_without_tenant(&sql).is_empty() {
                self.broken.insert(format!("{what}: {sql}"));
            }
        }
        outcome
    }

    async fn send(&mut self, method: Method, uri: &str, body: Option<Value>) -> Answer {
        let operation = operation(&self.document, &method, uri);
        let user = self.depot.user.clone();
        let answer = self.watch(&operation, user.send(method, uri, body)).await;
        self.called.insert(operation);
        answer
    }

    async fn call(&mut self, method: Method, uri: &str, body: Option<Value>) -> Value {
        let answer = self.send(method.clone(), uri, body).await;
        let text = String::from_utf8_lossy(&answer.bytes);
        assert!(answer.status.is_success(), "{method} {uri}: {} {text}", answer.status);
        serde_json::from_slice(&answer.bytes).unwrap_or_default()
    }

    async fn get(&mut self, uri: &str) -> Value {
        self.call(Method::GET, uri, None).await
    }

    async fn post(&mut self, uri: &str, body: Value) -> Value {
        self.call(Method::POST, uri, Some(body)).await
    }

    async fn delete(&mut self, uri: &str) {
        self.call(Method::DELETE, uri, None).await;
    }

    async fn form(&mut self, uri: &str, form: Form) -> Value {
        let operation = operation(&self.document, &Method::POST, uri);
        let user = self.depot.user.clone();
        let answer = self.watch(&operation, form.send(&user, uri)).await;
        self.called.insert(operation);
        assert!(answer.status.is_success(), "{uri}: {}", String::from_utf8_lossy(&answer.bytes));
        serde_json::from_slice(&answer.bytes).unwrap()
    }

    /// Runs the imports in the queue.
    async fn import_all(&mut self) {
        let queue = api::work::imports(&self.depot.catalog.app.state());
        self.watch("worker of imports", background::work_off(&queue, "worker")).await.unwrap();
    }

    /// Imports a file and waits for the end.
    async fn imported(&mut self, form: Form) -> Value {
        let import = self.form(IMPORTS, form).await;
        self.import_all().await;
        self.get(&format!("{IMPORTS}/{}", id(&import))).await
    }

    /// Starts an import that follows from another one and waits for the end.
    async fn following(&mut self, uri: &str, body: Value) -> Value {
        let import = self.post(uri, body).await;
        self.import_all().await;
        self.get(&format!("{IMPORTS}/{}", id(&import))).await
    }

    /// Number of one of the depot's articles.
    fn number(&self, article: usize) -> String {
        self.depot.articles[article]["article_number"].as_str().unwrap().to_owned()
    }
}

fn file(r#type: &str, content: &str) -> Form {
    Form::new().field("type", r#type).file("Liste.csv", content)
}

#[actix_web::test]
async fn each_statement_for_a_tenant_names_it() {
    let depot = Depot::new().await;
    let (document, called, broken) = (document(), BTreeSet::new(), BTreeSet::new());
    let mut watched = Watched { depot, document, called, broken };
    let list = Box::pin(imports_of_each_type(&mut watched)).await;
    Box::pin(life_of_an_import(&mut watched)).await;
    Box::pin(unresolved_numbers(&mut watched)).await;
    Box::pin(partners(&mut watched, list)).await;
    Box::pin(history(&mut watched)).await;
    Box::pin(every_filter_and_order(&mut watched)).await;
    Box::pin(people(&mut watched)).await;

    let Watched { document, called, broken, .. } = watched;
    let missing: Vec<_> = openapi_operations(&document)
        .into_iter()
        .filter(|operation| NOT_COUNTED.iter().any(|known| operation.starts_with(known)))
        .filter(|operation| !NOT_CALLED.iter().any(|known| operation.starts_with(known)))
        .filter(|operation| !called.contains(operation))
        .collect();
    let broken: Vec<String> = broken.into_iter().collect();
    assert!(broken.is_empty(), "{} without a tenant:\n{}", broken.len(), broken.join("\n"));
    assert_eq!(missing, Vec::<String>::new(), "operations without a call or a reason");
}

/// Imports a file of each type that changes records, some also as dry runs or replacing all; returns the
/// price list of one.
async fn imports_of_each_type(watched: &mut Watched) -> i64 {
    let (first, second) = (watched.number(0), watched.number(1));
    let list = price_lists::list("Verkauf", watched.depot.catalog.app.north);
    let list = id(&watched.post(price_lists::PATH, list).await);
    let external =
        json!({ "articles": [{ "number": "0004711", "name": first }], "warehouses": [], "tenants": [] });
    for r#type in ImportType::NAMES {
        let contents = match *r#type {
            "Listing" => [
                format!("Artikelnummer;Lager;Menge;Preis;Preiseinheit\r\n{first};DU;1;800;t\r\n"),
                format!(
                    "Artikelnummer;Lager;Menge;Preis;Preiseinheit\r\n{first};DU;2;810;t\r\n{second};HH;5;90;m\r\n"
                ),
            ],
            "Price" => [
                format!("Artikelnummer;Lager;Preis;Preiseinheit\r\n{first};DU;820;t\r\n"),
                format!(
                    "Artikelnummer;Lager;Preis;Preiseinheit\r\n{first};DU;9000;t\r\n{first};XX;9000;t\r\n"
                ),
            ],
            "PriceList" => [
                format!("Artikelnummer;Preis;Preiseinheit\r\n{first};850;t\r\n"),
                format!("Artikelnummer;Preis;Preiseinheit\r\n{first};9000;t\r\n{second};1;m\r\n"),
            ],
            "Stock" => [
                format!("Artikelnummer;Lager;Menge\r\n{first};DU;3\r\n{second};DU;1\r\n"),
                format!("Artikelnummer;Externe Artikelnummer;Lager;Menge\r\n{first};;HH;3\r\n;0815;DU;2\r\n"),
            ],
            "Matching" => [
                format!("Artikelnummer;Externe Artikelnummer\r\n{first};M-1\r\n"),
                format!("Artikelnummer;Externe Artikelnummer\r\n{second};M-1\r\n{first};M-2\r\n"),
            ],
            "DeleteMatchings" => {
                ["Externe Artikelnummer\r\nM-1\r\n", "Externe Artikelnummer\r\nM-9\r\n"].map(str::to_owned)
            }
            "ExternalApiMetaData" => [external.to_string(), external.to_string()],
            // records of the platform
            "Article" | "ShippingNode" | "ShippingLeg" => continue,
            other => panic!("no file of {other}"),
        };
        let named = |form: Form| match *r#type {
            "PriceList" => form.field("price_list_id", &list.to_string()),
            _ => form,
        };
        let extension = if *r#type == "ExternalApiMetaData" { "json" } else { "csv" };
        let form = |content: &str| {
            named(Form::new().field("type", r#type)).file(&format!("Liste.{extension}"), content)
        };
        for content in &contents {
            watched.form(&format!("{IMPORTS}/inspect"), form(content)).await;
            let import = watched.imported(form(content)).await;
            assert!(import["status"] != "Failed" || *content == contents[1], "{type}: {import}");
            let replaces = ["Listing", "PriceList", "Stock", "Matching"].contains(r#type);
            if replaces {
                let tried = named(Form::new().field("type", r#type))
                    .field("strategy", "replace_all")
                    .field("dry_run", "true")
                    .file("Liste.csv", content);
                let tried = watched.imported(tried).await;
                let removals = &tried["removals_to_confirm"];
                let confirm =
                    if removals.is_null() { String::new() } else { format!("?confirm_removals={removals}") };
                let uri = format!("{IMPORTS}/{}", id(&tried));
                if watched.get(&format!("{uri}/rows")).await["meta"]["total"] != 0
                    && tried["status"] != "Failed"
                {
                    watched.following(&format!("{uri}/apply{confirm}"), Value::Null).await;
                }
            }
            let undo = format!("{IMPORTS}/{}/undo", id(&import));
            if import["undoable"] == true && *content == contents[1] {
                watched.following(&undo, json!({ "dry_run": true })).await;
                watched.following(&undo, json!({})).await;
            }
        }
        watched.get(&format!("{IMPORTS}/columns?type={type}")).await;
        if extension == "csv" {
            watched.get(&format!("{IMPORTS}/template?type={type}&format=csv")).await;
        }
    }
    list
}

/// Calls all operations about an import with refused rows.
async fn life_of_an_import(watched: &mut Watched) {
    let first = watched.number(0);
    let content = format!("Artikelnummer;Lager;Menge\r\n{first};DU;viel\r\n{first};HH;4\r\nNIE;HH;4\r\n");
    let import = watched.imported(file("Stock", &content)).await;
    let uri = format!("{IMPORTS}/{}", id(&import));
    for part in
        ["rows", "rows?filter[outcome]=created", "errors", "error-groups", "error-file", "upload-file"]
    {
        watched.get(&format!("{uri}/{part}")).await;
    }
    watched.get(&format!("{IMPORTS}/events")).await;
    let errors = watched.get(&format!("{uri}/errors")).await;
    let line = &errors["data"][0]["line"];
    let rows = json!({ "rows": [{ "line": line, "cells": [first, "24", "HH"] }] });
    let correction = watched.send(Method::POST, &format!("{uri}/corrections"), Some(rows)).await;
    assert!(correction.status.is_success() || correction.status == 422);
    watched.import_all().await;
    watched.delete(&format!("{uri}/mapping")).await;
    let prices = format!("Artikelnummer;Lager;Preis;Preiseinheit\r\n{first};HH;830;t\r\n");
    let tried = Form::new().field("type", "Price").field("dry_run", "true").file("Preise.csv", prices);
    let tried = watched.imported(tried).await;
    watched.post(&format!("{IMPORTS}/{}/impact", id(&tried)), Value::Null).await;
    watched.following(&format!("{IMPORTS}/{}/apply", id(&tried)), Value::Null).await;
    let waiting = watched.form(IMPORTS, file("Stock", &content)).await;
    watched.post(&format!("{IMPORTS}/{}/stop", id(&waiting)), Value::Null).await;
    let waiting = watched.form(IMPORTS, file("Stock", &content)).await;
    watched.delete(&format!("{IMPORTS}/{}", id(&waiting))).await;
}

async fn unresolved_numbers(watched: &mut Watched) {
    let (first, second) = (watched.number(0), watched.number(1));
    let content = format!(
        "Externe Artikelnummer;Bezeichnung;Lager;Menge\r\nU-1;{first};DU;2\r\nU-2;{second};DU;1\r\nU-3;;DU;1\r\n"
    );
    watched.imported(file("Stock", &content)).await;
    let listed = watched.get(&format!("{NUMBERS}/suggestions?sort=number&filter[number]=U-")).await;
    let ids: Vec<i64> = listed["data"].as_array().unwrap().iter().map(id).collect();
    let matches = json!({ "matches": [{ "number_id": ids[0], "target": first }] });
    watched.post(&format!("{NUMBERS}/bulk-match"), matches).await;
    watched.import_all().await;
    let article = json!({ "article_id": watched.depot.articles[1]["id"] });
    watched.post(&format!("{NUMBERS}/{}/match", ids[1]), article.clone()).await;
    watched.import_all().await;
    let mut matching = article;
    matching["external_article_number"] = "U-3".into();
    watched.depot.user.post("/api/admin/matchings", matching).await.is(201);
    watched.post(&format!("{NUMBERS}/replay"), json!({})).await;
    watched.import_all().await;
}

/// Requests the prices of a partner, with a list for them.
async fn partners(watched: &mut Watched, list: i64) {
    let south = watched.depot.catalog.app.south;
    let price = json!({ "price": "1000", "unit": "t" });
    let prices = json!({ "prices": [{ "article_id": watched.depot.articles[0]["id"], "price": price }] });
    watched.depot.user.put(&format!("{}/{list}/prices", price_lists::PATH), prices).await.is(200);
    let mut discount = price_adjustments::adjustment("Rabatt");
    discount["tenant_ids"] = json!([south]);
    watched.depot.user.post(price_adjustments::PATH, discount).await.is(201);
    let partner = format!("/api/admin/partners/{south}");
    for part in ["terms", "price-sheet", "price-sheet/export?format=csv"] {
        watched.get(&format!("{partner}/{part}")).await;
    }
}

/// Undoes one change, and a call that changed several records.
async fn history(watched: &mut Watched) {
    let stock = watched.depot.stock(1, 1);
    let stock = watched.send(Method::POST, stocks::PATH, Some(stock)).await;
    let stock =
        if stock.status == 201 { stock.is(201) } else { watched.get(stocks::PATH).await["data"][0].clone() };
    let lead_time = json!({ "lead_time": 120 });
    let changed = watched.depot.user.patch(&format!("{}/{}", stocks::PATH, id(&stock)), lead_time).await;
    let request = json!({ "request_id": changed.header("x-request-id") });
    changed.is(200);
    let latest = watched.get("/api/admin/audit?filter[record]=stock").await;
    watched.post(&format!("/api/admin/audit/{}/impact", latest["data"][0]["id"]), json!({})).await;
    watched.post("/api/admin/audit/impact", request.clone()).await;
    watched.post("/api/admin/audit/undo", request).await;
    watched.get(&format!("/api/admin/audit?filter[record]=stock&filter[record_id]={}", id(&stock))).await;
    watched.get("/api/config").await;
}

/// Reads each list of a tenant with each of its filters and sort orders.
async fn every_filter_and_order(watched: &mut Watched) {
    let document = watched.document.clone();
    for (path, operations) in document["paths"].as_object().unwrap() {
        let parameters = operations["get"]["parameters"].as_array().into_iter().flatten();
        let parameters: Vec<&Value> = parameters.map(|parameter| resolved(&document, parameter)).collect();
        let named = |name: &str| parameters.iter().find(|parameter| parameter["name"] == name);
        if named("tenant_id").is_none() || path.contains('{') || path.ends_with("/export") {
            continue;
        }
        let mut queries = Vec::new();
        let filters = named("filter").and_then(|filter| filter["schema"]["properties"].as_object());
        for (filter, schema) in filters.into_iter().flatten() {
            let example = &resolved(&document, schema)["example"];
            let value = example.as_str().map_or_else(|| example.to_string(), |text| text.replace(' ', "%20"));
            queries.push(format!("{filter}={value}"));
        }
        let orders = named("sort").map(|sort| sort["schema"].to_string()).unwrap_or_default();
        queries.extend(
            orders.split('"').filter(|order| order.starts_with('-')).map(|order| format!("sort={order}")),
        );
        for query in queries {
            let answer = watched.send(Method::GET, &format!("{path}?{query}"), None).await;
            let text = String::from_utf8_lossy(&answer.bytes);
            // some filters require another one
            assert!(answer.status == 200 || text.contains("[\"required\"]"), "{path}?{query}: {text}");
        }
    }
}

/// Calls operations about users, invitations, tokens and sessions of the tenant.
async fn people(watched: &mut Watched) {
    let app = &watched.depot.catalog.app;
    let email = app.user(Some(app.north), PermissionSet::all()).await;
    let (one, _) = token(app, &watched.depot.user, &["access-admin"]).await;
    watched.post(&format!("/api/admin/tokens/{one}/rotation"), json!({})).await;
    let users = "/api/admin/users";
    let north = watched.depot.catalog.app.north;
    let invited = json!({ "name": "Neu", "email": "neu@x.example", "tenant_id": north, "role_ids": [], "permissions": null });
    let invited = format!("{users}/{}", id(&watched.post(users, invited).await));
    watched.post(&format!("{invited}/invite"), json!({})).await;
    watched.delete(&format!("{invited}/invite")).await;
    let listed = watched.get(users).await;
    let other =
        listed["data"].as_array().unwrap().iter().find(|user| user["email"] == email.as_str()).unwrap();
    let other = format!("{users}/{}", id(other));
    watched.post(&format!("{other}/password-reset"), json!({})).await;
    watched.get(&format!("{other}/data")).await;
    watched.get("/api/users/me/data").await;
    watched.post("/api/users/me/password/strength", json!({ "password": "walzwerk-traeger-profil" })).await;
    let password = json!({ "current_password": PASSWORD, "new_password": "walzwerk-traeger-profil" });
    watched.call(Method::PUT, "/api/users/me/password", Some(password)).await;
    let credentials = json!({ "email": email, "password": PASSWORD });
    watched.post("/api/sessions", credentials).await;
    let unknown = watched.send(Method::DELETE, "/api/sessions/1000000", None).await;
    assert_eq!(unknown.status, 404);
    watched.delete("/api/sessions/others").await;
    watched.delete("/api/sessions/current").await;
}
