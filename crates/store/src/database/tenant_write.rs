//! Statements of a write with the tenant whose rows they change, so that a write of one tenant does not
//! invalidate the caches of others.

use sea_orm::{ConnectionTrait, DbBackend, DbErr, ExecResult, QueryResult, Statement};
use values::id::TenantId;

use super::{PoisonError, Write, record_statement};
use crate::writes::Target;

/// View of a write for statements that change rows of one tenant only.
#[derive(Debug)]
pub struct TenantWrite<'w> {
    write: &'w Write,
    /// Tenant of the rows; `None` if they may belong to any owner.
    tenant: Option<TenantId>,
}

impl Write {
    /// Returns the write for statements that change rows of this tenant only; `None` if they may belong to
    /// any owner.
    pub fn for_tenant(&self, tenant: Option<TenantId>) -> TenantWrite<'_> {
        TenantWrite { write: self, tenant }
    }
}

impl TenantWrite<'_> {
    fn has_written(&self, target: Target) {
        let mut written = self.write.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.add(target, self.tenant);
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for TenantWrite<'_> {
    fn get_database_backend(&self) -> DbBackend {
        self.write.transaction.inner().get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        record_statement(&statement.sql);
        let target = Target::from_sql(&statement.sql);
        let result = self.write.statement(self.write.transaction.inner().execute_raw(statement)).await?;
        if result.rows_affected() > 0 {
            self.has_written(target);
        }
        Ok(result)
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        record_statement(sql);
        self.has_written(Target::from_sql(sql));
        self.write.statement(self.write.transaction.inner().execute_unprepared(sql)).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        record_statement(&statement.sql);
        let target = Target::from_sql(&statement.sql);
        let row = self.write.statement(self.write.transaction.inner().query_one_raw(statement)).await?;
        self.has_written(target);
        Ok(row)
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        record_statement(&statement.sql);
        let target = Target::from_sql(&statement.sql);
        let rows = self.write.statement(self.write.transaction.inner().query_all_raw(statement)).await?;
        self.has_written(target);
        Ok(rows)
    }
}

/// Statements that do not name the tenant of their rows.
#[async_trait::async_trait]
impl ConnectionTrait for Write {
    fn get_database_backend(&self) -> DbBackend {
        self.transaction.inner().get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.for_tenant(None).execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.for_tenant(None).execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.for_tenant(None).query_one_raw(statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.for_tenant(None).query_all_raw(statement).await
    }
}
