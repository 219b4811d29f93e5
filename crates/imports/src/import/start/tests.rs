//! Tests of imports that run for a feed.

use std::sync::atomic::Ordering;

use sea_orm::{ConnectionTrait, Statement};
use values::FeedId;

use super::*;
use crate::{
    codes,
    import::{ImportStatus, mapping::MappedColumn, settings::Settings},
    import_profile::{self, ImportProfileInput},
    testbed::{Bed, counts, notes::NoteImporter},
};

const FEED: FeedId = FeedId(7);

/// Action, channel, its id and user of the history entries of an import.
async fn history(bed: &Bed, import: &Import) -> Vec<(String, String, Option<i64>, Option<i64>)> {
    let sql = format!(
        "SELECT action, channel, channel_id, user_id FROM audit_entry WHERE record = 'import' AND record_id = {} \
         ORDER BY id",
        import.id
    );
    let rows =
        bed.db.query_all_raw(Statement::from_string(bed.db.get_database_backend(), sql)).await.unwrap();
    let entry = |row: &sea_orm::QueryResult| {
        let text = |column: &str| row.try_get::<String>("", column).unwrap();
        let id = |column: &str| row.try_get("", column).unwrap();
        (text("action"), text("channel"), id("channel_id"), id("user_id"))
    };
    rows.iter().map(entry).collect()
}

#[tokio::test]
async fn a_feed_file_is_imported_like_an_upload() {
    let bed = Bed::new().await;
    let import = bed.start(FEED, "Name;Zahl\nA;1\nB;x\n", None).await.unwrap();
    assert_eq!((import.created_by, import.feed_id), (None, Some(7)));
    assert_eq!(import.principal(), Some(Principal::Feed(FEED)));
    let import = bed.work(&import).await;
    assert_eq!((import.status, counts(&import)), (ImportStatus::PartialSuccess, [1, 0, 0, 1]));
    let entry = |action: &str, channel: &str, id| (action.to_owned(), channel.to_owned(), Some(id), None);
    let expected = [entry("created", "feed", 7), entry("finished", "import", import.id)];
    assert_eq!(history(&bed, &import).await, expected);

    // the same file again refers to the earlier one, and a user undoes it
    let again = bed.start(FEED, "Name;Zahl\nA;1\nB;x\n", None).await.unwrap();
    assert_eq!(again.identical_to, Some(import.id));
    assert_eq!(counts(&bed.work(&again).await), [0, 0, 1, 1]);
    let undone = bed.undo(&import, false).await;
    assert_eq!((undone.feed_id, undone.created_by.is_some(), undone.rows_removed), (None, true, 1));
    assert!(bed.notes().await.is_empty());
}

#[tokio::test]
async fn a_feed_reads_its_files_with_an_import_profile() {
    let bed = Bed::new().await;
    let input = ImportProfileInput {
        name: "Werk Nord".to_owned(),
        r#type: <NoteImporter as crate::importer::FileColumns>::TYPE,
        settings: Settings { header_line: Some(2), ..Settings::default() },
        mapping: vec![MappedColumn { column: "Wie viel".into(), field: Some("number".into()), unit: None }],
        version: None,
    };
    let created = import_profile::create(&bed.db, &bed.registry, &bed.scope, input).await.unwrap();
    let file = "Bericht\nName;Wie viel\nA;1\n";
    let import = bed.start(FEED, file, Some(created.profile.id)).await.unwrap();
    assert_eq!(counts(&bed.work(&import).await), [1, 0, 0, 0]);
    assert_eq!(bed.notes().await[0].number, Some(1));
    let unknown = bed.start(FEED, file, Some(created.profile.id + 1)).await.unwrap_err();
    assert!(format!("{unknown:?}").contains("unknown_reference"), "{unknown:?}");
}

#[tokio::test]
async fn a_feed_imports_only_while_its_tenant_is_permitted() {
    let bed = Bed::new().await;
    let queued = bed.start(FEED, "Name;Zahl\nA;1\n", None).await.unwrap();
    bed.authority.revoked.store(true, Ordering::Relaxed);
    let refused = bed.start(FEED, "Name;Zahl\nB;1\n", None).await.unwrap_err();
    assert_eq!(refused.code(), codes::TENANT_NOT_PERMITTED);
    let failed = bed.work(&queued).await;
    assert_eq!(failed.status, ImportStatus::Failed);
    let reason = failed.status_text(Language::De).unwrap();
    assert_eq!(reason, values::Message::from(codes::TENANT_NOT_PERMITTED).text(Language::De));
    assert!(bed.notes().await.is_empty());
}
