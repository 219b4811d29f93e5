//! Steps before an import: inspection of the file, mapping of its columns, templates; and the results of the
//! rows afterwards.

use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::{ARTICLES, Catalog, id},
    imports::{GOOD, IMPORTS, articles, counts, ended, for_north},
    stocks::{self, Depot},
    support::{Client, Form, TestApp},
    warehouses::warehouse,
};

/// User of a tenant with a warehouse `L` and the article `HEB-1`.
async fn tenant(catalog: &Catalog) -> Client {
    let article = catalog.article(0, "9");
    catalog.admin.post(ARTICLES, article).await.is(201);
    let client = catalog.app.caller(Some(catalog.app.north), PermissionSet::all()).await;
    client.post("/api/admin/warehouses", warehouse("Leipzig", "L")).await.is(201);
    client
}

async fn number(catalog: &Catalog) -> String {
    catalog.admin.get(ARTICLES).await.is(200)["data"][0]["article_number"].as_str().unwrap().to_owned()
}

async fn inspect(client: &Client, r#type: &str, content: impl AsRef<[u8]>) -> Value {
    let form = Form::new().field("type", r#type).file("Liste.csv", content);
    form.send(client, &format!("{IMPORTS}/inspect")).await.is(200)
}

fn stocks(content: impl AsRef<[u8]>, mapping: &Value) -> Form {
    Form::new().field("type", "Stock").field("mapping", &mapping.to_string()).file("Bestand.csv", content)
}

fn fields(inspection: &Value) -> Vec<(&str, Option<&str>)> {
    let columns = inspection["columns"].as_array().unwrap().iter();
    columns.map(|column| (column["name"].as_str().unwrap(), column["field"].as_str())).collect()
}

#[actix_web::test]
async fn a_file_is_inspected_before_it_is_imported() {
    let catalog = Catalog::new().await;
    let client = tenant(&catalog).await.german();
    let found = inspect(
        &client,
        "Stock",
        b"\r\nArt.-Nr.;Lager;Bestand [t];Farbe;Fehler;\r\nA;L;1.234,5;gr\xfcn;x;\r\nB;L;7;;;\r\n",
    )
    .await;
    assert_eq!(
        json!([
            found["format"],
            found["encoding"],
            found["delimiter"],
            found["decimal_sign"],
            found["header_line"],
            found["rows"]
        ]),
        json!(["csv", "Windows-1252", ";", ",", 2, 2])
    );
    assert_eq!(
        fields(&found),
        [
            ("Art.-Nr.", Some("article_number")),
            ("Lager", Some("warehouse")),
            ("Bestand [t]", Some("quantity")),
            ("Farbe", None),
            ("Fehler", None),
        ]
    );
    let column = |at: usize| &found["columns"][at];
    assert_eq!(
        (&column(2)["recognised_by"], &column(2)["samples"]),
        (&json!("Bestand [t]"), &json!(["1.234,5", "7"]))
    );
    assert_eq!((&column(3)["unread"], &column(4)["unread"]), (&json!(false), &json!(true)));
    assert_eq!(found["sample_lines"], json!([3, 4]));
    assert_eq!(found["problems"][0]["message"], "Die Spalte „Farbe“ ist unbekannt");
    assert_eq!(found["problems"][0]["code"], "column_unknown");
    assert_eq!(found["required"][1], json!(["warehouse", "external_warehouse_identifier"]));
    let label = |key: &str| {
        let fields = found["fields"].as_array().unwrap().iter();
        fields.clone().find(|field| field["key"] == key).map(|field| field["label"].clone())
    };
    assert_eq!(label("lead_time"), Some(json!("Lieferzeit")));
    assert_eq!(label("changed"), None, "a column that is not read cannot be chosen");
    assert_eq!(client.get(IMPORTS).await.is(200)["meta"]["total"], 0, "nothing is kept");
}

#[actix_web::test]
async fn unsuitable_files_are_refused_at_the_file_and_a_better_type_is_proposed() {
    let catalog = Catalog::new().await;
    let client = tenant(&catalog).await;
    let refused = async |content: &[u8]| {
        let form = Form::new().field("type", "Stock").file("Liste.csv", content);
        let answer = form.send(&client, &format!("{IMPORTS}/inspect")).await.is_refused_at(&["file"]);
        answer["error_codes"]["file"][0].as_str().unwrap().to_owned()
    };
    assert_eq!(refused(b"").await, "file_empty");
    assert_eq!(refused(b"Artikelnummer;Lager;Menge\r\n").await, "no_rows");
    assert_eq!(refused(b"%PDF-1.7").await, "file_pdf");
    let wide = (0..551).map(|number| format!("Spalte {number}")).collect::<Vec<_>>().join(";");
    assert_eq!(refused(format!("{wide}\r\n1\r\n").as_bytes()).await, "too_many_columns");
    let form = Form::new().field("type", "Beam").file("a.csv", GOOD);
    form.send(&client, &format!("{IMPORTS}/inspect")).await.is_refused_at(&["type"]);

    let prices = "Artikelnummer;Lager;Preis\r\nA;L;1\r\n";
    assert_eq!(inspect(&client, "Stock", prices).await["better_type"], "Price");
    assert_eq!(inspect(&client, "Price", prices).await["better_type"], Value::Null);
    let twice = "Artikelnummer;Lager;Menge;Bestand\r\nA;L;1;2\r\n";
    let found = inspect(&client, "Stock", twice).await;
    assert_eq!(found["problems"][0]["code"], "column_duplicate");
    let no_matching = inspect(&client, "Stock", "Externe Artikelnummer\r\nA\r\n").await;
    assert_eq!(no_matching["better_type"], "Matching", "types that remove records are never proposed");
}

#[actix_web::test]
async fn a_mapping_is_used_stored_offered_again_and_deleted() {
    let catalog = Catalog::new().await;
    let client = tenant(&catalog).await.german();
    let workers = catalog.app.workers().await;
    let number = number(&catalog).await;
    let file = format!("Teil;Ort;Anzahl;Farbe\r\n{number};L;12;rot\r\n{number}-X;L;zwölf;rot\r\n");
    let mapping = json!([
        { "column": "Teil", "field": "article_number" },
        { "column": "ort", "field": "warehouse" },
        { "column": "Anzahl", "field": "quantity" },
        { "column": "Farbe", "field": null },
    ]);
    let queued = stocks(&file, &mapping).field("dry_run", "true").send(&client, IMPORTS).await.is(201);
    assert_eq!(queued["mapping"], mapping);
    let tried = ended(&client, &queued).await;
    assert_eq!(counts(&tried), [1, 0, 0, 1], "{tried}");
    let applied = client.post(&format!("{IMPORTS}/{}/apply", id(&tried)), Value::Null).await.is(201);
    let import = ended(&client, &applied).await;
    assert_eq!((counts(&import), &import["mapping"]), ([1, 0, 0, 1], &mapping));

    // errors and the error file use the file's own column names, so that the error file can be imported
    // unchanged
    let groups = client.get(&format!("{IMPORTS}/{}/error-groups", id(&import))).await.is(200);
    let result: Vec<_> =
        groups["data"].as_array().unwrap().iter().map(|group| group["column"].clone()).collect();
    assert_eq!(result, ["Anzahl", "Teil"], "{groups}");
    let errors = client.get(&format!("{IMPORTS}/{}/error-file", id(&import))).await;
    let errors = String::from_utf8(errors.bytes.to_vec()).unwrap();
    assert!(errors.contains("Teil;Ort;Anzahl;Farbe;Fehler"), "{errors}");
    let corrected = errors.replace(&format!("{number}-X"), &number).replace("zwölf", "13");
    let found = inspect(&client, "Stock", &corrected).await;
    assert_eq!(found["remembered"]["import_id"], import["id"], "{found}");
    assert_eq!(found["remembered"]["columns"], mapping);
    assert_eq!(
        fields(&found)[..4],
        [
            ("Teil", Some("article_number")),
            ("Ort", Some("warehouse")),
            ("Anzahl", Some("quantity")),
            ("Farbe", None)
        ]
    );
    assert_eq!((&found["problems"], &found["columns"][0]["recognised"]), (&json!([]), &Value::Null));
    let again = stocks(&corrected, &mapping).send(&client, IMPORTS).await.is(201);
    assert_eq!(counts(&ended(&client, &again).await), [0, 1, 0, 0]);

    // a different order is recognised as the same columns; for another type or tenant nothing is remembered
    let reordered = "Farbe;Anzahl;Ort;Teil\r\nrot;1;L;A\r\n";
    assert_eq!(inspect(&client, "Stock", reordered).await["remembered"]["import_id"], again["id"]);
    assert_eq!(inspect(&client, "Price", reordered).await["remembered"], Value::Null);
    let south = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    assert_eq!(inspect(&south, "Stock", reordered).await["remembered"], Value::Null);
    south.delete(&format!("{IMPORTS}/{}/mapping", id(&again))).await.is(404);
    client.delete(&format!("{IMPORTS}/{}/mapping", id(&again))).await.is(204);
    client.delete(&format!("{IMPORTS}/{}/mapping", id(&again))).await.is(204);
    assert_eq!(inspect(&client, "Stock", reordered).await["remembered"], Value::Null);
    assert_eq!(
        client.get(&format!("{IMPORTS}/{}", id(&again))).await.is(200)["mapping"],
        mapping,
        "its own stays"
    );
    workers.end().await;
}

#[actix_web::test]
async fn a_mapping_that_does_not_fit_is_refused_at_its_field() {
    let catalog = Catalog::new().await;
    let client = tenant(&catalog).await.german();
    let file = "Artikelnummer;Lager;Menge;Menge\r\nA;L;1;2\r\n";
    let send = async |mapping: Value| stocks(file, &mapping).send(&client, IMPORTS).await;
    let refused = async |mapping: Value, at: &str| {
        let answer = send(mapping).await.is_refused_at(&[at]);
        answer["error_codes"][at][0].as_str().unwrap().to_owned()
    };
    let column = |name: &str, field: Value| json!({ "column": name, "field": field });
    assert_eq!(
        refused(json!([column("Anzahl", json!("quantity"))]), "mapping.0.column").await,
        "mapped_column_missing"
    );
    assert_eq!(
        refused(json!([column("Menge", json!("colour"))]), "mapping.0.field").await,
        "no_such_import_field"
    );
    assert_eq!(
        refused(json!([column("Lager", json!("quantity"))]), "mapping.0.field").await,
        "field_mapped_twice"
    );
    // the second column of the same name keeps its mapping
    assert_eq!(
        refused(json!([column("Menge", json!("quantity"))]), "mapping.0.field").await,
        "field_mapped_twice"
    );
    let third =
        json!([column("Menge", Value::Null), column("Menge", Value::Null), column("Menge", Value::Null)]);
    assert_eq!(refused(third, "mapping.2.column").await, "mapped_column_missing");
    let nothing = json!([column("Menge", Value::Null), column("Menge", Value::Null)]);
    assert_eq!(refused(nothing, "mapping").await, "column_missing");
    for said in ["", "{}", "[1]", r#"[{"column":"Menge"}]"#, r#"[{"column":"Menge","field":null,"x":1}]"#] {
        let form = Form::new().field("type", "Stock").field("mapping", said).file("a.csv", file);
        form.send(&client, IMPORTS).await.is_refused_at(&["mapping"]);
    }
    let empty = Form::new().field("type", "Stock").field("mapping", "[]").file("a.csv", file);
    assert_eq!(empty.send(&client, IMPORTS).await.is(201)["mapping"], Value::Null);
    let one = json!([column("Menge", json!("quantity")), column("Menge", Value::Null)]);
    send(one).await.is(201);
}

#[actix_web::test]
async fn templates_can_be_imported_and_change_nothing() {
    let app = TestApp::full_demo().await;
    let workers = app.workers().await;
    let tenant = app.sign_in("leitung@nordstahl.example".to_owned()).await;
    let platform = app.platform().await;
    for r#type in ["Stock", "Price", "Listing", "Matching", "Article"] {
        for (format, client) in [("csv", &tenant), ("xlsx", &tenant), ("csv", &platform)] {
            let of = format!("tenant_id={}", app.north);
            // articles belong to the platform, everything else to the tenant
            let client = if r#type == "Article" { &platform } else { client };
            for client in [client.german(), client.clone()] {
                let uri = format!("{IMPORTS}/template?type={type}&format={format}&{of}");
                let template = client.get(&uri).await;
                assert_eq!(template.status, 200, "{type}");
                let form = Form::new().field("type", r#type).file("Vorlage", &template.bytes);
                let import =
                    ended(&client, &form.send(&client, &format!("{IMPORTS}?{of}")).await.is(201)).await;
                let rows = import["rows_total"].as_i64().unwrap();
                assert_eq!(
                    (&import["status"], counts(&import)),
                    (&"Success".into(), [0, 0, rows, 0]),
                    "{import}"
                );
                assert_eq!(rows, 2, "{type}");
            }
        }
    }
    let german = tenant.german().get(&format!("{IMPORTS}/template?type=Stock&format=csv")).await;
    assert!(
        german.header("content-disposition").contains("Bestand-Vorlage.csv")
            || german.header("content-disposition").contains("-Vorlage.csv")
    );
    // the rows of this type name what is deleted
    let deleting = tenant.get(&format!("{IMPORTS}/template?type=DeleteMatchings&format=csv")).await;
    assert_eq!(String::from_utf8_lossy(&deleting.bytes).lines().count(), 1);
    tenant.get(&format!("{IMPORTS}/template?type=Stock&format=pdf")).await.is_refused_at(&["format"]);
    tenant.get(&format!("{IMPORTS}/template?format=csv")).await.is_refused_at(&["type"]);
    // a document of another system is not a table
    let document = format!("{IMPORTS}/template?type=ExternalApiMetaData&format=csv&tenant_id={}", app.north);
    platform.get(&document).await.is(404);
    platform.get(&format!("{IMPORTS}/template?type=Stock&format=csv")).await.is(422);
    workers.end().await;
}

#[actix_web::test]
async fn a_tenant_without_records_gets_a_template_that_can_be_imported() {
    let catalog = Catalog::new().await;
    let client = tenant(&catalog).await;
    let workers = catalog.app.workers().await;
    for (r#type, expected) in [("Stock", [1, 0, 0, 0]), ("Matching", [1, 0, 0, 0]), ("Listing", [0, 1, 0, 0])]
    {
        let template = client.get(&format!("{IMPORTS}/template?type={type}&format=csv")).await;
        let form = Form::new().field("type", r#type).file("template.csv", &template.bytes);
        let import = ended(&client, &form.send(&client, IMPORTS).await.is(201)).await;
        assert_eq!(counts(&import), expected, "{type}: {}", String::from_utf8_lossy(&template.bytes));
    }
    workers.end().await;
}

#[actix_web::test]
async fn rows_with_large_price_changes_are_found_in_any_price_unit() {
    let depot = Depot::new().await;
    let user = &depot.user;
    let workers = depot.catalog.app.workers().await;
    for warehouse in 0..2 {
        let stock = id(&user.post(stocks::PATH, depot.stock(0, warehouse)).await.is(201));
        let price = json!({ "price": "850", "price_quantity": "1", "unit": "t" });
        user.put(&format!("/api/admin/prices/{stock}"), json!({ "external_price": price, "version": 1 }))
            .await
            .is(200);
    }
    let import = async |prices: [&str; 2], dry_run: &str| {
        let number = depot.articles[0]["article_number"].as_str().unwrap();
        let row = |(code, price): (&str, &str)| format!("{number};{code};{price}");
        let rows = ["DU", "HH"].into_iter().zip(prices).map(row).collect::<Vec<_>>().join("\r\n");
        let file = format!("Artikelnummer;Lager;Preis;Preismenge;Preiseinheit\r\n{rows}");
        let form = Form::new().field("type", "Price").field("dry_run", dry_run).file("Preise.csv", file);
        ended(user, &form.send(user, IMPORTS).await.is(201)).await
    };
    let rows = async |import: &Value, filter: &str| {
        let found = user.get(&format!("{IMPORTS}/{}/rows?{filter}", id(import))).await.is(200);
        let result = found["data"].as_array().unwrap().iter();
        result.map(|row| (row["line"].as_i64().unwrap(), row["price_change"].clone())).collect::<Vec<_>>()
    };
    let much = "filter[price_change_greater_than]=5";
    // the same price in another unit, and one that is 6 % lower in another unit
    for dry_run in ["true", "false"] {
        let result = import(["85;100;kg", "79,90;100;kg"], dry_run).await;
        assert_eq!(rows(&result, "").await, [(2, json!("0")), (3, json!("6"))]);
        assert_eq!(rows(&result, much).await, [(3, json!("6"))]);
    }
    // exactly 5 % does not exceed the limit
    let result = import(["892,50;1;t", "799;1;t"], "false").await;
    assert_eq!(rows(&result, "").await, [(2, json!("5")), (3, json!("0"))]);
    assert!(rows(&result, much).await.is_empty());
    workers.end().await;
}

#[actix_web::test]
async fn errors_are_grouped_by_reason_and_column() {
    let catalog = Catalog::new().await;
    let Catalog { admin, app, .. } = &catalog;
    let workers = app.workers().await;
    let row =
        |material: &str, height: &str| format!("Breitflanschträger HEB;{material};{height};12,1;roh\r\n");
    let rows = [
        row("S999", "200"),
        row("S998", "200"),
        row("S235JR", "zwei"),
        row("S997", "drei"),
        row("S996", "200"),
    ]
    .concat();
    let import = articles(format!("{GOOD}{rows}")).send(admin, &for_north(app)).await.is(201);
    let import = ended(admin, &import).await;
    let groups = admin.german().get(&format!("{IMPORTS}/{}/error-groups", id(&import))).await.is(200);
    let groups = groups["data"].as_array().unwrap();
    let result: Vec<_> =
        groups.iter().map(|group| json!([group["column"], group["code"], group["rows"]])).collect();
    assert_eq!(result, [json!(["Werkstoff", "unknown_material", 4]), json!(["Höhe", "unknown_option", 2])]);
    let lines: Vec<_> =
        groups[0]["first"].as_array().unwrap().iter().map(|one| one["line"].clone()).collect();
    assert_eq!(lines, [3, 4, 6]);
    assert!(groups[0]["first"][0]["message"].as_str().unwrap().contains("S999"));

    // and each row has the reason why it was refused
    let refused = admin.get(&format!("{IMPORTS}/{}/rows?filter[outcome]=refused", id(&import))).await.is(200);
    assert_eq!(refused["data"][3]["errors"].as_array().unwrap().len(), 2, "{refused}");
    let south = app.caller(Some(app.south), PermissionSet::all()).await;
    south.get(&format!("{IMPORTS}/{}/error-groups", id(&import))).await.is(404);
    workers.end().await;
}

#[actix_web::test]
async fn price_units_of_a_file_are_inspected_and_can_be_chosen() {
    let catalog = Catalog::new().await;
    let client = tenant(&catalog).await.german();
    let file = "Artikelnummer;Lager;Preis [EUR/100 kg];Interner Preis [Banane]\r\nA;L;92,50;1\r\n";
    let found = inspect(&client, "Price", file).await;
    let column = |at: usize| &found["columns"][at];
    assert_eq!(column(2)["heading_unit"], "EUR/100 kg");
    assert_eq!(column(2)["measure"], json!({ "quantity": "100", "unit": "kg" }));
    assert_eq!((&column(3)["heading_unit"], &column(3)["measure"]), (&json!("Banane"), &Value::Null));
    let problem = &found["problems"][0];
    assert_eq!(
        (&problem["code"], &problem["column"]),
        (&json!("column_refused"), &json!("Interner Preis [Banane]"))
    );
    let price = found["fields"].as_array().unwrap().iter().find(|field| field["key"] == "price").unwrap();
    assert_eq!(price["unit"], "price");

    let mapping = |unit: &str| {
        json!([
            { "column": "Artikelnummer", "field": "article_number" },
            { "column": "Lager", "field": "warehouse" },
            { "column": "Preis [EUR/100 kg]", "field": "price" },
            { "column": "Interner Preis [Banane]", "field": "internal_price", "unit": unit },
        ])
    };
    let upload = async |mapping: &Value| {
        let form = Form::new().field("type", "Price").field("mapping", &mapping.to_string());
        form.file("Preise.csv", file).send(&client, IMPORTS).await
    };
    upload(&mapping("Apfel")).await.is_refused_at(&["mapping.3.unit"]);
    let import = upload(&mapping("1 t")).await.is(201);
    assert_eq!(import["mapping"][3]["unit"], "1 t");
    let again = inspect(&client, "Price", file).await;
    assert_eq!(again["columns"][3]["chosen_unit"], "1 t");
    assert_eq!(again["columns"][3]["measure"], json!({ "quantity": "1", "unit": "t" }));
    assert_eq!(again["problems"], json!([]));
    let mut of_name = mapping("1 t");
    of_name[0]["unit"] = json!("kg");
    upload(&of_name).await.is_refused_at(&["mapping.0.unit"]);
}

#[actix_web::test]
async fn hidden_rows_of_a_spreadsheet_are_reported_and_skipped_on_request() {
    let catalog = Catalog::new().await;
    let client = tenant(&catalog).await.german();
    let article = number(&catalog).await;
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    let rows =
        [["Artikelnummer", "Lager", "Menge"], [article.as_str(), "L", "5"], ["GIBT-ES-NICHT", "L", "0"]];
    for (row, cells) in (0..).zip(rows) {
        sheet.write_row(row, 0, cells).unwrap();
    }
    sheet.set_row_hidden(2).unwrap();
    let file = workbook.save_to_buffer().unwrap();
    assert_eq!(inspect(&client, "Stock", &file).await["hidden_rows"], 1);

    let workers = catalog.app.workers().await;
    let import = async |skip: Option<&str>| {
        let form = Form::new().field("type", "Stock");
        let form = match skip {
            Some(skip) => form.field("skip_hidden_rows", skip),
            None => form,
        };
        ended(&client, &form.file("Bestand.xlsx", &file).send(&client, IMPORTS).await.is(201)).await
    };
    let all = import(None).await;
    assert_eq!((&all["rows_total"], &all["skip_hidden_rows"]), (&json!(2), &json!(false)));
    let message = |import: &Value| import["status_message"].as_str().unwrap().to_owned();
    assert!(message(&all).contains("Ausgeblendete Zeilen der Tabelle, die mit gelesen wurden: 1"), "{all}");
    let some = import(Some("true")).await;
    assert_eq!((&some["rows_total"], &some["skip_hidden_rows"]), (&json!(1), &json!(true)));
    assert!(message(&some).contains("Ausgeblendete Zeilen der Tabelle, die ausgelassen wurden: 1"), "{some}");
    workers.end().await;
}
