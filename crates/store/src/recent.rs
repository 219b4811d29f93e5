//! Short-lived cache, so that a burst of requests reads a value once.

use std::{
    future::Future,
    hash::Hash,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use hashlink::LruCache;
use values::error::Result;

use crate::{database::Database, writes::CommitNumber};

/// Values by key, each valid for a short time after it was read. A commit of this process to one of the
/// source tables invalidates all of them immediately; commits of other processes take effect when that time
/// is over.
#[derive(Debug)]
pub struct Recent<K: Eq + Hash, V> {
    tables: &'static [&'static str],
    lifetime: Duration,
    values: Mutex<LruCache<K, Reading<V>>>,
}

#[derive(Debug)]
struct Reading<V> {
    /// Last commit to the tables before the value was read.
    commit: CommitNumber,
    read_at: Instant,
    value: V,
}

impl<K: Eq + Hash, V: Clone> Recent<K, V> {
    /// Creates a cache of values from these tables. Above `entries_max` the least recently used are dropped.
    pub fn new(tables: &'static [&'static str], lifetime: Duration, entries_max: usize) -> Self {
        Self { tables, lifetime, values: Mutex::new(LruCache::new(entries_max)) }
    }

    /// Returns the value of a key, from the cache or by `read`. A key without a value is looked up each time.
    ///
    /// # Errors
    /// Those of `read`.
    pub async fn get_or_read(
        &self,
        db: &Database,
        key: K,
        read: impl Future<Output = Result<Option<V>>>,
    ) -> Result<Option<V>> {
        // before the value is read, since it may lack a commit that happens meanwhile
        let commit = db.last_commit_to(self.tables);
        let now = Instant::now();
        if let Some(value) = self.get(&key, commit, now) {
            return Ok(Some(value));
        }
        let value = read.await?;
        if let Some(value) = &value {
            self.lock().insert(key, Reading { commit, read_at: now, value: value.clone() });
        }
        Ok(value)
    }

    fn get(&self, key: &K, commit: CommitNumber, now: Instant) -> Option<V> {
        let mut values = self.lock();
        let is_recent = |reading: &&mut Reading<V>| {
            reading.commit == commit && now.duration_since(reading.read_at) < self.lifetime
        };
        values.get_mut(key).filter(is_recent).map(|reading| reading.value.clone())
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<K, Reading<V>>> {
        self.values.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::ConnectionTrait;

    use super::*;

    const HOUR: Duration = Duration::from_hours(1);

    async fn database() -> Database {
        let db = Database::connect("sqlite::memory:").await.unwrap();
        for table in ["note", "tag"] {
            write(&db, &format!("CREATE TABLE {table} (id INTEGER)")).await;
        }
        db
    }

    async fn write(db: &Database, sql: &str) {
        let tx = db.begin().await.unwrap();
        tx.execute_unprepared(sql).await.unwrap();
        tx.commit().await.unwrap();
    }

    async fn read(recent: &Recent<u8, u8>, db: &Database, value: Option<u8>) -> Option<u8> {
        recent.get_or_read(db, 1, async { Ok(value) }).await.unwrap()
    }

    #[tokio::test]
    async fn a_value_is_read_again_after_a_commit_to_its_tables() {
        let (db, recent) = (database().await, Recent::new(&["note"], HOUR, 10));
        assert_eq!(read(&recent, &db, Some(1)).await, Some(1));
        assert_eq!(read(&recent, &db, Some(2)).await, Some(1), "was read a moment ago");
        write(&db, "INSERT INTO tag VALUES (1)").await;
        assert_eq!(read(&recent, &db, Some(3)).await, Some(1), "is read from another table");
        write(&db, "INSERT INTO note VALUES (1)").await;
        assert_eq!(read(&recent, &db, Some(4)).await, Some(4));
        write(&db, "DELETE FROM tag").await;
        assert_eq!(read(&recent, &db, Some(5)).await, Some(5), "a deletion may go further");
    }

    #[tokio::test]
    async fn a_commit_during_a_read_invalidates_the_value() {
        let (db, recent) = (database().await, Recent::new(&["note"], HOUR, 10));
        let meanwhile = async {
            write(&db, "INSERT INTO note VALUES (1)").await;
            Ok(Some(1))
        };
        assert_eq!(recent.get_or_read(&db, 1, meanwhile).await.unwrap(), Some(1));
        assert_eq!(read(&recent, &db, Some(2)).await, Some(2));
    }

    #[tokio::test]
    async fn an_expired_value_is_read_again() {
        let (db, recent) = (database().await, Recent::new(&["note"], Duration::ZERO, 10));
        assert_eq!(read(&recent, &db, Some(1)).await, Some(1));
        assert_eq!(read(&recent, &db, Some(2)).await, Some(2));
    }

    #[tokio::test]
    async fn an_unknown_key_is_looked_up_each_time() {
        let (db, recent) = (database().await, Recent::new(&["note"], HOUR, 10));
        assert_eq!(read(&recent, &db, None).await, None);
        assert_eq!(read(&recent, &db, Some(1)).await, Some(1));
    }
}
