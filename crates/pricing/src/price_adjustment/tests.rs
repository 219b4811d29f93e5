//! Price adjustments in the database.

use crate::{
    codes,
    quote::over_time::tests::{adjustment, stocked},
};

use super::*;

#[tokio::test]
async fn concurrently_added_adjustments_get_consecutive_positions() {
    let bed = stocked().await;
    let add = async |name: &str| {
        PriceAdjustments::create(&bed.db, &bed.scope, adjustment(name, Some(5), None, "")).await
    };
    for round in 0..3 {
        let names = [0, 1].map(|number| format!("{round}-{number}"));
        let (one, other) = tokio::join!(add(&names[0]), add(&names[1]));
        let positions = [one, other].map(|detail| detail.unwrap().adjustment.position);
        assert_eq!(BTreeSet::from(positions), BTreeSet::from([2 * round + 1, 2 * round + 2]));
    }
}

#[tokio::test]
async fn the_last_free_position_is_assigned_once() {
    let bed = stocked().await;
    let tx = bed.db.begin().await.unwrap();
    for number in 1..ADJUSTMENTS_MAX {
        insert(&tx, &bed.scope, adjustment(&number.to_string(), Some(5), None, "")).await.unwrap();
    }
    tx.commit().await.unwrap();
    let add = async |name: &str| {
        PriceAdjustments::create(&bed.db, &bed.scope, adjustment(name, Some(5), None, "")).await
    };
    let (one, other) = tokio::join!(add("one"), add("other"));
    assert_ne!(one.is_ok(), other.is_ok());
    let refused = one.err().or(other.err()).unwrap();
    assert_eq!(refused.code(), codes::TOO_MANY);
}

#[tokio::test]
async fn years_outside_the_calendar_are_refused() {
    let bed = stocked().await;
    let at = |text: &str| Some(text.parse::<Instant>().unwrap());
    let refused = async |from: Option<Instant>, until: Option<Instant>| {
        let input = PriceAdjustmentInput {
            valid_from: from,
            valid_until: until,
            ..adjustment("Frist", Some(5), None, "")
        };
        match PriceAdjustments::create(&bed.db, &bed.scope, input).await {
            Err(Error::Invalid(violations)) => {
                violations.iter().map(|broken| (broken.path.clone(), broken.message.code)).collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        }
    };
    let broken = |field: &str| vec![(field.to_owned(), codes::INVALID_YEAR)];
    assert_eq!(refused(at("1999-12-31T23:59:59Z"), None).await, broken("valid_from"));
    assert_eq!(refused(at("2100-01-01T00:00:00Z"), None).await, broken("valid_from"));
    assert_eq!(refused(None, at("+262142-12-31T23:30:00Z")).await, broken("valid_until"));
    assert_eq!(
        refused(at("2027-01-01T00:00:00Z"), at("+10000-01-01T00:00:00Z")).await,
        broken("valid_until")
    );
}
