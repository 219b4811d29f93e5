//! Articles over HTTP.

use serde_json::{Value, json};

use crate::{
    catalog::{ARTICLES, ATTRIBUTES, Catalog, MATERIALS, TYPES, beam_type, column, id, resent},
    support::look_up_anew,
};

#[actix_web::test]
async fn an_article_is_created_shown_changed_and_deleted() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let created = admin.post(ARTICLES, catalog.article(0, "12.1")).await.is(201);
    assert_eq!(created["article_number"], "HEB-200-S235-12.1");
    assert_eq!(created["article_name"], "HEB 200 mm, S235JR+AR, 12,1 m, gestrahlt");
    assert_eq!(created["article_number_overridden"], false);
    assert_eq!(created["weight_per_base_unit"], "61.3");
    assert_eq!(created["weight_per_base_unit_overridden"], false);
    assert_eq!(created["material"], json!({ "id": catalog.material, "name": "S235JR" }));
    assert_eq!(
        created["article_type"],
        json!({ "id": id(&catalog.beam), "name": "Breitflanschträger HEB", "base_unit_of_measure": "m" })
    );
    assert_eq!(
        created["values"],
        json!([
            { "attribute_id": id(&catalog.height), "name": "Höhe", "type": "categorial",
              "option_id": catalog.option(0), "number": null, "unit": null, "text": null, "dimension": null, "display": "200 mm" },
            { "attribute_id": id(&catalog.length), "name": "Länge", "type": "metric",
              "option_id": null, "number": "12.1", "unit": "m", "text": null, "dimension": null, "display": "12.1 m" },
            { "attribute_id": id(&catalog.surface), "name": "Oberfläche", "type": "custom",
              "option_id": null, "number": null, "unit": null, "text": "gestrahlt", "dimension": null, "display": "gestrahlt" },
        ])
    );
    let uri = format!("{ARTICLES}/{}", id(&created));
    assert_eq!(admin.get(&uri).await.is(200), created);
    assert_eq!(admin.german().get(&uri).await.is(200)["values"][1]["display"], "12,1 m");

    let mut change = catalog.article(1, "6");
    change["article_number"] = json!("HEB220/6");
    change["weight_per_base_unit"] = json!("70");
    change["version"] = json!(1);
    let changed = admin.put(&uri, change.clone()).await.is(200);
    assert_eq!(
        (&changed["article_number"], &changed["article_number_overridden"]),
        (&json!("HEB220/6"), &json!(true))
    );
    assert_eq!(changed["article_name"], "HEB 220, S235JR+AR, 6 m, gestrahlt");
    assert_eq!(changed["weight_per_base_unit"], "70");
    assert_eq!(admin.get(&uri).await.is(200), changed);
    assert_eq!(admin.put(&uri, change).await.is(409)["code"], "stale");

    admin.delete(&format!("{uri}?confirm=HEB-200")).await.is_refused_at(&["confirm"]);
    admin.delete(&format!("{uri}?confirm=HEB220/6")).await.is(204);
    admin.get(&uri).await.is(404);
    admin.put(&uri, catalog.article(1, "6")).await.is(404);
}

#[actix_web::test]
async fn a_weight_follows_the_values_until_it_is_overridden() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let created = admin.post(ARTICLES, catalog.article(0, "12")).await.is(201);
    let uri = format!("{ARTICLES}/{}", id(&created));
    for (option, given, expected) in [
        (1, json!(null), (json!("71.5"), false)),
        (0, json!("70"), (json!("70"), true)),
        (1, json!("70"), (json!("70"), true)),
        (1, json!("71.500"), (json!("71.5"), false)),
        // The third height has no weight.
        (2, json!("83.2"), (json!("83.2"), true)),
        (2, json!(null), (json!(null), false)),
        (0, json!(null), (json!("61.3"), false)),
    ] {
        let mut change = catalog.article(option, "12");
        change["weight_per_base_unit"] = given;
        let changed = admin.put(&uri, change).await.is(200);
        let found = |body: &Value| {
            (body["weight_per_base_unit"].clone(), body["weight_per_base_unit_overridden"] == true)
        };
        assert_eq!(found(&changed), expected);
        assert_eq!(found(&admin.get(&uri).await.is(200)), expected);
    }
}

/// Steel flat of 50 x 10, 6 m long, whose weight is computed.
async fn flat(catalog: &Catalog) -> (Value, Value) {
    let Catalog { admin, material, length, .. } = catalog;
    let density = json!({ "name": "S235JR", "density": "7.85" });
    admin.put(&format!("{MATERIALS}/{material}"), density).await.is(200);
    let millimetres = |name: &str| json!({ "name": name, "type": "metric", "unit_category": "length", "default_unit": "mm", "primary": true });
    let [width, thickness] = [
        id(&admin.post(ATTRIBUTES, millimetres("Breite")).await.is(201)),
        id(&admin.post(ATTRIBUTES, millimetres("Dicke")).await.is(201)),
    ];
    let flat = json!({
        "name": "Flachstahl",
        "article_number_template": "FL-{breite}x{dicke}-{laenge}",
        "article_name_template": "Fl {breite} x {dicke} {material}",
        "base_unit_of_measure": "m",
        "listing_unit_of_measure": "piece",
        "price_unit_of_measure": "t",
        "section": "flat",
        "attributes": [
            { "attribute_id": width, "primary": true, "dimension": "width" },
            { "attribute_id": thickness, "primary": true, "dimension": "thickness" },
            { "attribute_id": id(length), "primary": true, "dimension": "length" },
        ],
    });
    let flat = admin.post(TYPES, flat).await.is(201);
    let article = json!({
        "article_type_id": id(&flat),
        "material_id": material,
        "values": [
            { "attribute_id": width, "number": "50" },
            { "attribute_id": thickness, "number": "10" },
            { "attribute_id": id(length), "number": "6" },
        ],
    });
    (flat, article)
}

#[actix_web::test]
async fn a_weight_follows_from_section_dimensions_and_density() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let (flat, mut article) = flat(&catalog).await;
    assert_eq!(flat["section"], "flat");
    assert_eq!(flat["attributes"][1]["dimension"], "thickness");
    let created = admin.post(ARTICLES, article.clone()).await.is(201);
    assert_eq!((&created["section"], &created["weight_per_base_unit"]), (&json!("flat"), &json!("3.925")));
    assert_eq!(created["values"][2]["dimension"], "length");
    let uri = format!("{ARTICLES}/{}", id(&created));
    assert_eq!(admin.get(&uri).await.is(200), created);

    article["values"][1]["number"] = json!("12");
    let preview = admin.post(&format!("{ARTICLES}/preview"), article.clone()).await.is(200);
    assert_eq!(preview["weight_per_base_unit"], "4.71");
    assert_eq!(admin.put(&uri, article.clone()).await.is(200)["weight_per_base_unit"], "4.71");
    article["material_id"] = json!(id(&admin.post(MATERIALS, json!({ "name": "X" })).await.is(201)));
    assert_eq!(admin.put(&uri, article).await.is(200)["weight_per_base_unit"], json!(null));
}

#[actix_web::test]
async fn zero_and_negative_dimensions_are_refused_at_their_values() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let (flat, mut article) = flat(&catalog).await;
    let uri = format!("{ARTICLES}/{}", id(&admin.post(ARTICLES, article.clone()).await.is(201)));
    article["values"][0]["number"] = json!("0");
    article["values"][1]["number"] = json!("-0.5");
    article["values"][2]["number"] = json!("0");
    let refused = |errors: &Value| {
        for index in 0..3 {
            assert_eq!(
                errors[format!("values.{index}.number")],
                json!(["Must be greater than 0"]),
                "{index}"
            );
        }
    };
    let places = ["values.0.number", "values.1.number", "values.2.number"];
    refused(&admin.post(ARTICLES, article.clone()).await.is_refused_at(&places)["errors"]);
    refused(&admin.put(&uri, article.clone()).await.is_refused_at(&places)["errors"]);
    let preview = format!("{ARTICLES}/preview");
    refused(&admin.post(&preview, article.clone()).await.is(200)["problems"]);

    // An attribute that measures no dimension may be zero; it cannot become a dimension then.
    let mut change = flat.clone();
    change.as_object_mut().unwrap().retain(|name, _| {
        !["id", "version", "group", "trade_dimension", "article_count", "created_at", "updated_at"]
            .contains(&name.as_str())
    });
    let uri = format!("{TYPES}/{}", id(&flat));
    let attributes = |measured: bool| {
        let attributes = flat["attributes"].as_array().unwrap().iter().map(|attribute| {
            let dimension = if measured { attribute["dimension"].clone() } else { json!(null) };
            json!({ "attribute_id": attribute["attribute_id"], "primary": true, "dimension": dimension })
        });
        attributes.collect::<Vec<_>>()
    };
    change["section"] = json!(null);
    change["attributes"] = json!(attributes(false));
    change["change_articles"] = json!(1);
    admin.put(&uri, change.clone()).await.is(200);
    article["values"][1]["number"] = json!("10");
    article["values"][2]["number"] = json!("6");
    admin.post(ARTICLES, article).await.is(201);
    change["attributes"] = json!(attributes(true));
    let body = admin.put(&uri, change).await.is_refused_at(&["attributes.0.dimension"]);
    let text = body["errors"]["attributes.0.dimension"][0].as_str().unwrap();
    assert!(text.contains("FL-0x10-6") && text.contains("Must be greater than 0"), "{text}");
}

#[actix_web::test]
async fn a_quantity_is_converted_to_pieces_metres_and_kilograms() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let (_, article) = flat(&catalog).await;
    let uri = format!("{ARTICLES}/{}", id(&admin.post(ARTICLES, article).await.is(201)));
    let quantities = format!("{uri}/quantities");
    let of = |amount: &str, unit: &str| json!({ "amount": amount, "unit": unit });
    let three = admin.post(&quantities, of("3", "piece")).await.is(200);
    assert_eq!(three["equivalents"], json!([of("18", "m"), of("70.65", "kg")]));
    assert_eq!(
        three["relations"],
        json!([
            { "of": "piece", "amount": "6", "unit": "m" },
            { "of": "m", "amount": "3.925", "unit": "kg" },
        ])
    );
    assert_eq!(three["sheet"], Value::Null);
    let tonne = admin.post(&quantities, of("0.07065", "t")).await.is(200);
    assert_eq!(tonne["equivalents"], json!([of("3", "piece"), of("18", "m")]));
    admin.post(&quantities, of("1", "m2")).await.is_refused_at(&["unit"]);
    admin.post(&quantities, of("-1", "m")).await.is_refused_at(&["amount"]);
    admin.post(&format!("{ARTICLES}/999/quantities"), of("1", "m")).await.is(404);
}

/// The measure has more digits than its attribute's default unit can express.
#[actix_web::test]
async fn a_measure_keeps_all_its_digits_when_other_fields_change() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let mut article = catalog.article(0, "6");
    article["values"][1]["number"] = json!("12.1234");
    article["values"][1]["unit"] = json!("mm");
    let article = admin.post(ARTICLES, article).await.is(201);
    let measure = |article: &Value| resent(&article["values"][1], &["number", "unit"]);
    let exact = json!({ "number": "12.1234", "unit": "mm" });
    assert_eq!(measure(&article), exact);

    let weight = json!({ "selection": { "ids": [id(&article)], "count": 1 }, "change": { "field": "weight_per_base_unit", "value": "60" } });
    let outcome = admin.post(&format!("{ARTICLES}/bulk-change"), weight).await.is(200);
    assert_eq!(outcome["done"], 1, "{outcome}");
    let after = admin.get(&format!("{ARTICLES}/{}", id(&article))).await.is(200);
    assert_eq!((measure(&after), &after["version"]), (exact, &json!(2)));
}

#[actix_web::test]
async fn a_quantity_of_an_article_counted_by_weight_is_converted_to_pieces_and_metres() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let (flat, mut article) = flat(&catalog).await;
    let by_weight = json!({
        "name": "Flachstahl nach Gewicht",
        "article_number_template": "FG-{breite}x{dicke}-{laenge}",
        "article_name_template": "Flachstahl {breite} x {dicke}",
        "base_unit_of_measure": "t", "listing_unit_of_measure": "t", "price_unit_of_measure": "t",
        "section": "flat",
        "attributes": flat["attributes"].as_array().unwrap().iter()
            .map(|attribute| resent(attribute, &["attribute_id", "primary", "dimension"]))
            .collect::<Vec<_>>(),
    });
    article["article_type_id"] = admin.post(TYPES, by_weight).await.is(201)["id"].clone();
    let uri = format!("{ARTICLES}/{}", id(&admin.post(ARTICLES, article).await.is(201)));
    let of = |amount: &str, unit: &str| json!({ "amount": amount, "unit": unit });
    let two = admin.post(&format!("{uri}/quantities"), of("0.0471", "t")).await.is(200);
    assert_eq!(two["equivalents"], json!([of("2", "piece"), of("12", "m")]));
    let three = admin.post(&format!("{uri}/quantities"), of("3", "piece")).await.is(200);
    assert_eq!(three["equivalents"], json!([of("18", "m"), of("70.65", "kg")]));
}

#[actix_web::test]
async fn quantities_of_a_sheet_include_its_format_and_the_weight_of_a_piece() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let (flat, mut article) = flat(&catalog).await;
    let sheet = json!({
        "name": "Blech",
        "article_number_template": "BL-{breite}x{dicke}-{laenge}",
        "article_name_template": "Blech {breite} x {dicke}",
        "base_unit_of_measure": "m2", "listing_unit_of_measure": "m2", "price_unit_of_measure": "t",
        "section": "sheet",
        "attributes": flat["attributes"].as_array().unwrap().iter()
            .map(|attribute| resent(attribute, &["attribute_id", "primary", "dimension"]))
            .collect::<Vec<_>>(),
    });
    article["article_type_id"] = admin.post(TYPES, sheet).await.is(201)["id"].clone();
    let uri = format!("{ARTICLES}/{}", id(&admin.post(ARTICLES, article).await.is(201)));
    let tonne = admin.post(&format!("{uri}/quantities"), json!({ "amount": "1", "unit": "t" })).await.is(200);
    assert_eq!(tonne["sheet"], json!({ "length": "6000", "width": "50", "weight": "23.55" }));
}

#[actix_web::test]
async fn a_number_is_unique_even_among_concurrent_requests() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let at_once = (0..8).map(|_| admin.post(ARTICLES, catalog.article(0, "12")));
    let answers = futures_util::future::join_all(at_once).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 1);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        answer.is_refused_at(&["article_number"]);
    }
    let mut other = catalog.article(0, "6");
    other["article_number"] = json!("heb-200-s235-12");
    let body = admin.post(ARTICLES, other).await.is_refused_at(&["article_number"]);
    assert_eq!(body["errors"]["article_number"], json!(["The article number has already been taken."]));
    assert_eq!(body["error_codes"]["article_number"], json!(["article_number_taken"]));
}

#[actix_web::test]
async fn all_errors_are_reported_together_at_their_fields() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let mut wrong = catalog.article(0, "12");
    wrong["values"][0]["option_id"] = json!(999);
    wrong["values"][1]["unit"] = json!("kg");
    wrong["values"].as_array_mut().unwrap().pop();
    wrong["material_id"] = json!(null);
    wrong["weight_per_base_unit"] = json!("-1");
    let body = admin.post(ARTICLES, wrong).await.is_refused_at(&[
        "values.0.option_id",
        "values.1.unit",
        "values",
        "material_id",
        "weight_per_base_unit",
    ]);
    assert_eq!(body["errors"]["values"], json!(["A value for “Oberfläche” is missing"]));
    let mut unknown = catalog.article(0, "12");
    unknown["values"][1]["unit"] = json!("Elle");
    let body = admin.post(ARTICLES, unknown).await.is_refused_at(&["values.1.unit"]);
    assert!(
        body["errors"]["values.1.unit"][0].as_str().unwrap().starts_with("Invalid value; mm, cm, dm, m, km,"),
        "{body}"
    );
    let mut unknown = catalog.article(0, "12");
    unknown["article_type_id"] = json!(999);
    admin.post(ARTICLES, unknown).await.is_refused_at(&["article_type_id"]);
    let mut unknown = catalog.article(0, "12");
    unknown["material_id"] = json!(999);
    admin.post(ARTICLES, unknown).await.is_refused_at(&["material_id"]);
}

#[actix_web::test]
async fn an_article_keeps_its_type() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let article = admin.post(ARTICLES, catalog.article(0, "12")).await.is(201);
    let mut other = beam_type(id(&catalog.height), id(&catalog.length), id(&catalog.surface));
    other["name"] = json!("Anderer");
    let other = admin.post(TYPES, other).await.is(201);
    let mut moved = catalog.article(0, "12");
    moved["article_type_id"] = other["id"].clone();
    admin.put(&format!("{ARTICLES}/{}", id(&article)), moved).await.is_refused_at(&["article_type_id"]);
}

#[actix_web::test]
async fn a_material_in_use_is_not_deleted() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let article = admin.post(ARTICLES, catalog.article(0, "12")).await.is(201);
    let uri = format!("{MATERIALS}/{}", catalog.material);
    let refused = admin.delete(&uri).await.is(409);
    assert_eq!(refused["code"], "in_use");
    assert!(refused["message"].as_str().unwrap().contains("(articles: 1)"));
    let number = article["article_number"].as_str().unwrap();
    admin.delete(&format!("{ARTICLES}/{}?confirm={number}", id(&article))).await.is(204);
    admin.delete(&uri).await.is(204);
}

#[actix_web::test]
async fn a_preview_renders_incomplete_articles() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let preview = async |body: Value| admin.post(&format!("{ARTICLES}/preview"), body).await.is(200);
    assert_eq!(
        preview(catalog.article(0, "12")).await,
        json!({
            "article_number": "HEB-200-S235-12",
            "article_name": "HEB 200 mm, S235JR+AR, 12 m, gestrahlt",
            "weight_per_base_unit": "61.3",
            "material_required": true,
            "problems": {},
        })
    );
    let mut own = catalog.article(1, "12");
    own["weight_per_base_unit"] = json!("70");
    assert_eq!(preview(own).await["weight_per_base_unit"], "71.5");
    assert_eq!(preview(catalog.article(2, "12")).await["weight_per_base_unit"], Value::Null);
    let mut partial = catalog.article(0, "12");
    partial["values"][2]["text"] = json!(null);
    let shown = preview(partial).await;
    assert_eq!(shown["article_number"], "HEB-200-S235-12");
    assert_eq!(shown["article_name"], Value::Null);
    assert_eq!(shown["problems"], json!({ "values.2.text": ["A value for “Oberfläche” is missing"] }));
    let unknown = preview(json!({ "article_type_id": 999, "values": [] })).await;
    assert_eq!(unknown["problems"], json!({ "article_type_id": ["Unknown value"] }));
}

#[actix_web::test]
async fn a_list_is_searched_filtered_and_sorted() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    for (option, length) in [(0, "6"), (0, "12"), (1, "6"), (2, "12")] {
        admin.post(ARTICLES, catalog.article(option, length)).await.is(201);
    }
    let list = async |query: &str| admin.get(&format!("{ARTICLES}?{query}")).await.is(200);
    let all = list("").await;
    assert_eq!(
        column(&all, "article_number"),
        ["HEB-200-S235-6", "HEB-200-S235-12", "HEB-220-S235-6", "HEB-240-S235-12"]
    );
    let row = &all["data"][0];
    assert_eq!(
        row["article_type"],
        json!({ "id": id(&catalog.beam), "name": "Breitflanschträger HEB", "base_unit_of_measure": "m" })
    );
    assert_eq!(row["material"], json!({ "id": catalog.material, "name": "S235JR" }));
    assert_eq!(row["weight_per_base_unit"], "61.3");

    for (query, expected) in [
        ("filter[article_number]=200-s235", vec!["HEB-200-S235-6", "HEB-200-S235-12"]),
        ("filter[article_number]=-6&sort=-article_number", vec!["HEB-220-S235-6", "HEB-200-S235-6"]),
        ("filter[article_name]=220,&filter[article_name]=240", vec!["HEB-220-S235-6", "HEB-240-S235-12"]),
        ("filter[article_name]=GESTRAHLT&filter[article_number]=240", vec!["HEB-240-S235-12"]),
        ("filter[article_number]=%25", vec![]),
        ("filter[weight_per_base_unit_greater_than]=61.3", vec!["HEB-220-S235-6"]),
        (
            "sort=-weight_per_base_unit",
            vec!["HEB-220-S235-6", "HEB-200-S235-12", "HEB-200-S235-6", "HEB-240-S235-12"],
        ),
        ("filter[article_type_id]=999", vec![]),
        ("filter[import_id]=1", vec![]),
        ("page[size]=3&page[number]=2", vec!["HEB-240-S235-12"]),
    ] {
        let page = list(query).await;
        assert_eq!(column(&page, "article_number"), expected, "{query}");
    }
    assert_eq!(list(&format!("filter[material_id]={}", catalog.material)).await["meta"]["total"], 4);
    assert_eq!(list("filter[material_id_not_equals]=999").await["meta"]["total"], 4);
    admin.get(&format!("{ARTICLES}?sort=material_id")).await.is_refused_at(&["sort"]);
}

#[actix_web::test]
async fn articles_are_created_while_their_attribute_is_renamed() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let rename = async {
        for round in 0..10 {
            let mut height = crate::catalog::height();
            height["name"] = json!(format!("Höhe {round}"));
            for (option, sent) in height["options"].as_array_mut().unwrap().iter_mut().enumerate() {
                sent["id"] = json!(catalog.option(option));
            }
            admin.put(&format!("{ATTRIBUTES}/{}", id(&catalog.height)), height).await.is(200);
        }
    };
    let create = futures_util::future::join_all((1..=30).map(async |length| {
        let answer = admin.post(ARTICLES, catalog.article(0, &length.to_string())).await;
        assert_eq!(answer.is(201)["article_number"], format!("HEB-200-S235-{length}"));
    }));
    futures_util::join!(rename, create);
    assert_eq!(admin.get(ARTICLES).await.is(200)["meta"]["total"], 30);
}

/// Everything that articles are computed from is cached, so each kind of change must become visible.
#[actix_web::test]
async fn changes_of_another_process_become_visible() {
    let catalog = Catalog::new().await;
    let Catalog { app, admin, .. } = &catalog;
    let ladder = laddered(&catalog).await;
    let article = id(&admin.post(ARTICLES, catalog.article(0, "6")).await.is(201));
    let mut other = app.another_process().await;
    other.token.clone_from(&admin.token);
    let uri = format!("{ARTICLES}/{article}");
    let shown = async || {
        look_up_anew().await;
        let (here, there) = (admin.get(&uri).await.is(200), other.get(&uri).await.is(200));
        assert_eq!(here, there);
        let listed = other.get(ARTICLES).await.is(200);
        assert_eq!(listed["data"][0]["material"], there["material"]);
        assert_eq!(listed["data"][0]["article_type"], there["article_type"]);
        there
    };
    shown().await;

    let material = json!({ "name": "S235J0", "article_number_name": "S235", "display_name": "S235JR+AR" });
    admin.put(&format!("{MATERIALS}/{}", catalog.material), material).await.is(200);
    assert_eq!(shown().await["material"]["name"], "S235J0");

    let mut renamed = laddered_type(&catalog, &ladder);
    renamed["name"] = json!("HEB-Träger");
    admin.put(&format!("{TYPES}/{}", id(&catalog.beam)), renamed).await.is(200);
    assert_eq!(shown().await["article_type"]["name"], "HEB-Träger");

    let mut clusters = ladder["clusters"].clone();
    clusters[0]["calculation_value"] = json!("6");
    let change = json!({ "name": "Handelslängen Träger", "clusters": clusters });
    admin.put(&format!("/api/admin/trade-dimensions/{}", id(&ladder)), change).await.is(200);
    assert_eq!(shown().await["trade_dimension"]["calculation_value"], "6");

    let mut height = crate::catalog::height();
    for (option, sent) in height["options"].as_array_mut().unwrap().iter_mut().enumerate() {
        sent["id"] = json!(catalog.option(option));
    }
    height["name"] = json!("Profilhöhe");
    admin.put(&format!("{ATTRIBUTES}/{}", id(&catalog.height)), height).await.is(200);
    assert_eq!(shown().await["values"][0]["name"], "Profilhöhe");
}

#[actix_web::test]
async fn a_tenants_user_reads_the_catalogue_but_does_not_write_it() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let article = id(&admin.post(ARTICLES, catalog.article(0, "12")).await.is(201));
    let user = app.caller(Some(app.north), values::PermissionSet::all()).await;
    let beam = beam_type(id(&catalog.height), id(&catalog.length), id(&catalog.surface));
    let height = crate::catalog::height();
    for (list, row, input) in [
        (ARTICLES, article, catalog.article(1, "6")),
        (TYPES, id(&catalog.beam), beam),
        (ATTRIBUTES, id(&catalog.surface), height),
    ] {
        let uri = format!("{list}/{row}");
        let shown = user.get(&uri).await.is(200);
        assert_eq!(user.get(list).await.is(200)["meta"], admin.get(list).await.is(200)["meta"]);
        assert_eq!(user.post(list, input.clone()).await.is(403)["code"], "platform_only");
        assert_eq!(user.put(&uri, input).await.is(403)["code"], "platform_only");
        assert_eq!(admin.get(&uri).await.is(200), shown);
    }
    let uri = format!("{ARTICLES}/{article}?confirm=HEB-200-S235-12");
    assert_eq!(user.delete(&uri).await.is(403)["code"], "platform_only");
    let seen = json!([id(&catalog.height), id(&catalog.length), id(&catalog.surface)]);
    let ids = json!([id(&catalog.surface), id(&catalog.length), id(&catalog.height)]);
    let order = json!({ "ids": ids, "seen": seen });
    assert_eq!(user.put(&format!("{ATTRIBUTES}/order"), order).await.is(403)["code"], "platform_only");
}

fn laddered_type(catalog: &Catalog, ladder: &Value) -> Value {
    let mut input = beam_type(id(&catalog.height), id(&catalog.length), id(&catalog.surface));
    input["trade_dimension_id"] = ladder["id"].clone();
    input["attributes"][1]["dimension"] = json!("length");
    input["attributes"][1]["primary"] = json!(false);
    input["article_number_template"] = json!("HEB-{hoehe}-{material}-{trade_dimension}");
    input
}

/// Adds a ladder up to 12.11 m to the beam type: `HEB-{hoehe}-{material}-{trade_dimension}`.
pub(crate) async fn laddered(catalog: &Catalog) -> Value {
    let Catalog { admin, beam, height, length, surface, .. } = catalog;
    let ladder = json!({
        "name": "Handelslängen Träger",
        "clusters": [
            { "short_code": "L06", "maximum": "6.11", "calculation_value": "6.1" },
            { "short_code": "L12", "minimum": "6.11", "maximum": "12.11", "calculation_value": "12.1" },
        ],
    });
    let ladder = admin.post("/api/admin/trade-dimensions", ladder).await.is(201);
    let uri = format!("{TYPES}/{}", id(beam));
    let mut without_length = beam_type(id(height), id(length), id(surface));
    without_length["trade_dimension_id"] = ladder["id"].clone();
    admin.put(&uri, without_length).await.is_refused_at(&["trade_dimension_id"]);
    let input = laddered_type(catalog, &ladder);
    let changed = admin.put(&uri, input).await.is(200);
    assert_eq!(changed["trade_dimension"], json!({ "id": ladder["id"], "name": "Handelslängen Träger" }));
    ladder
}

#[actix_web::test]
async fn a_length_falls_into_a_cluster_of_the_trade_dimension() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let ladder = laddered(&catalog).await;
    for (length, number, charged) in [
        ("12.1", "HEB-200-S235-L12", "12.1"),
        ("10.4", "HEB-200-S235-L12", "12.1"),
        ("2", "HEB-200-S235-L06", "6.1"),
    ] {
        let created = admin.post(ARTICLES, catalog.article(0, length)).await.is(201);
        assert_eq!(created["article_number"], number);
        let short_code = number.rsplit_once('-').unwrap().1;
        assert_eq!(
            created["trade_dimension"],
            json!({ "short_code": short_code, "calculation_value": charged })
        );
        let uri = format!("{ARTICLES}/{}", id(&created));
        assert_eq!(admin.get(&uri).await.is(200), created);
        admin.delete(&format!("{uri}?confirm={number}")).await.is(204);
    }
    let body = admin.post(ARTICLES, catalog.article(0, "12.2")).await.is_refused_at(&["values.1.number"]);
    assert_eq!(
        body["errors"]["values.1.number"],
        json!(["This length lies in no range of the trade dimension “Handelslängen Träger”"])
    );
    admin.post(ARTICLES, catalog.article(0, "12")).await.is(201);
    let uri = format!("/api/admin/trade-dimensions/{}", id(&ladder));
    let mut change = json!({ "name": "Handelslängen", "clusters": ladder["clusters"] });
    for cluster in change["clusters"].as_array_mut().unwrap() {
        cluster.as_object_mut().unwrap().remove("id");
    }
    change["clusters"][1]["maximum"] = json!(null);
    admin.put(&uri, change.clone()).await.is(200);
    change["clusters"][1]["short_code"] = json!("L13");
    let body = admin.put(&uri, change).await.is_refused_at(&["clusters"]);
    assert!(body["errors"]["clusters"][0].as_str().unwrap().starts_with("This would change 1 articles"));
    let used = admin.delete(&uri).await.is(409);
    assert_eq!(used["used_by"][0]["by"], "article_types");
}
