//! Groups of tenants over HTTP.

use serde_json::{Value, json};
use tenancy::permissions;
use values::PermissionSet;

use crate::{
    catalog::{column, id},
    support::{TestApp, all_but},
};

const GROUPS: &str = "/api/admin/tenant-groups";

#[actix_web::test]
async fn a_group_is_created_shown_changed_and_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let input =
        json!({ "name": " Einkaufsverbund ", "description": " ", "tenant_ids": [app.south, app.north] });
    let created = admin.post(GROUPS, input).await.is(201);
    assert_eq!((&created["name"], &created["description"]), (&json!("Einkaufsverbund"), &Value::Null));
    let north = json!({ "id": app.north, "company": "NORD GmbH" });
    let south = json!({ "id": app.south, "company": "SUED GmbH" });
    assert_eq!((&created["tenants"], &created["tenant_count"]), (&json!([north, south]), &json!(2)));
    let uri = format!("{GROUPS}/{}", created["id"]);
    assert_eq!(admin.get(&uri).await.is(200), created);
    // the tenant that an administrator acts for does not restrict the members
    assert_eq!(admin.get(&format!("{uri}?tenant_id={}", app.north)).await.is(200), created);

    // a tenant can be in several groups
    let other = json!({ "name": "Süd", "tenant_ids": [app.south] });
    admin.post(GROUPS, other).await.is(201);
    let shown = admin.get(&format!("/api/admin/tenants/{}", app.south)).await.is(200);
    assert_eq!(column(&json!({ "data": shown["tenant_groups"] }), "name"), ["Einkaufsverbund", "Süd"]);

    let change =
        json!({ "name": "Verbund", "description": "seit 2019", "tenant_ids": [app.north], "version": 1 });
    let changed = admin.put(&uri, change.clone()).await.is(200);
    assert_eq!((&changed["tenants"], &changed["version"]), (&json!([north]), &json!(2)));
    assert_eq!(admin.put(&uri, change).await.is(409)["code"], "stale");

    let refused = |tenants: Value| json!({ "name": "SUD", "description": null, "tenant_ids": tenants });
    admin.post(GROUPS, refused(json!([]))).await.is_refused_at(&["name"]);
    let wrong = admin.german().post(GROUPS, refused(json!([app.north, 999, app.north]))).await;
    let wrong = wrong.is_refused_at(&["tenant_ids.1", "tenant_ids.2"]);
    assert_eq!(wrong["errors"]["tenant_ids.1"][0], "Unbekannter Wert");
    let many: Vec<i64> = (1..=501).collect();
    admin.post(GROUPS, refused(json!(many))).await.is_refused_at(&["tenant_ids"]);
    let long = json!({ "name": "", "description": "x".repeat(256), "tenant_ids": [] });
    admin.post(GROUPS, long).await.is_refused_at(&["name", "description"]);

    let usage = admin.get(&format!("{uri}/usage")).await.is(200)["data"].clone();
    let example = json!({ "id": app.north, "name": "NORD GmbH" });
    assert_eq!(
        usage,
        json!([{ "by": "tenants", "filter": "tenant_group_id", "count": 1, "examples": [example] }])
    );
    assert_eq!(admin.delete(&uri).await.is(409)["used_by"], usage);
    let empty = json!({ "name": "Verbund", "description": null, "tenant_ids": [] });
    admin.put(&uri, empty).await.is(200);
    admin.delete(&uri).await.is(204);
    admin.get(&uri).await.is(404);
}

#[actix_web::test]
async fn a_list_is_paged_sorted_filtered_exported_and_deleted_in_bulk() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let mut ids = Vec::new();
    for (name, description) in
        [("Verbund", Some("seit 2019")), ("Ärzte", None), ("Bahn", Some("Rahmenvertrag"))]
    {
        let tenants = if name == "Bahn" { vec![app.north] } else { vec![] };
        let input = json!({ "name": name, "description": description, "tenant_ids": tenants });
        ids.push(id(&admin.post(GROUPS, input).await.is(201)));
    }
    for (query, expected) in [
        ("", vec!["Ärzte", "Bahn", "Verbund"]),
        ("sort=-description", vec!["Verbund", "Bahn", "Ärzte"]),
        ("sort=-name&page[size]=1&page[number]=2", vec!["Bahn"]),
        ("filter[description]=RAHMEN", vec!["Bahn"]),
    ] {
        assert_eq!(
            column(&admin.get(&format!("{GROUPS}?{query}")).await.is(200), "name"),
            expected,
            "{query}"
        );
    }
    let file = admin.get(&format!("{GROUPS}/export?format=csv")).await;
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    assert!(text.contains("Bahn") && text.contains("Rahmenvertrag") && text.contains(";1;"), "{text}");

    let all = json!({ "ids": ids, "count": 3 });
    let outcome = admin.post(&format!("{GROUPS}/bulk-delete"), all).await.is(200);
    assert_eq!((&outcome["done"], &outcome["refused"][0]["name"]), (&json!(2), &json!("Bahn")));
}

#[actix_web::test]
async fn a_tenants_user_sees_only_their_own_tenant_in_a_group_and_writes_none() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let input = json!({ "name": "Verbund", "description": null, "tenant_ids": [app.south, app.north] });
    let created = admin.post(GROUPS, input.clone()).await.is(201);
    let uri = format!("{GROUPS}/{}", created["id"]);
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    let seen = user.get(&uri).await.is(200);
    assert_eq!(seen["tenants"], json!([{ "id": app.north, "company": "NORD GmbH" }]));
    assert_eq!(seen["tenant_count"], 1);
    assert!(
        !String::from_utf8_lossy(&user.get(&format!("{GROUPS}/export?format=csv")).await.bytes)
            .contains("SUED")
    );
    let usage = user.get(&format!("{uri}/usage")).await.is(200)["data"].clone();
    assert_eq!(usage[0]["examples"], json!([{ "id": app.north, "name": "NORD GmbH" }]));
    let refused =
        [user.post(GROUPS, input.clone()).await, user.put(&uri, input).await, user.delete(&uri).await];
    for answer in refused {
        assert_eq!(answer.is(403)["code"], "platform_only");
    }
    let blind = app.caller(None, all_but(permissions::LIST_TENANTS)).await;
    assert_eq!(blind.get(&format!("{uri}/usage")).await.is(200)["data"][0]["examples"], json!([]));
}
