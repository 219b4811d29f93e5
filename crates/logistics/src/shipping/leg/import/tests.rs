//! Tests of files of shipping legs, from their bytes to the rows in the database.

use imports::{
    import::{Import, ImportStatus},
    testbed::{Bed, counts},
};
use lists::Creatable;

use super::*;
use crate::shipping::node::{ShippingNodeInput, ShippingNodes};

const HEADER: &str =
    "Absender;Empfänger;Bereitstellung;Beladung;Fahrt;Entladung;Bestellschluss;Abfahrten;Ausnahmen\n";

fn file(rows: &[&str]) -> String {
    HEADER.to_owned() + &rows.join("\n")
}

async fn import(bed: &Bed, rows: &[&str]) -> Import {
    bed.import(file(rows)).await
}

/// Testbed with the nodes Duisburg, Linz and Wels.
async fn bed() -> Bed {
    let bed = Bed::for_importer::<ShippingLegImporter>().await;
    for name in ["Duisburg", "Linz", "Wels"] {
        let node = ShippingNodeInput {
            name: name.to_owned(),
            address: None,
            latitude: None,
            longitude: None,
            active: true,
            warehouse_id: None,
            region: None,
            version: None,
        };
        ShippingNodes::create(&bed.db, &bed.scope, node).await.unwrap();
    }
    bed
}

/// Legs in the form `Duisburg → Linz | 30 60 420 45 | 16:00 | Di, Fr 06:00 | 24.12.2026 entfällt`, sorted by
/// name.
async fn legs(bed: &Bed) -> Vec<String> {
    let legs = bed.scope.find::<ShippingLegs>().order_by_asc(Column::NameSort).all(&*bed.db).await.unwrap();
    let lines = legs.into_iter().map(|leg| {
        let durations =
            [leg.preparation_duration, leg.loading_duration, leg.travel_duration, leg.unloading_duration];
        [
            leg.name,
            durations.map(|duration| duration.minutes().to_string()).join(" "),
            leg.order_time.map(|time| time.to_string()).unwrap_or_default(),
            format_departures(&leg.departures.0, Language::De),
            format_exceptions(&leg.exceptions.0, Language::De),
        ]
        .join(" | ")
    });
    lines.collect()
}

#[tokio::test]
async fn legs_are_created_changed_left_unchanged_and_reverted() {
    let bed = bed().await;
    let rows = [
        "duisburg;LINZ;30;1h;7:00;45m;16:00;Di 06:00, Fr 06:00;24.12.2026 entfällt",
        "Linz;Wels;;;0,5h;;;Mo-Fr 14:30, Sa 8;",
        "Linz;Duisburg;;;1h20m;;;;",
    ];
    let dry = bed.dry_run(file(&rows)).await;
    assert_eq!(
        (dry.status, counts(&dry)),
        (ImportStatus::Success, [3, 0, 0, 0]),
        "{:?}",
        bed.reasons(&dry).await
    );
    assert_eq!(legs(&bed).await, [""; 0]);
    let first = import(&bed, &rows).await;
    assert_eq!((first.status, counts(&first)), (ImportStatus::Success, [3, 0, 0, 0]));
    let before = legs(&bed).await;
    assert_eq!(
        before,
        [
            "Duisburg → Linz | 30 60 420 45 | 16:00 | Di, Fr 06:00 | 24.12.2026 entfällt",
            "Linz → Duisburg | 0 0 80 0 |  |  | ",
            "Linz → Wels | 0 0 30 0 |  | Mo–Fr 14:30; Sa 08:00 | ",
        ]
    );
    assert_eq!(counts(&import(&bed, &rows).await), [0, 0, 3, 0]);

    // An empty cell changes nothing, `#LEER` clears.
    let second =
        import(&bed, &["Duisburg;Linz;#LEER;;450;;#LEER;Mo 05:00;#LEER", "Wels;Linz;;;20;;;;"]).await;
    assert_eq!(counts(&second), [1, 1, 0, 0]);
    let changed = legs(&bed).await;
    assert_eq!(changed[0], "Duisburg → Linz | 0 60 450 45 |  | Mo 05:00 | ");
    let undo = bed.undo(&second, false).await;
    assert_eq!(bed.outcomes(&undo).await, ["Duisburg → Linz Updated", "Wels → Linz Removed"]);
    assert_eq!(legs(&bed).await, before);
}

#[tokio::test]
async fn faults_of_a_row_are_reported_at_its_cells() {
    let bed = bed().await;
    for (row, expected) in [
        ("Hamburg;Linz;;;60;;;;", "Absender: „Hamburg“ gibt es nicht"),
        ("Duisburg;;;;60;;;;", "Empfänger: Pflichtfeld"),
        ("Duisburg;Duisburg;;;60;;;;", "Empfänger: Absender und Empfänger müssen verschiedene"),
        ("Duisburg;Linz;;;;;;;", "Fahrt: Die Fahrt dauert mindestens eine Minute"),
        ("Duisburg;Linz;;;0;;;;", "Fahrt: Die Fahrt dauert mindestens eine Minute"),
        ("Duisburg;Linz;;;ein Jahr;;;;", "Fahrt: Keine gültige Dauer"),
        ("Duisburg;Linz;;800h;60;;;;", "Beladung: Keine gültige Dauer"),
        ("Duisburg;Linz;;;60;;25:00;;", "Bestellschluss: Keine gültige Uhrzeit"),
        ("Duisburg;Linz;;;60;;;Mo 25:00;", "Abfahrten: „25:00“ ist keine Abfahrt"),
        ("Duisburg;Linz;;;60;;;06:00;", "Abfahrten: „06:00“ ist keine Abfahrt"),
        ("Duisburg;Linz;;;60;;;;24.12.2026", "Ausnahmen: „24.12.2026“ ist keine Ausnahme"),
        (
            "Duisburg;Linz;;;60;;;;24.12.2026 06:00 entfällt, 24.12.2026 06:00 zusätzlich",
            "Ausnahmen: Diese Abfahrt kann an diesem Tag nicht zugleich",
        ),
        ("Duisburg;Linz;;;60;;;;24.12.2026 zusätzlich", "Ausnahmen: Pflichtfeld"),
        ("Duisburg;Linz;;;60;;;;24.12.1899 entfällt", "Ausnahmen: Bitte geben Sie ein Datum in den Jahren"),
    ] {
        let refused = import(&bed, &[row]).await;
        assert_eq!((refused.status, counts(&refused)), (ImportStatus::Failed, [0, 0, 0, 1]), "{row}");
        let reasons = bed.reasons(&refused).await.remove(0).1;
        assert!(reasons.iter().any(|reason| reason.starts_with(expected)), "{row}: {reasons:?}");
    }
    // The same pair twice in one file.
    let twice = import(&bed, &["Duisburg;Linz;;;60;;;;", "duisburg;linz;;;70;;;;"]).await;
    assert_eq!(counts(&twice), [1, 0, 0, 1]);
}
