//! Filters of lists: by text, by id, and of articles by their type and values.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use store::statements::sent_by;
use values::PermissionSet;

use crate::{
    articles::laddered,
    catalog::{ARTICLES, ATTRIBUTES, Catalog, MATERIALS, TYPES, column, id},
    document::document,
    exports::lines,
    support::{Client, TestApp},
};

async fn names(client: &Client, uri: &str, field: &str) -> Vec<String> {
    let body = client.get(uri).await.is(200);
    column(&body, field).into_iter().map(str::to_owned).collect()
}

/// Error texts of the only rejected parameter.
async fn refused(client: &Client, uri: &str, parameter: &str) -> (String, String) {
    let mut texts = Vec::new();
    for client in [client.german(), client.clone()] {
        let body = client.get(uri).await.is_refused_at(&[parameter]);
        texts.push(body["errors"][parameter][0].as_str().unwrap().to_owned());
    }
    let [german, english] = texts.try_into().unwrap();
    (german, english)
}

#[actix_web::test]
async fn text_filters_match_parts_whole_texts_and_beginnings() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for name in [
        "S235",
        "S235JR",
        "s235jr+AR",
        "X S235",
        "100%",
        "100% neu",
        "1000",
        "a_b",
        "aXb",
        "Größe",
        "\u{10ffff}x",
    ] {
        admin.post(MATERIALS, json!({ "name": name })).await.is(201);
    }
    for (filter, expected) in [
        ("=s235", &["S235", "S235JR", "s235jr+AR", "X S235"][..]),
        ("_equals=s235jr", &["S235JR"]),
        ("_equals=S235JR", &["S235JR"]),
        ("_equals=s235j", &[]),
        ("_equals=s235&filter[name_equals]=1000", &["1000", "S235"]),
        ("_starts_with=S235", &["S235", "S235JR", "s235jr+AR"]),
        ("_starts_with=S235JR", &["S235JR", "s235jr+AR"]),
        ("_starts_with=235", &[]),
        ("_starts_with=S235JR%2BARX", &[]),
        ("_starts_with=100&filter[name_starts_with]=x", &["100%", "100% neu", "1000", "X S235"]),
        // wildcards are literal
        ("_starts_with=100%25", &["100%", "100% neu"]),
        ("_equals=100%25", &["100%"]),
        ("_starts_with=a_", &["a_b"]),
        ("_equals=a_b", &["a_b"]),
        ("_starts_with=%25", &[]),
        ("_starts_with=*", &[]),
        ("_starts_with=gro", &["Größe"]),
        ("_equals=GROSSE", &["Größe"]),
        ("_not_equals=s235&filter[name_starts_with]=s", &["S235JR", "s235jr+AR"]),
    ] {
        let uri =
            format!("{MATERIALS}?filter[name{filter}&sort=name", filter = filter.replacen('=', "]=", 1));
        assert_eq!(names(&admin, &uri, "name").await, expected, "{filter}");
    }
}

#[actix_web::test]
async fn an_unknown_comparison_is_refused_with_the_known_ones() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    for (parameter, known) in [
        (
            "article_number_like",
            "article_number, article_number_equals, article_number_starts_with, article_number_not_equals",
        ),
        ("article_type_id_starts_with", "article_type_id, article_type_id_not_equals"),
        ("article_type_idx", "id, article_number, article_name"),
        ("article_type_id_empty", "article_type_id, article_type_id_not_equals"),
        (
            "weight_per_base_unit_equals",
            "weight_per_base_unit, weight_per_base_unit_not_equals, weight_per_base_unit_lesser_than",
        ),
        ("weight_per_base_unit_starts_with", "weight_per_base_unit_greater_equals"),
        ("search_equals", "search"),
        ("id_greater_than", "id, id_not_equals"),
        ("attribute][hoehe_like", "hoehe, hoehe_not_equals"),
        ("attribute][hoehe_greater_than", "hoehe, hoehe_not_equals"),
        ("attribute][laenge_starts_with", "laenge, laenge_not_equals, laenge_lesser_than"),
        ("attribute][oberflaeche_lesser_than", "oberflaeche, oberflaeche_not_equals"),
    ] {
        let parameter = format!("filter[{parameter}]");
        let (german, english) = refused(admin, &format!("{ARTICLES}?{parameter}=1"), &parameter).await;
        assert!(german.contains(&format!("Möglich sind: {known}")) || german.contains(known), "{german}");
        assert!(english.contains(known), "{english}");
    }
}

#[actix_web::test]
async fn every_list_is_filtered_and_sorted_by_id() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let mut ids = Vec::new();
    for name in ["b", "a", "d", "c"] {
        ids.push(id(&admin.post(MATERIALS, json!({ "name": name })).await.is(201)));
    }
    let list = async |query: String| names(&admin, &format!("{MATERIALS}?{query}"), "name").await;
    assert_eq!(list("sort=id".to_owned()).await, ["b", "a", "d", "c"]);
    assert_eq!(list("sort=-id&page[size]=3".to_owned()).await, ["c", "d", "a"]);
    assert_eq!(list(format!("filter[id]={}", ids[2])).await, ["d"]);
    assert_eq!(list(format!("filter[id]={},{}", ids[2], ids[0])).await, ["b", "d"]);
    assert_eq!(list(format!("filter[id]={}&filter[id]={}", ids[1], ids[3])).await, ["a", "c"]);
    assert_eq!(list(format!("filter[id_not_equals]={},{}", ids[1], ids[3])).await, ["b", "d"]);
    let many: Vec<_> = (0..200).map(|number| (ids[0] + number).to_string()).collect();
    assert_eq!(list(format!("filter[id]={}", many.join(","))).await.len(), 4);
    let too_many = format!("{MATERIALS}?filter[id]={},1", many.join(","));
    assert_eq!(refused(&admin, &too_many, "filter[id]").await.0, "Zu viele Einträge: höchstens 200");
    for wrong in ["x", "1,", ",1", "1;2", "1.5", ""] {
        admin.get(&format!("{MATERIALS}?filter[id]={wrong}")).await.is_refused_at(&["filter[id]"]);
    }
    let file = lines(
        &admin.get(&format!("{MATERIALS}/export?format=csv&sort=-id&filter[id]={},{}", ids[0], ids[1])).await,
    );
    assert!(file[1].starts_with("a;") && file[2].starts_with("b;") && file.len() == 3, "{file:?}");
    let north = app.caller(Some(app.north), PermissionSet::all()).await;
    for path in [
        "articles",
        "article-types",
        "article-type-groups",
        "attributes",
        "categories",
        "trade-dimensions",
        "processings",
        "tenants",
        "tenant-groups",
        "users",
        "roles",
        "tokens",
        "audit",
        "imports",
        "import-profiles",
        "external-apis",
        "ftp-settings",
        "warehouses",
        "closures",
        "matchings",
        "stocks",
        "prices",
        "held-prices",
        "processing-prices",
        "unresolved-numbers",
        "shipping-nodes",
        "shipping-node-closures",
        "shipping-legs",
    ] {
        for query in ["sort=id", "sort=-id", "filter[id]=1,2", "filter[id_not_equals]=1&sort=id"] {
            let answer = north.get(&format!("/api/admin/{path}?{query}")).await;
            let answer = if answer.status.as_u16() == 403 {
                admin.get(&format!("/api/admin/{path}?{query}")).await
            } else {
                answer
            };
            answer.is(200);
        }
    }
}

/// Creates six beams of 200 to 240 mm and 6 to 18.1 m, and a sheet without either.
async fn filled(catalog: &Catalog) -> (Value, Value) {
    let Catalog { admin, .. } = catalog;
    for (option, length) in [(0, "6"), (0, "12"), (1, "6"), (1, "18.1"), (2, "12"), (2, "6.000001")] {
        admin.post(ARTICLES, catalog.article(option, length)).await.is(201);
    }
    let group = admin.post("/api/admin/article-type-groups", json!({ "name": "Bleche" })).await.is(201);
    let thickness =
        json!({ "name": "Dicke", "type": "metric", "unit_category": "length", "default_unit": "mm" });
    let thickness = admin.post(ATTRIBUTES, thickness).await.is(201);
    let sheet = json!({
        "name": "Blech", "article_number_template": "BL-{dicke}", "article_name_template": "Blech {dicke}",
        "base_unit_of_measure": "m2", "listing_unit_of_measure": "m2", "price_unit_of_measure": "t",
        "article_type_group_id": group["id"],
        "attributes": [{ "attribute_id": thickness["id"], "primary": true }],
    });
    let sheet = admin.post(TYPES, sheet).await.is(201);
    let one = json!({
        "article_type_id": sheet["id"], "values": [{ "attribute_id": thickness["id"], "number": "5", "unit": "mm" }],
    });
    admin.post(ARTICLES, one).await.is(201);
    (group, sheet)
}

#[actix_web::test]
async fn articles_are_found_by_the_values_of_their_attributes() {
    let catalog = Catalog::new().await;
    let Catalog { admin, length, .. } = &catalog;
    filled(&catalog).await;
    let length_id = id(length);
    let all = [
        "BL-5",
        "HEB-200-S235-6",
        "HEB-200-S235-12",
        "HEB-220-S235-6",
        "HEB-220-S235-18.1",
        "HEB-240-S235-6.000001",
        "HEB-240-S235-12",
    ];
    let but = |which: &[usize]| -> Vec<&str> {
        all.iter().enumerate().filter(|(at, _)| which.contains(at)).map(|(_, number)| *number).collect()
    };
    for (filter, found) in [
        ("[laenge]=6 m", &[1, 3][..]),
        ("[laenge]=6", &[1, 3]),
        ("[laenge]=6.0", &[1, 3]),
        ("[laenge]=6000mm", &[1, 3]),
        ("[laenge]=600 CM", &[1, 3]),
        ("[laenge]=6.000001 m", &[5]),
        ("[laenge]=6000.001 mm", &[5]),
        ("[laenge]=6.000002 m", &[]),
        ("[laenge_not_equals]=6 m", &[0, 2, 4, 5, 6]),
        ("[laenge_greater_than]=6 m", &[2, 4, 5, 6]),
        ("[laenge_greater_than]=6.000001 m", &[2, 4, 6]),
        ("[laenge_greater_equals]=6.000001 m", &[2, 4, 5, 6]),
        ("[laenge_greater_equals]=6 m", &[1, 2, 3, 4, 5, 6]),
        ("[laenge_lesser_than]=12 m", &[1, 3, 5]),
        ("[laenge_lesser_equals]=12 m", &[1, 2, 3, 5, 6]),
        ("[laenge_lesser_than]=6 m", &[]),
        ("[laenge_greater_equals]=18.1 m", &[4]),
        ("[laenge_greater_equals]=18.100001 m", &[]),
        ("[laenge_greater_than]=6 m&filter[attribute][laenge_lesser_than]=18.1 m", &[2, 5, 6]),
        ("[laenge]=6 m&filter[attribute][laenge]=18.1 m", &[1, 3, 4]),
        ("[ID_greater_equals]=12 m", &[2, 4, 6]),
        ("[hoehe]=200 mm", &[1, 2]),
        ("[hoehe]=220", &[3, 4]),
        ("[hoehe]=220&filter[attribute][hoehe]=240 MM", &[3, 4, 5, 6]),
        ("[hoehe_not_equals]=220", &[0, 1, 2, 5, 6]),
        ("[hoehe]=220&filter[attribute][laenge]=6 m", &[3]),
        ("[oberflaeche]=gestrahlt", &[1, 2, 3, 4, 5, 6]),
        ("[oberflaeche]=Gestrahlt", &[]),
        ("[oberflaeche_not_equals]=gestrahlt", &[0]),
        ("[dicke_lesser_equals]=0.5 cm", &[0]),
        ("[dicke_empty]=true", &[1, 2, 3, 4, 5, 6]),
        ("[dicke_empty]=false", &[0]),
        ("[hoehe_empty]=true", &[0]),
        ("[laenge_empty]=false&filter[attribute][hoehe]=220", &[3, 4]),
        ("[hoehe]=220&filter[article_number_starts_with]=heb-220-s235-6", &[3]),
    ] {
        let filter = filter.replace("ID", &length_id.to_string());
        let uri = format!("{ARTICLES}?filter[attribute]{filter}").replace(' ', "%20");
        assert_eq!(names(admin, &uri, "article_number").await, but(found), "{filter}");
    }
    // same in descending order, in a file, and in a selection
    let uri = format!("{ARTICLES}?filter[attribute][laenge]=12%20m&sort=-article_number");
    assert_eq!(names(admin, &uri, "article_number").await, ["HEB-240-S235-12", "HEB-200-S235-12"]);
    let file =
        lines(&admin.get(&format!("{ARTICLES}/export?format=csv&filter[attribute][laenge]=12%20m")).await);
    assert_eq!(file.len(), 3);
    let selection = json!({ "ids": null, "count": 2, "confirm": "2" });
    let outcome = admin
        .post(&format!("{ARTICLES}/bulk-delete?filter[attribute][laenge]=12%20m"), selection)
        .await
        .is(200);
    assert_eq!(outcome["done"], 2);
    assert_eq!(admin.get(ARTICLES).await.is(200)["meta"]["total"], 5);
}

#[actix_web::test]
async fn errors_of_a_value_are_reported_at_its_filter() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    for (filter, german, english) in [
        ("[breite]=6", "„breite“ gibt es nicht", "There is no “breite”"),
        ("[9999]=6", "„9999“ gibt es nicht", "There is no “9999”"),
        ("[]=6", "„“ gibt es nicht", "There is no “”"),
        ("[laenge]=6 kg", "Die Einheit „kg“ passt nicht", "The unit “kg” does not fit"),
        ("[laenge]=6 Ellen", "Unbekannte Einheit „Ellen“", "Unknown unit “Ellen”"),
        ("[laenge_empty]=ja", "true, false", "true, false"),
        ("[laenge]=lang", "„“ ist keine Zahl", "“” is not a number"),
        ("[laenge]=6,5", "„6,5“ ist keine Zahl", "“6,5” is not a number"),
        ("[laenge]=6 7", "„6 7“ ist keine Zahl", "“6 7” is not a number"),
        ("[laenge]=", "Pflichtfeld", "Required field"),
        ("[hoehe]=230", "230", "230"),
    ] {
        let parameter = format!("filter[attribute]{}", filter.split_once('=').unwrap().0);
        let uri = format!("{ARTICLES}?filter[attribute]{filter}").replace(' ', "%20");
        let (in_german, in_english) = refused(admin, &uri, &parameter).await;
        assert!(in_german.contains(german), "{filter}: {in_german}");
        assert!(in_english.contains(english), "{filter}: {in_english}");
    }
    let wrong = "filter[attribute][laenge]=6%20kg&filter[attribute][breite]=1";
    let places = ["filter[attribute][laenge]", "filter[attribute][breite]"];
    for path in ["", "/export"] {
        let format = if path.is_empty() { "" } else { "&format=csv" };
        admin.get(&format!("{ARTICLES}{path}?{wrong}{format}")).await.is_refused_at(&places);
    }
    let selection = json!({ "ids": null, "count": 0, "confirm": "0" });
    admin.post(&format!("{ARTICLES}/bulk-delete?{wrong}"), selection).await.is_refused_at(&places);
    // other lists have no attributes
    admin
        .get(&format!("{MATERIALS}?filter[attribute][laenge]=6"))
        .await
        .is_refused_at(&["filter[attribute][laenge]"]);
    // at most twenty filters, of fixed fields and of attributes
    let filter = "filter[attribute][laenge_greater_than]=1&";
    admin.get(&format!("{ARTICLES}?{}", filter.repeat(20))).await.is(200);
    admin.get(&format!("{ARTICLES}?{}", filter.repeat(21))).await.is(422);
}

#[actix_web::test]
async fn articles_are_found_by_group_category_and_trade_dimension_of_their_type() {
    let catalog = Catalog::new().await;
    let Catalog { admin, beam, .. } = &catalog;
    let (group, sheet) = filled(&catalog).await;
    let category = async |name: &str, parent: Option<&Value>, article_type: Option<&Value>| {
        let input =
            json!({ "name": name, "parent_id": parent.map(id), "article_type_id": article_type.map(id) });
        admin.post("/api/admin/categories", input).await.is(201)
    };
    let steel = category("Stahl", None, None).await;
    let flat = category("Flach", Some(&steel), None).await;
    let sheets = category("Bleche", Some(&flat), Some(&sheet)).await;
    category("Träger", Some(&steel), Some(beam)).await;
    let empty = category("Leer", None, None).await;
    let total = async |filter: String| {
        admin.get(&format!("{ARTICLES}?{filter}")).await.is(200)["meta"]["total"].clone()
    };
    for (filter, expected) in [
        (format!("filter[category_id]={}", id(&steel)), 7),
        (format!("filter[category_id]={}", id(&flat)), 1),
        (format!("filter[category_id]={}", id(&sheets)), 1),
        (format!("filter[category_id]={}", id(&empty)), 0),
        (format!("filter[category_id]={},{}", id(&flat), id(&empty)), 1),
        (format!("filter[category_id_not_equals]={}", id(&flat)), 6),
        ("filter[category_id]=9999".to_owned(), 0),
        (format!("filter[article_type_group_id]={}", id(&group)), 1),
        (format!("filter[article_type_group_id_not_equals]={}", id(&group)), 6),
        ("filter[article_type_group_id]=9999".to_owned(), 0),
        ("filter[trade_dimension_id]=9999".to_owned(), 0),
    ] {
        assert_eq!(total(filter.clone()).await, expected, "{filter}");
    }
}

#[actix_web::test]
async fn articles_are_found_by_the_trade_dimension_of_their_type() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let ladder = laddered(&catalog).await;
    for (option, length) in [(0, "6"), (1, "12")] {
        admin.post(ARTICLES, catalog.article(option, length)).await.is(201);
    }
    let uri = format!("{ARTICLES}?filter[trade_dimension_id]={}", id(&ladder));
    let found = names(admin, &format!("{uri}&filter[attribute][laenge]=6%20m"), "article_number").await;
    assert_eq!((found.len(), admin.get(&uri).await.is(200)["meta"]["total"].as_i64()), (1, Some(2)));
}

/// Maximum number of id arrays that one part of a statement compares with.
fn lists_side_by_side(sql: &str) -> usize {
    const LIST: &str = "= ANY (ARRAY";
    let (mut rest, mut here, mut within) = (sql, 0, 0);
    while let Some((_, list)) = rest.split_once(LIST) {
        let mut depth = 0;
        let end = list.char_indices().find_map(|(at, character)| {
            depth += i32::from(character == '(') - i32::from(character == ')');
            (depth <= 0).then_some(at)
        });
        let (list, behind) = list.split_at(end.unwrap_or(list.len()));
        within = within.max(lists_side_by_side(list));
        here += 1;
        rest = behind;
    }
    here.max(within)
}

#[test]
fn array_conditions_are_counted_side_by_side() {
    let one = "a = ANY (ARRAY(SELECT id FROM b WHERE c = ANY (ARRAY(SELECT 1))))";
    assert_eq!(lists_side_by_side(one), 1);
    assert_eq!(lists_side_by_side(&format!("{one} AND {one}")), 2);
    assert_eq!(lists_side_by_side(&format!("x = ANY (ARRAY(SELECT 1 WHERE {one} OR {one}))")), 2);
}

/// Numbers of the articles that the filters find.
async fn numbers(client: &Client, filters: &[&(&str, &str)]) -> BTreeSet<String> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, text) in filters {
        query.append_pair(&format!("filter[{name}]"), text);
    }
    let uri = format!("{ARTICLES}?page[size]=200&{}", query.finish());
    let (found, sent) = sent_by(client.get(&uri)).await;
    for sql in sent {
        assert!(lists_side_by_side(&sql) <= 1, "one list of ids is gone through for each of another: {sql}");
    }
    column(&found.is(200), "article_number").into_iter().map(str::to_owned).collect()
}

#[actix_web::test]
async fn combined_trigram_filters_are_looked_up_together() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    for length in ["6", "6.1", "12", "12.1"] {
        admin.post(ARTICLES, catalog.article(0, length)).await.is(201);
        admin.post(ARTICLES, catalog.article(1, length)).await.is(201);
    }
    let filters = [
        ("article_number", "heb"),
        ("article_number", "s235-12"),
        ("article_name", "12,1"),
        ("article_name", "strahl"),
        ("search", "heb 200"),
        ("search", "HEB S235 12,1m"),
        ("search", "S235JR"),
        ("article_number_starts_with", "heb-2"),
    ];
    let mut alone = Vec::new();
    for filter in &filters {
        alone.push(numbers(admin, &[filter]).await);
    }
    assert!(alone.iter().all(|found| !found.is_empty()), "{alone:?}");
    let mut pairs = 0;
    for (first, one) in filters.iter().enumerate() {
        for (second, other) in
            filters.iter().enumerate().filter(|(second, other)| *second > first && other.0 != one.0)
        {
            let expected: BTreeSet<_> = alone[first].intersection(&alone[second]).cloned().collect();
            assert_eq!(numbers(admin, &[one, other]).await, expected, "{one:?} and {other:?}");
            pairs += 1;
        }
    }
    assert!(pairs > 15, "{pairs}");
    let all = numbers(admin, &[&filters[0], &filters[2], &filters[5]]).await;
    assert_eq!(all.into_iter().collect::<Vec<_>>(), ["HEB-200-S235-12.1", "HEB-220-S235-12.1"]);
}

#[actix_web::test]
async fn a_complete_number_is_looked_up_only_by_index() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    for length in ["1", "12", "12.1"] {
        admin.post(ARTICLES, catalog.article(0, length)).await.is(201);
    }
    let own = json!({ "article_type_id": catalog.article(0, "2")["article_type_id"], "material_id": catalog.material,
        "values": catalog.article(0, "2")["values"], "article_number": "X HEB-200-S235-12", "article_name": null });
    admin.post(ARTICLES, own).await.is(201);
    let find = async |text: &str, rest: &str| {
        let query =
            form_urlencoded::Serializer::new(String::new()).append_pair("filter[search]", text).finish();
        let (found, sent) = sent_by(admin.get(&format!("{ARTICLES}?{query}{rest}"))).await;
        let found = found.is(200);
        let numbers: Vec<_> = column(&found, "article_number").into_iter().map(str::to_owned).collect();
        assert_eq!(found["meta"]["total"], numbers.len(), "{text}");
        let looks = sent.iter().filter(|sql| sql.contains("LIKE") || sql.contains("MATCH")).count();
        (numbers, looks)
    };
    for typed in ["HEB-200-S235-12", "heb-200-s235-12"] {
        let (found, looks) = find(typed, "").await;
        assert_eq!((found[0].as_str(), looks), ("HEB-200-S235-12", 0), "{typed}");
        assert!(found.iter().all(|number| number.starts_with("HEB-200-S235-12")), "{found:?}");
    }
    assert_eq!(find("heb-200-s235-12", "&filter[article_number]=12").await.0[0], "HEB-200-S235-12");
    // further filters never find more than the search alone, nor change how it searches
    assert_eq!(find("heb-200-s235-12", "&filter[article_number_starts_with]=x").await, (Vec::new(), 0));
    // a text that is part of many numbers, and a number with another sort order, use the normal search
    let (found, looks) = find("HEB-200", "").await;
    assert_eq!((found.len(), looks > 0), (4, true));
    let (found, looks) = find("heb-200-s235-12", "&sort=-article_number").await;
    assert!(looks > 0 && found.contains(&"X HEB-200-S235-12".to_owned()), "{found:?}");
}

#[actix_web::test]
async fn rows_are_found_by_the_presence_or_absence_of_a_value() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for (name, material_number, density) in
        [("S235", Some("1.0038"), None), ("S355", None, Some("7.85")), ("S460", None, None)]
    {
        let material = json!({ "name": name, "material_number": material_number, "density": density });
        admin.post(MATERIALS, material).await.is(201);
    }
    for (filter, expected) in [
        ("filter[density_empty]=true", &["S235", "S460"][..]),
        ("filter[density_empty]=false", &["S355"]),
        ("filter[density_empty]=true&filter[density_empty]=false", &["S235", "S355", "S460"]),
        ("filter[material_number_empty]=true", &["S355", "S460"]),
        ("filter[material_number_empty]=false", &["S235"]),
        ("filter[material_number_empty]=true&filter[density_empty]=true", &["S460"]),
    ] {
        assert_eq!(
            names(&admin, &format!("{MATERIALS}?{filter}&sort=name"), "name").await,
            expected,
            "{filter}"
        );
    }
    for wrong in ["1", "ja", ""] {
        let uri = format!("{MATERIALS}?filter[density_empty]={wrong}");
        admin.get(&uri).await.is_refused_at(&["filter[density_empty]"]);
    }
    // a name is never empty
    admin.get(&format!("{MATERIALS}?filter[name_empty]=true")).await.is_refused_at(&["filter[name_empty]"]);

    // by parts: tenants in no group
    let tenants = "/api/admin/tenants";
    let all = admin.get(tenants).await.is(200)["meta"]["total"].clone();
    let none = admin.get(&format!("{tenants}?filter[tenant_group_id_empty]=true")).await.is(200);
    assert_eq!(none["meta"]["total"], all);
    let group = json!({ "name": "Händler", "description": null, "tenant_ids": [app.north] });
    admin.post("/api/admin/tenant-groups", group).await.is(201);
    let none = admin.get(&format!("{tenants}?filter[tenant_group_id_empty]=true")).await.is(200);
    assert_eq!(none["meta"]["total"].as_u64(), all.as_u64().map(|all| all - 1));
    let some = admin.get(&format!("{tenants}?filter[tenant_group_id_empty]=false")).await.is(200);
    assert_eq!(column_of_ids(&some), [app.north]);
}

fn column_of_ids(list: &Value) -> Vec<i64> {
    list["data"].as_array().unwrap().iter().map(id).collect()
}

/// Each filter of a nullable property must also support a search for rows without it.
#[test]
fn optional_properties_can_be_filtered_by_emptiness() {
    let document = document();
    let resolve = |schema: &Value| match schema["$ref"].as_str() {
        Some(path) => document.pointer(path.trim_start_matches('#')).unwrap().clone(),
        None => schema.clone(),
    };
    let is_optional = |property: &Value| {
        let nulls = |schema: &Value| {
            schema["type"].as_array().is_some_and(|types| types.contains(&json!("null")))
                || schema["type"] == "null"
        };
        nulls(property) || property["oneOf"].as_array().is_some_and(|any| any.iter().any(nulls))
    };
    let (mut checked, mut without) = (0, BTreeSet::new());
    for (path, item) in document["paths"].as_object().unwrap() {
        let operation = &item["get"];
        let parameters = operation["parameters"].as_array().into_iter().flatten().map(&resolve);
        let Some(filter) = parameters.into_iter().find(|parameter| parameter["name"] == "filter") else {
            continue;
        };
        let filters = filter["schema"]["properties"].as_object().unwrap();
        let page = resolve(&operation["responses"]["200"]["content"]["application/json"]["schema"]);
        let row = resolve(&page["properties"]["data"]["items"]);
        for name in filters.keys().filter_map(|name| name.strip_prefix("filter[")?.strip_suffix(']')) {
            let stem = name.strip_suffix("_id").unwrap_or(name);
            let property = row["properties"].get(name).or_else(|| row["properties"].get(stem));
            if property.is_some_and(is_optional) {
                checked += 1;
                if !filters.contains_key(&format!("filter[{name}_empty]")) {
                    without.insert(format!("{path} {name}"));
                }
            }
        }
    }
    assert!(checked > 20, "{checked}");
    let without: Vec<&str> = without.iter().map(String::as_str).collect();
    assert_eq!(without, WITHOUT_EMPTINESS);
}

/// Filters of nullable properties without a search by emptiness: by a name in place of an id, by a key, by
/// yes or no, or by a computed value.
const WITHOUT_EMPTINESS: &[&str] = &[
    "/api/admin/audit request_id",
    "/api/admin/price-lists/{id}/prices held",
    "/api/admin/prices external_article_number",
    "/api/admin/stocks external_article_number",
    "/api/admin/stocks length",
    "/api/v1/listings external_article_number",
    "/api/v1/price-lists/{id}/prices held",
    "/api/v1/stocks external_article_number",
    "/api/v1/stocks length",
];

#[actix_web::test]
async fn rows_have_only_the_requested_properties() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    admin.post(ARTICLES, catalog.article(0, "6")).await.is(201);
    let keys =
        |list: &Value| -> Vec<String> { list["data"][0].as_object().unwrap().keys().cloned().collect() };
    let whole = admin.get(ARTICLES).await.is(200);
    assert!(keys(&whole).len() > 5);
    let north = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
    for path in [ARTICLES, "/api/v1/articles"] {
        let list = north.get(&format!("{path}?fields=id,%20article_number&page[size]=1")).await.is(200);
        assert_eq!(
            list["data"][0],
            json!({ "id": whole["data"][0]["id"], "article_number": whole["data"][0]["article_number"] })
        );
        assert_eq!(list["meta"]["total"], 1);
        for wrong in
            ["fields=id,nothing", "fields=", "fields=id,", "fields=id&fields=version", "fields=material.name"]
        {
            north.get(&format!("{path}?{wrong}")).await.is_refused_at(&["fields"]);
        }
    }
    let (german, english) = refused(admin, &format!("{MATERIALS}?fields=x"), "fields").await;
    assert!(german.contains("density") && english.contains("density"), "{german} {english}");
    // a response that is not a list has no fields to select
    north.get("/api/admin/stocks/sums?fields=total").await.is_refused_at(&["fields"]);
}
