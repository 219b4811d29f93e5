//! Groups of article types over HTTP.

use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

use crate::{
    catalog::{Catalog, column, id},
    support::TestApp,
};

pub(crate) const GROUPS: &str = "/api/admin/article-type-groups";

#[actix_web::test]
async fn a_group_is_created_shown_changed_and_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let input = json!({ "name": " Breitflanschträger ", "description": " " });
    let created = admin.post(GROUPS, input).await.is(201);
    assert_eq!(created["name"], "Breitflanschträger");
    assert_eq!(created["description"], Value::Null);
    assert_eq!(created["article_type_count"], 0);

    let uri = format!("{GROUPS}/{}", created["id"]);
    assert_eq!(admin.get(&uri).await.is(200), created);
    let change = json!({ "name": "Träger", "description": "nach EN 10365", "version": 1 });
    let changed = admin.put(&uri, change.clone()).await.is(200);
    assert_eq!((&changed["name"], &changed["version"]), (&json!("Träger"), &json!(2)));
    assert_eq!(admin.put(&uri, change).await.is(409)["code"], "stale");

    admin.post(GROUPS, json!({ "name": "TRAGER" })).await.is_refused_at(&["name"]);
    let long = "x".repeat(256);
    let refused = admin.german().post(GROUPS, json!({ "name": "", "description": long })).await;
    refused.is_refused_at(&["name", "description"]);

    admin.delete(&uri).await.is(204);
    admin.get(&uri).await.is(404);
}

#[actix_web::test]
async fn a_list_is_paged_sorted_and_filtered() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for (name, description) in [("Rohre", Some("nahtlos")), ("Änderungen", None), ("Bleche", Some("Quarto"))]
    {
        admin.post(GROUPS, json!({ "name": name, "description": description })).await.is(201);
    }
    for (query, expected) in [
        ("", vec!["Änderungen", "Bleche", "Rohre"]),
        ("sort=-description", vec!["Bleche", "Rohre", "Änderungen"]),
        ("sort=-name&page[size]=1&page[number]=2", vec!["Bleche"]),
        ("filter[description]=QUART", vec!["Bleche"]),
        ("filter[name_not_equals]=rohre", vec!["Änderungen", "Bleche"]),
    ] {
        let list = admin.get(&format!("{GROUPS}?{query}")).await.is(200);
        assert_eq!(column(&list, "name"), expected, "{query}");
    }
}

#[actix_web::test]
async fn a_group_counts_its_article_types_and_cannot_be_deleted_while_in_use() {
    let Catalog { app, admin, beam, .. } = Catalog::new().await;
    let group = id(&admin.post(GROUPS, json!({ "name": "Träger" })).await.is(201));
    let other = id(&admin.post(GROUPS, json!({ "name": "Bleche" })).await.is(201));
    put_into(&app, id(&beam), group).await;

    let list = admin.get(GROUPS).await.is(200);
    let counts: Vec<_> =
        list["data"].as_array().unwrap().iter().map(|row| &row["article_type_count"]).collect();
    assert_eq!(counts, [0, 1]);
    assert_eq!(admin.get(&format!("{GROUPS}/{group}")).await.is(200)["article_type_count"], 1);
    let usage = admin.get(&format!("{GROUPS}/{group}/usage")).await.is(200)["data"].clone();
    assert_eq!(
        usage,
        json!([{
            "by": "article_types", "filter": "article_type_group_id", "count": 1,
            "examples": [{ "id": beam["id"], "name": beam["name"] }],
        }])
    );
    let refused = admin.delete(&format!("{GROUPS}/{group}")).await.is(409);
    assert_eq!((&refused["code"], &refused["used_by"]), (&json!("in_use"), &usage));
    admin.delete(&format!("{GROUPS}/{other}")).await.is(204);
}

/// Assigns an article type to a group by SQL, since the input of article types has no group yet.
async fn put_into(app: &TestApp, article_type: i64, group: i64) {
    let tx = app.db.begin().await.unwrap();
    let sql = format!("UPDATE article_type SET article_type_group_id = {group} WHERE id = {article_type}");
    tx.execute_unprepared(&sql).await.unwrap();
    tx.commit().await.unwrap();
}
