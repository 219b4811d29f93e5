//! Statements that read outside of a write.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, Statement};

use super::{Database, Snapshot, sent};

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

/// Reads go to the readers.
#[async_trait::async_trait]
impl ConnectionTrait for Database {
    fn get_database_backend(&self) -> DbBackend {
        self.reader.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        sent(&statement.sql);
        match &self.rehearsal {
            Some(rehearsal) => self.guards.1.bounded(rehearsal.transaction.execute_raw(statement)).await,
            None => self.guards.0.bounded(self.reader.execute_raw(statement)).await,
        }
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        sent(sql);
        match &self.rehearsal {
            Some(rehearsal) => self.guards.1.bounded(rehearsal.transaction.execute_unprepared(sql)).await,
            None => self.guards.0.bounded(self.reader.execute_unprepared(sql)).await,
        }
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        sent(&statement.sql);
        match &self.rehearsal {
            Some(rehearsal) => self.guards.1.bounded(rehearsal.transaction.query_one_raw(statement)).await,
            None => self.guards.0.bounded(self.reader.query_one_raw(statement)).await,
        }
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        sent(&statement.sql);
        match &self.rehearsal {
            Some(rehearsal) => self.guards.1.bounded(rehearsal.transaction.query_all_raw(statement)).await,
            None => self.guards.0.bounded(self.reader.query_all_raw(statement)).await,
        }
    }
}
