//! The demo: a realistic catalogue, filled only once.

use std::collections::{BTreeSet, HashSet};

use api::demo_accounts;
use catalog::{
    article::{self, Article, Articles},
    article_type::{ArticleType, ArticleTypes},
    attribute::{self, AttributeType, Attributes},
    category,
    material::Materials,
    trade_dimension::{self, TradeDimensions},
};
use lists::Creatable;
use sea_orm::{ColumnTrait, ConnectionTrait, PaginatorTrait, QueryFilter, QueryOrder};
use serde_json::{Value, json};
use stalhof::demo;
use storage::Storage;
use store::{Database, Scope};
use values::{Decimal, PermissionSet};

use crate::support::TestApp;

/// Fills the database; the pictures are deleted with their folder.
async fn fill(db: &Database) {
    let folder = tempfile::tempdir().unwrap();
    demo::fill(db, &Storage::in_folder(folder.path()).unwrap()).await.unwrap();
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

async fn articles(db: &Database) -> Vec<Article> {
    Scope::platform().find::<Articles>().order_by_asc(article::Column::Id).all(db).await.unwrap()
}

async fn article(db: &Database, number: &str) -> Article {
    let numbered = article::Column::ArticleNumber.eq(number);
    let found = Scope::platform().find::<Articles>().filter(numbered).one(db).await.unwrap();
    found.unwrap_or_else(|| panic!("there is no {number}"))
}

#[actix_web::test]
async fn the_demo_has_a_thousand_distinct_articles_with_weights() {
    let db = TestApp::full_demo().await.db;
    let scope = Scope::platform();
    let articles = articles(&db).await;
    assert!(articles.len() >= 1_000, "{}", articles.len());

    let numbers: HashSet<_> = articles.iter().map(|article| &article.article_number_fold).collect();
    assert_eq!(numbers.len(), articles.len());
    let names: HashSet<_> = articles.iter().map(|article| &article.article_name_fold).collect();
    assert_eq!(names.len(), articles.len(), "names tell articles apart as well");
    for article in &articles {
        assert!(article.weight_per_base_unit.is_some(), "{} has no weight", article.article_number);
        assert!(!article.article_number_overridden && !article.article_name_overridden);
    }

    let types: Vec<ArticleType> = scope.find::<ArticleTypes>().all(&*db).await.unwrap();
    for article_type in &types {
        let some = articles.iter().any(|article| article.article_type_id == article_type.id);
        assert!(some, "there is no article of {}", article_type.name);
    }
    assert_eq!(scope.find::<Materials>().count(&*db).await.unwrap(), 35);
    for kind in [AttributeType::Categorial, AttributeType::Metric, AttributeType::Custom] {
        let of_kind = scope.find::<Attributes>().filter(attribute::Column::Type.eq(kind));
        assert!(of_kind.count(&*db).await.unwrap() > 0, "{kind:?}");
    }
}

#[actix_web::test]
async fn beams_have_the_commercial_lengths_of_the_mills() {
    let db = TestApp::full_demo().await.db;
    let scope = Scope::platform();
    let named = trade_dimension::Column::Name.eq("Handelslängen Träger");
    let beams = scope.find::<TradeDimensions>().filter(named).one(&*db).await.unwrap().unwrap();
    let ladders = trade_dimension::ladders(&*db, &scope, [beams.id]).await.unwrap();
    for (millimetres, short_code, charged) in [
        ("5000", "L06", "6100"),
        ("10400", "L12", "12100"),
        ("12100", "L12", "12100"),
        ("24100", "L18", "18100"),
    ] {
        let cluster = ladders[&beams.id].cluster_of(decimal(millimetres)).unwrap();
        assert_eq!((&*cluster.short_code, cluster.calculation_value), (short_code, decimal(charged)));
    }
}

#[actix_web::test]
async fn article_names_and_weights_match_published_tables() {
    let db = TestApp::full_demo().await.db;
    for (number, name, weight) in [
        ("IPE-80-S235JR-6.1", "IPE 80 S235JR 6,1 m", "6"),
        ("HEA-200-S355J2-15.1", "HEA 200 S355J2 15,1 m", "42.3"),
        ("HEB-200-S235JR-12.1", "HEB 200 S235JR 12,1 m", "61.3"),
        ("HEB-300-S235JR-18.1", "HEB 300 S235JR 18,1 m", "117"),
        ("FL-100x10-S235JR-6", "Flachstahl 100 x 10 S235JR 6 m", "7.85"),
        ("RD-20-S235JR-WG-6", "Rundstahl 20 S235JR warmgewalzt 6 m", "2.47"),
        ("RD-20-1.4301-H9-3", "Rundstahl 20 1.4301 blank h9 3 m", "2.48"),
        ("VK-10-S235JR-WG-6", "Vierkantstahl 10 S235JR warmgewalzt 6 m", "0.785"),
        ("SK-30-11SMN30-H11-3", "Sechskantstahl SW 30 11SMn30 blank h11 3 m", "6.12"),
        ("L-50x5-S235JR-6", "Winkelstahl 50 x 5 S235JR 6 m", "3.77"),
        ("L-100x50x6-S235JR-6", "Winkelstahl ungleichschenklig 100 x 50 x 6 S235JR 6 m", "6.84"),
        ("UPE-200-S235JR-12.1", "UPE 200 S235JR 12,1 m", "22.8"),
        ("UPN-160-S235JR-6.1", "UPN 160 S235JR 6,1 m", "18.8"),
        ("U-50x25x5-S235JR-6", "U-Profil 50 x 25 x 5 S235JR 6 m", "3.86"),
        ("T-40x40x5-S235JR-6", "T-Profil 40 x 40 x 5 S235JR 6 m", "2.96"),
        ("BST-12-B500B-14", "Betonstahl 12 B500B 14 m", "0.888"),
        ("HPK-100x100x5-S235JRH-6", "Hohlprofil kalt 100 x 100 x 5 S235JRH 6 m", "14.4"),
        ("HPW-100x100x5-S355J2H-12", "Hohlprofil warm 100 x 100 x 5 S355J2H 12 m", "14.7"),
        ("RO-60.3x3.6-S235JRH-GE-6", "Rohr 60,3 x 3,6 S235JRH geschweißt 6 m", "5.03"),
        ("BL-10-1500x3000-S235JR", "Blech 10 x 1500 x 3000 S235JR", "78.5"),
        ("TR-4-1250x2500-S235JR", "Tränenblech 4 x 1250 x 2500 S235JR", "33.4"),
        ("BL-1.5-1000x2000-AW5754", "Blech 1,5 x 1000 x 2000 EN AW-5754", "4.005"),
    ] {
        let article = article(&db, number).await;
        assert_eq!(article.article_name, name);
        // Published tables have fewer digits.
        let printed = weight.split_once('.').map_or(0, |(_, places)| places.len());
        let rounded = article.weight_per_base_unit.unwrap().rounded(u32::try_from(printed).unwrap());
        assert_eq!(rounded, decimal(weight), "{number}");
        assert!(!article.weight_per_base_unit_overridden, "{number}");
    }
}

#[actix_web::test]
async fn article_types_are_grouped_and_beams_have_commercial_lengths() {
    let db = TestApp::full_demo().await.db;
    let types = Scope::platform().find::<catalog::article_type::ArticleTypes>().all(&*db).await.unwrap();
    assert!(types.iter().all(|article_type| article_type.article_type_group_id.is_some()));
    let beam = article(&db, "HEB-200-S235JR-12.1").await;
    let cluster = catalog::article::get(&db, &Scope::platform(), beam.id).await.unwrap().cluster.unwrap();
    assert_eq!((cluster.short_code.as_str(), cluster.calculation_value), ("L12", decimal("12100")));
}

#[actix_web::test]
async fn the_demo_fills_a_database_only_once() {
    let db = TestApp::full_demo().await.db;
    let first = articles(&db).await;
    fill(&db).await;
    assert_eq!(articles(&db).await, first);
}

#[actix_web::test]
async fn a_database_with_an_account_is_not_filled() {
    let app = TestApp::new().await;
    app.platform().await;
    fill(&app.db).await;
    assert_eq!(articles(&app.db).await, []);
    assert!(!demo::is_in(&app.db).await.unwrap());
}

#[actix_web::test]
async fn interrupted_filling_is_continued() {
    let db = testkit::database().await;
    let scope = Scope::platform();
    let steel = catalog::material::MaterialInput {
        name: "S235JR".to_owned(),
        display_name: None,
        article_number_name: None,
        material_number: None,
        density: None,
        change_articles: None,
        version: None,
    };
    let steel = Materials::create(&db, &scope, steel).await.unwrap();
    fill(&db).await;
    assert_eq!(article(&db, "HEB-200-S235JR-12.1").await.material_id, Some(steel.id));
    assert!(demo::is_in(&db).await.unwrap());
}

#[actix_web::test]
async fn accounts_missing_after_an_interruption_are_created_on_the_next_start() {
    let db = testkit::database().await;
    demo::accounts(&db).await.unwrap();
    let tx = db.begin().await.unwrap();
    for sql in [
        "DELETE FROM user_role",
        "DELETE FROM \"user\" WHERE email IN ('admin@stalhof.example', 'niemand@nordstahl.example')",
        "DELETE FROM tenant_group_member",
        "DELETE FROM tenant_group",
    ] {
        tx.execute_unprepared(sql).await.unwrap();
    }
    tx.commit().await.unwrap();
    fill(&db).await;
    assert!(demo::is_in(&db).await.unwrap());
    assert!(!articles(&db).await.is_empty());
    for account in demo_accounts::ACCOUNTS {
        assert!(identity::user::lookup::is_known(&*db, account.email).await.unwrap(), "{}", account.email);
    }
}

#[actix_web::test]
async fn the_categories_cover_every_article_type_and_show_its_section() {
    let app = TestApp::full_demo().await;
    let (db, storage) = (&*app.db, Storage::in_folder(app.folder.path()).unwrap());
    let scope = Scope::platform();
    let tree = category::tree(db, &scope).await.unwrap();
    let roots: Vec<_> =
        tree.iter().filter(|node| node.above.is_empty()).map(|node| &node.category.name).collect();
    assert_eq!(roots, ["Langprodukte", "Flachprodukte", "Rohre und Hohlprofile"]);
    let types: Vec<ArticleType> = scope.find::<ArticleTypes>().all(db).await.unwrap();
    for ArticleType { id, name, .. } in types {
        let found = tree.iter().find(|node| node.category.article_type_id == Some(id));
        let found = found.unwrap_or_else(|| panic!("no category of {name}"));
        let image = found.images.category.as_ref().unwrap_or_else(|| panic!("no picture of {name}"));
        assert!(storage.fetch(&image.key).await.is_ok());
    }
}

#[actix_web::test]
async fn the_shipping_network_has_a_finding_of_each_kind() {
    let app = TestApp::full_demo().await;
    let admin = app.platform().await;
    let nodes = admin.get("/api/admin/shipping-nodes?page[size]=200").await.is(200);
    let at_warehouses = |node: &&Value| node["warehouse"].is_object();
    assert_eq!(nodes["data"].as_array().unwrap().iter().filter(at_warehouses).count(), 6);
    let findings = admin.get("/api/admin/shipping/findings").await.is(200);
    let found: BTreeSet<_> =
        findings["data"].as_array().unwrap().iter().map(|found| found["type"].as_str().unwrap()).collect();
    let all = [
        "coordinates_elsewhere",
        "isolated_warehouse",
        "leg_without_departures",
        "long_transfer",
        "no_return_leg",
        "unreachable_departure",
        "unreachable_node",
    ];
    assert_eq!(found, all.into());
}

#[actix_web::test]
async fn the_steel_catalogue_is_filled_in_parts_and_keeps_existing_records() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let total = async |list: &str| {
        admin.get(&format!("/api/admin/{list}")).await.is(200)["meta"]["total"].as_u64().unwrap()
    };
    let fill =
        async |parts: &[&str]| admin.post("/api/admin/steel-catalogue", json!({ "parts": parts })).await;
    let counts = |answer: Value| {
        let counts = answer["data"].as_array().unwrap().iter();
        counts
            .map(|count| (count["part"].as_str().unwrap().to_owned(), count["created"].as_u64().unwrap()))
            .collect::<Vec<_>>()
    };
    fill(&[]).await.is_refused_at(&["parts"]);
    admin.post("/api/admin/materials", json!({ "name": "s235jr" })).await.is(201);
    let materials = counts(fill(&["materials"]).await.is(200));
    assert_eq!(materials, [("materials".to_owned(), total("materials").await - 1)]);
    assert_eq!(total("attributes").await, 0);
    // article types include the attributes that they refer to
    let types = counts(fill(&["article_types"]).await.is(200));
    assert_eq!(types[0].0, "attributes");
    assert_eq!(
        types[1],
        ("article_types".to_owned(), total("article-types").await + total("article-type-groups").await)
    );
    assert_eq!(total("trade-dimensions").await, 0, "only what was chosen");
    let again = counts(fill(&["materials", "attributes", "article_types"]).await.is(200));
    assert!(again.iter().all(|(_, created)| *created == 0), "{again:?}");
    for list in ["tenants", "articles"] {
        let before = if list == "tenants" { 2 } else { 0 };
        assert_eq!(total(list).await, before, "{list}");
    }
    let north = app.caller(Some(app.north), PermissionSet::all()).await;
    north.post("/api/admin/steel-catalogue", json!({ "parts": ["materials"] })).await.is(403);
}
