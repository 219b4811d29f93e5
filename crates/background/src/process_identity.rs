//! Identity of a process, and the proof that its predecessor is dead.

use std::{
    fs::{File, TryLockError},
    io::{Read, Seek, Write},
    path::Path,
};

/// Lock on a file, which the operating system releases when the process ends.
#[derive(Debug)]
pub(crate) struct ProcessIdentity {
    pub(crate) owner: String,
    pub(crate) predecessor: Option<String>,
    lock: Option<File>,
}

impl ProcessIdentity {
    pub(crate) fn acquire(folder: &Path) -> std::io::Result<Self> {
        let owner = uuid::Uuid::now_v7().to_string();
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(folder.join("worker.lock"))?;
        match file.try_lock() {
            Ok(()) => {}
            // Another living process uses this folder.
            Err(TryLockError::WouldBlock) => return Ok(Self { owner, predecessor: None, lock: None }),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let mut predecessor = String::new();
        // Any content is fine: a name without leases does no harm.
        let _ = Read::by_ref(&mut file).take(100).read_to_string(&mut predecessor);
        let predecessor = (!predecessor.is_empty()).then_some(predecessor);
        Ok(Self { owner, predecessor, lock: Some(file) })
    }

    /// Writes the own name once nothing is leased to the predecessor any more. A process that dies before
    /// this leaves the predecessor's name to the next one.
    pub(crate) fn record_owner(&mut self) -> std::io::Result<()> {
        let Some(file) = &mut self.lock else { return Ok(()) };
        file.rewind()?;
        file.set_len(0)?;
        file.write_all(self.owner.as_bytes())?;
        file.sync_all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_predecessor_is_reported_only_if_it_is_dead() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = ProcessIdentity::acquire(folder.path()).unwrap();
        assert_eq!(first.predecessor, None);
        first.record_owner().unwrap();
        let beside = ProcessIdentity::acquire(folder.path()).unwrap();
        assert_eq!(beside.predecessor, None, "the first is alive");
        let owner = first.owner.clone();
        drop(first);
        assert_eq!(ProcessIdentity::acquire(folder.path()).unwrap().predecessor, Some(owner));
    }

    #[test]
    fn a_process_that_dies_while_starting_does_not_hide_its_predecessor() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = ProcessIdentity::acquire(folder.path()).unwrap();
        first.record_owner().unwrap();
        let owner = first.owner.clone();
        drop(first);
        drop(ProcessIdentity::acquire(folder.path()).unwrap());
        let mut third = ProcessIdentity::acquire(folder.path()).unwrap();
        assert_eq!(third.predecessor, Some(owner));
        third.record_owner().unwrap();
        let owner = third.owner.clone();
        drop(third);
        assert_eq!(ProcessIdentity::acquire(folder.path()).unwrap().predecessor, Some(owner));
    }
}
