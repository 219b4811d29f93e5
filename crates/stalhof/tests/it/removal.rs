//! Removal of a tenant: everything of it, and nothing of other tenants.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    time::Duration,
};

use migrations::kind::{Rows, TABLES};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::{Value, json};
use stalhof::{backup, removal};
use store::statements::sent_by;
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, Catalog, id},
    imports::{IMPORTS, articles, ended},
    shipping_nodes::NODES,
    support::{Client, TestApp},
    tenant_rule::writes_without_tenant,
    unresolved_numbers::unresolved,
    warehouses::warehouse,
};

async fn texts(app: &TestApp, sql: &str) -> Vec<String> {
    let statement = Statement::from_string(app.db.get_database_backend(), sql);
    let rows = app.db.query_all_raw(statement).await.unwrap();
    rows.iter().map(|row| row.try_get_by_index::<String>(0).unwrap()).collect()
}

/// Tables with such a column, and the number of their rows with one of the values in it.
async fn holding(app: &TestApp, column: &str, values: &str) -> BTreeMap<String, i64> {
    let tables = match app.db.get_database_backend() {
        DbBackend::Sqlite => format!(
            "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type = 'table' AND p.name = '{column}'"
        ),
        _ => format!(
            "SELECT table_name::text FROM information_schema.columns WHERE table_schema = current_schema() \
             AND column_name = '{column}' AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition)"
        ),
    };
    let mut found = BTreeMap::new();
    for table in texts(app, &tables).await {
        let sql = format!("SELECT CAST(count(*) AS TEXT) FROM \"{table}\" WHERE {column} IN ({values})");
        let count = texts(app, &sql).await[0].parse().unwrap();
        if count > 0 {
            found.insert(table, count);
        }
    }
    found
}

/// Creates users, a role, a view, a token, an invitation, an import with refused rows and one in the queue.
async fn fill(catalog: &Catalog, tenant: i64) -> Client {
    let Catalog { admin, app, .. } = catalog;
    let person = app.caller(Some(tenant), PermissionSet::all()).await;
    let role = json!({ "name": "Lager", "permissions": ["article.list"] });
    let role = person.post("/api/admin/roles", role).await.is(201);
    let invited = json!({
        "name": "Neu", "email": format!("neu{tenant}@test.example"), "tenant_id": tenant, "role_ids": [role["id"]],
        "permissions": ["article.list"]
    });
    let invited = person.post("/api/admin/users", invited).await.is(201);
    person.post(&format!("/api/admin/users/{}/invite", id(&invited)), json!({})).await.is(200);
    let state =
        json!({ "filters": [], "sort": "name", "size": 20, "columns": ["name"], "density": "compact" });
    let view = json!({ "list": "materials", "name": "Meine", "shared": true, "state": state });
    let view = person.post("/api/admin/views", view).await.is(201);
    let chosen = json!({ "list": "materials", "view_id": view["id"] });
    person.put("/api/admin/views/default", chosen).await.is(204);
    person.post("/api/admin/tokens", json!({ "name": "ERP", "abilities": ["access-admin"] })).await.is(201);
    let group = json!({ "name": format!("Verbund {tenant}"), "tenant_ids": [tenant] });
    admin.post("/api/admin/tenant-groups", group).await.is(201);
    let depot = person.post("/api/admin/warehouses", warehouse("Duisburg", "DU")).await.is(201);
    let closed = json!({ "date": "2026-12-24", "name": "Inventur", "warehouse_id": depot["id"] });
    person.post("/api/admin/closures", closed).await.is(201);
    let node = json!({ "name": format!("Knoten {tenant}"), "active": true, "warehouse_id": depot["id"] });
    admin.post(NODES, node).await.is(201);
    let matching = json!({ "warehouse_id": depot["id"], "external_warehouse_identifier": "L01" });
    person.post("/api/admin/matchings", matching).await.is(201);
    let length = if tenant == app.north { "6" } else { "7" };
    let article = admin.post(ARTICLES, catalog.article(0, length)).await.is(201);
    let stock =
        json!({ "article_id": article["id"], "warehouse_id": depot["id"], "availability_type": "always" });
    let stock = person.post("/api/admin/stocks", stock).await.is(201);
    for price in ["10", "1000"] {
        let prices = json!({ "external_price": { "price": price, "unit": "m" } });
        person.put(&format!("/api/admin/prices/{}", stock["id"]), prices).await.is(200);
    }
    unresolved(app, &person, "X-1", "DU").await;
    let uri = format!("{IMPORTS}?tenant_id={tenant}");
    let workers = app.workers().await;
    let faulty = articles("Artikeltyp;Werkstoff\r\nUnbekannt;S235JR\r\n").send(admin, &uri).await.is(201);
    ended(admin, &faulty).await;
    workers.end().await;
    articles("Artikeltyp\r\nWartet\r\n").send(admin, &uri).await.is(201);
    person
}

fn lines(folder: &Path, table: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(format!("{table}.jsonl"))).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn files_below(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { files_below(&path) } else { 1 }).sum()
}

#[actix_web::test]
async fn all_data_of_a_tenant_and_nothing_else_is_saved_and_deleted() {
    let catalog = Catalog::new().await;
    let app = &catalog.app;
    fill(&catalog, app.south).await;
    let person = fill(&catalog, app.north).await;
    let [north, south] = [app.north, app.south].map(|tenant| tenant.to_string());
    let people = texts(app, &format!("SELECT CAST(id AS TEXT) FROM \"user\" WHERE tenant_id = {north}"))
        .await
        .join(", ");
    let imports = texts(app, &format!("SELECT CAST(id AS TEXT) FROM import WHERE tenant_id = {north}"))
        .await
        .join(", ");
    let of_tenant = holding(app, "tenant_id", &north).await;
    let of_people = holding(app, "user_id", &people).await;
    for table in [
        "user",
        "role",
        "import",
        "saved_view",
        "audit_entry",
        "warehouse",
        "warehouse_cut_off",
        "closure",
        "held_price",
        "unresolved_number",
        "unresolved_row",
        "matching",
        "stock",
        "tenant_permission",
        "tenant_group_member",
    ] {
        assert!(of_tenant.contains_key(table), "{table} in {of_tenant:?}");
    }
    for table in ["session", "personal_access_token", "mail", "one_time_link", "user_role"] {
        assert!(of_people.contains_key(table), "{table} in {of_people:?}");
    }
    let theirs = holding(app, "tenant_id", &south).await;
    let uploads = app.folder.path().join("uploads");
    assert_eq!(files_below(&uploads), 6);

    let before = super::access::tables(app, &[]).await;
    let seen = removal::count_data(&app.db, "nord").await.unwrap();
    assert_eq!((seen.files, seen.company.as_str()), (3, "NORD GmbH"));
    for (table, rows) in &of_tenant {
        assert_eq!(seen.tables[&**table], rows.unsigned_abs(), "{table}");
    }
    assert!(before == super::access::tables(app, &[]).await, "a dry run has changed something");

    let folder = app.folder.path().join("fort");
    let gone = removal::remove(&app.settings(), &app.db, "NORD", &folder).await.unwrap();
    assert_eq!(gone.tables, seen.tables);
    assert_eq!(gone.files, 3);
    for (column, values) in [("tenant_id", &north), ("user_id", &people), ("import_id", &imports)] {
        assert_eq!(holding(app, column, values).await, BTreeMap::new(), "{column}");
    }
    assert_eq!(holding(app, "tenant_id", &south).await, theirs);
    assert_eq!(files_below(&uploads), 3);
    // the node stays, without its warehouse
    let nodes = catalog.admin.get(&format!("{NODES}?sort=-name")).await.is(200);
    let warehouses = nodes["data"].as_array().unwrap().iter().map(|node| node["warehouse"].is_null());
    assert_eq!(warehouses.filter(|gone| *gone).count(), 1, "{nodes}");
    let problems = backup::check(&app.settings()).await.unwrap().problems;
    assert_eq!(problems, [""; 0]);
    person.get("/api/users/me").await.is(401);
    catalog.admin.get(&format!("/api/admin/tenants/{north}")).await.is(404);
    let history =
        catalog.admin.get("/api/admin/audit?filter[record]=tenant&filter[action]=deleted").await.is(200);
    assert_eq!(history["data"][0]["record_name"], "NORD GmbH");

    for (table, rows) in &seen.tables {
        let kept = lines(&folder.join("before"), table);
        assert_eq!(kept.len() as u64, *rows, "{table}");
        if *table != "tenant" {
            assert_eq!(lines(&folder.join("removed"), table), kept, "{table}");
        }
    }
    assert_eq!(files_below(&folder.join("before/files")), 3);
    let everything = fs::read_to_string(folder.join("before/user.jsonl")).unwrap();
    assert!(everything.contains("neu") && !everything.contains("argon2"), "{everything}");

    let error = removal::remove(&app.settings(), &app.db, "NORD", &folder).await.unwrap_err();
    assert_eq!(error.to_string(), "internal: there is no tenant with the short code NORD");
    let error = removal::remove(&app.settings(), &app.db, "SUED", &folder).await.unwrap_err();
    assert!(error.to_string().contains("is of another tenant"), "{error}");
    assert_eq!(holding(app, "tenant_id", &south).await, theirs);
}

#[actix_web::test]
async fn every_statement_of_a_removal_names_the_tenant_and_rows_by_their_key() {
    let catalog = Catalog::new().await;
    let app = &catalog.app;
    fill(&catalog, app.north).await;
    let folder = app.folder.path().join("fort");
    let (gone, sent) = sent_by(removal::remove(&app.settings(), &app.db, "NORD", &folder)).await;
    let gone = gone.unwrap().tables;
    let mut deleted = BTreeSet::new();
    for sql in &sent {
        for place in ["ctid", "rowid"] {
            assert!(!sql.contains(place), "a row is addressed by its place: {sql}");
        }
        assert_eq!(writes_without_tenant(sql), None, "{sql}");
        let of = |verb: &str| sql.split_once(verb).map(|(_, table)| table.split_whitespace().next().unwrap());
        let table = of("DELETE FROM ").or_else(|| of(" FROM ")).unwrap_or_default().trim_matches('"');
        let table = TABLES.iter().find(|known| known.name == table && known.rows != Rows::Platform);
        let Some(table) = table.filter(|_| !sql.contains("short_code_fold")) else { continue };
        assert!(sql.contains(&format!(" = {}", app.north)), "rows of all tenants: {sql}");
        if sql.starts_with("DELETE") {
            deleted.insert(table.name);
        }
    }
    assert_eq!(deleted, gone.into_keys().collect());
}

#[actix_web::test]
async fn an_interrupted_removal_is_continued_and_blocks_the_tenant_meanwhile() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let person = fill(&catalog, app.north).await;
    let seen = removal::count_data(&app.db, "NORD").await.unwrap();
    let folder = app.folder.path().join("fort");
    // blocks the file that the users are written to on removal
    fs::create_dir_all(folder.join("removed/user.jsonl")).unwrap();
    let error = removal::remove(&app.settings(), &app.db, "NORD", &folder).await.unwrap_err();
    assert!(error.to_string().contains("is not empty"), "{error}");
    person.get("/api/users/me").await.is(200);

    fs::remove_dir_all(&folder).unwrap();
    let begun = tokio::spawn({
        let (settings, db, folder) = (app.settings(), app.db.clone(), folder.clone());
        async move { removal::remove(&settings, &db, "NORD", &folder).await }
    });
    while !folder.join("before.part").exists() && !folder.join("before").exists() {
        tokio::task::yield_now().await;
    }
    // nothing has been deleted yet, but everything is recorded
    let first = TABLES.iter().find(|table| seen.tables.contains_key(table.name)).unwrap().name;
    let blocked = folder.join(format!("removed/{first}.jsonl"));
    fs::create_dir_all(&blocked).unwrap();
    begun.await.unwrap().unwrap_err();
    let mut left = removal::count_data(&app.db, "NORD").await.unwrap();
    assert_eq!(left.tables, seen.tables);

    person.get("/api/users/me").await.is(401);
    for uri in ["users", "imports", "roles"] {
        let uri = format!("/api/admin/{uri}?tenant_id={}", app.north);
        admin.get(&uri).await.is_refused_at(&["tenant_id"]);
    }
    let late = json!({
        "name": "Spät", "email": "spaet@test.example", "tenant_id": app.north, "role_ids": [], "permissions": null
    });
    admin.post("/api/admin/users", late).await.is_refused_at(&["tenant_id"]);
    admin.get(&format!("/api/admin/tenants/{}", app.north)).await.is(404);

    fs::remove_dir_all(&blocked).unwrap();
    let blocked = folder.join("removed/user.jsonl");
    fs::create_dir_all(&blocked).unwrap();
    removal::remove(&app.settings(), &app.db, "NORD", &folder).await.unwrap_err();
    left = removal::count_data(&app.db, "NORD").await.unwrap();
    assert!(left.tables.contains_key("user") && !left.tables.contains_key("import"), "{left:?}");

    fs::remove_dir_all(&blocked).unwrap();
    removal::remove(&app.settings(), &app.db, "NORD", &folder).await.unwrap();
    assert_eq!(holding(app, "tenant_id", &app.north.to_string()).await, BTreeMap::new());
    for (table, rows) in &seen.tables {
        assert_eq!(lines(&folder.join("before"), table).len() as u64, *rows, "{table}");
    }
    assert_eq!(lines(&folder.join("removed"), "import").len(), 3);
}

#[actix_web::test]
async fn removing_a_tenant_discards_the_next_batch_of_its_running_import() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let person = app.caller(Some(app.north), PermissionSet::all()).await;
    let rows = (0..20_000).map(|number| format!("Breitflanschträger HEB;S235JR;2{number:05};6;roh\r\n"));
    let rows = rows.collect::<Vec<_>>().concat();
    let file = format!("Artikeltyp;Werkstoff;Höhe;Länge [m];Oberfläche\r\n{rows}");
    let uri = format!("{IMPORTS}?tenant_id={}", app.north);
    let queued = articles(file).send(admin, &uri).await.is(201);
    let workers = app.workers().await;
    let uri = format!("{IMPORTS}/{}", id(&queued));
    while admin.get(&uri).await.is(200)["rows_done"].as_i64().unwrap() == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let folder = app.folder.path().join("fort");
    removal::remove(&app.settings(), &app.db, "NORD", &folder).await.unwrap();
    let refused = async || texts(app, "SELECT CAST(count(*) AS TEXT) FROM import_error").await;
    assert_eq!(refused().await, ["0"]);
    admin.get(&uri).await.is(404);
    person.get("/api/users/me").await.is(401);
    // work that was still running has nothing to write to
    tokio::time::sleep(Duration::from_millis(700)).await;
    workers.end().await;
    assert_eq!(refused().await, ["0"]);
    assert_eq!(holding(app, "tenant_id", &app.north.to_string()).await, BTreeMap::new());
    assert_eq!(lines(&folder.join("before"), "import")[0]["status"], "Cancelled");
    let done = lines(&folder.join("before"), "import")[0]["rows_done"].as_i64().unwrap();
    assert!(done < 20_000, "the import was over before");
    assert_eq!(backup::check(&app.settings()).await.unwrap().problems, [""; 0]);
}
