//! Tests of rotation over a table of their own, on both databases.

use testkit::TestDatabase;

use super::*;
use crate::{
    codes,
    sealed::tests::{PASSWORD, keys, opened, text},
};

async fn table() -> TestDatabase {
    let db = testkit::database().await;
    let id = if db.get_database_backend() == DbBackend::Sqlite { "integer" } else { "bigint" };
    let sql = format!("CREATE TABLE feed (id {id} PRIMARY KEY, password_sealed text)");
    db.writer().execute_unprepared(&sql).await.unwrap();
    db
}

async fn insert(db: &Database, id: i64, sealed: Option<SealedValue>) {
    let sql = "INSERT INTO feed (id, password_sealed) VALUES ($1, $2)";
    let values = [id.into(), sealed.map(|sealed| text(&sealed).to_owned()).into()];
    let statement = Statement::from_sql_and_values(db.get_database_backend(), sql, values);
    db.writer().execute_raw(statement).await.unwrap();
}

async fn fill(db: &Database, keys: &Keys, ids: impl IntoIterator<Item = i64>) {
    for id in ids {
        let sealed = keys.seal(PASSWORD.cell(id), &format!("geheim {id}").into()).unwrap();
        insert(db, id, Some(sealed)).await;
    }
}

async fn stored(db: &Database) -> Vec<Row> {
    let sql = "SELECT id, password_sealed AS sealed FROM feed WHERE password_sealed IS NOT NULL ORDER BY id";
    let statement = Statement::from_string(db.get_database_backend(), sql);
    Row::find_by_statement(statement).all(db).await.unwrap()
}

#[tokio::test]
async fn all_values_are_resealed_and_readable_without_the_former_key() {
    let db = table().await;
    let (before, both, after) = (keys(&[1]), keys(&[2, 1]), keys(&[2]));
    fill(&db, &before, 1..=250).await;
    insert(&db, 251, None).await;
    fill(&db, &both, 252..=255).await;

    let rotated = rotate(&db, &both, &[PASSWORD]).await.unwrap();
    assert_eq!(rotated, [ColumnRotation { column: PASSWORD, resealed: 250, current: 4, unreadable: vec![] }]);
    let rows = stored(&db).await;
    assert_eq!(rows.len(), 254);
    for row in rows {
        assert_eq!(opened(&after, PASSWORD.cell(row.id), &row.sealed).unwrap(), format!("geheim {}", row.id));
    }
    let again = rotate(&db, &both, &[PASSWORD]).await.unwrap();
    assert_eq!(again, [ColumnRotation { column: PASSWORD, resealed: 0, current: 254, unreadable: vec![] }]);
}

#[tokio::test]
async fn an_interrupted_rotation_continues_with_the_remaining_values() {
    let db = table().await;
    let both = keys(&[2, 1]);
    fill(&db, &keys(&[1]), 1..=250).await;
    let mut first = ColumnRotation { column: PASSWORD, resealed: 0, current: 0, unreadable: vec![] };
    let last = rotate_batch(&db, &both, both.current().unwrap(), &mut first, 0).await.unwrap();
    assert_eq!((last, first.resealed), (Some(100), 100));

    let rotated = rotate(&db, &both, &[PASSWORD]).await.unwrap();
    assert_eq!(
        rotated,
        [ColumnRotation { column: PASSWORD, resealed: 150, current: 100, unreadable: vec![] }]
    );
}

#[tokio::test]
async fn values_that_no_key_opens_are_reported_and_left_unchanged() {
    let db = table().await;
    let both = keys(&[2, 1]);
    fill(&db, &keys(&[1]), [1, 3]).await;
    let foreign = keys(&[9]).seal(PASSWORD.cell(2), &"geheim".into()).unwrap();
    let moved = keys(&[1]).seal(PASSWORD.cell(1), &"geheim".into()).unwrap();
    insert(&db, 2, Some(foreign.clone())).await;
    insert(&db, 4, Some(moved)).await;
    let rotated = rotate(&db, &both, &[PASSWORD]).await.unwrap();
    assert_eq!(
        rotated,
        [ColumnRotation { column: PASSWORD, resealed: 2, current: 0, unreadable: vec![2, 4] }]
    );
    assert_eq!(stored(&db).await[1].sealed, foreign);
}

#[tokio::test]
async fn a_secret_saved_during_a_rotation_is_not_overwritten() {
    let db = table().await;
    let (before, both) = (keys(&[1]), keys(&[2, 1]));
    fill(&db, &before, 1..=3).await;
    let newer = before.seal(PASSWORD.cell(1), &"neu".into()).unwrap();
    let tx = db.begin().await.unwrap();
    let sql = "UPDATE feed SET password_sealed = $1 WHERE id = 1";
    let values = [text(&newer).to_owned().into()];
    tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await.unwrap();
    let rotating = tokio::spawn({
        let (db, both) = ((*db).clone(), both.clone());
        async move { rotate(&db, &both, &[PASSWORD]).await.unwrap() }
    });
    db.until_a_write_waits().await;
    tx.commit().await.unwrap();
    let rotated = rotating.await.unwrap();
    assert_eq!(rotated, [ColumnRotation { column: PASSWORD, resealed: 3, current: 0, unreadable: vec![] }]);
    let row = stored(&db).await.remove(0);
    assert_eq!(opened(&keys(&[2]), PASSWORD.cell(1), &row.sealed).as_deref(), Ok("neu"));
}

#[tokio::test]
async fn rotation_is_refused_without_a_key() {
    let db = table().await;
    let refused = rotate(&db, &Keys::none(), &[PASSWORD]).await.unwrap_err();
    assert_eq!(refused.code(), codes::SECRET_KEY_MISSING);
}
