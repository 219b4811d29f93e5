//! Bringing the schema up to date: one process at a time, and never a schema that this version does not know.

use std::path::Path;

use kernel::{Database, Error, Result};
use migrations::Migrator;
use sea_orm::{ConnectionTrait, DbBackend, sqlx};
use sea_orm_migration::MigratorTrait;

const ADVISORY_LOCK: i64 = 7_421_001;

/// Applies what is missing, under a lock.
pub async fn migrate(db: &Database, data_dir: &Path) -> Result<()> {
    if db.get_database_backend() == DbBackend::Postgres {
        let pool = db.writer().get_postgres_connection_pool();
        let mut holder = pool.acquire().await.map_err(Error::internal)?;
        let lock = sqlx::query("SELECT set_config('lock_timeout', '0', false), pg_advisory_lock($1)")
            .bind(ADVISORY_LOCK);
        lock.execute(&mut *holder).await.map_err(Error::internal)?;
        let outcome = Migrator::up(db.writer(), None).await;
        let unlock = sqlx::query("SELECT pg_advisory_unlock($1), set_config('lock_timeout', '3s', false)")
            .bind(ADVISORY_LOCK);
        unlock.execute(&mut *holder).await.map_err(Error::internal)?;
        return Ok(outcome?);
    }
    let path = data_dir.join("migrate.lock");
    let lock = tokio::task::spawn_blocking(move || {
        let file = std::fs::File::create(path)?;
        file.lock()?;
        Ok::<_, std::io::Error>(file)
    });
    let lock = lock.await.map_err(Error::internal)?.map_err(Error::internal)?;
    let outcome = Migrator::up(db.writer(), None).await;
    drop(lock);
    Ok(outcome?)
}
