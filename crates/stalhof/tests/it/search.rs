//! Search over the demo's assortment: a trader's input finds the intended articles and no others.

use sea_orm::ConnectionTrait;
use serde::Deserialize;
use serde_json::Value;

use crate::{
    catalog::{ARTICLES, MATERIALS, TYPES, column},
    support::{Client, TestApp},
};

async fn demo() -> (TestApp, Client) {
    let app = TestApp::with_assortment().await;
    // articles that must not be confused with shorter or smaller ones
    let tx = app.db.begin().await.unwrap();
    for (from, to) in [
        ("IPE-80-S235JR-6.1", "HEB-2000-S235JR-6.1"),
        ("FL-20x3-S235JR-6", "FL-150x10-X-S235JR-6"),
        ("FL-20x5-S235JR-6", "FL-50x100-S235JR-6"),
        ("IPE-100-S235JR-6.1", "A-123456-S235JR-6.1"),
    ] {
        let sql = format!(
            "UPDATE article SET article_number = '{to}', article_number_fold = '{}', article_name = '{to}', \
             article_name_fold = '{}' WHERE article_number = '{from}'",
            to.to_lowercase(),
            to.to_lowercase().replace(['-', 'x'], " ")
        );
        assert_eq!(tx.execute_unprepared(&sql).await.unwrap().rows_affected(), 1);
    }
    tx.commit().await.unwrap();
    let admin = app.platform().await;
    (app, admin)
}

async fn search(client: &Client, path: &str, text: &str, rest: &str) -> Value {
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("filter[search]", text).finish();
    client.get(&format!("{path}?{query}{rest}")).await.is(200)
}

/// Numbers of all articles that a search finds, page by page.
async fn find_articles(client: &Client, text: &str) -> Vec<String> {
    let mut numbers = Vec::new();
    loop {
        let page = numbers.len() / 200 + 1;
        let body = search(client, ARTICLES, text, &format!("&page[size]=200&page[number]={page}")).await;
        numbers.extend(column(&body, "article_number").into_iter().map(str::to_owned));
        if page as u64 >= body["meta"]["last_page"].as_u64().unwrap() {
            assert_eq!(body["meta"]["total"], numbers.len(), "{text}: counted as found");
            return numbers;
        }
    }
}

#[actix_web::test]
async fn trade_designations_find_the_intended_articles() {
    let (_app, admin) = demo().await;
    let all = find_articles(&admin, ",").await;
    assert!(all.len() > 1_000, "{}", all.len());
    // Starts of the numbers, any of which must match, and further parts, all of which must match.
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("HEB200", &["HEB-200-"], &[]),
        ("HE 200 B", &["HEB-200-"], &[]),
        ("IPB 200", &["HEB-200-"], &[]),
        ("heb 200 s235", &["HEB-200-"], &["-S235JR-"]),
        ("HEB200 S235 12,1m", &["HEB-200-"], &["-S235JR-", "-12.1"]),
        ("heb-200-s235jr-12.1", &["HEB-200-S235JR-12.1"], &[]),
        ("HEB 20", &["HEB-200-", "HEB-2000-"], &[]),
        ("HEB 2000", &["HEB-2000-"], &[]),
        ("ipe 200", &["IPE-200-"], &[]),
        ("QRO 100x100x5", &["HPK-100x100x5-", "HPW-100x100x5-"], &[]),
        ("qro 100 x 100 x 5 s355", &["HPK-100x100x5-", "HPW-100x100x5-"], &["-S355J2H-"]),
        ("QRO 100", &["HPK-100x100x", "HPW-100x100x"], &[]),
        ("Quadratrohr 100*100*6,3", &["HPW-100x100x6.3-"], &[]),
        ("RRO 80x40", &["HPK-80x40x", "HPW-80x40x"], &[]),
        ("hohlprofil warm 80x80", &["HPW-80x80x"], &[]),
        ("Fl 50x10", &["FL-50x10-"], &[]),
        ("Flachstahl 50 x 10 1.4301", &["FL-50x10-"], &["-1.4301-"]),
        ("fl 50", &["FL-50x"], &[]),
        ("Rd 20", &["RD-20-"], &[]),
        ("Ø20 c45", &["RD-20-C45-"], &[]),
        ("6kt 17", &["SK-17-"], &[]),
        ("Vkt 6", &[], &[]),
        ("Ro 48,3x3,2", &["RO-48.3x3.2-"], &[]),
        ("Rohr 48.3 x 3.2 nahtlos", &["RO-48.3x3.2-"], &["-NL-"]),
        ("L 50x5", &["L-50x5-"], &[]),
        ("winkel 50x5 s355", &["L-50x5-"], &["-S355J2-"]),
        ("Bl 10 S355", &["BL-10-"], &["-S355"]),
        ("Bl 1,5 1.4301", &["BL-1.5-"], &["-1.4301"]),
        ("100x100x5", &["HPK-100x100x5-", "HPW-100x100x5-"], &[]),
        ("1.0038", &[""], &["-S235JR-|-S235JR$|S235JR$"]),
        ("W.-Nr. 1,0038", &[""], &["-S235JR-|-S235JR$|S235JR$"]),
        ("10038", &[""], &["-S235JR-|-S235JR$|S235JR$"]),
        ("1234", &["A-123456-"], &[]),
        ("12345", &["A-123456-"], &[]),
        ("123456", &["A-123456-"], &[]),
        ("heb W.Nr.1.0577", &["HEB-"], &["-S355J2-"]),
        ("St 37-2 HEB", &["HEB-"], &["-S235JR-"]),
        ("V2A Blech", &["BL-"], &["-1.4301"]),
        ("42crmo4", &[""], &["-42CRMO4-"]),
        ("HPK-100x100x5-S235JRH-6", &["HPK-100x100x5-S235JRH-6"], &[]),
        ("blank h9", &[""], &["-H9-"]),
        ("100%", &[], &[]),
        ("[*]?", &[], &[]),
    ];
    for (text, beginnings, parts) in cases {
        let holds = |number: &str, part: &str| {
            part.split('|').any(|part| match part.strip_suffix('$') {
                Some(end) => number.ends_with(end),
                None => number.contains(part),
            })
        };
        // the material is compared, not a text that looks like it
        let expected: Vec<_> = all
            .iter()
            .filter(|number| beginnings.iter().any(|start| number.starts_with(start)))
            .filter(|number| parts.iter().all(|part| holds(number, part)))
            .cloned()
            .collect();
        assert!(expected.is_empty() == beginnings.is_empty(), "{text} finds something");
        assert_eq!(find_articles(&admin, text).await, expected, "{text}");
    }
}

#[derive(Deserialize)]
struct Designations {
    found: Vec<ExpectedHits>,
    not_found: Vec<NotFound>,
}

/// Search text, and the start of the number of the first article that it finds.
#[derive(Deserialize)]
struct ExpectedHits {
    typed: String,
    first: String,
}

#[derive(Deserialize)]
struct NotFound {
    typed: String,
    suggestion: Option<String>,
}

#[actix_web::test]
async fn typed_designations_find_the_intended_article_first_or_nothing() {
    let app = TestApp::with_assortment().await;
    let admin = app.platform().await;
    let Designations { found, not_found } = testkit::rules::read("designation.json");
    assert!(found.len() >= 230 && not_found.len() >= 50);
    let mut wrong = Vec::new();
    for ExpectedHits { typed, first } in found {
        let body = search(&admin, ARTICLES, &typed, "").await;
        let numbers = column(&body, "article_number");
        if !numbers.first().is_some_and(|number| number.starts_with(&first)) {
            wrong.push(format!("{typed}: {:?} instead of {first}", numbers.first()));
        }
        if body["meta"].get("suggestion").is_some() {
            wrong.push(format!("{typed}: a suggestion although there are articles"));
        }
    }
    for NotFound { typed, suggestion } in not_found {
        let body = search(&admin, ARTICLES, &typed, "").await;
        let suggested = body["meta"].get("suggestion").and_then(Value::as_str);
        if body["meta"]["total"] != 0 || suggested != suggestion.as_deref() {
            let first = column(&body, "article_number").first().map(ToString::to_string);
            wrong.push(format!("{typed}: finds {first:?}, suggests {suggested:?}, not {suggestion:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[actix_web::test]
async fn exact_matches_come_first_then_prefixes_then_the_rest() {
    let app = TestApp::with_assortment().await;
    let tx = app.db.begin().await.unwrap();
    for (from, to) in [
        ("IPE-80-S235JR-6.1", "0-4711"),
        ("IPE-100-S235JR-6.1", "4711-X"),
        ("IPE-120-S235JR-6.1", "Z 4711"),
        ("IPE-140-S235JR-6.1", "4711-A"),
        ("IPE-160-S235JR-6.1", "4711"),
    ] {
        let fold = to.to_lowercase();
        let sql = format!(
            "UPDATE article SET article_number = '{to}', article_number_fold = '{fold}', \
             article_number_sort = '{}' WHERE article_number = '{from}'",
            values::natural::sort_key(&fold)
        );
        assert_eq!(tx.execute_unprepared(&sql).await.unwrap().rows_affected(), 1);
    }
    tx.commit().await.unwrap();
    let admin = app.platform().await;
    let ranked = ["4711", "4711-A", "4711-X", "0-4711", "Z 4711"];
    assert_eq!(column(&search(&admin, ARTICLES, "4711", "").await, "article_number"), ranked);
    for size in [1, 2, 3, 4] {
        let mut pages = Vec::new();
        for page in 1..=5_usize.div_ceil(size) {
            let rest = format!("&page[size]={size}&page[number]={page}");
            let body = search(&admin, ARTICLES, "4711", &rest).await;
            assert_eq!(body["meta"]["total"], 5);
            pages.extend(column(&body, "article_number").into_iter().map(str::to_owned));
        }
        assert_eq!(pages, ranked, "pages of {size}");
    }
    let sorted = search(&admin, ARTICLES, "4711", "&sort=article_number").await;
    assert_eq!(column(&sorted, "article_number"), ["0-4711", "4711", "4711-A", "4711-X", "Z 4711"]);
    let sorted = search(&admin, ARTICLES, "4711", "&sort=-article_number").await;
    assert_eq!(column(&sorted, "article_number"), ["Z 4711", "4711-X", "4711-A", "4711", "0-4711"]);
}

#[actix_web::test]
async fn a_search_combines_with_sort_and_filters() {
    let (_app, admin) = demo().await;
    let body = search(&admin, ARTICLES, "heb 200", "&sort=-article_name&page[size]=1").await;
    assert_eq!(column(&body, "article_number"), ["HEB-200-S355J2-15.1"]);
    assert_eq!(body["meta"]["total"], 6);
    let both = search(&admin, ARTICLES, "heb 200", "&filter[search]=ipe+200").await;
    assert_eq!(both["meta"]["total"], 12, "repeated: any of");
    let none = search(&admin, ARTICLES, "heb 200", "&filter[article_number]=ipe").await;
    assert_eq!(none["meta"]["total"], 0);
}

#[actix_web::test]
async fn materials_are_found_by_name_and_by_number_in_any_spelling() {
    let (_app, admin) = demo().await;
    for (text, expected) in [
        ("1.0038", &["S235JR"][..]),
        ("1,0038", &["S235JR"]),
        ("10038", &["S235JR"]),
        ("W.-Nr. 1.0038", &["S235JR"]),
        ("werkstoffnr. 1,4301", &["X5CrNi18-10"]),
        ("s235", &["S235JR", "S235JRC", "S235JRH"]),
        ("St 37-2", &["S235JR", "S235JRC", "S235JRH"]),
        ("aw6060", &["EN AW-6060 (AlMgSi)"]),
        ("6060 almg", &["EN AW-6060 (AlMgSi)"]),
        ("C45", &["C45", "C45E"]),
        ("18-10", &["X5CrNi18-10", "X6CrNiTi18-10"]),
        ("HEB", &[]),
    ] {
        assert_eq!(column(&search(&admin, MATERIALS, text, "").await, "name"), expected, "{text}");
    }
}

#[actix_web::test]
async fn article_types_are_found_by_their_section() {
    let (app, admin) = demo().await;
    let tx = app.db.begin().await.unwrap();
    let sql = "UPDATE article_type SET name = 'Rohr 6x1,5 (1.4301)', name_fold = 'rohr 6x1,5 (1.4301)' WHERE name = 'Rohr'";
    assert_eq!(tx.execute_unprepared(sql).await.unwrap().rows_affected(), 1);
    tx.commit().await.unwrap();
    let hollow = &["Hohlprofil kaltgefertigt", "Hohlprofil warmgefertigt"][..];
    for (text, expected) in [
        ("IPB", &["HEB"][..]),
        ("heb 200 s235jr", &[]),
        ("QRO 100x100x5", hollow),
        ("fl", &["Flachstahl"]),
        ("ro", &["Rohr 6x1,5 (1.4301)"]),
        ("1.0038", &[]),
        ("100x100x5", &[]),
        ("V2A", &["Rohr 6x1,5 (1.4301)"]),
        ("14301 6 x 1.5", &["Rohr 6x1,5 (1.4301)"]),
        (
            "stahl",
            &[
                "Betonstahl",
                "Flachstahl",
                "Rundstahl",
                "Sechskantstahl",
                "Vierkantstahl",
                "Winkelstahl",
                "Winkelstahl ungleichschenklig",
            ],
        ),
    ] {
        assert_eq!(column(&search(&admin, TYPES, text, "").await, "name"), expected, "{text}");
    }
}

#[actix_web::test]
async fn invalid_searches_are_refused() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for text in ["%00".to_owned(), "a+".repeat(13), "a".repeat(256)] {
        admin.get(&format!("{ARTICLES}?filter[search]={text}")).await.is_refused_at(&["filter[search]"]);
    }
    let negated = admin.get(&format!("{ARTICLES}?filter[search_not_equals]=a")).await;
    negated.is_refused_at(&["filter[search_not_equals]"]);
    admin.get(&format!("{ARTICLES}?sort=search")).await.is_refused_at(&["sort"]);
}
