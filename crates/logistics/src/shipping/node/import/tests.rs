//! Tests of files of shipping nodes, from their bytes to the rows in the database.

use imports::{
    import::{Import, ImportStatus},
    testbed::{Bed, counts},
};
use lists::Detailed;

use super::*;
use crate::{
    shipping::node::{self, ShippingNodes, closure::ShippingNodeClosureInput},
    testbed::warehouse,
};

const HEADER: &str = "Name;Adresse;Breitengrad;Längengrad;Aktiv;Feiertage nach\n";

async fn import(bed: &Bed, rows: &[&str]) -> Import {
    bed.import(HEADER.to_owned() + &rows.join("\n")).await
}

/// Nodes in the form `Linz | Hafenstraße 61 | 48.316667 14.316667 | true | AT`, sorted by name.
async fn nodes(bed: &Bed) -> Vec<String> {
    let nodes = bed.scope.find::<ShippingNodes>().order_by_asc(Column::NameSort).all(&*bed.db).await.unwrap();
    let lines = nodes.into_iter().map(|node| {
        let degrees = [node.latitude, node.longitude].map(|degrees| degrees.unwrap_or_default().to_string());
        let region = node.region.map_or("", Region::as_str);
        let address = node.address.unwrap_or_default();
        format!("{} | {address} | {} | {} | {region}", node.name, degrees.join(" "), node.active)
    });
    lines.collect()
}

#[tokio::test]
async fn nodes_are_created_changed_left_unchanged_and_reverted() {
    let bed = Bed::for_importer::<ShippingNodeImporter>().await;
    let rows = [
        "Depot Linz;Hafenstraße 61, 4020 Linz;48,316667;14,316667;ja;Österreich",
        "Duisburg;;51,4344;6,7623;Nein;de-nw",
        "Wels;;;;;",
    ];
    let first = import(&bed, &rows).await;
    assert_eq!((first.status, counts(&first)), (ImportStatus::Success, [3, 0, 0, 0]));
    let before = nodes(&bed).await;
    assert_eq!(
        before,
        [
            "Depot Linz | Hafenstraße 61, 4020 Linz | 48.316667 14.316667 | true | AT",
            "Duisburg |  | 51.4344 6.7623 | false | DE-NW",
            "Wels |  | 0 0 | true | ",
        ]
    );
    assert_eq!(counts(&import(&bed, &rows).await), [0, 0, 3, 0]);

    // An empty cell changes nothing, `#LEER` clears, and the spelling stays.
    let second = import(&bed, &["DEPOT LINZ;#LEER;;;0;", "Enns;Ennshafen;;;x;Bayern"]).await;
    assert_eq!(counts(&second), [1, 1, 0, 0]);
    let changed = nodes(&bed).await;
    assert_eq!(changed[0], "Depot Linz |  | 48.316667 14.316667 | false | AT");
    assert_eq!(changed[2], "Enns | Ennshafen | 0 0 | true | DE-BY");
    let undo = bed.undo(&second, false).await;
    assert_eq!(bed.outcomes(&undo).await, ["Depot Linz Updated", "Enns Removed"]);
    assert_eq!(nodes(&bed).await, before);

    // A node that has a closure now is not deleted.
    let third = import(&bed, &["Enns;;;;;"]).await;
    let enns = bed.scope.find::<ShippingNodes>().filter(Column::NameFold.eq("enns"));
    let shipping_node_id = enns.one(&*bed.db).await.unwrap().unwrap().id;
    let closed =
        ShippingNodeClosureInput { shipping_node_id, date: "2026-12-24".parse().unwrap(), name: "Zu".into() };
    node::closure::create(&bed.db, &bed.scope, closed).await.unwrap();
    let undo = bed.undo(&third, false).await;
    assert!(bed.outcomes(&undo).await[0].starts_with("Enns Kept"), "{:?}", bed.outcomes(&undo).await);
}

#[tokio::test]
async fn faults_of_a_row_are_reported_at_its_cells() {
    let bed = Bed::for_importer::<ShippingNodeImporter>().await;
    for (row, expected) in [
        (";Hafen;;;;", "Name: Pflichtfeld"),
        ("A;;91;0;;", "Breitengrad: Darf höchstens 90 sein"),
        ("A;;-90,000001;0;;", "Breitengrad: Muss mindestens -90 sein"),
        ("A;;48,3;;;", "Längengrad: Breite und Länge gehören zusammen"),
        ("A;;x;0;;", "Breitengrad: "),
        ("A;;;;vielleicht;", "Aktiv: „vielleicht“ ist weder Ja noch Nein"),
        ("A;;;;#LEER;", "Aktiv: Dieses Feld kann nicht geleert werden"),
        ("A;;;;;Bavarien", "Feiertage nach: „Bavarien“ gibt es nicht"),
    ] {
        let refused = import(&bed, &[row]).await;
        assert_eq!((refused.status, counts(&refused)), (ImportStatus::Failed, [0, 0, 0, 1]), "{row}");
        let reasons = bed.reasons(&refused).await.remove(0).1;
        assert!(reasons.iter().any(|reason| reason.starts_with(expected)), "{row}: {reasons:?}");
    }
    let headless = bed.import("Name;Breitengrad\nA;48").await;
    assert_eq!(headless.status, ImportStatus::Failed);
}

#[tokio::test]
async fn warehouses_are_named_by_their_short_codes() {
    let bed = Bed::for_importer::<ShippingNodeImporter>().await;
    for (scope, code) in [(&bed.scope, "DU"), (&bed.scope, "HH"), (&bed.other, "DU"), (&bed.other, "LZ")] {
        warehouse(&bed, scope, code).await;
    }
    let import = async |rows: &[&str]| bed.import("Name;Lager\n".to_owned() + &rows.join("\n")).await;
    let node_lines = async || {
        let nodes = bed.scope.find::<ShippingNodes>().order_by_asc(Column::NameSort).all(&*bed.db).await;
        let nodes = ShippingNodes::detailed(&*bed.db, &bed.scope, nodes.unwrap()).await.unwrap();
        let texts = nodes.into_iter().map(|detail| {
            let code = detail.warehouse.map(|warehouse| warehouse.short_code);
            let tenant = detail.node.warehouse_tenant_id.map(|tenant| tenant.0);
            format!("{} {} {}", detail.node.name, code.unwrap_or_default(), tenant.unwrap_or_default())
        });
        texts.collect::<Vec<_>>()
    };
    let tenant = bed.scope.tenant().unwrap().0;
    let first = import(&["Duisburg;du", "Hamburg;HH", "Linz;"]).await;
    assert_eq!(counts(&first), [3, 0, 0, 0], "{:?}", bed.reasons(&first).await);
    let before = [format!("Duisburg DU {tenant}"), format!("Hamburg HH {tenant}"), "Linz  0".to_owned()];
    assert_eq!(node_lines().await, before);
    assert_eq!(counts(&import(&["Duisburg;DU", "Hamburg;", "Linz;"]).await), [0, 0, 3, 0]);

    for (rows, reason) in [
        (&["Linz;DU"][..], "Lager: Dieses Lager steht schon an einem anderen Versandknoten"),
        (&["Linz;Köln"], "Lager: „Köln“ gibt es nicht"),
    ] {
        let refused = import(rows).await;
        assert_eq!(counts(&refused), [0, 0, 0, 1]);
        assert_eq!(bed.reasons(&refused).await[0].1, [reason]);
    }
    // Two nodes cannot have the same warehouse.
    let second = import(&["Hamburg;#LEER", "Linz;", "Wels;"]).await;
    assert_eq!(counts(&second), [1, 1, 1, 0]);
    assert_eq!(counts(&import(&["Linz;HH", "Wels;hh"]).await), [0, 0, 0, 2]);
    assert_eq!(counts(&import(&["Linz;HH"]).await), [0, 1, 0, 0]);
    // The warehouse is at another node now.
    let undo = bed.undo(&second, false).await;
    let outcomes = bed.outcomes(&undo).await;
    let refused = outcomes[0].starts_with("Hamburg Refused") && outcomes[0].contains("steht schon an");
    assert!(refused, "{outcomes:?}");
    assert_eq!(counts(&import(&["Linz;#LEER"]).await), [0, 1, 0, 0]);
}
