//! Natural order of numbers and of names with sizes: the same in both databases, in pages, walks and exports,
//! and for all writers.

use sea_orm::{ConnectionTrait, DbBackend, Statement};
use serde_json::{Value, json};
use store::Database;
use values::{PermissionSet, natural::sort_key};

use crate::{
    catalog::{ARTICLES, Catalog, MATERIALS, column, id},
    exports::lines,
    imports::{IMPORTS, counts, ended},
    shipping_nodes::{NODES, node},
    support::{Client, Form},
    warehouses::warehouse,
};

/// Numbers in natural order.
const NUMBERS: [&str; 12] = [
    "10.5",
    "BL-1.5",
    "BL-1.75",
    "BL-2",
    "BL-02",
    "BL-2.5",
    "BL-10",
    "RD-2",
    "RD-20",
    "RD-20-S235",
    "RD-100",
    "RD-1000",
];

/// Numbers far from their natural order.
fn shuffled() -> Vec<&'static str> {
    let mut numbers = NUMBERS.to_vec();
    numbers.sort_by_key(|number| number.chars().rev().collect::<String>());
    numbers
}

async fn texts(db: &Database, sql: &str) -> Vec<Vec<String>> {
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    let texts = |row: &sea_orm::QueryResult| {
        row.column_names().iter().map(|name| row.try_get::<String>("", name).unwrap()).collect()
    };
    rows.iter().map(texts).collect()
}

/// Checks that every sort key is computed from the folded text beside it, and returns the number of rows.
pub(crate) async fn keys_are_right(db: &Database) -> usize {
    let columns = if db.get_database_backend() == DbBackend::Postgres {
        "SELECT table_name::text AS t, column_name::text AS c FROM information_schema.columns \
         WHERE table_schema = current_schema() AND column_name LIKE '%\\_sort'"
    } else {
        "SELECT m.name AS t, p.name AS c FROM sqlite_master m, pragma_table_info(m.name) p \
         WHERE m.type = 'table' AND p.name LIKE '%\\_sort' ESCAPE '\\'"
    };
    let columns = texts(db, columns).await;
    assert_eq!(columns.len(), 26, "{columns:?}");
    let mut rows = 0;
    for column in columns {
        let [table, key] = column.try_into().unwrap();
        let folded = key.replace("_sort", "_fold");
        for row in texts(db, &format!("SELECT {folded}, {key} FROM {table}")).await {
            assert_eq!(row[1], sort_key(&row[0]), "{table}.{key}");
            rows += 1;
        }
    }
    rows
}

async fn all(client: &Client, uri: &str, field: &str) -> Vec<String> {
    let body = client.get(uri).await.is(200);
    column(&body, field).into_iter().map(str::to_owned).collect()
}

#[actix_web::test]
async fn every_list_of_numbers_is_sorted_naturally() {
    let catalog = Catalog::new().await;
    let Catalog { app, admin, .. } = &catalog;
    let north = app.caller(Some(app.north), PermissionSet::all()).await;
    let mut article = catalog.article(0, "6");
    let mut last = Value::Null;
    for number in shuffled() {
        (article["article_number"], article["article_name"]) =
            (json!(number), json!(format!("Name {number}")));
        last = admin.post(ARTICLES, article.clone()).await.is(201);
        admin.post(MATERIALS, json!({ "name": number, "article_number_name": number })).await.is(201);
        admin.post(NODES, node(number)).await.is(201);
        let place = warehouse(&format!("Lager {number}"), number);
        let place = north.post("/api/admin/warehouses", place).await.is(201);
        let matching = json!({
            "article_id": last["id"], "external_article_number": number,
            "warehouse_id": id(&place), "external_warehouse_identifier": number,
        });
        north.post("/api/admin/matchings", matching).await.is(201);
    }
    for (path, field) in [
        ("articles", "article_number"),
        ("articles", "article_name"),
        ("materials", "article_number_name"),
        ("materials", "name"),
        ("matchings", "external_article_number"),
        ("matchings", "external_warehouse_identifier"),
        ("warehouses", "short_code"),
        ("warehouses", "name"),
        ("shipping-nodes", "name"),
    ] {
        let uri = format!("/api/admin/{path}?page[size]=200&sort={field}");
        let mut found = all(&north, &uri, field).await;
        found.retain(|text| NUMBERS.iter().any(|number| text.ends_with(number)));
        let found: Vec<_> = found.iter().map(|text| text.rsplit(' ').next().unwrap()).collect();
        assert_eq!(found, NUMBERS, "{path} by {field}");
        let mut backwards = all(&north, &uri.replace("sort=", "sort=-"), field).await;
        backwards.reverse();
        backwards.retain(|text| NUMBERS.iter().any(|number| text.ends_with(number)));
        assert_eq!(backwards.len(), NUMBERS.len());
        assert!(backwards.iter().zip(NUMBERS).all(|(text, number)| text.ends_with(number)), "{backwards:?}");
    }
    // page by page, and as a file
    let mut paged = Vec::new();
    for page in 1..=4 {
        let uri = format!(
            "{ARTICLES}?filter[article_type_id]={}&page[size]=4&page[number]={page}",
            id(&catalog.beam)
        );
        paged.extend(all(admin, &uri, "article_number").await);
    }
    assert_eq!(paged, NUMBERS);
    let file = lines(&admin.get(&format!("{ARTICLES}/export?format=csv&sort=article_number")).await);
    let exported: Vec<_> = file[1..].iter().map(|line| line.split(';').nth(1).unwrap()).collect();
    assert_eq!(exported, NUMBERS);
    // a search: matches at the start are first, in natural order
    let found = all(admin, &format!("{ARTICLES}?filter[search]=rd"), "article_number").await;
    assert_eq!(found, ["RD-2", "RD-20", "RD-20-S235", "RD-100", "RD-1000"]);
    assert!(keys_are_right(&app.db).await > 100);

    // changed by hand
    let uri = format!("{ARTICLES}/{}", id(&last));
    (article["article_number"], article["article_name"]) = (json!("RD-3"), json!("Anders"));
    admin.put(&uri, article).await.is(200);
    let found = all(admin, &format!("{ARTICLES}?filter[search]=rd"), "article_number").await;
    assert_eq!(&found[..2], ["RD-2", "RD-3"]);
    keys_are_right(&app.db).await;
}

#[actix_web::test]
async fn the_longest_texts_of_any_script_fit_into_the_indexes() {
    let catalog = Catalog::new().await;
    let mut article = catalog.article(0, "6");
    let longest = "\u{1f701}".repeat(255);
    (article["article_number"], article["article_name"]) = (json!(longest), json!(longest));
    let article = catalog.admin.post(ARTICLES, article).await.is(201);
    assert_eq!(article["article_number"], longest);
}

#[actix_web::test]
async fn all_writers_of_a_number_write_its_sort_key() {
    let catalog = Catalog::new().await;
    let Catalog { app, admin, .. } = &catalog;
    let _workers = app.workers().await;
    for length in ["2", "10", "9", "100"] {
        admin.post(ARTICLES, catalog.article(0, length)).await.is(201);
    }
    // renumbered by a material
    let material = json!({ "name": "S355J2", "article_number_name": "S355", "change_articles": 4 });
    admin.put(&format!("{MATERIALS}/{}", catalog.material), material).await.is(200);
    let expected = ["HEB-200-S355-2", "HEB-200-S355-9", "HEB-200-S355-10", "HEB-200-S355-100"];
    assert_eq!(all(admin, ARTICLES, "article_number").await, expected);
    keys_are_right(&app.db).await;
    // made and changed by imports
    let user = app.caller(Some(app.north), PermissionSet::all()).await;
    for number in ["1", "2"] {
        user.post("/api/admin/warehouses", warehouse(&format!("Halle {number}0"), number)).await.is(201);
    }
    for file in ["Artikelnummer;Externe Artikelnummer\nHEB-200-S355-2;K-10\nHEB-200-S355-9;K-9\nHEB-200-S355-10;K-100\n";
        2]
    {
        let form = Form::new().field("type", "Matching").file("matchings.csv", file);
        let import = form.send(&user, IMPORTS).await.is(201);
        assert_eq!(counts(&ended(&user, &import).await)[3], 0);
    }
    let found = all(&user, "/api/admin/matchings", "external_article_number").await;
    assert_eq!(found, ["K-9", "K-10", "K-100"]);
    keys_are_right(&app.db).await;
}
