//! Roles and users over HTTP: who may grant which permissions to whom.

use actix_web::http::Method;
use catalog::permissions::{LIST_ARTICLES, VIEW_ARTICLE};
use serde_json::{Value, json};
use tenancy::permissions;
use values::{Permission, PermissionSet, permissions::ACCESS_ADMIN};

use crate::{
    catalog::{column, id},
    support::{Answer, Client, PASSWORD, TestApp, all_but},
};

const ROLES: &str = "/api/admin/roles";
const USERS: &str = "/api/admin/users";

async fn patch(client: &Client, user: i64, body: Value) -> Answer {
    client.send(Method::PATCH, &format!("{USERS}/{user}"), Some(body)).await
}

async fn role(client: &Client, name: &str, permissions: &[Permission]) -> i64 {
    id(&client.post(ROLES, json!({ "name": name, "permissions": permissions })).await.is(201))
}

async fn user(client: &Client, name: &str, tenant: Option<i64>, roles: &[i64]) -> i64 {
    let email = format!("{name}@test.example");
    let input =
        json!({ "name": name, "email": email, "tenant_id": tenant, "role_ids": roles, "permissions": null });
    id(&client.post(USERS, input).await.is(201))
}

async fn own_id(client: &Client) -> i64 {
    id(&client.get("/api/users/me").await.is(200))
}

/// Permissions to manage users and roles, and one of the catalogue.
fn manager() -> PermissionSet {
    let areas = ["user.", "roles.", "access-admin", "article.list"];
    Permission::all()
        .filter(|permission| areas.iter().any(|area| permission.as_str().starts_with(area)))
        .collect()
}

#[actix_web::test]
async fn a_role_is_created_copied_changed_and_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let input = json!({ "name": " Disposition ", "permissions": ["article.view", "article.list"] });
    let created = admin.post(ROLES, input).await.is(201);
    assert_eq!((&created["name"], &created["tenant"]), (&json!("Disposition"), &Value::Null));
    assert_eq!(created["permissions"], json!(["article.list", "article.view"]));
    let uri = format!("{ROLES}/{}", created["id"]);
    assert_eq!(admin.get(&uri).await.is(200), created);

    let change = json!({ "name": "Dispo", "permissions": ["article.list"], "version": 1 });
    assert_eq!(admin.put(&uri, change.clone()).await.is(200)["permissions"], json!(["article.list"]));
    assert_eq!(admin.put(&uri, change).await.is(409)["code"], "stale");
    let taken = admin.german().post(ROLES, json!({ "name": "DISPO", "permissions": [] })).await;
    assert_eq!(taken.is_refused_at(&["name"])["errors"]["name"][0], "Diesen Rollennamen gibt es schon.");
    admin.post(ROLES, json!({ "name": "", "permissions": [] })).await.is_refused_at(&["name"]);
    admin.post(ROLES, json!({ "name": "x", "permissions": ["no.such"] })).await.is(422);

    let holder = user(&admin, "halter", None, &[id(&created)]).await;
    let refused = admin.delete(&uri).await.is(409);
    assert_eq!((&refused["code"], &refused["used_by"][0]["by"]), (&json!("in_use"), &json!("users")));
    assert_eq!(admin.get(&format!("{uri}/usage")).await.is(200)["data"][0]["examples"][0]["id"], holder);
    let holders = admin.get(&format!("{USERS}?filter[role_id]={}", created["id"])).await.is(200);
    assert_eq!(column(&holders, "name"), ["halter"]);
    admin.delete(&format!("{USERS}/{holder}")).await.is(204);
    admin.delete(&uri).await.is(204);
    admin.get(&uri).await.is(404);
}

#[actix_web::test]
async fn a_tenants_roles_are_its_own_and_those_of_the_platform_are_read_only() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let shared = role(&admin, "Sachbearbeitung", &[LIST_ARTICLES]).await;
    let north = app.caller(Some(app.north), manager()).await;
    let south = app.caller(Some(app.south), manager()).await;
    let own = role(&north, "Lager", &[LIST_ARTICLES]).await;
    // names of other tenants' roles, which are not visible, are free; names of visible roles are taken
    role(&south, "LAGER", &[LIST_ARTICLES]).await;
    north.post(ROLES, json!({ "name": "sachbearbeitung", "permissions": [] })).await.is_refused_at(&["name"]);

    let list = north.get(&format!("{ROLES}?sort=name&page[size]=200")).await.is(200);
    let names = column(&list, "name");
    assert!(names.contains(&"Lager") && names.contains(&"Sachbearbeitung"), "{names:?}");
    assert!(!names.contains(&"LAGER"), "{names:?}");
    south.get(&format!("{ROLES}/{own}")).await.is(404);
    let change = json!({ "name": "Anders", "permissions": [] });
    south.put(&format!("{ROLES}/{own}"), change.clone()).await.is(404);
    assert_eq!(north.put(&format!("{ROLES}/{shared}"), change).await.is(403)["code"], "platform_only");
    assert_eq!(north.delete(&format!("{ROLES}/{shared}")).await.is(403)["code"], "platform_only");
    assert_eq!(north.get(&format!("{ROLES}/{shared}")).await.is(200)["writable"], false);
    assert_eq!(north.get(&format!("{ROLES}/{own}")).await.is(200)["writable"], true);
}

#[actix_web::test]
async fn users_cannot_grant_permissions_that_they_lack() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let north = app.caller(Some(app.north), manager()).await;
    let more = json!({ "name": "Mehr", "permissions": ["article.list", "article.delete"] });
    let refused = north.post(ROLES, more).await.is_refused_at(&["permissions"]);
    assert_eq!(refused["errors"]["permissions"][0], "You cannot grant these rights: article.delete");

    let strong = role(&admin, "Stark", &[LIST_ARTICLES, VIEW_ARTICLE]).await;
    let weak = role(&admin, "Schwach", &[LIST_ARTICLES]).await;
    let input = |roles: &[i64], permissions: Value| json!({ "name": "Neu", "email": "neu@test.example", "tenant_id": null, "role_ids": roles, "permissions": permissions });
    north.post(USERS, input(&[strong], Value::Null)).await.is_refused_at(&["role_ids"]);
    let beyond = north.post(USERS, input(&[weak], json!(["article.view"]))).await;
    let beyond = beyond.is_refused_at(&["permissions"]);
    assert_eq!(
        beyond["errors"]["permissions"],
        json!(["None of the roles contains these rights: article.view"])
    );
    // restricted to the giver's permissions, the stronger role can be given
    let created = north.post(USERS, input(&[strong], json!(["article.list"]))).await.is(201);
    assert_eq!(created["permissions"], json!([{ "name": "article.list" }]));
    assert_eq!((&created["narrowed"], &created["tenant"]["id"]), (&json!(true), &json!(app.north)));
    patch(&north, id(&created), json!({ "narrowed": false })).await.is_refused_at(&["role_ids"]);
    patch(&north, id(&created), json!({ "role_ids": [strong, weak] })).await.is(200);

    // a user with more permissions cannot be changed in any way
    let boss = user(&admin, "chef", Some(app.north), &[strong]).await;
    for body in [json!({ "name": "x" }), json!({ "disabled": true }), json!({ "role_ids": [] })] {
        assert_eq!(patch(&north, boss, body).await.is(403)["code"], "beyond_own_rights");
    }
    assert_eq!(north.delete(&format!("{USERS}/{boss}")).await.is(403)["code"], "beyond_own_rights");
    north.post(&format!("{USERS}/{boss}/invite"), json!({})).await.is(403);
    let shown = north.get(&format!("{USERS}/{boss}")).await.is(200);
    assert_eq!(shown["writable"], false);
    // and neither can a role with more
    let own = app.caller(Some(app.north), all_but(permissions::DELETE_TENANT)).await;
    let of_tenant = role(&own, "Eigene", &[VIEW_ARTICLE]).await;
    let lesser = json!({ "name": "Eigene", "permissions": [] });
    assert_eq!(north.put(&format!("{ROLES}/{of_tenant}"), lesser).await.is(403)["code"], "beyond_own_rights");
}

#[actix_web::test]
async fn users_cannot_grant_what_a_higher_ceiling_would_allow() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let low: Vec<_> = manager().iter().collect();
    let company =
        |ceiling: &[Permission]| json!({ "company": "West", "short_code": "WEST", "permissions": ceiling });
    let west = id(&admin.post("/api/admin/tenants", company(&low)).await.is(201));
    let boss = app.caller(Some(west), manager()).await;
    let strong = role(&admin, "Stark", &[LIST_ARTICLES, VIEW_ARTICLE]).await;
    let weak = role(&admin, "Schwach", &[LIST_ARTICLES]).await;

    // today it would grant nothing that the giver lacks
    let input = |email: &str, permissions: Value| json!({ "name": "Neu", "email": email, "tenant_id": null, "role_ids": [strong], "permissions": permissions });
    let refused = boss.post(USERS, input("a@test.example", Value::Null)).await.is_refused_at(&["role_ids"]);
    assert_eq!(
        refused["errors"]["role_ids"][0],
        "“Stark” contains rights that you do not hold yourself (article.view). Choose another role or narrow the rights."
    );
    let mine = user(&boss, "eigen", None, &[weak]).await;
    patch(&boss, mine, json!({ "role_ids": [weak, strong] })).await.is_refused_at(&["role_ids"]);
    let narrowed = id(&boss.post(USERS, input("b@test.example", json!(["article.list"]))).await.is(201));
    patch(&boss, narrowed, json!({ "narrowed": false })).await.is_refused_at(&["role_ids"]);

    // permissions granted by others stay when something else is changed, and can be removed
    let given = user(&admin, "gegeben", Some(west), &[strong]).await;
    patch(&boss, given, json!({ "name": "Anders", "role_ids": [strong], "narrowed": false })).await.is(200);
    patch(&boss, given, json!({ "role_ids": [strong, weak] })).await.is(200);
    patch(&boss, given, json!({ "role_ids": [weak] })).await.is(200);
    patch(&boss, given, json!({ "role_ids": [strong] })).await.is_refused_at(&["role_ids"]);

    let higher: Vec<_> = low.iter().copied().chain([VIEW_ARTICLE]).collect();
    admin.put(&format!("/api/admin/tenants/{west}"), company(&higher)).await.is(200);
    for theirs in [mine, narrowed, given] {
        patch(&boss, theirs, json!({ "name": "Noch erreichbar" })).await.is(200);
    }
}

#[actix_web::test]
async fn a_user_reaches_users_of_their_own_tenant_only() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let weak = role(&admin, "Schwach", &[LIST_ARTICLES]).await;
    let of_south = user(&admin, "sued", Some(app.south), &[weak]).await;
    let of_platform = user(&admin, "plattform", None, &[weak]).await;
    let north = app.caller(Some(app.north), manager()).await;
    for foreign in [of_south, of_platform, 999_999] {
        north.get(&format!("{USERS}/{foreign}")).await.is(404);
        patch(&north, foreign, json!({ "name": "x" })).await.is(404);
        north.delete(&format!("{USERS}/{foreign}")).await.is(404);
        north.post(&format!("{USERS}/{foreign}/invite"), json!({})).await.is(404);
        north.get(&format!("{USERS}/{foreign}/rights")).await.is(404);
    }
    let list = north.get(USERS).await.is(200);
    let names = column(&list, "name");
    assert!(!names.contains(&"sued") && !names.contains(&"plattform"), "{names:?}");
    let into = |tenant: i64| json!({ "name": "n", "email": "n@test.example", "tenant_id": tenant, "role_ids": [], "permissions": null });
    for tenant in [app.south, 999_999] {
        north.post(USERS, into(tenant)).await.is_refused_at(&["tenant_id"]);
    }
    // a role of another tenant is answered like one that does not exist
    let south = app.caller(Some(app.south), manager()).await;
    let foreign = role(&south, "Fremd", &[]).await;
    let mine = user(&north, "eigen", None, &[]).await;
    assert_eq!(north.get(&format!("{USERS}/{mine}")).await.is(200)["tenant_id"], app.north);
    for role in [foreign, 999_999] {
        patch(&north, mine, json!({ "role_ids": [weak, role] })).await.is_refused_at(&["role_ids.1"]);
        let input = json!({ "name": "n", "email": "n@test.example", "tenant_id": app.north, "role_ids": [role], "permissions": null });
        admin.post(USERS, input).await.is_refused_at(&["role_ids.0"]);
    }
    let everybody = admin.get(&format!("{USERS}?filter[tenant_id]={}", app.south)).await.is(200);
    assert!(column(&everybody, "name").contains(&"sued"));
}

#[actix_web::test]
async fn a_user_is_invited_disabled_and_enabled_again() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let created = user(&admin, "neu", Some(app.north), &[]).await;
    let uri = format!("{USERS}/{created}");
    assert_eq!(admin.get(&uri).await.is(200)["status"], "NotInvited");
    let invitation = admin.post(&format!("{uri}/invite"), json!({})).await.is(200);
    let shown = admin.get(&uri).await.is(200);
    assert_eq!(shown["status"], "InvitationQueued");
    assert_ne!(shown["invited_until"], Value::Null);
    assert_eq!(app.mails_to("neu@test.example").await[0].link(), invitation["link"].as_str());
    assert_eq!(admin.get(&uri).await.is(200)["status"], "InvitationPending");
    let token = invitation["link"].as_str().unwrap().split_once("token=").unwrap().1.to_owned();
    let link = format!("/api/verification/{token}");
    assert_eq!(app.anonymous().get(&link).await.is(200)["name"], "neu");

    // an invitation does not let a disabled user in again
    patch(&admin, created, json!({ "disabled": true })).await.is(200);
    assert_eq!(admin.post(&format!("{uri}/invite"), json!({})).await.is(409)["code"], "user_disabled");
    app.anonymous().get(&link).await.is(404);
    patch(&admin, created, json!({ "disabled": false })).await.is(200);
    admin.post(&format!("{uri}/invite"), json!({})).await.is(200);

    // a newer one invalidates it, and so does revoking it
    let again = admin.post(&format!("{uri}/invite"), json!({})).await.is(200);
    app.anonymous().get(&link).await.is(404);
    let token = again["link"].as_str().unwrap().split_once("token=").unwrap().1.to_owned();
    let link = format!("/api/verification/{token}");
    admin.delete(&format!("{uri}/invite")).await.is(204);
    app.anonymous().get(&link).await.is(404);

    let known = app.caller(Some(app.north), manager()).await;
    let id = own_id(&known).await;
    assert_eq!(
        admin.post(&format!("{USERS}/{id}/invite"), json!({})).await.is(409)["code"],
        "already_verified"
    );
    assert_eq!(patch(&admin, id, json!({ "disabled": true })).await.is(200)["status"], "Disabled");
    known.get("/api/users/me").await.is(401);
    assert_eq!(patch(&admin, id, json!({ "disabled": false })).await.is(200)["status"], "Verified");

    let other = app.caller(Some(app.north), manager()).await;
    let other_id = own_id(&other).await;
    patch(&admin, other_id, json!({ "email": "NEU@test.example" })).await.is_refused_at(&["email"]);
    let moved =
        patch(&admin, other_id, json!({ "email": "umgezogen@test.example", "version": 1 })).await.is(200);
    assert_eq!(moved["version"], 2);
    other.get("/api/users/me").await.is(401);
    assert_eq!(patch(&admin, other_id, json!({ "name": "x", "version": 1 })).await.is(409)["code"], "stale");
    patch(&admin, other_id, json!({ "password_hash": "x" })).await.is(422);
}

#[actix_web::test]
async fn users_cannot_change_their_own_permissions_and_an_administrator_remains() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let own = own_id(&admin).await;
    for body in [json!({ "role_ids": [] }), json!({ "permissions": [] }), json!({ "disabled": true })] {
        assert_eq!(patch(&admin, own, body).await.is(403)["code"], "own_rights");
    }
    assert_eq!(admin.delete(&format!("{USERS}/{own}")).await.is(403)["code"], "own_rights");
    patch(&admin, own, json!({ "name": "Anderer Name" })).await.is(200);

    let second = app.platform().await;
    let second_id = own_id(&second).await;
    patch(&admin, second_id, json!({ "permissions": ["access-admin"] })).await.is(200);
    assert_eq!(second.get("/api/users/me").await.is(200)["permissions"], json!([{ "name": "access-admin" }]));
    // losing permissions does not end a session, gaining them does
    patch(&admin, second_id, json!({ "name": "Zweite" })).await.is(200);
    let email = second.get("/api/users/me").await.is(200)["email"].clone();
    patch(&admin, second_id, json!({ "narrowed": false })).await.is(200);
    second.get("/api/users/me").await.is(401);
    let again = json!({ "email": email, "password": PASSWORD });
    let opened = app.anonymous().post("/api/sessions", again).await.is(201);
    let second = second.signed_in(&opened["session"]["token"]);
    // one can be disabled; after that the other is the last, whose role must keep its permissions
    patch(&second, own, json!({ "disabled": true })).await.is(200);
    let of_second = second.get(&format!("{USERS}/{second_id}")).await.is(200)["roles"][0].clone();
    let less = json!({ "name": of_second["name"], "permissions": ["access-admin"] });
    let uri = format!("{ROLES}/{}", of_second["id"]);
    assert_eq!(second.put(&uri, less.clone()).await.is(409)["code"], "last_administrator");
    patch(&second, own, json!({ "disabled": false })).await.is(200);
    second.put(&uri, less).await.is(200);
    second.get(USERS).await.is(403);
}

#[actix_web::test]
async fn permissions_are_explained_by_role_choice_and_ceiling() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let one = role(&admin, "Eins", &[LIST_ARTICLES, ACCESS_ADMIN]).await;
    let two = role(&admin, "Zwei", &[LIST_ARTICLES, VIEW_ARTICLE]).await;
    let holder = user(&admin, "halter", Some(app.north), &[one, two]).await;
    patch(&admin, holder, json!({ "permissions": ["article.list"] })).await.is(200);
    let explained = admin.get(&format!("{USERS}/{holder}/rights")).await.is(200);
    let of = |name: &str| {
        explained["data"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap().clone()
    };
    let list = of("article.list");
    assert_eq!(
        (&list["held"], &list["chosen"], &list["ceiling"]),
        (&json!(true), &json!(true), &json!(true))
    );
    assert_eq!(column(&json!({ "data": list["roles"] }), "name"), ["Eins", "Zwei"]);
    let view = of("article.view");
    assert_eq!((&view["held"], &view["chosen"]), (&json!(false), &json!(false)));
    assert_eq!(of("article.delete")["roles"], json!([]));
    assert_eq!(explained["data"].as_array().unwrap().len(), Permission::all().count());
}

#[actix_web::test]
async fn an_unknown_permission_is_refused_with_the_known_ones() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let input = json!({ "name": "Lager", "permissions": ["article.list", "article.fly"] });
    let refused = admin.post(ROLES, input).await.is(422).to_string();
    assert!(refused.contains("permissions.1") && refused.contains("attribute.list"), "{refused}");
}
