//! Fixtures of the catalogue: a beam type with a categorial height, a metric length and a custom surface.

use serde_json::{Value, json};

use crate::support::{Client, TestApp};

pub(crate) const MATERIALS: &str = "/api/admin/materials";
pub(crate) const ATTRIBUTES: &str = "/api/admin/attributes";
pub(crate) const TYPES: &str = "/api/admin/article-types";
pub(crate) const ARTICLES: &str = "/api/admin/articles";

/// Platform administrator with a set-up catalogue.
pub(crate) struct Catalog {
    pub app: TestApp,
    pub admin: Client,
    pub material: i64,
    pub height: Value,
    pub length: Value,
    pub surface: Value,
    pub beam: Value,
}

pub(crate) fn id(body: &Value) -> i64 {
    body["id"].as_i64().unwrap()
}

/// Values of one field in the rows of a list.
pub(crate) fn column<'a>(body: &'a Value, field: &str) -> Vec<&'a str> {
    body["data"].as_array().unwrap().iter().map(|row| row[field].as_str().unwrap()).collect()
}

/// Fields of `record` that a client sends back to change it.
pub(crate) fn resent(record: &Value, fields: &[&str]) -> Value {
    fields.iter().map(|field| ((*field).to_owned(), record[*field].clone())).collect()
}

pub(crate) fn height() -> Value {
    json!({
        "name": "Höhe", "type": "categorial", "primary": true,
        "options": [
            { "name": "200 mm", "value": "200", "weight_per_base_unit": "61.3" },
            { "name": "220 mm", "value": "220", "display_value": "220", "weight_per_base_unit": "71.5" },
            { "name": "240 mm", "value": "240" },
        ],
    })
}

pub(crate) fn beam_type(height: i64, length: i64, surface: i64) -> Value {
    json!({
        "name": "Breitflanschträger HEB",
        "article_number_template": "HEB-{hoehe}-{material}-{laenge}",
        "article_name_template": "HEB {hoehe}, {material}, {laenge} m, {oberflaeche}",
        "base_unit_of_measure": "m",
        "listing_unit_of_measure": "piece",
        "price_unit_of_measure": "t",
        "attributes": [
            { "attribute_id": height, "primary": true },
            { "attribute_id": length, "primary": true },
            { "attribute_id": surface },
        ],
    })
}

impl Catalog {
    pub(crate) async fn new() -> Self {
        Self::over(TestApp::new().await).await
    }

    pub(crate) async fn over(app: TestApp) -> Self {
        let admin = app.platform().await;
        let material =
            json!({ "name": "S235JR", "article_number_name": "S235", "display_name": "S235JR+AR" });
        let material = id(&admin.post(MATERIALS, material).await.is(201));
        let height = admin.post(ATTRIBUTES, height()).await.is(201);
        let length = json!({ "name": "Länge", "type": "metric", "unit_category": "length", "default_unit": "m", "primary": true });
        let length = admin.post(ATTRIBUTES, length).await.is(201);
        let surface = admin.post(ATTRIBUTES, json!({ "name": "Oberfläche", "type": "custom" })).await.is(201);
        let beam = admin.post(TYPES, beam_type(id(&height), id(&length), id(&surface))).await.is(201);
        Self { app, admin, material, height, length, surface, beam }
    }

    /// Id of an option of the height.
    pub(crate) fn option(&self, index: usize) -> i64 {
        id(&self.height["options"][index])
    }

    /// Input for an article of the beam type.
    pub(crate) fn article(&self, option: usize, length: &str) -> Value {
        json!({
            "article_type_id": id(&self.beam),
            "material_id": self.material,
            "values": [
                { "attribute_id": id(&self.height), "option_id": self.option(option) },
                { "attribute_id": id(&self.length), "number": length, "unit": "m" },
                { "attribute_id": id(&self.surface), "text": "gestrahlt" },
            ],
        })
    }
}
