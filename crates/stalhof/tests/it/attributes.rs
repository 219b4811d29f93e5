//! Attributes over HTTP: parts of an attribute that article types and articles use cannot be removed.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::{
    catalog::{ARTICLES, ATTRIBUTES, Catalog, TYPES, column, height, id, resent},
    support::TestApp,
};

const FIELDS: &[&str] = &[
    "name",
    "type",
    "primary",
    "unit_category",
    "default_unit",
    "options",
    "weight_per_base_unit",
    "version",
];

fn uri(attribute: &Value) -> String {
    format!("{ATTRIBUTES}/{}", attribute["id"])
}

#[actix_web::test]
async fn an_attribute_is_created_shown_changed_and_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let created = admin.post(ATTRIBUTES, height()).await.is(201);
    assert_eq!(created["placeholder"], "hoehe");
    assert_eq!(created["position"], 1);
    assert_eq!(created["options"][1]["display_value"], "220");
    assert_eq!(admin.get(&uri(&created)).await.is(200), created);

    let second = admin.post(ATTRIBUTES, json!({ "name": "Bemerkung", "type": "custom" })).await.is(201);
    assert_eq!(second["position"], 2);
    let page = admin.get(ATTRIBUTES).await.is(200);
    assert_eq!(column(&page, "name"), ["Höhe", "Bemerkung"]);
    assert_eq!(page["data"][0], created);

    let mut change = resent(&created, FIELDS);
    change["name"] = json!("Profilhöhe");
    let changed = admin.put(&uri(&created), change.clone()).await.is(200);
    assert_eq!(changed["placeholder"], "profilhoehe");
    assert_eq!(changed["options"], created["options"]);
    assert_eq!(admin.put(&uri(&created), change).await.is(409)["code"], "stale");

    admin.delete(&uri(&created)).await.is(204);
    admin.get(&uri(&created)).await.is(404);
}

#[actix_web::test]
async fn the_type_of_an_attribute_can_be_changed_while_nothing_uses_it() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let created = admin.post(ATTRIBUTES, height()).await.is(201);
    let metric = json!({ "name": "Höhe", "type": "metric", "unit_category": "length", "default_unit": "mm" });
    let changed = admin.put(&uri(&created), metric).await.is(200);
    assert_eq!(changed["options"], json!([]));
    assert_eq!(changed["default_unit"], "mm");
}

#[actix_web::test]
async fn options_keep_their_ids_and_may_swap_their_names() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let created = admin.post(ATTRIBUTES, height()).await.is(201);
    let mut change = resent(&created, FIELDS);
    let [first, second] = [created["options"][0]["id"].clone(), created["options"][1]["id"].clone()];
    change["options"] = json!([
        { "id": second, "name": "200 mm", "value": "200" },
        { "name": "260 mm", "value": "260" },
        { "id": first, "name": "220 mm", "value": "220" },
    ]);
    let options = admin.put(&uri(&created), change).await.is(200)["options"].clone();
    assert_eq!((&options[0]["id"], &options[0]["value"]), (&second, &json!("200")));
    assert_eq!((&options[2]["id"], &options[2]["value"]), (&first, &json!("220")));
    assert_eq!(options[1]["value"], "260");
    assert_eq!(options.as_array().unwrap().len(), 3);
}

#[actix_web::test]
async fn an_option_of_another_attribute_is_refused() {
    let catalog = Catalog::new().await;
    let mut other = height();
    other["name"] = json!("Breite");
    let other = catalog.admin.post(ATTRIBUTES, other).await.is(201);
    let mut change = resent(&other, FIELDS);
    change["options"][0]["id"] = json!(catalog.option(0));
    catalog.admin.put(&uri(&other), change).await.is_refused_at(&["options.0.id"]);
}

#[actix_web::test]
async fn names_with_the_same_placeholder_are_refused() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    admin.post(ATTRIBUTES, height()).await.is(201);
    for name in ["HÖHE", "Hoehe", "hoehe!"] {
        admin.post(ATTRIBUTES, json!({ "name": name, "type": "custom" })).await.is_refused_at(&["name"]);
    }
}

#[actix_web::test]
async fn messages_name_the_types_like_the_screen() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let screen = [
        (admin.german(), include_str!("../../../../frontend/src/i18n/de/attributes.json")),
        (admin, include_str!("../../../../frontend/src/i18n/en/attributes.json")),
    ];
    for (client, words) in screen {
        let words: Value = serde_json::from_str(words).unwrap();
        let word = |r#type: &str| words["enums"]["type"][r#type].as_str().unwrap().to_owned();
        for (input, path, r#type) in [
            (json!({ "name": "A", "type": "categorial" }), "options", "categorial"),
            (
                json!({ "name": "A", "type": "custom", "options": [{ "name": "a", "value": "a" }] }),
                "options",
                "categorial",
            ),
            (json!({ "name": "A", "type": "metric", "default_unit": "mm" }), "unit_category", "metric"),
            (json!({ "name": "A", "type": "custom", "unit_category": "length" }), "unit_category", "metric"),
        ] {
            let body = client.post(ATTRIBUTES, input).await.is_refused_at(&[path]);
            let text = body["errors"][path][0].as_str().unwrap();
            assert!(text.contains(&word(r#type)), "{text}");
        }
    }
}

#[actix_web::test]
async fn attributes_in_use_keep_their_type_and_cannot_be_deleted() {
    let catalog = Catalog::new().await;
    let metric = json!({ "name": "Höhe", "type": "metric", "unit_category": "length", "default_unit": "mm" });
    let answer = catalog.admin.put(&uri(&catalog.height), metric).await;
    let body = answer.is_refused_at(&["type", "unit_category"]);
    assert!(body["errors"]["type"][0].as_str().unwrap().ends_with("Breitflanschträger HEB"), "{body}");

    let mut mass = resent(&catalog.length, FIELDS);
    mass["unit_category"] = json!("mass");
    mass["default_unit"] = json!("kg");
    catalog.admin.put(&uri(&catalog.length), mass).await.is_refused_at(&["unit_category"]);

    let refused = catalog.admin.delete(&uri(&catalog.height)).await.is(409);
    assert_eq!(refused["code"], "in_use");
    assert!(refused["message"].as_str().unwrap().contains("(article types: 1)"));
}

#[actix_web::test]
async fn an_option_that_articles_use_cannot_be_removed() {
    let catalog = Catalog::new().await;
    catalog.admin.post(ARTICLES, catalog.article(1, "12")).await.is(201);
    catalog.admin.post(ARTICLES, catalog.article(1, "6")).await.is(201);
    let mut change = resent(&catalog.height, FIELDS);
    change["options"].as_array_mut().unwrap().truncate(1);
    let body = catalog.admin.put(&uri(&catalog.height), change.clone()).await.is_refused_at(&["options"]);
    let text = "Still used by articles and cannot be removed: 220 mm (2)";
    assert_eq!(body["errors"]["options"], json!([text]));
    assert_eq!(catalog.admin.get(&uri(&catalog.height)).await.is(200), catalog.height, "nothing has changed");

    change["options"] = json!([catalog.height["options"][1]]);
    let changed = catalog.admin.put(&uri(&catalog.height), change).await.is(200);
    assert_eq!(changed["options"].as_array().unwrap().len(), 1, "the others were not used");
}

#[actix_web::test]
async fn templates_follow_a_renamed_attribute() {
    let catalog = Catalog::new().await;
    let article = catalog.admin.post(ARTICLES, catalog.article(0, "12")).await.is(201);
    let mut change = resent(&catalog.height, FIELDS);
    change["name"] = json!("Profilhöhe");
    catalog.admin.put(&uri(&catalog.height), change).await.is(200);

    let beam = catalog.admin.get(&format!("{TYPES}/{}", id(&catalog.beam))).await.is(200);
    assert_eq!(beam["article_number_template"], "HEB-{profilhoehe}-{material}-{laenge}");
    assert_eq!(beam["article_name_template"], "HEB {profilhoehe}, {material}, {laenge} m, {oberflaeche}");
    assert_eq!(beam["version"], 2, "an edit of the old templates conflicts");

    let again =
        catalog.admin.put(&format!("{ARTICLES}/{}", article["id"]), catalog.article(0, "12")).await.is(200);
    assert_eq!(again["article_number"], article["article_number"]);
}

#[actix_web::test]
async fn a_name_that_makes_a_template_too_long_is_refused() {
    let catalog = Catalog::new().await;
    let mut change = resent(&catalog.height, FIELDS);
    change["name"] = json!("h".repeat(255));
    let body = catalog.admin.german().put(&uri(&catalog.height), change.clone()).await;
    let text = "Damit wäre eine Vorlage des Artikeltyps „Breitflanschträger HEB“ länger als 255 Zeichen";
    assert_eq!(body.is_refused_at(&["name"])["errors"]["name"], json!([text]));
    assert_eq!(catalog.admin.get(&uri(&catalog.height)).await.is(200), catalog.height, "nothing has changed");

    // "HEB {…}, {material}, {laenge} m, {oberflaeche}" is full by this.
    let template = catalog.beam["article_name_template"].as_str().unwrap();
    let room = 255 - (template.chars().count() - "hoehe".len());
    change["name"] = json!("h".repeat(room + 1));
    catalog.admin.put(&uri(&catalog.height), change.clone()).await.is_refused_at(&["name"]);
    change["name"] = json!("h".repeat(room));
    catalog.admin.put(&uri(&catalog.height), change).await.is(200);
    let beam = catalog.admin.get(&format!("{TYPES}/{}", id(&catalog.beam))).await.is(200);
    assert_eq!(beam["article_name_template"].as_str().unwrap().chars().count(), 255);
}

#[actix_web::test]
async fn the_order_must_name_every_attribute_once() {
    let catalog = Catalog::new().await;
    let ids = [&catalog.height, &catalog.length, &catalog.surface].map(id);
    let order = format!("{ATTRIBUTES}/order");
    let put = async |ids: &[i64], seen: &[i64]| {
        catalog.admin.put(&order, json!({ "ids": ids, "seen": seen })).await
    };

    let arranged = [ids[2], ids[0], ids[1]];
    put(&arranged, &ids).await.is(204);
    let page = catalog.admin.get(ATTRIBUTES).await.is(200);
    assert_eq!(column(&page, "name"), ["Oberfläche", "Höhe", "Länge"]);
    assert_eq!(page["data"][1]["position"], 2);
    assert_eq!(page["data"][1]["version"], catalog.height["version"], "the record itself has not changed");
    // a request based on the former order
    assert_eq!(put(&ids, &ids).await.is(409)["code"], "order_changed");

    put(&ids[..2], &arranged).await.is_refused_at(&["ids"]);
    put(&[ids[0], ids[1], ids[1]], &arranged).await.is_refused_at(&["ids.2"]);
    put(&[ids[0], ids[1], ids[2], 999], &arranged).await.is_refused_at(&["ids.3"]);
    put(&[], &arranged).await.is_refused_at(&["ids"]);
}

#[actix_web::test]
async fn only_one_concurrent_reordering_succeeds_and_positions_stay_unique() {
    let catalog = Catalog::new().await;
    let order = format!("{ATTRIBUTES}/order");
    let custom = |index: usize| json!({ "name": format!("Neu {index}"), "type": "custom" });
    let made = join_all((0..8).map(|index| catalog.admin.post(ATTRIBUTES, custom(index)))).await;
    for one in &made {
        one.is(201);
    }
    let listed = async || catalog.admin.get(&format!("{ATTRIBUTES}?sort=position")).await.is(200);
    let before = listed().await;
    let positions: Vec<i64> =
        before["data"].as_array().unwrap().iter().map(|row| row["position"].as_i64().unwrap()).collect();
    assert_eq!(positions, (1..=11).collect::<Vec<_>>());

    let seen: Vec<i64> = before["data"].as_array().unwrap().iter().map(id).collect();
    let rotated = |by: usize| {
        let mut ids = seen.clone();
        ids.rotate_left(by);
        ids
    };
    let puts = (1..=8).map(|by| {
        let body = json!({ "ids": rotated(by), "seen": seen });
        catalog.admin.put(&order, body)
    });
    let answers = join_all(puts).await;
    let won: Vec<usize> =
        (1..).zip(&answers).filter(|(_, answer)| answer.status == 204).map(|(by, _)| by).collect();
    assert_eq!(won.len(), 1, "one wins");
    for answer in answers.iter().filter(|answer| answer.status != 204) {
        assert_eq!(answer.is(409)["code"], "order_changed");
    }
    let after: Vec<i64> = listed().await["data"].as_array().unwrap().iter().map(id).collect();
    assert_eq!(after, rotated(won[0]));
}

#[actix_web::test]
async fn the_list_is_filtered_by_type_primary_and_name() {
    let catalog = Catalog::new().await;
    let list = async |query: &str| catalog.admin.get(&format!("{ATTRIBUTES}?{query}")).await.is(200);
    assert_eq!(
        column(&list("filter[type]=metric&filter[type]=custom").await, "name"),
        ["Länge", "Oberfläche"]
    );
    assert_eq!(column(&list("filter[primary]=true").await, "name"), ["Höhe", "Länge"]);
    assert_eq!(column(&list("filter[name]=HOHE").await, "name"), ["Höhe"]);
    assert_eq!(column(&list("sort=-name").await, "name"), ["Oberfläche", "Länge", "Höhe"]);
    catalog.admin.get(&format!("{ATTRIBUTES}?filter[type]=numeric")).await.is_refused_at(&["filter[type]"]);
}
