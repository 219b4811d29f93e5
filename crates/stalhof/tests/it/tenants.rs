//! Tenants and their maximum permissions over HTTP.

use actix_web::http::Method;
use catalog::permissions::{self, DELETE_ARTICLE, LIST_ARTICLES, VIEW_ARTICLE};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use values::{Permission, PermissionSet, permissions::ACCESS_ADMIN};

use crate::{
    catalog::{column, id},
    support::{Client, TestApp, all_but},
};

const TENANTS: &str = "/api/admin/tenants";
const USERS: &str = "/api/admin/users";

fn input(company: &str, short_code: &str, permissions: &[Permission]) -> Value {
    json!({ "company": company, "short_code": short_code, "permissions": permissions })
}

async fn tenant(client: &Client, company: &str, short_code: &str, permissions: &[Permission]) -> Value {
    client.post(TENANTS, input(company, short_code, permissions)).await.is(201)
}

/// Creates a user of a tenant with a role that has these permissions, which the tenant's maximum may
/// restrict.
async fn staff(admin: &Client, name: &str, tenant: &Value, permissions: &[Permission]) -> i64 {
    let role = json!({ "name": name, "permissions": permissions });
    let role = id(&admin.post("/api/admin/roles", role).await.is(201));
    let email = format!("{name}@test.example");
    let user = json!({ "name": name, "email": email, "tenant_id": tenant["id"], "role_ids": [role], "permissions": null });
    id(&admin.post(USERS, user).await.is(201))
}

#[actix_web::test]
async fn a_tenant_is_created_shown_changed_and_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let created = admin
        .post(
            TENANTS,
            json!({
                "company": " Westblech KG ", "short_code": "WEST", "address": "Hafenstraße 1, 28195 Bremen",
                "email": "info@westblech.example", "phone": " ", "external_api_type": "generic_json",
                "permissions": ["article.view", "article.list"],
            }),
        )
        .await
        .is(201);
    assert_eq!((&created["company"], &created["phone"]), (&json!("Westblech KG"), &Value::Null));
    assert_eq!(created["permissions"], json!(["article.list", "article.view"]));
    assert_eq!((&created["user_count"], &created["tenant_groups"]), (&json!(0), &json!([])));
    let uri = format!("{TENANTS}/{}", created["id"]);
    assert_eq!(admin.get(&uri).await.is(200), created);

    let mut change = input("Westblech GmbH", "West-1", &[LIST_ARTICLES, VIEW_ARTICLE]);
    change["version"] = json!(1);
    let changed = admin.put(&uri, change.clone()).await.is(200);
    assert_eq!((&changed["short_code"], &changed["address"]), (&json!("West-1"), &Value::Null));
    assert_eq!(admin.put(&uri, change.clone()).await.is(409)["code"], "stale");
    change["version"] = Value::Null;
    change["short_code"] = json!("nord");
    let taken = admin.put(&uri, change).await.is_refused_at(&["short_code"]);
    assert_eq!(taken["errors"]["short_code"][0], "Already taken");

    let mut wrong = input("", "a b", &[]);
    wrong["email"] = json!("nobody");
    admin.post(TENANTS, wrong).await.is_refused_at(&["company", "short_code", "email"]);
    admin
        .post(TENANTS, json!({ "company": "x", "short_code": "x", "permissions": ["no.such"] }))
        .await
        .is(422);

    admin.delete(&uri).await.is(204);
    admin.get(&uri).await.is(404);
}

#[actix_web::test]
async fn the_name_is_the_company_until_another_is_entered() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let west = tenant(&admin, "Westblech KG", "WEST", &[]).await;
    assert_eq!(west["name"], "Westblech KG");
    let uri = format!("{TENANTS}/{}", west["id"]);
    // a name that equals the company follows it, even if the record is sent back
    let body = json!({
        "company": "Westblech GmbH", "name": west["name"], "short_code": "WEST", "permissions": [], "version": 1
    });
    assert_eq!(admin.put(&uri, body).await.is(200)["name"], "Westblech GmbH");
    let patch = json!({ "name": " Westblech " });
    let named = admin.send(Method::PATCH, &uri, Some(patch)).await.is(200);
    assert_eq!((&named["name"], &named["company"]), (&json!("Westblech"), &json!("Westblech GmbH")));
    // an entered name stays
    let patch = json!({ "company": "Blechwerk AG" });
    let moved = admin.send(Method::PATCH, &uri, Some(patch)).await.is(200);
    assert_eq!((&moved["name"], &moved["company"]), (&json!("Westblech"), &json!("Blechwerk AG")));
    for query in [
        "filter[name]=westb",
        "filter[search]=westblech",
        "filter[search]=blechwerk",
        "sort=-name&page[size]=1",
    ] {
        let found = admin.get(&format!("{TENANTS}?{query}")).await.is(200);
        assert_eq!(column(&found, "company"), ["Blechwerk AG"], "{query}");
    }
    let found = admin.get("/api/admin/search?q=westblech").await.is(200);
    assert_eq!(found["data"][0]["resource"], "tenants", "{found}");
    let patch = json!({ "name": null });
    assert_eq!(admin.send(Method::PATCH, &uri, Some(patch)).await.is(200)["name"], "Blechwerk AG");
}

#[actix_web::test]
async fn a_list_is_paged_sorted_and_filtered() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let west = tenant(&admin, "Ärzener Blech", "WEST", &[]).await;
    let group = json!({ "name": "Verbund", "tenant_ids": [west["id"], app.south] });
    let group = id(&admin.post("/api/admin/tenant-groups", group).await.is(201));
    for (query, expected) in [
        (String::new(), vec!["Ärzener Blech", "NORD GmbH", "SUED GmbH"]),
        ("sort=-short_code&page[size]=1&page[number]=2".into(), vec!["SUED GmbH"]),
        ("filter[company]=ARZ".into(), vec!["Ärzener Blech"]),
        (format!("filter[tenant_group_id]={group}&sort=-company"), vec!["SUED GmbH", "Ärzener Blech"]),
        (format!("filter[tenant_group_id_not_equals]={group}"), vec!["NORD GmbH"]),
        // the tenant that an administrator acts for does not restrict the choice
        (format!("tenant_id={}", app.north), vec!["Ärzener Blech", "NORD GmbH", "SUED GmbH"]),
    ] {
        assert_eq!(
            column(&admin.get(&format!("{TENANTS}?{query}")).await.is(200), "company"),
            expected,
            "{query}"
        );
    }
    let file = admin.get(&format!("{TENANTS}/export?format=csv&filter[company]=blech")).await;
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    assert!(text.contains("Ärzener Blech") && text.contains("Verbund") && !text.contains("NORD"), "{text}");
}

#[actix_web::test]
async fn a_tenants_user_sees_their_own_and_writes_none() {
    let app = TestApp::new().await;
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let list = user.get(TENANTS).await.is(200);
    assert_eq!(column(&list, "company"), ["NORD GmbH"]);
    assert_eq!(list["data"][0]["user_count"], 1);
    let file = user.get(&format!("{TENANTS}/export?format=csv")).await;
    assert!(!String::from_utf8_lossy(&file.bytes).contains("SUED"));
    let (own, other) = (format!("{TENANTS}/{}", app.north), format!("{TENANTS}/{}", app.south));
    let all: Vec<_> = Permission::all().collect();
    let change = input("Anders", "ANDERS", &all);
    let refused = [
        user.post(TENANTS, change.clone()).await,
        user.put(&own, change.clone()).await,
        user.post(&format!("{own}/effect"), json!({ "permissions": all })).await,
        user.delete(&own).await,
    ];
    for answer in refused {
        assert_eq!(answer.is(403)["code"], "platform_only");
    }
    user.get(&other).await.is(404);
    user.put(&other, change).await.is(404);
    user.get(&format!("{other}/usage")).await.is(404);
    user.post(&format!("{other}/effect"), json!({ "permissions": [] })).await.is(404);
    user.delete(&other).await.is(404);
}

#[actix_web::test]
async fn a_ceiling_grows_by_permissions_of_the_giver_and_never_shrinks() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let created = tenant(&admin, "Westblech KG", "WEST", &[LIST_ARTICLES, DELETE_ARTICLE]).await;
    let uri = format!("{TENANTS}/{}", created["id"]);
    let effect = format!("{uri}/effect");

    let less = input("Westblech KG", "WEST", &[LIST_ARTICLES]);
    let refused = admin.put(&uri, less.clone()).await.is_refused_at(&["permissions"]);
    assert_eq!(refused["errors"]["permissions"][0], "Rights cannot be taken from a tenant: article.delete");
    let refused =
        admin.german().post(&effect, json!({ "permissions": [] })).await.is_refused_at(&["permissions"]);
    let text = "Einem Mandanten können keine Rechte entzogen werden: article.list, article.delete";
    assert_eq!(refused["errors"]["permissions"][0], text);

    // a user without the permission cannot grant it, but leaves it in place
    let weaker = app.caller(None, all_but(DELETE_ARTICLE)).await;
    let same = input("Westblech AG", "WEST", &[LIST_ARTICLES, DELETE_ARTICLE, VIEW_ARTICLE]);
    weaker.put(&uri, same).await.is(200);
    let other = input("Ostrohr", "OST", &[DELETE_ARTICLE]);
    let refused = weaker.post(TENANTS, other).await.is_refused_at(&["permissions"]);
    assert_eq!(refused["errors"]["permissions"][0], "You cannot grant these rights: article.delete");
    let none = tenant(&admin, "Ostrohr", "OST", &[]).await;
    let more = format!("{TENANTS}/{}", none["id"]);
    weaker.put(&more, input("Ostrohr", "OST", &[DELETE_ARTICLE])).await.is_refused_at(&["permissions"]);
    let body = json!({ "permissions": [DELETE_ARTICLE] });
    weaker.post(&format!("{more}/effect"), body).await.is_refused_at(&["permissions"]);
}

#[actix_web::test]
async fn the_effect_of_a_higher_ceiling_is_shown_before_it_applies() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let west = tenant(&admin, "Westblech KG", "WEST", &[ACCESS_ADMIN, LIST_ARTICLES]).await;
    let uri = format!("{TENANTS}/{}", west["id"]);
    let reader = staff(&admin, "leser", &west, &[ACCESS_ADMIN, LIST_ARTICLES, VIEW_ARTICLE]).await;
    staff(&admin, "lister", &west, &[LIST_ARTICLES]).await;
    let narrowed = staff(&admin, "enger", &west, &[LIST_ARTICLES, VIEW_ARTICLE]).await;
    let narrower = json!({ "permissions": ["article.list"] });
    admin.send(actix_web::http::Method::PATCH, &format!("{USERS}/{narrowed}"), Some(narrower)).await.is(200);
    let held = async || {
        let user = admin.get(&format!("{USERS}/{reader}")).await.is(200);
        user["permissions"].as_array().unwrap().iter().any(|held| held["name"] == "article.view")
    };
    assert!(!held().await);

    let higher = [ACCESS_ADMIN, LIST_ARTICLES, VIEW_ARTICLE, DELETE_ARTICLE];
    let effect = admin.post(&format!("{uri}/effect"), json!({ "permissions": higher })).await.is(200);
    assert_eq!(
        effect,
        json!({
            "user_count": 3, "gaining_count": 1,
            "permissions": [
                { "name": "article.view", "user_count": 1 },
                { "name": "article.delete", "user_count": 0 },
            ],
        })
    );
    assert!(!held().await, "only shown");
    let nothing = admin.post(&format!("{uri}/effect"), json!({ "permissions": west["permissions"] })).await;
    assert_eq!(nothing.is(200), json!({ "user_count": 3, "gaining_count": 0, "permissions": [] }));
    assert_eq!(admin.put(&uri, input("Westblech KG", "WEST", &higher)).await.is(200)["user_count"], 3);
    assert!(held().await);
}

#[actix_web::test]
async fn signed_in_users_gain_from_a_higher_ceiling_immediately() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let west = tenant(&admin, "Westblech KG", "WEST", &[ACCESS_ADMIN, LIST_ARTICLES]).await;
    let user = app.caller(Some(id(&west)), PermissionSet::all()).await;
    user.get("/api/admin/articles").await.is(200);
    user.get("/api/admin/materials").await.is(403);
    let higher = input("Westblech KG", "WEST", &[ACCESS_ADMIN, LIST_ARTICLES, permissions::LIST_MATERIALS]);
    admin.put(&format!("{TENANTS}/{}", west["id"]), higher).await.is(200);
    user.get("/api/admin/materials").await.is(200);
}

#[actix_web::test]
async fn tenants_in_use_list_their_references_and_cannot_be_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let west = tenant(&admin, "Westblech KG", "WEST", &[LIST_ARTICLES]).await;
    let uri = format!("{TENANTS}/{}", west["id"]);
    assert_eq!(admin.get(&format!("{uri}/usage")).await.is(200), json!({ "data": [] }));
    let user = staff(&admin, "leser", &west, &[LIST_ARTICLES]).await;
    let role = json!({ "name": "Lager", "permissions": [] });
    let role = admin.post(&format!("/api/admin/roles?tenant_id={}", west["id"]), role).await.is(201);
    let now =
        if app.db.get_database_backend() == sea_orm::DbBackend::Sqlite { "datetime()" } else { "now()" };
    let tx = app.db.begin().await.unwrap();
    tx.execute_unprepared(&format!(
        "INSERT INTO import (tenant_id, name_fold, type, status, dry_run, language, upload_file, upload_key, \
         upload_size, sha256, rows_done, rows_created, rows_updated, rows_unchanged, rows_refused, fence, attempt, \
         checkpoint, version, created_at, updated_at) VALUES ({}, '', 'Article', 'Success', false, 'de', \
         'liste.csv', 'k', 1, 'x', 0, 0, 0, 0, 0, 0, 0, 0, 1, {now}, {now})",
        west["id"]
    ))
    .await
    .unwrap();
    tx.commit().await.unwrap();

    let usage = admin.get(&format!("{uri}/usage")).await.is(200)["data"].clone();
    let found: Vec<_> = usage
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["by"].clone(), one["examples"][0]["name"].clone()))
        .collect();
    let expected = [("imports", "liste.csv"), ("roles", "Lager"), ("users", "leser")];
    assert_eq!(found, expected.map(|(by, name)| (json!(by), json!(name))));
    let refused = admin.delete(&uri).await.is(409);
    assert_eq!((&refused["code"], &refused["used_by"]), (&json!("in_use"), &usage));
    let message = refused["message"].as_str().unwrap();
    assert!(message.contains("(imports: 1, roles: 1, users: 1)"), "{message}");
    // links of the list of users, also while acting for another tenant
    let path = |by: &str| format!("/api/admin/{by}?filter[tenant_id]={}", west["id"]);
    for by in ["users", "roles", "imports"] {
        assert_eq!(admin.get(&path(by)).await.is(200)["meta"]["total"], 1, "{by}");
    }
    let elsewhere = format!("{uri}?tenant_id={}", app.north);
    assert_eq!(admin.delete(&elsewhere).await.is(409)["used_by"], usage);

    admin.delete(&format!("{USERS}/{user}")).await.is(204);
    admin.delete(&format!("/api/admin/roles/{}", role["id"])).await.is(204);
    let tx = app.db.begin().await.unwrap();
    tx.execute_unprepared("DELETE FROM import").await.unwrap();
    tx.commit().await.unwrap();
    let group = json!({ "name": "Verbund", "tenant_ids": [west["id"]] });
    let group = admin.post("/api/admin/tenant-groups", group).await.is(201);
    admin.delete(&uri).await.is(204);
    let left = admin.get(&format!("/api/admin/tenant-groups/{}", group["id"])).await.is(200);
    assert_eq!(left["tenants"], json!([]));
}
