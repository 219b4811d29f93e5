//! Rehearsals: changes that are made, looked at and rolled back. All reads and writes run in one transaction,
//! which is never committed.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use sea_orm::{DatabaseTransaction, DbBackend, DbErr, TransactionTrait};
use values::{error::Result, id::TenantId};

use super::{ConnectionTrait, Database, PoolGuard, Snapshot, Transaction, begin_write, record_statement};
use crate::{
    page_index::PageIndexes,
    spans::StatementGroup,
    versioned_cache::{OutdatedPrices, PricePart},
};

/// Transaction of a rehearsal.
#[derive(Debug)]
pub(super) struct Rehearsal {
    pub(super) transaction: DatabaseTransaction,
    /// Changed prices; without a tenant, perhaps those of all tenants.
    prices: Mutex<BTreeSet<(Option<TenantId>, PricePart)>>,
}

impl Rehearsal {
    /// Begins a nested write, which is committed or rolled back on its own.
    pub(super) async fn part(&self, guard: &PoolGuard) -> Result<Transaction, DbErr> {
        let transaction = guard.bounded(self.transaction.begin()).await?;
        Ok(Transaction::Own { transaction, _writer_lock: None })
    }

    pub(super) async fn snapshot(&self, guard: &PoolGuard, group: StatementGroup) -> Result<Snapshot> {
        let transaction = guard.bounded(self.transaction.begin()).await?;
        Ok(Snapshot { transaction, guard: guard.clone(), group })
    }

    pub(super) fn add_prices(&self, prices: OutdatedPrices) {
        self.prices.lock().unwrap_or_else(PoisonError::into_inner).extend(prices.into_keys());
    }
}

impl Database {
    /// Runs `work` on a database whose changes are rolled back afterwards, regardless of the result. It does
    /// not share the caches, and on SQLite it blocks all other writers: `work` must be short.
    pub async fn rehearse<T>(&self, work: impl AsyncFnOnce(&Self) -> Result<T>) -> Result<T> {
        record_statement("BEGIN");
        let _writer_lock = match &self.write_queue {
            Some(queue) => Some(queue.lock_exclusively().await?),
            None => None,
        };
        let guard = &self.writer_guard;
        let transaction = begin_write(&self.writer, guard).await?;
        let rehearsal = Arc::new(Rehearsal { transaction, prices: Mutex::default() });
        let alone = self.get_database_backend() == DbBackend::Sqlite;
        let db = Self {
            write_queue: None,
            totals: Arc::default(),
            page_indexes: Arc::new(PageIndexes::new(Arc::default(), alone)),
            compilations: Arc::default(),
            rehearsal: Some(rehearsal.clone()),
            ..self.clone()
        };
        let outcome = work(&db).await;
        drop(db);
        record_statement("ROLLBACK");
        if let Some(Rehearsal { transaction, .. }) = Arc::into_inner(rehearsal) {
            guard.bounded(transaction.rollback()).await.inspect_err(|_| guard.suspicion.mark_suspect())?;
        }
        outcome
    }

    /// Parts of a tenant's prices that the rehearsal has changed so far. Empty outside of a rehearsal.
    pub fn rehearsed_prices(&self, tenant: TenantId) -> BTreeSet<PricePart> {
        let Some(rehearsal) = &self.rehearsal else { return BTreeSet::new() };
        let prices = rehearsal.prices.lock().unwrap_or_else(PoisonError::into_inner);
        let concerns =
            |(owner, _): &&(Option<TenantId>, PricePart)| owner.is_none_or(|owner| owner == tenant);
        prices.iter().filter(concerns).map(|(_, part)| *part).collect()
    }
}
