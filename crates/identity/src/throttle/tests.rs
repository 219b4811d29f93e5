//! Tests of admitted and blocked attempts, second by second.

use futures_util::future::join_all;
use store::Scope;
use testkit::TestDatabase;
use values::now;

use super::*;
use crate::{
    codes,
    user::{self, Account},
};

const EVA: &str = "eva@x.example";

fn after(start: Instant, seconds: i64) -> Instant {
    start + TimeDelta::seconds(seconds)
}

/// Seconds that an attempt has to wait; `None` if it is admitted.
async fn wait(db: &Database, source: &Source, now: Instant) -> Option<u64> {
    match attempt(db, source, now).await.unwrap() {
        Admission::Admitted => None,
        Admission::Blocked { seconds } => Some(seconds),
        Admission::Pending { source } => panic!("{source} has pending tries"),
    }
}

/// Same as `wait`; an admitted attempt fails.
async fn guess(db: &Database, source: &Source, now: Instant) -> Option<u64> {
    let seconds = wait(db, source, now).await;
    if seconds.is_none() {
        record_wrong(db, source).await.unwrap();
    }
    seconds
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
async fn concurrent_attempts_cannot_exceed_a_limit() {
    let db = testkit::database().await;
    let now = now();
    let elsewhere: Vec<Source> = (0..200).map(anywhere).collect();
    let admitted = join_all(elsewhere.iter().map(|source| attempt(&db, source, now))).await;
    let account = elsewhere[0].account.clone();
    assert_eq!(admitted.iter().flatten().filter(|answer| **answer == Admission::Admitted).count(), 40);
    let pending = Admission::Pending { source: account };
    assert_eq!(admitted.iter().flatten().filter(|answer| **answer == pending).count(), 160);

    let here = Source::new("other@x.example", "127.0.0.1");
    let admitted = join_all((0..200).map(|_| attempt(&db, &here, now))).await;
    assert_eq!(admitted.iter().flatten().filter(|answer| **answer == Admission::Admitted).count(), 5);
}

#[tokio::test]
async fn concurrent_wrong_passwords_are_checked_no_more_often_than_sequential_ones() {
    let db = testkit::database().await;
    let passwords = Passwords::default();
    let hash = passwords.hash("profil-traeger-walzwerk".into()).await.unwrap();
    let here = Source::new(EVA, "127.0.0.1");
    let started_at = std::time::Instant::now();
    let tries =
        join_all((0..40).map(|number| {
            verify(&db, &passwords, &here, format!("falsch-{number}"), Some(hash.clone()), now())
        }))
        .await;
    // Five are free; on a slow machine the later blocks end meanwhile.
    let at_most = 5 + [1, 3, 7].iter().filter(|seconds| started_at.elapsed().as_secs() >= **seconds).count();
    let checked = tries.iter().filter(|tried| matches!(tried, Ok(false))).count();
    let busy = tries.iter().filter(|tried| gave_up(tried)).count();
    assert!(checked <= at_most && 5 <= checked + busy, "{checked}: {tries:?}");
    let refused = |tried: &&Result<bool>| matches!(tried, Err(Error::Later { code: codes::TOO_MANY_ATTEMPTS, seconds }) if *seconds >= 1);
    assert_eq!(tries.iter().filter(refused).count(), 40 - checked - busy, "{tries:?}");
}

/// True if the password was not checked in time, as on a slow machine.
fn gave_up(tried: &Result<bool>) -> bool {
    matches!(tried, Err(Error::Later { code: codes::BUSY, .. }))
}

#[tokio::test]
async fn concurrent_right_passwords_never_block_each_other() {
    let db = testkit::database().await;
    let eva = eva(&db).await;
    let passwords = Passwords::default();
    let hash = passwords.hash("profil-traeger-walzwerk".into()).await.unwrap();
    for source in [Source::new(EVA, "127.0.0.1"), Source::from_session(1, EVA, "127.0.0.1")] {
        let tries = join_all((0..32).map(async |_| {
            let password = "profil-traeger-walzwerk".to_owned();
            let right = verify(&db, &passwords, &source, password, Some(hash.clone()), now()).await?;
            signs_in(&db, &source, eva, now()).await;
            Ok::<_, Error>(right)
        }))
        .await;
        // On a slow machine the last ones time out, but none is blocked.
        assert!(tries.iter().all(|tried| matches!(tried, Ok(true)) || gave_up(tried)), "{tries:?}");
        assert!(tries.iter().any(Result::is_ok), "{tries:?}");
    }
}

#[tokio::test]
async fn free_attempts_are_never_blocked_by_clock_differences() {
    let (db, start) = (testkit::database().await, now());
    let here = Source::new(EVA, "127.0.0.1");
    // The clock of the second one was read before the first one was counted.
    assert_eq!(guess(&db, &here, after(start, 1)).await, None);
    assert_eq!(wait(&db, &here, after(start, 0)).await, None);
}

#[tokio::test]
async fn a_right_password_clears_wrong_ones_but_not_pending_attempts() {
    let (db, start) = (testkit::database().await, now());
    let eva = eva(&db).await;
    let here = Source::new(EVA, "127.0.0.1");
    for _ in 0..3 {
        assert_eq!(guess(&db, &here, after(start, 0)).await, None);
    }
    assert_eq!(wait(&db, &here, after(start, 0)).await, None);
    assert_eq!(wait(&db, &here, after(start, 0)).await, None);
    signs_in(&db, &here, eva, after(start, 0)).await;
    record_wrong(&db, &here).await.unwrap();
    for _ in 0..4 {
        assert_eq!(guess(&db, &here, after(start, 0)).await, None);
    }
    assert_eq!(wait(&db, &here, after(start, 0)).await, Some(1));
}

#[tokio::test]
async fn pending_attempts_of_a_dead_process_count_as_wrong() {
    let (db, start) = (testkit::database().await, now());
    let here = Source::new(EVA, "127.0.0.1");
    for _ in 0..5 {
        assert_eq!(wait(&db, &here, after(start, 0)).await, None);
    }
    let pending = Admission::Pending { source: here.place.clone() };
    assert_eq!(attempt(&db, &here, after(start, 0)).await.unwrap(), pending);
    assert_eq!(guess(&db, &here, after(start, 6)).await, None);
    assert_eq!(wait(&db, &here, after(start, 6)).await, Some(2));
}

#[tokio::test]
async fn guesses_per_account_are_limited_while_known_places_stay_admitted() {
    let (db, start) = (testkit::database().await, now());
    let eva = eva(&db).await;
    let home = Source::new("EVA@x.example", "192.0.2.1");
    assert_eq!(wait(&db, &home, after(start, 0)).await, None);
    signs_in(&db, &home, eva, after(start, 0)).await;
    let (mut tried, mut number) = (0, 0);
    for second in (0..3600).step_by(5) {
        for _ in 0..2 {
            number += 1;
            match guess(&db, &anywhere(number % 2000), after(start, second)).await {
                None => tried += 1,
                Some(seconds) => assert!((1..=30).contains(&seconds), "{seconds}"),
            }
        }
        if second % 300 == 0 {
            assert_eq!(wait(&db, &home, after(start, second)).await, None, "{second}");
            signs_in(&db, &home, eva, after(start, second)).await;
        }
    }
    assert!((100..=160).contains(&tried), "{tried}");

    // An attacker at the owner's place has five attempts more, and then waits like all others.
    for _ in 0..5 {
        assert_eq!(guess(&db, &home, after(start, 3600)).await, None);
    }
    assert!(guess(&db, &home, after(start, 3602)).await.is_some());
}

#[tokio::test]
async fn no_attempt_waits_longer_than_half_a_minute() {
    let (db, start) = (testkit::database().await, now());
    let here = Source::new(EVA, "127.0.0.1");
    let (mut time, mut tried) = (0, 0);
    while time < 3600 {
        match guess(&db, &here, after(start, time)).await {
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
async fn an_address_trying_many_accounts_waits_except_for_its_known_users() {
    let (db, start) = (testkit::database().await, now());
    let eva = eva(&db).await;
    let home = Source::new(EVA, "127.0.0.1");
    assert_eq!(wait(&db, &home, after(start, 0)).await, None);
    signs_in(&db, &home, eva, after(start, 0)).await;
    for number in 0..30 {
        let other = Source::new(&format!("user{number}@x.example"), "127.0.0.1");
        assert_eq!(guess(&db, &other, after(start, 0)).await, None, "{number}");
    }
    let other = Source::new("one.more@x.example", "127.0.0.1");
    assert_eq!(guess(&db, &other, after(start, 0)).await, Some(2));
    assert_eq!(guess(&db, &home, after(start, 0)).await, None);
}

#[tokio::test]
async fn right_and_unchecked_passwords_are_not_counted() {
    let (db, start) = (testkit::database().await, now());
    let eva = eva(&db).await;
    for number in 0..100 {
        let source = anywhere(number);
        assert_eq!(wait(&db, &source, after(start, 0)).await, None, "{number}");
        if number % 2 == 0 {
            signs_in(&db, &source, eva, after(start, 0)).await;
        } else {
            uncount_unchecked(&db, &source).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_clock_that_is_set_back_blocks_no_attempt() {
    let (db, start) = (testkit::database().await, now());
    let here = Source::new(EVA, "127.0.0.1");
    let tomorrow = 24 * 3600;
    for _ in 0..5 {
        assert_eq!(guess(&db, &here, after(start, tomorrow)).await, None);
    }
    assert!(guess(&db, &here, after(start, tomorrow)).await.is_some());
    assert_eq!(guess(&db, &here, after(start, 0)).await, None);
}

#[tokio::test]
async fn sign_in_places_are_deleted_after_90_days() {
    let (db, start) = (testkit::database().await, now());
    let eva = eva(&db).await;
    signs_in(&db, &anywhere(1), eva, after(start, 0)).await;
    for (days, expected_count) in [(89, 1), (91, 0)] {
        let tx = db.begin().await.unwrap();
        clean_up(&tx, after(start, days * 24 * 3600)).await.unwrap();
        tx.commit().await.unwrap();
        #[expect(clippy::disallowed_methods, reason = "the test looks at the table")]
        let count = Places::find().all(&*db).await.unwrap().len();
        assert_eq!(count, expected_count);
    }
}
