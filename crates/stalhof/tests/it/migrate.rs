//! Migrations run without the limits of requests, in one process at a time, and wait for locks of other
//! sessions.

use std::{fs::File, time::Duration};

use api::server_process::ServerProcess;
use migrations::{BEFORE_BASELINE, Migrator, Upgrading, admitted::admit, concurrent_index::ConcurrentIndex};
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DbBackend, DbErr,
    sqlx::{Connection, PgConnection, raw_sql},
};
use sea_orm_migration::{MigrationName, MigrationTrait, MigratorTrait, SchemaManager};
use stalhof::{
    backup,
    migrate::{bring_up_to_date, migrate, wait_until_migrated},
    serve,
};
use store::Database;
use tempfile::TempDir;
use testkit::TestDatabase;
use tokio::{task::JoinHandle, time::sleep};
use values::Result;

use crate::support::TestApp;

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
async fn statements_of_requests_time_out_and_those_of_migrations_do_not() {
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
        // the waiting process must not have a snapshot, since a concurrent index creation would wait for it
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
async fn a_migration_waits_for_tables_in_use_in_short_attempts() {
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

#[actix_web::test]
async fn connections_to_a_read_only_server_are_replaced_after_a_failover() {
    let db = testkit::database().await;
    if db.get_database_backend() == DbBackend::Sqlite {
        return;
    }
    let name = db.url.rsplit('/').next().unwrap();
    let change = async |what: &str| {
        db.writer().execute_unprepared(&format!("ALTER DATABASE {name} {what}")).await.unwrap();
    };
    change("SET default_transaction_read_only = on").await;
    let process = Database::connect(&db.url).await.unwrap();
    let write = async || {
        let tx = process.begin_long().await?;
        tx.execute_unprepared("UPDATE kept_version SET version = version").await?;
        tx.commit().await
    };
    assert_eq!(write().await.unwrap_err().code(), values::codes::DATABASE_AWAY);
    change("RESET default_transaction_read_only").await;
    // connections from before are replaced when they are asked to write
    let mut written = write().await;
    for _ in 0..3 {
        if written.is_err() {
            written = write().await;
        }
    }
    written.unwrap();
}

#[actix_web::test]
async fn an_index_is_created_concurrently_and_again_after_an_interruption() {
    const INDEX: ConcurrentIndex =
        ConcurrentIndex { name: "material_density_later_index", definition: "ON material (density, id)" };
    let db = testkit::database().await;
    let manager = SchemaManager::new(db.writer());
    INDEX.create(&manager).await.unwrap();
    INDEX.create(&manager).await.unwrap();
    assert!(manager.has_index("material", INDEX.name).await.unwrap());
    INDEX.drop(&manager).await.unwrap();
    assert!(!manager.has_index("material", INDEX.name).await.unwrap());
    if db.get_database_backend() == DbBackend::Sqlite {
        return;
    }
    // another session has an open transaction
    let mut session = PgConnection::connect(&db.url).await.unwrap();
    execute(&mut session, "BEGIN; DELETE FROM material WHERE id = 0; SELECT txid_current()").await;
    let database = Database::clone(&db);
    let creating = tokio::spawn(async move { INDEX.create(&SchemaManager::new(database.writer())).await });
    // longer than a request waits for a lock
    sleep(Duration::from_millis(3_300)).await;
    assert!(!creating.is_finished(), "does not wait for what began before it");
    db.writer().execute_unprepared("DELETE FROM material WHERE id = 0").await.unwrap();
    execute(&mut session, "COMMIT").await;
    creating.await.unwrap().unwrap();
    assert!(manager.has_index("material", INDEX.name).await.unwrap());
    for name in ["statement_timeout", "lock_timeout"] {
        assert_ne!(setting(db.writer(), name).await, "0", "{name}");
    }
}

/// Next version with two more migrations, of which the second removes what the first has added.
struct NextVersion;

#[derive(Clone, Copy)]
struct NextStep(&'static str, &'static str);

const ADDED: NextStep = NextStep("m99990101_000001_added", "CREATE TABLE added (id integer)");
const TAKEN_AWAY: NextStep = NextStep("m99990101_000002_taken_away", "DROP TABLE added");

impl MigrationName for NextStep {
    fn name(&self) -> &'static str {
        self.0
    }
}

#[sea_orm_migration::async_trait::async_trait]
impl MigrationTrait for NextStep {
    async fn up(&self, manager: &SchemaManager) -> std::result::Result<(), DbErr> {
        manager.get_connection().execute_unprepared(self.1).await.map(|_| ())
    }
}

impl MigratorTrait for NextVersion {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        let next: [Box<dyn MigrationTrait>; 2] = [Box::new(ADDED), Box::new(TAKEN_AWAY)];
        Migrator::migrations().into_iter().chain(next).collect()
    }
}

impl Upgrading for NextVersion {
    const CONTRACTING: &'static [&'static str] = &["m99990101_000002_taken_away"];
}

#[actix_web::test]
async fn a_migration_removes_nothing_while_a_running_process_needs_it() {
    let db = testkit::database().await;
    let process = ServerProcess::current();
    process.record_heartbeat(&db).await.unwrap();
    let manager = SchemaManager::new(db.writer());
    if db.get_database_backend() == DbBackend::Postgres {
        let refused = bring_up_to_date::<NextVersion>(db.writer()).await.unwrap_err().to_string();
        assert!(refused.contains(&process.name) && refused.contains("m99990101_000002"), "{refused}");
        assert!(manager.has_table("added").await.unwrap(), "what only adds is done");
        assert!(bring_up_to_date::<NextVersion>(db.writer()).await.is_err(), "and refused again");
        // crashed without a record
        db.writer()
            .execute_unprepared("UPDATE server_process SET seen_at = seen_at - interval '31 seconds'")
            .await
            .unwrap();
    }
    bring_up_to_date::<NextVersion>(db.writer()).await.unwrap();
    assert!(!manager.has_table("added").await.unwrap());
}

#[actix_web::test]
async fn a_process_that_does_not_migrate_waits_for_one_that_does() {
    let db = testkit::database().await;
    wait_until_migrated(&db).await.unwrap();
    Migrator::down(db.writer(), Some(1)).await.unwrap();
    let database = Database::clone(&db);
    let waiting = tokio::spawn(async move { wait_until_migrated(&database).await });
    sleep(Duration::from_millis(700)).await;
    assert!(!waiting.is_finished());
    Migrator::up(db.writer(), None).await.unwrap();
    waiting.await.unwrap().unwrap();
    claim(&db, "m99991231_000001_later").await;
    let refused = wait_until_migrated(&db).await.unwrap_err();
    assert!(format!("{refused:?}").contains("changed by a later version"), "{refused:?}");
}

/// Records in the database that this migration was applied.
async fn claim(db: &Database, migration: &str) {
    let tx = db.begin().await.unwrap();
    let sql = format!("INSERT INTO seaql_migrations (version, applied_at) VALUES ('{migration}', 0)");
    tx.execute_unprepared(&sql).await.unwrap();
    tx.commit().await.unwrap();
}

#[actix_web::test]
async fn a_database_of_another_version_is_refused_with_instructions() {
    for (migration, begin, advice) in [
        (
            BEFORE_BASELINE,
            "the database was made by a development version",
            "start this version with a new one",
        ),
        ("m99991231_000001_later", "the database was changed by a later version", "Start that version"),
    ] {
        let app = TestApp::new().await;
        if migration == BEFORE_BASELINE {
            // development versions did not have the current migrations
            let tx = app.db.begin().await.unwrap();
            tx.execute_unprepared("DELETE FROM seaql_migrations").await.unwrap();
            tx.commit().await.unwrap();
        }
        claim(&app.db, migration).await;
        // `migrate`, and the start of `serve`
        let settings = app.settings();
        let migrated = migrate(&app.db, &app.db.url, &settings.data_dir).await.unwrap_err();
        let opened = serve::open(&settings).await.unwrap_err();
        for refused in [migrated, opened] {
            let values::Error::Internal(sentence) = refused else { panic!("{refused:?}") };
            assert!(sentence.starts_with(begin) && sentence.contains(advice), "{sentence}");
        }
        // nothing was applied, and a backup is still possible; the message also says where it can be restored
        let sql = "SELECT count(*) AS n FROM seaql_migrations WHERE version = 'baseline_1_tenancy'";
        let statement = sea_orm::Statement::from_string(app.db.get_database_backend(), sql);
        let applied: i64 = app.db.query_one_raw(statement).await.unwrap().unwrap().try_get("", "n").unwrap();
        assert_eq!(applied == 0, migration == BEFORE_BASELINE);
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("stalhof.backup");
        backup::backup(&settings, &file).await.unwrap();
        let refused = backup::restore(&settings, &file).await.unwrap_err();
        let values::Error::Internal(sentence) = refused else { panic!("{refused:?}") };
        let begin =
            begin.replace("database", "backup").replace("changed by a later version", "made by version");
        assert!(sentence.starts_with(&begin), "{sentence}");
    }
}

#[actix_web::test]
async fn a_check_constraint_is_extended_and_keeps_the_rows() {
    let db = testkit::database().await;
    let insert = async |kind: &str, number: u8| {
        let tx = db.begin().await.unwrap();
        let sql = format!(
            "INSERT INTO processing (name, name_fold, display_name_fold, type, article_number_addition_template, version, \
             created_at, updated_at) \
             VALUES ('{number}', '{number}', '', '{kind}', '', 1, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP)"
        );
        tx.execute_unprepared(&sql).await?;
        tx.commit().await
    };
    insert("sawing", 1).await.unwrap();
    insert("drilling", 2).await.unwrap_err();
    let manager = SchemaManager::new(db.writer());
    let kind = ["processing", "type"];
    admit(&manager, kind, "'sawing'", "'sawing', 'drilling'").await.unwrap();
    insert("drilling", 3).await.unwrap();
    insert("painting", 4).await.unwrap_err();
    admit(&manager, kind, "'sawing', 'milling'", "'sawing'").await.unwrap_err();
}
