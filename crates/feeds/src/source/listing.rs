//! The files of a folder, and the rules that say when one of them is complete.

use values::Instant;

use super::name::companion_name;

/// The kind of an entry of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Folder,
    Other,
}

/// An entry of a folder. Its name is safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteEntry {
    pub name: String,
    pub kind: EntryKind,
    pub size: Option<u64>,
    /// The time of the last change. Servers without MLSD say it to the minute and without a zone; it is read
    /// as UTC.
    pub modified: Option<Instant>,
}

/// The entries of a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    pub entries: Vec<RemoteEntry>,
    /// The number of entries that were left out because their names are unsafe or not UTF-8.
    pub unsafe_names: usize,
}

impl Listing {
    /// Returns the entry with a name.
    pub fn entry(&self, name: &str) -> Option<&RemoteEntry> {
        self.entries.iter().find(|entry| entry.name == name)
    }

    /// True if a companion marks this file as complete.
    pub fn has_companion(&self, file: &RemoteEntry) -> bool {
        self.companion(file).is_some()
    }

    /// The companion of a file: not older than the file, as one is that was left over from the day before.
    pub fn companion(&self, file: &RemoteEntry) -> Option<&RemoteEntry> {
        self.entry(&companion_name(&file.name)).filter(|companion| {
            let is_older = companion.modified.zip(file.modified).is_some_and(|(own, other)| own < other);
            companion.kind == EntryKind::File && !is_older
        })
    }
}

/// True if a file has not changed between two looks at it. A size must be there; a time need not.
pub fn is_settled(previous: &RemoteEntry, current: &RemoteEntry) -> bool {
    current.kind == EntryKind::File && current.size.is_some() && previous == current
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, size: Option<u64>, modified: Option<&str>) -> RemoteEntry {
        let modified = modified.map(|text| text.parse().unwrap());
        RemoteEntry { name: name.to_owned(), kind: EntryKind::File, size, modified }
    }

    #[test]
    fn a_file_is_settled_if_size_and_time_stay_the_same() {
        const SIX: Option<&str> = Some("2026-11-28T06:00:00Z");
        let before = entry("a.csv", Some(10), SIX);
        for (after, settled) in [
            (entry("a.csv", Some(10), SIX), true),
            (entry("a.csv", Some(11), SIX), false),
            (entry("a.csv", Some(9), SIX), false),
            (entry("a.csv", Some(10), Some("2026-11-28T06:00:01Z")), false),
            (entry("a.csv", Some(10), None), false),
            (entry("a.csv", None, SIX), false),
            (entry("b.csv", Some(10), SIX), false),
            (RemoteEntry { kind: EntryKind::Folder, ..before.clone() }, false),
        ] {
            assert_eq!(is_settled(&before, &after), settled, "{after:?}");
        }
        let timeless = entry("a.csv", Some(10), None);
        assert!(is_settled(&timeless, &timeless));
        let sizeless = entry("a.csv", None, SIX);
        assert!(!is_settled(&sizeless, &sizeless));
    }

    #[test]
    fn a_companion_counts_if_it_is_not_older_than_its_file() {
        const SIX: Option<&str> = Some("2026-11-28T06:00:00Z");
        let file = entry("a.csv", Some(10), SIX);
        for (companion, counts) in [
            (entry("a.csv.done", Some(0), SIX), true),
            (entry("a.csv.done", Some(0), Some("2026-11-28T06:00:01Z")), true),
            (entry("a.csv.done", Some(0), Some("2026-11-28T05:59:59Z")), false),
            (entry("a.csv.done", None, None), true),
            (entry("a.done", Some(0), SIX), false),
            (entry("b.csv.done", Some(0), SIX), false),
            (RemoteEntry { kind: EntryKind::Folder, ..entry("a.csv.done", None, SIX) }, false),
        ] {
            let listing = Listing { entries: vec![file.clone(), companion.clone()], unsafe_names: 0 };
            assert_eq!(listing.has_companion(&file), counts, "{companion:?}");
        }
    }
}
