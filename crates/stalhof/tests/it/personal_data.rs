//! Export of all data stored about a person.

use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::{Value, json};
use store::audit::{Action, HistoryEntry};
use values::{PermissionSet, TenantId, UserId};

use crate::{
    catalog::id,
    document::document,
    support::{Answer, Client, Form, PASSWORD, TestApp, all_but},
};

const OWN: &str = "/api/users/me/data";

/// Export of each table that refers to a person: table, column of the reference, schema in the file, and
/// columns that are left out besides those that identify the person.
const EXPORTED: &[(&str, &str, &str, &[&str])] = &[
    // secrets, search columns and version counters
    (
        "user",
        "id",
        "PersonalAccount",
        &["tenant_id", "name_fold", "email_fold", "email_key", "password_hash", "version"],
    ),
    ("user_role", "user_id", "PersonalAccount", &["role_id"]),
    ("user_permission", "user_id", "PersonalAccount", &["permission"]),
    ("session", "user_id", "PersonalSession", &["token_hash"]),
    ("personal_access_token", "user_id", "PersonalToken", &["name_fold", "token_hash", "version"]),
    ("email_change", "user_id", "PersonalEmailChange", &["changed_by", "public_id", "token_hash"]),
    ("one_time_link", "user_id", "PersonalLink", &["token_hash", "public_id", "bound_to"]),
    ("saved_view", "user_id", "PersonalView", &["tenant_id", "name_fold", "version"]),
    ("default_view", "user_id", "PersonalDefaultView", &[]),
    (
        "import",
        "created_by",
        "PersonalImport",
        // about the file and its processing
        &[
            "name_fold",
            "search_fold",
            "upload_key",
            "sha256",
            "applies",
            "undoes",
            "identical_to",
            "replays",
            "replay_cause",
            "number_style",
            "mapping",
            "settings",
            "header",
            "header_key",
            "price_list_id",
            "feed_id",
            "external_api_id",
            "removals_expected",
            "skip_hidden_rows",
            "rows_hidden",
            "replace_scope",
            "hides_prices",
            "lease_owner",
            "lease_until",
            "turn_at",
            "fence",
            "attempt",
            "checkpoint",
            "version",
        ],
    ),
    // the text is deleted with the mail, the error is the mail server's, the lease the sender's
    ("mail", "user_id", "PersonalMail", &["text", "html", "error", "lease_owner", "lease_until"]),
    // the ids of the request and of the undone entry say nothing about a person
    ("audit_entry", "user_id", "PersonalHistoryEntry", &["request", "undoes"]),
];

/// Columns that look like personal data, with the reason why no export has them.
const NOT_EXPORTED: &[(&str, &str)] = &[
    ("tenant", "address"), // of a company
    ("tenant", "email"),
    ("warehouse", "address"),
    ("warehouse", "address_fold"),
    ("shipping_node", "address"), // of a place
    ("shipping_node", "address_fold"),
    ("external_api", "username"), // by which a company signs in to another system
    ("ftp_settings", "username"), // by which a company signs in to another server
    ("surcharge_table", "keyed_by"), // what its rows are
    ("sign_in_place", "user_id"), // a hash of the place of sign-ins; the addresses are in the user's history
    ("idempotency", "user_id"),   // what a program was answered, for a day: of records, as their history
    ("feed_run", "asked_by"),     // of a company's file, for 90 days
    ("webhook_delivery", "is_by_hand"), // that a user has asked for an attempt, not which one
    ("held_price", "created_by"), // a company's price; the history tells who wanted it
    ("password_reset_request", "email_fold"), // what a stranger has typed, for a second
];

/// Checks how the file of a person is sent, and parses it.
#[track_caller]
fn read(answer: &Answer) -> Value {
    let file = answer.is(200);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "no-store");
    assert!(answer.header("content-disposition").starts_with("attachment; filename=\"Person"));
    file
}

async fn rows(app: &TestApp, sql: &str) -> Vec<Vec<String>> {
    let statement = Statement::from_string(app.db.get_database_backend(), sql);
    let rows = app.db.query_all_raw(statement).await.unwrap();
    let read = |row: &sea_orm::QueryResult| {
        let columns = row.column_names().len();
        (0..columns).map(|column| row.try_get_by_index(column).unwrap()).collect()
    };
    rows.iter().map(read).collect()
}

/// All columns of the database: table, column, and the table that it refers to.
async fn columns(app: &TestApp) -> Vec<[String; 3]> {
    let sql = match app.db.get_database_backend() {
        DbBackend::Postgres => {
            "SELECT c.table_name::text, c.column_name::text, coalesce((SELECT confrelid::regclass::text FROM pg_constraint k \
             JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY (k.conkey) WHERE k.contype = 'f' \
             AND k.conrelid = format('%I', c.table_name)::regclass AND a.attname = c.column_name LIMIT 1), '') \
             FROM information_schema.columns c WHERE c.table_schema = 'public' \
             AND c.table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition)"
        }
        _ => {
            "SELECT m.name, c.name, coalesce((SELECT f.\"table\" FROM pragma_foreign_key_list(m.name) f \
             WHERE f.\"from\" = c.name), '') FROM sqlite_master m JOIN pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND m.name NOT LIKE '%_trigrams%'"
        }
    };
    let found = rows(app, sql).await.into_iter();
    found
        .map(|row| <[String; 3]>::try_from(row).unwrap().map(|name| name.trim_matches('"').to_owned()))
        .collect()
}

#[actix_web::test]
async fn every_column_about_a_person_is_exported_or_excluded_for_a_reason() {
    let app = TestApp::new().await;
    let columns = columns(&app).await;
    let mut of_people = 0;
    for [table, column, target] in &columns {
        let names = ["user", "_by", "email", "address"];
        let looks_personal = names.iter().any(|name| column.contains(name));
        if target != "user" && !looks_personal {
            continue;
        }
        of_people += 1;
        let exported = EXPORTED.iter().any(|(of, ..)| of == table);
        let left_out = NOT_EXPORTED.contains(&(table, column));
        assert!(exported || left_out, "is {table}.{column} missing in the export?");
    }
    assert!(of_people > 12, "{of_people}");

    let document = document();
    for (table, whose, schema, left_out) in EXPORTED {
        let shown = document["components"]["schemas"][schema]["properties"].as_object().unwrap();
        let own: Vec<_> =
            columns.iter().filter(|[of, ..]| of == table).map(|[_, column, _]| column.as_str()).collect();
        assert!(own.contains(whose), "{table}");
        for column in &own {
            let is_out = left_out.contains(column) || column == whose && *table != "user";
            assert!(shown.contains_key(*column) != is_out, "{table}.{column}");
        }
        assert!(left_out.iter().all(|column| own.contains(column)), "{table}");
    }
}

/// Creates data of each kind that is stored about a person.
async fn lead_a_life(client: &Client) {
    let view = json!({ "list": "materials", "name": "Edelstahl", "shared": false,
        "state": { "filters": [], "sort": null, "size": 20, "columns": ["name"], "density": "compact" } });
    let view = client.post("/api/admin/views", view).await.is(201);
    client.post("/api/admin/tokens", json!({ "name": "ERP", "abilities": ["access-shop"] })).await.is(201);
    client.put("/api/admin/views/default", json!({ "list": "materials", "view_id": id(&view) })).await;
}

#[actix_web::test]
async fn a_user_exports_their_own_data_without_secrets_and_data_of_others() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let input = json!({ "name": "Frauke Ostermann", "email": "frauke@nord.example", "tenant_id": app.north,
        "role_ids": [], "permissions": null });
    let other = admin.post("/api/admin/users", input).await.is(201);
    let email = app.user(Some(app.north), PermissionSet::all()).await;
    let sign_in = json!({ "email": email, "password": PASSWORD });
    let request = app.anonymous().request(actix_web::http::Method::POST, "/api/sessions");
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
    let opened =
        app.anonymous().call(request.insert_header(("user-agent", agent)).set_json(sign_in)).await.is(201);
    let client = app.anonymous().signed_in(&opened["session"]["token"]);
    let me = id(&client.get("/api/users/me").await.is(200));
    lead_a_life(&client).await;
    // only the platform imports articles
    let form = Form::new().field("type", "Article").file("Artikel.csv", "Artikeltyp\r\nx\r\n");
    form.send(&admin, &format!("/api/admin/imports?tenant_id={}", app.north)).await.is(201);
    let tx = app.db.begin().await.unwrap();
    tx.execute_unprepared(&format!("UPDATE import SET created_by = {me}")).await.unwrap();
    tx.commit().await.unwrap();
    let uri = format!("/api/admin/users/{}", id(&other));
    client
        .send(actix_web::http::Method::PATCH, &uri, Some(json!({ "name": "Frauke Petersen" })))
        .await
        .is(200);
    admin.post(&format!("/api/admin/users/{me}/password-reset"), json!({})).await.is(202);

    let answer = client.get(OWN).await;
    let file = read(&answer);
    let account = &file["account"];
    assert_eq!((&account["email"], &account["tenant"]["company"]), (&json!(email), &json!("NORD GmbH")));
    assert_eq!((&account["roles"][0]["name"], &account["narrowed"]), (&json!("Rolle 1"), &json!(false)));
    assert_eq!(
        (&file["sessions"][0]["browser"], &file["sessions"][0]["user_agent"]),
        (&json!("Firefox"), &json!(agent))
    );
    assert_eq!(
        (&file["tokens"][0]["name"], &file["tokens"][0]["abilities"]),
        (&json!("ERP"), &json!(["access-shop"]))
    );
    assert_eq!(file["saved_views"][0]["name"], "Edelstahl");
    assert_eq!(file["default_views"][0]["view_id"], file["saved_views"][0]["id"]);
    assert_eq!(file["links"][0]["purpose"], "password_reset");
    assert_eq!(file["imports"][0]["upload_file"], "Artikel.csv");
    assert_eq!(
        (&file["mails"][0]["kind"], &file["mails"][0]["address"]),
        (&json!("password_reset"), &json!(email))
    );

    // first entries about the person, then those by them, each oldest first
    let entries: Vec<_> = file["history"].as_array().unwrap().iter().collect();
    let actions: Vec<_> = entries
        .iter()
        .map(|entry| (entry["record"].as_str().unwrap(), entry["action"].as_str().unwrap()))
        .collect();
    assert_eq!(
        actions,
        [
            ("user", "created"),
            ("user", "signed_in"),
            ("user", "reset_requested"),
            ("user", "data_exported"),
            ("saved_view", "created"),
            ("personal_access_token", "created"),
            ("user", "changed"),
        ]
    );
    assert_eq!((&entries[1]["address"], &entries[1]["by_subject"]), (&json!("127.0.0.1"), &json!(true)));
    let name =
        entries[0]["changes"].as_array().unwrap().iter().find(|change| change["field"] == "name").unwrap();
    assert_eq!(name["to"], "User 1");
    assert_eq!((&entries[2]["by_subject"], &entries[3]["by_subject"]), (&json!(false), &json!(true)));
    assert_eq!((&entries[6]["record_id"], &entries[6]["changes"]), (&other["id"], &Value::Null));

    let text = String::from_utf8(answer.bytes.to_vec()).unwrap();
    for absent in ["Frauke", "User 0", "argon2", "ses_", "lnk_", "_hash", "_fold", PASSWORD] {
        assert!(!text.contains(absent), "{absent}");
    }
    for hash in
        rows(&app, "SELECT token_hash FROM session UNION SELECT token_hash FROM personal_access_token").await
    {
        assert!(!text.contains(&hash[0]));
    }
}

#[actix_web::test]
async fn exporting_another_users_data_needs_access_to_them_and_is_recorded() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let person =
        app.caller(Some(app.north), PermissionSet::from_iter([values::permissions::ACCESS_ADMIN])).await;
    let person = id(&person.get("/api/users/me").await.is(200));
    let uri = format!("/api/admin/users/{person}/data");
    let manager = app.caller(Some(app.north), all_but(catalog::permissions::LIST_ARTICLES)).await;
    assert_eq!(read(&manager.german().get(&uri).await)["account"]["id"], person);
    assert_eq!(read(&admin.get(&uri).await)["account"]["id"], person);
    let noted = admin.get("/api/admin/audit?filter[action]=data_exported").await.is(200);
    let by: Vec<_> = noted["data"].as_array().unwrap().iter().map(|entry| &entry["user"]["name"]).collect();
    assert_eq!(by, ["User 0", "User 2"]);
    assert_eq!(noted["data"][0]["record_id"], person);

    let foreign = app.caller(Some(app.south), PermissionSet::all()).await;
    foreign.get(&uri).await.is(404);
    let stronger = app.caller(Some(app.north), PermissionSet::all()).await;
    let stronger = id(&stronger.get("/api/users/me").await.is(200));
    manager.get(&format!("/api/admin/users/{stronger}/data")).await.is(403);
    let reader = PermissionSet::from_iter([
        values::permissions::ACCESS_ADMIN,
        identity::permissions::VIEW_USER,
        identity::permissions::LIST_USERS,
    ]);
    app.caller(Some(app.north), reader).await.get(&uri).await.is(403);
    // a refused request is not recorded
    let again = admin.get("/api/admin/audit?filter[action]=data_exported").await.is(200);
    assert_eq!(again["meta"]["total"], 2);
}

#[actix_web::test]
async fn a_long_history_is_exported_completely() {
    let app = TestApp::new().await;
    let client = app.caller(Some(app.north), PermissionSet::all()).await;
    let me = id(&client.get("/api/users/me").await.is(200));
    let tx = app.db.begin().await.unwrap();
    for number in 0..2_500 {
        let mut entry = HistoryEntry::new(Action::Created, "article", Some(number));
        (entry.user, entry.tenant) = (Some(UserId(me)), Some(TenantId(app.north)));
        tx.note(entry);
    }
    tx.commit().await.unwrap();
    let file = read(&client.get(OWN).await);
    let mut articles: Vec<_> =
        file["history"].as_array().unwrap().iter().filter(|entry| entry["record"] == "article").collect();
    assert_eq!(articles.len(), 2_500);
    articles.dedup_by_key(|entry| &entry["id"]);
    assert_eq!(articles.len(), 2_500);
}
