//! Tests that an exported file can be imported again without a change.

use std::io::Read;

use imports::import::{Import, ImportStatus};
use lists::{Creatable, Deletable};
use proptest::{prelude::*, strategy::ValueTree, test_runner::TestRunner};
use sea_orm::{ActiveValue::Set, QueryOrder};
use serde_json::json;
use sheets::{Dialect, is_blank};
use values::{Decimal, UnitCategory, Violations, fold, rule::required};

use super::*;
use crate::{
    article::{self, Draft, import::testbed::Bed},
    article_type::{ArticleTypeInput, ArticleTypes},
    attribute::{AttributeInput, Attributes},
    cache_topics,
    material::{self, Materials},
};

const CSV: Format = Format::Csv(Dialect::GERMAN);

/// Exports the articles that the query matches.
async fn exported(bed: &Bed, query: &[(&str, &str)], format: Format, language: Language) -> Vec<u8> {
    let query = ListQuery::parse_unpaged(query.iter().copied()).unwrap();
    let mut bytes = Vec::new();
    export(&bed.db, &bed.scope, &bed.storage, &query, format, language)
        .await
        .unwrap()
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

async fn imported(bed: &Bed, content: impl AsRef<[u8]>) -> Import {
    let import = bed.upload(&bed.scope, content, false).await;
    bed.work(&import).await
}

/// Creates tubes and flats, and a type whose attributes have the names of other columns.
async fn assortment() -> Bed {
    let bed = Bed::new().await;
    let scope = store::Scope::platform();
    let mut attributes = Vec::new();
    for (name, unit) in [
        ("Güte", None),
        ("Zeile", None),
        ("Breite innen", None),
        ("Breiteinnen", Some(Unit::Metre)),
        ("Maß (m)", Some(Unit::Kilometre)),
    ] {
        let input = AttributeInput {
            name: name.into(),
            r#type: if unit.is_some() { AttributeType::Metric } else { AttributeType::Custom },
            primary: true,
            unit_category: unit.map(|_| UnitCategory::Length),
            default_unit: unit,
            options: Vec::new(),
            weight_per_base_unit: None,
            change_articles: None,
            version: None,
        };
        attributes.push(Attributes::create(&bed.db, &scope, input).await.unwrap().attribute);
    }
    let placeholders: Vec<_> =
        attributes.iter().map(|attribute| format!("{{{}}}", attribute.placeholder)).collect();
    let parts = attributes.iter().map(|attribute| json!({ "attribute_id": attribute.id, "primary": true }));
    let input: ArticleTypeInput = serde_json::from_value(json!({
        "name": "=Sonderling",
        "article_number_template": placeholders.join("/"),
        "article_name_template": "Sonderling",
        "base_unit_of_measure": "piece",
        "listing_unit_of_measure": "piece",
        "price_unit_of_measure": "piece",
        "attributes": parts.collect::<Vec<_>>(),
    }))
    .unwrap();
    ArticleTypes::create(&bed.db, &scope, input).await.unwrap();
    let tubes = "Artikeltyp;Artikelnummer;Bezeichnung;Werkstoff;Durchmesser;Länge [m];Ausführung;Gewicht;Farbe\n\
                 Rundrohr;;;S235JR;60.3;6;nahtlos;;\n\
                 Rundrohr;-R1;@Sonder;Stahl;76,1;1,234;=1+1;1,234;\n\
                 Rundrohr;R2;\"a;\"\"b\"\"\";S355J2;76,1;0,0005;'=x;123456789012,123456;\n\
                 Flachstahl;;;;;12;;;+49 30\n";
    let import = imported(&bed, tubes).await;
    assert_eq!(import.rows_created, 4, "{:?}", bed.reasons(&import).await);
    let odd = "Artikeltyp;{guete};{zeile};{breite_innen};{breiteinnen} [m];{mass_m} [mm]\n\
               '=Sonderling;A;1;schmal;2;0,5\n'=Sonderling;B;2;breit;3;1000000\n";
    let import = imported(&bed, odd).await;
    assert_eq!(import.rows_created, 2, "{:?}", bed.reasons(&import).await);
    bed
}

#[tokio::test]
async fn an_exported_file_is_imported_again_and_changes_nothing() {
    let bed = assortment().await;
    let before = bed.articles().await;
    for format in [CSV, Format::Xlsx] {
        for language in [Language::De, Language::En] {
            let file = exported(&bed, &[], format, language).await;
            let import = imported(&bed, &file).await;
            assert_eq!(
                (import.status, import.rows_unchanged, import.rows_done),
                (ImportStatus::Success, 6, 6),
                "{format:?} {language:?}: {:?}\n{}",
                bed.reasons(&import).await,
                String::from_utf8_lossy(&file)
            );
        }
    }
    for (before, after) in before.iter().zip(bed.articles().await) {
        assert_eq!((before.version, before.updated_at), (after.version, after.updated_at));
    }
}

/// Texts with a special meaning in an article file, in CSV, in XML or in a spreadsheet program.
const NASTY: &[&str] = &[
    "#LEER",
    "'#LEER",
    "''#LEER",
    "#EMPTY",
    "'#EMPTY",
    "#leer",
    "1E5",
    "'1E5",
    "-1,5e+3",
    "'-1E5",
    "1e5",
    "=1+1",
    "'=x",
    "''",
    "'",
    "+",
    "-5",
    "@x",
    ";",
    ",",
    "\"",
    "\"\"",
    "|",
    "sep=;",
    "_x0041_",
    "_x005F_x0041_",
    "_x_x000D_",
    "<b>",
    "&amp;",
    "]]>",
    "#NV",
    "#REF!",
    "TRUE",
    "1.234",
    "007",
    "01.02.2024",
    "12,50 €",
    "\u{a0}x",
    "x\u{feff}",
    "a\u{2028}b",
    "{x}",
    "\u{202e}",
    "ẞ",
    "🏗",
    "\u{301}",
];

/// Texts that an article can have: the special ones alone, in sequence, and among any characters.
fn texts() -> Vec<String> {
    let part = prop_oneof![
        3 => prop::sample::select(NASTY).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
        1 => Just(" ".to_owned()),
    ];
    let text = prop::collection::vec(part, 1..6).prop_map(|parts| parts.concat().trim().to_owned());
    let mut runner = TestRunner::deterministic();
    let sampled = (0..400).map(|_| text.new_tree(&mut runner).unwrap().current());
    let nasty = NASTY.iter().map(|text| text.trim().to_owned());
    let fits = |text: &String| {
        let mut violations = Violations::new();
        required(&mut violations, "", text);
        // A cell without visible characters counts as empty.
        violations.is_empty() && !is_blank(text)
    };
    nasty.chain(sampled.collect::<Vec<_>>()).filter(fits).collect()
}

#[tokio::test]
async fn every_text_survives_an_export_and_import() {
    let bed = Bed::new().await;
    let scope = store::Scope::platform();
    let material = json!({ "name": "'#LEER" });
    let material = Materials::create(
        &bed.db,
        &scope,
        serde_json::from_value::<crate::material::MaterialInput>(material).unwrap(),
    )
    .await
    .unwrap();
    let options = ["#LEER", "1E5", "'1E5", "=x"].map(|name| json!({ "name": name, "value": name }));
    let option = json!({ "name": "Sorte", "type": "categorial", "primary": true, "options": options });
    let option = Attributes::create(
        &bed.db,
        &scope,
        serde_json::from_value::<crate::attribute::AttributeInput>(option).unwrap(),
    )
    .await
    .unwrap();
    let text = json!({ "name": "=Text", "type": "custom", "primary": true, "options": [] });
    let text = Attributes::create(
        &bed.db,
        &scope,
        serde_json::from_value::<crate::attribute::AttributeInput>(text).unwrap(),
    )
    .await
    .unwrap();
    let article_type: ArticleTypeInput = serde_json::from_value(json!({
        "name": "#LEER",
        "article_number_template": "{sorte}/{text}",
        "article_name_template": "{text}",
        "base_unit_of_measure": "piece",
        "listing_unit_of_measure": "piece",
        "price_unit_of_measure": "piece",
        "attributes": [
            { "attribute_id": option.attribute.id, "primary": true },
            { "attribute_id": text.attribute.id, "primary": true },
        ],
    }))
    .unwrap();
    let id = ArticleTypes::create(&bed.db, &scope, article_type).await.unwrap().article_type.id;
    let blueprint = Blueprint::load(&*bed.db, &scope, id).await.unwrap().unwrap();

    let mut numbers = HashSet::new();
    let rows = texts().into_iter().zip(option.options.iter().cycle()).filter_map(|(name, option)| {
        let values =
            [(option.attribute_id, Value::Option(option.id)), (text.attribute.id, Value::Text(name.clone()))];
        let draft = Draft {
            material_id: Some(material.id),
            values: values.into_iter().collect(),
            article_number: Some(name.clone()),
            article_name: Some(name.clone()),
            weight_per_base_unit: None,
        };
        numbers.insert(fold(&name)).then(|| draft.row(&blueprint, Some(&material)).unwrap())
    });
    let rows: Vec<_> = rows.collect();
    let count = i64::try_from(rows.len()).unwrap();
    assert!(count > 300, "{count}");
    let version = store::versioned_cache::current(&*bed.db, cache_topics::CATALOGUE).await.unwrap();
    article::create_all(&bed.db, &scope, version, rows).await.unwrap();

    let before = bed.articles().await;
    for format in [CSV, Format::Xlsx] {
        let file = exported(&bed, &[], format, Language::De).await;
        let import = imported(&bed, &file).await;
        let actual = (import.status, import.rows_unchanged, import.rows_done);
        let reasons = bed.reasons(&import).await;
        assert_eq!(actual, (ImportStatus::Success, count, count), "{format:?} {reasons:#?}");
    }
    for (before, after) in before.iter().zip(bed.articles().await) {
        assert_eq!((before.version, &before.article_number), (after.version, &after.article_number));
    }
}

#[tokio::test]
async fn the_csv_export_is_formatted_for_german_spreadsheets() {
    let bed = assortment().await;
    let query = [
        ("filter[article_number]", "R2"),
        ("filter[article_number]", "-r"),
        ("filter[article_number]", "ro"),
    ];
    let query = [&query[..], &[("sort", "-article_number")]].concat();
    let file = exported(&bed, &query, CSV, Language::De).await;
    let text = String::from_utf8(file).unwrap();
    assert_eq!(
        text,
        "\u{FEFF}Artikeltyp;Artikelnummer;Bezeichnung;Werkstoff;Gewicht [kg];GTIN;Zeichnungsnummer;Weitere Nummer;Durchmesser;Länge [m];Ausführung\r\n\
         Rundrohr;RO-60.3-S235-6000;Rohr 60,3 x 6,00 S235JR;S235JR;4,11;;;;60,3;6;nahtlos\r\n\
         Rundrohr;R2;\"a;\"\"b\"\"\";S355J2;123456789012,123456;;;;76,1;0,0005;'=x\r\n\
         Rundrohr;'-R1;'@Sonder;Stahl;1,2340;;;;76,1;1,2340;'=1+1\r\n"
    );
    let odd = exported(&bed, &[("filter[article_number]", "schmal")], CSV, Language::De).await;
    assert_eq!(
        String::from_utf8(odd)
            .unwrap()
            .lines()
            .map(|line| line.split(';').skip(8).collect())
            .collect::<Vec<Vec<_>>>(),
        [
            ["{guete}", "{zeile}", "{breite_innen}", "Breiteinnen [m]", "Maß (m) [km]"],
            ["A", "1", "schmal", "2", "0,5 mm"],
        ]
    );
    let nothing = exported(&bed, &[("filter[article_number]", "gibt es nicht")], CSV, Language::En).await;
    assert_eq!(
        String::from_utf8(nothing).unwrap(),
        "\u{FEFF}Article type;Article number;Article name;Material;Weight [kg];GTIN;Drawing number;Other number\r\n"
    );
}

#[tokio::test]
async fn a_walk_returns_the_rows_of_all_pages_as_of_its_snapshot() {
    let bed = Bed::new().await;
    let scope = store::Scope::platform();
    let rows = (0..2_500_u32).map(|number| material::ActiveModel {
        name: Set(format!("M{number}")),
        name_fold: Set(fold(&format!("m{number}"))),
        display_name_fold: Set(String::new()),
        article_number_name_fold: Set(String::new()),
        material_number_fold: Set(if number % 2 == 0 { "x".into() } else { String::new() }),
        density: Set((number % 3 > 0).then(|| Decimal::from(i32::try_from(number % 5).unwrap() + 1))),
        ..Default::default()
    });
    let tx = bed.db.begin().await.unwrap();
    scope.create_all::<Materials>(&tx, rows).await.unwrap();
    tx.commit().await.unwrap();
    for (sort, filter) in [
        ("density", ("filter[name]", "m")),
        ("-density", ("filter[name]", "m")),
        ("name", ("filter[material_number]", "x")),
        ("-updated_at", ("filter[density_not_equals]", "1")),
        ("density", ("filter[density_greater_than]", "2")),
        ("material_number", ("filter[name]", "7")),
    ] {
        let mut paged = Vec::new();
        for page in 1.. {
            let page = page.to_string();
            let query = [("sort", sort), filter, ("page[size]", "200"), ("page[number]", &page)];
            let query = ListQuery::<Materials>::parse(query).unwrap();
            let rows =
                query.fetch::<material::Material>(&bed.db, &scope, |select| select).await.unwrap().rows;
            if rows.is_empty() {
                break;
            }
            paged.extend(rows.into_iter().map(|row| row.id));
        }
        let query = ListQuery::<Materials>::parse_unpaged([("sort", sort), filter]).unwrap();
        let snapshot = bed.db.snapshot().await.unwrap();
        let mut walk = query.walk(&scope);
        let mut walked = Vec::new();
        loop {
            let rows: Vec<material::Material> = walk.next(&snapshot, |select| select).await.unwrap();
            if rows.is_empty() {
                break;
            }
            walked.extend(rows.into_iter().map(|row| row.id));
        }
        assert!(walked == paged && !walked.is_empty(), "{sort} {filter:?}: {} {}", walked.len(), paged.len());
    }
    // Rows that are written during the export are not included.
    let query = ListQuery::<Materials>::default();
    let snapshot = bed.db.snapshot().await.unwrap();
    let mut walk = query.walk(&scope);
    let first: Vec<material::Material> = walk.next(&snapshot, |select| select).await.unwrap();
    let last = scope.find::<Materials>().order_by_desc(material::Column::NameFold);
    let last = last.one(&*bed.db).await.unwrap().unwrap();
    Materials::delete(&bed.db, &scope, last.id).await.unwrap();
    let mut row_count = first.len();
    loop {
        let rows: Vec<material::Material> = walk.next(&snapshot, |select| select).await.unwrap();
        row_count += rows.len();
        if rows.is_empty() {
            break;
        }
    }
    assert_eq!(row_count, 2_503);
}
