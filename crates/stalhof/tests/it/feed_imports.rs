//! Imports for a feed of a tenant, started from a file on disk.

use api::work;
use imports::{
    import::{Import, start::FileToImport, upload::ImportInput},
    import_type::ImportType,
};
use logistics::permissions;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use values::{FeedId, Language, Principal, Result, TenantId};

use crate::{
    catalog::id,
    imports::{IMPORTS, counts, ended},
    price_lists::{PATH as PRICE_LISTS, list},
    stocks::{Depot, PATH as STOCKS},
};

const AUDIT: &str = "/api/admin/audit";
const FTP_SETTINGS: &str = "/api/admin/ftp-settings";

/// Id of the tenant's feed.
async fn feed(depot: &Depot) -> i64 {
    let settings = depot.user.get(FTP_SETTINGS).await.is(200);
    match settings["data"].get(0) {
        Some(settings) => id(settings),
        None => id(&depot.user.post(FTP_SETTINGS, crate::ftp_settings::settings("Werk")).await.is(201)),
    }
}

async fn start(depot: &Depot, input: ImportInput, content: &str) -> Result<Import> {
    let feed = feed(depot).await;
    let state = depot.catalog.app.state();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fetched");
    std::fs::write(&path, content).unwrap();
    let file = FileToImport {
        principal: Principal::Feed(FeedId(feed)),
        tenant: TenantId(depot.catalog.app.north),
        profile_id: None,
        language: Language::De,
        path: &path,
        input,
    };
    work::start_import(&state, file).await
}

async fn finished(depot: &Depot, import: &Import) -> Value {
    let workers = depot.catalog.app.workers().await;
    let import = ended(&depot.user, &json!({ "id": import.id })).await;
    workers.end().await;
    import
}

#[actix_web::test]
async fn feed_rows_with_an_unresolved_number_are_imported_later_and_undone() {
    let depot = Depot::new().await;
    let Depot { user, articles, catalog, .. } = &depot;
    let number = articles[1]["article_number"].as_str().unwrap();
    let file = format!("Artikelnummer;Externe Artikelnummer;Lager;Menge\r\n{number};;DU;5\r\n;0815;DU;2\r\n");
    let input = ImportInput::new(ImportType::Stock, "bestand.csv");
    let import = finished(&depot, &start(&depot, input, &file).await.unwrap()).await;
    assert_eq!((counts(&import), &import["rows_unresolved"]), ([1, 0, 0, 0], &json!(1)));
    assert_eq!((&import["created_by"], &import["upload_file"]), (&Value::Null, &json!("bestand.csv")));
    let history = user.get(&format!("{AUDIT}?filter[record]=import&filter[channel]=feed")).await.is(200);
    assert_eq!(history["data"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&history["data"][0]["through"]["id"], &history["data"][0]["user"]),
        (&json!(feed(&depot).await), &Value::Null)
    );

    // the waiting rows are imported automatically, for the same feed
    let matching = json!({ "article_id": articles[0]["id"], "external_article_number": "0815" });
    user.post("/api/admin/matchings", matching).await.is(201);
    let background = catalog.app.background().await;
    let mut replayed = Value::Null;
    for _ in 0..600 {
        let now = user.get(&format!("{IMPORTS}/{}", id(&import))).await.is(200);
        replayed = now["replayed_by"].clone();
        if !replayed.is_null() {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let replay = ended(user, &json!({ "id": replayed })).await;
    background.end().await;
    assert_eq!((counts(&replay), &replay["created_by"]), ([1, 0, 0, 0], &Value::Null));
    let history = user.get(&format!("{AUDIT}?filter[record]=import&filter[channel]=feed")).await.is(200);
    assert_eq!(history["data"].as_array().unwrap().len(), 2);

    let undo = user.post(&format!("{IMPORTS}/{}/undo", id(&import)), json!({})).await.is(201);
    let workers = catalog.app.workers().await;
    let undone = ended(user, &undo).await;
    workers.end().await;
    assert_eq!((&undone["rows_removed"], &undone["created_by"].is_null()), (&json!(1), &false));
    assert_eq!(user.get(STOCKS).await.is(200)["data"].as_array().unwrap().len(), 1);
}

#[actix_web::test]
async fn a_feed_fills_a_price_list_and_implausible_prices_are_put_under_review() {
    let depot = Depot::new().await;
    let Depot { user, articles, catalog, .. } = &depot;
    let target = id(&user.post(PRICE_LISTS, list("Verkauf", catalog.app.north)).await.is(201));
    let file = |first: &str, second: &str| {
        let [one, other] = [0, 1].map(|at| articles[at]["article_number"].as_str().unwrap());
        format!(
            "Artikelnummer;Preis;Preismenge;Preiseinheit\r\n{one};{first};1;t\r\n{other};{second};100;m\r\n"
        )
    };
    let input = || ImportInput { aim: Some(target), ..ImportInput::new(ImportType::PriceList, "preise.csv") };
    let import = finished(&depot, &start(&depot, input(), &file("850", "10,5")).await.unwrap()).await;
    assert_eq!((counts(&import), &import["price_list"]["id"]), ([2, 0, 0, 0], &json!(target)));
    let import = finished(&depot, &start(&depot, input(), &file("8500", "10,6")).await.unwrap()).await;
    assert_eq!((counts(&import), &import["rows_held"]), ([0, 1, 0, 0], &json!(1)));

    let without = start(&depot, ImportInput::new(ImportType::PriceList, "x.csv"), &file("1", "1")).await;
    let refused = without.unwrap_err();
    assert!(format!("{refused:?}").contains("price_list_id"), "{refused:?}");
}

#[actix_web::test]
async fn a_feed_has_only_its_tenants_permissions_for_its_type() {
    let depot = Depot::new().await;
    let Depot { user, articles, catalog, .. } = &depot;
    let number = articles[0]["article_number"].as_str().unwrap();
    let file = format!("Artikelnummer;Lager;Menge\r\n{number};DU;5\r\n");
    let stocks = || ImportInput::new(ImportType::Stock, "bestand.csv");

    // articles belong to the platform, whatever permissions the tenant has
    let of_articles = start(&depot, ImportInput::new(ImportType::Article, "artikel.csv"), &file).await;
    assert_eq!(of_articles.unwrap_err().code(), values::codes::PLATFORM_ONLY);

    let queued = start(&depot, stocks(), &file).await.unwrap();
    let state = catalog.app.state();
    let tx = state.db.begin().await.unwrap();
    let narrow = format!(
        "DELETE FROM tenant_permission WHERE tenant_id = {} AND permission = '{}'",
        catalog.app.north,
        permissions::UPDATE_STOCK.as_str()
    );
    tx.execute_unprepared(&narrow).await.unwrap();
    tx.commit().await.unwrap();
    let refused = start(&depot, stocks(), &file).await.unwrap_err();
    assert_eq!(refused.code(), imports::codes::TENANT_NOT_PERMITTED);
    let failed = finished(&depot, &queued).await;
    assert_eq!((&failed["status"], &failed["rows_done"]), (&json!("Failed"), &json!(0)));
    assert!(user.get(STOCKS).await.is(200)["data"].as_array().unwrap().is_empty());
}

#[actix_web::test]
async fn a_feed_imports_nothing_once_its_settings_are_deleted() {
    let depot = Depot::new().await;
    let Depot { user, articles, .. } = &depot;
    let number = articles[0]["article_number"].as_str().unwrap();
    let file = format!("Artikelnummer;Lager;Menge\r\n{number};DU;5\r\n");
    let queued = start(&depot, ImportInput::new(ImportType::Stock, "bestand.csv"), &file).await.unwrap();
    user.delete(&format!("{FTP_SETTINGS}/{}", feed(&depot).await)).await.is(204);
    assert_eq!(finished(&depot, &queued).await["status"], "Failed");
    assert!(user.get(STOCKS).await.is(200)["data"].as_array().unwrap().is_empty());
}
