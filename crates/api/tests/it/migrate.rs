//! Migrations run without the limits of requests, one process at a time, and wait for whoever is in their way.

use std::{fs::File, time::Duration};

use api::migrate::migrate;
use kernel::{Database, Result};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend,
    sqlx::{Connection, PgConnection, raw_sql},
};
use tempfile::TempDir;
use testkit::TestDatabase;
use tokio::{task::JoinHandle, time::sleep};

fn begin(db: &TestDatabase, folder: &TempDir) -> JoinHandle<Result<()>> {
    let (database, url, folder) = (Database::clone(db), db.url.clone(), folder.path().to_owned());
    tokio::spawn(async move { migrate(&database, &url, &folder).await })
}

async fn execute(connection: &mut PgConnection, sql: &'static str) {
    raw_sql(sql).execute(connection).await.unwrap();
}

async fn setting(connection: &DatabaseConnection, name: &str) -> String {
    let sql = format!("SELECT current_setting('{name}') AS value");
    let row = connection.query_one_raw(sea_orm::Statement::from_string(DbBackend::Postgres, sql)).await;
    row.unwrap().unwrap().try_get("", "value").unwrap()
}

#[actix_web::test]
async fn a_statement_of_a_migration_is_not_cut_and_those_of_requests_are() {
    let db = testkit::database().await;
    if db.get_database_backend() == DbBackend::Sqlite {
        return;
    }
    let connections = Database::connect_for_migrations(&db.url).await.unwrap();
    for (name, requests, migrations) in [
        ("statement_timeout", "8s", "0"),
        ("lock_timeout", "3s", "3s"),
        ("idle_in_transaction_session_timeout", "15s", "0"),
    ] {
        assert_eq!(setting(db.writer(), name).await, requests, "{name}");
        assert_eq!(setting(&connections, name).await, migrations, "{name}");
    }
    connections.close().await.unwrap();
}

#[actix_web::test]
async fn a_process_waits_for_another_one_that_migrates() {
    let (db, folder) = (testkit::database().await, TempDir::new().unwrap());
    let (file, mut session) = if db.get_database_backend() == DbBackend::Sqlite {
        let file = File::create(folder.path().join("migrate.lock")).unwrap();
        file.lock().unwrap();
        (Some(file), None)
    } else {
        let mut session = PgConnection::connect(&db.url).await.unwrap();
        execute(&mut session, "SELECT pg_advisory_lock(7421001)").await;
        (None, Some(session))
    };
    let waiting = begin(&db, &folder);
    sleep(Duration::from_millis(1_200)).await;
    assert!(!waiting.is_finished(), "two processes migrate at once");
    if let Some(session) = &mut session {
        // what waits holds no snapshot, for whose end an index that is created concurrently would wait
        let waits = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'stalhof migrate' AND \
            datname = current_database() AND (backend_xmin IS NOT NULL OR wait_event_type = 'Lock')";
        let (count,): (i64,) = sea_orm::sqlx::query_as(waits).fetch_one(&mut *session).await.unwrap();
        assert_eq!(count, 0);
        execute(session, "SELECT pg_advisory_unlock(7421001)").await;
    }
    drop(file);
    waiting.await.unwrap().unwrap();
}

#[actix_web::test]
async fn a_migration_waits_for_tables_that_are_in_use_in_short_attempts() {
    let (db, folder) = (testkit::database().await, TempDir::new().unwrap());
    if db.get_database_backend() == DbBackend::Sqlite {
        return;
    }
    let mut session = PgConnection::connect(&db.url).await.unwrap();
    execute(&mut session, "BEGIN; LOCK TABLE seaql_migrations IN ACCESS EXCLUSIVE MODE").await;
    let waiting = begin(&db, &folder);
    // longer than an attempt waits
    sleep(Duration::from_millis(3_300)).await;
    assert!(!waiting.is_finished());
    execute(&mut session, "COMMIT").await;
    waiting.await.unwrap().unwrap();
}
