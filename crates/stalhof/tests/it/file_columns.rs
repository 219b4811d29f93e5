//! Page `docs/files.md`: the columns of all files, as the imports declare them. `STALHOF_WRITE_FILES=1`
//! writes the page.

use std::{collections::HashMap, fmt::Write as _, path::Path};

use imports::import_type::ImportType;
use serde_json::Value;
use sheets::Content;
use values::PermissionSet;

use crate::{
    exports::lines,
    support::{Client, TestApp},
};

const HEAD: &str = "# The columns of files\n\n\
    Which columns can the files of each type of import have? This page is written from the code by a test. How\n\
    files are read, which units and settings there are, and how a mapping names other columns is described in\n\
    [the API](api.md#imports).\n\n\
    - A column is recognised by its German or English name, by the names under \"also\" and by its key; case,\n  \
      spaces and umlauts do not count.\n\
    - An empty cell leaves the value as it is, `#LEER` or `#EMPTY` removes it.\n\
    - \"Unit\" is the value that a unit in brackets after the name applies to, if it can have one: `Menge [kg]`,\n  \
      `Preis [EUR/100 kg]`.\n\
    - Examples are those of the templates (`GET /api/admin/imports/template?type=…`), from the demo's data.\n";

const DOCUMENT: &str = "A JSON document and no table: see [what another system calls things](api.md#what-another-system-calls-things).\n";

/// Headings of a template, each with the first value below it.
async fn examples(client: &Client, tenant: i64, r#type: &str) -> HashMap<String, String> {
    let uri = format!("/api/admin/imports/template?type={type}&format=csv&tenant_id={tenant}");
    let rows: Vec<Vec<String>> = lines(&client.get(&uri).await)
        .iter()
        .map(|line| line.split(';').map(|cell| cell.trim_matches('"').to_owned()).collect())
        .collect();
    let (header, rows) = rows.split_first().unwrap();
    let example = |column: usize| {
        let mut cells = rows.iter().filter_map(|row| row.get(column));
        cells.find(|cell| !cell.is_empty()).cloned().unwrap_or_default()
    };
    header.iter().enumerate().map(|(column, name)| (name.clone(), example(column))).collect()
}

/// Texts of a JSON list.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

/// Writes the list of groups of fields, by their German names.
fn groups(page: &mut String, about: &str, groups: &Value, labels: &HashMap<&str, &str>) {
    let names =
        |group: &Value| texts(group).iter().map(|key| format!("`{}`", labels[key])).collect::<Vec<_>>();
    let all: Vec<String> = groups.as_array().unwrap().iter().map(|group| names(group).join(" or ")).collect();
    if !all.is_empty() {
        writeln!(page, "{about}\n\n- {}\n", all.join("\n- ")).unwrap();
    }
}

async fn section(page: &mut String, client: &Client, tenant: i64, r#type: ImportType) {
    let name = r#type.as_str();
    writeln!(page, "\n## {name}\n").unwrap();
    if r#type.holds() != Content::Table {
        page.push_str(DOCUMENT);
        return;
    }
    let uri = format!("/api/admin/imports/columns?type={name}&tenant_id={tenant}");
    let (german, english) = (client.german().get(&uri).await.is(200), client.get(&uri).await.is(200));
    let fields = || {
        let [german, english] = [&german, &english].map(|view| view["fields"].as_array().unwrap());
        // attributes depend on the installation
        german.iter().zip(english).filter(|(field, _)| !field["key"].as_str().unwrap().starts_with('{'))
    };
    let label = |field: &Value| field["label"].as_str().unwrap().to_owned();
    let labels: HashMap<&str, &str> = fields()
        .map(|(field, _)| (field["key"].as_str().unwrap(), field["label"].as_str().unwrap()))
        .collect();
    groups(page, "A file needs:", &german["required"], &labels);
    groups(page, "A file has all or none of each group:", &german["together"], &labels);
    let examples = examples(&client.german(), tenant, name).await;
    page.push_str("| column | English | key | also | unit | example |\n|---|---|---|---|---|---|\n");
    for (field, other) in fields() {
        let unit = match field["unit"].as_str() {
            Some("price") => "price for",
            Some("quantity") => "quantity",
            Some(_) => "yes",
            None => "",
        };
        let german = label(field);
        let example = examples.get(&german).map(|text| format!("`{text}`")).filter(|text| text != "``");
        let cells = [
            german.clone(),
            label(other),
            format!("`{}`", field["key"].as_str().unwrap()),
            texts(&field["synonyms"]).join(", "),
            unit.to_owned(),
            example.unwrap_or_default(),
        ];
        writeln!(page, "| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | ")).unwrap();
    }
    if r#type == ImportType::Article {
        page.push_str(
            "| *an attribute's name* | *the same* | `{placeholder}` | | its unit | `Höhe [mm]` |\n",
        );
    }
}

#[actix_web::test]
async fn the_page_of_file_columns_is_checked_in() {
    let app = TestApp::full_demo().await;
    let client = app.caller(None, PermissionSet::all()).await;
    let mut page = HEAD.to_owned();
    for r#type in ImportType::ALL {
        section(&mut page, &client, app.north, *r#type).await;
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/files.md");
    if std::env::var_os("STALHOF_WRITE_FILES").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        page == checked_in,
        "run STALHOF_WRITE_FILES=1 cargo test -p stalhof --test it file_columns, and read the difference"
    );
}
