//! Sample files of all types but articles: imported into the demo's data they have the results listed in
//! `examples/README.md`.

use serde_json::Value;

use crate::{
    examples::example,
    imports::{IMPORTS, ended},
    support::{Form, TestApp},
};

/// Uploader, type and name of each file; numbers of its rows that are new, changed, unchanged, refused, under
/// review, unmatched, removed.
const SAMPLES: &[(&str, &str, &str, [i64; 7])] = &[
    ("leitung@nordstahl.example", "Stock", "nord-bestand.csv", [2, 2, 1, 2, 0, 1, 0]),
    ("leitung@nordstahl.example", "Price", "nord-preise.csv", [0, 4, 1, 0, 1, 6, 0]),
    ("leitung@nordstahl.example", "Listing", "nord-angebot.csv", [1, 2, 0, 1, 1, 1, 0]),
    ("leitung@nordstahl.example", "Matching", "nord-zuordnungen.csv", [3, 0, 1, 1, 0, 0, 0]),
    ("leitung@nordstahl.example", "ExternalApiMetaData", "nord-metadaten.json", [4, 0, 5, 1, 0, 0, 0]),
    ("leitung@nordstahl.example", "DeleteMatchings", "nord-zuordnungen-loeschen.csv", [0, 0, 0, 2, 0, 0, 2]),
    ("leitung@suedrohr.example", "Stock", "sued-bestand.csv", [1, 2, 1, 1, 0, 1, 0]),
    ("leitung@suedrohr.example", "Price", "sued-preise.csv", [0, 3, 1, 0, 1, 5, 0]),
    ("leitung@suedrohr.example", "Listing", "sued-angebot.csv", [1, 1, 0, 0, 1, 1, 0]),
    ("leitung@suedrohr.example", "Matching", "sued-zuordnungen.csv", [2, 0, 1, 1, 0, 0, 0]),
    ("leitung@suedrohr.example", "ExternalApiMetaData", "sued-metadaten.json", [2, 0, 3, 1, 0, 0, 0]),
    ("leitung@suedrohr.example", "DeleteMatchings", "sued-zuordnungen-loeschen.csv", [0, 0, 0, 1, 0, 0, 2]),
];

const COUNTS: [&str; 7] = [
    "rows_created",
    "rows_updated",
    "rows_unchanged",
    "rows_refused",
    "rows_held",
    "rows_unresolved",
    "rows_removed",
];

fn counts(import: &Value) -> [i64; 7] {
    COUNTS.map(|name| import[name].as_i64().unwrap())
}

#[actix_web::test]
async fn each_sample_file_has_its_expected_result_in_the_demo() {
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
async fn the_demo_starts_with_tasks_that_need_attention() {
    let app = TestApp::full_demo().await;
    let demo = [
        ("leitung@nordstahl.example", "preisliste-walzwerk.csv", [0, 3, 1, 0, 1, 3, 0]),
        ("leitung@suedrohr.example", "preise-november.csv", [0, 1, 0, 0, 1, 2, 0]),
    ];
    for (email, name, expected) in demo {
        let client = app.sign_in(email.to_owned()).await;
        let imports = client.get(IMPORTS).await.is(200);
        let imports = imports["data"].as_array().unwrap();
        let price_list = imports.iter().find(|import| import["upload_file"] == name).unwrap();
        assert_eq!(counts(price_list), expected, "{price_list}");
        let held = client.get("/api/admin/held-prices").await.is(200);
        let of_import = |held: &&Value| held["import_id"] == price_list["id"];
        assert_eq!(held["data"].as_array().unwrap().iter().filter(of_import).count(), 1, "{held}");

        // from the system's own document, and from rows
        let numbers = |query: &str| format!("/api/admin/unresolved-numbers?filter[state]=open&{query}");
        let listed = client.get(&numbers("filter[times]=0")).await.is(200);
        let candidate = &listed["data"][0];
        assert_eq!((&candidate["waiting"], candidate["times"].as_i64()), (&0.into(), Some(0)), "{listed}");
        assert_ne!(client.get(&numbers("filter[times_greater_than]=0")).await.is(200)["meta"]["total"], 0);
        let mut suggested = 0;
        for row in listed["data"].as_array().unwrap() {
            let shown = client.get(&format!("/api/admin/unresolved-numbers/{}", row["id"])).await.is(200);
            suggested += usize::from(shown["suggestions"][0].is_object());
        }
        assert!(suggested > 0, "a document's names suggest something");

        let attention = client.get("/api/admin/attention").await.is(200);
        for about in ["open_numbers", "held_prices", "old_stocks", "old_prices", "partial_imports"] {
            let concern =
                attention["data"].as_array().unwrap().iter().find(|concern| concern["about"] == about);
            assert!(
                concern.is_some_and(|concern| concern["count"].as_u64() > Some(0)),
                "{about}: {attention}"
            );
        }
    }
    let client = app.sign_in("leitung@nordstahl.example".to_owned()).await;
    let imports = client.get(IMPORTS).await.is(200);
    let undo = imports["data"].as_array().unwrap().iter().find(|import| !import["undoes"].is_null()).unwrap();
    assert_eq!((&undo["status"], &undo["rows_updated"]), (&"Success".into(), &3.into()), "{undo}");
}
