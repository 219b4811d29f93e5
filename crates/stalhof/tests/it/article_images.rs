//! Pictures of articles over HTTP: stored, served and deleted like those of categories.

use actix_web::http::Method;
use catalog::permissions;
use image::ImageFormat;
use serde_json::{Value, json};
use storage::Storage;
use store::statements::sent_by;
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, Catalog, id},
    categories::{age, encoded, files, picture},
    support::{Client, Form, all_but},
};

async fn article(catalog: &Catalog, length: &str) -> (Value, String) {
    let article = catalog.admin.post(ARTICLES, catalog.article(0, length)).await.is(201);
    let uri = format!("{ARTICLES}/{}", article["id"]);
    (article, uri)
}

async fn set(admin: &Client, uri: &str) -> Value {
    picture().send_by(Method::PUT, admin, &format!("{uri}/image")).await.is(200)
}

#[actix_web::test]
async fn a_picture_is_uploaded_shown_replaced_and_removed() {
    let catalog = Catalog::new().await;
    let Catalog { app, admin, .. } = &catalog;
    let (created, uri) = article(&catalog, "6").await;
    assert_eq!(created["image"], Value::Null);
    let image = format!("{uri}/image");
    admin.get(&image).await.is(404);
    admin.delete(&image).await.is(404);

    let with_version = picture().field("version", "1").send_by(Method::PUT, admin, &image).await.is(200);
    let version = with_version["image"]["version"].as_str().unwrap();
    assert_eq!(
        with_version["image"],
        json!({ "version": version, "width": 300, "height": 200 }),
        "{with_version}"
    );
    assert_eq!(with_version["version"], 2);
    assert_eq!(admin.get(&uri).await.is(200), with_version);
    let shown = admin.get(&format!("{image}?v={version}")).await;
    shown.is(200);
    assert!(matches!(shown.header("content-type"), "image/jpeg" | "image/webp"));
    assert_eq!(shown.header("x-content-type-options"), "nosniff");
    assert!(shown.header("content-security-policy").contains("sandbox"));
    assert_eq!(shown.header("cache-control"), "private, max-age=31536000, immutable");
    let small = admin.get(&format!("{image}/thumbnail")).await;
    assert_eq!(image::load_from_memory(&small.bytes).unwrap().width(), 96);

    // Editing the article keeps its picture; a request with an older version does not replace it.
    let mut input = catalog.article(0, "7");
    input["version"] = json!(2);
    let changed = admin.put(&uri, input).await.is(200);
    assert_eq!(changed["image"]["version"], version);
    let stale = picture().field("version", "2").send_by(Method::PUT, admin, &image).await;
    assert_eq!(stale.is(409)["code"], "stale");
    let other = Form::new().file("x", encoded(20, 20, ImageFormat::Jpeg));
    let other = other.send_by(Method::PUT, admin, &image).await.is(200);
    assert_ne!(other["image"]["version"], version);
    assert_eq!(files(app.folder.path()).len(), 2);
    Form::new().file("x.png", b"<svg/>").send_by(Method::PUT, admin, &image).await.is_refused_at(&["file"]);

    let removed = admin.delete(&image).await.is(200);
    assert_eq!((&removed["image"], &removed["version"]), (&Value::Null, &json!(5)));
    assert_eq!(files(app.folder.path()).len(), 0);
    let uri = format!("/api/admin/audit?filter[record]=article&filter[record_id]={}", id(&created));
    let history = admin.get(&uri).await.is(200)["data"].to_string();
    assert_eq!(history.matches("article_image").count(), 3, "{history}");
}

#[actix_web::test]
async fn a_picture_needs_the_permissions_to_view_and_update_articles() {
    let catalog = Catalog::new().await;
    let Catalog { app, admin, .. } = &catalog;
    let (_, uri) = article(&catalog, "6").await;
    set(admin, &uri).await;
    let image = format!("{uri}/image");
    app.anonymous().get(&image).await.is(401);
    app.caller(None, all_but(permissions::VIEW_ARTICLE)).await.get(&image).await.is(403);
    let reader = app.caller(None, all_but(permissions::UPDATE_ARTICLE)).await;
    reader.get(&image).await.is(200);
    picture().send_by(Method::PUT, &reader, &image).await.is(403);
    reader.delete(&image).await.is(403);
    let tenant = app.caller(Some(app.north), PermissionSet::all()).await;
    tenant.get(&image).await.is(200);
    assert_eq!(picture().send_by(Method::PUT, &tenant, &image).await.is(403)["code"], "platform_only");
    assert_eq!(tenant.delete(&image).await.is(403)["code"], "platform_only");
}

#[actix_web::test]
async fn lists_include_pictures_without_an_additional_statement() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let (_, with) = article(&catalog, "6").await;
    article(&catalog, "7").await;
    let listed = async || {
        let (answer, sent) = sent_by(admin.get(&format!("{ARTICLES}?sort=article_number"))).await;
        // the session is read again after a time
        let article_statements: Vec<String> =
            sent.into_iter().filter(|sql| sql.contains("\"article\"")).collect();
        (answer.is(200)["data"].clone(), article_statements.len())
    };
    listed().await;
    let (before, statements) = listed().await;
    assert!(before[0].get("image").is_some_and(Value::is_null), "{before}");
    let version = set(admin, &with).await["image"]["version"].clone();
    for order in ["article_number", "-article_number", "article_type", "weight_per_base_unit"] {
        let rows = admin.get(&format!("{ARTICLES}?sort={order}")).await.is(200)["data"].clone();
        let mut images: Vec<_> =
            rows.as_array().unwrap().iter().map(|row| row["image"]["version"].clone()).collect();
        images.sort_by_key(Value::is_null);
        assert_eq!(images, [version.clone(), Value::Null], "{order}");
    }
    assert!(statements > 0);
    assert_eq!(listed().await.1, statements);
}

#[actix_web::test]
async fn files_are_deleted_with_the_article_and_unreferenced_ones_after_a_day() {
    let catalog = Catalog::new().await;
    let Catalog { app, admin, .. } = &catalog;
    let category = json!({ "name": "Träger", "parent_id": null });
    let category = format!(
        "/api/admin/categories/{}/image",
        admin.post("/api/admin/categories", category).await.is(201)["id"]
    );
    picture().send_by(Method::PUT, admin, &category).await.is(200);
    let (kept, uri) = article(&catalog, "6").await;
    set(admin, &uri).await;
    let folder = app.folder.path();
    let storage = Storage::in_folder(folder).unwrap();
    storage.store_bytes("images", b"picture".to_vec()).await.unwrap();
    for file in &files(folder) {
        age(file);
    }
    catalog::image::cleanup::clean_up(&app.db, &storage).await.unwrap();
    assert_eq!(files(folder).len(), 4, "those of the category and of the article stay");
    admin.get(&category).await.is(200);
    admin.get(&format!("{uri}/image/thumbnail")).await.is(200);

    // alone, and in a bulk deletion
    let (other, other_uri) = article(&catalog, "7").await;
    set(admin, &other_uri).await;
    let number = kept["article_number"].as_str().unwrap();
    admin.delete(&format!("{uri}?confirm={number}")).await.is(204);
    assert_eq!(files(folder).len(), 4);
    let selection = json!({ "ids": [other["id"]], "count": 1, "confirm": "1" });
    admin.post(&format!("{ARTICLES}/bulk-delete"), selection).await.is(200);
    assert_eq!(files(folder).len(), 2);

    // a restored article has no picture, just like a category
    let answer =
        admin.get(&format!("/api/admin/audit?filter[record]=article&filter[record_id]={}", id(&kept))).await;
    let entry = answer.is(200)["data"][0]["id"].clone();
    admin.post(&format!("/api/admin/audit/{entry}/undo"), json!({})).await.is(200);
    assert_eq!(admin.get(&uri).await.is(200)["image"], Value::Null);
}
