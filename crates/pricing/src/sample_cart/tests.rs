//! Sample carts in the database.

use std::time::Duration;

use catalog::article::Articles;
use chrono_tz::Tz;
use sea_orm::QuerySelect;
use tokio::time::timeout;

use super::*;
use crate::{
    blocking::tests::all_permits,
    quote::{load::Books, over_time::tests::stocked},
};

#[tokio::test]
async fn saving_one_cart_does_not_wait_and_calculating_many_takes_turns() {
    let bed = stocked().await;
    let (db, scope, books) = (&bed.db, &bed.scope, Books::default());
    let calculator = Calculator { books: &books, time_zone: Tz::Europe__Berlin };
    let articles = Scope::platform().find::<Articles>().select_only().column(catalog::article::Column::Id);
    let article: i64 = articles.into_tuple().one(&**db).await.unwrap().unwrap();
    let input = SampleCartInput {
        name: "Träger".to_owned(),
        buyer_id: None,
        at: None,
        lines: vec![LineInput {
            article_id: article,
            quantity: Decimal::ONE,
            unit: None,
            warehouse_id: None,
            processings: Vec::new(),
        }],
        expected_total: Some(Decimal::ONE),
        version: None,
    };
    let turns = all_permits().await;
    let cart = create(db, scope, calculator, input).await.unwrap().cart;
    assert_eq!(read(db, scope, calculator, cart.clone()).await.unwrap().state(), State::Refused);
    let calculation = calculator.load(db, scope.tenant().unwrap()).await.unwrap();
    let some_time = Duration::from_millis(300);
    let listed = timeout(some_time, detailed(&**db, scope, &calculation, vec![cart.clone()])).await;
    assert!(listed.is_err(), "the list waits for its turn");
    assert!(timeout(some_time, surprising(db, scope, calculator)).await.is_err(), "the start page as well");
    drop(turns);
    assert_eq!(detailed(&**db, scope, &calculation, vec![cart]).await.unwrap().len(), 1);
    assert_eq!(surprising(db, scope, calculator).await.unwrap(), 1);
}
