//! Tests of the outbox of mails, on both databases.

use testkit::TestDatabase;

use sea_orm::Statement;

use super::*;

const LINK: &str = "https://stalhof.example/verification?token=lnk_secret";

/// Creates a user by SQL, because users belong to another domain.
async fn user(db: &Database, name: &str) -> i64 {
    let tx = db.begin().await.unwrap();
    let sql = format!(
        "INSERT INTO \"user\" (name, name_fold, email, email_fold, email_key, status, narrowed, version, created_at, updated_at) \
         VALUES ('{name}', '{name}', '{name}@x.example', '{name}@x.example', '{name}@x.example', 'InvitationQueued', false, 1, \
         '2026-01-01 00:00:00+00:00', '2026-01-01 00:00:00+00:00') RETURNING id"
    );
    let row =
        tx.query_one_raw(Statement::from_string(tx.get_database_backend(), sql)).await.unwrap().unwrap();
    tx.commit().await.unwrap();
    row.try_get("", "id").unwrap()
}

async fn invite(db: &Database, user_id: i64, now: Instant) {
    let to = Recipient { user_id, name: "Eva", address: "eva@x.example", language: Some(Language::En) };
    let tx = db.begin().await.unwrap();
    queue(&tx, to, &Mail::Invitation { link: LINK, days: 7 }, now).await.unwrap();
    tx.commit().await.unwrap();
}

async fn noted(db: &Database, letter: &Letter, outcome: Result<(), Failure>, now: Instant) -> Option<Fate> {
    let tx = db.begin().await.unwrap();
    let fate = record(&tx, letter, &outcome, now).await.unwrap();
    tx.commit().await.unwrap();
    fate
}

#[expect(clippy::disallowed_methods, reason = "the test looks at the table")]
async fn stored(db: &TestDatabase) -> Vec<Letter> {
    Mails::find().all(&**db).await.unwrap()
}

fn minutes(count: i64) -> TimeDelta {
    TimeDelta::minutes(count)
}

#[tokio::test]
async fn a_mail_is_queued_only_if_its_transaction_commits() {
    let db = testkit::database().await;
    let id = user(&db, "eva").await;
    let now = values::now();
    let to = Recipient { user_id: id, name: "Eva", address: "eva@x.example", language: None };
    let tx = db.begin().await.unwrap();
    queue(&tx, to, &Mail::Invitation { link: LINK, days: 7 }, now).await.unwrap();
    tx.rollback().await.unwrap();
    assert_eq!(claim(&db, "sender", now).await.unwrap(), None);
    invite(&db, id, now).await;
    let letter = claim(&db, "sender", now).await.unwrap().unwrap();
    assert_eq!((&*letter.language, letter.attempts), ("en", 1));
    assert!(letter.text.unwrap().contains(LINK));
}

#[tokio::test]
async fn the_content_of_sent_mails_is_deleted() {
    let db = testkit::database().await;
    let id = user(&db, "eva").await;
    let now = values::now();
    invite(&db, id, now).await;
    let letter = claim(&db, "sender", now).await.unwrap().unwrap();
    assert_eq!(noted(&db, &letter, Ok(()), now).await, Some(Fate::Sent));
    let [sent] = &stored(&db).await[..] else { panic!("one mail") };
    assert_eq!((&sent.text, &sent.html, sent.due_at, sent.sent_at), (&None, &None, None, Some(now)));
    assert_eq!(count(&*db, id, Kind::Invitation, now - minutes(1)).await.unwrap(), 1);
    assert_eq!(claim(&db, "sender", now + minutes(600)).await.unwrap(), None);

    clean_up(db.writer(), now + TimeDelta::days(29)).await.unwrap();
    assert_eq!(stored(&db).await.len(), 1);
    clean_up(db.writer(), now + TimeDelta::days(31)).await.unwrap();
    assert_eq!(stored(&db).await.len(), 0);
}

#[tokio::test]
async fn the_mail_of_a_dead_sender_is_taken_over_and_its_result_is_discarded() {
    let db = testkit::database().await;
    let id = user(&db, "eva").await;
    let now = values::now();
    invite(&db, id, now).await;
    let dead = claim(&db, "sender", now).await.unwrap().unwrap();
    assert_eq!(claim(&db, "sender", now + minutes(1)).await.unwrap(), None, "another sender has claimed it");
    let next = claim(&db, "sender", now + minutes(2)).await.unwrap().unwrap();
    assert_eq!((next.id, next.attempts), (dead.id, 2));
    assert_eq!(
        (&next.text, next.created_at),
        (&dead.text, dead.created_at),
        "the same mail with the same id"
    );
    // The first sender was only slow.
    let refused = Err(Failure::Refused("550".into()));
    assert_eq!(noted(&db, &dead, refused, now + minutes(3)).await, None);
    assert_eq!(noted(&db, &next, Ok(()), now + minutes(3)).await, Some(Fate::Sent));
    assert_eq!(noted(&db, &next, Ok(()), now + minutes(3)).await, None);
}

#[tokio::test]
async fn concurrent_senders_never_claim_the_same_mail() {
    let db = testkit::database().await;
    let id = user(&db, "eva").await;
    let now = values::now();
    for _ in 0..10 {
        invite(&db, id, now).await;
    }
    let claims = (0..20).map(|_| {
        let db = (*db).clone();
        tokio::spawn(async move { claim(&db, "sender", now).await.unwrap().map(|letter| letter.id) })
    });
    let mut ids = Vec::new();
    for claim in claims.collect::<Vec<_>>() {
        ids.extend(claim.await.unwrap());
    }
    while let Some(letter) = claim(&db, "sender", now).await.unwrap() {
        ids.push(letter.id);
    }
    let unique: HashSet<_> = ids.iter().collect();
    assert_eq!((ids.len(), unique.len()), (10, 10));
}

#[tokio::test]
async fn undeliverable_mails_are_given_up_and_shown_until_withdrawn() {
    let db = testkit::database().await;
    let id = user(&db, "eva").await;
    let now = values::now();
    invite(&db, id, now).await;
    let letter = claim(&db, "sender", now).await.unwrap().unwrap();
    let cause = format!("permanent error (550): \r\n{}", "x".repeat(400));
    assert_eq!(noted(&db, &letter, Err(Failure::Refused(cause)), now).await, Some(Fate::GivenUp));
    let [failed] = &stored(&db).await[..] else { panic!("one mail") };
    assert_eq!((&failed.text, failed.failed_at), (&None, Some(now)));
    let error = failed.error.as_deref().unwrap();
    assert_eq!((error.chars().count(), error.contains('\n')), (255, false));
    assert!(undelivered(&*db, [id], Kind::Invitation).await.unwrap().contains(&id));
    assert!(undelivered(&*db, [id], Kind::PasswordReset).await.unwrap().is_empty());
    let tx = db.begin().await.unwrap();
    withdraw(&tx, id, &[Kind::Invitation]).await.unwrap();
    tx.commit().await.unwrap();
    assert!(undelivered(&*db, [id], Kind::Invitation).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_mail_withdrawn_while_it_was_sent_is_deleted() {
    let db = testkit::database().await;
    let id = user(&db, "eva").await;
    let now = values::now();
    invite(&db, id, now).await;
    let letter = claim(&db, "sender", now).await.unwrap().unwrap();
    let tx = db.begin().await.unwrap();
    withdraw(&tx, id, &[Kind::Invitation]).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(noted(&db, &letter, Ok(()), now).await, None);
    assert_eq!(stored(&db).await.len(), 0);
}

#[tokio::test]
async fn retry_pauses_grow_and_end_after_a_day() {
    let db = testkit::database().await;
    let id = user(&db, "eva").await;
    let now = values::now();
    invite(&db, id, now).await;
    let first = claim(&db, "sender", now).await.unwrap().unwrap();
    let unreachable = || Err(Failure::Unreachable("down".into()));
    let deferred = || Err(Failure::Deferred("451".into()));
    let refused = || Err(Failure::Refused("550".into()));
    let day = TimeDelta::hours(24);
    for (attempts, age, outcome, expected) in [
        (1, minutes(0), deferred(), Some(minutes(1))),
        (2, minutes(1), deferred(), Some(minutes(2))),
        (3, minutes(3), deferred(), Some(minutes(4))),
        (6, minutes(31), deferred(), Some(minutes(32))),
        (7, minutes(63), deferred(), Some(minutes(60))),
        (90, minutes(600), deferred(), Some(minutes(60))),
        (90, minutes(600), unreachable(), Some(minutes(1))),
        (1, day - minutes(1), unreachable(), Some(minutes(1))),
        (1, day, unreachable(), None),
        (1, day, deferred(), None),
        (1, minutes(0), refused(), None),
    ] {
        let letter = Letter { attempts, ..first.clone() };
        let at = now + age;
        let expected = expected.map_or(Fate::GivenUp, |pause| Fate::Waits(at + pause));
        assert_eq!(outbox::fate::<Mails>(&outcome, &letter, at), expected, "{attempts} {age} {outcome:?}");
    }
    assert_eq!(outbox::fate::<Mails>(&Ok(()), &first, now + day * 2), Fate::Sent);

    assert_eq!(noted(&db, &first, deferred(), now).await, Some(Fate::Waits(now + minutes(1))));
    assert_eq!(claim(&db, "sender", now + TimeDelta::seconds(59)).await.unwrap(), None);
    let again = claim(&db, "sender", now + minutes(1)).await.unwrap().unwrap();
    assert_eq!((again.attempts, again.text), (2, first.text));
}
