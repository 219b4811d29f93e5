//! Other numbers of articles: former numbers, GTINs, drawing numbers and free numbers.

use actix_web::http::Method;
use serde_json::{Value, json};
use store::statements::sent_by;

use crate::{
    catalog::{ARTICLES, Catalog, TYPES, column, id},
    support::Client,
};

const BY_NUMBER: &str = "/api/admin/articles/by-number";
const GTIN: &str = "4006381333931";

async fn patch(client: &Client, uri: &str, body: Value) -> crate::support::Answer {
    client.send(Method::PATCH, uri, Some(body)).await
}

fn number(kind: &str, number: &str) -> Value {
    json!({ "kind": kind, "number": number })
}

async fn with(catalog: &Catalog, length: &str, numbers: Value) -> Value {
    let mut article = catalog.article(0, length);
    article["other_numbers"] = numbers;
    catalog.admin.post(ARTICLES, article).await.is(201)
}

async fn find_articles(client: &Client, text: &str) -> Vec<String> {
    let uri = format!("{ARTICLES}?filter[search]={}", text.replace(' ', "%20").replace('+', "%2B"));
    column(&client.get(&uri).await.is(200), "article_number").into_iter().map(str::to_owned).collect()
}

#[actix_web::test]
async fn other_numbers_of_an_article_are_stored_and_changed() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let numbers = json!([
        number("gtin", " 4 006381 333931 "),
        number("drawing", " Z-4711/a "),
        number("free", "ERP 17")
    ]);
    let created = with(&catalog, "12", numbers).await;
    let stored = json!([number("gtin", GTIN), number("drawing", "Z-4711/a"), number("free", "ERP 17")]);
    assert_eq!(created["other_numbers"], stored);
    let uri = format!("{ARTICLES}/{}", id(&created));
    assert_eq!(admin.get(&uri).await.is(200), created);
    // written back as they were read; left out, they stay
    assert_eq!(admin.put(&uri, created.clone()).await.is(200)["other_numbers"], stored);
    assert_eq!(admin.put(&uri, catalog.article(0, "12")).await.is(200)["other_numbers"], stored);
    let one = patch(admin, &uri, json!({ "other_numbers": [number("drawing", "Z-4711/a")] })).await.is(200);
    assert_eq!(one["other_numbers"], json!([number("drawing", "Z-4711/a")]));
    let spelt = patch(admin, &uri, json!({ "other_numbers": [number("drawing", "z-4711/A")] })).await.is(200);
    assert_eq!(spelt["other_numbers"], json!([number("drawing", "z-4711/A")]));
    let bulk = json!({ "selection": { "ids": [id(&created)], "count": 1 }, "change": { "field": "weight_per_base_unit", "value": "60" } });
    admin.post(&format!("{ARTICLES}/bulk-change"), bulk).await.is(200);
    assert_eq!(admin.get(&uri).await.is(200)["other_numbers"], spelt["other_numbers"]);

    let history = admin
        .get(&format!("/api/admin/audit?filter[record]=article&filter[record_id]={}", id(&created)))
        .await
        .is(200);
    let history = history.to_string();
    assert!(history.contains("article_other_number") && history.contains("Z-4711/a"), "{history}");

    let none = patch(admin, &uri, json!({ "other_numbers": null })).await.is(200);
    assert_eq!(none["other_numbers"], spelt["other_numbers"], "no list is no change");
    assert_eq!(patch(admin, &uri, json!({ "other_numbers": [] })).await.is(200)["other_numbers"], json!([]));
}

#[actix_web::test]
async fn invalid_other_numbers_are_refused_at_their_fields() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let theirs = with(&catalog, "6", json!([number("gtin", GTIN), number("free", "A 1")])).await;
    let mut article = catalog.article(0, "12");
    article["other_numbers"] = json!([
        number("gtin", "4006381333932"),
        number("gtin", "123"),
        number("free", " "),
        number("free", "B"),
        number("free", "b"),
    ]);
    article["values"][0]["option_id"] = json!(999_999);
    let places = [
        "other_numbers.0.number",
        "other_numbers.1.number",
        "other_numbers.2.number",
        "other_numbers.4.number",
        "values.0.option_id",
    ];
    let refused = admin.post(ARTICLES, article.clone()).await.is_refused_at(&places);
    let codes = ["gtin_check_digit", "invalid_gtin", "required", "duplicate"];
    for (place, code) in places.iter().zip(codes) {
        assert_eq!(refused["error_codes"][place], json!([code]), "{place}");
    }
    let german = admin.german().post(ARTICLES, article).await.is(422);
    assert_eq!(
        german["errors"]["other_numbers.0.number"][0],
        "Die Prüfziffer stimmt nicht: Auf 400638133393 folgt 1"
    );
    assert_eq!(
        german["errors"]["other_numbers.1.number"][0],
        "Eine GTIN (EAN) hat 8, 12, 13 oder 14 Ziffern"
    );

    let own = with(&catalog, "12", json!([number("drawing", "A 1")])).await;
    let uri = format!("{ARTICLES}/{}", id(&own));
    let taken = json!({ "other_numbers": [
        number("drawing", "A 1"), number("gtin", &format!("0{GTIN}")), number("free", "a  1"), number("former", "heb-200-s235-6"), number("drawing", "B 1"),
    ] });
    let places = ["other_numbers.1.number", "other_numbers.2.number", "other_numbers.3.number"];
    let refused = patch(admin, &uri, taken.clone()).await.is_refused_at(&places);
    for place in places {
        assert_eq!(refused["error_codes"][place], json!(["other_number_taken"]));
        let expected =
            format!("The article {} already has this number", theirs["article_number"].as_str().unwrap());
        assert_eq!(refused["errors"][place][0], expected);
        assert_eq!(refused["taken_by"][place], theirs["id"]);
    }
    assert_eq!(
        patch(&admin.german(), &uri, taken).await.is(422)["errors"]["other_numbers.1.number"][0],
        "Diese Nummer hat schon der Artikel HEB-200-S235-6"
    );
    assert_eq!(admin.get(&uri).await.is(200)["other_numbers"], own["other_numbers"]);
    patch(admin, &uri, json!({ "other_numbers": [{ "kind": "ean", "number": "1" }] }))
        .await
        .is_refused_at(&["other_numbers.0.kind"]);
    let many: Vec<_> = (0..101).map(|n| number("free", &n.to_string())).collect();
    patch(admin, &uri, json!({ "other_numbers": many[..100] })).await.is(200);
    patch(admin, &uri, json!({ "other_numbers": many })).await.is_refused_at(&["other_numbers"]);
    let preview = admin
        .post(
            &format!("{ARTICLES}/preview"),
            json!({
                "article_type_id": id(&catalog.beam), "values": [], "other_numbers": [number("gtin", "1")],
            }),
        )
        .await
        .is(200);
    assert!(preview["problems"]["other_numbers.0.number"].is_array(), "{preview}");

    // deleting an article deletes its other numbers
    admin.delete(&format!("{ARTICLES}/{}?confirm=HEB-200-S235-6", id(&theirs))).await.is(204);
    let now = json!({ "other_numbers": [number("gtin", GTIN)] });
    assert_eq!(patch(admin, &uri, now).await.is(200)["other_numbers"], json!([number("gtin", GTIN)]));
}

#[actix_web::test]
async fn a_replaced_number_is_kept_as_a_former_number() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let created = with(&catalog, "12", json!([number("free", "X")])).await;
    let uri = format!("{ARTICLES}/{}", id(&created));
    let renamed = patch(admin, &uri, json!({ "article_number": "EIGEN" })).await.is(200);
    assert_eq!(renamed["other_numbers"], json!([number("free", "X"), number("former", "HEB-200-S235-12")]));
    let recased = patch(admin, &uri, json!({ "article_number": "Eigen" })).await.is(200);
    assert_eq!(recased["other_numbers"], renamed["other_numbers"], "the same number");

    // search finds it, the path by number does not
    let refused = admin.get(&format!("{BY_NUMBER}/heb-200-s235-12")).await.is(404);
    assert_eq!(refused["code"], "renumbered");
    assert_eq!(
        refused["message"],
        "The article number “heb-200-s235-12” has been changed; the article now has the number “Eigen”."
    );
    let put =
        admin.german().put(&format!("{BY_NUMBER}/HEB-200-S235-12"), catalog.article(0, "12")).await.is(404);
    assert_eq!(
        put["message"],
        "Die Artikelnummer „HEB-200-S235-12“ wurde geändert; der Artikel hat jetzt die Nummer „Eigen“."
    );
    assert_eq!(
        patch(admin, &format!("{BY_NUMBER}/HEB-200-S235-12"), json!({})).await.is(404)["code"],
        "renumbered"
    );
    assert_eq!(find_articles(admin, "HEB-200-S235-12").await, ["Eigen"]);

    // written back with the list as it was read, and the previous number
    let mut back = recased.clone();
    back["article_number"] = json!("HEB-200-S235-12");
    let back = admin.put(&uri, back).await.is(200);
    assert_eq!(back["other_numbers"], json!([number("free", "X"), number("former", "Eigen")]));

    // another article takes a former number
    let other = with(&catalog, "6", json!([])).await;
    let other = patch(admin, &format!("{ARTICLES}/{}", id(&other)), json!({ "article_number": "EIGEN" }))
        .await
        .is(200);
    assert_eq!(other["other_numbers"], json!([number("former", "HEB-200-S235-6")]));
    assert_eq!(admin.get(&uri).await.is(200)["other_numbers"], json!([number("free", "X")]));
    assert_eq!(admin.get(&format!("{BY_NUMBER}/eigen")).await.is(200)["id"], other["id"]);
    let history = admin
        .get(&format!("/api/admin/audit?filter[record]=article&filter[record_id]={}", id(&created)))
        .await
        .is(200);
    assert_eq!(
        history["data"][0]["record_name"].as_str().or(history["data"][0]["name"].as_str()),
        Some("HEB-200-S235-12"),
        "{history}"
    );
    // and so does a new one
    let mut third = catalog.article(0, "7");
    third["article_number"] = json!("HEB-200-S235-6");
    admin.post(ARTICLES, third).await.is(201);
    let other = admin.get(&format!("{ARTICLES}/{}", id(&other))).await.is(200);
    assert_eq!(other["other_numbers"], json!([]));
}

#[actix_web::test]
async fn former_numbers_are_kept_when_a_template_renumbers() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let mut articles = Vec::new();
    for length in ["6", "12", "18", "7", "8", "9"] {
        articles.push(with(&catalog, length, json!([])).await);
    }
    let own = json!({ "article_number": "EIGEN" });
    patch(admin, &format!("{ARTICLES}/{}", id(&articles[2])), own).await.is(200);
    let uri = format!("{TYPES}/{}", id(&catalog.beam));
    let template = |template: &str| json!({ "article_number_template": template, "change_articles": 5 });
    patch(admin, &uri, template("TR-{hoehe}-{laenge}-{material}")).await.is(200);
    let numbers = async |index: usize| {
        let article = admin.get(&format!("{ARTICLES}/{}", id(&articles[index]))).await.is(200);
        (article["article_number"].clone(), article["other_numbers"].clone())
    };
    assert_eq!(numbers(0).await, (json!("TR-200-6-S235"), json!([number("former", "HEB-200-S235-6")])));
    assert_eq!(numbers(1).await, (json!("TR-200-12-S235"), json!([number("former", "HEB-200-S235-12")])));
    assert_eq!(numbers(2).await, (json!("EIGEN"), json!([number("former", "HEB-200-S235-18")])));
    assert_eq!(
        find_articles(admin, "HEB-200-S235-6").await.first().map(String::as_str),
        Some("TR-200-6-S235")
    );
    // changed back: the current number is not a former one
    let back = template("HEB-{hoehe}-{material}-{laenge}");
    let (answer, sent) = sent_by(patch(admin, &uri, back)).await;
    answer.is(200);
    let of_numbers = sent.iter().filter(|sql| sql.contains("article_other_number")).count();
    assert_eq!(of_numbers, 3, "found, removed and kept at once, however many articles: {sent:#?}");
    assert_eq!(numbers(0).await, (json!("HEB-200-S235-6"), json!([number("former", "TR-200-6-S235")])));
    assert_eq!(numbers(2).await.1, json!([number("former", "HEB-200-S235-18")]));
}

#[actix_web::test]
async fn a_search_finds_articles_by_their_other_numbers() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let numbers = json!([number("gtin", GTIN), number("drawing", "Z-4711/a"), number("free", "K+N 12.5")]);
    with(&catalog, "12", numbers).await;
    with(&catalog, "6", json!([number("drawing", "Z-4711/ab"), number("gtin", "96385074")])).await;
    let mut third = catalog.article(0, "7");
    third["article_number"] = json!("Z-4711/a-neu");
    admin.post(ARTICLES, third).await.is(201);
    let (long, short, third) = ("HEB-200-S235-12", "HEB-200-S235-6", "Z-4711/a-neu");
    for (text, expected) in [
        (GTIN, &[long][..]),
        ("4006381", &[long]),
        ("04006381333931", &[long]),
        ("4 006381 333931", &[long]),
        ("96385074", &[short]),
        ("00000096385074", &[short]),
        ("K+N 12.5", &[long]),
        ("k+n", &[long]),
        // the exact match is first, followed by those that start with the text
        ("Z-4711/a", &[long, short, third]),
        ("z-4711/AB", &[short]),
        ("4711/ab", &[]),
        ("400638133393 1 2", &[]),
    ] {
        assert_eq!(find_articles(admin, text).await, expected, "{text}");
    }
    // combined with matches in number and name, and with other filters
    let both = admin
        .get(&format!("{ARTICLES}?filter[search]={GTIN}&filter[article_number]=heb&sort=-article_number"))
        .await
        .is(200);
    assert_eq!(column(&both, "article_number"), [long]);
    assert_eq!(both["meta"]["total"], 1);
}

/// One of two concurrent requests gets it.
#[actix_web::test]
async fn only_one_of_two_concurrent_articles_gets_an_other_number() {
    let catalog = Catalog::new().await;
    let here = catalog.admin.clone();
    let there = catalog.app.another_process().await.signed_in(&json!(here.token));
    for round in 0..5 {
        let free = format!("N {round}");
        let article = |length: String| {
            let mut article = catalog.article(0, &length);
            article["other_numbers"] = json!([number("free", &free)]);
            article
        };
        let (a, b) = futures_util::join!(
            here.post(ARTICLES, article(format!("{}", 20 + round))),
            there.post(ARTICLES, article(format!("{}", 40 + round)))
        );
        let mut statuses = [a.status.as_u16(), b.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 422]);
        let refused = if a.status.as_u16() == 422 { a } else { b };
        let refused = refused.is_refused_at(&["other_numbers.0.number"]);
        assert_eq!(refused["error_codes"]["other_numbers.0.number"], json!(["other_number_taken"]));
    }
}
