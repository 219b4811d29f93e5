//! Reads outside of a write.

use sea_orm::{
    AccessMode, ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, ExecResult, IsolationLevel,
    QueryResult, Statement, TransactionOptions, TransactionTrait,
};
use values::error::Result;

use super::{Database, PoolGuard, record_statement};
use crate::spans::StatementGroup;

/// Snapshot: all data as of one moment.
#[derive(Debug)]
pub struct Snapshot {
    pub(super) transaction: DatabaseTransaction,
    pub(super) guard: PoolGuard,
    pub(super) group: StatementGroup,
}

impl Database {
    /// Begins a snapshot: all its reads see the data as of this moment, however long they take.
    pub async fn snapshot(&self) -> Result<Snapshot> {
        record_statement("BEGIN");
        let group = StatementGroup::new("snapshot", self.get_database_backend());
        if let Some(rehearsal) = &self.rehearsal {
            return rehearsal.snapshot(&self.writer_guard, group).await;
        }
        if let Some(Snapshot { transaction, guard, .. }) = self.reading.as_deref() {
            return Ok(Snapshot {
                transaction: guard.bounded(transaction.begin()).await?,
                guard: guard.clone(),
                group,
            });
        }
        let options = snapshot_options(self.get_database_backend());
        let guard = self.reader_guard.clone();
        let transaction = guard.bounded(self.reader.begin_with_options(options)).await?;
        Ok(Snapshot { transaction, guard, group })
    }

    fn sends(&self, sql: &str) -> StatementGroup {
        record_statement(sql);
        StatementGroup::single(sql, self.get_database_backend())
    }
}

pub(super) fn snapshot_options(backend: DbBackend) -> TransactionOptions {
    let postgres = backend == DbBackend::Postgres;
    TransactionOptions {
        isolation_level: postgres.then_some(IsolationLevel::RepeatableRead),
        access_mode: postgres.then_some(AccessMode::ReadOnly),
        ..Default::default()
    }
}

impl Snapshot {
    fn sends(&self, sql: &str) {
        record_statement(sql);
        self.group.count();
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for Snapshot {
    fn get_database_backend(&self) -> DbBackend {
        self.transaction.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.sends(&statement.sql);
        self.guard.bounded(self.transaction.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.sends(sql);
        self.guard.bounded(self.transaction.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.sends(&statement.sql);
        self.guard.bounded(self.transaction.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.sends(&statement.sql);
        self.guard.bounded(self.transaction.query_all_raw(statement)).await
    }
}

/// Sends statements to the readers, or to the snapshot of the replica if there is one.
#[async_trait::async_trait]
impl ConnectionTrait for Database {
    fn get_database_backend(&self) -> DbBackend {
        self.reader.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        if let Some(snapshot) = &self.reading {
            return snapshot.execute_raw(statement).await;
        }
        let _group = self.sends(&statement.sql);
        match &self.rehearsal {
            Some(rehearsal) => self.writer_guard.bounded(rehearsal.transaction.execute_raw(statement)).await,
            None => self.reader_guard.bounded(self.reader.execute_raw(statement)).await,
        }
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        if let Some(snapshot) = &self.reading {
            return snapshot.execute_unprepared(sql).await;
        }
        let _group = self.sends(sql);
        match &self.rehearsal {
            Some(rehearsal) => self.writer_guard.bounded(rehearsal.transaction.execute_unprepared(sql)).await,
            None => self.reader_guard.bounded(self.reader.execute_unprepared(sql)).await,
        }
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        if let Some(snapshot) = &self.reading {
            return snapshot.query_one_raw(statement).await;
        }
        let _group = self.sends(&statement.sql);
        match &self.rehearsal {
            Some(rehearsal) => {
                self.writer_guard.bounded(rehearsal.transaction.query_one_raw(statement)).await
            }
            None => self.reader_guard.bounded(self.reader.query_one_raw(statement)).await,
        }
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        if let Some(snapshot) = &self.reading {
            return snapshot.query_all_raw(statement).await;
        }
        let _group = self.sends(&statement.sql);
        match &self.rehearsal {
            Some(rehearsal) => {
                self.writer_guard.bounded(rehearsal.transaction.query_all_raw(statement)).await
            }
            None => self.reader_guard.bounded(self.reader.query_all_raw(statement)).await,
        }
    }
}
