//! Lists whose rows a statement gives in place of a table: the parts of one row, or what several tables hold of one.

use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, FromQueryResult, Iterable,
    sea_query::{Asterisk, Expr, Func, Order, Query, SelectStatement, SimpleExpr},
};

use super::{ListQuery, Listed, Page};
use crate::{database::Database, error::Result, scope::Scope};

impl<E: Listed> ListQuery<E> {
    /// The rows of the page among those that a statement gives in place of the table, which is to say whose they are: the
    /// parts of one row, or what several tables hold of one. All of them are counted.
    pub async fn fetch_from(&self, db: &Database, source: SelectStatement) -> Result<Page<E::Model>> {
        let matching = self.among(db.get_database_backend(), source);
        let counted = matching.clone().expr_as(Func::count(Expr::col(Asterisk)), "total").take();
        let total = db.query_one(&counted).await?.map(|row| row.try_get::<i64>("", "total")).transpose()?;
        let rows = self.window_of(db, matching, self.paging.offset(), self.paging.size).await?;
        Ok(self.paging.of(rows, total.unwrap_or_default().unsigned_abs()))
    }

    /// As [`ListQuery::fetch_from`], of everything a chunk at a time: the rows behind so many others, none at the end. Within
    /// a [snapshot](crate::Database::snapshot) it sees every row once. What lies before a chunk is read again.
    pub async fn chunk_from(
        &self,
        db: &impl ConnectionTrait,
        source: SelectStatement,
        offset: u64,
    ) -> Result<Vec<E::Model>> {
        let matching = self.among(db.get_database_backend(), source);
        // more at a time than a walk reads, because what lies before is read again
        let size = Ord::min(5 * E::CHUNK, 1_000);
        self.window_of(db, matching, offset, size as u64).await
    }

    /// What the filters match among the rows that a statement gives in place of the table.
    fn among(&self, backend: DbBackend, source: SelectStatement) -> SelectStatement {
        let mut matching = Query::select();
        matching.from_subquery(source, E::default().table_name());
        // the statement has chosen what its rows hold
        matching.cond_where(self.condition(&Scope::platform(), backend, false)).take()
    }

    async fn window_of(
        &self,
        db: &impl ConnectionTrait,
        mut matching: SelectStatement,
        offset: u64,
        limit: u64,
    ) -> Result<Vec<E::Model>> {
        let order = if self.descending { Order::Desc } else { Order::Asc };
        matching
            .columns(E::Column::iter().map(|column| column.as_column_ref()))
            .order_by_expr(SimpleExpr::Column(self.sort.order().reference()), order.clone())
            .order_by(E::ID.as_column_ref(), order)
            .limit(limit)
            .offset(offset);
        let rows = db.query_all(&matching).await?;
        Ok(rows.iter().map(|row| E::Model::from_query_result(row, "")).collect::<Result<_, _>>()?)
    }
}
