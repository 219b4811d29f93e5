//! Article types over HTTP.

use serde_json::{Value, json};

use crate::catalog::{ARTICLES, ATTRIBUTES, Catalog, TYPES, beam_type, column, id};

fn input(catalog: &Catalog) -> Value {
    beam_type(id(&catalog.height), id(&catalog.length), id(&catalog.surface))
}

fn uri(catalog: &Catalog) -> String {
    format!("{TYPES}/{}", id(&catalog.beam))
}

#[actix_web::test]
async fn an_article_type_is_created_shown_changed_and_deleted() {
    let catalog = Catalog::new().await;
    let Catalog { admin, beam, .. } = &catalog;
    assert_eq!(beam["article_count"], 0);
    let first = json!({
        "attribute_id": id(&catalog.height), "name": "Höhe", "placeholder": "hoehe", "type": "categorial",
        "position": 1, "primary": true, "dimension": null,
    });
    assert_eq!(beam["attributes"][0], first);
    assert_eq!(admin.get(&uri(&catalog)).await.is(200), *beam);

    let mut change = input(&catalog);
    change["name"] = json!("HEB");
    change["article_number_template"] = json!("{laenge}x{hoehe}");
    change["attributes"] = json!([
        { "attribute_id": id(&catalog.length), "primary": true },
        { "attribute_id": id(&catalog.height), "primary": true },
    ]);
    change["article_name_template"] = json!("HEB {hoehe}");
    change["version"] = json!(1);
    let changed = admin.put(&uri(&catalog), change.clone()).await.is(200);
    assert_eq!(changed["attributes"][0]["placeholder"], "laenge");
    assert_eq!(changed["attributes"].as_array().unwrap().len(), 2);
    assert_eq!(admin.put(&uri(&catalog), change).await.is(409)["code"], "stale");

    let body = admin.delete(&format!("{}?confirm=heb", uri(&catalog))).await.is_refused_at(&["confirm"]);
    assert_eq!(body["errors"]["confirm"], json!(["Please enter “HEB” to confirm."]));
    admin.delete(&uri(&catalog)).await.is_refused_at(&["confirm"]);
    let group = admin.post("/api/admin/article-type-groups", json!({ "name": "Träger" })).await.is(201);
    let mut grouped = input(&catalog);
    grouped["name"] = json!("HEB");
    grouped["article_type_group_id"] = group["id"].clone();
    let grouped = admin.put(&uri(&catalog), grouped).await.is(200);
    assert_eq!(grouped["group"], json!({ "id": group["id"], "name": "Träger" }));
    let filtered = admin.get(&format!("{TYPES}?filter[article_type_group_id]={}", id(&group))).await.is(200);
    assert_eq!(filtered["data"], json!([grouped]));
    admin.delete(&format!("/api/admin/article-type-groups/{}", id(&group))).await.is(409);

    admin.delete(&format!("{}?confirm=HEB", uri(&catalog))).await.is(204);
    admin.get(&uri(&catalog)).await.is(404);
    admin.delete(&format!("{ATTRIBUTES}/{}", id(&catalog.height))).await.is(204);
}

#[actix_web::test]
async fn the_number_template_must_contain_all_primary_attributes() {
    let catalog = Catalog::new().await;
    let mut other = input(&catalog);
    other["name"] = json!("Anderer");
    other["article_number_template"] = json!("HEB-{material}");
    let body = catalog.admin.post(TYPES, other.clone()).await.is_refused_at(&["article_number_template"]);
    let text = "The number template must contain all primary attributes; missing: Höhe, Länge";
    assert_eq!(body["errors"]["article_number_template"], json!([text]));
    other["article_number_template"] = json!("HEB-{hohe}-{laenge:kg}");
    other["attributes"][2]["attribute_id"] = json!(999);
    other["article_name_template"] = json!("HEB");
    catalog
        .admin
        .post(TYPES, other)
        .await
        .is_refused_at(&["article_number_template", "attributes.2.attribute_id"]);
    catalog.admin.post(TYPES, input(&catalog)).await.is_refused_at(&["name"]);
}

#[actix_web::test]
async fn the_base_unit_and_attributes_of_a_type_with_articles_are_fixed() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    admin.post(ARTICLES, catalog.article(0, "12")).await.is(201);
    let refused = admin.delete(&format!("{}?confirm=x", uri(&catalog))).await.is(409);
    assert_eq!(refused["code"], "in_use");
    assert!(refused["message"].as_str().unwrap().contains("(articles: 1)"));

    let mut change = input(&catalog);
    change["base_unit_of_measure"] = json!("piece");
    let body = admin.put(&uri(&catalog), change).await.is_refused_at(&["base_unit_of_measure"]);
    let text = "Cannot be changed while 1 articles exist";
    assert_eq!(body["errors"]["base_unit_of_measure"], json!([text]));

    let mut change = input(&catalog);
    change["attributes"].as_array_mut().unwrap().pop();
    change["article_name_template"] = json!("HEB");
    admin.put(&uri(&catalog), change).await.is_refused_at(&["attributes"]);

    let mut harmless = input(&catalog);
    harmless["name"] = json!("HEB");
    harmless["price_unit_of_measure"] = json!("kg");
    harmless["attributes"].as_array_mut().unwrap().swap(0, 2);
    assert_eq!(admin.put(&uri(&catalog), harmless.clone()).await.is(200)["article_count"], 1);
}

/// Creates articles of the beam type with the same height and the given lengths and surfaces.
async fn articles(catalog: &Catalog, of: &[(&str, &str)]) -> Vec<Value> {
    let mut articles = Vec::new();
    for (length, surface) in of {
        let mut article = catalog.article(0, length);
        article["values"][2]["text"] = json!(surface);
        articles.push(catalog.admin.post(ARTICLES, article).await.is(201));
    }
    articles
}

async fn numbers(catalog: &Catalog) -> Vec<String> {
    let page = catalog.admin.get(&format!("{ARTICLES}?sort=updated_at")).await.is(200);
    let mut numbers: Vec<_> = page["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (id(row), row["article_number"].as_str().unwrap().to_owned()))
        .collect();
    numbers.sort_unstable();
    numbers.into_iter().map(|(_, number)| number).collect()
}

#[actix_web::test]
async fn articles_change_with_their_template_once_their_count_is_confirmed() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let made = articles(&catalog, &[("6", "12"), ("12", "6"), ("15", "15")]).await;
    let mut own = catalog.article(0, "18");
    own["article_number"] = json!("Eigene");
    admin.post(ARTICLES, own).await.is(201);

    // The first two swap their numbers, the third and the fourth keep theirs.
    let mut change = input(&catalog);
    change["attributes"][1]["primary"] = json!(false);
    change["article_number_template"] = json!("HEB-{hoehe}-{material}-{oberflaeche}");
    let effect_uri = format!("{}/effect", uri(&catalog));
    let effect = admin.post(&effect_uri, change.clone()).await.is(200);
    let counts = ["total", "unchanged", "changed", "refused"].map(|count| effect[count].as_u64().unwrap());
    assert_eq!(counts, [4, 2, 2, 0]);
    assert_eq!(
        effect["changes"][0],
        json!({
            "article_id": id(&made[0]), "article_number": "HEB-200-S235-6",
            "article_name": "HEB 200 mm, S235JR+AR, 6 m, 12",
            "base_unit_of_measure": "m", "weight_per_base_unit": "61.3",
            "new_article_number": "HEB-200-S235-12", "new_article_name": "HEB 200 mm, S235JR+AR, 6 m, 12",
            "new_weight_per_base_unit": "61.3", "problem": null,
        })
    );

    for unconfirmed in [json!(null), json!(1), json!(3)] {
        change["change_articles"] = unconfirmed;
        let body = admin.put(&uri(&catalog), change.clone()).await.is(409);
        assert_eq!(body["code"], "articles_change");
        assert!(body["message"].as_str().unwrap().starts_with("This changes 2 articles"));
    }
    let before = ["HEB-200-S235-6", "HEB-200-S235-12", "HEB-200-S235-15", "Eigene"];
    assert_eq!(numbers(&catalog).await, before);
    change["change_articles"] = json!(2);
    admin.put(&uri(&catalog), change.clone()).await.is(200);
    let after = ["HEB-200-S235-12", "HEB-200-S235-6", "HEB-200-S235-15", "Eigene"];
    assert_eq!(numbers(&catalog).await, after);
    let changed = admin.get(&format!("{ARTICLES}/{}", id(&made[0]))).await.is(200);
    assert_eq!((&changed["version"], &changed["article_number_overridden"]), (&json!(2), &json!(false)));
    let kept = admin.get(&format!("{ARTICLES}/{}", id(&made[2]))).await.is(200);
    assert_eq!(kept["version"], 1);

    let nothing = admin.post(&effect_uri, change).await.is(200);
    assert_eq!((&nothing["unchanged"], &nothing["changes"]), (&json!(4), &json!([])));
}

#[actix_web::test]
async fn a_template_that_makes_articles_collide_is_refused_as_a_whole() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    articles(&catalog, &[("6", "a"), ("12", "a"), ("15", "b")]).await;
    let mut change = input(&catalog);
    change["attributes"][1]["primary"] = json!(false);
    change["article_number_template"] = json!("HEB-{hoehe}-{oberflaeche}");
    change["change_articles"] = json!(1);
    let body = admin.put(&uri(&catalog), change.clone()).await.is_refused_at(&["article_number_template"]);
    let text = "2 articles would get a number that is already taken, for example HEB-200-S235-6";
    assert_eq!(body["errors"]["article_number_template"], json!([text]));
    let effect = admin.post(&format!("{}/effect", uri(&catalog)), change.clone()).await.is(200);
    assert_eq!((&effect["refused"], &effect["changed"]), (&json!(2), &json!(1)));
    assert_eq!(effect["changes"][0]["problem"], "Several articles would have the number HEB-200-a");
    assert_eq!(effect["changes"][0]["new_article_number"], "HEB-200-a");
    let file = admin.german().post(&format!("{}/effect-file", uri(&catalog)), change).await;
    assert_eq!(file.status, 200);
    let text = String::from_utf8_lossy(&file.bytes).into_owned();
    let lines: Vec<_> = text.lines().collect();
    assert!(
        lines[0].contains("Artikelnummer (Bisher);Artikelnummer (Künftig);Bezeichnung (Bisher)"),
        "{text}"
    );
    assert!(lines[1].starts_with("HEB-200-S235-6;HEB-200-a;"), "{text}");
    assert!(lines[1].ends_with(";Die Nummer HEB-200-a hätten mehrere Artikel"), "{text}");
    assert!(lines[3].starts_with("HEB-200-S235-15;HEB-200-b;") && lines.len() == 4, "{text}");

    // The number may also be that of an article of another type.
    let mut other = input(&catalog);
    other["name"] = json!("HEA");
    let other = admin.post(TYPES, other).await.is(201);
    let mut taken = catalog.article(1, "1");
    taken["article_type_id"] = other["id"].clone();
    taken["article_number"] = json!("heb-15");
    admin.post(ARTICLES, taken).await.is(201);
    let mut change = input(&catalog);
    change["article_number_template"] = json!("HEB-{laenge}");
    change["attributes"][0]["primary"] = json!(false);
    let effect = admin.post(&format!("{}/effect", uri(&catalog)), change.clone()).await.is(200);
    assert_eq!((&effect["refused"], &effect["changed"]), (&json!(1), &json!(2)));
    assert_eq!(effect["changes"][0]["new_article_number"], "HEB-15");
    admin.put(&uri(&catalog), change).await.is_refused_at(&["article_number_template"]);

    // Or it may be too long.
    let mut change = input(&catalog);
    change["article_name_template"] = json!(format!("{{oberflaeche}}{}", "x".repeat(241)));
    articles(&catalog, &[("18", &"y".repeat(20))]).await;
    let body = admin.put(&uri(&catalog), change).await.is_refused_at(&["article_name_template"]);
    let text = "1 articles do not fit, for example HEB-200-S235-18: At most 255 characters";
    assert_eq!(body["errors"]["article_name_template"], json!([text]));
    let before = ["HEB-200-S235-6", "HEB-200-S235-12", "HEB-200-S235-15", "heb-15", "HEB-200-S235-18"];
    assert_eq!(numbers(&catalog).await, before);
}

#[actix_web::test]
async fn the_list_counts_articles() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let mut tube = input(&catalog);
    tube["name"] = json!("Äußeres Rohr");
    tube["base_unit_of_measure"] = json!("kg");
    admin.post(TYPES, tube).await.is(201);
    for length in ["6", "12"] {
        admin.post(ARTICLES, catalog.article(0, length)).await.is(201);
    }
    let page = admin.get(TYPES).await.is(200);
    assert_eq!(column(&page, "name"), ["Äußeres Rohr", "Breitflanschträger HEB"]);
    assert_eq!(
        (&page["data"][0]["article_count"], &page["data"][1]["article_count"]),
        (&json!(0), &json!(2))
    );
    assert_eq!(page["data"][1]["attributes"], catalog.beam["attributes"]);

    let kilograms = admin.get(&format!("{TYPES}?filter[base_unit_of_measure]=kg")).await.is(200);
    assert_eq!(column(&kilograms, "name"), ["Äußeres Rohr"]);
    admin.get(&format!("{TYPES}?sort=base_unit_of_measure")).await.is_refused_at(&["sort"]);
}

#[actix_web::test]
async fn a_preview_shows_examples_and_what_is_missing() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let preview = async |body: Value| admin.post(&format!("{TYPES}/preview"), body).await.is(200);

    let samples = preview(input(&catalog)).await;
    assert_eq!(samples["problems"], json!({}));
    assert_eq!(
        samples["examples"],
        json!([{
            "article_id": null, "article_number": "HEB-200-S235-100", "piece": null,
            "article_name": "HEB 200 mm, S235JR+AR, 100 m, Oberfläche",
        }])
    );
    let placeholders = samples["placeholders"].as_array().unwrap();
    assert_eq!(placeholders.len(), 4);
    assert_eq!(
        placeholders[2],
        json!({ "placeholder": "oberflaeche", "name": "Oberfläche", "used_in_number": false, "used_in_name": true })
    );
    assert_eq!(placeholders[3]["name"], "material");

    let article = admin.post(ARTICLES, catalog.article(1, "12.1")).await.is(201);
    let mut change = input(&catalog);
    change["id"] = catalog.beam["id"].clone();
    change["article_number_template"] = json!("{hoehe}");
    let real = preview(change.clone()).await;
    assert_eq!(
        real["missing_primary"],
        json!([{ "attribute_id": id(&catalog.length), "name": "Länge", "placeholder": "laenge" }])
    );
    assert!(real["problems"]["article_number_template"][0].as_str().unwrap().ends_with("missing: Länge"));
    assert_eq!(real["examples"][0]["article_id"], article["id"]);
    assert_eq!(real["examples"][0]["article_number"], "220");

    change["article_number_template"] = json!("{");
    change["name"] = json!("");
    let broken = preview(change.clone()).await;
    assert_eq!(broken["problems"].as_object().unwrap().len(), 2);
    assert_eq!(broken["placeholders"].as_array().unwrap().len(), 4);
    assert_eq!(broken["examples"], json!([]));

    change["colour"] = json!("red");
    admin.post(&format!("{TYPES}/preview"), change).await.is_refused_at(&["colour"]);
}

#[actix_web::test]
async fn listing_and_price_units_must_be_convertible_from_the_base_unit() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let mut change = input(&catalog);
    change["price_unit_of_measure"] = json!("l");
    change["listing_unit_of_measure"] = json!("m2");
    let places = ["listing_unit_of_measure", "price_unit_of_measure"];
    let body = admin.german().put(&uri(&catalog), change.clone()).await.is_refused_at(&places);
    let text = body["errors"]["price_unit_of_measure"][0].as_str().unwrap();
    assert!(text.starts_with("Die Einheit „l“ passt nicht; möglich sind ") && text.contains("kg"), "{text}");
    for unit in ["mm", "kg", "piece"] {
        for place in places {
            change[place] = json!(unit);
        }
        admin.put(&uri(&catalog), change.clone()).await.is(200);
    }

    // also in a bulk change
    let bulk = json!({ "selection": { "ids": [id(&catalog.beam)], "count": 1 }, "change": { "field": "price_unit_of_measure", "value": "l" } });
    let outcome = admin.post("/api/admin/article-types/bulk-change", bulk).await.is(200);
    assert_eq!(outcome["done"], 0, "{outcome}");
}
