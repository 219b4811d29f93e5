//! The sample files of stocks, prices, listings and matchings: imported upon the demo's data they come out as `examples/README.md` says.

use serde_json::Value;

use crate::{
    examples::example,
    imports::{IMPORTS, ended},
    support::{Form, TestApp},
};

/// Whose file it is, its type, its name; how many rows are new, changed, unchanged, refused, held, unmatched.
const SAMPLES: &[(&str, &str, &str, [i64; 6])] = &[
    ("leitung@nordstahl.example", "Stock", "nord-bestand.csv", [2, 2, 1, 2, 0, 1]),
    ("leitung@nordstahl.example", "Price", "nord-preise.csv", [0, 4, 1, 0, 1, 6]),
    ("leitung@nordstahl.example", "Listing", "nord-angebot.csv", [1, 2, 0, 1, 1, 1]),
    ("leitung@nordstahl.example", "Matching", "nord-zuordnungen.csv", [3, 0, 1, 1, 0, 0]),
    ("leitung@suedrohr.example", "Stock", "sued-bestand.csv", [1, 2, 1, 1, 0, 1]),
    ("leitung@suedrohr.example", "Price", "sued-preise.csv", [0, 3, 1, 0, 1, 5]),
    ("leitung@suedrohr.example", "Listing", "sued-angebot.csv", [1, 1, 0, 0, 1, 1]),
    ("leitung@suedrohr.example", "Matching", "sued-zuordnungen.csv", [2, 0, 1, 1, 0, 0]),
];

const COUNTS: [&str; 6] =
    ["rows_created", "rows_updated", "rows_unchanged", "rows_refused", "rows_held", "rows_unresolved"];

fn counts(import: &Value) -> [i64; 6] {
    COUNTS.map(|name| import[name].as_i64().unwrap())
}

#[actix_web::test]
async fn each_comes_out_as_its_table_says_upon_the_demo() {
    let app = TestApp::full_demo().await;
    let workers = app.workers().await;
    let mut wrong = Vec::new();
    for (email, kind, name, expected) in SAMPLES {
        let client = app.sign_in((*email).to_owned()).await;
        let content = std::fs::read(example(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let queued = Form::new().field("type", kind).file(name, content).send(&client, IMPORTS).await.is(201);
        let import = ended(&client, &queued).await;
        if counts(&import) != *expected {
            let rows = client.get(&format!("{IMPORTS}/{}/rows", import["id"])).await.is(200);
            let errors = client.get(&format!("{IMPORTS}/{}/errors", import["id"])).await.is(200);
            wrong.push(format!("{name}: {:?} {import} {rows} {errors}", counts(&import)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    workers.end().await;
}

#[actix_web::test]
async fn the_demo_begins_with_files_of_suppliers_that_need_somebody() {
    let app = TestApp::full_demo().await;
    for (email, expected) in
        [("leitung@nordstahl.example", [0, 3, 1, 0, 1, 3]), ("leitung@suedrohr.example", [0, 1, 0, 0, 1, 2])]
    {
        let client = app.sign_in(email.to_owned()).await;
        let imports = client.get(IMPORTS).await.is(200);
        assert_eq!(imports["meta"]["total"], 1);
        assert_eq!(counts(&imports["data"][0]), expected, "{imports}");
        let held = client.get("/api/admin/held-prices").await.is(200);
        let of_import = |held: &&Value| held["import_id"] == imports["data"][0]["id"];
        assert_eq!(held["data"].as_array().unwrap().iter().filter(of_import).count(), 1, "{held}");
    }
}
