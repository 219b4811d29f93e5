//! Runs over FTP and FTPS, and failures on this side: a full disk, a frozen database, a tenant that is
//! removed.

use sea_orm::{ConnectionTrait, DbBackend};
use stalhof::removal;
use storage::Reserve;
use testkit::{
    certificates::Authority,
    file_server::{ftp::FtpServer, sftp::ENCRYPTED_KEY},
};

use super::*;

impl Bed {
    /// Numbers of the tenant's rows in the tables of feeds and imports.
    async fn rows_left(&self) -> Vec<i64> {
        let mut counts = Vec::new();
        for table in ["ftp_settings", "feed_run", "feed_file", "feed_incident", "import"] {
            let north = self.depot.catalog.app.north;
            let sql = format!("SELECT count(*) AS n FROM \"{table}\" WHERE tenant_id = {north}");
            let db = &self.depot.catalog.app.db;
            let statement = sea_orm::Statement::from_string(db.get_database_backend(), sql);
            let row = db.query_one_raw(statement).await.unwrap().unwrap();
            counts.push(row.try_get::<i64>("", "n").unwrap());
        }
        counts
    }

    fn spooled(&self) -> usize {
        std::fs::read_dir(self.state.settings.data_dir.join("spool")).unwrap().count()
    }
}

#[actix_web::test]
async fn files_are_imported_and_cleared_over_ftp_and_ftps() {
    let bed = Bed::new().await;
    let keys = tempfile::tempdir().unwrap();
    let (authority, stranger) = (Authority::new(), Authority::new());
    let plain = FtpServer::start(bed.folder.path(), None).await;
    let certificate = authority.issue(LISTEN, 2099).write(keys.path());
    let encrypted = FtpServer::start(bed.folder.path(), Some(certificate)).await;
    bed.change(json!({ "after_reading": "move", "processed_folder": "erledigt" })).await;
    for (day, name, server) in [
        (
            0,
            "bestand_ftp.csv",
            json!({ "protocol": "ftp", "port": plain.port, "password": PASSWORD, "ca_certificate": null }),
        ),
        (
            1,
            "bestand_ftps.csv",
            json!({
                "protocol": "ftps", "port": encrypted.port, "password": PASSWORD,
                "ca_certificate": authority.pem(),
            }),
        ),
    ] {
        bed.change(server).await;
        bed.write(name, &(day + 5).to_string(), day * 86_400);
        assert_eq!((bed.run().await, bed.last().await), (None, imported(name)));
        bed.import().await;
        assert_eq!(bed.quantities().await, [(day + 5).to_string()]);
        assert_eq!(bed.run().await, None);
        assert!(bed.file(&format!("erledigt/{name}")).exists() && !bed.file(name).exists());
    }
    // another certificate authority does not vouch for this server, and the password is not sent
    bed.change(json!({ "ca_certificate": stranger.pem() })).await;
    bed.write("bestand.csv", "9", 3 * 86_400);
    assert_eq!(bed.run().await, Some("host_untrusted"));
    assert_eq!(bed.imports().await.len(), 2);
    bed.change(json!({ "ca_certificate": authority.pem() })).await;
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand.csv")));
}

#[actix_web::test]
async fn a_run_signs_in_with_an_encrypted_key() {
    let bed = Bed::new().await;
    bed.write("bestand.csv", "5", 0);
    let server = SftpServer::with_encrypted_key(bed.folder.path()).await;
    bed.change(json!({ "port": server.port, "private_key": ENCRYPTED_KEY })).await;
    assert_eq!(bed.run().await, Some("private_key_invalid"));
    bed.change(json!({ "private_key_passphrase": "geheim" })).await;
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand.csv")));
}

#[actix_web::test]
async fn a_full_disk_is_reported_at_the_run_and_the_next_run_succeeds() {
    let bed = Bed::new().await;
    bed.write("bestand.csv", "5", 0);
    let fill = |state: &mut State| {
        state.storage = state.storage.clone().with_reserve(Reserve::Bytes(u64::MAX));
    };
    let (full, _) = bed.depot.catalog.app.with_secret_key_and(&bed.user, fill).await;
    let row = bed.row().await.unwrap();
    // retried soon, as space may be freed
    let error = feed_runs::fetch(&full, &row, FileKind::Stock).await.unwrap_err();
    assert_eq!(error.code(), values::codes::DISK_NEARLY_FULL);
    let (outcome, failure, name) = bed.last().await;
    assert_eq!((&*outcome, failure, name), ("failed", json!("disk_nearly_full"), json!("bestand.csv")));
    assert_eq!((bed.imports().await.len(), bed.spooled()), (0, 0));
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand.csv")));
}

#[actix_web::test]
async fn a_run_while_the_database_is_frozen_imports_nothing_and_the_next_run_works() {
    let bed = Bed::new().await;
    bed.write("bestand.csv", "5", 0);
    let row = bed.row().await.unwrap();
    let db = &bed.depot.catalog.app.db;
    let frozen = db.begin().await.unwrap();
    // SQLite has one writer
    if db.get_database_backend() == DbBackend::Postgres {
        frozen.execute_unprepared("LOCK TABLE feed_file, feed_run IN ACCESS EXCLUSIVE MODE").await.unwrap();
    }
    let error = feed_runs::fetch(&bed.state, &row, FileKind::Stock).await.unwrap_err();
    assert!(error.fault().is_some(), "{error:?}");
    drop(frozen);
    assert_eq!((bed.imports().await.len(), bed.spooled()), (0, 0));
    assert_eq!((bed.run().await, bed.last().await), (None, imported("bestand.csv")));
}

/// The run is at a different point each time.
#[actix_web::test]
async fn a_tenant_that_is_removed_during_a_run_leaves_nothing_behind() {
    let points = [0, 5, 15, 30, 60, 120, 500];
    let mut outcomes = std::collections::BTreeSet::new();
    for pause in points {
        let bed = Bed::new().await;
        bed.write("bestand.csv", "5", 0);
        bed.write("bestand_2.csv", "6", 100);
        let row = bed.row().await.unwrap();
        let app = &bed.depot.catalog.app;
        let folder = app.folder.path().join("fort");
        let settings = app.settings();
        let remove = async {
            tokio::time::sleep(Duration::from_millis(pause)).await;
            removal::remove(&settings, &app.db, "NORD", &folder).await.unwrap();
        };
        let (run, ()) = tokio::join!(feed_runs::fetch(&bed.state, &row, FileKind::Stock), remove);
        outcomes.insert(match run {
            Ok(ScheduledOutcome::Succeeded) => "succeeded".to_owned(),
            Ok(ScheduledOutcome::Failed(code)) => code.as_str().to_owned(),
            Err(error) => format!("again: {}", error.code().as_str()),
        });
        assert_eq!(bed.rows_left().await, [0; 5], "after {pause} ms: {outcomes:?}");
        assert_eq!(bed.spooled(), 0);
        // the rest of the schedule finds nothing to do
        let after = feed_runs::fetch(&bed.state, &row, FileKind::Stock).await;
        assert!(after.is_err() || matches!(after, Ok(ScheduledOutcome::Failed(_))), "{after:?}");
        assert_eq!(bed.rows_left().await, [0; 5]);
    }
    assert!(outcomes.iter().all(|outcome| outcome != "again: internal"), "{outcomes:?}");
}
