//! Files as used in the trade (`examples/layouts` and `testdata/layouts`): each is imported as it is, or with
//! the single choice that is listed with it.

mod workbooks;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::{
    catalog::{ARTICLES, Catalog, id},
    imports::{IMPORTS, ended},
    stocks::{self, Depot},
    support::{Client, Form},
    warehouses::warehouse,
};

const MATCHINGS: &str = "/api/admin/matchings";

/// File with the choice that it needs.
struct Layout {
    file: &'static str,
    r#type: &'static str,
    choice: Choice,
    rows: u64,
    /// Resulting price or quantity of HEB 300.
    expected: &'static str,
}

/// Single choice of a user.
enum Choice {
    /// Default without a choice.
    Nothing,
    /// Constant for a column that the file lacks.
    Constant(&'static str, &'static str),
    /// Mapping of a column.
    Column(&'static str, &'static str),
    /// Unit of a column.
    Unit(&'static str, &'static str, &'static str),
    /// Sum of batches.
    Sums,
}

use Choice::{Column, Constant, Nothing, Sums, Unit};

#[rustfmt::skip]
const LAYOUTS: &[Layout] = &[
    Layout { file: "jtl.csv", r#type: "Stock", choice: Constant("warehouse", "DU"), rows: 1, expected: "12.1 m" },
    Layout { file: "lexware.csv", r#type: "Price", choice: Constant("warehouse", "DU"), rows: 1, expected: "92.5 / 100 kg" },
    Layout { file: "preiseinheit-zahl.csv", r#type: "Price", choice: Nothing, rows: 1, expected: "92.5 / 100 kg" },
    Layout { file: "preisliste-warengruppe.csv", r#type: "Price", choice: Nothing, rows: 1, expected: "925 / 1 t" },
    Layout { file: "preisliste.csv", r#type: "Price", choice: Nothing, rows: 1, expected: "92.5 / 100 kg" },
    Layout { file: "sap-mb52.csv", r#type: "Stock", choice: Nothing, rows: 1, expected: "12.1 m" },
    Layout { file: "sap-mb52-tabulatoren.txt", r#type: "Stock", choice: Sums, rows: 2, expected: "36.3 m" },
    Layout { file: "sap-tabellenkalkulation.xls", r#type: "Stock", choice: Nothing, rows: 2, expected: "12.1 m" },
    Layout { file: "lexware-lagerbestand.csv", r#type: "Stock", choice: Constant("warehouse", "DU"), rows: 2, expected: "24.2 m" },
    Layout { file: "jtl-ameise-preise.csv", r#type: "Price", choice: Constant("warehouse", "DU"), rows: 2, expected: "108.23 / 1 t" },
    Layout { file: "datev-artikelstamm.csv", r#type: "Price", choice: Nothing, rows: 2, expected: "925 / 1 t" },
    Layout { file: "sage-100-preisliste.csv", r#type: "Price", choice: Nothing, rows: 2, expected: "92.5 / 100 kg" },
    Layout { file: "sage-50-lager.csv", r#type: "Stock", choice: Nothing, rows: 2, expected: "24.2 m" },
    Layout { file: "proalpha-teilebestand.csv", r#type: "Stock", choice: Column("Lagerort", "warehouse"), rows: 2, expected: "24.2 m" },
    Layout { file: "preisliste-100-kg.csv", r#type: "Price", choice: Nothing, rows: 2, expected: "92.5 / 100 kg" },
    Layout { file: "preisliste-staffel.csv", r#type: "Price", choice: Nothing, rows: 2, expected: "1025 / 1 t" },
    Layout { file: "preisliste-dezitonne.csv", r#type: "Price", choice: Nothing, rows: 2, expected: "92.5 / 100 kg" },
    Layout { file: "bestand-titel.csv", r#type: "Stock", choice: Nothing, rows: 1, expected: "12.1 m" },
    Layout { file: "bestand-null.xlsx", r#type: "Stock", choice: Nothing, rows: 2, expected: "24.2 m" },
    Layout { file: "bestand-verbundene-titel.xlsx", r#type: "Stock", choice: Nothing, rows: 2, expected: "24.2 m" },
    Layout { file: "preisliste-zwei-kopfzeilen.xlsx", r#type: "Price", choice: Nothing, rows: 2, expected: "92.5 / 100 kg" },
    Layout { file: "bestand-gefiltert.xlsx", r#type: "Stock", choice: Nothing, rows: 2, expected: "24.2 m" },
    Layout { file: "bestand-mehrere-blaetter.xlsx", r#type: "Stock", choice: Nothing, rows: 2, expected: "24.2 m" },
    Layout { file: "preisliste-preiseinheit.xlsx", r#type: "Price", choice: Nothing, rows: 2, expected: "925 / 1000 kg" },
    Layout { file: "stock-list-english.csv", r#type: "Stock", choice: Nothing, rows: 2, expected: "24.2 m" },
    Layout { file: "price-list-english.csv", r#type: "Price", choice: Nothing, rows: 2, expected: "1025 / 1 t" },
    Layout { file: "preisliste.csv", r#type: "Price", choice: Unit("Preis", "price", "100 kg"), rows: 1, expected: "92.5 / 100 kg" },
];

impl Choice {
    fn add(&self, form: Form) -> Form {
        match self {
            Nothing => form,
            Constant(field, value) => form
                .field("settings", &json!({ "constants": [{ "field": field, "value": value }] }).to_string()),
            Column(column, field) => {
                form.field("mapping", &json!([{ "column": column, "field": field }]).to_string())
            }
            Unit(column, field, unit) => form
                .field("mapping", &json!([{ "column": column, "field": field, "unit": unit }]).to_string()),
            Sums => form.field("settings", &json!({ "sum_rows": true }).to_string()),
        }
    }
}

/// Path of the file, among the examples for users or those for tests only.
fn path(file: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let example = root.join("examples/layouts").join(file);
    if example.exists() { example } else { root.join("testdata/layouts").join(file) }
}

fn read(file: &str) -> Vec<u8> {
    std::fs::read(path(file)).unwrap()
}

/// Tenant with HEB 300 and HEB 400 in stock at DU, which its SAP calls 4711, 4712 and DU01.
async fn trader() -> (Catalog, Client) {
    let Depot { catalog, user, measured, warehouses, .. } = Depot::new().await;
    for (option, number, external) in [(0, "HEB-300-S235JR-12.1", "4711"), (1, "HEB-400-S235JR-12.1", "4712")]
    {
        let mut input = catalog.article(option, "12.1");
        input["article_type_id"] = measured.into();
        input["article_number"] = number.into();
        input["weight_per_base_unit"] = "117".into();
        let article = id(&catalog.admin.post(ARTICLES, input).await.is(201));
        for digits in [8, 18] {
            let matching =
                json!({ "article_id": article, "external_article_number": format!("{external:0>digits$}") });
            user.post(MATCHINGS, matching).await.is(201);
        }
        let stock = json!({
            "article_id": article, "warehouse_id": warehouses[0], "availability_type": "quantity", "quantity": "0",
        });
        user.post(stocks::PATH, stock).await.is(201);
    }
    let place = json!({ "warehouse_id": warehouses[0], "external_warehouse_identifier": "DU01" });
    user.post(MATCHINGS, place).await.is(201);
    user.post("/api/admin/warehouses", warehouse("Essen", "E")).await.is(201);
    (catalog, user.german())
}

/// Price or quantity of HEB 300.
async fn state(client: &Client, r#type: &str) -> String {
    let stocks = client.get(&format!("{}?filter[search]=HEB-300", stocks::PATH)).await.is(200);
    let stock = &stocks["data"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if r#type == "Stock" {
        return format!("{} {}", text(&stock["quantity"]), text(&stock["quantity_unit"]));
    }
    let price = &stock["external_price"];
    format!("{} / {} {}", text(&price["price"]), text(&price["price_quantity"]), text(&price["unit"]))
}

#[actix_web::test]
async fn common_file_layouts_are_imported_unchanged_or_with_one_setting() {
    let (catalog, client) = trader().await;
    let workers = catalog.app.workers().await;
    let mut wrong = Vec::new();
    for Layout { file, r#type, choice, rows, expected } in LAYOUTS {
        if *r#type == "Price" {
            // otherwise the change from the previous file's price would have to be reviewed
            let cleared = "Artikelnummer;Lager;Preis\r\nHEB-300-S235JR-12.1;DU;#LEER\r\nHEB-400-S235JR-12.1;DU;#LEER\r\n";
            let form = Form::new().field("type", "Price").file("leer.csv", cleared);
            ended(&client, &form.send(&client, IMPORTS).await.is(201)).await;
        }
        let form = choice.add(Form::new().field("type", r#type)).file(file, read(file));
        let answer = form.send(&client, IMPORTS).await;
        if answer.status != 201 {
            wrong.push(format!("{file}: {} {}", answer.status, String::from_utf8_lossy(&answer.bytes)));
            continue;
        }
        let import = ended(&client, &answer.is(201)).await;
        let state = state(&client, r#type).await;
        if import["status"] != "Success" || import["rows_total"] != *rows || state != *expected {
            let errors = client.get(&format!("{IMPORTS}/{}/errors", id(&import))).await.is(200);
            let (status, message) = (&import["status"], &import["status_message"]);
            let messages: Vec<_> =
                errors["data"].as_array().unwrap().iter().map(|row| row["errors"].clone()).collect();
            wrong.push(format!(
                "{file}: {status} {} rows, {state}: {message} {messages:?}",
                import["rows_total"]
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    workers.end().await;
}
