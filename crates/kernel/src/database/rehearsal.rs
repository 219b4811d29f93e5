//! Changes that are tried and undone: everything that is written and read takes place in one transaction, which ends without a commit.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use sea_orm::{DatabaseTransaction, DbBackend, DbErr, TransactionTrait};

use super::{ConnectionTrait, Database, Guard, Snapshot, Transaction, begin_immediately, sent};
use crate::{
    error::Result,
    id::TenantId,
    kept::{OutdatedPrices, PricePart},
    page_index::PageIndexes,
    spans::StatementGroup,
};

/// The transaction of a rehearsal.
#[derive(Debug)]
pub(super) struct Rehearsal {
    pub(super) transaction: DatabaseTransaction,
    /// Changed prices; without a tenant: perhaps of all.
    prices: Mutex<BTreeSet<(Option<TenantId>, PricePart)>>,
}

impl Rehearsal {
    /// Begins a write within it, which is kept or dropped by itself.
    pub(super) async fn part(&self, guard: &Guard) -> Result<Transaction, DbErr> {
        let transaction = guard.bounded(self.transaction.begin()).await?;
        Ok(Transaction::Own { transaction, _place: None })
    }

    pub(super) async fn snapshot(&self, guard: &Guard, group: StatementGroup) -> Result<Snapshot> {
        let transaction = guard.bounded(self.transaction.begin()).await?;
        Ok(Snapshot { transaction, guard: guard.clone(), group })
    }

    pub(super) fn add_prices(&self, prices: OutdatedPrices) {
        self.prices.lock().unwrap_or_else(PoisonError::into_inner).extend(prices.into_keys());
    }
}

impl Database {
    /// Runs `work` on a database whose changes are undone afterwards, whatever comes of it. What is kept in memory is not shared with
    /// it, and on SQLite nobody else writes meanwhile: `work` is to be short.
    pub async fn rehearse<T>(&self, work: impl AsyncFnOnce(&Self) -> Result<T>) -> Result<T> {
        sent("BEGIN");
        let _place = match &self.turns {
            Some(turns) => Some(turns.alone().await?),
            None => None,
        };
        let guard = &self.guards.1;
        let transaction = begin_immediately(&self.writer, guard).await?;
        let rehearsal = Arc::new(Rehearsal { transaction, prices: Mutex::default() });
        let alone = self.get_database_backend() == DbBackend::Sqlite;
        let db = Self {
            turns: None,
            totals: Arc::default(),
            page_indexes: Arc::new(PageIndexes::new(Arc::default(), alone)),
            compilations: Arc::default(),
            rehearsal: Some(rehearsal.clone()),
            ..self.clone()
        };
        let outcome = work(&db).await;
        drop(db);
        sent("ROLLBACK");
        if let Some(Rehearsal { transaction, .. }) = Arc::into_inner(rehearsal) {
            guard.bounded(transaction.rollback()).await.inspect_err(|_| guard.distrust.arise())?;
        }
        outcome
    }

    /// Parts of a tenant's prices that a rehearsal has changed so far. Empty outside of one.
    pub fn rehearsed_prices(&self, tenant: TenantId) -> BTreeSet<PricePart> {
        let Some(rehearsal) = &self.rehearsal else { return BTreeSet::new() };
        let prices = rehearsal.prices.lock().unwrap_or_else(PoisonError::into_inner);
        let concerns = |(of, _): &&(Option<TenantId>, PricePart)| of.is_none_or(|of| of == tenant);
        prices.iter().filter(concerns).map(|(_, part)| *part).collect()
    }
}
