//! Statements that read outside of a write.

use sea_orm::{
    AccessMode, ConnectionTrait, DbBackend, DbErr, ExecResult, IsolationLevel, QueryResult, Statement,
    TransactionOptions, TransactionTrait,
};

use super::{Database, Snapshot, sent};
use crate::error::Result;

impl Database {
    /// Begins to read everything as it is at this moment, however long it takes.
    pub async fn snapshot(&self) -> Result<Snapshot> {
        sent("BEGIN");
        if let Some(rehearsal) = &self.rehearsal {
            return rehearsal.snapshot(&self.guards.1).await;
        }
        if let Some(Snapshot { transaction, guard }) = self.reading.as_deref() {
            return Ok(Snapshot {
                transaction: guard.bounded(transaction.begin()).await?,
                guard: guard.clone(),
            });
        }
        let options = snapshot_options(self.get_database_backend());
        let guard = self.guards.0.clone();
        Ok(Snapshot { transaction: guard.bounded(self.reader.begin_with_options(options)).await?, guard })
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

#[async_trait::async_trait]
impl ConnectionTrait for Snapshot {
    fn get_database_backend(&self) -> DbBackend {
        self.transaction.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        sent(&statement.sql);
        self.guard.bounded(self.transaction.execute_raw(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        sent(sql);
        self.guard.bounded(self.transaction.execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        sent(&statement.sql);
        self.guard.bounded(self.transaction.query_one_raw(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        sent(&statement.sql);
        self.guard.bounded(self.transaction.query_all_raw(statement)).await
    }
}

/// Reads go to the readers, or to the replica where a read has begun there.
#[async_trait::async_trait]
impl ConnectionTrait for Database {
    fn get_database_backend(&self) -> DbBackend {
        self.reader.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        if let Some(snapshot) = &self.reading {
            return snapshot.execute_raw(statement).await;
        }
        sent(&statement.sql);
        match &self.rehearsal {
            Some(rehearsal) => self.guards.1.bounded(rehearsal.transaction.execute_raw(statement)).await,
            None => self.guards.0.bounded(self.reader.execute_raw(statement)).await,
        }
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        if let Some(snapshot) = &self.reading {
            return snapshot.execute_unprepared(sql).await;
        }
        sent(sql);
        match &self.rehearsal {
            Some(rehearsal) => self.guards.1.bounded(rehearsal.transaction.execute_unprepared(sql)).await,
            None => self.guards.0.bounded(self.reader.execute_unprepared(sql)).await,
        }
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        if let Some(snapshot) = &self.reading {
            return snapshot.query_one_raw(statement).await;
        }
        sent(&statement.sql);
        match &self.rehearsal {
            Some(rehearsal) => self.guards.1.bounded(rehearsal.transaction.query_one_raw(statement)).await,
            None => self.guards.0.bounded(self.reader.query_one_raw(statement)).await,
        }
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        if let Some(snapshot) = &self.reading {
            return snapshot.query_all_raw(statement).await;
        }
        sent(&statement.sql);
        match &self.rehearsal {
            Some(rehearsal) => self.guards.1.bounded(rehearsal.transaction.query_all_raw(statement)).await,
            None => self.guards.0.bounded(self.reader.query_all_raw(statement)).await,
        }
    }
}
