//! Lists whose rows come from a statement instead of a table: the parts of one row, or related rows of
//! several tables.

use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, FromQueryResult, Iterable,
    sea_query::{Asterisk, Expr, Func, Order, Query, SelectStatement, SimpleExpr},
};
use store::{database::Database, scope::Scope};
use values::error::Result;

use super::{ListQuery, Listed, Page};

impl<E: Listed> ListQuery<E> {
    /// Reads a page of the rows of a statement, which must restrict them to what the caller may see. The
    /// total is counted exactly.
    pub async fn fetch_from(&self, db: &Database, source: SelectStatement) -> Result<Page<E::Model>> {
        let matching = self.among(db.get_database_backend(), source);
        let counted = matching.clone().expr_as(Func::count(Expr::col(Asterisk)), "total").take();
        let total = db.query_one(&counted).await?.map(|row| row.try_get::<i64>("", "total")).transpose()?;
        let rows = self.window_of(db, matching, self.paging.offset(), self.paging.size).await?;
        Ok(self.paging.page_with(rows, total.unwrap_or_default().unsigned_abs()))
    }

    /// Reads all rows like [`ListQuery::fetch_from`], one chunk at a time: those after `offset`, empty at the
    /// end. Within a [snapshot](store::Database::snapshot) it returns every row once. Rows before the chunk
    /// are read again.
    pub async fn chunk_from(
        &self,
        db: &impl ConnectionTrait,
        source: SelectStatement,
        offset: u64,
    ) -> Result<Vec<E::Model>> {
        let matching = self.among(db.get_database_backend(), source);
        // larger chunks than those of a walk, because previous rows are read again
        let size = Ord::min(5 * E::CHUNK, 1_000);
        self.window_of(db, matching, offset, size as u64).await
    }

    /// Query for the rows of a statement that match the filters.
    fn among(&self, backend: DbBackend, source: SelectStatement) -> SelectStatement {
        let mut matching = Query::select();
        matching.from_subquery(source, E::default().table_name());
        // the statement has already applied the scope
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
