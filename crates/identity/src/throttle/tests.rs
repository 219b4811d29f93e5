//! What is let through and what has to wait, second by second.

use futures_util::future::join_all;
use kernel::{Scope, now};
use testkit::TestDatabase;

use super::*;
use crate::user::{self, Account};

const EVA: &str = "eva@x.example";

fn at(seconds: i64) -> Instant {
    now() + TimeDelta::seconds(seconds)
}

/// How long it has to wait; `None`: it was looked at.
async fn wait(db: &Database, source: &Source, now: Instant) -> Option<u64> {
    match attempt(db, source, now).await {
        Ok(()) => None,
        Err(Error::Later { code: Code::TooManyAttempts, seconds }) => Some(seconds),
        Err(error) => panic!("{error}"),
    }
}

async fn signs_in(db: &Database, source: &Source, user: i64, now: Instant) {
    let tx = db.begin().await.unwrap();
    succeeded(&tx, source, user, now).await.unwrap();
    tx.commit().await.unwrap();
}

async fn eva(db: &TestDatabase) -> i64 {
    let account = Account {
        name: "Eva".to_owned(),
        email: EVA.to_owned(),
        tenant_id: None,
        role_ids: vec![],
        password_hash: None,
    };
    user::enroll(db, &Scope::platform(), account).await.unwrap().id
}

fn anywhere(number: usize) -> Source {
    Source::new(EVA, &format!("10.0.{}.{}", number / 250, number % 250))
}

#[tokio::test]
async fn many_at_once_are_no_way_past_a_limit() {
    let db = testkit::database().await;
    let now = now();
    let elsewhere: Vec<Source> = (0..200).map(anywhere).collect();
    let admitted = join_all(elsewhere.iter().map(|source| wait(&db, source, now))).await;
    assert_eq!(admitted.iter().filter(|wait| wait.is_none()).count(), 40);

    let here = Source::new("other@x.example", "127.0.0.1");
    let admitted = join_all((0..200).map(|_| wait(&db, &here, now))).await;
    assert_eq!(admitted.iter().filter(|wait| wait.is_none()).count(), 5);
}

#[tokio::test]
async fn an_account_is_tried_170_times_an_hour_at_most_and_its_owner_is_let_in_where_they_were_before() {
    let db = testkit::database().await;
    let eva = eva(&db).await;
    let home = Source::new("EVA@x.example", "192.0.2.1");
    assert_eq!(wait(&db, &home, at(0)).await, None);
    signs_in(&db, &home, eva, at(0)).await;
    let (mut tried, mut number) = (0, 0);
    for second in (0..3600).step_by(5) {
        for _ in 0..2 {
            number += 1;
            match wait(&db, &anywhere(number % 2000), at(second)).await {
                None => tried += 1,
                Some(seconds) => assert!((1..=30).contains(&seconds), "{seconds}"),
            }
        }
        if second % 300 == 0 {
            assert_eq!(wait(&db, &home, at(second)).await, None, "{second}");
            signs_in(&db, &home, eva, at(second)).await;
        }
    }
    assert!((100..=160).contains(&tried), "{tried}");

    // whoever sits beside its owner has five more, and then waits with all others
    for _ in 0..5 {
        assert_eq!(wait(&db, &home, at(3600)).await, None);
    }
    assert!(wait(&db, &home, at(3602)).await.is_some());
}

#[tokio::test]
async fn nobody_waits_longer_than_half_a_minute() {
    let db = testkit::database().await;
    let here = Source::new(EVA, "127.0.0.1");
    let (mut time, mut tried) = (0, 0);
    while time < 3600 {
        match wait(&db, &here, at(time)).await {
            None => tried += 1,
            Some(seconds) => {
                assert!((1..=30).contains(&seconds), "{seconds}");
                time += i64::try_from(seconds).unwrap();
            }
        }
    }
    assert!((100..=170).contains(&tried), "{tried}");
}

#[tokio::test]
async fn an_address_that_tries_many_accounts_waits_but_not_for_those_who_have_signed_in_there() {
    let db = testkit::database().await;
    let eva = eva(&db).await;
    let home = Source::new(EVA, "127.0.0.1");
    assert_eq!(wait(&db, &home, at(0)).await, None);
    signs_in(&db, &home, eva, at(0)).await;
    for number in 0..30 {
        let other = Source::new(&format!("user{number}@x.example"), "127.0.0.1");
        assert_eq!(wait(&db, &other, at(0)).await, None, "{number}");
    }
    let other = Source::new("one.more@x.example", "127.0.0.1");
    assert_eq!(wait(&db, &other, at(0)).await, Some(2));
    assert_eq!(wait(&db, &home, at(0)).await, None);
}

#[tokio::test]
async fn what_is_right_or_was_not_looked_at_is_not_counted() {
    let db = testkit::database().await;
    let eva = eva(&db).await;
    for number in 0..100 {
        let source = anywhere(number);
        assert_eq!(wait(&db, &source, at(0)).await, None, "{number}");
        if number % 2 == 0 {
            signs_in(&db, &source, eva, at(0)).await;
        } else {
            undone(&db, &source, at(0)).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_clock_that_is_set_back_keeps_nobody_out() {
    let db = testkit::database().await;
    let here = Source::new(EVA, "127.0.0.1");
    let tomorrow = 24 * 3600;
    for _ in 0..5 {
        assert_eq!(wait(&db, &here, at(tomorrow)).await, None);
    }
    assert!(wait(&db, &here, at(tomorrow)).await.is_some());
    assert_eq!(wait(&db, &here, at(0)).await, None);
}

#[tokio::test]
async fn where_somebody_signed_in_is_forgotten_after_90_days() {
    let db = testkit::database().await;
    let eva = eva(&db).await;
    signs_in(&db, &anywhere(1), eva, at(0)).await;
    for (days, left) in [(89, 1), (91, 0)] {
        let tx = db.begin().await.unwrap();
        clean_up(&tx, at(days * 24 * 3600)).await.unwrap();
        tx.commit().await.unwrap();
        #[expect(clippy::disallowed_methods, reason = "the test looks at the table")]
        let known = Places::find().all(&*db).await.unwrap().len();
        assert_eq!(known, left);
    }
}
