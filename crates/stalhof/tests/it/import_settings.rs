//! Choices for a file: its reading settings, constants for all rows, the mapping of its columns; and refused
//! rows that are corrected without a file.

use logistics::permissions;
use serde_json::{Value, json};
use values::PermissionSet;

use crate::{
    catalog::id,
    imports::{IMPORTS, counts, ended},
    stocks::Depot,
    support::{Client, Form, all_but},
};

async fn inspect(client: &Client, settings: &Value, content: impl AsRef<[u8]>) -> Value {
    let form = Form::new().field("type", "Stock").field("settings", &settings.to_string());
    form.file("Liste.csv", content).send(client, &format!("{IMPORTS}/inspect")).await.is(200)
}

async fn import(client: &Client, settings: &Value, content: impl AsRef<[u8]>) -> Value {
    let form = Form::new().field("type", "Stock").field("settings", &settings.to_string());
    ended(client, &form.file("Liste.csv", content).send(client, IMPORTS).await.is(201)).await
}

#[actix_web::test]
async fn settings_for_reading_a_file_can_be_chosen_and_are_reported() {
    let Depot { catalog, user, articles, .. } = Depot::new().await;
    let workers = catalog.app.workers().await;
    let article = articles[0]["article_number"].as_str().unwrap();
    let client = user.german();
    let file = format!(
        "Bestand;;\r\n;;\r\nArtikelnummer;Lager;Menge\r\n{article};DU;1.234\r\nSumme;;1.234\r\nStand: 27.11.2026;;\r\n"
    );
    let found = inspect(&client, &json!({}), &file).await;
    assert_eq!(
        json!([found["header_line"], found["rows"], found["sum_rows"], found["decimal_sign"]]),
        json!([3, 1, 1, ","])
    );
    assert_eq!((&found["can_sum_rows"], &found["footnotes"]), (&json!(true), &json!(["Stand: 27.11.2026"])));
    let chosen =
        json!({ "header_line": 3, "decimal_sign": ".", "encoding": "Windows-1252", "delimiter": ";" });
    assert_eq!(inspect(&client, &chosen, &file).await["decimal_sign"], ".");

    let read = import(&client, &chosen, &file).await;
    assert_eq!((&read["status"], &read["settings"]), (&json!("Success"), &chosen), "{read}");
    let stocks = client.get(crate::stocks::PATH).await.is(200);
    assert_eq!(stocks["data"][0]["quantity"], "1.234");
    let recognised = import(&client, &json!({}), &file).await;
    assert_eq!(recognised["settings"], json!({ "header_line": 3 }), "what was recognised is recorded");
    let message = recognised["status_message"].as_str().unwrap();
    assert!(message.contains("Zeilen mit Summen, die ausgelassen wurden: 1"), "{message}");
    assert!(
        message.contains("Anmerkungen unter der Tabelle, die ausgelassen wurden: Stand: 27.11.2026"),
        "{message}"
    );

    let refused = async |settings: Value, path: &str| {
        let form = Form::new().field("type", "Stock").field("settings", &settings.to_string());
        form.file("Liste.csv", &file).send(&client, IMPORTS).await.is_refused_at(&[path]);
    };
    refused(json!({ "header_line": 0 }), "settings.header_line").await;
    refused(json!({ "delimiter": "x" }), "settings.delimiter").await;
    refused(json!({ "encoding": "EBCDIC" }), "settings.encoding").await;
    refused(json!({ "decimal_sign": "-" }), "settings.decimal_sign").await;
    refused(json!({ "constants": [{ "field": "colour", "value": "x" }] }), "settings.constants.0.field")
        .await;
    refused(json!({ "constants": [{ "field": "lead_time", "value": " " }] }), "settings.constants.0.value")
        .await;
    refused(json!({ "sheet": 7 }), "settings").await;
    refused(json!({ "constants": [{ "field": "warehouse", "value": "DU" }] }), "file").await;
    let sums =
        Form::new().field("type", "Price").field("settings", r#"{"sum_rows":true}"#).file("a.csv", &file);
    sums.send(&client, IMPORTS).await.is_refused_at(&["settings.sum_rows"]);
    workers.end().await;
}

#[actix_web::test]
async fn fields_of_unknown_columns_are_suggested_by_heading_and_values() {
    let Depot { user, articles, catalog: _catalog, .. } = Depot::new().await;
    let article = articles[0]["article_number"].as_str().unwrap();
    let file =
        format!("Was;Wo;Lagermengen;Einh;Farbe\r\n{article};du;1;KGM;rot\r\n{article};HH;2;kg;rot\r\n");
    let found = inspect(&user, &json!({}), &file).await;
    let columns = found["columns"].as_array().unwrap();
    let suggested: Vec<_> = columns.iter().map(|column| column["suggestion"].clone()).collect();
    let of = |field: &str, reason: &str| json!({ "field": field, "reason": reason });
    assert_eq!(
        suggested,
        [
            of("article_number", "values"),
            of("warehouse", "values"),
            of("quantity", "heading"),
            Value::Null,
            Value::Null
        ]
    );
    assert_eq!(columns[3]["field"], "quantity_unit", "known by its name");
    let constants = json!({ "constants": [{ "field": "warehouse", "value": "DU" }] });
    let found = inspect(&user, &constants, &file).await;
    assert_eq!(found["columns"].as_array().unwrap().len(), 5, "a constant is no column of the file");
    assert_eq!(found["columns"][1]["suggestion"], Value::Null, "the warehouse is given");
}

#[actix_web::test]
async fn refused_rows_are_corrected_without_a_file() {
    let Depot { catalog, user, articles, .. } = Depot::new().await;
    let workers = catalog.app.workers().await;
    let article = articles[0]["article_number"].as_str().unwrap();
    let settings = json!({ "constants": [{ "field": "warehouse", "value": "DU" }], "header_line": 2 });
    let file = format!("Bestand\r\nArtikelnummer;Menge\r\n{article};viel\r\nGIBT-ES-NICHT;3\r\n");
    let client = user.german();
    let refused = import(&client, &settings, &file).await;
    assert_eq!(counts(&refused), [0, 0, 0, 2], "{refused}");
    let path = format!("{IMPORTS}/{}", id(&refused));
    let errors = client.get(&format!("{path}/errors")).await.is(200);
    let cell = |column: &str, value: &str| json!({ "column": column, "value": value });
    assert_eq!(
        errors["data"][0]["cells"],
        json!([cell("Artikelnummer", article), cell("Menge", "viel"), cell("Lager", "DU")])
    );

    let correct = |rows: Value| json!({ "rows": rows });
    let at = |field: &str| format!("rows.0.{field}");
    for (rows, field) in [
        (json!([{ "line": 2, "cells": ["A", "1", "DU"] }]), at("line")),
        (json!([{ "line": 3, "cells": ["A", "1"] }]), at("cells")),
    ] {
        client.post(&format!("{path}/corrections"), correct(rows)).await.is_refused_at(&[&field]);
    }
    let rows = correct(json!([{ "line": 3, "cells": [article, "24,2", "HH"] }]));
    let corrected = client.post(&format!("{path}/corrections"), rows.clone()).await.is(201);
    assert_eq!(corrected["replays"], refused["id"]);
    let corrected = ended(&client, &corrected).await;
    assert_eq!(counts(&corrected), [1, 0, 0, 0], "{corrected}");
    let stocks = client.get(crate::stocks::PATH).await.is(200);
    assert_eq!(
        (&stocks["data"][0]["warehouse"]["short_code"], &stocks["data"][0]["quantity"]),
        (&json!("HH"), &json!("24.2"))
    );

    let clerk = catalog.app.caller(Some(catalog.app.north), all_but(permissions::CREATE_STOCK)).await;
    clerk.post(&format!("{path}/corrections"), rows.clone()).await.is(403);
    let stranger = catalog.app.caller(Some(catalog.app.south), PermissionSet::all()).await;
    stranger.post(&format!("{path}/corrections"), rows).await.is(404);
    workers.end().await;
}
