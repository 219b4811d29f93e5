//! Usage of master data, and the answer if it cannot be deleted.

use catalog::{material::Materials, permissions};
use sea_orm::{ConnectionTrait, DbBackend, QueryResult, Statement};
use serde_json::{Value, json};
use store::{Scope, resource};
use values::{Error, in_use::Usages};

use crate::{
    catalog::{ARTICLES, ATTRIBUTES, Catalog, MATERIALS, TYPES, id},
    support::{TestApp, all_but},
};

/// Resources, each with a record that is in use, and its usage.
fn used(catalog: &Catalog, articles: &[Value]) -> Vec<(String, Value)> {
    let examples: Vec<_> = articles
        .iter()
        .map(|article| json!({ "id": article["id"], "name": article["article_number"] }))
        .collect();
    let articles =
        |filter| json!([{ "by": "articles", "filter": filter, "count": 7, "examples": examples[..5] }]);
    let types = json!([{
        "by": "article_types", "filter": "attribute_id", "count": 1,
        "examples": [{ "id": catalog.beam["id"], "name": catalog.beam["name"] }],
    }]);
    vec![
        (format!("{MATERIALS}/{}", catalog.material), articles("material_id")),
        (format!("{TYPES}/{}", id(&catalog.beam)), articles("article_type_id")),
        (format!("{ATTRIBUTES}/{}", id(&catalog.height)), types),
    ]
}

/// Creates seven articles in the order of their numbers.
async fn articles(catalog: &Catalog) -> Vec<Value> {
    let mut articles = Vec::new();
    for length in 1..=7 {
        let article = catalog.article(0, &length.to_string());
        articles.push(catalog.admin.post(ARTICLES, article).await.is(201));
    }
    articles
}

#[actix_web::test]
async fn records_in_use_list_their_users_and_cannot_be_deleted() {
    let catalog = Catalog::new().await;
    let Catalog { admin, beam, .. } = &catalog;
    for (uri, _) in used(&catalog, &vec![json!({}); 7]) {
        let unused = admin.get(&format!("{uri}/usage")).await.is(200);
        let by_articles = uri.starts_with(ATTRIBUTES);
        assert_eq!(unused["data"].as_array().unwrap().is_empty(), !by_articles, "{unused}");
    }
    let articles = articles(&catalog).await;
    for (uri, usages) in used(&catalog, &articles) {
        assert_eq!(admin.get(&format!("{uri}/usage")).await.is(200), json!({ "data": usages }));
        let confirmed = format!("{uri}?confirm=x");
        let refused = admin.delete(&confirmed).await.is(409);
        assert_eq!(refused["code"], "in_use");
        assert_eq!(refused["used_by"], usages);
        assert_eq!(refused["errors"], Value::Null);
        // the link that the list of users provides
        let [usage] = &usages.as_array().unwrap()[..] else { panic!("{usages}") };
        let path = if usage["by"] == "articles" { ARTICLES } else { TYPES };
        let record = uri.rsplit('/').next().unwrap();
        let filter = format!("filter[{}]", usage["filter"].as_str().unwrap());
        let listed = admin.get(&format!("{path}?{filter}={record}")).await.is(200);
        assert_eq!(listed["meta"]["total"], usage["count"]);
        let others = filter.replace(']', "_not_equals]");
        let listed = admin.get(&format!("{path}?{others}={record}")).await.is(200);
        assert_eq!(listed["meta"]["total"], 0);
    }
    let message = |answer: Value| answer["message"].as_str().unwrap().to_owned();
    let uri = format!("{TYPES}/{}?confirm=x", id(beam));
    assert!(message(admin.delete(&uri).await.is(409)).contains("still in use (articles: 7) and"));
    assert!(message(admin.german().delete(&uri).await.is(409)).contains("noch verwendet (Artikel: 7) und"));
    assert_eq!(admin.delete(&format!("{MATERIALS}/999")).await.is(404)["used_by"], Value::Null);
    admin.get(&format!("{MATERIALS}/999/usage")).await.is(404);
}

#[actix_web::test]
async fn callers_who_may_not_list_the_users_see_only_their_number() {
    let catalog = Catalog::new().await;
    let articles = articles(&catalog).await;
    for (uri, mut usages) in used(&catalog, &articles) {
        let right = match usages[0]["by"].as_str() {
            Some("articles") => permissions::LIST_ARTICLES,
            _ => permissions::LIST_ARTICLE_TYPES,
        };
        usages[0]["examples"] = json!([]);
        let limited_user = catalog.app.caller(None, all_but(right)).await;
        assert_eq!(limited_user.get(&format!("{uri}/usage")).await.is(200)["data"], usages);
        assert_eq!(limited_user.delete(&format!("{uri}?confirm=x")).await.is(409)["used_by"], usages);
    }
}

#[actix_web::test]
async fn a_missing_permission_to_delete_is_reported_first() {
    let catalog = Catalog::new().await;
    let articles = articles(&catalog).await;
    let user = catalog.app.caller(Some(catalog.app.north), values::PermissionSet::all()).await;
    for (uri, usages) in used(&catalog, &articles) {
        assert_eq!(
            user.get(&format!("{uri}/usage")).await.is(200)["data"],
            usages,
            "platform-wide, as the list"
        );
        assert_eq!(user.delete(&format!("{uri}?confirm=x")).await.is(403)["code"], "platform_only");
    }
}

#[actix_web::test]
async fn an_unchecked_foreign_key_gives_the_same_refusal() {
    let catalog = Catalog::new().await;
    articles(&catalog).await;
    let tx = catalog.app.db.begin().await.unwrap();
    let deleted = Scope::platform().delete::<Materials>(&tx, catalog.material).await;
    assert!(matches!(deleted, Err(Error::InUse(Usages(usages))) if usages.is_empty()));
    tx.rollback().await.unwrap();
    let text = Error::InUse(Usages::default()).to_string();
    assert_eq!(text, "The record is still in use and cannot be deleted.");
}

/// All foreign keys of the schema: table, column, referenced table, and true if its rows are protected.
async fn foreign_keys(db: &impl ConnectionTrait) -> Vec<(String, String, String, bool)> {
    let sql = match db.get_database_backend() {
        DbBackend::Sqlite => {
            "SELECT t.name AS child, f.\"from\" AS field, f.\"table\" AS parent, f.on_delete NOT IN ('CASCADE', 'SET NULL') AS keeps \
             FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table' \
             AND f.seq = (SELECT max(g.seq) FROM pragma_foreign_key_list(t.name) g WHERE g.id = f.id)"
        }
        _ => {
            "SELECT c.conrelid::regclass::text AS child, a.attname::text AS field, c.confrelid::regclass::text AS parent, \
                c.confdeltype NOT IN ('c', 'n') AS keeps \
             FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[cardinality(c.conkey)] \
             WHERE c.contype = 'f'"
        }
    };
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    let name = |row: &QueryResult, column| row.try_get::<String>("", column).unwrap().replace('"', "");
    let key = |row: &QueryResult| {
        (name(row, "child"), name(row, "field"), name(row, "parent"), row.try_get("", "keeps").unwrap())
    };
    rows.iter().map(key).collect()
}

#[actix_web::test]
async fn every_table_with_a_history_is_a_resource() {
    let app = TestApp::new().await;
    let sql = match app.db.get_database_backend() {
        DbBackend::Sqlite => {
            "SELECT t.name AS name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.name = 'version'"
        }
        _ => {
            "SELECT table_name::text AS name FROM information_schema.columns \
             WHERE table_schema = current_schema() AND column_name = 'version'"
        }
    };
    let rows =
        app.db.query_all_raw(Statement::from_string(app.db.get_database_backend(), sql)).await.unwrap();
    let mut tables: Vec<String> = rows.iter().map(|row| row.try_get("", "name").unwrap()).collect();
    // numbers that change with the rows of other tables, and the record of migrations
    tables.retain(|table| {
        !["kept_version", "price_change", "prices_version", "seaql_migrations"].contains(&&**table)
    });
    tables.sort_unstable();
    assert_eq!(resource::tables(), tables);
}

const KEPT_BY_ANOTHER: [&str; 7] = [
    "saved_view",
    "import_row",
    "schedule",
    "feed_run",
    "external_api_call",
    "webhook_queue",
    "webhook_delivery",
];

#[actix_web::test]
async fn every_restricting_foreign_key_is_a_declared_reference() {
    let app = TestApp::new().await;
    let declared: Vec<_> = resource::all()
        .iter()
        .flat_map(|resource| resource.references.iter().map(|to| (resource.table(), to)))
        .filter(|(_, to)| to.keeps())
        .map(|(by, to)| (by, to.field, to.table()))
        .collect();
    let keys = foreign_keys(&*app.db).await;
    // deleted with its user, its import or the record that it makes due, which protect the tenant
    let of_another = |child: &str, field: &str| KEPT_BY_ANOTHER.contains(&child) && field == "tenant_id";
    for (child, field, parent, _) in keys.iter().filter(|(.., keeps)| *keeps) {
        if of_another(child, field) {
            continue;
        }
        // a reference of a part belongs to the record that contains it
        let whole =
            keys.iter().find(|(part, .., keeps)| part == child && !keeps).map(|(_, _, whole, _)| whole);
        let by = if resource::tables().contains(&&**child) { child } else { whole.unwrap() };
        assert!(
            declared.contains(&(by, field, parent)),
            "{child}.{field} keeps records of {parent}, which {by} does not declare"
        );
    }
    for (by, field, parent) in declared {
        // exclusions are in a table of their own, under the plain name
        let field = field.strip_prefix("excluded_").unwrap_or(field);
        let key = keys.iter().any(|(_, column, to, _)| column == field && to == parent);
        assert!(key, "{by} declares {field}, which is no foreign key to {parent}");
    }
}
