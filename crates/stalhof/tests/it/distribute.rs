//! `stalhof distribute` against a PostgreSQL with fakes of the Citus functions, which record their calls and
//! refuse what Citus refuses. If `STALHOF_TEST_CITUS_URL` names an empty database with Citus, the command
//! runs on it as well.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use migrations::{
    Migrator,
    kind::{Kind, TABLES},
};
use sea_orm::{
    ConnectionTrait, DbBackend,
    sqlx::{self, Connection, PgConnection, Row, raw_sql},
};
use sea_orm_migration::MigratorTrait;
use stalhof::{backup, config::Settings, distribute::distribute};

use crate::support::TestApp;

/// Fakes of the Citus functions and the view that the command uses, with the rules of version 13: a table
/// with a foreign key is not distributed, tables are colocated, unique keys contain the distribution column,
/// and a reference table refers to no other kind of table.
const CITUS: &str = "
CREATE TABLE pg_dist_node (groupid integer);
INSERT INTO pg_dist_node VALUES (0);
CREATE TABLE recorded (table_name regclass, citus_table_type text, distribution_column text);
CREATE VIEW citus_tables AS SELECT * FROM recorded;
CREATE FUNCTION create_distributed_table(called regclass, by text, shard_count integer DEFAULT 0, colocate_with text DEFAULT '')
RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND called IN (conrelid, confrelid)) THEN
        RAISE 'referenced tables must be distributed: %', called;
    END IF;
    IF colocate_with <> 'none' AND NOT EXISTS (SELECT FROM recorded WHERE table_name = colocate_with::regclass) THEN
        RAISE 'cannot stand beside %', colocate_with;
    END IF;
    IF EXISTS (SELECT FROM pg_index WHERE indrelid = called AND indisunique AND NOT (SELECT attnum FROM pg_attribute
        WHERE attrelid = called AND attname = by) = ANY (indkey::int2[])) THEN
        RAISE 'a unique key of % leaves out the distribution column', called;
    END IF;
    INSERT INTO recorded VALUES (called, 'distributed', by);
END $$;
CREATE FUNCTION create_reference_table(called regclass) RETURNS void LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT FROM pg_constraint c LEFT JOIN recorded r ON r.table_name = c.confrelid WHERE c.contype = 'f'
        AND c.conrelid = called AND c.confrelid <> called AND r.citus_table_type IS DISTINCT FROM 'reference') THEN
        RAISE '% refers to a table that is not copied', called;
    END IF;
    INSERT INTO recorded VALUES (called, 'reference', '<none>');
END $$;
";

/// Foreign keys from copied tables to distributed ones, which Citus does not support.
const WITHOUT_KEY: [&str; 1] = ["shipping_node_warehouse_fkey"];

const KEYS: &str = "SELECT conname::text FROM pg_constraint WHERE contype = 'f'";
const COUNTERS: &str =
    "SELECT sequencename || ' ' || last_value FROM pg_sequences WHERE last_value IS NOT NULL";
const RECORDED: &str =
    "SELECT c.relname || ' ' || r.citus_table_type FROM recorded r JOIN pg_class c ON c.oid = r.table_name";

async fn texts(connection: &mut PgConnection, sql: &'static str) -> BTreeSet<String> {
    let rows = sqlx::query(sql).fetch_all(connection).await.unwrap();
    rows.iter().map(|row| row.try_get(0).unwrap()).collect()
}

/// Settings of a filled database without open connections; `None` on SQLite.
async fn quiet_database(folder: &Path) -> Option<(TestApp, Settings)> {
    let app = TestApp::new().await;
    let settings =
        Settings { data_dir: folder.to_owned(), database_url: Some(app.db.url.clone()), ..app.settings() };
    if app.db.get_database_backend() == DbBackend::Sqlite {
        return None;
    }
    let refused = distribute(&settings, false).await.unwrap_err();
    assert!(refused.to_string().contains("Citus") || format!("{refused:?}").contains("Citus"), "{refused:?}");
    Some((app, settings))
}

/// Foreign keys that were not restored.
fn missing(keys: &BTreeSet<String>, present: &BTreeSet<String>) -> Vec<String> {
    keys.difference(present).cloned().collect()
}

async fn disconnect(app: &TestApp) {
    app.db.writer().clone().close().await.unwrap();
}

async fn refusal(settings: &Settings) -> String {
    format!("{:?}", distribute(settings, false).await.unwrap_err())
}

#[actix_web::test]
async fn an_embedded_database_is_not_distributed() {
    let app = TestApp::new().await;
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { data_dir: folder.path().to_owned(), database_url: None, ..app.settings() };
    assert!(refusal(&settings).await.contains("the embedded database is one file"));
}

#[actix_web::test]
async fn each_table_is_distributed_by_its_kind_and_keeps_keys_and_counters() {
    let folder = tempfile::tempdir().unwrap();
    let Some((app, settings)) = quiet_database(folder.path()).await else { return };
    let mut session = PgConnection::connect(&app.db.url).await.unwrap();
    raw_sql(CITUS).execute(&mut session).await.unwrap();
    assert!(refusal(&settings).await.contains("end all servers"));
    let (keys, counters) = (texts(&mut session, KEYS).await, texts(&mut session, COUNTERS).await);
    assert!(keys.len() > 80 && counters.len() > 1, "{} keys, {} counters", keys.len(), counters.len());
    session.close().await.unwrap();
    disconnect(&app).await;

    let planned = distribute(&settings, true).await.unwrap();
    let mut session = PgConnection::connect(&app.db.url).await.unwrap();
    assert_eq!(texts(&mut session, RECORDED).await, BTreeSet::new(), "a dry run changes nothing");
    assert_eq!(texts(&mut session, KEYS).await, keys);
    session.close().await.unwrap();
    assert_eq!(distribute(&settings, false).await.unwrap(), planned);

    let mut session = PgConnection::connect(&app.db.url).await.unwrap();
    let wanted = TABLES.iter().filter_map(|table| match table.kind {
        Kind::Local => None,
        Kind::Reference => Some(format!("{} reference", table.name)),
        Kind::Distributed => Some(format!("{} distributed", table.name)),
    });
    assert_eq!(texts(&mut session, RECORDED).await, wanted.collect::<BTreeSet<_>>());
    let kept: BTreeSet<_> = keys.into_iter().filter(|key| !WITHOUT_KEY.contains(&key.as_str())).collect();
    assert_eq!(missing(&kept, &texts(&mut session, KEYS).await), Vec::<String>::new());
    assert_eq!(texts(&mut session, COUNTERS).await, counters);
    let notes = "SELECT tablename::text FROM pg_tables WHERE tablename = 'distribution_statement'";
    assert_eq!(texts(&mut session, notes).await, BTreeSet::new());
    // interrupted after the last key
    raw_sql("CREATE TABLE distribution_statement (position integer, statement text)")
        .execute(&mut session)
        .await
        .unwrap();
    session.close().await.unwrap();
    assert_eq!(distribute(&settings, false).await.unwrap().statements().count(), 1, "the setting is left");
    assert_eq!(distribute(&settings, false).await.unwrap().statements().count(), 0, "nothing is left to do");
}

#[actix_web::test]
async fn an_interrupted_command_is_continued() {
    let folder = tempfile::tempdir().unwrap();
    let Some((app, settings)) = quiet_database(folder.path()).await else { return };
    let mut session = PgConnection::connect(&app.db.url).await.unwrap();
    raw_sql(CITUS).execute(&mut session).await.unwrap();
    let keys = texts(&mut session, KEYS).await;
    // interrupted once between tables and once between keys
    for obstacle in [
        "CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the cable is cut'; END $$; \
         CREATE TRIGGER refused BEFORE INSERT ON recorded FOR EACH ROW WHEN (NEW.table_name = 'price_list'::regclass) \
         EXECUTE FUNCTION refused()",
        "CREATE TABLE obstacle (name text); ALTER TABLE stock ADD CONSTRAINT stock_article_id_fkey CHECK (true)",
    ] {
        raw_sql(obstacle).execute(&mut session).await.unwrap_or_default();
        if obstacle.contains("obstacle") {
            raw_sql("DROP TRIGGER IF EXISTS refused ON recorded").execute(&mut session).await.unwrap();
        }
        session.close().await.unwrap();
        disconnect(&app).await;
        distribute(&settings, false).await.unwrap_err();
        session = PgConnection::connect(&app.db.url).await.unwrap();
        assert!(texts(&mut session, KEYS).await.len() < keys.len());
    }
    raw_sql("ALTER TABLE stock DROP CONSTRAINT stock_article_id_fkey").execute(&mut session).await.unwrap();
    session.close().await.unwrap();
    distribute(&settings, false).await.unwrap();
    let mut session = PgConnection::connect(&app.db.url).await.unwrap();
    let kept: BTreeSet<_> = keys.into_iter().filter(|key| !WITHOUT_KEY.contains(&key.as_str())).collect();
    assert_eq!(missing(&kept, &texts(&mut session, KEYS).await), Vec::<String>::new());
}

#[actix_web::test]
async fn check_lists_tables_of_another_kind_and_later_tables_are_distributed() {
    let folder = tempfile::tempdir().unwrap();
    let Some((app, settings)) = quiet_database(folder.path()).await else { return };
    let mut session = PgConnection::connect(&app.db.url).await.unwrap();
    raw_sql(CITUS).execute(&mut session).await.unwrap();
    session.close().await.unwrap();
    disconnect(&app).await;
    assert_eq!(
        backup::check(&settings).await.unwrap().problems,
        Vec::<String>::new(),
        "not distributed, so no problem"
    );
    distribute(&settings, false).await.unwrap();
    assert_eq!(backup::check(&settings).await.unwrap().problems, Vec::<String>::new());
    let mut session = PgConnection::connect(&app.db.url).await.unwrap();
    raw_sql("DELETE FROM recorded WHERE table_name IN ('stock'::regclass, 'article'::regclass)")
        .execute(&mut session)
        .await
        .unwrap();
    session.close().await.unwrap();
    let problems: BTreeSet<String> = backup::check(&settings).await.unwrap().problems.into_iter().collect();
    let named = [
        "the table article is kept in one place and should be copied to all machines",
        "the table stock is kept in one place and should be distributed by tenant",
    ];
    assert_eq!(problems, named.map(ToOwned::to_owned).into());

    // a migration that creates a table with tenants' rows
    let creates = Migrator::migrations()
        .iter()
        .rev()
        .position(|migration| migration.name() == "m20261128_000090_external_quantities")
        .unwrap();
    let steps = u32::try_from(creates).unwrap() + 1;
    let connections = store::Database::connect_for_migrations(&app.db.url).await.unwrap();
    Migrator::down(&connections, Some(steps)).await.unwrap();
    let mut session = PgConnection::connect(&app.db.url).await.unwrap();
    let forget = "DELETE FROM recorded WHERE NOT EXISTS (SELECT FROM pg_class WHERE oid = table_name)";
    raw_sql(forget).execute(&mut session).await.unwrap();
    assert!(!texts(&mut session, RECORDED).await.contains("external_quantity distributed"));
    Migrator::up(&connections, None).await.unwrap();
    connections.close().await.unwrap();
    assert!(texts(&mut session, RECORDED).await.contains("external_quantity distributed"));
}

#[actix_web::test]
async fn a_database_with_real_citus_is_distributed() {
    let Ok(url) = std::env::var("STALHOF_TEST_CITUS_URL") else { return };
    let (app, folder) = (TestApp::new().await, tempfile::tempdir().unwrap());
    let settings =
        Settings { data_dir: folder.path().to_owned(), database_url: Some(url.clone()), ..app.settings() };
    let db = stalhof::serve::open(&settings).await.unwrap();
    db.writer().clone().close().await.unwrap();
    distribute(&settings, false).await.unwrap();
    let report = backup::check(&settings).await.unwrap();
    assert_eq!((report.problems, report.tables.len() > 60), (Vec::new(), true));
    let kinds: BTreeMap<_, _> = TABLES.iter().map(|table| (table.name, table.kind)).collect();
    let mut session = PgConnection::connect(&url).await.unwrap();
    let sql = "SELECT table_name::text FROM citus_tables WHERE citus_table_type = 'distributed'";
    for table in texts(&mut session, sql).await {
        assert_eq!(kinds[table.trim_matches('"')], Kind::Distributed);
    }
}
