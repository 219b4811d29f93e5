//! The files of a folder that a run fetches.

use chrono::NaiveDateTime;

use crate::{
    file_pattern::FilePattern,
    source::{Listing, RemoteEntry, SourceFailure},
};

/// Matching file, and a flag for a file that its sender has marked as complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileToFetch<'a> {
    pub entry: &'a RemoteEntry,
    /// True if there is a `.done` companion that is not older than the file.
    pub has_companion: bool,
}

/// Returns the files of a folder that match, oldest first. `local_time`, in the installation's time zone,
/// completes the name of a file that is missing.
///
/// # Errors
/// No file matches: [`SourceFailure::NotAFile`] if a folder does, otherwise [`SourceFailure::FileMissing`].
pub fn files_to_fetch<'a>(
    listing: &'a Listing,
    pattern: &FilePattern,
    local_time: NaiveDateTime,
) -> Result<Vec<FileToFetch<'a>>, SourceFailure> {
    let files: Vec<_> = pattern
        .files(listing)
        .into_iter()
        .map(|entry| FileToFetch { entry, has_companion: listing.has_companion(entry) })
        .collect();
    if !files.is_empty() {
        return Ok(files);
    }
    Err(match pattern.folder(listing) {
        Some(folder) => SourceFailure::NotAFile(folder.name.clone()),
        None => {
            SourceFailure::FileMissing(pattern.name_at(local_time).unwrap_or_else(|| pattern.to_string()))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::EntryKind;

    const NOON: &str = "2026-11-28T12:00:00";

    fn file(name: &str, modified: &str) -> RemoteEntry {
        let modified = Some(modified.parse().unwrap());
        RemoteEntry { name: name.to_owned(), kind: EntryKind::File, size: Some(1), modified }
    }

    fn fetched(pattern: &str, entries: Vec<RemoteEntry>) -> Result<Vec<(String, bool)>, SourceFailure> {
        let listing = Listing { entries, unsafe_names: 0 };
        let files = files_to_fetch(&listing, &FilePattern::parse(pattern).unwrap(), NOON.parse().unwrap())?;
        Ok(files.into_iter().map(|file| (file.entry.name.clone(), file.has_companion)).collect())
    }

    #[test]
    fn matching_files_are_fetched_oldest_first_without_their_companions() {
        let entries = vec![
            file("p_20261128.csv", "2026-11-28T06:00:00Z"),
            file("p_20261127.csv", "2026-11-28T06:01:00Z"),
            file("p_20261127.csv.done", "2026-11-28T06:01:00Z"),
            // left over from the day before
            file("p_20261128.csv.done", "2026-11-27T06:00:00Z"),
            file("q_20261126.csv", "2026-11-26T06:00:00Z"),
        ];
        let expected = [("p_20261127.csv".to_owned(), true), ("p_20261128.csv".to_owned(), false)];
        assert_eq!(fetched("p_{yyyyMMdd}.csv", entries.clone()).unwrap(), expected);
        let expected = [("p_20261128.csv".to_owned(), false), ("p_20261127.csv".to_owned(), true)];
        assert_eq!(fetched("p_*", entries).unwrap(), expected);
    }

    #[test]
    fn a_missing_file_is_reported_by_the_name_expected_today() {
        let missing =
            |pattern| fetched(pattern, vec![file("other.csv", "2026-11-28T06:00:00Z")]).unwrap_err();
        for (pattern, name) in [
            ("p_{yyyyMMdd}.csv", "p_20261128.csv"),
            ("p_{yyyyMMdd}_*.csv", "p_{yyyyMMdd}_*.csv"),
            ("preise.csv", "preise.csv"),
        ] {
            assert_eq!(missing(pattern), SourceFailure::FileMissing(name.to_owned()));
        }
        let only_signal = vec![file("preise.csv.done", "2026-11-28T06:00:00Z")];
        assert_eq!(
            fetched("preise*", only_signal).unwrap_err(),
            SourceFailure::FileMissing("preise*".to_owned())
        );
        let folder = RemoteEntry { kind: EntryKind::Folder, ..file("preise.csv", "2026-11-28T06:00:00Z") };
        assert_eq!(
            fetched("preise.csv", vec![folder]).unwrap_err(),
            SourceFailure::NotAFile("preise.csv".to_owned())
        );
    }
}
