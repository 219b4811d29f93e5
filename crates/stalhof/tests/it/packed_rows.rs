//! Packed rows of imports in the database, for this version and the former one.

use api::server_process::ServerProcess;
use migrations::{Migrator, PACKED_IMPORT_ROWS};
use sea_orm::{ConnectionTrait, DbBackend, Statement};
use sea_orm_migration::MigratorTrait;
use serde_json::Value;

use crate::{
    imports::{IMPORTS, counts, ended},
    stocks::{Depot, PATH},
    support::Form,
};

/// Depot with two stocks, and a file with the same values.
async fn stocked() -> (Depot, String) {
    let depot = Depot::new().await;
    let number = depot.articles[0]["article_number"].as_str().unwrap();
    for warehouse in [0, 1] {
        depot.user.post(PATH, depot.stock(0, warehouse)).await.is(201);
    }
    let rows = format!("{number};DU;36,3\r\n{number};HH;36,3\r\n");
    let file = format!("Artikelnummer;Lager;Menge\r\n{rows}");
    (depot, file)
}

/// Stored rows of an import, as text.
async fn stored(depot: &Depot, import: &Value, columns: &str) -> Vec<String> {
    let db = &depot.catalog.app.db;
    let sql = format!(
        "SELECT CAST({columns} AS text) AS stored FROM import_row WHERE import_id = {} ORDER BY line",
        import["id"]
    );
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get("", "stored").unwrap()).collect()
}

async fn upload(depot: &Depot, file: &str) -> Value {
    let form = Form::new().field("type", "Stock").file("bestand.csv", file);
    let import = ended(&depot.user, &form.send(&depot.user, IMPORTS).await.is(201)).await;
    assert_eq!(counts(&import), [0, 0, 2, 0], "{import}");
    import
}

#[actix_web::test]
async fn packed_rows_survive_a_downgrade_and_an_upgrade() {
    let (depot, file) = stocked().await;
    let workers = depot.catalog.app.workers().await;
    let import = upload(&depot, &file).await;
    workers.end().await;
    let rows = format!("{IMPORTS}/{}/rows", import["id"]);
    let listed = depot.user.get(&rows).await.is(200);
    let row = |row: &Value| {
        format!("{} {} {}", row["line"], row["record_id"], row["record_name"].as_str().unwrap())
    };
    let single: Vec<String> = listed["data"].as_array().unwrap().iter().map(row).collect();
    assert_eq!(stored(&depot, &import, "line || '-' || record_name").await, ["2-"]);

    let writer = depot.catalog.app.db.writer();
    let later = Migrator::migrations().iter().skip_while(|it| it.name() != PACKED_IMPORT_ROWS).count();
    Migrator::down(writer, Some(u32::try_from(later).unwrap())).await.unwrap();
    assert_eq!(stored(&depot, &import, "line || ' ' || record_id || ' ' || record_name").await, single);
    let month = stored(&depot, &import, "outcome || ' ' || last_month").await;
    assert!(month.iter().all(|month| month.starts_with("unchanged 24")), "{month:?}");

    Migrator::up(writer, None).await.unwrap();
    let stocks = depot.user.get(PATH).await.is(200);
    for stock in stocks["data"].as_array().unwrap() {
        assert_eq!(stock["confirmed_at"], import["finished_at"], "{stock}");
    }
    assert_eq!(depot.user.get(&rows).await.is(200)["data"], listed["data"]);
}

#[actix_web::test]
async fn rows_are_not_packed_while_an_older_process_runs() {
    let (depot, file) = stocked().await;
    let db = &depot.catalog.app.db;
    if db.get_database_backend() == DbBackend::Sqlite {
        return;
    }
    let former = "m20261129_000600_history_by_month".to_owned();
    let former = ServerProcess { schema: former, ..ServerProcess::current() };
    former.record_heartbeat(db).await.unwrap();
    ServerProcess::current().record_heartbeat(db).await.unwrap();
    let workers = depot.catalog.app.workers().await;
    let beside = upload(&depot, &file).await;
    assert_eq!(stored(&depot, &beside, "line").await, ["2", "3"]);
    former.leave(db).await.unwrap();
    let alone = upload(&depot, &file).await;
    assert_eq!(stored(&depot, &alone, "line").await, ["2"]);
    workers.end().await;
    for import in [beside, alone] {
        let of_import = depot.user.get(&format!("{PATH}?filter[import_id]={}", import["id"])).await.is(200);
        assert_eq!(of_import["meta"]["total"], 2, "{of_import}");
    }
}
