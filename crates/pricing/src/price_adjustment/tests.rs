//! Adjustments in the database.

use crate::quote::over_time::tests::{adjustment, stocked};

use super::*;

#[tokio::test]
async fn only_years_whose_calendar_is_known_are_set() {
    let bed = stocked().await;
    let at = |text: &str| Some(text.parse::<Instant>().unwrap());
    let refused = async |from: Option<Instant>, until: Option<Instant>| {
        let input = PriceAdjustmentInput {
            valid_from: from,
            valid_until: until,
            ..adjustment("Frist", Some(5), None, "")
        };
        match create(&bed.db, &bed.scope, input).await {
            Err(Error::Invalid(violations)) => {
                violations.iter().map(|broken| (broken.path.clone(), broken.message.code)).collect::<Vec<_>>()
            }
            other => panic!("{other:?}"),
        }
    };
    let broken = |field: &str| vec![(field.to_owned(), Code::InvalidYear)];
    assert_eq!(refused(at("1999-12-31T23:59:59Z"), None).await, broken("valid_from"));
    assert_eq!(refused(at("2100-01-01T00:00:00Z"), None).await, broken("valid_from"));
    assert_eq!(refused(None, at("+262142-12-31T23:30:00Z")).await, broken("valid_until"));
    assert_eq!(
        refused(at("2027-01-01T00:00:00Z"), at("+10000-01-01T00:00:00Z")).await,
        broken("valid_until")
    );
}
