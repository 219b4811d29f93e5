//! Saved views of users, tenants and the platform.

use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::id,
    support::{Client, TestApp},
};

const PATH: &str = "/api/admin/views";

fn view(name: &str, shared: bool) -> Value {
    json!({
        "list": "materials", "name": name, "shared": shared,
        "state": {
            "filters": [{ "field": "density", "op": "gte", "values": ["7.9"] }],
            "sort": "-density", "size": 20, "columns": ["name", "density"], "density": "compact"
        }
    })
}

async fn names(client: &Client) -> Vec<String> {
    let body = client.get(&format!("{PATH}?list=materials")).await.is(200);
    body["data"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

#[actix_web::test]
async fn a_view_is_saved_changed_chosen_and_deleted() {
    let app = TestApp::new().await;
    let user =
        app.caller(Some(app.north), PermissionSet::from_iter([values::permissions::ACCESS_ADMIN])).await;
    let created = user.post(PATH, view(" Edelstahl ", false)).await.is(201);
    assert_eq!((&created["name"], &created["state"]), (&json!("Edelstahl"), &view("", false)["state"]));
    assert_eq!(
        ["own", "writable", "default", "shared"].map(|name| created[name].as_bool().unwrap()),
        [true, true, false, false]
    );
    let body = user.post(PATH, view("edelstahl", false)).await.is_refused_at(&["name"]);
    assert_eq!(body["errors"]["name"], json!(["Already taken"]));
    let mut other_list = view("Edelstahl", false);
    other_list["list"] = json!("articles");
    user.post(PATH, other_list.clone()).await.is(201);

    let uri = format!("{PATH}/{}", id(&created));
    let mut change = view("Rostfrei", false);
    change["version"] = json!(1);
    change["state"]["density"] = json!("comfortable");
    let changed = user.put(&uri, change.clone()).await.is(200);
    assert_eq!((&changed["name"], &changed["version"]), (&json!("Rostfrei"), &json!(2)));
    assert_eq!(user.put(&uri, change).await.is(409)["code"], "stale");
    user.put(&uri, other_list).await.is_refused_at(&["list"]);

    let choice = |view: Value| json!({ "list": "materials", "view_id": view });
    let default = format!("{PATH}/default");
    user.put(&default, choice(created["id"].clone())).await.is(204);
    user.put(&default, choice(created["id"].clone())).await.is(204);
    let chosen = user.get(&format!("{PATH}?list=materials")).await.is(200)["data"][0]["default"].clone();
    assert_eq!(chosen, true);
    user.put(&default, choice(json!(null))).await.is(204);
    let chosen = user.get(&format!("{PATH}?list=materials")).await.is(200)["data"][0]["default"].clone();
    assert_eq!(chosen, false);
    user.put(&default, choice(json!(999))).await.is_refused_at(&["view_id"]);
    user.put(&default, json!({ "list": "articles", "view_id": created["id"] }))
        .await
        .is_refused_at(&["view_id"]);

    user.put(&default, choice(created["id"].clone())).await.is(204);
    user.delete(&uri).await.is(204);
    user.delete(&uri).await.is(404);
    assert!(names(&user).await.is_empty());
}

#[actix_web::test]
async fn errors_of_a_view_are_reported_at_their_fields() {
    let app = TestApp::new().await;
    let user = app.platform().await;
    let mut wrong = view("", false);
    wrong["list"] = json!("a b");
    wrong["state"]["size"] = json!(500);
    wrong["state"]["filters"][0]["values"] = json!([]);
    user.post(PATH, wrong).await.is_refused_at(&["list", "name", "state.size", "state.filters.0.values"]);
    let mut unknown = view("x", false);
    unknown["state"]["filters"][0]["op"] = json!("like");
    user.post(PATH, unknown).await.is_refused_at(&["state.filters.0.op"]);
    let mut unknown = view("x", false);
    unknown["state"]["theme"] = json!("dark");
    user.post(PATH, unknown).await.is_refused_at(&["state.theme"]);
    user.get(PATH).await.is_refused_at(&["list"]);
    for number in 0..50 {
        user.post(PATH, view(&number.to_string(), false)).await.is(201);
    }
    user.post(PATH, view("one more", false)).await.is_refused_at(&["name"]);
}

#[actix_web::test]
async fn others_see_only_views_that_are_shared_with_them() {
    let app = TestApp::new().await;
    let plain = PermissionSet::from_iter([values::permissions::ACCESS_ADMIN]);
    let sharing =
        PermissionSet::from_iter([values::permissions::ACCESS_ADMIN, identity::permissions::SHARE_VIEWS]);
    let admin = app.platform().await;
    let (chief, colleague) =
        (app.caller(Some(app.north), sharing).await, app.caller(Some(app.north), plain).await);
    let (stranger, deputy) =
        (app.caller(Some(app.south), sharing).await, app.caller(Some(app.north), sharing).await);

    admin.post(PATH, view("Für alle", true)).await.is(201);
    let private = chief.post(PATH, view("Meine", false)).await.is(201);
    let shared = chief.post(PATH, view("Für Nord", true)).await.is(201);
    assert_eq!(names(&chief).await, ["Für alle", "Für Nord", "Meine"]);
    assert_eq!(names(&colleague).await, ["Für alle", "Für Nord"]);
    assert_eq!(names(&stranger).await, ["Für alle"]);
    assert_eq!(names(&admin).await, ["Für alle"]);
    let acting = admin.get(&format!("{PATH}?list=materials&tenant_id={}", app.north)).await.is(200);
    assert_eq!(acting["data"].as_array().unwrap().len(), 2);

    for view in [&private, &shared] {
        let uri = format!("{PATH}/{}", id(view));
        stranger.put(&uri, crate::saved_views::view("x", false)).await.is(404);
        stranger.delete(&uri).await.is(404);
        let choice = json!({ "list": "materials", "view_id": view["id"] });
        stranger.put(&format!("{PATH}/default"), choice).await.is_refused_at(&["view_id"]);
    }
    colleague.delete(&format!("{PATH}/{}", id(&private))).await.is(404);

    // A user without the permission neither shares views nor changes shared ones, but may use them as a
    // start.
    let refused = colleague.post(PATH, view("Meine", true)).await.is(403);
    assert!(refused["message"].as_str().unwrap().contains("view.share"), "{refused}");
    let uri = format!("{PATH}/{}", id(&shared));
    colleague.put(&uri, view("Für Nord", true)).await.is(403);
    colleague.delete(&uri).await.is(403);
    let choice = json!({ "list": "materials", "view_id": shared["id"] });
    colleague.put(&format!("{PATH}/default"), choice).await.is(204);
    let rows = colleague.get(&format!("{PATH}?list=materials")).await.is(200);
    assert_eq!(rows["data"][1]["default"], true);
    assert_eq!((&rows["data"][1]["own"], &rows["data"][1]["writable"]), (&json!(false), &json!(false)));

    // A deputy maintains the views that their tenant shares, not those of the platform.
    let of_platform = admin.get(&format!("{PATH}?list=materials")).await.is(200)["data"][0]["id"].clone();
    deputy.delete(&format!("{PATH}/{of_platform}")).await.is(403);
    deputy.put(&uri, view("Nord", true)).await.is(200);
    deputy.delete(&uri).await.is(204);
    assert_eq!(names(&colleague).await, ["Für alle"]);
}
