//! Materials over HTTP; also the example for every plain resource.

use serde_json::{Value, json};

use crate::support::TestApp;

const PATH: &str = "/api/admin/materials";

fn steel(name: &str) -> Value {
    json!({ "name": name, "display_name": null, "article_number_name": null, "material_number": null, "density": null })
}

fn names(body: &Value) -> Vec<&str> {
    body["data"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn a_material_is_created_shown_changed_and_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let input = json!({
        "name": " S235JR ", "display_name": "S235", "article_number_name": "", "material_number": "1.0038",
        "density": "7.850"
    });
    let created = admin.post(PATH, input).await.is(201);
    assert_eq!(created["name"], "S235JR");
    assert_eq!(created["density"], "7.85");
    assert_eq!(created["article_number_name"], Value::Null);
    assert_eq!(created["version"], 1);

    let uri = format!("{PATH}/{}", created["id"]);
    assert_eq!(admin.get(&uri).await.is(200), created);

    let mut change = steel("S235JR+N");
    change["version"] = json!(1);
    let changed = admin.put(&uri, change.clone()).await.is(200);
    assert_eq!(changed["name"], "S235JR+N");
    assert_eq!(changed["density"], Value::Null);
    assert_eq!(changed["version"], 2);
    assert_eq!(admin.put(&uri, change).await.is(409)["code"], "stale");

    admin.delete(&uri).await.is(204);
    admin.get(&uri).await.is(404);
    admin.delete(&uri).await.is(404);
}

#[actix_web::test]
async fn all_broken_rules_are_reported_at_once_in_the_callers_language() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let input = json!({
        "name": "", "display_name": "x".repeat(256), "article_number_name": null, "material_number": "10038", "density": "0"
    });
    let german = admin.german().post(PATH, input.clone()).await;
    let body = german.is_refused_at(&["name", "display_name", "material_number", "density"]);
    assert_eq!(body["code"], "invalid");
    assert_eq!(body["errors"]["name"], json!(["Pflichtfeld"]));
    assert_eq!(body["request_id"], german.header("x-request-id"));
    let body = admin.post(PATH, input).await.is(422);
    assert_eq!(body["errors"]["name"], json!(["Required field"]));
    let codes = json!({
        "name": ["required"], "display_name": ["too_long"], "material_number": ["invalid_material_number"],
        "density": ["not_greater"],
    });
    assert_eq!(body["error_codes"], codes, "whatever the language");
    assert_eq!(german.is(422)["error_codes"], codes);
    let missing = admin.get(&format!("{PATH}/999999")).await.is(404);
    assert_eq!((&missing["errors"], &missing["error_codes"]), (&Value::Null, &Value::Null));
}

#[actix_web::test]
async fn a_name_is_unique_ignoring_case_even_among_concurrent_requests() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let at_once = futures_util::future::join_all((0..8).map(|_| admin.post(PATH, steel("C45")))).await;
    let created = at_once.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(created, 1);
    for answer in at_once.iter().filter(|answer| answer.status != 201) {
        answer.is_refused_at(&["name"]);
    }
    let taken = admin.post(PATH, steel("c45")).await.is_refused_at(&["name"]);
    assert_eq!(taken["errors"]["name"], json!(["Already taken"]));
    assert_eq!(taken["error_codes"]["name"], json!(["taken"]));

    let other = admin.post(PATH, steel("C60")).await.is(201);
    admin.put(&format!("{PATH}/{}", other["id"]), steel("c45")).await.is_refused_at(&["name"]);
}

#[actix_web::test]
async fn a_list_is_paged_sorted_and_filtered() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for (name, number, density) in [
        ("Änderstahl", None, None),
        ("S355J2", Some("1.0577"), Some("7.85")),
        ("s235JR", Some("1.0038"), Some("7.8")),
        ("Zink 100%", None, Some("7.14")),
    ] {
        let mut input = steel(name);
        input["material_number"] = json!(number);
        input["density"] = json!(density);
        admin.post(PATH, input).await.is(201);
    }
    let list = async |query: &str| admin.get(&format!("{PATH}?{query}")).await.is(200);

    let all = list("").await;
    assert_eq!(names(&all), ["Änderstahl", "s235JR", "S355J2", "Zink 100%"]);
    assert_eq!(all["meta"], json!({ "current_page": 1, "last_page": 1, "per_page": 40, "total": 4 }));

    assert_eq!(names(&list("sort=-name").await), ["Zink 100%", "S355J2", "s235JR", "Änderstahl"]);
    assert_eq!(
        names(&list("sort=density").await),
        ["Änderstahl", "Zink 100%", "s235JR", "S355J2"],
        "none first"
    );
    assert_eq!(names(&list("sort=-density").await), ["S355J2", "s235JR", "Zink 100%", "Änderstahl"]);

    for (page, expected) in
        [(1, vec!["Änderstahl"]), (3, vec!["S355J2"]), (4, vec!["Zink 100%"]), (5, vec![])]
    {
        let body = list(&format!("page[number]={page}&page[size]=1")).await;
        assert_eq!(names(&body), expected);
        assert_eq!(body["meta"], json!({ "current_page": page, "last_page": 4, "per_page": 1, "total": 4 }));
    }
    let encoded = list("page%5Bnumber%5D=2&page%5Bsize%5D=3").await;
    assert_eq!(names(&encoded), ["Zink 100%"]);

    for (filter, expected) in [
        ("filter[name]=ander", vec!["Änderstahl"]),
        ("filter[name]=%C3%84NDER", vec!["Änderstahl"]),
        ("filter[name]=100%25", vec!["Zink 100%"]),
        ("filter[name]=0_", vec![]),
        ("filter[name]=s2&filter[name]=zink", vec!["s235JR", "Zink 100%"]),
        ("filter[name_not_equals]=S355j2", vec!["Änderstahl", "s235JR", "Zink 100%"]),
        ("filter[density]=7.80", vec!["s235JR"]),
        ("filter[density_lesser_than]=7.8", vec!["Zink 100%"]),
        ("filter[density_lesser_equals]=7.8", vec!["s235JR", "Zink 100%"]),
        ("filter[density_greater_than]=7.8", vec!["S355J2"]),
        ("filter[density_greater_equals]=7.8", vec!["s235JR", "S355J2"]),
        ("filter[density_not_equals]=7.8", vec!["Änderstahl", "S355J2", "Zink 100%"]),
        ("filter[updated_at_greater_than]=2020-01-01T00:00:00Z&filter[name]=zink", vec!["Zink 100%"]),
        ("filter[updated_at_lesser_than]=2020-01-01T00:00:00Z", vec![]),
    ] {
        let body = list(filter).await;
        assert_eq!(names(&body), expected, "{filter}");
        assert_eq!(body["meta"]["total"], expected.len(), "{filter}");
    }
}

#[actix_web::test]
async fn unknown_list_parameters_are_all_refused_together() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let query = "page[number]=0&page[size]=201&sort=colour&filter[colour]=red&filter[name_lesser_than]=a\
        &filter[density]=heavy&limit=5&filter[updated_at]=yesterday";
    admin.get(&format!("{PATH}?{query}")).await.is_refused_at(&[
        "page[number]",
        "page[size]",
        "sort",
        "filter[colour]",
        "filter[name_lesser_than]",
        "filter[density]",
        "limit",
        "filter[updated_at]",
    ]);
    admin.get(&format!("{PATH}?sort=name&sort=name")).await.is_refused_at(&["sort"]);
    admin.get(&format!("{PATH}?page[number]=9223372036854775807")).await.is_refused_at(&["page[number]"]);
    admin.get(&format!("{PATH}?filter[name]=%00")).await.is_refused_at(&["filter[name]"]);
}

#[actix_web::test]
async fn malformed_bodies_are_refused_with_a_code_or_at_their_field() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let raw = async |body: String, media_type: &'static str| {
        let request = admin.request(actix_web::http::Method::POST, PATH);
        admin.call(request.insert_header(("content-type", media_type)).set_payload(body)).await
    };
    assert_eq!(raw("{ \"name\": ".into(), "application/json").await.is(422)["code"], "invalid_json");
    assert_eq!(
        raw("name=x".into(), "application/x-www-form-urlencoded").await.is(415)["code"],
        "unsupported_media"
    );
    raw("{}".into(), "application/json").await.is_refused_at(&["name"]);
    raw("[]".into(), "application/json").await.is(422);
    raw("{\"name\":\"x\",\"colour\":1}".into(), "application/json").await.is_refused_at(&["colour"]);
    raw("{\"name\":7}".into(), "application/json").await.is_refused_at(&["name"]);
    raw("{\"name\":\"a\\u0000b\"}".into(), "application/json").await.is_refused_at(&["name"]);
    let huge = format!("{{\"name\":\"{}\"}}", "x".repeat(20 * 1024 * 1024));
    assert_eq!(raw(huge, "application/json").await.is(413)["code"], "too_large");
    let deep = "[".repeat(100_000);
    raw(deep, "application/json").await.is(422);
}

#[actix_web::test]
async fn a_tenants_user_reads_master_data_but_does_not_write_it() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let material = admin.post(PATH, steel("S235JR")).await.is(201);
    let uri = format!("{PATH}/{}", material["id"]);
    let user = app.caller(Some(app.north), values::PermissionSet::all()).await;
    user.get(&uri).await.is(200);
    assert_eq!(user.post(PATH, steel("X")).await.is(403)["code"], "platform_only");
    assert_eq!(user.put(&uri, steel("X")).await.is(403)["code"], "platform_only");
    assert_eq!(user.delete(&uri).await.is(403)["code"], "platform_only");
    assert_eq!(admin.get(&uri).await.is(200), material);
}
