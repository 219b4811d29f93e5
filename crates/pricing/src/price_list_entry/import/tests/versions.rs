//! Files of feeds, each of which becomes the next version of a price list.

use chrono::TimeDelta;
use lists::Managed;
use values::Instant;

use super::*;
use crate::{
    codes,
    price_list::{Column, PriceList, PriceLists, feed_version},
};

/// Returns the tenant's lists with their starts and ends in minutes from a moment.
async fn periods(bed: &Bed, moment: Instant) -> Vec<(String, i64, Option<i64>)> {
    let minutes = |at: Instant| (at - moment).num_minutes();
    let lists = bed.scope.find::<PriceLists>().order_by_asc(Column::Id).all(&*bed.db).await.unwrap();
    let period = |list: PriceList| (list.name, minutes(list.valid_from), list.valid_until.map(minutes));
    lists.into_iter().map(period).collect()
}

async fn follow(bed: &Bed, import: &Import, moment: Instant) {
    let tx = bed.db.begin().await.unwrap();
    feed_version::follow(&tx, &bed.scope, import, moment).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_feed_file_becomes_the_next_version_once_it_is_complete() {
    let mut bed = bed().await;
    let moment = values::now();
    let year = 365 * 24 * 60;
    let refused = feed_version::prepare(&bed.db, &bed.scope, "Einkauf", moment).await.unwrap_err();
    assert_eq!(refused.code(), codes::FEED_PRICE_LIST_MISSING);

    // no list changes before the whole file is imported
    let first = feed_version::prepare(&bed.db, &bed.scope, "verkauf", moment).await.unwrap();
    assert_eq!((first.r#type, first.scope), (ListType::Sales, ListScope::Global));
    // a version without an import, because its run failed, is used by the next run
    let again = feed_version::prepare(&bed.db, &bed.scope, "Verkauf", moment).await.unwrap();
    assert_eq!(again.id, first.id);
    bed.aim = Some(first.id);
    let import = bed.import(format!("{HEADER}HEB-200;850;1;t\r\nNIE;1;1;t\r\n")).await;
    follow(&bed, &import, moment).await;
    let unchanged_periods = [("Verkauf".to_owned(), 0, None), (first.name.clone(), year, None)];
    assert_eq!(periods(&bed, moment).await, unchanged_periods);

    // the next file is complete: the first list ends when it begins, and the version of the failed file never
    // begins
    let second = feed_version::prepare(&bed.db, &bed.scope, "Verkauf", moment).await.unwrap();
    assert_eq!(second.name, format!("{} (2)", first.name.replace("verkauf", "Verkauf")));
    bed.aim = Some(second.id);
    let import = bed.import(format!("{HEADER}HEB-200;850;1;t\r\n")).await;
    follow(&bed, &import, moment).await;
    let followed = [
        ("Verkauf".to_owned(), 0, Some(5)),
        (first.name.clone(), year, Some(year)),
        (second.name.clone(), 5, None),
    ];
    assert_eq!(periods(&bed, moment).await, followed);
    // an import that ends twice changes nothing more
    follow(&bed, &import, moment + TimeDelta::minutes(3)).await;
    assert_eq!(periods(&bed, moment).await, followed);

    // a start that a person has set stays
    let later = moment + TimeDelta::minutes(10);
    let third = feed_version::prepare(&bed.db, &bed.scope, "Verkauf", later).await.unwrap();
    let moved = PriceListInput {
        valid_from: later + TimeDelta::days(7),
        version: Some(third.version),
        ..input(&bed.scope, &third.name)
    };
    <PriceLists as Managed>::update(&bed.db, &bed.scope, third.id, moved).await.unwrap();
    bed.aim = Some(third.id);
    let import = bed.import(format!("{HEADER}HEB-200;860;1;t\r\n")).await;
    follow(&bed, &import, later).await;
    let current_periods = periods(&bed, moment).await;
    assert_eq!(current_periods[2..], [(second.name, 5, None), (third.name, 10 + 7 * 24 * 60, None)]);
}
