//! Multi-row statements: columns of every kind, the tenant in each row, two writers of the same keys.

use sea_orm::{ActiveValue::Set, ConnectionTrait};
use serde_json::json;
use store::Scope;
use tenancy::tenant::{self, TenantInput};
use testkit::{
    TestDatabase,
    note::{self, Note, NoteRow, Notes, all, note},
};
use values::{Error, PermissionSet, Result, now};

struct Bed {
    db: TestDatabase,
    north: Scope,
    south: Scope,
}

impl Bed {
    async fn new() -> Self {
        let db = testkit::database().await;
        note::table(&db).await;
        let mut scopes = Vec::new();
        for name in ["NORD", "SUED"] {
            let input =
                TenantInput { company: name.into(), short_code: name.into(), ..TenantInput::default() };
            let tenant = tenant::create(&db, &Scope::platform(), input).await.unwrap().tenant.id;
            scopes.push(user_of(tenant));
        }
        Self { db, north: scopes[0], south: scopes[1] }
    }

    async fn upsert(&self, scope: &Scope, rows: Vec<NoteRow>) -> Result<Vec<Note>> {
        let tx = self.db.begin().await?;
        let written = scope.upsert::<Notes>(&tx, rows).await?;
        tx.commit().await?;
        Ok(written)
    }

    async fn update(&self, scope: &Scope, rows: Vec<(Note, NoteRow)>) -> Result<Vec<Note>> {
        let tx = self.db.begin().await?;
        let written = scope.update_many::<Notes>(&tx, rows).await?;
        tx.commit().await?;
        Ok(written)
    }

    /// Number of history entries of notes.
    async fn entries(&self) -> i64 {
        let sql = "SELECT count(*) AS n FROM audit_entry WHERE record = 'note'";
        let backend = self.db.get_database_backend();
        let row = self.db.query_one_raw(sea_orm::Statement::from_string(backend, sql)).await.unwrap();
        row.unwrap().try_get("", "n").unwrap()
    }
}

#[expect(clippy::disallowed_methods, reason = "stands for authentication")]
fn user_of(tenant: i64) -> Scope {
    Scope::granted_by_authentication(Some(values::TenantId(tenant)), None, None, PermissionSet::all())
        .unwrap()
}

fn numbers(notes: &[Note]) -> Vec<(&str, Option<i64>, i64)> {
    notes.iter().map(|note| (note.name.as_str(), note.number, note.version)).collect()
}

#[actix_web::test]
async fn columns_of_every_type_are_read_as_they_were_written() {
    let Bed { db, north, .. } = &Bed::new().await;
    let due = now();
    // more than SQLite accepts in one statement
    let row = |number: i64| NoteRow {
        amount: Set((number % 3 == 0).then(|| values::Decimal::from_millionths(number))),
        done: Set(number % 2 == 0),
        details: Set((number % 5 == 0).then(|| json!({ "ä'\"": [number, null] }))),
        due: Set((number % 7 == 0).then_some(due)),
        ..note(&format!("ä'{number:05}"), (number % 4 == 0).then_some(number))
    };
    let tx = db.begin().await.unwrap();
    let written = north.upsert::<Notes>(&tx, (0..9_000).rev().map(row).collect()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(written.len(), 9_000);
    let notes = all(db, north).await;
    assert_eq!(notes.len(), 9_000);
    for (number, note) in (0..).zip(&notes) {
        let expected = row(number);
        assert_eq!(Set(note.name.clone()), expected.name);
        assert_eq!(Set(note.number), expected.number);
        assert_eq!(Set(note.amount), expected.amount);
        assert_eq!(Set(note.done), expected.done);
        assert_eq!(Set(note.details.clone()), expected.details);
        assert_eq!(note.due.is_some(), number % 7 == 0);
    }
    assert!(written.iter().all(|note| note.version == 1 && notes.contains(note)));
    assert_eq!(notes[0].due.unwrap().timestamp_micros(), due.timestamp_micros());

    // a column of nulls, and rows that differ only in their keys
    let tx = db.begin().await.unwrap();
    north.upsert::<Notes>(&tx, vec![note("ä'00000", None), note("x", None)]).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(all(db, north).await.first().unwrap().due, None);
}

#[actix_web::test]
async fn rows_with_the_same_key_are_updated_with_an_incremented_version() {
    let bed = Bed::new().await;
    let first = bed.upsert(&bed.north, vec![note("A", Some(1)), note("B", Some(1))]).await.unwrap();
    let second = bed.upsert(&bed.north, vec![note("c", Some(2)), note("b", Some(2))]).await.unwrap();
    let notes = all(&bed.db, &bed.north).await;
    assert_eq!(numbers(&notes), [("A", Some(1), 1), ("b", Some(2), 2), ("c", Some(2), 1)]);
    let b = |notes: &[Note]| notes.iter().find(|note| note.name_fold == "b").cloned().unwrap();
    let (before, after) = (b(&first), b(&second));
    assert_eq!((before.id, before.created_at), (after.id, after.created_at));
    assert!(after.updated_at > before.updated_at);
    assert_eq!(bed.entries().await, 0, "the caller records the history");
    assert_eq!(bed.upsert(&bed.north, Vec::new()).await.unwrap(), []);
}

#[actix_web::test]
async fn rows_of_another_tenant_are_never_written() {
    let bed = Bed::new().await;
    let theirs = bed.upsert(&bed.south, vec![note("A", Some(7))]).await.unwrap().remove(0);
    let foreign = NoteRow {
        id: Set(theirs.id),
        tenant_id: Set(theirs.tenant_id),
        version: Set(99),
        created_at: Set(theirs.created_at),
        ..note("A", Some(1))
    };
    // a key that another tenant has, with the id and the tenant of that row
    let mine = bed.upsert(&bed.north, vec![foreign.clone()]).await.unwrap().remove(0);
    assert_ne!((mine.id, mine.tenant_id), (theirs.id, theirs.tenant_id));
    assert_eq!((mine.version, mine.created_at == theirs.created_at), (1, false));
    assert_eq!(Ok(mine.tenant_id), bed.north.tenant().map(i64::from).map_err(|_| ()));

    // another tenant's row as the one to change, and an own row moved to another tenant
    let refused = bed.update(&bed.north, vec![(theirs.clone(), note("X", None))]).await.unwrap_err();
    assert_eq!(refused.code(), values::codes::NOT_FOUND);
    let both = vec![(mine.clone(), note("Y", None)), (theirs.clone(), note("X", None))];
    assert!(bed.update(&bed.north, both).await.is_err(), "none is changed then");
    bed.update(&bed.north, vec![(mine.clone(), foreign)]).await.unwrap();
    assert_eq!(all(&bed.db, &bed.south).await, std::slice::from_ref(&theirs));
    let after = all(&bed.db, &bed.north).await.remove(0);
    assert_eq!(
        (after.id, after.tenant_id, after.number, after.version),
        (mine.id, mine.tenant_id, Some(1), 2)
    );

    // a caller without a tenant writes no rows of tenants
    let tx = bed.db.begin().await.unwrap();
    assert!(Scope::platform().upsert::<Notes>(&tx, vec![note("A", None)]).await.is_err());
    assert!(Scope::platform().update_many::<Notes>(&tx, vec![(theirs, note("A", None))]).await.is_err());
}

#[actix_web::test]
async fn rows_are_updated_by_id_and_recorded_in_the_history() {
    let bed = Bed::new().await;
    bed.upsert(&bed.north, vec![note("A", Some(1)), note("B", Some(2)), note("C", Some(3))]).await.unwrap();
    let notes = all(&bed.db, &bed.north).await;
    let change =
        |index: usize, number| (notes[index].clone(), NoteRow { number: Set(number), ..Default::default() });
    let written = bed.update(&bed.north, vec![change(0, None), change(2, Some(30))]).await.unwrap();
    assert_eq!(written.len(), 2);
    let after = all(&bed.db, &bed.north).await;
    assert_eq!(numbers(&after), [("A", None, 2), ("B", Some(2), 1), ("C", Some(30), 2)]);
    assert_eq!(bed.entries().await, 2);
    assert_eq!(bed.update(&bed.north, Vec::new()).await.unwrap(), []);
}

#[actix_web::test]
async fn unique_texts_can_be_swapped() {
    let bed = Bed::new().await;
    bed.upsert(&bed.north, vec![note("A", Some(1)), note("B", Some(2))]).await.unwrap();
    bed.upsert(&bed.south, vec![note("A", Some(7))]).await.unwrap();
    let notes = all(&bed.db, &bed.north).await;
    let theirs = all(&bed.db, &bed.south).await;
    let tx = bed.db.begin().await.unwrap();
    let ids = [&notes[..], &theirs].concat().iter().map(|note| note.id).collect();
    bed.north.replace_by_placeholder::<Notes>(&tx, note::Column::NameFold, ids).await.unwrap();
    let renamed = |index: usize, name: &str| {
        let row =
            NoteRow { name: Set(name.into()), name_fold: Set(values::fold(name)), ..Default::default() };
        (notes[index].clone(), row)
    };
    bed.north.update_many::<Notes>(&tx, vec![renamed(0, "B"), renamed(1, "A")]).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(numbers(&all(&bed.db, &bed.north).await), [("A", Some(2), 2), ("B", Some(1), 2)]);
    assert_eq!(all(&bed.db, &bed.south).await, theirs);
}

/// Writers do not deadlock, and rows are neither lost nor duplicated.
#[actix_web::test]
async fn concurrent_writers_of_the_same_keys_are_serialized() {
    let bed = Bed::new().await;
    for round in 0..10 {
        let rows = |names: &mut dyn Iterator<Item = i64>, number| {
            names.map(|name| note(&format!("{round}-{name:03}"), Some(number))).collect()
        };
        let upwards = bed.upsert(&bed.north, rows(&mut (0..300), 1));
        let downwards = bed.upsert(&bed.north, rows(&mut (0..300).rev(), 2));
        let others = bed.upsert(&bed.south, rows(&mut (0..300), 3));
        let (upwards, downwards, others) = tokio::join!(upwards, downwards, others);
        assert_eq!(
            (upwards.unwrap().len(), downwards.unwrap().len(), others.unwrap().len()),
            (300, 300, 300)
        );
    }
    let notes = all(&bed.db, &bed.north).await;
    assert_eq!(notes.len(), 3_000);
    assert!(notes.iter().all(|note| note.version == 2 && note.number != Some(3)));
    assert_eq!(all(&bed.db, &bed.south).await.len(), 3_000);
}

#[actix_web::test]
async fn rows_that_set_different_columns_are_refused() {
    let bed = Bed::new().await;
    let mut other = note("B", None);
    other.number = sea_orm::ActiveValue::NotSet;
    let refused = bed.upsert(&bed.north, vec![note("A", None), other]).await;
    assert!(matches!(refused, Err(Error::Internal(_))));
}

/// A conflict over a key is distinguished from other errors.
#[actix_web::test]
async fn a_duplicate_key_is_recognized_by_its_index() {
    let bed = Bed::new().await;
    bed.upsert(&bed.north, vec![note("A", None), note("B", None)]).await.unwrap();
    let a = all(&bed.db, &bed.north).await.remove(0);
    let row = NoteRow { name_fold: Set("b".into()), ..Default::default() };
    let Err(Error::Database(taken)) = bed.update(&bed.north, vec![(a.clone(), row)]).await else { panic!() };
    assert!(store::scope::many::is_key_taken::<Notes>(&taken), "{taken}");
    let row = NoteRow { number: Set(Some(1_000_000)), ..Default::default() };
    let Err(Error::Database(other)) = bed.update(&bed.north, vec![(a, row)]).await else { panic!() };
    assert!(!store::scope::many::is_key_taken::<Notes>(&other), "{other}");
    let twice = "INSERT INTO note (id, tenant_id, name, name_fold, done, version, created_at, updated_at) \
        SELECT id, tenant_id, 'C', 'c', done, 1, created_at, updated_at FROM note WHERE name = 'A'";
    let other = bed.db.begin().await.unwrap().execute_unprepared(twice).await.unwrap_err();
    assert!(matches!(other.sql_err(), Some(sea_orm::SqlErr::UniqueConstraintViolation(_))), "{other}");
    assert!(!store::scope::many::is_key_taken::<Notes>(&other), "{other}");
}
