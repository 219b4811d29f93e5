//! Tests of the undo of matching files.

use super::*;

#[tokio::test]
async fn undo_restores_matchings_unless_they_contradict_others() {
    let bed = bed().await;
    import(&bed, &[";HEB-200;4711;DU;L1;K77"]).await;
    let before = matchings(&bed, &bed.scope).await;
    let change = import(&bed, &[";IPE-80;4711;DU;L1;", ";L-50;4712;HH;L2;", ";L-50;4713;;;"]).await;
    assert_eq!(counts(&change), [2, 1, 0, 0]);
    let changed = matchings(&bed, &bed.scope).await;
    let undo = bed.undo(&change, false).await;
    assert_eq!(bed.outcomes(&undo).await, ["4711, L1 Updated", "4712, L2 Removed", "4713 Removed"]);
    assert_eq!(matchings(&bed, &bed.scope).await, before);

    // Meanwhile the external warehouse stands for another one.
    import(&bed, &[";L-50;4720;DU;L2;"]).await;
    let again = bed.undo(&undo, false).await;
    let outcomes = bed.outcomes(&again).await;
    assert_eq!((&*outcomes[0], &*outcomes[2]), ("4711, L1 Updated", "4713 Created"));
    assert!(outcomes[1].starts_with("4712, L2 Refused: Lässt sich nicht wiederherstellen"), "{outcomes:?}");
    let now = matchings(&bed, &bed.scope).await;
    assert!(now.contains(&changed[0]) && now.contains(&changed[2]), "{now:?}");
}
