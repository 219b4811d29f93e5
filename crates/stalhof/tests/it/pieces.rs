//! Sheets whose format is an option: ordered, stocked, requested and priced in pieces.

use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, ATTRIBUTES, Catalog, TYPES, id, resent},
    support::Client,
    warehouses::warehouse,
};

const QUOTES: &str = "/api/v1/quotes";

/// Type of sheets with a thickness and a format, and one of its articles.
struct Sheets {
    catalog: Catalog,
    user: Client,
    format: Value,
    sheet: Value,
    article: Value,
}

fn option(name: &str, value: &str) -> Value {
    json!({ "name": name, "value": value })
}

fn sheet_type(thickness: i64, format: i64, dimension: Value) -> Value {
    json!({
        "name": "Blech",
        "article_number_template": "BL-{dicke}-{format}",
        "article_name_template": "Blech {dicke} x {format}",
        "base_unit_of_measure": "m2", "listing_unit_of_measure": "piece", "price_unit_of_measure": "t",
        "section": "sheet",
        "attributes": [
            { "attribute_id": thickness, "primary": true, "dimension": "thickness" },
            { "attribute_id": format, "primary": true, "dimension": dimension },
        ],
    })
}

impl Sheets {
    /// Creates sheets of 3 mm, 1000 by 2000, of 23.55 kg/m², at 1,000 EUR per tonne.
    async fn new() -> Self {
        let catalog = Catalog::new().await;
        let admin = &catalog.admin;
        let thickness =
            json!({ "name": "Dicke", "type": "metric", "unit_category": "length", "default_unit": "mm" });
        let thickness = id(&admin.post(ATTRIBUTES, thickness).await.is(201));
        // the number abbreviates the first option, whose name has the format
        let options = [option("1000 x 2000", "KF"), option("1250.5x2500.5", "1250.5x2500.5")];
        let format = json!({ "name": "Format", "type": "categorial", "options": options });
        let format = admin.post(ATTRIBUTES, format).await.is(201);
        let sheet = admin.post(TYPES, sheet_type(thickness, id(&format), "format".into())).await.is(201);
        let dense = json!({ "name": "Stahl", "density": "7.85" });
        let dense = id(&admin.post("/api/admin/materials", dense).await.is(201));
        let article = json!({
            "article_type_id": sheet["id"], "material_id": dense,
            "values": [
                { "attribute_id": thickness, "number": "3", "unit": "mm" },
                { "attribute_id": format["id"], "option_id": format["options"][0]["id"] },
            ],
        });
        let article = admin.post(ARTICLES, article).await.is(201);
        let user = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
        Self { catalog, user, format, sheet, article }
    }
}

#[actix_web::test]
async fn a_sheet_whose_format_is_an_option_is_counted_ordered_and_priced_in_pieces() {
    let sheets = Sheets::new().await;
    let Sheets { user, article, .. } = &sheets;
    let of = |amount: &str, unit: &str| json!({ "amount": amount, "unit": unit });
    let quantities = format!("{ARTICLES}/{}/quantities", id(article));
    let five = user.post(&quantities, of("5", "piece")).await.is(200);
    assert_eq!(five["equivalents"], json!([of("10", "m2"), of("235.5", "kg")]));
    assert_eq!(five["sheet"], json!({ "length": "2000", "width": "1000", "weight": "47.1" }));

    user.post("/api/admin/warehouses", warehouse("Duisburg", "DU")).await.is(201);
    let number = &article["article_number"];
    let place = json!({ "article_number": number, "warehouse_short_code": "DU" });
    let mut stock = place.clone();
    (stock["quantity"], stock["quantity_unit"]) = (json!("5"), json!("piece"));
    let made = user.put("/api/v1/stocks", json!({ "items": [stock] })).await.is(200);
    assert_eq!(made["data"][0]["result"], "created", "{made}");
    let stock = user.get(&format!("/api/admin/stocks/{}", made["data"][0]["id"])).await.is(200);
    assert_eq!(stock["quantity"], "10", "five pieces of two square metres");

    for (pieces, available) in [("5", "yes"), ("6", "no")] {
        let item = json!({ "article_number": number, "quantity": pieces, "unit": "piece" });
        let answer = user.post("/api/v1/availability", json!({ "items": [item] })).await.is(200);
        assert_eq!(answer["data"][0]["available"], available, "{pieces}");
    }

    let mut price = place;
    price["external_price"] = json!({ "price": "1000", "price_quantity": "1", "unit": "t" });
    user.put("/api/v1/prices", json!({ "items": [price] })).await.is(200);
    let line = json!({ "article_number": number, "quantity": "5", "unit": "piece" });
    let quoted = user.post(QUOTES, json!({ "carts": [{ "lines": [line] }], "explain": true })).await.is(200);
    let quote = &quoted["data"][0];
    assert_eq!((&quote["total"], &quote["weight"]), (&json!("235.5"), &json!("235.5")), "{quote}");
    let steps = quote["lines"][0]["explanation"]["price"]["conversions"].as_array().unwrap();
    let known = &steps[0]["because"];
    assert_eq!(*known, json!({ "of_unit": "piece", "is_amount": "2", "is_unit": "m2" }));
}

#[actix_web::test]
async fn a_format_in_fractions_of_millimetres_is_exact() {
    let sheets = Sheets::new().await;
    let Sheets { catalog, format, article, .. } = &sheets;
    let mut other =
        json!({ "article_type_id": article["article_type"]["id"], "material_id": article["material"]["id"] });
    other["values"] = article["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| resent(value, &["attribute_id", "option_id", "number", "unit"]))
        .collect();
    other["values"][1]["option_id"] = format["options"][1]["id"].clone();
    let other = catalog.admin.post(ARTICLES, other).await.is(201);
    let quantities = format!("{ARTICLES}/{}/quantities", id(&other));
    let two = json!({ "amount": "2", "unit": "piece" });
    let two = catalog.admin.post(&quantities, two).await.is(200);
    // 1250.5 by 2500.5 are 3,126,875.25 mm², for which six decimal places of a square metre are not enough
    assert_eq!(two["relations"][0], json!({ "of": "piece", "amount": "3126875.25", "unit": "mm2" }));
    assert_eq!(two["equivalents"][0], json!({ "amount": "6.253751", "unit": "m2" }));
}

#[actix_web::test]
async fn all_options_of_a_dimension_must_be_and_stay_measures() {
    let sheets = Sheets::new().await;
    let Sheets { catalog, format, sheet, .. } = &sheets;
    let admin = &catalog.admin;
    let thickness = sheet["attributes"][0]["attribute_id"].as_i64().unwrap();
    let preview = |dimension: Value| {
        let mut article_type = sheet_type(thickness, id(format), dimension);
        article_type["name"] = "Blech 2".into();
        article_type
    };
    let shown = admin.post(&format!("{TYPES}/preview"), preview("format".into())).await.is(200);
    assert_eq!(shown["problems"], json!({}));
    assert_eq!(shown["examples"][0]["piece"], json!({ "amount": "2", "unit": "m2" }));
    let shown = admin.post(&format!("{TYPES}/preview"), preview(Value::Null)).await.is(200);
    assert_eq!(shown["examples"][0]["piece"], Value::Null);
    // a format is not a length, and a length not a format
    let shown = admin.post(&format!("{TYPES}/preview"), preview("length".into())).await.is(200);
    let problem = shown["problems"]["attributes.1.dimension"][0].as_str().unwrap();
    assert!(problem.starts_with("Not readable as “length”: 1000 x 2000, 1250.5x2500.5."), "{problem}");
    let height = sheet_type(thickness, id(&catalog.height), "format".into());
    let refused = admin.post(TYPES, height).await.is(422);
    assert_eq!(refused["error_codes"]["attributes.1.dimension"], json!(["options_not_measured"]));
    let text = sheet_type(thickness, id(&catalog.surface), "format".into());
    let refused = admin.post(TYPES, text).await.is(422);
    assert_eq!(refused["error_codes"]["attributes.1.dimension"], json!(["dimension_not_measured"]));

    let mut changed = resent(format, &["name", "type", "primary", "options", "version"]);
    changed["options"][0]["name"] = "Kleinformat".into();
    let refused = admin.put(&format!("{ATTRIBUTES}/{}", id(format)), changed).await.is(422);
    assert_eq!(refused["error_codes"], json!({ "options": ["options_not_measured"] }));
}

#[actix_web::test]
async fn the_weight_of_a_piece_comes_from_its_attribute() {
    let catalog = Catalog::new().await;
    let admin = &catalog.admin;
    let weight = json!({ "name": "Ringgewicht", "type": "categorial", "options": [option("250 kg", "R250"), option("1,5 t", "R1500")] });
    let weight = admin.post(ATTRIBUTES, weight).await.is(201);
    let ring = json!({
        "name": "Draht im Ring",
        "article_number_template": "DR-{ringgewicht}", "article_name_template": "Draht im Ring {ringgewicht}",
        "base_unit_of_measure": "kg", "listing_unit_of_measure": "piece", "price_unit_of_measure": "t",
        "attributes": [{ "attribute_id": weight["id"], "primary": true, "dimension": "piece_weight" }],
    });
    let ring = admin.post(TYPES, ring).await.is(201);
    let value = json!({ "attribute_id": weight["id"], "option_id": weight["options"][1]["id"] });
    let article =
        admin.post(ARTICLES, json!({ "article_type_id": ring["id"], "values": [value] })).await.is(201);
    let quantities = format!("{ARTICLES}/{}/quantities", id(&article));
    let response = admin.post(&quantities, json!({ "amount": "2", "unit": "piece" })).await.is(200);
    assert_eq!(response["equivalents"], json!([{ "amount": "3000", "unit": "kg" }]));
}
