//! History of changes with their authors and channels.

use std::time::{Duration, Instant};

use catalog::material::Materials;
use chrono::{SubsecRound, TimeDelta};
use identity::permissions;
use lists::Creatable;
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::{Value, json};
use store::Scope;
use values::{PermissionSet, now};

use crate::{
    catalog::{Catalog, id},
    exports::lines,
    support::{Client, Form, PASSWORD, TestApp},
};

const AUDIT: &str = "/api/admin/audit";
const MATERIALS: &str = "/api/admin/materials";

async fn entries(client: &Client, filter: &str) -> Vec<Value> {
    client.get(&format!("{AUDIT}?{filter}")).await.is(200)["data"].as_array().unwrap().clone()
}

async fn entries_of(client: &Client, record: &str, id: i64) -> Vec<Value> {
    entries(client, &format!("filter[record]={record}&filter[record_id]={id}")).await
}

/// Changes of an entry as `[["name", "a", "b"]]`.
fn changes(entry: &Value) -> Value {
    let changes = entry["changes"].as_array().unwrap().iter();
    changes.map(|change| json!([change["field"], change["from"], change["to"]])).collect()
}

#[actix_web::test]
async fn the_history_of_a_record_is_shown_field_by_field() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let input = json!({"name": "S235JR", "display_name": null, "article_number_name": null,
        "material_number": "1.0038", "density": "7.85"});
    let material = admin.post(MATERIALS, input.clone()).await.is(201);
    let uri = format!("{MATERIALS}/{}", id(&material));
    let mut changed = input;
    changed["density"] = "7.9".into();
    changed["material_number"] = Value::Null;
    admin.put(&uri, changed.clone()).await.is(200);
    // no change
    admin.put(&uri, changed.clone()).await.is(200);
    changed["name"] = "".into();
    admin.put(&uri, changed).await.is(422);
    admin.delete(&uri).await.is(204);

    let life = entries_of(&admin, "material", id(&material)).await;
    let listed: Vec<_> =
        life.iter().rev().map(|entry| (entry["action"].as_str().unwrap(), changes(entry))).collect();
    assert_eq!(
        listed,
        [
            (
                "created",
                json!([
                    ["density", null, "7.85"],
                    ["material_number", null, "1.0038"],
                    ["name", null, "S235JR"]
                ])
            ),
            ("changed", json!([["density", "7.85", "7.9"], ["material_number", "1.0038", null]])),
            ("deleted", json!([["density", "7.9", null], ["name", "S235JR", null]])),
        ]
    );
    let latest = &life[0];
    assert_eq!(latest["record_name"], "S235JR");
    assert_eq!(latest["user"]["name"], "User 0");
    assert_eq!((&latest["channel"], &latest["tenant"]), (&json!("session"), &Value::Null));
}

#[actix_web::test]
async fn added_and_removed_parts_are_named() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let role = json!({"name": "Einkauf", "permissions": ["article.list", "article.view"]});
    let role = admin.post("/api/admin/roles", role).await.is(201);
    let change = json!({"name": "Einkauf", "permissions": ["article.list", "material.list"]});
    admin.put(&format!("/api/admin/roles/{}", id(&role)), change).await.is(200);
    let latest = &entries_of(&admin, "role", id(&role)).await[0];
    assert_eq!(changes(latest), json!([["role_permission", ["article.view"], ["material.list"]]]));

    let user = json!({"name": "Ute", "email": "ute@nord.example", "tenant_id": app.north, "role_ids": [id(&role)],
        "permissions": null});
    let user = admin.post("/api/admin/users", user).await.is(201);
    let created = &entries_of(&admin, "user", id(&user)).await[0];
    let roles =
        created["changes"].as_array().unwrap().iter().find(|change| change["field"] == "user_role").unwrap();
    assert_eq!(roles["to"], json!([{"id": id(&role), "name": "Einkauf", "platform": false}]));
    assert_eq!(created["tenant"]["name"], "NORD GmbH");
}

#[actix_web::test]
async fn trade_dimensions_are_shown_in_metres_and_times_in_the_format_of_the_api() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let uri = "/api/admin/trade-dimensions";
    let mut ladder = json!({ "name": "Träger", "clusters": [
        { "short_code": "A", "maximum": "6.5", "calculation_value": "6" },
        { "short_code": "B", "minimum": "6.5", "maximum": "12.001", "calculation_value": "12" },
    ]});
    let made = admin.post(uri, ladder.clone()).await.is(201);
    ladder["clusters"][1]["maximum"] = json!("14");
    admin.put(&format!("{uri}/{}", id(&made)), ladder).await.is(200);
    let range = |maximum: &str| json!({ "position": 2, "short_code": "B", "minimum": "6.5", "maximum": maximum, "calculation_value": "12" });
    let life = entries_of(&admin, "trade_dimension", id(&made)).await;
    assert_eq!(life[0]["changes"][0]["unit"], "m");
    assert_eq!(changes(&life[0]), json!([["trade_dimension_cluster", [range("12.001")], [range("14")]]]));
    assert_eq!(life[1]["changes"][1]["to"][1], range("12.001"));

    let expires_at = (now() + TimeDelta::days(60)).trunc_subsecs(0) + TimeDelta::milliseconds(250);
    let input = json!({ "name": "ERP", "abilities": ["access-admin"], "expires_at": expires_at });
    let token = admin.post("/api/admin/tokens", input).await.is(201)["token"].clone();
    let listed = |entry: &Value| {
        let changes = entry["changes"].as_array().unwrap();
        changes.iter().find(|change| change["field"] == "expires_at").unwrap()["to"].clone()
    };
    assert_eq!(
        listed(&entries_of(&admin, "personal_access_token", id(&token)).await[0]),
        token["expires_at"]
    );

    // as earlier versions recorded it
    let recorded = expires_at.format("'%Y-%m-%d %H:%M:%S%.6f +00:00'").to_string();
    let earlier = json!([{ "field": "expires_at", "from": null, "to": recorded }]);
    let earlier = Statement::from_sql_and_values(
        app.db.get_database_backend(),
        "UPDATE audit_entry SET changes = $1 WHERE record = 'personal_access_token'",
        [earlier.into()],
    );
    let tx = app.db.begin().await.unwrap();
    assert_eq!(tx.execute_raw(earlier).await.unwrap().rows_affected(), 1);
    tx.commit().await.unwrap();
    assert_eq!(
        listed(&entries_of(&admin, "personal_access_token", id(&token)).await[0]),
        token["expires_at"]
    );
}

#[actix_web::test]
async fn an_import_is_one_entry_and_its_rows_are_in_the_articles_histories() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let workers = app.workers().await;
    let row = |height: &str| {
        format!(
            "Artikeltyp;Werkstoff;Höhe;Länge [m];Oberfläche;Gewicht\r\nBreitflanschträger HEB;S235JR;200;12,1;{height};\r\n"
        )
    };
    for (name, finish) in [("Erste", "roh"), ("Zweite", "verzinkt")] {
        let form = Form::new().field("type", "Article").field("name", name).file("a.csv", row(finish));
        let import = form.send(admin, &format!("/api/admin/imports?tenant_id={}", app.north)).await.is(201);
        crate::imports::ended(admin, &import).await;
    }
    drop(workers);
    let ended = entries(admin, "filter[record]=import&filter[action]=finished").await;
    assert_eq!(ended.len(), 2);
    assert_eq!((&ended[1]["channel"], &ended[1]["through"]["name"]), (&json!("import"), &json!("a.csv")));
    assert_eq!(
        (&ended[1]["user"]["name"], &ended[1]["tenant"]["name"]),
        (&json!("User 0"), &json!("NORD GmbH"))
    );
    assert_eq!(
        changes(&ended[1]),
        json!([
            ["rows_created", null, 1],
            ["rows_held", null, 0],
            ["rows_refused", null, 0],
            ["rows_unchanged", null, 0],
            ["rows_unresolved", null, 0],
            ["rows_updated", null, 0],
            ["status", null, "Success"]
        ])
    );
    assert_eq!(entries(admin, "filter[record]=article").await, [] as [Value; 0], "one entry for each import");

    let (first, second) = (&ended[1]["record_id"], &ended[0]["record_id"]);
    let rows = admin.get(&format!("/api/admin/imports/{second}/rows")).await.is(200);
    let uri = format!("/api/admin/articles/{}", rows["data"][0]["record_id"]);
    let article = admin.get(&uri).await.is(200);
    let values = article["values"].as_array().unwrap().iter().map(|value| {
        let fields = ["attribute_id", "option_id", "number", "unit", "text"].into_iter();
        fields.map(|field| (field.to_owned(), value[field].clone())).collect::<serde_json::Map<_, _>>()
    });
    let by_hand = json!({ "article_type_id": article["article_type"]["id"], "article_number": "von Hand",
        "material_id": article["material"]["id"], "values": values.collect::<Vec<_>>() });
    admin.put(&uri, by_hand).await.is(200);
    let life = entries_of(admin, "article", id(&article)).await;
    let listed: Vec<_> = life.iter().map(|entry| (&entry["action"], &entry["through"]["id"])).collect();
    assert_eq!(
        listed,
        [(&json!("changed"), &Value::Null), (&json!("changed"), second), (&json!("created"), first)]
    );
    assert_eq!(life[1]["user"]["name"], "User 0");
    assert_eq!((&life[1]["record_name"], &life[1]["tenant"]), (&article["article_number"], &Value::Null));
    let of_one = format!("filter[record]=article&filter[record_id]={}", id(&article));
    let page = admin.get(&format!("{AUDIT}?{of_one}&page[size]=1&page[number]=3&sort=at")).await.is(200);
    assert_eq!((&page["meta"]["total"], &page["data"][0]), (&json!(3), &life[0]));
    let imported = entries(admin, &format!("{of_one}&filter[channel]=import")).await;
    assert_eq!(imported, life[1..]);
    assert_eq!(entries(admin, &format!("{of_one}&filter[action]=created")).await, life[2..]);
    let export = format!("{AUDIT}/export?format=csv&{of_one}");
    let exported = lines(&admin.german().get(&export).await);
    let begins = |line: &str| line.split(';').skip(1).take(2).collect::<Vec<_>>().join(";");
    let listed: Vec<_> = exported[1..].iter().map(|line| begins(line)).collect();
    assert_eq!(listed, ["User 0;Geändert", "User 0;Geändert", "User 0;Angelegt"], "{exported:?}");
    assert!(exported[2].contains("Oberfläche: roh → verzinkt"), "{exported:?}");
    let some = lines(&admin.german().get(&format!("{export}&filter[channel]=import&sort=at")).await);
    assert_eq!(some[1..], [exported[3].clone(), exported[2].clone()]);
    let north = app.caller(Some(app.north), PermissionSet::all()).await;
    assert_eq!(entries(&north, &of_one).await, [] as [Value; 0], "what is the platform's");
    assert_eq!(lines(&north.german().get(&export).await).len(), 1);
    let created = &life[2];
    assert_eq!(created["through"]["name"], "a.csv");
    let values: Vec<_> =
        created["changes"].as_array().unwrap().iter().filter(|c| c["field"] == "attribute_values").collect();
    let height = values.iter().find(|change| change["of"]["name"] == "Höhe").unwrap();
    assert_eq!((&height["from"], &height["to"]["name"]), (&Value::Null, &json!("200 mm")));
    let length = values.iter().find(|change| change["of"]["name"] == "Länge").unwrap();
    assert_eq!((&length["to"], &length["unit"]), (&json!("12100"), &json!("mm")));
    let finish = values.iter().find(|change| change["of"]["name"] == "Oberfläche").unwrap();
    assert_eq!(finish["to"], "roh", "{finish}");
    let of_material =
        created["changes"].as_array().unwrap().iter().find(|c| c["field"] == "material_id").unwrap();
    assert_eq!(of_material["to"]["name"], "S235JR");
}

#[actix_web::test]
async fn successful_and_failed_sign_ins_are_recorded_without_secrets() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let email = app.user(Some(app.north), PermissionSet::all()).await;
    for password in ["wrong-password-1", PASSWORD] {
        app.anonymous().post("/api/sessions", json!({"email": email, "password": password})).await;
    }
    app.anonymous().post("/api/sessions", json!({"email": "nobody@x.example", "password": "geheim-1"})).await;
    let signed = entries(&admin, "filter[action]=signed_in&filter[action]=sign_in_failed").await;
    let listed: Vec<_> = signed
        .iter()
        .map(|entry| (&entry["action"], &entry["record_name"], &entry["user"]["name"]))
        .collect();
    let (ok, failed) = (json!("signed_in"), json!("sign_in_failed"));
    let user = json!("User 1");
    assert_eq!(
        listed[..3],
        [(&failed, &Value::Null, &Value::Null), (&ok, &user, &user), (&failed, &user, &Value::Null)]
    );
    assert_eq!(signed[0]["address"], "127.0.0.1");
    let all = admin.get(&format!("{AUDIT}?page[size]=200")).await;
    let text = String::from_utf8(all.bytes.to_vec()).unwrap();
    for secret in
        ["argon2", PASSWORD, "wrong-password-1", "geheim-1", "nobody@x.example", "ses_", "_hash", "_fold"]
    {
        assert!(!text.contains(secret), "{secret}");
    }
}

#[actix_web::test]
async fn platform_users_are_anonymous_and_distinguished_from_deleted_users() {
    let app = TestApp::new().await;
    let (admin, leaving) = (app.platform().await, app.platform().await);
    let input = |name: &str| json!({"name": name, "permissions": []});
    let uri = format!("/api/admin/roles?tenant_id={}", app.north);
    let kept = admin.post(&uri, input("Einkauf")).await.is(201);
    let left = leaving.post(&uri, input("Verkauf")).await.is(201);
    let gone = id(&leaving.get("/api/users/me").await.is(200));
    admin.delete(&format!("/api/admin/users/{gone}")).await.is(204);

    let reader = app.caller(Some(app.north), PermissionSet::all()).await;
    let who = async |role: &Value| entries_of(&reader, "role", id(role)).await[0]["user"].clone();
    let (stays, left) = (who(&kept).await, who(&left).await);
    assert_eq!((&stays["name"], &stays["platform"]), (&Value::Null, &true.into()));
    assert_eq!(left, json!({ "id": gone, "name": null, "platform": false }));
    let seen = entries_of(&admin, "role", id(&kept)).await[0]["user"].clone();
    assert_eq!((&seen["name"], &seen["platform"]), (&"User 0".into(), &false.into()));
    let file = format!("{AUDIT}/export?format=csv&filter[record]=role&filter[record_id]={}", id(&kept));
    assert!(lines(&reader.german().get(&file).await)[1].contains(";Plattformverwaltung;"));
}

#[actix_web::test]
async fn signing_out_and_ending_sessions_is_recorded() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    user.delete("/api/sessions/others").await.is(204);
    user.delete("/api/sessions/current").await.is(204);
    let listed = entries(&admin, "filter[action]=sessions_ended&filter[action]=signed_out").await;
    let listed: Vec<_> = listed.iter().map(|entry| (&entry["action"], &entry["user"]["name"])).collect();
    let name = json!("User 1");
    assert_eq!(listed, [(&json!("signed_out"), &name), (&json!("sessions_ended"), &name)]);
}

#[actix_web::test]
async fn the_filtered_history_is_exported_in_the_words_of_the_screens() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let input = json!({"name": "S235JR", "display_name": null, "article_number_name": null,
        "material_number": null, "density": "7.85"});
    let material = admin.post(MATERIALS, input.clone()).await.is(201);
    let mut changed = input;
    changed["density"] = "7.9".into();
    admin.put(&format!("{MATERIALS}/{}", id(&material)), changed).await.is(200);
    let role = json!({"name": "Einkauf", "permissions": ["article.list"]});
    let role = admin.post("/api/admin/roles", role).await.is(201);
    let change = json!({"name": "Einkauf", "permissions": ["material.list"]});
    admin.put(&format!("/api/admin/roles/{}", id(&role)), change).await.is(200);

    let uri = format!("{AUDIT}/export?format=csv&filter[record]=material");
    let found = lines(&admin.german().get(&uri).await);
    let number = id(&material);
    assert_eq!(
        found[0],
        "Wann;Wer;Was;Datensatz;Datensatz-Nr.;Bezeichnung;Änderungen;Mandant;Herkunft;Über;Adresse"
    );
    let listed =
        format!(";User 0;Geändert;Werkstoff;{number};S235JR;Dichte (kg/dm³): 7,85 → 7,9;;Oberfläche;;");
    assert!(found[1].ends_with(&listed), "{}", found[1]);
    assert_eq!(found.len(), 3);
    let uri = format!("{AUDIT}/export?format=csv&filter[record]=role&filter[record_id]={}", id(&role));
    let found = lines(&admin.get(&uri).await);
    assert!(found[1].contains("Permissions: −article.list, +material.list"), "{}", found[1]);
    let workbook = admin.get(&format!("{AUDIT}/export?format=xlsx")).await;
    workbook.is(200);
    assert!(workbook.bytes.starts_with(b"PK"));

    // the export contains what the user may see
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    assert_eq!(lines(&south.get(&uri).await).len(), 1);
}

#[actix_web::test]
async fn a_tenant_sees_only_entries_that_concern_it() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let north = app.caller(Some(app.north), PermissionSet::all()).await;
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    let role = json!({"name": "Lager", "permissions": ["stock.list"]});
    let role = north.post("/api/admin/roles", role).await.is(201);
    admin
        .post(
            MATERIALS,
            json!({"name": "C45", "display_name": null, "article_number_name": null,
        "material_number": null, "density": null}),
        )
        .await
        .is(201);
    assert_eq!(entries_of(&north, "role", id(&role)).await.len(), 1);
    assert!(entries_of(&south, "role", id(&role)).await.is_empty());
    for own in [&north, &south] {
        let seen = entries(own, "page[size]=200").await;
        assert!(seen.iter().all(|entry| entry["record"] != "material"));
        let tenants: std::collections::HashSet<_> =
            seen.iter().map(|entry| entry["tenant"]["id"].as_i64()).collect();
        assert_eq!(tenants.len(), 1, "{tenants:?}");
    }
    let blind = app.caller(Some(app.north), PermissionSet::all().without(permissions::LIST_AUDIT)).await;
    blind.get(AUDIT).await.is(403);
}

#[actix_web::test]
async fn a_rolled_back_change_has_no_entry() {
    let app = TestApp::new().await;
    let scope = Scope::platform();
    let input = catalog::material::MaterialInput {
        name: "S355J2".to_owned(),
        display_name: None,
        article_number_name: None,
        material_number: None,
        density: None,
        change_articles: None,
        version: None,
    };
    Materials::create(&app.db, &scope, input.clone()).await.unwrap();
    let twice = Materials::create(&app.db, &scope, input).await;
    assert!(twice.is_err());
    let admin = app.platform().await;
    assert_eq!(entries(&admin, "filter[record]=material").await.len(), 1);
    let later = (now() + chrono::TimeDelta::days(1)).to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
    assert!(entries(&admin, &format!("filter[at_greater_than]={later}")).await.is_empty());
}

#[actix_web::test]
async fn deleted_users_are_anonymized_in_all_tables() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let user = json!({"name": "Frauke Ostermann", "email": "frauke@nord.example", "tenant_id": app.north,
        "role_ids": [], "permissions": null});
    let user = admin.post("/api/admin/users", user).await.is(201);
    let uri = format!("/api/admin/users/{}", id(&user));
    admin.send(actix_web::http::Method::PATCH, &uri, Some(json!({"name": "Frauke Petersen"}))).await.is(200);
    admin.post(&format!("{uri}/invite"), json!({})).await;
    app.anonymous()
        .post("/api/sessions", json!({"email": "frauke@nord.example", "password": "wrong-1"}))
        .await;
    admin.delete(&uri).await.is(204);

    let life = entries_of(&admin, "user", id(&user)).await;
    let listed: Vec<_> = life.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(listed, ["deleted", "sign_in_failed", "invited", "changed", "created"]);
    assert!(life.iter().all(|entry| entry["record_name"].is_null() && entry["address"].is_null()));
    // and not in any other table either
    let postgres = app.db.get_database_backend() == DbBackend::Postgres;
    let tables = if postgres {
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"
    } else {
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%_trigrams%'"
    };
    let rows = async |sql: String| {
        app.db.query_all_raw(Statement::from_string(app.db.get_database_backend(), sql)).await.unwrap()
    };
    let mut looked_at = 0;
    for table in rows(tables.to_owned()).await {
        let table: String = table.try_get("", "name").unwrap();
        let columns = if postgres {
            format!("SELECT column_name AS name FROM information_schema.columns WHERE table_name = '{table}'")
        } else {
            format!("SELECT name FROM pragma_table_info('{table}')")
        };
        for column in rows(columns).await {
            let column: String = column.try_get("", "name").unwrap();
            let sql = format!(
                "SELECT 1 FROM \"{table}\" WHERE lower(CAST(\"{column}\" AS text)) LIKE '%frauke%' LIMIT 1"
            );
            assert!(rows(sql).await.is_empty(), "{table}.{column}");
            looked_at += 1;
        }
    }
    assert!(looked_at > 100, "{looked_at}");
}

/// Longest time for which the work blocked other tasks, and its total time.
async fn longest_pause(work: impl Future<Output = ()>) -> (Duration, Duration) {
    let began = Instant::now();
    let (mut longest, mut last) = (Duration::ZERO, began);
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            biased;
            () = &mut work => return (longest.max(last.elapsed()), began.elapsed()),
            () = tokio::time::sleep(Duration::from_millis(2)) => {
                longest = longest.max(last.elapsed());
                last = Instant::now();
            }
        }
    }
}

#[actix_web::test]
async fn a_history_of_long_changes_is_computed_without_blocking_others() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let part = |number: usize| json!({ "minimum": number.to_string(), "maximum": "12", "calculation_value": "12", "short_code": "L12" });
    let parts: Vec<_> = (0..60).map(part).collect();
    let changes = json!([{ "field": "trade_dimension_cluster", "from": parts, "to": parts }]);
    let sql = match app.db.get_database_backend() {
        DbBackend::Sqlite => "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 400)",
        _ => "WITH n(n) AS (SELECT generate_series(1, 400))",
    };
    let cast = if app.db.get_database_backend() == DbBackend::Sqlite { "$2" } else { "$2::jsonb" };
    let sql = format!(
        "INSERT INTO audit_entry (at, action, record, record_id, record_name, channel, address, request, changes) \
         {sql} SELECT $1, 'changed', 'trade_dimension', 7, 'Lagerlängen', 'system', '', '', {cast} FROM n"
    );
    let tx = app.db.begin().await.unwrap();
    let values = [now().into(), changes.to_string().into()];
    tx.execute_raw(Statement::from_sql_and_values(app.db.get_database_backend(), sql, values)).await.unwrap();
    tx.commit().await.unwrap();

    let asked = async {
        let answer = admin.get(&format!("{AUDIT}/export?format=csv&filter[record]=trade_dimension")).await;
        assert_eq!(answer.status, 200);
        assert!(answer.bytes.len() > 1_000_000, "{}", answer.bytes.len());
    };
    let (pause, whole) = longest_pause(asked).await;
    assert!(pause < whole / 3, "others were blocked for {pause:?} of {whole:?}");
}
