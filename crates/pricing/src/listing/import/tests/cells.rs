//! Cells that contain the unit of a price or a quantity: `92,50 €/100 kg`, `5 t`.

use values::Code;

use super::*;
use crate::codes;

async fn prices(bed: &Bed) -> Vec<Option<String>> {
    listings(bed).await.iter().map(external).collect()
}

async fn codes(bed: &Bed, file: &str) -> Vec<Code> {
    let import = bed.import(file.to_owned()).await;
    let refusals = bed.refusals(&import).await;
    let faults = refusals.iter().flat_map(|refusal| &refusal.messages.0);
    faults.map(|fault| fault.fault.message.code).collect()
}

#[tokio::test]
async fn the_price_unit_is_read_from_the_cell() {
    let bed = stocked().await;
    let file = "Artikelnummer;Lager;Preis;Staffel 1 ab;Staffelpreis 1\r\n\
                HEB-200;DU;92,50 €/100 kg;5 t;905 EUR je t\r\n\
                IPE-80;DU;EUR 12,50 / m;24 m;11,-\r\n";
    assert_eq!(counts(&bed.import(file).await), [0, 2, 0, 0]);
    let prices = prices(&bed).await;
    assert_eq!(prices, [Some("92,50 € je 100 kg".to_owned()), Some("12,50 € je m".to_owned())]);
    let tiers = listings(&bed).await;
    let tiers = tiers.iter().flat_map(|listing| {
        let tiers = Prices::from_listing(listing).external.tiers;
        let text = |tier: &crate::price_side::Tier| {
            (tier.from.to_string(), tier.from_unit.map(Unit::as_str), tier.price.text(Language::De))
        };
        tiers.iter().map(text).collect::<Vec<_>>()
    });
    let expected = [("5", "t", "905,00 € je t"), ("24", "m", "11,00 € je m")];
    let expected = expected.map(|(from, unit, price)| (from.to_owned(), Some(unit), price.to_owned()));
    assert_eq!(tiers.collect::<Vec<_>>(), expected);
    // the same file changes nothing, nor does a heading or a column with the same unit
    assert_eq!(counts(&bed.import(file).await), [0, 0, 2, 0]);
    let agrees = "Artikelnummer;Lager;Preis [EUR/100 kg];Preiseinheit\r\nHEB-200;DU;92,50 €/100 kg;kg\r\n";
    assert_eq!(counts(&bed.import(agrees).await), [0, 0, 1, 0]);
}

#[tokio::test]
async fn cells_that_contradict_their_heading_or_another_column_are_refused() {
    let bed = stocked().await;
    for (header, row) in [
        ("Preis [EUR/t]", "92,50 €/100 kg"),
        ("Preis [EUR/100 kg]", "92,50 €/kg"),
        ("Preis;Preiseinheit", "92,50 €/100 kg;t"),
        ("Preis;Preismenge", "92,50 €/100 kg;1000"),
        ("Preis;Staffel 1 ab [t];Staffelpreis 1", "850;12 m;830"),
        ("Preis;Staffel 1 ab;Staffelmengeneinheit 1;Staffelpreis 1", "850;12 m;t;830"),
    ] {
        let file = format!("Artikelnummer;Lager;{header}\r\nHEB-200;DU;{row}\r\n");
        assert_eq!(codes(&bed, &file).await, [codes::CELL_UNIT_DIFFERS], "{header}: {row}");
    }
    assert_eq!(prices(&bed).await[0], None);
}

#[tokio::test]
async fn a_number_in_the_column_of_the_price_unit_is_a_price_quantity() {
    let bed = stocked().await;
    for (columns, cells, expected) in [
        ("Preis;Preiseinheit;Mengeneinheit", "92,50;100;kg", "92,50 € je 100 kg"),
        ("ME;PE;Preis", "KGM;100;92,50", "92,50 € je 100 kg"),
        ("Preis;ME", "925;TNE", "925,00 € je t"),
        ("Preis;ME", "92,50;DTN", "92,50 € je 100 kg"),
        ("Preis;Preiseinheit", "92,50;100kg", "92,50 € je 100 kg"),
        ("Preis;Preismenge;ME", "92,50;100 kg;m", "92,50 € je 100 kg"),
        ("Preis [EUR/t];ME", "925;m", "925,00 € je t"),
        ("Preis;ME", "925 €/t;m", "925,00 € je t"),
    ] {
        let file = format!("Artikelnummer;Lager;{columns}\r\nHEB-200;DU;{cells}\r\n");
        let import = bed.import(file).await;
        assert_eq!(import.rows_refused, 0, "{columns}: {cells}");
        assert_eq!(prices(&bed).await[0].as_deref(), Some(expected), "{columns}: {cells}");
    }
    let differs = "Artikelnummer;Lager;Preis;PE;Preiseinheit\r\nHEB-200;DU;92,50;100;1000\r\n";
    assert_eq!(codes(&bed, differs).await, [codes::CELL_UNIT_DIFFERS]);
}

#[tokio::test]
async fn on_request_clears_a_price_a_dash_keeps_it_and_foreign_currencies_are_refused() {
    let bed = stocked().await;
    let file = |cells: &str| format!("Artikelnummer;Lager;Preis;Währung\r\nHEB-200;DU;{cells}\r\n");
    bed.import(file("1.234,-;EUR")).await;
    let usual = prices(&bed).await[0].clone();
    assert!(usual.as_deref().is_some_and(|price| price.starts_with("1.234,00 €")), "{usual:?}");
    assert_eq!(counts(&bed.import(file("-;€")).await), [0, 0, 1, 0]);
    assert_eq!(counts(&bed.import(file("auf Anfrage;Euro")).await), [0, 1, 0, 0]);
    assert_eq!(prices(&bed).await[0], None);
    assert_eq!(codes(&bed, &file("900;CHF")).await, [codes::OTHER_CURRENCY]);
    assert_eq!(codes(&bed, &file("900;Taler")).await, [codes::OTHER_CURRENCY]);
}
