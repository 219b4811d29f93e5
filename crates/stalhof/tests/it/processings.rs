//! Processings over HTTP.

use serde_json::{Value, json};

use crate::{catalog::column, support::TestApp};

pub(crate) const PATH: &str = "/api/admin/processings";

pub(crate) fn sawing(name: &str, template: &str) -> Value {
    json!({ "name": name, "display_name": null, "type": "sawing", "article_number_addition_template": template })
}

#[actix_web::test]
async fn a_processing_is_created_shown_changed_and_deleted() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let created = admin.post(PATH, sawing(" Sägen gerade ", " -S{schnittlaenge} ")).await.is(201);
    assert_eq!(created["name"], "Sägen gerade");
    assert_eq!(created["type"], "sawing");
    assert_eq!(created["article_number_addition_template"], "-S{schnittlaenge}");

    let uri = format!("{PATH}/{}", created["id"]);
    assert_eq!(admin.get(&uri).await.is(200), created);
    let mut change = sawing("Sägen", "-S{schnittlaenge:m:2}");
    change["version"] = json!(1);
    assert_eq!(admin.put(&uri, change.clone()).await.is(200)["version"], 2);
    assert_eq!(admin.put(&uri, change).await.is(409)["code"], "stale");
    admin.post(PATH, sawing("SAGEN", "-{schnittlaenge}")).await.is_refused_at(&["name"]);

    admin.delete(&uri).await.is(204);
    admin.get(&uri).await.is(404);
}

#[actix_web::test]
async fn errors_are_reported_at_their_fields_with_the_known_placeholders() {
    let app = TestApp::new().await;
    let admin = app.platform().await.german();
    let refused = admin.post(PATH, sawing("", "-S{laenge}")).await;
    let body = refused.is_refused_at(&["name", "article_number_addition_template"]);
    let text = body["errors"]["article_number_addition_template"][0].as_str().unwrap();
    assert_eq!(text, "Den Platzhalter „laenge“ gibt es nicht; möglich sind schnittlaenge");
    let mut milling = sawing("Fräsen", "-{schnittlaenge}");
    milling["type"] = json!("milling");
    admin.post(PATH, milling).await.is_refused_at(&["type"]);
}

#[actix_web::test]
async fn a_preview_shows_the_number_of_a_cut_piece() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let preview = async |template: &str| {
        let input = json!({ "article_number_addition_template": template });
        admin.post(&format!("{PATH}/preview"), input).await.is(200)
    };
    let good = preview("-S{schnittlaenge}").await;
    assert_eq!(good["example"], "HEB-200-S235JR-S2500");
    assert_eq!(good["problems"], json!({}));
    assert_eq!(good["placeholders"], json!(["schnittlaenge"]));
    let bad = preview("-S").await;
    assert_eq!(bad["example"], Value::Null);
    assert!(bad["problems"]["article_number_addition_template"][0].is_string());
}

#[actix_web::test]
async fn a_list_is_paged_sorted_and_filtered() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for (name, shown) in [("Sägen", Some("auf Länge")), ("Gehrung", None), ("Ablängen", Some("gesägt"))] {
        let mut input = sawing(name, "-{schnittlaenge}");
        input["display_name"] = json!(shown);
        admin.post(PATH, input).await.is(201);
    }
    for (query, expected) in [
        ("", vec!["Ablängen", "Gehrung", "Sägen"]),
        ("sort=-display_name", vec!["Ablängen", "Sägen", "Gehrung"]),
        ("page[size]=1&page[number]=3", vec!["Sägen"]),
        ("filter[display_name]=SAG", vec!["Ablängen"]),
        ("filter[type]=sawing&filter[name]=gehr", vec!["Gehrung"]),
    ] {
        let list = admin.get(&format!("{PATH}?{query}")).await.is(200);
        assert_eq!(column(&list, "name"), expected, "{query}");
    }
}
