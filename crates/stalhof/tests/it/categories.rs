//! Categories over HTTP: a tree that stays consistent under concurrent changes, and pictures that are
//! checked.

use std::{collections::HashMap, io::Cursor, path::Path, time::Duration};

use actix_web::http::Method;
use catalog::permissions;
use futures_util::future::join_all;
use image::{DynamicImage, ImageFormat, RgbImage};
use serde_json::{Value, json};
use storage::Storage;
use values::PermissionSet;

use crate::{
    catalog::{Catalog, TYPES, column, id},
    support::{Answer, Client, Form, TestApp, all_but},
};

pub(crate) const PATH: &str = "/api/admin/categories";

fn category(name: &str, parent: Option<i64>) -> Value {
    json!({ "name": name, "display_name": null, "parent_id": parent, "article_type_id": null })
}

pub(crate) async fn create(admin: &Client, name: &str, parent: Option<i64>) -> i64 {
    id(&admin.post(PATH, category(name, parent)).await.is(201))
}

async fn shift(admin: &Client, category: i64, parent: Option<i64>, before: Option<i64>) -> Answer {
    admin.post(&format!("{PATH}/{category}/move"), json!({ "parent_id": parent, "before_id": before })).await
}

/// All categories as `path/to/name`, parents before their children, siblings in their order.
async fn paths(client: &Client) -> Vec<String> {
    let tree = client.get(&format!("{PATH}/tree")).await.is(200);
    let mut children = HashMap::<Option<i64>, Vec<(i64, &str)>>::new();
    let nodes = tree["data"].as_array().unwrap();
    for node in nodes {
        children
            .entry(node["parent_id"].as_i64())
            .or_default()
            .push((id(node), node["name"].as_str().unwrap()));
    }
    let mut paths = Vec::new();
    let mut open: Vec<(i64, String)> = Vec::new();
    let mut push = |open: &mut Vec<(i64, String)>, parent: Option<i64>, above: &str| {
        for (id, name) in children.remove(&parent).unwrap_or_default().into_iter().rev() {
            open.push((id, format!("{above}{name}")));
        }
    };
    push(&mut open, None, "");
    while let Some((id, path)) = open.pop() {
        push(&mut open, Some(id), &format!("{path}/"));
        paths.push(path);
    }
    assert_eq!(paths.len(), nodes.len(), "a category without a root is part of a cycle: {tree}");
    paths
}

#[actix_web::test]
async fn a_category_is_created_shown_changed_and_deleted() {
    let Catalog { app: _app, admin, beam, .. } = Catalog::new().await;
    let long = create(&admin, "Langprodukte", None).await;
    let input =
        json!({ "name": " Träger ", "display_name": "", "parent_id": long, "article_type_id": beam["id"] });
    let created = admin.post(PATH, input).await.is(201);
    assert_eq!(created["name"], "Träger");
    assert_eq!(created["display_name"], Value::Null);
    assert_eq!(created["parent"], json!({ "id": long, "name": "Langprodukte" }));
    assert_eq!(created["article_type"], json!({ "id": beam["id"], "name": beam["name"] }));
    assert_eq!((&created["image"], &created["article_type_image"]), (&Value::Null, &Value::Null));

    let uri = format!("{PATH}/{}", created["id"]);
    assert_eq!(admin.get(&uri).await.is(200), created);
    let mut change = category("Profile", None);
    change["version"] = json!(1);
    let changed = admin.put(&uri, change.clone()).await.is(200);
    assert_eq!((&changed["parent"], &changed["article_type"]), (&Value::Null, &Value::Null));
    assert_eq!(changed["version"], 2);
    assert_eq!(admin.put(&uri, change).await.is(409)["code"], "stale");
    assert_eq!(paths(&admin).await, ["Langprodukte", "Profile"]);

    admin.delete(&uri).await.is(204);
    admin.get(&uri).await.is(404);
    admin.put(&uri, category("X", None)).await.is(404);
    shift(&admin, id(&created), None, None).await.is(404);
}

#[actix_web::test]
async fn errors_of_a_category_are_reported_at_their_fields() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let wrong =
        json!({ "name": " ", "display_name": "x".repeat(256), "parent_id": 99, "article_type_id": 99 });
    admin.post(PATH, wrong).await.is_refused_at(&["name", "display_name", "parent_id", "article_type_id"]);

    let beams = create(&admin, "Träger", None).await;
    let text = admin.german().post(PATH, category("TRAGER", None)).await.is_refused_at(&["name"]);
    assert_eq!(text["errors"]["name"][0], "An dieser Stelle gibt es schon eine Kategorie mit diesem Namen");
    // Elsewhere the name is free, but only once.
    let inner = create(&admin, "Träger", Some(beams)).await;
    admin.post(PATH, category("träger", Some(beams))).await.is_refused_at(&["name"]);
    let other = create(&admin, "HEB", Some(beams)).await;
    admin.put(&format!("{PATH}/{other}"), category("Träger", Some(beams))).await.is_refused_at(&["name"]);
    shift(&admin, inner, None, None).await.is_refused_at(&["parent_id"]);
    assert_eq!(paths(&admin).await, ["Träger", "Träger/Träger", "Träger/HEB"]);
}

#[actix_web::test]
async fn a_name_is_unique_even_among_concurrent_requests() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let parent = create(&admin, "Langprodukte", None).await;
    for parent in [None, Some(parent)] {
        let at_once = join_all((0..6).map(|_| admin.post(PATH, category("Träger", parent)))).await;
        assert_eq!(at_once.iter().filter(|answer| answer.status == 201).count(), 1);
        for answer in at_once.iter().filter(|answer| answer.status != 201) {
            answer.is_refused_at(&["name"]);
        }
    }
}

#[actix_web::test]
async fn a_category_moves_with_its_subcategories_and_siblings_keep_their_order() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let long = create(&admin, "Lang", None).await;
    let beams = create(&admin, "Träger", Some(long)).await;
    let heb = create(&admin, "HEB", Some(beams)).await;
    let ipe = create(&admin, "IPE", Some(beams)).await;
    let upn = create(&admin, "UPN", Some(beams)).await;
    let flat = create(&admin, "Flach", None).await;

    shift(&admin, upn, Some(beams), Some(heb)).await.is(200);
    assert_eq!(paths(&admin).await[2..5], ["Lang/Träger/UPN", "Lang/Träger/HEB", "Lang/Träger/IPE"]);
    shift(&admin, upn, Some(beams), Some(ipe)).await.is(200);
    assert_eq!(paths(&admin).await[2..5], ["Lang/Träger/HEB", "Lang/Träger/UPN", "Lang/Träger/IPE"]);
    shift(&admin, heb, Some(beams), None).await.is(200);
    assert_eq!(paths(&admin).await[2..5], ["Lang/Träger/UPN", "Lang/Träger/IPE", "Lang/Träger/HEB"]);
    let moved = shift(&admin, beams, None, Some(flat)).await.is(200);
    assert_eq!((&moved["parent"], &moved["version"]), (&Value::Null, &json!(2)));
    assert_eq!(paths(&admin).await, ["Lang", "Träger", "Träger/UPN", "Träger/IPE", "Träger/HEB", "Flach"]);

    // A category moved by the form becomes the last one; one that stays keeps its position.
    let mut form = category("UPN", None);
    admin.put(&format!("{PATH}/{upn}"), form.clone()).await.is(200);
    form["parent_id"] = json!(long);
    admin.put(&format!("{PATH}/{upn}"), form).await.is(200);
    admin.put(&format!("{PATH}/{ipe}"), category("IPE 100", Some(beams))).await.is(200);
    let expected = ["Lang", "Lang/UPN", "Träger", "Träger/IPE 100", "Träger/HEB", "Flach"];
    assert_eq!(paths(&admin).await, expected);

    // A rejected move changes nothing.
    shift(&admin, heb, Some(99), None).await.is_refused_at(&["parent_id"]);
    shift(&admin, heb, Some(beams), Some(flat)).await.is_refused_at(&["before_id"]);
    shift(&admin, heb, Some(beams), Some(heb)).await.is_refused_at(&["before_id"]);
    let stale = json!({ "parent_id": null, "before_id": null, "version": 1 });
    assert_eq!(admin.post(&format!("{PATH}/{heb}/move"), stale).await.is(409)["code"], "stale");
    assert_eq!(paths(&admin).await, expected);
}

#[actix_web::test]
async fn a_category_cannot_be_moved_below_itself() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let one = create(&admin, "1", None).await;
    let two = create(&admin, "2", Some(one)).await;
    let three = create(&admin, "3", Some(two)).await;
    for below in [one, two, three] {
        let body = shift(&admin.german(), one, Some(below), None).await.is_refused_at(&["parent_id"]);
        let text = body["errors"]["parent_id"][0].as_str().unwrap();
        assert!(text.contains("nicht unter sich selbst oder einer ihrer Unterkategorien"), "{text}");
        let form = admin.put(&format!("{PATH}/{one}"), category("1", Some(below))).await;
        form.is_refused_at(&["parent_id"]);
    }
    assert_eq!(paths(&admin).await, ["1", "1/2", "1/2/3"]);
}

/// Each of both moves alone is allowed; together they would form a cycle without a root.
#[actix_web::test]
async fn concurrent_moves_create_no_cycle() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for round in 0..8 {
        let mut ids = Vec::new();
        for name in ["a", "b", "c"] {
            ids.push(create(&admin, &format!("{name}{round}"), None).await);
        }
        let [a, b, c] = ids[..] else { unreachable!() };
        let form = |id: i64, name: char, parent: i64| {
            let (admin, name) = (admin.clone(), format!("{name}{round}"));
            async move { admin.put(&format!("{PATH}/{id}"), category(&name, Some(parent))).await }
        };
        let (first, second, third) =
            tokio::join!(shift(&admin, a, Some(b), None), shift(&admin, b, Some(c), None), form(c, 'c', a));
        let refused = [first, second, third];
        let refused = refused.iter().filter(|answer| answer.status != 200).inspect(|answer| {
            answer.is_refused_at(&["parent_id"]);
        });
        assert_eq!(refused.count(), 1);
        paths(&admin).await;
    }
}

/// The first request wins, and neither waits for the other.
#[actix_web::test]
async fn concurrent_requests_either_delete_a_category_or_add_subcategories() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for round in 0..12 {
        let parent = create(&admin, &format!("p{round}"), None).await;
        let mover = create(&admin, &format!("m{round}"), None).await;
        let uri = format!("{PATH}/{parent}");
        let (created, deleted, again, moved) = tokio::join!(
            admin.post(PATH, category("a", Some(parent))),
            admin.delete(&uri),
            admin.post(PATH, category("b", Some(parent))),
            shift(&admin, mover, Some(parent), None),
        );
        let gone = deleted.status == 204;
        if !gone {
            assert_eq!(deleted.is(409)["code"], "in_use");
        }
        for (answer, done) in [(created, 201), (again, 201), (moved, 200)] {
            if gone {
                answer.is_refused_at(&["parent_id"])
            } else {
                answer.is(done)
            };
        }
        paths(&admin).await;
    }
}

#[actix_web::test]
async fn concurrent_moves_to_the_same_position_all_succeed() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let parent = create(&admin, "Träger", None).await;
    let first = create(&admin, "erste", Some(parent)).await;
    let mut movers = Vec::new();
    for number in 0..6 {
        movers.push(create(&admin, &format!("{number}"), None).await);
    }
    for answer in join_all(movers.iter().map(|id| shift(&admin, *id, Some(parent), Some(first)))).await {
        answer.is(200);
    }
    let paths = paths(&admin).await;
    assert_eq!((paths.len(), paths.last().unwrap().as_str()), (8, "Träger/erste"));
}

#[actix_web::test]
async fn parents_and_article_types_of_categories_cannot_be_deleted() {
    let Catalog { app, admin, beam, .. } = Catalog::new().await;
    let long = create(&admin, "Lang", None).await;
    let mut input = category("Träger", Some(long));
    input["article_type_id"] = beam["id"].clone();
    let beams = id(&admin.post(PATH, input).await.is(201));
    let usage = admin.get(&format!("{PATH}/{long}/usage")).await.is(200)["data"].clone();
    let example = json!([{ "id": beams, "name": "Träger" }]);
    assert_eq!(
        usage,
        json!([{ "by": "categories", "filter": "parent_id", "count": 1, "examples": example }])
    );
    assert_eq!(admin.delete(&format!("{PATH}/{long}")).await.is(409)["used_by"], usage);

    let used_by =
        json!([{ "by": "categories", "filter": "article_type_id", "count": 1, "examples": example }]);
    let uri = format!("{TYPES}/{}", id(&beam));
    assert_eq!(admin.get(&format!("{uri}/usage")).await.is(200)["data"], used_by);
    assert_eq!(admin.delete(&format!("{uri}?confirm=x")).await.is(409)["used_by"], used_by);

    let tenant = app.caller(Some(app.north), PermissionSet::all()).await;
    assert_eq!(paths(&tenant).await, ["Lang", "Lang/Träger"]);
    assert_eq!(shift(&tenant, beams, None, None).await.is(403)["code"], "platform_only");
    assert_eq!(tenant.post(PATH, category("X", None)).await.is(403)["code"], "platform_only");
    let image = format!("{PATH}/{beams}/image");
    assert_eq!(picture().send_by(Method::PUT, &tenant, &image).await.is(403)["code"], "platform_only");

    admin.delete(&format!("{PATH}/{beams}")).await.is(204);
    admin.delete(&format!("{PATH}/{long}")).await.is(204);
}

#[actix_web::test]
async fn a_list_is_paged_sorted_and_filtered() {
    let Catalog { app: _app, admin, beam, .. } = Catalog::new().await;
    let long = create(&admin, "Langprodukte", None).await;
    let mut input = category("Träger", Some(long));
    input["article_type_id"] = beam["id"].clone();
    input["display_name"] = json!("Stahlträger");
    admin.post(PATH, input).await.is(201);
    create(&admin, "Rohre", Some(long)).await;
    for (query, expected) in [
        (String::new(), vec!["Langprodukte", "Rohre", "Träger"]),
        ("sort=-display_name".into(), vec!["Träger", "Rohre", "Langprodukte"]),
        ("page[size]=1&page[number]=2".into(), vec!["Rohre"]),
        ("filter[name]=TRAG".into(), vec!["Träger"]),
        (format!("filter[parent_id]={long}"), vec!["Rohre", "Träger"]),
        (format!("filter[parent_id_not_equals]={long}"), vec!["Langprodukte"]),
        (format!("filter[article_type_id]={}", beam["id"]), vec!["Träger"]),
    ] {
        let list = admin.get(&format!("{PATH}?{query}")).await.is(200);
        assert_eq!(column(&list, "name"), expected, "{query}");
    }
}

pub(crate) fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let shades = RgbImage::from_fn(width, height, |x, y| [x.to_le_bytes()[0], y.to_le_bytes()[0], 90].into());
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(shades).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub(crate) fn picture() -> Form {
    Form::new().file("träger.png", encoded(300, 200, ImageFormat::Png))
}

#[actix_web::test]
async fn a_category_inherits_missing_values_from_the_nearest_ancestor() {
    let Catalog { app: _app, admin, beam, .. } = Catalog::new().await;
    let top = create(&admin, "Langprodukte", None).await;
    let beams = create(&admin, "Träger", Some(top)).await;
    let heb = create(&admin, "HEB", Some(beams)).await;
    let nothing = json!({ "article_type": null, "image": null, "article_type_image": null });
    let inherited = async |id: i64| admin.get(&format!("{PATH}/{id}")).await.is(200)["inherited"].clone();
    assert_eq!(inherited(heb).await, nothing);

    let mut input = category("Langprodukte", None);
    input["article_type_id"] = beam["id"].clone();
    admin.put(&format!("{PATH}/{top}"), input).await.is(200);
    let set = async |id: i64, kind: &str| {
        picture().send_by(Method::PUT, &admin, &format!("{PATH}/{id}/{kind}")).await.is(200)
    };
    let picture_of_top = set(top, "image").await["image"]["version"].clone();
    let section = set(top, "article-type-image").await["article_type_image"]["version"].clone();
    let other = Form::new().file("x", encoded(20, 20, ImageFormat::Jpeg));
    let other = other.send_by(Method::PUT, &admin, &format!("{PATH}/{beams}/image")).await.is(200);

    let [from_top, from_beams] =
        [(top, "Langprodukte"), (beams, "Träger")].map(|(id, name)| json!({ "id": id, "name": name }));
    let article_type = json!({ "id": beam["id"], "name": beam["name"], "from": from_top });
    let section = json!({ "version": section, "from": from_top });
    let expected = |image: &Value, from: &Value| {
        json!({
            "article_type": article_type,
            "image": { "version": image, "from": from },
            "article_type_image": section,
        })
    };
    assert_eq!(inherited(top).await, nothing, "its own is not inherited");
    assert_eq!(inherited(beams).await, expected(&picture_of_top, &from_top));
    let of_heb = expected(&other["image"]["version"], &from_beams);
    assert_eq!(inherited(heb).await, of_heb);
    let listed = admin.get(&format!("{PATH}?filter[name]=heb")).await.is(200);
    assert_eq!(listed["data"][0]["inherited"], of_heb, "also where those above are not in the list");
    shift(&admin, heb, None, None).await.is(200);
    assert_eq!(inherited(heb).await, nothing);
}

/// Stored files below the folder.
pub(crate) fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder.join("uploads/images")) else { return Vec::new() };
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Makes a file look old.
pub(crate) fn age(file: &Path) {
    let long_ago = std::time::SystemTime::now() - Duration::from_hours(25);
    std::fs::File::open(file).unwrap().set_modified(long_ago).unwrap();
}

#[actix_web::test]
async fn a_picture_is_uploaded_shown_replaced_and_removed() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let beams = create(&admin, "Träger", None).await;
    let uri = format!("{PATH}/{beams}");
    let image = format!("{uri}/image");
    admin.get(&image).await.is(404);
    admin.delete(&image).await.is(404);

    let set = picture().field("version", "1").send_by(Method::PUT, &admin, &image).await.is(200);
    assert_eq!(
        (&set["version"], &set["image"]["width"], &set["image"]["height"]),
        (&json!(2), &json!(300), &json!(200))
    );
    assert_eq!(set["article_type_image"], Value::Null);
    assert_eq!(files(app.folder.path()).len(), 2);
    let version = set["image"]["version"].as_str().unwrap();
    let tree = admin.get(&format!("{PATH}/tree")).await.is(200);
    assert_eq!(tree["data"][0]["image"], version);

    let shown = admin.get(&image).await;
    shown.is(200);
    assert!(matches!(shown.header("content-type"), "image/jpeg" | "image/webp"));
    assert_eq!(shown.header("x-content-type-options"), "nosniff");
    assert!(shown.header("content-security-policy").contains("sandbox"));
    assert_eq!(shown.header("cache-control"), "private, no-cache");
    assert_eq!(shown.header("vary"), "authorization");
    assert_eq!(shown.header("etag"), format!("\"{version}\""));
    let read = image::load_from_memory(&shown.bytes).unwrap();
    assert_eq!((read.width(), read.height()), (300, 200));
    let kept = admin.get(&format!("{image}?v={version}")).await;
    assert_eq!(kept.header("cache-control"), "private, max-age=31536000, immutable");
    assert_eq!(admin.get(&format!("{image}?v=older")).await.header("cache-control"), "private, no-cache");
    let again = admin.request(Method::GET, &image).insert_header(("if-none-match", format!("\"{version}\"")));
    let again = admin.call(again).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    let small = admin.get(&format!("{image}/thumbnail")).await;
    let read = image::load_from_memory(&small.bytes).unwrap();
    assert_eq!((read.width(), read.height()), (96, 64));
    admin.get(&format!("{uri}/article-type-image")).await.is(404);
    app.anonymous().get(&image).await.is(401);
    app.caller(None, all_but(permissions::VIEW_CATEGORY)).await.get(&image).await.is(403);

    // Another picture replaces it, whatever its file name; the other kind of picture is kept.
    let section = Form::new().file("schnitt.exe", encoded(2000, 1000, ImageFormat::WebP));
    let set = section.send_by(Method::PUT, &admin, &format!("{uri}/article-type-image")).await.is(200);
    assert_eq!(set["article_type_image"]["width"], 1600);
    let other = Form::new().file("x", encoded(20, 20, ImageFormat::Jpeg)).field("version", "3");
    let set = other.send_by(Method::PUT, &admin, &image).await.is(200);
    assert_ne!(set["image"]["version"], version);
    assert_eq!(files(app.folder.path()).len(), 4);
    let stale = picture().field("version", "3").send_by(Method::PUT, &admin, &image).await;
    assert_eq!(stale.is(409)["code"], "stale");

    let removed = admin.delete(&image).await.is(200);
    assert_eq!((&removed["image"], &removed["version"]), (&Value::Null, &json!(5)));
    assert_eq!(files(app.folder.path()).len(), 2);
    admin.delete(&uri).await.is(204);
    assert_eq!(files(app.folder.path()).len(), 0);
}

#[actix_web::test]
async fn invalid_pictures_are_refused_at_the_file_and_change_nothing() {
    let app = TestApp::new().await;
    let admin = app.platform().await.german();
    let beams = create(&admin, "Träger", None).await;
    let image = format!("{PATH}/{beams}/image");
    let whole = encoded(300, 200, ImageFormat::Jpeg);
    let mut bomb = encoded(2, 2, ImageFormat::Png);
    bomb[16..24].copy_from_slice(&[0, 0, 0x1F, 0x40, 0, 0, 0x13, 0x88]); // 8000 x 5000
    bomb[29..33].copy_from_slice(&0xB388_CC0E_u32.to_be_bytes());
    for (name, content, message) in [
        ("logo.png", b"<script>alert(1)</script>".to_vec(), "kein Bild im Format PNG, JPEG oder WebP"),
        ("logo.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), "kein Bild im Format"),
        ("t.jpg", whole[..whole.len() / 2].to_vec(), "beschädigt oder unvollständig"),
        ("leer.png", Vec::new(), "Die Datei ist leer"),
        ("bombe.png", bomb, "8000 x 5000 Pixel; erlaubt sind weniger als 40 Megapixel"),
        ("gross.png", vec![0x89; 11 << 20], "Die Datei ist zu groß; erlaubt sind 10 MiB"),
    ] {
        let refused = Form::new().file(name, content).send_by(Method::PUT, &admin, &image).await;
        let body = refused.is_refused_at(&["file"]);
        let text = body["errors"]["file"][0].as_str().unwrap();
        assert!(text.contains(message), "{name}: {text}");
    }
    let form = |form: Form| form.send_by(Method::PUT, &admin, &image);
    form(Form::new()).await.is_refused_at(&["file"]);
    form(picture().field("version", "x").field("colour", "red")).await.is_refused_at(&["version", "colour"]);
    assert_eq!(admin.put(&image, json!({})).await.is(415)["code"], "unsupported_media");
    picture().send_by(Method::PUT, &admin, &format!("{PATH}/99/image")).await.is(404);
    assert_eq!(admin.get(&format!("{PATH}/{beams}")).await.is(200)["version"], 1);
    assert_eq!(files(app.folder.path()).len(), 0);
    assert_eq!(std::fs::read_dir(app.folder.path().join("spool")).unwrap().count(), 0);
}

#[actix_web::test]
async fn unreferenced_pictures_are_deleted_after_a_day() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let beams = create(&admin, "Träger", None).await;
    picture().send_by(Method::PUT, &admin, &format!("{PATH}/{beams}/image")).await.is(200);
    let storage = Storage::in_folder(app.folder.path()).unwrap();
    // Left behind by a process that died between storing a file and recording it, or between replacing and
    // deleting.
    let orphan = storage.store_bytes("images", b"picture".to_vec()).await.unwrap();
    let fresh = storage.store_bytes("images", b"picture".to_vec()).await.unwrap();
    for file in files(app.folder.path())
        .iter()
        .filter(|file| !fresh.ends_with(file.file_name().unwrap().to_str().unwrap()))
    {
        age(file);
    }
    catalog::image::cleanup::clean_up(&app.db, &storage).await.unwrap();
    let left = files(app.folder.path());
    assert_eq!(left.len(), 3);
    assert!(!left.iter().any(|file| orphan.ends_with(file.file_name().unwrap().to_str().unwrap())));
    admin.get(&format!("{PATH}/{beams}/image/thumbnail")).await.is(200);
}

#[actix_web::test]
async fn categories_are_exported_with_their_paths() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let long = create(&admin, "Langprodukte", None).await;
    let beams = create(&admin, "Träger", Some(long)).await;
    create(&admin, "HEB", Some(beams)).await;
    let exported = async |query: &str| {
        let file = admin.german().get(&format!("{PATH}/export?format=csv{query}")).await;
        String::from_utf8(file.bytes.to_vec()).unwrap()
    };
    let text = exported(&format!("&filter[parent_id]={long}")).await;
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].ends_with("Name;Anzeigename;Übergeordnete Kategorie;Artikeltyp;Geändert"), "{text}");
    assert!(lines[1].starts_with("Träger;;Langprodukte;;") && lines.len() == 2, "{text}");
    let text = exported("").await;
    let lines: Vec<_> = text.lines().skip(1).collect();
    assert!(lines[0].starts_with("HEB;;Langprodukte › Träger;;"), "{text}");
    assert!(lines[1].starts_with("Langprodukte;;;;"), "{text}");
}
