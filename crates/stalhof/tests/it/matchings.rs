//! Matchings over HTTP.

use sea_orm::{ConnectionTrait, DbBackend};
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, Catalog, column, id},
    exports::lines,
    imports::{IMPORTS, counts, ended, for_north},
    support::{Client, Form, all_but},
    warehouses::warehouse,
};

const PATH: &str = "/api/admin/matchings";
const WAREHOUSES: &str = "/api/admin/warehouses";

/// Tenant's user with two articles and two warehouses.
struct Shop {
    catalog: Catalog,
    user: Client,
    articles: [Value; 2],
    warehouses: [i64; 2],
}

impl Shop {
    async fn new() -> Self {
        let catalog = Catalog::new().await;
        let user = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
        let mut articles = Vec::new();
        for length in ["6", "12"] {
            articles.push(catalog.admin.post(ARTICLES, catalog.article(0, length)).await.is(201));
        }
        let [first, second] = articles.try_into().unwrap();
        let mut warehouses = [0; 2];
        for (number, (name, code)) in [("Duisburg", "DU"), ("Hamburg", "HH")].into_iter().enumerate() {
            warehouses[number] = id(&user.post(WAREHOUSES, warehouse(name, code)).await.is(201));
        }
        Self { catalog, user, articles: [first, second], warehouses }
    }

    fn article_matching(&self, index: usize, external: &str) -> Value {
        json!({ "article_id": self.articles[index]["id"], "external_article_number": external })
    }

    fn warehouse_matching(&self, index: usize, external: &str) -> Value {
        json!({ "warehouse_id": self.warehouses[index], "external_warehouse_identifier": external })
    }

    fn stock_matching(&self, article: usize, external: &str, warehouse: usize, place: &str) -> Value {
        let mut input = self.article_matching(article, external);
        let of_warehouse = self.warehouse_matching(warehouse, place);
        input.as_object_mut().unwrap().extend(of_warehouse.as_object().unwrap().clone());
        input
    }
}

#[actix_web::test]
async fn a_matching_is_created_by_id_or_number_shown_changed_and_deleted() {
    let shop = Shop::new().await;
    let Shop { user, articles, .. } = &shop;
    let number = articles[0]["article_number"].as_str().unwrap();
    let input = json!({
        "article_number": number.to_lowercase(), "external_article_number": " 0004711 ",
        "warehouse_short_code": " du ", "external_warehouse_identifier": "O\u{308}l-1", "external_tenant_identifier": "K77"
    });
    let created = user.post(PATH, input).await.is(201);
    for (field, expected) in [
        ("tenant", json!({ "id": shop.catalog.app.north, "short_code": "NORD" })),
        ("article", json!({ "id": articles[0]["id"], "article_number": number })),
        ("external_article_number", json!("0004711")),
        ("warehouse", json!({ "id": shop.warehouses[0], "short_code": "DU" })),
        ("external_warehouse_identifier", json!("Öl-1")),
        ("external_tenant_identifier", json!("K77")),
        ("version", json!(1)),
    ] {
        assert_eq!(created[field], expected, "{field}");
    }
    let uri = format!("{PATH}/{}", id(&created));
    assert_eq!(user.get(&uri).await.is(200), created);
    // both ways to name the record, which agree
    let mut change = shop.article_matching(1, "0004711");
    change["article_number"] = articles[1]["article_number"].clone();
    change["version"] = json!(1);
    let changed = user.put(&uri, change.clone()).await.is(200);
    assert_eq!((&changed["article"]["id"], &changed["version"]), (&articles[1]["id"], &json!(2)));
    assert_eq!([&changed["warehouse"], &changed["external_warehouse_identifier"]], [&Value::Null; 2]);
    assert_eq!(user.put(&uri, change).await.is(409)["code"], "stale");

    let history = user.get("/api/admin/audit?filter[record]=matching&sort=at").await.is(200);
    assert_eq!(history["data"][0]["record_name"], "0004711, Öl-1");
    let article = &history["data"][1]["changes"][0];
    assert_eq!(
        (&article["field"], &article["to"]["name"]),
        (&json!("article_id"), &articles[1]["article_number"])
    );
    user.delete(&uri).await.is(204);
    user.get(&uri).await.is(404);
}

#[actix_web::test]
async fn a_matching_needs_a_complete_pair_and_consistent_references() {
    let shop = Shop::new().await;
    let Shop { user, articles, warehouses, catalog } = &shop;
    let south = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    let foreign = id(&south.post(WAREHOUSES, warehouse("Linz", "LNZ")).await.is(201));
    let other = &articles[1]["article_number"];
    let long = "x".repeat(256);
    for (input, paths) in [
        (json!({}), &["external_article_number"][..]),
        (json!({ "external_tenant_identifier": " " }), &["external_article_number"]),
        (json!({ "article_id": articles[0]["id"] }), &["external_article_number"]),
        (
            json!({ "article_id": articles[0]["id"], "external_article_number": "  " }),
            &["external_article_number"],
        ),
        (json!({ "external_article_number": "1" }), &["article_id"]),
        (json!({ "warehouse_id": warehouses[0] }), &["external_warehouse_identifier"]),
        (json!({ "warehouse_short_code": "DU" }), &["external_warehouse_identifier"]),
        (json!({ "external_warehouse_identifier": "1" }), &["warehouse_id"]),
        (
            json!({ "external_article_number": "1", "external_warehouse_identifier": "1" }),
            &["article_id", "warehouse_id"],
        ),
        (json!({ "article_id": 987_654, "external_article_number": "1" }), &["article_id"]),
        (json!({ "article_number": "HEB-0", "external_article_number": "1" }), &["article_number"]),
        (
            json!({ "article_id": articles[0]["id"], "article_number": other, "external_article_number": "1" }),
            &["article_id", "article_number"],
        ),
        (json!({ "warehouse_id": foreign, "external_warehouse_identifier": "1" }), &["warehouse_id"]),
        (
            json!({ "warehouse_short_code": "LNZ", "external_warehouse_identifier": "1" }),
            &["warehouse_short_code"],
        ),
        (
            json!({ "warehouse_id": warehouses[0], "warehouse_short_code": "HH", "external_warehouse_identifier": "1" }),
            &["warehouse_id", "warehouse_short_code"],
        ),
        (
            json!({
                "article_id": articles[0]["id"], "external_article_number": long, "warehouse_id": warehouses[0],
                "external_warehouse_identifier": long, "external_tenant_identifier": long
            }),
            &["external_article_number", "external_warehouse_identifier", "external_tenant_identifier"],
        ),
        (
            json!({ "article_id": articles[0]["id"], "external_article_number": "a\u{7}" }),
            &["external_article_number"],
        ),
        (json!({ "tenant_id": catalog.app.south }), &["tenant_id"]),
    ] {
        user.post(PATH, input).await.is_refused_at(paths);
    }
    let mut bound = shop.stock_matching(0, &"x".repeat(255), 0, &"y".repeat(255));
    bound["external_tenant_identifier"] = json!("z".repeat(255));
    user.post(PATH, bound).await.is(201);
    let disagree =
        json!({ "article_id": articles[0]["id"], "article_number": other, "external_article_number": "1" });
    let refused = user.german().post(PATH, disagree).await.is(422);
    assert!(refused["errors"]["article_id"][0].as_str().unwrap().contains("nicht denselben Eintrag"));
}

#[actix_web::test]
async fn external_identifiers_are_unique_within_a_tenant_and_name_one_warehouse() {
    let shop = Shop::new().await;
    let Shop { user, catalog, .. } = &shop;
    let at_once = (0..8).map(|_| user.post(PATH, shop.article_matching(0, "AB-1")));
    let at_once = futures_util::future::join_all(at_once).await;
    assert_eq!(at_once.iter().filter(|answer| answer.status == 201).count(), 1);
    let refused = user
        .german()
        .post(PATH, shop.article_matching(1, "ab-1"))
        .await
        .is_refused_at(&["external_article_number"]);
    let text = "Diese externe Kennung ist bereits vergeben.";
    assert_eq!(refused["errors"]["external_article_number"][0], text);
    let refused = user.post(PATH, shop.article_matching(1, "AB-1")).await.is(422);
    let text = "The external identifier has already been taken.";
    assert_eq!(refused["errors"]["external_article_number"][0], text);
    // the same number at another external warehouse is a different one, and leading zeros are significant
    user.post(PATH, shop.stock_matching(0, "AB-1", 0, "L1")).await.is(201);
    user.post(PATH, shop.stock_matching(0, "AB-1", 0, "l1"))
        .await
        .is_refused_at(&["external_article_number"]);
    user.post(PATH, shop.article_matching(0, "0AB-1")).await.is(201);
    user.post(PATH, shop.stock_matching(1, "AB-2", 0, "L1")).await.is(201);
    user.post(PATH, shop.warehouse_matching(0, "L1")).await.is(201);
    user.post(PATH, shop.warehouse_matching(0, "L1")).await.is_refused_at(&["external_warehouse_identifier"]);
    for other in [shop.warehouse_matching(1, "L1"), shop.stock_matching(1, "AB-3", 1, "l1")] {
        user.post(PATH, other).await.is_refused_at(&["external_warehouse_identifier"]);
    }
    // two external identifiers may mean the same warehouse; and a matching may be changed with its own
    // identifier
    let own = user.post(PATH, shop.warehouse_matching(1, "L2")).await.is(201);
    user.put(&format!("{PATH}/{}", id(&own)), shop.warehouse_matching(0, "L2")).await.is(200);
    user.put(&format!("{PATH}/{}", id(&own)), shop.warehouse_matching(1, "L1"))
        .await
        .is_refused_at(&["external_warehouse_identifier"]);
    let many =
        (0..8).map(|number| user.post(PATH, shop.stock_matching(0, &format!("N{number}"), number % 2, "L9")));
    let many = futures_util::future::join_all(many).await;
    let made = many.iter().filter(|answer| answer.status == 201).map(|answer| answer.is(201));
    let warehouses: std::collections::HashSet<_> =
        made.map(|made| made["warehouse"]["id"].as_i64().unwrap()).collect();
    assert_eq!(warehouses.len(), 1, "an external warehouse was given to two");

    // another tenant may have the same identifiers
    let south = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    south.post(PATH, shop.article_matching(1, "AB-1")).await.is(201);
}

#[actix_web::test]
async fn matchings_are_listed_filtered_exported_and_deleted_in_bulk() {
    let shop = Shop::new().await;
    let Shop { user, articles, warehouses, catalog } = &shop;
    user.post(PATH, shop.article_matching(0, "4711")).await.is(201);
    user.post(PATH, shop.stock_matching(1, "0815", 0, "Lager A")).await.is(201);
    user.post(PATH, shop.warehouse_matching(1, "Lager B")).await.is(201);
    let list = async |query: &str| user.get(&format!("{PATH}?{query}")).await.is(200);
    let places = |body: &Value| {
        let rows = body["data"].as_array().unwrap().iter();
        rows.map(|row| row["external_warehouse_identifier"].as_str().unwrap_or("-").to_owned())
            .collect::<Vec<_>>()
    };
    for (query, expected) in [
        (String::new(), vec!["Lager B", "Lager A", "-"]),
        ("sort=-external_warehouse_identifier".to_owned(), vec!["Lager B", "Lager A", "-"]),
        (format!("filter[article_id]={}", articles[1]["id"]), vec!["Lager A"]),
        (format!("filter[warehouse_id]={}", warehouses[1]), vec!["Lager B"]),
        ("filter[external_article_number]=71".to_owned(), vec!["-"]),
        ("filter[search]=lager%2008".to_owned(), vec!["Lager A"]),
    ] {
        assert_eq!(places(&list(&query).await), expected, "{query}");
    }
    let page = list("page[size]=1&page[number]=3").await;
    assert_eq!((places(&page), &page["meta"]["total"]), (vec!["-".to_owned()], &json!(3)));
    let found = lines(&user.german().get(&format!("{PATH}/export?format=csv&filter[search]=0815")).await);
    let header = "Artikelnummer;Externe Artikelnummer;Kurzzeichen des Lagers;Externe Lagerkennung;Mandant;Externe Mandantenkennung;Geändert";
    assert_eq!(found[0], header);
    let row = format!("{};0815;DU;Lager A;NORD;;", articles[1]["article_number"].as_str().unwrap());
    assert!(
        found[1].contains("0815") && found[1].ends_with(&row[row.len() - 5..]) || found[1].starts_with(&row),
        "{}",
        found[1]
    );

    let south = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    assert_eq!(south.get(PATH).await.is(200)["meta"]["total"], 0);
    let all = list("").await;
    let ids: Vec<_> = all["data"].as_array().unwrap().iter().map(id).collect();
    south.post(&format!("{PATH}/bulk-delete"), json!({ "ids": ids, "count": 3 })).await.is(409);
    let outcome = user.post(&format!("{PATH}/bulk-delete"), json!({ "ids": ids, "count": 3 })).await;
    assert_eq!(outcome.is(200), json!({ "done": 3, "refused": [] }));
    assert_eq!(
        catalog.admin.post(PATH, shop.article_matching(0, "1")).await.is(422)["code"],
        "tenant_required"
    );
    let of_south = format!("{PATH}?tenant_id={}", catalog.app.south);
    let made = catalog.admin.post(&of_south, shop.article_matching(0, "1")).await.is(201);
    assert_eq!(column(&catalog.admin.get(&of_south).await.is(200), "external_article_number"), ["1"]);
    let uri = format!("{PATH}/{}", id(&made));
    assert_eq!(
        catalog.admin.put(&uri, shop.article_matching(0, "2")).await.is(422)["code"],
        "tenant_required"
    );
}

#[actix_web::test]
async fn platform_users_must_choose_a_tenant_before_large_lists() {
    let shop = Shop::new().await;
    let Shop { user, catalog, .. } = &shop;
    let admin = &catalog.admin;
    let made = user.post(PATH, shop.article_matching(0, "4711")).await.is(201);
    let all = json!({ "ids": null, "count": 1 });
    for query in ["", "filter[external_article_number]=4711"] {
        let list = admin.get(&format!("{PATH}?{query}")).await;
        let export = admin.get(&format!("{PATH}/export?format=csv&{query}")).await;
        let bulk = admin.post(&format!("{PATH}/bulk-delete?{query}"), all.clone()).await;
        for answer in [list, export, bulk] {
            assert_eq!(answer.is(422)["code"], "tenant_required");
        }
    }
    assert_eq!(user.get(PATH).await.is(200)["meta"]["total"], 1, "something was deleted");
    admin.get(&format!("{PATH}/{}", id(&made))).await.is(200);

    let north = format!("tenant_id={}", catalog.app.north);
    assert_eq!(admin.get(&format!("{PATH}?{north}")).await.is(200)["meta"]["total"], 1);
    let file = admin.get(&format!("{PATH}/export?format=csv&{north}")).await;
    assert!(lines(&file)[1].contains("4711"));
    let outcome = admin.post(&format!("{PATH}/bulk-delete?{north}"), all).await.is(200);
    assert_eq!(outcome, json!({ "done": 1, "refused": [] }));
}

#[actix_web::test]
async fn articles_and_warehouses_with_matchings_cannot_be_deleted() {
    let shop = Shop::new().await;
    let Shop { user, articles, warehouses, catalog } = &shop;
    let matching = user.post(PATH, shop.stock_matching(0, "4711", 0, "Lager A")).await.is(201);
    let used = |filter: &str| json!([{ "by": "matchings", "filter": filter, "count": 1, "examples": [{ "id": matching["id"], "name": "4711, Lager A" }] }]);
    let article = format!("{ARTICLES}/{}", articles[0]["id"]);
    let confirmed = format!("{article}?confirm={}", articles[0]["article_number"].as_str().unwrap());
    assert_eq!(catalog.admin.get(&format!("{article}/usage")).await.is(200)["data"], used("article_id"));
    assert_eq!(catalog.admin.delete(&confirmed).await.is(409)["used_by"], used("article_id"));
    let depot = format!("{WAREHOUSES}/{}", warehouses[0]);
    assert_eq!(user.get(&format!("{depot}/usage")).await.is(200)["data"], used("warehouse_id"));
    assert_eq!(user.delete(&depot).await.is(409)["used_by"], used("warehouse_id"));
    let bulk = json!({ "ids": [warehouses[0], warehouses[1]], "count": 2 });
    let outcome = user.post(&format!("{WAREHOUSES}/bulk-delete"), bulk).await.is(200);
    assert_eq!((&outcome["done"], &outcome["refused"][0]["name"]), (&json!(1), &json!("Duisburg")));
    user.delete(&format!("{PATH}/{}", id(&matching))).await.is(204);
    user.delete(&depot).await.is(204);
    catalog.admin.delete(&confirmed).await.is(204);
}

#[actix_web::test]
async fn the_database_enforces_complete_pairs_and_separate_tenants() {
    let shop = Shop::new().await;
    let app = &shop.catalog.app;
    let now = if app.db.get_database_backend() == DbBackend::Sqlite { "datetime()" } else { "now()" };
    let row = |tenant: i64, article: &str, number: &str, depot: &str, place: &str| {
        format!(
            "INSERT INTO matching (tenant_id, name, article_id, external_article_number, external_article_number_fold, \
             warehouse_id, external_warehouse_identifier, external_warehouse_identifier_fold, \
             external_tenant_identifier_fold, external_article_number_sort, external_warehouse_identifier_sort, version, \
             created_at, updated_at) VALUES ({tenant}, 'x', {article}, {number}, coalesce({number}, ''), {depot}, {place}, \
             coalesce({place}, ''), '', '', '', 1, {now}, {now})"
        )
    };
    let (article, depot) = (shop.articles[0]["id"].to_string(), shop.warehouses[0].to_string());
    for (sql, allowed) in [
        (row(app.north, "NULL", "NULL", "NULL", "NULL"), false),
        (row(app.north, &article, "NULL", "NULL", "NULL"), false),
        (row(app.north, "NULL", "'a'", &depot, "'b'"), false),
        (row(app.north, &article, "'a'", &depot, "NULL"), false),
        (row(app.south, "NULL", "NULL", &depot, "'b'"), false),
        (row(app.north, "987654", "'a'", "NULL", "NULL"), false),
        (row(app.north, &article, "'a'", &depot, "'b'"), true),
        (row(app.north, &article, "'a'", "NULL", "NULL"), true),
        (row(app.north, &article, "'a'", "NULL", "NULL"), false),
        (row(app.south, &article, "'a'", "NULL", "NULL"), true),
    ] {
        let tx = app.db.begin().await.unwrap();
        let outcome = tx.execute_unprepared(&sql).await;
        assert_eq!(outcome.is_ok(), allowed, "{sql}: {outcome:?}");
        if allowed {
            tx.commit().await.unwrap();
        } else {
            tx.rollback().await.unwrap();
        }
    }
}

fn upload(content: impl AsRef<[u8]>) -> Form {
    Form::new().field("type", "Matching").file("Zuordnungen.csv", content)
}

/// The file is an ERP's export; the test covers everything up to the corrected upload and its results.
#[actix_web::test]
async fn a_file_of_matchings_is_tried_imported_corrected_and_imported_again() {
    let shop = Shop::new().await;
    let Shop { user, articles, catalog, .. } = &shop;
    let app = &catalog.app;
    let workers = app.workers().await;
    let numbers = articles.each_ref().map(|article| article["article_number"].as_str().unwrap());
    let file = format!(
        "Mandant;Artikelnummer;Externe Artikelnummer;Lager;Externe Lagernummer;Externe Mandantennummer\r\n\
         NORD;{};0004711;;;K77\r\nNORD;{};0004712;DU;L1;K77\r\nSUED;gibt es nicht;0004713;LNZ;L2;K77\r\n",
        numbers[0], numbers[1]
    );
    let total = async || user.get(PATH).await.is(200)["meta"]["total"].clone();
    let dry = upload(&file).field("dry_run", "true").send(user, IMPORTS).await.is(201);
    assert_eq!(counts(&ended(user, &dry).await), [2, 0, 0, 1]);
    assert_eq!(total().await, 0);
    let import = upload(&file).send(user, IMPORTS).await.is(201);
    assert_eq!((&import["type"], &import["tenant"]["id"]), (&json!("Matching"), &json!(app.north)));
    let import = ended(user, &import).await;
    assert_eq!((&import["status"], counts(&import)), (&json!("PartialSuccess"), [2, 0, 0, 1]));
    assert_eq!(total().await, 2);

    let uri = format!("{IMPORTS}/{}", id(&import));
    let errors = user.get(&format!("{uri}/errors")).await.is(200);
    let listed: Vec<_> = errors["data"][0]["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|error| (error["column"].as_str().unwrap(), error["message"].as_str().unwrap()))
        .collect();
    let expected = [
        ("Mandant", "This import is for another tenant: NORD"),
        ("Artikelnummer", "There is no “gibt es nicht”"),
        ("Lager", "There is no “LNZ”"),
    ];
    assert_eq!((&errors["data"][0]["line"], &listed[..]), (&json!(4), &expected[..]));
    let answer = user.german().get(&format!("{uri}/error-file")).await;
    let refused = String::from_utf8(answer.bytes.to_vec()).unwrap();
    assert!(refused.contains("Lager: „LNZ“ gibt es nicht"), "{refused}");
    let corrected = refused
        .replace("SUED", "NORD")
        .replace("gibt es nicht;0004713;LNZ", &format!("{};0004713;HH", numbers[0]));
    let second = ended(user, &upload(corrected).send(user, IMPORTS).await.is(201)).await;
    assert_eq!((&second["status"], counts(&second)), (&json!("Success"), [1, 0, 0, 0]));

    // an export changes nothing when it is imported, unless it was edited
    let exported = user.german().get(&format!("{PATH}/export?format=csv")).await;
    let exported = String::from_utf8(exported.bytes.to_vec()).unwrap();
    assert_eq!(
        counts(&ended(user, &upload(&exported).send(user, IMPORTS).await.is(201)).await),
        [0, 0, 3, 0]
    );
    let changed = exported.replace(&format!("{};0004711", numbers[0]), &format!("{};0004711", numbers[1]));
    let third = ended(user, &upload(changed).send(user, IMPORTS).await.is(201)).await;
    assert_eq!(counts(&third), [0, 1, 2, 0], "{exported}");

    let rows = user.get(&format!("{IMPORTS}/{}/rows?filter[outcome]=updated", id(&third))).await.is(200);
    let row = &rows["data"][0];
    assert_eq!((&row["record"], &row["record_name"]), (&json!("matching"), &json!("0004711")));
    let change = json!([{ "field": "article_id", "of": null, "unit": null,
        "from": { "id": articles[0]["id"], "name": numbers[0], "platform": false },
        "to": { "id": articles[1]["id"], "name": numbers[1], "platform": false } }]);
    assert_eq!(row["changes"], change);
    let matching = user.get(&format!("{PATH}/{}", row["record_id"])).await.is(200);
    assert_eq!((&matching["article"]["id"], &matching["version"]), (&articles[1]["id"], &json!(2)));
    let of_one = format!("filter[record]=matching&filter[record_id]={}", row["record_id"]);
    let life = user.get(&format!("/api/admin/audit?{of_one}")).await.is(200);
    let listed: Vec<_> = life["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (&entry["action"], &entry["channel"], &entry["through"]["id"], &entry["tenant"]["id"]))
        .collect();
    let (by, of) = (json!("import"), json!(app.north));
    let (first, third) = (&import["id"], &third["id"]);
    assert_eq!(listed, [(&json!("changed"), &by, third, &of), (&json!("created"), &by, first, &of)]);
    assert_eq!(life["data"][0]["changes"], change);
    let export = lines(&user.german().get(&format!("/api/admin/audit/export?format=csv&{of_one}")).await);
    assert_eq!(export.len(), 3);
    assert!(export[1].contains(&format!("Artikel: {} → {}", numbers[0], numbers[1])), "{export:?}");

    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    south.get(&uri).await.is(404);
    assert_eq!(south.get(&format!("/api/admin/audit?{of_one}")).await.is(200)["meta"]["total"], 0);
    workers.end().await;
}

#[actix_web::test]
async fn importing_matchings_needs_permissions_to_create_and_update_and_a_tenant() {
    let shop = Shop::new().await;
    let app = &shop.catalog.app;
    let file = "Lager;Externe Lagerkennung\r\nDU;L1\r\n";
    for missing in [
        logistics::permissions::CREATE_MATCHING,
        logistics::permissions::UPDATE_MATCHING,
        imports::permissions::CREATE_IMPORT,
    ] {
        let caller = app.caller(Some(app.north), all_but(missing)).await;
        assert_eq!(upload(file).send(&caller, IMPORTS).await.is(403)["code"], "forbidden");
    }
    let admin = &shop.catalog.admin;
    assert_eq!(upload(file).send(admin, IMPORTS).await.is(422)["code"], "tenant_required");
    let workers = app.workers().await;
    let import = upload(file).send(admin, &for_north(app)).await.is(201);
    assert_eq!(counts(&ended(admin, &import).await), [1, 0, 0, 0]);
    assert_eq!(shop.user.get(PATH).await.is(200)["meta"]["total"], 1);
    workers.end().await;
}
