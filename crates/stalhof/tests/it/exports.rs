//! Lists as files, as the menus of the screens request them.

use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, ATTRIBUTES, Catalog, MATERIALS, TYPES, beam_type, id},
    document::{document, resolved},
    support::{Answer, TestApp, all_but},
};

/// Lines of a CSV file, without its byte order mark.
pub(crate) fn lines(answer: &Answer) -> Vec<String> {
    answer.is(200);
    let text = String::from_utf8(answer.bytes.to_vec()).unwrap();
    let text = text.strip_prefix('\u{FEFF}').expect("a byte order mark");
    text.split_terminator("\r\n").map(str::to_owned).collect()
}

#[actix_web::test]
async fn a_filtered_and_sorted_list_is_exported_in_the_words_of_its_screen() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    for (name, density) in
        [("S235JR", json!("7.85")), ("S355J2", json!(null)), ("=1+1;\"x\"", json!("2.705"))]
    {
        admin.post(MATERIALS, json!({ "name": name, "density": density })).await.is(201);
    }
    let uri = format!("{MATERIALS}/export?format=csv");
    let answer = admin.german().get(&uri).await;
    let found = lines(&answer);
    assert_eq!(
        found[0],
        "Name;Werkstoffnummer;Anzeigename;Kürzel in Artikelnummern;Dichte (kg/dm³);Geändert"
    );
    assert!(found[1].starts_with("\"'=1+1;\"\"x\"\"\";;;;2,7050;"), "{}", found[1]);
    assert!(found[2].starts_with("S235JR;;;;7,85;"), "{}", found[2]);
    let time = found[2].rsplit(';').next().unwrap();
    assert!(chrono::NaiveDateTime::parse_from_str(time, "%d.%m.%Y %H:%M").is_ok(), "{time}");
    assert_eq!(found.len(), 4);
    assert!(answer.header("content-disposition").contains("filename=\"Werkstoffe-20"));
    assert_eq!(answer.header("content-type"), "text/csv");
    assert_eq!(answer.header("cache-control"), "no-store");

    let filtered =
        admin.get(&format!("{uri}&filter[name]=s&sort=-name&filter[density_greater_than]=1")).await;
    let found = lines(&filtered);
    assert!(found[0].starts_with("Name;Material number;"), "{}", found[0]);
    assert_eq!(found[1..].iter().map(|line| &line[..6]).collect::<Vec<_>>(), ["S235JR"]);
}

#[actix_web::test]
async fn every_export_has_a_media_type_of_the_contract() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let document = document();
    let mut seen = 0;
    for (path, item) in document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .filter(|(path, _)| path.ends_with("/export") && !path.contains('{'))
    {
        for format in ["csv", "xlsx"] {
            let mut answer = admin.get(&format!("{path}?format={format}")).await;
            if answer.status.as_u16() == 422 {
                answer = admin.get(&format!("{path}?format={format}&tenant_id={}", app.north)).await;
            }
            answer.is(200);
            let described = resolved(&document, &item["get"]["responses"]["200"]);
            let types = described["content"].as_object().unwrap();
            assert!(
                types.contains_key(answer.header("content-type")),
                "{path}: {}",
                answer.header("content-type")
            );
            seen += 1;
        }
    }
    assert!(seen >= 20, "{seen}");
}

#[actix_web::test]
async fn unknown_formats_and_parameters_are_refused() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let uri = format!("{MATERIALS}/export");
    admin.get(&uri).await.is_refused_at(&["format"]);
    admin.get(&format!("{uri}?format=pdf")).await.is_refused_at(&["format"]);
    admin
        .get(&format!("{uri}?format=csv&page[size]=20&filter[x]=1"))
        .await
        .is_refused_at(&["page[size]", "filter[x]"]);
    let uri = format!("{uri}?format=csv");
    app.caller(None, all_but(catalog::permissions::LIST_MATERIALS)).await.get(&uri).await.is(403);
    let reader =
        PermissionSet::from_iter([values::permissions::ACCESS_ADMIN, catalog::permissions::LIST_MATERIALS]);
    app.caller(Some(app.north), reader).await.get(&uri).await.is(200);
}

fn trade_lengths() -> Value {
    let range = |short_code: &str, minimum: Option<&str>, maximum: Option<&str>, calculation_value: &str| json!({ "short_code": short_code, "minimum": minimum, "maximum": maximum, "calculation_value": calculation_value });
    json!({
        "name": "Lagerlängen",
        "clusters": [range("L12", Some("6.11"), None, "12.1"), range("L06", Some("1"), Some("6.11"), "6.1")],
    })
}

#[actix_web::test]
async fn trade_dimensions_are_exported_by_range_and_named_at_their_article_types() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    let lengths = admin.post("/api/admin/trade-dimensions", trade_lengths()).await.is(201);
    let german = admin.german();
    let found = lines(&german.get("/api/admin/trade-dimensions/export?format=csv&filter[name]=lager").await);
    assert_eq!(found[0], "Name;Kurzzeichen;Von [m];Bis unter [m];Abrechnungslänge [m];Geändert");
    assert!(found[1].starts_with("Lagerlängen;L06;1;6,11;6,1;"), "{}", found[1]);
    assert!(found[2].starts_with("Lagerlängen;L12;6,11;;12,1;"), "{}", found[2]);

    let mut bars = beam_type(id(&catalog.height), id(&catalog.length), id(&catalog.surface));
    bars["name"] = json!("Stäbe");
    bars["trade_dimension_id"] = lengths["id"].clone();
    bars["attributes"][1]["dimension"] = json!("length");
    admin.post(TYPES, bars).await.is(201);
    let found = lines(&german.get(&format!("{TYPES}/export?format=csv&sort=name")).await);
    let column = found[0].split(';').position(|name| name == "Handelslänge").unwrap();
    let cells: Vec<_> = found[1..].iter().filter_map(|line| line.split(';').nth(column)).collect();
    assert_eq!(cells, ["", "Lagerlängen"]);
}

#[actix_web::test]
async fn every_list_has_column_names_in_both_languages() {
    let catalog = Catalog::new().await;
    let Catalog { admin, .. } = &catalog;
    admin.post(ARTICLES, catalog.article(0, "12.1")).await.is(201);
    let group = json!({ "name": "Träger", "description": null });
    admin.post("/api/admin/article-type-groups", group).await.is(201);
    let sawing =
        json!({ "name": "Sägen", "type": "sawing", "article_number_addition_template": "S{schnittlaenge}" });
    admin.post("/api/admin/processings", sawing).await.is(201);
    admin.post("/api/admin/trade-dimensions", trade_lengths()).await.is(201);
    let group = json!({ "name": "Verbund", "description": null, "tenant_ids": [] });
    admin.post("/api/admin/tenant-groups", group).await.is(201);
    for (path, cells) in [
        ("/api/admin/article-type-groups", ["Träger", "Träger"]),
        ("/api/admin/processings", ["Sägen", "Sawing"]),
        ("/api/admin/trade-dimensions", ["L12", "L12"]),
        (MATERIALS, ["S235JR", "S235JR"]),
        (ATTRIBUTES, ["Auswahl", "Choice"]),
        (TYPES, ["Breitflanschträger HEB", "Breitflanschträger HEB"]),
        (ARTICLES, ["HEB-200-S235-12.1", "HEB-200-S235-12.1"]),
        ("/api/admin/tenants", ["NORD", "NORD"]),
        ("/api/admin/tenant-groups", ["Verbund", "Verbund"]),
        ("/api/admin/users", ["Aktiv", "Active"]),
        ("/api/admin/roles", ["Plattform", "Platform"]),
        ("/api/admin/audit", ["Angelegt", "Created"]),
    ] {
        let uri = format!("{path}/export?format=csv");
        for (client, cell) in [admin.german(), admin.clone()].iter().zip(cells) {
            let answer = client.get(&uri).await;
            let found = lines(&answer);
            assert!(!found[0].contains('_'), "{}", found[0]);
            assert!(found[1..].iter().any(|line| line.split(';').any(|found| found == cell)), "{found:?}");
        }
        let workbook = admin.get(&format!("{path}/export?format=xlsx")).await;
        workbook.is(200);
        assert!(workbook.bytes.starts_with(b"PK"));
        assert!(
            workbook.header("content-type").contains("spreadsheetml"),
            "{}",
            workbook.header("content-type")
        );
    }
}

/// Cells of a CSV file, none of which contains a separator.
fn cells(answer: &Answer) -> Vec<Vec<String>> {
    lines(answer).iter().map(|line| line.split(';').map(str::to_owned).collect()).collect()
}

#[actix_web::test]
async fn visible_users_are_exported_with_their_roles_and_without_secrets() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let manager = PermissionSet::parse(["access-admin", "user.list", "user.view", "roles.list"]);
    let north = app.caller(Some(app.north), manager).await;
    app.caller(Some(app.south), manager).await;
    let reader = json!({ "name": "=Lager", "permissions": ["access-admin"] });
    let reader = admin.post(&format!("/api/admin/roles?tenant_id={}", app.north), reader).await.is(201);
    let person = json!({ "name": "=cmd|' /C calc'!A0", "email": "ute@nord.example", "tenant_id": app.north,
        "role_ids": [reader["id"]], "permissions": [] });
    admin.post("/api/admin/users", person).await.is(201);

    let uri = "/api/admin/users/export?format=csv";
    let found = cells(&admin.german().get(uri).await);
    assert_eq!(
        found[0],
        ["Name", "E-Mail", "Mandant", "Rollen", "Rechte einschränken", "Status", "Geändert"]
    );
    let row = |email: &str| found.iter().find(|row| row[1] == email).unwrap()[..6].to_vec();
    assert_eq!(found.len(), 5);
    assert_eq!(row("user0@test.example")[2..], ["Plattform", "Rolle 0", "Nein", "Aktiv"]);
    assert_eq!(row("user1@test.example")[2..], ["NORD GmbH", "Rolle 1", "Nein", "Aktiv"]);
    let never_invited = "Noch nicht eingeladen";
    // a text that looks like a formula is escaped
    assert_eq!(
        row("ute@nord.example"),
        ["'=cmd|' /C calc'!A0", "ute@nord.example", "NORD GmbH", "'=Lager", "Ja", never_invited]
    );
    let text = found.concat().join("\n");
    for secret in ["argon2", "hash", "ses_", "lnk_"] {
        assert!(!text.contains(secret), "{secret}");
    }

    let emails = async |client: &crate::support::Client, query: &str| {
        let found = cells(&client.get(&format!("{uri}{query}")).await);
        found[1..].iter().map(|row| row[1].clone()).collect::<Vec<_>>()
    };
    let own = ["ute@nord.example", "user1@test.example"];
    assert_eq!(emails(&north, "&sort=-email").await, ["ute@nord.example", "user1@test.example"]);
    assert_eq!(emails(&admin, &format!("&sort=-email&tenant_id={}", app.north)).await, own);
    assert_eq!(emails(&admin, "&filter[status]=Verified&sort=email").await.len(), 3);
    let blind = app.caller(Some(app.north), manager.without(identity::permissions::LIST_USERS)).await;
    blind.get(uri).await.is(403);
}

#[actix_web::test]
async fn visible_roles_are_exported_with_their_permissions_in_words() {
    let app = TestApp::new().await;
    let admin = app.platform().await;
    let manager = PermissionSet::parse(["access-admin", "roles.list", "listing.update"]);
    let north = app.caller(Some(app.north), manager).await;
    for (tenant, name) in [(app.north, "=Disposition"), (app.south, "Verkauf")] {
        let role = json!({ "name": name, "permissions": ["material.list", "view.share"] });
        admin.post(&format!("/api/admin/roles?tenant_id={tenant}"), role).await.is(201);
    }
    let uri = "/api/admin/roles/export?format=csv&sort=name";
    let found = cells(&admin.german().get(uri).await);
    assert_eq!(found[0], ["Name", "Mandant", "Rechte", "Benutzer", "Geändert"]);
    let rows = |found: &[Vec<String>]| found[1..].iter().map(|row| row[..4].join("|")).collect::<Vec<_>>();
    let all = rows(&found);
    let row_of = |name: &str| all.iter().find(|row| row.starts_with(name)).unwrap().clone();
    assert_eq!(all.len(), 4);
    assert_eq!(
        row_of("Rolle 1"),
        "Rolle 1|Plattform|Adminbereich nutzen, Rollen: Auflisten, Preise: Ändern|1"
    );
    assert_eq!(row_of("'="), "'=Disposition|NORD GmbH|Werkstoffe: Auflisten, Ansichten für alle freigeben|0");
    let own = rows(&cells(&north.get(uri).await));
    assert_eq!(
        own.iter().map(|row| row.split('|').next().unwrap()).collect::<Vec<_>>(),
        ["'=Disposition", "Rolle 0", "Rolle 1"]
    );
    assert!(own[2].ends_with("|Platform|Use the admin area, Roles: List, Prices: Change|1"), "{own:?}");
    app.caller(Some(app.north), manager.without(identity::permissions::LIST_ROLES))
        .await
        .get(uri)
        .await
        .is(403);
}
