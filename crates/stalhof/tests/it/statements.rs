//! Number of statements that each operation sends when all caches are valid, besides the look-up of the
//! session, which many calls share. The numbers are in `docs/statements.*.txt`, so that a new statement is
//! seen in review. `STALHOF_WRITE_STATEMENTS=1` writes the file of the database that is tested.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use actix_web::http::Method;
use sea_orm::{ConnectionTrait, DbBackend};
use serde_json::{Value, json};
use store::statements::sent_by;
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, ATTRIBUTES, Catalog, MATERIALS, TYPES, beam_type, height, id},
    deliveries::{leg, node},
    document::document,
    shipping_legs::{self, LEGS},
    shipping_nodes::NODES,
    support::Client,
    tenant_rule::{reads_without_tenant, writes_without_tenant},
    unresolved_numbers::unresolved,
    warehouses::warehouse,
};

/// Operations that are not counted: streams, whose statements depend on their length, and those about
/// accounts and files, which are rare and slow for other reasons. `tenant_statements.rs` tests that they name
/// the tenant.
pub(crate) const NOT_COUNTED: &[&str] = &[
    "article_images.",
    "audit.impact", // as many as the undo
    "audit.request_impact",
    "category_images.",
    "configuration.",
    "demo_mails.",
    "external_apis.import_meta_data", // as an upload
    "imports.apply",
    "imports.columns",
    "imports.correct",
    "imports.create",
    "ftp_settings.repeat", // as an upload
    "imports.delete",
    "imports.error_file",
    "imports.error_groups",
    "imports.events",
    "imports.errors",
    "imports.forget_mapping",
    "imports.impact",
    "imports.inspect",
    "imports.rows",
    "imports.stop",
    "imports.template",
    "imports.undo",
    "imports.upload_file",
    "imports.view",
    "partners.export_price_sheet", // as many as the chunks of articles that are read
    "partners.price_sheet",
    "partners.terms",
    "password_reset.",
    "email_change.",
    "sessions.create",
    "sessions.delete",
    "sessions.end",
    "steel_catalogue.fill", // as many as the records that it creates
    "tokens.rotate",
    "unresolved_numbers.bulk_match",
    "unresolved_numbers.list_suggestions", // as many as the searches for each number
    "unresolved_numbers.resolve",
    "unresolved_numbers.replay",
    "users.change_password",
    "users.invite",
    "users.own_data",
    "users.password_strength",
    "users.personal_data",
    "users.revoke_invitation",
    "users.send_password_reset",
    "verification.",
];

/// Columns of the table in its order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Read,
    Write,
    /// Entry of the history.
    Note,
    /// Version of a cache.
    Version,
    /// Start and end of a transaction.
    Transaction,
}

const KINDS: [(Kind, &str); 5] = [
    (Kind::Read, "reads"),
    (Kind::Write, "writes"),
    (Kind::Note, "history"),
    (Kind::Version, "versions"),
    (Kind::Transaction, "begin/end"),
];

fn kind(sql: &str) -> Kind {
    let writes = ["INSERT", "UPDATE", "DELETE"].iter().any(|verb| sql.starts_with(verb));
    match sql {
        "BEGIN" | "COMMIT" | "ROLLBACK" => Kind::Transaction,
        sql if sql.starts_with("INSERT INTO \"audit_entry\"") => Kind::Note,
        sql if sql.contains("kept_version") => Kind::Version,
        _ if writes => Kind::Write,
        _ => Kind::Read,
    }
}

struct Counted {
    client: Client,
    /// True once the client acts for a tenant, on PostgreSQL: then each statement must name it.
    names_tenant: bool,
    document: Value,
    /// Operations with their statements that read tables of all tenants.
    on_all_shards: Vec<String>,
    by_operation: BTreeMap<String, BTreeMap<Kind, usize>>,
}

/// Path of one record, with its confirmation if that is required.
fn confirmed(list: &str, record: &Value) -> Value {
    let mut selection = json!({ "ids": [id(record)], "count": 1 });
    if [ARTICLES, TYPES].contains(&list) {
        selection["confirm"] = "1".into();
    }
    selection
}

impl Counted {
    /// Makes a call and counts the statements.
    async fn call(&mut self, method: Method, uri: &str, body: Option<Value>) -> Value {
        let (answer, sent) = sent_by(self.client.send(method.clone(), uri, body)).await;
        let text = String::from_utf8_lossy(&answer.bytes);
        assert!(answer.status.is_success(), "{method} {uri}: {} {text}", answer.status);
        let mut counts = BTreeMap::new();
        let looks_up_session = |sql: &&String| sql.starts_with("SELECT t.id AS session_id");
        let sessions = sent.iter().filter(looks_up_session).count();
        assert!(sessions <= 1, "{method} {uri} looks up its session {sessions} times");
        for sql in sent.iter().filter(|sql| !looks_up_session(sql)) {
            assert_eq!(writes_without_tenant(sql), None, "{method} {uri}: {sql}");
            if self.names_tenant && !reads_without_tenant(sql).is_empty() {
                self.on_all_shards.push(format!("{method} {uri}: {sql}"));
            }
            *counts.entry(kind(sql)).or_default() += 1;
        }
        self.by_operation.insert(self.operation(&method, uri), counts);
        if answer.bytes.is_empty() || !answer.header("content-type").contains("json") {
            Value::Null
        } else {
            serde_json::from_slice(&answer.bytes).unwrap()
        }
    }

    async fn get(&mut self, uri: &str) -> Value {
        self.call(Method::GET, uri, None).await
    }

    async fn post(&mut self, uri: &str, body: Value) -> Value {
        self.call(Method::POST, uri, Some(body)).await
    }

    fn operation(&self, method: &Method, uri: &str) -> String {
        operation(&self.document, method, uri)
    }

    /// Calls a list repeatedly. The first call compiles caches after a change; and since the total of rows is
    /// cached for a short time only, the minimum of several calls counts.
    async fn list(&mut self, list: &str) {
        let operation = self.operation(&Method::GET, list);
        let all = |sent: &BTreeMap<Kind, usize>| sent.values().sum::<usize>();
        let mut fewest: Option<BTreeMap<Kind, usize>> = None;
        for _ in 0..6 {
            self.get(list).await;
            let sent = self.by_operation[&operation].clone();
            if fewest.as_ref().is_none_or(|known| all(&sent) < all(known)) {
                fewest = Some(sent);
            }
        }
        self.by_operation.extend(fewest.map(|fewest| (operation, fewest)));
    }

    /// Calls all operations of a plain resource with one of its records.
    async fn plain(&mut self, list: &str, input: impl Fn(&str) -> Value, update: Method) -> Value {
        let created = self.post(list, input("Erstes")).await;
        self.list(list).await;
        let record = format!("{list}/{}", id(&created));
        self.get(&record).await;
        if self.has(&Method::GET, &format!("{record}/usage")) {
            self.get(&format!("{record}/usage")).await;
        }
        if self.has(&Method::GET, &format!("{list}/export")) {
            self.get(&format!("{list}/export?format=csv")).await;
        }
        if update != Method::PATCH && self.has(&Method::PATCH, &record) {
            self.call(Method::PATCH, &record, Some(input("Anderes"))).await;
            // refreshes the caches after a change
            self.client.get(&record).await.is(200);
        }
        self.call(update, &record, Some(input("Zweites"))).await
    }

    /// Calls the operations of a record by its name, which is new.
    async fn named(&mut self, uri: &str, input: Value) {
        let created = self.client.put(uri, input.clone()).await.is(201);
        self.get(uri).await;
        self.call(Method::PUT, uri, Some(input)).await;
        self.call(Method::PATCH, uri, Some(json!({}))).await;
        let list = uri.split("/by-").next().unwrap();
        self.client.post(&format!("{list}/bulk-delete"), confirmed(list, &created)).await.is(200);
    }

    async fn delete(&mut self, list: &str, record: &Value, confirm: &str) {
        let uri = format!("{list}/{}{confirm}", id(record));
        self.call(Method::DELETE, &uri, None).await;
    }

    /// Deletes one record by the bulk operation.
    async fn bulk_delete(&mut self, list: &str, record: &Value) {
        self.post(&format!("{list}/bulk-delete"), confirmed(list, record)).await;
    }

    fn has(&self, method: &Method, uri: &str) -> bool {
        let path: Vec<_> =
            uri.split('/').map(|part| if part.parse::<i64>().is_ok() { "{id}" } else { part }).collect();
        !self.document["paths"][path.join("/")][method.as_str().to_lowercase()].is_null()
    }

    fn table(&self) -> String {
        let mut table =
            "Round trips to the database, by operation. Written by the test that compares it.\n\n".to_owned();
        write!(table, "{:<34}", "").unwrap();
        for (_, name) in KINDS {
            write!(table, "{name:>11}").unwrap();
        }
        table.push('\n');
        for (operation, counts) in &self.by_operation {
            write!(table, "{operation:<34}").unwrap();
            for (kind, _) in KINDS {
                match counts.get(&kind) {
                    Some(count) => write!(table, "{count:>11}").unwrap(),
                    None => write!(table, "{:>11}", "").unwrap(),
                }
            }
            table.truncate(table.trim_end().len());
            table.push('\n');
        }
        table
    }
}

#[actix_web::test]
async fn each_operation_sends_the_listed_number_of_statements() {
    let catalog = Catalog::new().await;
    let Catalog { app, .. } = &catalog;
    let document = document();
    let mut counted = Counted {
        client: app.platform().await,
        names_tenant: false,
        document,
        on_all_shards: Vec::new(),
        by_operation: BTreeMap::new(),
    };
    plain_resources(&mut counted).await;
    the_catalogue(&mut counted, &catalog).await;
    people(&mut counted).await;
    shipping(&mut counted).await;
    logistics(&mut counted, &catalog).await;

    assert!(counted.on_all_shards.is_empty(), "without a tenant:\n{}", counted.on_all_shards.join("\n"));
    let missing: Vec<_> = openapi_operations(&counted.document)
        .into_iter()
        .filter(|operation| !counted.by_operation.contains_key(operation))
        .filter(|operation| !NOT_COUNTED.iter().any(|known| operation.starts_with(known)))
        .collect();
    assert_eq!(missing, Vec::<String>::new(), "operations without a count or a reason");

    let database = match app.db.get_database_backend() {
        DbBackend::Sqlite => "sqlite",
        _ => "postgres",
    };
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/statements.{database}.txt"));
    if std::env::var_os("STALHOF_WRITE_STATEMENTS").is_some() {
        std::fs::write(&file, counted.table()).unwrap();
    }
    let known = std::fs::read_to_string(&file).unwrap();
    for (line, expected) in counted.table().lines().zip(known.lines()) {
        assert_eq!(line, expected, "{}", file.display());
    }
    assert_eq!(counted.table(), known);
}

/// Name of the operation that handles a path.
pub(crate) fn operation(document: &Value, method: &Method, uri: &str) -> String {
    let path = uri.split_once('?').map_or(uri, |(path, _)| path);
    let parts: Vec<_> = path.split('/').collect();
    let fits = |template: &str| {
        let template: Vec<_> = template.split('/').collect();
        template.len() == parts.len()
            && template.iter().zip(&parts).all(|(known, part)| {
                let is_id = || part.parse::<i64>().is_ok();
                known == part || known.starts_with('{') && (*known != "{id}" || is_id())
            })
    };
    let paths = document["paths"].as_object().unwrap();
    let (_, operations) = paths.iter().find(|(template, _)| fits(template)).unwrap();
    let operation = &operations[method.as_str().to_lowercase()]["operationId"];
    operation.as_str().unwrap_or_else(|| panic!("{method} {uri} is no operation")).to_owned()
}

pub(crate) fn openapi_operations(document: &Value) -> Vec<String> {
    let paths = document["paths"].as_object().unwrap().values();
    let operations = paths.flat_map(|path| path.as_object().unwrap().values());
    operations.filter_map(|operation| operation["operationId"].as_str().map(str::to_owned)).collect()
}

/// Bulk change of one field of one record.
fn change(id: i64, change: Value) -> Value {
    json!({ "selection": { "ids": [id], "count": 1 }, "change": change })
}

async fn plain_resources(counted: &mut Counted) {
    let put = || Method::PUT;
    let named = |name: &str| json!({ "name": name });
    for list in ["/api/admin/article-type-groups", MATERIALS] {
        let record = counted.plain(list, named, put()).await;
        counted.delete(list, &record, "").await;
        let record = counted.post(list, named("Drittes")).await;
        counted.bulk_delete(list, &record).await;
    }
    counted.named(&format!("{MATERIALS}/by-name/S460"), json!({ "density": "7.85" })).await;
    let group = |name: &str| json!({ "name": name, "description": null, "tenant_ids": [] });
    let list = "/api/admin/tenant-groups";
    let record = counted.plain(list, group, put()).await;
    counted.delete(list, &record, "").await;
    let record = counted.post(list, group("Drittes")).await;
    counted.bulk_delete(list, &record).await;

    let ladder = |name: &str| {
        json!({ "name": name, "clusters": [
            { "short_code": "L06", "maximum": "6", "calculation_value": "6" },
            { "short_code": "L12", "minimum": "6", "maximum": "12", "calculation_value": "12" },
        ] })
    };
    let list = "/api/admin/trade-dimensions";
    let record = counted.plain(list, ladder, put()).await;
    counted.delete(list, &record, "").await;
    let record = counted.post(list, ladder("Drittes")).await;
    counted.bulk_delete(list, &record).await;

    let list = "/api/admin/processings";
    let sawing = |name: &str| json!({ "name": name, "type": "sawing", "article_number_addition_template": "-{schnittlaenge}" });
    let record = counted.plain(list, sawing, put()).await;
    let template = json!({ "article_number_addition_template": "-{schnittlaenge}" });
    counted.post(&format!("{list}/preview"), template).await;
    counted.delete(list, &record, "").await;
    let record = counted.post(list, sawing("Drittes")).await;
    counted.bulk_delete(list, &record).await;

    let list = "/api/admin/categories";
    let category = |name: &str| json!({ "name": name, "parent_id": null });
    let record = counted.plain(list, category, put()).await;
    let other = counted.post(list, category("Drittes")).await;
    counted.get(&format!("{list}/tree")).await;
    let position = json!({ "parent_id": null, "before_id": id(&record) });
    counted.post(&format!("{list}/{}/move", id(&other)), position).await;
    counted.delete(list, &record, "").await;
}

async fn shipping(counted: &mut Counted) {
    let node = |name: &str| json!({ "name": name, "active": true });
    let sender = counted.plain(NODES, node, Method::PUT).await;
    let receiver = counted.post(NODES, node("Drittes")).await;
    counted.named(&format!("{NODES}/by-name/Depot"), json!({ "active": true })).await;
    counted.get(&format!("{NODES}/{}/calendar?year=2026", id(&sender))).await;
    let closures = "/api/admin/shipping-node-closures";
    let closed = json!({ "shipping_node_id": sender["id"], "date": "2026-12-24", "name": "Inventur" });
    let closed = counted.post(closures, closed).await;
    counted.list(closures).await;
    counted.delete(closures, &closed, "").await;

    let loading = std::cell::Cell::new(0);
    let leg = |_: &str| {
        loading.set(loading.get() + 1);
        let mut leg = shipping_legs::leg(id(&sender), id(&receiver));
        leg["loading_duration"] = loading.get().into();
        leg
    };
    let record = counted.plain(LEGS, leg, Method::PUT).await;
    let next = format!("{LEGS}/{}/next-departures", id(&record));
    // compiles the network
    counted.client.get(&next).await.is(200);
    counted.get(&next).await;
    let of_node = format!("{NODES}/{}/legs", id(&sender));
    counted.get(&of_node).await;
    counted.delete(LEGS, &record, "").await;
    let record = counted.post(LEGS, leg("")).await;
    counted.bulk_delete(LEGS, &record).await;
    let mut both = leg("");
    both.as_object_mut().unwrap().remove("sending_node_id");
    both["both_directions"] = true.into();
    let made = counted.post(&of_node, both).await;
    for record in made["created"].as_array().unwrap() {
        counted.client.delete(&format!("{LEGS}/{}", id(record))).await.is(204);
    }
    counted.delete(NODES, &sender, "").await;
    counted.bulk_delete(NODES, &receiver).await;
}

async fn the_catalogue(counted: &mut Counted, catalog: &Catalog) {
    let text = |name: &str| json!({ "name": name, "type": "custom" });
    let record = counted.plain(ATTRIBUTES, text, Method::PUT).await;
    counted.post(&format!("{ATTRIBUTES}/{}/effect", id(&record)), text("Zweites")).await;
    let bulk = change(id(&record), json!({ "field": "primary", "value": true }));
    counted.post(&format!("{ATTRIBUTES}/bulk-change"), bulk).await;
    let listed = counted.client.get(ATTRIBUTES).await.is(200);
    let ids: Vec<_> = listed["data"].as_array().unwrap().iter().map(id).collect();
    counted.call(Method::PUT, &format!("{ATTRIBUTES}/order"), Some(json!({ "ids": ids, "seen": ids }))).await;
    counted.delete(ATTRIBUTES, &record, "").await;
    let record = counted.post(ATTRIBUTES, text("Drittes")).await;
    counted.bulk_delete(ATTRIBUTES, &record).await;

    counted.named(&format!("{ATTRIBUTES}/by-name/Farbe"), json!({ "type": "custom" })).await;
    let other_height = counted.client.post(ATTRIBUTES, {
        let mut other = height();
        other["name"] = json!("Steghöhe");
        other
    });
    let other_height = id(&other_height.await.is(201));
    let ids = [other_height, id(&catalog.length), id(&catalog.surface)];
    let beam = |name: &str| {
        let mut beam = beam_type(ids[0], ids[1], ids[2]);
        beam["name"] = json!(name);
        for field in ["article_number_template", "article_name_template"] {
            beam[field] = json!(beam[field].as_str().unwrap().replace("{hoehe}", "{steghoehe}"));
        }
        beam
    };
    let record = counted.plain(TYPES, beam, Method::PUT).await;
    counted.post(&format!("{TYPES}/preview"), beam("Vorschau")).await;
    counted.post(&format!("{TYPES}/{}/effect", id(&record)), beam("Zweites")).await;
    counted.post(&format!("{TYPES}/{}/effect-file", id(&record)), beam("Zweites")).await;
    let bulk = change(id(&record), json!({ "field": "article_type_group_id", "value": null }));
    counted.post(&format!("{TYPES}/bulk-change"), bulk).await;
    counted.delete(TYPES, &record, "?confirm=Zweites").await;
    let record = counted.post(TYPES, beam("Drittes")).await;
    counted.bulk_delete(TYPES, &record).await;

    counted.named(&format!("{TYPES}/by-name/Viertes"), beam("Viertes")).await;

    let record = json!({ "name": "S235JR", "article_number_name": "S235", "display_name": "S235JR+AR" });
    counted.post(&format!("{MATERIALS}/{}/effect", catalog.material), record).await;
    let bulk = change(catalog.material, json!({ "field": "density", "value": "7.85" }));
    counted.post(&format!("{MATERIALS}/bulk-change"), bulk).await;

    let length = std::cell::Cell::new(3);
    let article = |_: &str| {
        length.set(length.get() + 1);
        catalog.article(0, &length.get().to_string())
    };
    // compiles the catalogue again
    counted.client.get(ARTICLES).await.is(200);
    let record = counted.plain(ARTICLES, article, Method::PUT).await;
    counted.post(&format!("{ARTICLES}/preview"), article("")).await;
    counted.named(&format!("{ARTICLES}/by-number/EIGEN"), article("")).await;
    let quantity = json!({ "amount": "1", "unit": "m" });
    counted.post(&format!("{ARTICLES}/{}/quantities", id(&record)), quantity).await;
    let bulk = change(id(&record), json!({ "field": "weight_per_base_unit", "value": "60" }));
    counted.post(&format!("{ARTICLES}/bulk-effect"), bulk.clone()).await;
    counted.post(&format!("{ARTICLES}/bulk-change"), bulk).await;
    let number = record["article_number"].as_str().unwrap();
    counted.delete(ARTICLES, &record, &format!("?confirm={number}")).await;
    let record = counted.post(ARTICLES, article("")).await;
    counted.bulk_delete(ARTICLES, &record).await;
}

async fn people(counted: &mut Counted) {
    let tenant = |name: &str| json!({ "company": name, "short_code": name, "permissions": ["access-admin"] });
    let list = "/api/admin/tenants";
    let record = counted.plain(list, tenant, Method::PUT).await;
    counted.post(&format!("{list}/{}/effect", id(&record)), json!({ "permissions": ["access-admin"] })).await;
    counted.get("/api/admin/partners").await;
    counted.get(&format!("/api/admin/partners/{}", id(&record))).await;
    counted.delete(list, &record, "").await;

    let role = |name: &str| json!({ "name": name, "permissions": ["access-admin"] });
    let list = "/api/admin/roles";
    let record = counted.plain(list, role, Method::PUT).await;
    counted.delete(list, &record, "").await;

    let user = |name: &str| json!({ "name": name, "email": format!("{name}@x.example"), "tenant_id": null, "role_ids": [], "permissions": null });
    let list = "/api/admin/users";
    let record = counted.post(list, user("Erstes")).await;
    for uri in [list.to_owned(), format!("{list}/export?format=csv"), format!("{list}/{}", id(&record))] {
        counted.get(&uri).await;
    }
    counted.get(&format!("{list}/{}/rights", id(&record))).await;
    let patch = json!({ "name": "Zweites" });
    counted.call(Method::PATCH, &format!("{list}/{}", id(&record)), Some(patch)).await;
    counted.delete(list, &record, "").await;

    let list = "/api/admin/tokens";
    let token = |name: &str| json!({ "name": name, "abilities": ["access-shop"], "expires_at": null });
    let issued = counted.post(list, token("Erstes")).await;
    let record = if issued["id"].is_null() { issued["token"].clone() } else { issued };
    counted.get(list).await;
    counted.get(&format!("{list}/{}", id(&record))).await;
    let renamed = json!({ "name": "Zweites" });
    counted.call(Method::PUT, &format!("{list}/{}", id(&record)), Some(renamed)).await;
    counted.delete(list, &record, "").await;

    counted.get("/api/admin/search?q=nirgends").await;

    let list = "/api/admin/views";
    let view = |name: &str| {
        json!({ "list": "materials", "name": name, "shared": false,
            "state": { "filters": [], "sort": "name", "size": 20, "columns": ["name"], "density": "compact" } })
    };
    let record = counted.post(list, view("Erstes")).await;
    counted.get(&format!("{list}?list=materials")).await;
    counted.call(Method::PUT, &format!("{list}/{}", id(&record)), Some(view("Zweites"))).await;
    let choice = json!({ "list": "materials", "view_id": id(&record) });
    counted.call(Method::PUT, &format!("{list}/default"), Some(choice)).await;
    counted.delete(list, &record, "").await;

    let made = counted.client.post(MATERIALS, json!({ "name": "S500" })).await;
    let uri = format!("{MATERIALS}/{}", id(&made.is(201)));
    counted.client.put(&uri, json!({ "name": "S510" })).await.is(200);
    let latest = counted.client.get("/api/admin/audit").await.is(200);
    counted.post(&format!("/api/admin/audit/{}/undo", latest["data"][0]["id"]), json!({})).await;
    let deletes = json!({ "records": 1, "prices": 0 });
    let request = json!({ "request_id": made.header("x-request-id"), "deletes": deletes });
    counted.post("/api/admin/audit/undo", request).await;

    for uri in [
        "/api/admin/attention",
        "/api/admin/background-work",
        "/api/admin/audit",
        "/api/admin/audit/export?format=csv",
        "/api/admin/imports",
        "/api/admin/imports/export?format=csv",
        "/api/admin/transformers",
        "/api/admin/units",
        "/api/sessions",
        "/api/sessions/current",
        "/api/users/me",
        "/api/users/me/email-changes",
    ] {
        counted.get(uri).await;
    }
    counted.call(Method::DELETE, "/api/sessions/others", None).await;
    counted.call(Method::PATCH, "/api/users/me", Some(json!({ "language": "en" }))).await;
}

async fn logistics(counted: &mut Counted, catalog: &Catalog) {
    let article = counted.client.post(ARTICLES, catalog.article(0, "9")).await.is(201);
    counted.get(&format!("{ARTICLES}/{}/usage", id(&article))).await;
    // called by the owner's user: the platform would have to choose a tenant
    counted.client = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
    counted.names_tenant = catalog.app.db.get_database_backend() == DbBackend::Postgres;

    let list = "/api/admin/warehouses";
    let record = counted.plain(list, |name| warehouse(name, name), Method::PUT).await;
    let at = json!({ "at": "2026-11-23T10:00:00Z" });
    counted.post(&format!("{list}/{}/readiness", id(&record)), at).await;
    counted.get(&format!("{list}/{}/calendar?year=2026", id(&record))).await;
    counted.delete(list, &record, "").await;
    let record = counted.post(list, warehouse("Drittes", "3")).await;
    counted.bulk_delete(list, &record).await;

    counted.named(&format!("{list}/by-short-code/5"), warehouse("Fünftes", "5")).await;
    let depot = counted.client.post(list, warehouse("Viertes", "4")).await.is(201);
    stocks_and_prices(counted, &article, &depot).await;
    deliveries(counted, &catalog.admin, &article["article_number"], &depot).await;
    price_lists(counted, &article, catalog.app.north).await;
    price_adjustments(counted, &article).await;
    surcharge_tables(counted, catalog.material).await;
    let sawing = json!({ "name": "Bandsäge", "type": "sawing", "article_number_addition_template": "-{schnittlaenge}" });
    let sawing = catalog.admin.post("/api/admin/processings", sawing).await.is(201);
    processing_prices(counted, id(&sawing)).await;
    import_profiles(counted).await;
    external_apis(counted).await;
    ftp_settings(counted).await;
    counted.client = catalog.app.with_secret_key(&counted.client).await.1;
    webhooks(counted).await;
    sample_carts(counted, &article).await;
    let list = "/api/admin/unresolved-numbers";
    let record = unresolved(&catalog.app, &counted.client, "X-1", "4").await;
    counted.list(list).await;
    counted.get(&format!("{list}/{}", id(&record))).await;
    let change = json!({
        "selection": { "ids": [record["id"]], "count": 1 }, "change": { "field": "ignored", "value": true }
    });
    counted.post(&format!("{list}/bulk-change"), change).await;
    let list = "/api/admin/closures";
    let closure = json!({ "date": "2026-12-24", "name": "Inventur", "warehouse_id": depot["id"] });
    let record = counted.post(list, closure).await;
    counted.list(list).await;
    counted.delete(list, &record, "").await;

    let list = "/api/admin/matchings";
    let matching = |name: &str| {
        json!({
            "article_id": article["id"], "external_article_number": name,
            "warehouse_id": depot["id"], "external_warehouse_identifier": "L01",
        })
    };
    let record = counted.plain(list, matching, Method::PUT).await;
    counted.delete(list, &record, "").await;
    let record = counted.post(list, matching("Drittes")).await;
    counted.bulk_delete(list, &record).await;
}

async fn stocks_and_prices(counted: &mut Counted, article: &Value, depot: &Value) {
    let list = "/api/admin/stocks";
    let stock = |name: &str| {
        json!({
            "article_id": article["id"], "warehouse_id": depot["id"], "availability_type": "quantity",
            "quantity": name.len().to_string(),
        })
    };
    let record = counted.plain(list, stock, Method::PUT).await;
    counted.get(&format!("{list}/{}/live", id(&record))).await;
    counted.get(&format!("{list}/sums?filter[attribute][laenge_greater_than]=0%20mm")).await;
    let change = json!({
        "selection": { "ids": [record["id"]], "count": 1 }, "change": { "field": "lead_time", "value": 60 }
    });
    counted.post(&format!("{list}/bulk-change"), change).await;
    let prices = "/api/admin/prices";
    let uri = format!("{prices}/{}", id(&record));
    let price = |amount: &str| json!({ "external_price": { "price": amount, "unit": "m" } });
    counted.call(Method::PUT, &uri, Some(price("10"))).await;
    counted.call(Method::PATCH, &uri, Some(price("11"))).await;
    counted.list(prices).await;
    counted.get(&uri).await;
    counted.get(&format!("{prices}/export?format=csv")).await;
    // an implausible price
    let mut jump = price("1100");
    jump["id"] = record["id"].clone();
    counted.call(Method::PUT, &format!("{prices}/bulk"), Some(json!({ "prices": [jump] }))).await;
    counted.post(&format!("{prices}/impact"), json!({ "prices": [jump] })).await;
    let held = counted.client.get("/api/admin/held-prices").await.is(200);
    counted.list("/api/admin/held-prices").await;
    let decision = json!({
        "selection": { "ids": [held["data"][0]["id"]], "count": 1 }, "change": { "field": "decision", "value": "release" }
    });
    counted.post("/api/admin/held-prices/bulk-change/impact", decision.clone()).await;
    counted.post("/api/admin/held-prices/bulk-change", decision).await;
    integrators(counted, article, depot).await;
    counted.delete(prices, &record, "").await;
    counted.bulk_delete(prices, &record).await;
    counted.delete(list, &record, "").await;
    let record = counted.post(list, stock("Drittes")).await;
    counted.bulk_delete(list, &record).await;
}

async fn price_lists(counted: &mut Counted, article: &Value, owner: i64) {
    let path = "/api/admin/price-lists";
    let list = |name: &str| {
        json!({
            "name": name, "owner_tenant_id": owner, "type": "sales", "scope": "own", "limited": false,
            "valid_from": "2099-01-01T00:00:00Z",
        })
    };
    let record = counted.plain(path, list, Method::PUT).await;
    let uri = format!("{path}/{}", id(&record));
    let prices = format!("{uri}/prices");
    let price = |amount: &str| json!({ "prices": [{ "article_id": article["id"], "price": { "price": amount, "unit": "m" } }] });
    counted.call(Method::PUT, &prices, Some(price("10"))).await;
    // an implausible price
    counted.call(Method::PUT, &prices, Some(price("1000"))).await;
    let held = counted.client.get(&prices).await.is(200);
    counted.list(&prices).await;
    counted.get(&format!("{prices}/export?format=csv")).await;
    let decision = json!({
        "prices": [{ "id": held["data"][0]["id"], "version": held["data"][0]["version"] }],
        "decision": "refuse",
    });
    counted.post(&format!("{prices}/decide"), decision).await;
    counted.post(&format!("{prices}/change"), json!({ "change": { "percent": "1" } })).await;
    counted.post(&format!("{uri}/copy/preview"), json!({})).await;
    let copy = json!({ "name": "Kopie", "valid_from": "2099-01-01T00:00:00Z", "change": { "percent": "1" } });
    counted.post(&format!("{uri}/copy"), copy).await;
    counted.get(&format!("{uri}/audience")).await;
    counted.post(&format!("{uri}/impact"), price("10.2")).await;
    counted.post(&format!("{path}/timeline"), json!({ "article_id": article["id"], "type": "sales" })).await;
    counted.post(&format!("{uri}/archive"), json!({})).await;
    let record = counted.post(path, list("Drittes")).await;
    counted.delete(path, &record, "").await;
    let record = counted.post(path, list("Viertes")).await;
    counted.post(&format!("{path}/bulk-delete/impact"), confirmed(path, &record)).await;
    counted.bulk_delete(path, &record).await;
}

async fn price_adjustments(counted: &mut Counted, article: &Value) {
    let path = "/api/admin/price-adjustments";
    let adjustment = |name: &str| {
        json!({
            "name": name, "operation": "discount", "value": "3", "calculation_type": "relativeToBase",
            "apply_to": { "kind": "item", "articles": [article["id"]] },
            "conditions": { "type": "cart_weight", "op": "greater_equals", "value": "10", "unit": "t" },
        })
    };
    let record = counted.plain(path, adjustment, Method::PUT).await;
    counted.client.post(path, adjustment("Beiseite")).await.is(201);
    let text = json!({ "text": "cart_weight >= 10 t" });
    counted.post(&format!("{path}/conditions"), text).await;
    let change = json!({ "update": { "id": record["id"], "input": adjustment("Anders") } });
    counted.post(&format!("{path}/impact"), change).await;
    counted.get(&format!("{path}/findings")).await;
    let listed = counted.client.get(path).await.is(200);
    let mut ids: Vec<i64> = listed["data"].as_array().unwrap().iter().map(id).collect();
    let seen = ids.clone();
    ids.reverse();
    counted.call(Method::PUT, &format!("{path}/order"), Some(json!({ "ids": ids, "seen": seen }))).await;
    counted.delete(path, &record, "").await;
    let record = counted.post(path, adjustment("Drittes")).await;
    counted.bulk_delete(path, &record).await;
}

async fn surcharge_tables(counted: &mut Counted, material: i64) {
    let path = "/api/admin/surcharge-tables";
    let table = |name: &str| json!({ "name": name, "kind": "alloy", "keyed_by": "material" });
    let record = counted.plain(path, table, Method::PUT).await;
    let values = format!("{path}/{}/values", id(&record));
    let month = values::today().format("%Y-%m").to_string();
    let value = json!({ "values": [{ "material_id": material, "month": month, "value": "1650" }] });
    counted.call(Method::PUT, &values, Some(value)).await;
    counted.get(&values).await;
    let change = json!({ "change": table("Anders") });
    counted.post(&format!("{path}/{}/impact", id(&record)), change).await;
    counted.get(&format!("{path}/{}/usage", id(&record))).await;
    counted.delete(path, &record, "").await;
    let record = counted.post(path, table("Drittes")).await;
    counted.bulk_delete(path, &record).await;
}

async fn processing_prices(counted: &mut Counted, sawing: i64) {
    let path = "/api/admin/processing-prices";
    let price = |name: &str| json!({ "processing_id": sawing, "price": { "price": name.len().to_string(), "unit": "piece" } });
    let record = counted.plain(path, price, Method::PUT).await;
    counted.post(&format!("{path}/impact"), json!({ "delete": { "id": record["id"] } })).await;
    counted.delete(path, &record, "").await;
    let record = counted.post(path, price("Drittes")).await;
    counted.bulk_delete(path, &record).await;
}

async fn import_profiles(counted: &mut Counted) {
    let path = "/api/admin/import-profiles";
    let profile = |name: &str| json!({ "name": name, "type": "Stock", "settings": {}, "mapping": [] });
    let record = counted.plain(path, profile, Method::PUT).await;
    counted.delete(path, &record, "").await;
    counted.post(&format!("{path}/import"), json!({ "profiles": [profile("Drittes")] })).await;
    let record = counted.post(path, profile("Viertes")).await;
    counted.bulk_delete(path, &record).await;
}

async fn external_apis(counted: &mut Counted) {
    let path = crate::external_apis::PATH;
    let record = counted.plain(path, crate::external_apis::settings, Method::PUT).await;
    let uri = format!("{path}/{}", id(&record));
    counted.get(&format!("{path}/options")).await;
    // the server does not exist
    let settings = crate::external_apis::settings("Werk");
    let test = json!({ "settings": settings, "id": record["id"], "endpoint": "availability", "article_number": "1" });
    counted.post(&format!("{path}/test"), test).await;
    counted.get(&format!("{uri}/calls")).await;
    counted.get(&format!("{uri}/next-runs")).await;
    let schedule = json!({ "schedule": { "type": "daily", "time": "06:00" } });
    counted.post(&format!("{path}/next-runs"), schedule).await;
    counted.post(&format!("{uri}/close-breaker"), json!({})).await;
    counted.delete(path, &record, "").await;
}

async fn ftp_settings(counted: &mut Counted) {
    let path = "/api/admin/ftp-settings";
    let record = counted.plain(path, crate::ftp_settings::settings, Method::PUT).await;
    let uri = format!("{path}/{}", id(&record));
    counted.get(&format!("{path}/options")).await;
    counted.get(&format!("{uri}/next-runs")).await;
    let schedule = json!({ "schedule": { "type": "daily", "time": "06:00" } });
    counted.post(&format!("{path}/next-runs"), schedule).await;
    // the server does not exist: the steps after the first one are skipped
    let mut settings = crate::ftp_settings::settings("Werk");
    settings["password"] = "geheim".into();
    counted.post(&format!("{path}/test"), json!({ "file": "price", "settings": settings })).await;
    counted.post(&format!("{uri}/pause"), json!({ "file": "price" })).await;
    counted.post(&format!("{uri}/resume"), json!({ "file": "price" })).await;
    counted.post(&format!("{uri}/run"), json!({ "file": "price" })).await;
    counted.get(&format!("{uri}/runs")).await;
    counted.get("/api/admin/feeds").await;
    let key = json!({ "host_key": format!("ssh-ed25519 SHA256:{}", "k".repeat(43)) });
    counted.post(&format!("{uri}/trust-host-key"), key).await;
    counted.delete(path, &record, "").await;
}

async fn webhooks(counted: &mut Counted) {
    let path = "/api/admin/webhooks";
    counted.get(&format!("{path}/options")).await;
    let created = counted.post(path, crate::webhooks::webhook("Erstes")).await;
    let record = created["webhook"].clone();
    counted.list(path).await;
    let uri = format!("{path}/{}", id(&record));
    counted.get(&uri).await;
    counted.call(Method::PATCH, &uri, Some(json!({ "events": ["feed.late"] }))).await;
    let record = counted.call(Method::PUT, &uri, Some(crate::webhooks::webhook("Zweites"))).await;
    counted.post(&format!("{uri}/rotate-secret"), json!({ "overlap_hours": 24 })).await;
    counted.post(&format!("{uri}/pause"), json!({})).await;
    counted.post(&format!("{uri}/resume"), json!({})).await;
    let delivery = counted.post(&format!("{uri}/test"), json!({})).await;
    counted.list(&format!("{uri}/deliveries")).await;
    let delivery = format!("/api/admin/webhook-deliveries/{}", id(&delivery));
    counted.get(&delivery).await;
    counted.post(&format!("{delivery}/send-again"), json!({})).await;
    counted.delete(path, &record, "").await;
}

async fn sample_carts(counted: &mut Counted, article: &Value) {
    let path = "/api/admin/sample-carts";
    let cart =
        |name: &str| json!({ "name": name, "lines": [{ "article_id": article["id"], "quantity": "1" }] });
    let record = counted.plain(path, cart, Method::PUT).await;
    let uri = format!("{path}/{}", id(&record));
    counted.get(&format!("{uri}/difference")).await;
    counted.post(&format!("{uri}/accept"), json!({})).await;
    counted.delete(path, &record, "").await;
    let record = counted.post(path, cart("Drittes")).await;
    counted.bulk_delete(path, &record).await;
}

/// Calls for deliveries from a warehouse at a node to another node, also of an article in stock there.
async fn deliveries(counted: &mut Counted, admin: &Client, number: &Value, depot: &Value) {
    let from = node(admin, "Duisburg", json!({ "warehouse_id": id(depot) })).await;
    let to = node(admin, "Linz", json!({})).await;
    leg(admin, (from, to), &[("monday", "06:00")]).await;
    let stock =
        json!({ "article_number": number, "warehouse_short_code": depot["short_code"], "quantity": "5" });
    counted.client.put("/api/v1/stocks", json!({ "items": [stock] })).await.is(200);
    let order = json!({ "from": { "warehouse_id": id(depot) }, "to_node_id": to });
    counted.post("/api/admin/shipping/itineraries", order.clone()).await;
    counted.post("/api/admin/shipping/order-days", order).await;
    counted.get("/api/admin/shipping/findings").await;
    let stocks = counted.client.get("/api/admin/stocks").await.is(200);
    counted
        .post(
            "/api/admin/shipping/stock-dates",
            json!({ "stock_ids": [id(&stocks["data"][0])], "to_node_id": to }),
        )
        .await;
    let line = json!({ "article_id": stocks["data"][0]["article"]["id"], "quantity": "1" });
    counted.post("/api/admin/shipping/cart-dates", json!({ "lines": [line], "to_node_id": to })).await;
    let question = json!({ "article_number": number, "quantity": "1", "to": "Linz" });
    counted.post("/api/v1/delivery-dates", json!({ "questions": [question] })).await;
}

/// Calls of programs, with an existing stock and a new one.
async fn integrators(counted: &mut Counted, article: &Value, depot: &Value) {
    let number = &article["article_number"];
    let item = |quantity: &str| json!({ "article_number": number, "warehouse_short_code": depot["short_code"], "quantity": quantity });
    let price = json!({ "price": "10", "unit": "m" });
    let priced = json!({ "article_number": number, "warehouse_short_code": depot["short_code"], "internal_price": price });
    counted.call(Method::PUT, "/api/v1/stocks", Some(json!({ "items": [item("5")] }))).await;
    counted.call(Method::PUT, "/api/v1/prices", Some(json!({ "items": [priced] }))).await;
    let me = counted.client.get("/api/users/me").await.is(200);
    let list = json!({
        "name": "Programme", "owner_tenant_id": me["tenant"]["id"], "type": "sales", "scope": "own",
        "valid_from": "2099-01-01T00:00:00Z", "limited": false,
    });
    let list = id(&counted.client.post("/api/admin/price-lists", list).await.is(201));
    let list_id = list;
    let list = format!("/api/v1/price-lists/{list}");
    counted.get(&list).await;
    let listed = json!({ "article_number": number, "price": { "price": "11", "unit": "m" } });
    counted.call(Method::PUT, &format!("{list}/prices"), Some(json!({ "items": [listed] }))).await;
    counted.list(&format!("{list}/prices")).await;
    let changes = counted.client.get("/api/v1/changes").await.is(200);
    counted.client.put("/api/v1/stocks", json!({ "items": [item("8")] })).await.is(200);
    counted.get(&format!("/api/v1/changes?since={}", changes["cursor"].as_str().unwrap())).await;
    for feed in ["articles", "materials", "warehouses", "matchings"] {
        // the first call assigns numbers to the changes
        counted.client.get(&format!("/api/v1/changes/{feed}")).await.is(200);
        counted.get(&format!("/api/v1/changes/{feed}")).await;
    }
    counted.client.get(&format!("/api/v1/changes/price-lists/{list_id}")).await.is(200);
    counted.get(&format!("/api/v1/changes/price-lists/{list_id}")).await;
    counted
        .post("/api/v1/availability", json!({ "items": [{ "article_number": number, "quantity": "1" }] }))
        .await;
    let line =
        json!({ "article_number": number, "quantity": "1", "warehouse_short_code": depot["short_code"] });
    for quotes in ["/api/admin/quotes", "/api/v1/quotes"] {
        counted.post(quotes, json!({ "carts": [{ "lines": [line] }] })).await;
    }
    let mut over_time = line;
    over_time["from"] = "2026-01-01T00:00:00Z".into();
    over_time["until"] = "2027-12-31T00:00:00Z".into();
    counted.post("/api/admin/quotes/over-time", over_time).await;
    counted.get(&format!("/api/v1/articles?number={}", number.as_str().unwrap())).await;
    let stock = counted.client.get("/api/v1/stocks").await.is(200)["data"][0]["id"].clone();
    for one in ["stocks", "listings"] {
        counted.get(&format!("/api/v1/{one}/{stock}")).await;
    }
    for list in ["warehouses", "imports", "listings", "price-lists", "stocks"] {
        counted.list(&format!("/api/v1/{list}")).await;
    }
}
