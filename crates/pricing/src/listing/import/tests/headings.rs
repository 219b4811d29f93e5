//! Units in the headings of prices and quantity breaks.

use imports::import::mapping::{MappedColumn, Mapping};

use super::*;
use crate::codes;

async fn external_after(bed: &Bed, file: &str) -> Option<String> {
    let import = bed.import(file).await;
    assert_eq!(import.status, ImportStatus::Success, "{file}: {:?}", import.status_text(Language::De));
    external(&listings(bed).await[0])
}

#[tokio::test]
async fn the_price_unit_is_read_from_the_heading() {
    let bed = stocked().await;
    for (heading, price, expected) in [
        ("Preis [EUR/100 kg]", "92,50", "92,50 € je 100 kg"),
        ("Preis (kg)", "0,95", "0,95 € je kg"),
        ("Preis [€/kg]", "0,94", "0,94 € je kg"),
        ("Preis EUR/to", "950", "950,00 € je t"),
        ("Preis €/100kg", "93", "93,00 € je 100 kg"),
        ("Price per 1000 kg", "940", "940,00 € je 1000 kg"),
        ("VK je t", "945", "945,00 € je t"),
        ("external_price [EUR/t]", "946", "946,00 € je t"),
    ] {
        let file = format!("Artikelnummer;Lager;{heading}\r\nHEB-200;DU;{price}\r\n");
        assert_eq!(external_after(&bed, &file).await.as_deref(), Some(expected), "{heading}");
    }
}

#[tokio::test]
async fn price_units_of_internal_prices_and_tiers_are_read_from_headings() {
    let bed = bed::<ListingImporter>().await;
    let file = "Artikelnummer;Lager;Menge;Mengeneinheit;Preis [EUR/kg];Interner Preis [€/100kg];\
                Staffel 1 ab [St];Staffelpreis 1 [EUR/t];Interne Staffel 1 ab (m);Interner Staffelpreis 1 je 100 kg\r\n\
                HEB-200;DU;24,2;m;0,93;88,00;2;920;121;87\r\n";
    let import = bed.import(file).await;
    assert_eq!(counts(&import), [1, 0, 0, 0], "{:?}", bed.reasons(&import).await);
    let prices = Prices::from_listing(&listings(&bed).await[0]);
    let text = |side: &crate::price_side::Side| side.price.map(|price| price.text(Language::De));
    assert_eq!(text(&prices.external).as_deref(), Some("0,93 € je kg"));
    assert_eq!(text(&prices.internal).as_deref(), Some("88,00 € je 100 kg"));
    let tiers = |side: &crate::price_side::Side| -> Vec<String> {
        side.tiers.iter().map(|tier| tier.price.text(Language::De)).collect()
    };
    assert_eq!(tiers(&prices.external), ["920,00 € je t"]);
    assert_eq!(tiers(&prices.internal), ["87,00 € je 100 kg"]);
    assert_eq!(counts(&bed.import(file).await), [0, 0, 1, 0]);
}

#[tokio::test]
async fn headings_with_a_foreign_currency_or_unknown_unit_are_refused() {
    let bed = stocked().await;
    for (heading, reason) in [
        ("Preis [CHF/t]", "Spalte „Preis [CHF/t]“: Preise sind in EUR, die Überschrift sagt „CHF/t“."),
        ("Preis $/t", "Spalte „Preis $/t“: Preise sind in EUR"),
        ("Preis [Banane]", "Spalte „Preis [Banane]“: „Banane“ sagt nicht, wofür die Preise gelten."),
        ("Preis [%]", "Spalte „Preis [%]“: „%“ sagt nicht, wofür die Preise gelten."),
        ("Preis (Banane)", "Die Spalte „Preis (Banane)“ ist unbekannt"),
    ] {
        let file = format!("Artikelnummer;Lager;{heading}\r\nHEB-200;DU;950\r\n");
        let import = bed.import(file).await;
        assert_eq!(import.status, ImportStatus::Failed, "{heading}");
        let text = import.status_text(Language::De).unwrap_or_default();
        assert!(text.contains(reason), "{heading}: {text}");
    }
    let file = "Artikelnummer;Lager;Staffel 1 ab [Banane];Staffelpreis 1 [USD/t];Preis;Preismenge [kg];Lager [t]\r\n\
                HEB-200;DU;1;2;3;1;x\r\n";
    let text = bed.import(file).await.status_text(Language::De).unwrap_or_default();
    assert!(text.contains("Die Spalte „Lager [t]“ ist unbekannt"), "{text}");
    let text = bed.import(file.replace(";Lager [t]", "").replace(";x", "")).await;
    let text = text.status_text(Language::De).unwrap_or_default();
    assert!(text.contains("Spalte „Staffel 1 ab [Banane]“: Unbekannte Einheit „Banane“"), "{text}");
    assert!(text.contains("Spalte „Staffelpreis 1 [USD/t]“: Preise sind in EUR"), "{text}");
    assert_eq!(external(&listings(&bed).await[0]), None);
}

#[tokio::test]
async fn a_unit_in_the_row_overrides_the_heading_with_a_note() {
    let bed = stocked().await;
    let header = "Artikelnummer;Lager;Preis [EUR/100 kg];Preiseinheit\r\n";
    let import = bed.import(format!("{header}HEB-200;DU;925;t\r\nIPE-80;DU;12,50;\r\n")).await;
    assert_eq!(external(&listings(&bed).await[0]).as_deref(), Some("925,00 € je t"));
    let rows = bed.rows(&import).await;
    let notes = |row: usize| -> Vec<String> {
        let warnings = rows[row].warnings().iter();
        warnings
            .map(|note| format!("{}: {}", note.name.clone().unwrap_or_default(), note.text(Language::De)))
            .collect()
    };
    assert_eq!(
        notes(0),
        ["Preis [EUR/100 kg]: Die Angabe in der Zeile gilt, nicht die Überschrift: 925,00 € je t"]
    );
    let agreeing = bed.import(format!("{header}HEB-200;DU;92,50;kg\r\n")).await;
    assert_eq!(external(&listings(&bed).await[0]).as_deref(), Some("92,50 € je 100 kg"));
    assert!(bed.rows(&agreeing).await[0].warnings().is_empty());
}

#[tokio::test]
async fn a_chosen_price_unit_is_remembered() {
    let bed = stocked().await;
    let mapped = |unit: &str| {
        let column = |column: &str, field: &str, unit: Option<&str>| MappedColumn {
            column: column.into(),
            field: Some(field.into()),
            unit: unit.map(str::to_owned),
        };
        Mapping(vec![
            column("Artikelnummer", "article_number", None),
            column("Lager", "warehouse", None),
            column("Preis [Banane]", "price", Some(unit)),
        ])
    };
    let file = "Artikelnummer;Lager;Preis [Banane]\r\nHEB-200;DU;92,50\r\n";
    let refused = bed.submit_mapped(file, mapped("Apfel")).await.unwrap_err();
    assert_eq!(refused.code(), codes::INVALID_INPUT);
    let import = bed.submit_mapped(file, mapped("100 kg")).await.unwrap();
    let import = bed.work(&import).await;
    assert_eq!(external(&listings(&bed).await[0]).as_deref(), Some("92,50 € je 100 kg"));
    let columns = import.mapping.unwrap().0;
    assert_eq!(columns[2].unit.as_deref(), Some("100 kg"));
}

/// A spreadsheet computes 879.3333… and shows 879.33; the places beyond those of a price were not typed.
#[tokio::test]
async fn a_computed_price_is_rounded_with_a_note() {
    use sheets::{
        Format,
        table::{CellContent, TableWriter},
    };
    let bed = stocked().await;
    let header = ["Artikelnummer", "Lager", "Preis [EUR/t]"].map(CellContent::from);
    let mut table = TableWriter::new(std::io::Cursor::new(Vec::new()), Format::Xlsx, &header).unwrap();
    table.add(&["HEB-200".into(), "DU".into(), CellContent::Number("879.333333333333".into())]).unwrap();
    let import = bed.import(table.finish().unwrap().into_inner()).await;
    assert_eq!(import.status, ImportStatus::Success, "{:?}", bed.reasons(&import).await);
    assert_eq!(external(&listings(&bed).await[0]).as_deref(), Some("879,3333 € je t"));
    let rows = bed.rows(&import).await;
    let note = &rows[0].warnings()[0];
    assert_eq!(note.name.as_deref(), Some("Preis [EUR/t]"));
    assert_eq!(note.text(Language::De), "Die Tabelle rechnet mit mehr Stellen; übernommen wurde 879,3333");
    // typed prices with too many places are still rejected
    let typed = bed.import("Artikelnummer;Lager;Preis [EUR/t]\r\nHEB-200;DU;879,33333\r\n").await;
    assert_eq!(counts(&typed), [0, 0, 0, 1]);
}
