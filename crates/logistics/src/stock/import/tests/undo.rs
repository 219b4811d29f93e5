//! Tests of the undo of stock files.

use sea_orm::ConnectionTrait;

use super::*;

#[tokio::test]
async fn undo_restores_quantities_and_keeps_stocks_priced_since() {
    let bed = bed().await;
    let header = "Artikelnummer;Lager;Menge;Lieferzeit;Länge [mm]\r\n";
    bed.import(format!("{header}HEB-200;DU;3;2;\r\n")).await;
    let before = stocks(&bed, &bed.scope).await;
    let import =
        bed.import(format!("{header}HEB-200;DU;5;#LEER;\r\nHEB-200;DU;1;;6000\r\nBL-10;HH;7;;\r\n")).await;
    assert_eq!(counts(&import), [2, 1, 0, 0]);
    let priced = stocks(&bed, &bed.scope).await[1].id;
    let tx = bed.db.begin().await.unwrap();
    let price = format!(
        "UPDATE stock SET external_price = 1, external_price_quantity = 1, external_price_unit = 'm' WHERE id = {priced}"
    );
    tx.execute_unprepared(&price).await.unwrap();
    tx.commit().await.unwrap();

    let undo = bed.undo(&import, false).await;
    let expected = [
        "HEB-200, DU Updated",
        "HEB-200, DU, 6000 mm Kept: Seit dem Import geändert; der Eintrag bleibt, wie er ist",
        "BL-10, HH Removed",
    ];
    assert_eq!(bed.outcomes(&undo).await, expected);
    let now = stocks(&bed, &bed.scope).await;
    assert_eq!(now.len(), 2);
    assert_eq!(
        (now[0].quantity, now[0].lead_time, now[0].version),
        (before[0].quantity, before[0].lead_time, 3)
    );
    let again = bed.undo(&undo, false).await;
    assert_eq!(bed.outcomes(&again).await, ["HEB-200, DU Updated", "BL-10, HH Created"]);
    let now = stocks(&bed, &bed.scope).await;
    assert_eq!(
        (&*now[2].name, now[2].quantity.map(|it| it.to_string()).as_deref()),
        ("BL-10, HH", Some("7"))
    );
}
