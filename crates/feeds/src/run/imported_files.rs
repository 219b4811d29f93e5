//! Files that a feed has imported: a file is imported once, however often it is listed.
//!
//! A listed file is recognised by name, size and time, so that it is not fetched again. A fetched one is
//! compared by its hash: with the last imported content, and with earlier contents of the same name. A
//! content that returns under the same name with a new time, after another one, is imported again: today's
//! stocks may well be those of the day before yesterday.

use chrono::TimeDelta;
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter,
    sea_query::{Expr, OnConflict},
};
use store::Write;
use values::{Instant, Result};

use super::{
    Feed,
    file_entity::{ActiveModel, Column, Entity as FeedFiles, Model as FeedFile},
};
use crate::source::RemoteEntry;

/// The time for which a file is remembered that is not listed any more.
const FILES_REMEMBERED: TimeDelta = TimeDelta::days(400);

/// Files that a feed has imported.
#[derive(Debug, Default)]
pub(super) struct ImportedFiles(pub(super) Vec<FeedFile>);

impl Feed {
    fn files(self) -> Condition {
        Condition::all()
            .add(Column::TenantId.eq(self.tenant))
            .add(Column::SettingsId.eq(self.settings_id))
            .add(Column::Kind.eq(self.kind))
    }
}

fn size_of(entry: &RemoteEntry) -> Option<i64> {
    entry.size.and_then(|size| i64::try_from(size).ok())
}

impl ImportedFiles {
    #[expect(clippy::disallowed_methods, reason = "the feed that is due")]
    pub(super) async fn load(db: &impl ConnectionTrait, feed: Feed) -> Result<Self> {
        Ok(Self(FeedFiles::find().filter(feed.files()).all(db).await?))
    }

    /// The file of an entry of a listing, if nothing about it has changed since it was taken.
    pub(super) fn unchanged(&self, entry: &RemoteEntry) -> Option<&FeedFile> {
        entry.modified?;
        self.0.iter().find(|file| {
            file.file_name == entry.name && file.bytes == size_of(entry) && file.modified_at == entry.modified
        })
    }

    /// Returns the import with the same content as a fetched file.
    pub(super) fn imported(&self, entry: &RemoteEntry, sha256: &str) -> Option<i64> {
        let newest = self.0.iter().max_by_key(|file| (file.import_id, file.taken_at))?;
        if newest.sha256 == sha256 {
            return Some(newest.import_id);
        }
        let same = self.0.iter().find(|file| file.file_name == entry.name && file.sha256 == sha256)?;
        let comes_back = newest.file_name == entry.name && entry.modified.is_some();
        (!comes_back).then_some(same.import_id)
    }

    /// Files that are still to be moved or deleted on the server.
    pub(super) fn unhandled(&self) -> impl Iterator<Item = &FeedFile> {
        self.0.iter().filter(|file| !file.is_handled)
    }
}

/// Records a file with the import of its content.
#[expect(clippy::disallowed_methods, reason = "the feed that is due")]
pub(super) async fn take(
    tx: &Write,
    feed: Feed,
    entry: &RemoteEntry,
    sha256: &str,
    import_id: i64,
    is_handled: bool,
    now: Instant,
) -> Result<()> {
    let row = ActiveModel {
        tenant_id: Set(feed.tenant),
        settings_id: Set(feed.settings_id),
        kind: Set(feed.kind),
        file_name: Set(entry.name.clone()),
        sha256: Set(sha256.to_owned()),
        bytes: Set(size_of(entry)),
        modified_at: Set(entry.modified),
        import_id: Set(import_id),
        taken_at: Set(now),
        seen_at: Set(now),
        is_handled: Set(is_handled),
    };
    let key = [Column::TenantId, Column::SettingsId, Column::Kind, Column::FileName, Column::Sha256];
    let again = OnConflict::columns(key)
        .update_columns([
            Column::Bytes,
            Column::ModifiedAt,
            Column::ImportId,
            Column::TakenAt,
            Column::SeenAt,
            Column::IsHandled,
        ])
        .to_owned();
    FeedFiles::insert(row).on_conflict(again).exec_without_returning(tx).await?;
    Ok(())
}

/// Records that nothing more is to be done with a file on the server.
#[expect(clippy::disallowed_methods, reason = "the feed that is due")]
pub(super) async fn mark_handled(tx: &Write, feed: Feed, file: &FeedFile) -> Result<()> {
    FeedFiles::update_many()
        .col_expr(Column::IsHandled, Expr::value(true))
        .filter(feed.files())
        .filter(Column::FileName.eq(&*file.file_name))
        .filter(Column::Sha256.eq(&*file.sha256))
        .exec(tx)
        .await?;
    Ok(())
}

/// Records, once a day, the files that are still listed, and deletes the records of those that disappeared
/// long ago.
#[expect(clippy::disallowed_methods, reason = "the feed that is due")]
pub(super) async fn note_listed(tx: &Write, feed: Feed, names: &[&str], now: Instant) -> Result<()> {
    if !names.is_empty() {
        FeedFiles::update_many()
            .col_expr(Column::SeenAt, Expr::value(now))
            .filter(feed.files())
            .filter(Column::FileName.is_in(names.iter().copied()))
            .filter(Column::SeenAt.lt(now - TimeDelta::days(1)))
            .exec(tx)
            .await?;
    }
    let files_of_feed = FeedFiles::delete_many().filter(feed.files());
    files_of_feed.filter(Column::SeenAt.lt(now - FILES_REMEMBERED)).exec(tx).await?;
    Ok(())
}

/// True if a file taken after a given time still has to be moved or deleted on the server.
#[expect(clippy::disallowed_methods, reason = "the feed whose schedule has ended")]
pub(super) async fn is_any_unhandled(tx: &Write, feed: Feed, since: Instant) -> Result<bool> {
    let unhandled = FeedFiles::find().filter(feed.files()).filter(Column::IsHandled.eq(false));
    Ok(unhandled.filter(Column::TakenAt.gt(since)).one(tx).await?.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::EntryKind;

    fn at(minute: i64) -> Instant {
        Instant::UNIX_EPOCH + TimeDelta::minutes(minute)
    }

    fn entry(name: &str, minute: Option<i64>) -> RemoteEntry {
        RemoteEntry { name: name.to_owned(), kind: EntryKind::File, size: Some(10), modified: minute.map(at) }
    }

    /// A file that was taken with this import at this minute.
    fn file(name: &str, sha256: &str, import_id: i64, minute: i64) -> FeedFile {
        FeedFile {
            tenant_id: values::TenantId(1),
            settings_id: 1,
            kind: crate::settings::fields::FileKind::Stock,
            file_name: name.to_owned(),
            sha256: sha256.to_owned(),
            bytes: Some(10),
            modified_at: Some(at(minute)),
            import_id,
            taken_at: at(minute),
            seen_at: at(minute),
            is_handled: true,
        }
    }

    #[test]
    fn a_file_is_unchanged_if_name_size_and_time_are_equal() {
        let previous_files = ImportedFiles(vec![file("a.csv", "A", 1, 5)]);
        let is_unchanged = |entry: &RemoteEntry| previous_files.unchanged(entry).is_some();
        assert!(is_unchanged(&entry("a.csv", Some(5))));
        assert!(!is_unchanged(&entry("a.csv", Some(6))));
        assert!(!is_unchanged(&entry("b.csv", Some(5))));
        assert!(!is_unchanged(&RemoteEntry { size: Some(11), ..entry("a.csv", Some(5)) }));
        // A server that reports no times.
        let timeless = ImportedFiles(vec![FeedFile { modified_at: None, ..file("a.csv", "A", 1, 5) }]);
        assert!(timeless.unchanged(&entry("a.csv", None)).is_none());
    }

    #[test]
    fn content_counts_as_imported_unless_it_returns_after_other_content() {
        let previous_files = ImportedFiles(vec![file("a.csv", "A", 1, 5), file("a.csv", "B", 2, 6)]);
        for (name, minute, sha256, import) in [
            ("a.csv", Some(7), "B", Some(2)),
            // the newest content under another name
            ("b.csv", Some(7), "B", Some(2)),
            // It returns in the place of the newest one.
            ("a.csv", Some(7), "A", None),
            // or as a new file
            ("b.csv", Some(7), "A", None),
            // without a time it may be the old file
            ("a.csv", None, "A", Some(1)),
            ("a.csv", Some(7), "C", None),
        ] {
            assert_eq!(
                previous_files.imported(&entry(name, minute), sha256),
                import,
                "{name} {minute:?} {sha256}"
            );
        }
        // An old file that is listed together with the newest one and was touched.
        let beside = ImportedFiles(vec![file("mon.csv", "A", 1, 5), file("tue.csv", "B", 2, 6)]);
        assert_eq!(beside.imported(&entry("mon.csv", Some(7)), "A"), Some(1));
        assert_eq!(ImportedFiles::default().imported(&entry("a.csv", Some(7)), "A"), None);
    }
}
