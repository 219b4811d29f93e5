//! Articles follow their materials and attributes: the effect of a change is shown before, and the articles
//! change with it.

use std::time::Duration;

use ::catalog::{cascade, material::MaterialInput};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use store::{Scope, deadline};

use crate::catalog::{ARTICLES, ATTRIBUTES, Catalog, MATERIALS, id, resent};

async fn article(catalog: &Catalog, option: usize, length: &str) -> Value {
    catalog.admin.post(ARTICLES, catalog.article(option, length)).await.is(201)
}

async fn again(catalog: &Catalog, article: &Value) -> Value {
    catalog.admin.get(&format!("{ARTICLES}/{}", id(article))).await.is(200)
}

#[actix_web::test]
async fn articles_change_with_their_material_once_their_count_is_confirmed() {
    let catalog = Catalog::new().await;
    let Catalog { admin, material, .. } = &catalog;
    let follower = article(&catalog, 0, "6").await;
    let mut own = catalog.article(0, "18");
    own["article_number"] = json!("Eigene");
    own["article_name"] = json!("Eigener Name");
    admin.post(ARTICLES, own).await.is(201);

    let uri = format!("{MATERIALS}/{material}");
    let mut change =
        json!({ "name": "S235JR", "article_number_name": "S235JR", "display_name": "S235JR+AR" });
    let effect = admin.post(&format!("{uri}/effect"), change.clone()).await.is(200);
    let counts = ["total", "unchanged", "changed", "refused"].map(|count| effect[count].as_u64().unwrap());
    assert_eq!(counts, [2, 1, 1, 0]);
    assert_eq!(effect["changes"][0]["new_article_number"], "HEB-200-S235JR-6");
    assert_eq!(effect["changes"][0]["base_unit_of_measure"], "m");
    assert_eq!(again(&catalog, &follower).await["article_number"], "HEB-200-S235-6", "only a preview");

    for unconfirmed in [json!(null), json!(0), json!(2)] {
        change["change_articles"] = unconfirmed;
        let body = admin.put(&uri, change.clone()).await.is(409);
        assert_eq!(body["code"], "articles_change");
    }
    assert_eq!(admin.get(&uri).await.is(200)["article_number_name"], "S235", "nothing is saved");
    change["change_articles"] = json!(1);
    admin.put(&uri, change.clone()).await.is(200);
    let after = again(&catalog, &follower).await;
    assert_eq!((&after["article_number"], &after["version"]), (&json!("HEB-200-S235JR-6"), &json!(2)));

    // A field that articles do not show is saved without confirmation.
    change["change_articles"] = json!(null);
    change["material_number"] = json!("1.0038");
    admin.put(&uri, change).await.is(200);
}

#[actix_web::test]
async fn a_change_that_affects_articles_has_a_longer_deadline() {
    let catalog = Catalog::new().await;
    article(&catalog, 0, "6").await;
    let Catalog { app, material, .. } = &catalog;
    let input = MaterialInput {
        name: "S235JR".to_owned(),
        display_name: Some("S235JR+AR".to_owned()),
        article_number_name: None,
        material_number: None,
        density: None,
        change_articles: None,
        version: None,
    };
    let limit = Duration::from_secs(2);
    let work = async {
        cascade::material::effect(&app.db, &Scope::platform(), *material, input).await.unwrap();
        // simulates a long-running change
        tokio::time::sleep(limit + Duration::from_millis(200)).await;
    };
    Box::pin(deadline::within(limit, work)).await.unwrap();
}

#[actix_web::test]
async fn weights_follow_the_density_where_the_type_has_a_section() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let steel = admin.post(MATERIALS, json!({ "name": "1.4301", "density": "7.9" })).await.is(201);
    let width = |name: &str| json!({ "name": name, "type": "metric", "unit_category": "length", "default_unit": "mm" });
    let width = admin.post(ATTRIBUTES, width("Durchmesser")).await.is(201);
    let round = json!({
        "name": "Rundstahl", "article_number_template": "RD-{durchmesser}",
        "article_name_template": "Rundstahl {durchmesser}", "section": "round",
        "base_unit_of_measure": "m", "listing_unit_of_measure": "m", "price_unit_of_measure": "t",
        "attributes": [{ "attribute_id": id(&width), "primary": true, "dimension": "diameter" }],
    });
    let round = admin.post(crate::catalog::TYPES, round).await.is(201);
    let bar = json!({
        "article_type_id": id(&round), "material_id": id(&steel),
        "values": [{ "attribute_id": id(&width), "number": "100", "unit": "mm" }],
    });
    let bar = admin.post(ARTICLES, bar).await.is(201);
    let before = bar["weight_per_base_unit"].as_str().unwrap().to_owned();

    let change = json!({ "name": "1.4301", "density": "8", "change_articles": 1 });
    admin.put(&format!("{MATERIALS}/{}", id(&steel)), change).await.is(200);
    let after = again(&catalog, &bar).await;
    assert_ne!(after["weight_per_base_unit"], before);
    let shown = json!({ "article_type_id": id(&round), "material_id": id(&steel), "values": bar["values"].as_array().unwrap().iter().map(|value| resent(value, &["attribute_id", "number", "unit"])).collect::<Vec<_>>() });
    let preview = admin.post(&format!("{ARTICLES}/preview"), shown).await.is(200);
    assert_eq!(
        after["weight_per_base_unit"], preview["weight_per_base_unit"],
        "what the form says is what is stored"
    );
}

#[actix_web::test]
async fn articles_change_with_options_and_units_of_their_attributes() {
    let catalog = Catalog::new().await;
    let Catalog { admin, height, length, .. } = &catalog;
    let follower = article(&catalog, 0, "6").await;

    let uri = format!("{ATTRIBUTES}/{}", id(height));
    let mut change = resent(height, &["name", "type", "primary", "options"]);
    change["options"][0]["weight_per_base_unit"] = json!("61.5");
    change["options"][0]["value"] = json!("0200");
    // of an option that no article has
    change["options"][2]["value"] = json!("0240");
    assert_eq!(admin.post(&format!("{uri}/effect"), change.clone()).await.is(200)["changed"], 1);
    assert_eq!(admin.put(&uri, change.clone()).await.is(409)["code"], "articles_change");
    change["change_articles"] = json!(1);
    admin.put(&uri, change).await.is(200);
    let after = again(&catalog, &follower).await;
    assert_eq!(after["article_number"], "HEB-0200-S235-6");
    assert_eq!(after["weight_per_base_unit"], "61.5");

    let uri = format!("{ATTRIBUTES}/{}", id(length));
    let mut change = resent(length, &["name", "type", "primary", "unit_category"]);
    change["default_unit"] = json!("mm");
    assert_eq!(admin.put(&uri, change.clone()).await.is(409)["code"], "articles_change");
    change["change_articles"] = json!(1);
    admin.put(&uri, change).await.is(200);
    assert_eq!(again(&catalog, &follower).await["article_number"], "HEB-0200-S235-6000");
}

/// Each gets the number that the other one had.
#[actix_web::test]
async fn articles_can_swap_their_numbers() {
    let catalog = Catalog::new().await;
    let Catalog { admin, height, .. } = &catalog;
    let articles = [article(&catalog, 0, "6").await, article(&catalog, 1, "6").await];
    let numbers = articles.each_ref().map(|article| article["article_number"].clone());

    let mut change = resent(height, &["name", "type", "primary", "options"]);
    for (index, other) in [(0, 1), (1, 0)] {
        for field in ["name", "value"] {
            change["options"][index][field] = height["options"][other][field].clone();
        }
    }
    change["change_articles"] = json!(2);
    admin.put(&format!("{ATTRIBUTES}/{}", id(height)), change).await.is(200);
    for (article, number) in articles.iter().zip(numbers.iter().rev()) {
        assert_eq!(&again(&catalog, article).await["article_number"], number);
    }
}

#[actix_web::test]
async fn a_change_that_makes_articles_collide_is_refused_at_its_field() {
    let catalog = Catalog::new().await;
    let Catalog { admin, material, height, .. } = &catalog;
    article(&catalog, 0, "6").await;
    let other = admin.post(MATERIALS, json!({ "name": "S355J2" })).await.is(201);
    let mut second = catalog.article(0, "6");
    second["material_id"] = other["id"].clone();
    admin.post(ARTICLES, second).await.is(201);

    let same = json!({ "name": "S235JR", "article_number_name": "S355J2", "change_articles": 1 });
    let uri = format!("{MATERIALS}/{material}");
    admin.put(&uri, same).await.is_refused_at(&["article_number_name"]);
    let long = json!({ "name": "S235JR", "article_number_name": "S235", "display_name": "x".repeat(250) });
    admin.put(&uri, long).await.is_refused_at(&["display_name"]);

    article(&catalog, 1, "12").await;
    article(&catalog, 2, "12").await;
    let mut change = resent(height, &["name", "type", "primary", "options"]);
    change["options"][1]["value"] = json!("x".repeat(250));
    admin.put(&format!("{ATTRIBUTES}/{}", id(height)), change).await.is_refused_at(&["options"]);
}

#[actix_web::test]
async fn the_history_records_each_article_that_has_changed() {
    let catalog = Catalog::new().await;
    let Catalog { admin, material, .. } = &catalog;
    let follower = article(&catalog, 0, "6").await;
    let change = json!({ "name": "S235JR", "article_number_name": "S235JR", "display_name": "S235JR+AR", "change_articles": 1 });
    admin.put(&format!("{MATERIALS}/{material}"), change).await.is(200);

    let uri = format!("/api/admin/audit?filter[record]=article&filter[record_id]={}", id(&follower));
    let history = admin.get(&uri).await.is(200);
    let newest = &history["data"][0];
    assert_eq!((&newest["action"], &newest["record_name"]), (&json!("changed"), &json!("HEB-200-S235JR-6")));
    let change = resent(&newest["changes"][0], &["field", "from", "to"]);
    assert_eq!(
        change,
        json!({ "field": "article_number", "from": "HEB-200-S235-6", "to": "HEB-200-S235JR-6" })
    );
}

/// Requests in either order leave no article that contradicts its material.
#[actix_web::test]
async fn an_article_created_during_a_change_of_its_material_follows_it() {
    let catalog = Catalog::new().await;
    let Catalog { admin, material, .. } = &catalog;
    for round in 0..8 {
        let name = format!("S{round}");
        let change = json!({ "name": "S235JR", "article_number_name": name, "change_articles": round });
        let length = (round + 1).to_string();
        let uri = format!("{MATERIALS}/{material}");
        let written = admin.post(ARTICLES, catalog.article(0, &length));
        let (changed, _) = futures_util::join!(admin.put(&uri, change.clone()), written);
        if changed.status == 409 {
            let confirmed =
                json!({ "name": "S235JR", "article_number_name": name, "change_articles": round + 1 });
            admin.put(&uri, confirmed).await.is(200);
        }
        let list = admin.get(&format!("{ARTICLES}?page[size]=200")).await.is(200);
        for row in list["data"].as_array().unwrap() {
            let number = row["article_number"].as_str().unwrap();
            assert!(number.starts_with(&format!("HEB-200-{name}-")), "{number} after {name}");
        }
    }
}

#[actix_web::test]
async fn renaming_a_trade_dimension_does_not_recompute_articles() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, height, length, surface, beam, .. } = &catalog;
    let cluster = json!({ "short_code": "L12", "minimum": "1", "maximum": "12", "calculation_value": "12" });
    let second = json!({ "short_code": "L18", "minimum": "12", "maximum": "18", "calculation_value": "18" });
    let mut ladder = json!({ "name": "Handelslängen", "clusters": [cluster, second] });
    let made = admin.post("/api/admin/trade-dimensions", ladder.clone()).await.is(201);
    let mut change = crate::catalog::beam_type(id(height), id(length), id(surface));
    change["attributes"][1]["dimension"] = json!("length");
    change["trade_dimension_id"] = made["id"].clone();
    admin.put(&format!("{}/{}", crate::catalog::TYPES, id(beam)), change).await.is(200);
    article(&catalog, 0, "6").await;
    // as if it had been written without this code
    let odd = "UPDATE article SET article_name = 'Anders', article_name_fold = 'anders'";
    app.db.writer().execute_unprepared(odd).await.unwrap();

    let uri = format!("/api/admin/trade-dimensions/{}", id(&made));
    ladder["name"] = json!("Handelslängen Träger");
    admin.put(&uri, ladder.clone()).await.is(200);
    ladder["clusters"][0]["calculation_value"] = json!("12.1");
    let body = admin.put(&uri, ladder).await.is_refused_at(&["clusters"]);
    assert!(body["errors"]["clusters"][0].as_str().unwrap().starts_with("This would change 1 articles"));
}

/// Another article takes the number between effect and change, and its row is not visible before the commit.
#[actix_web::test]
async fn a_number_taken_meanwhile_causes_no_unexpected_error() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, material, .. } = &catalog;
    let follower = article(&catalog, 0, "6").await;
    let mut other = catalog.article(0, "12");
    other["article_number"] = json!("Anderer");
    let other = admin.post(ARTICLES, other).await.is(201);
    // of another type, since articles of this one would wait for the lock
    let mut change =
        crate::catalog::beam_type(id(&catalog.height), id(&catalog.length), id(&catalog.surface));
    change["name"] = json!("Anderer Typ");
    let kind = admin.post(crate::catalog::TYPES, change).await.is(201);

    let taking = app.db.begin().await.unwrap();
    let sql = format!(
        "UPDATE article SET article_type_id = {}, material_id = NULL, article_number_fold = 'heb-200-neu-6' WHERE id = {}",
        id(&kind),
        id(&other)
    );
    taking.execute_unprepared(&sql).await.unwrap();
    let uri = format!("{MATERIALS}/{material}");
    let change = json!({ "name": "S235JR", "article_number_name": "NEU", "display_name": "S235JR+AR", "change_articles": 1 });
    let (changed, ()) = futures_util::join!(admin.put(&uri, change.clone()), async {
        app.db.until_a_write_waits().await;
        taking.commit().await.unwrap();
    });
    assert!([422, 503].contains(&changed.status.as_u16()), "{}", changed.status);
    assert_eq!(again(&catalog, &follower).await["article_number"], "HEB-200-S235-6");
    admin.put(&uri, change).await.is_refused_at(&["article_number_name"]);
}
