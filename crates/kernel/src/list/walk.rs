//! All that a list holds, a chunk at a time: each chunk begins behind the last row of the one before, so that its cost
//! does not grow with what lies before it.

use sea_orm::{
    ColumnTrait, ConnectionTrait, FromQueryResult, QueryFilter, QuerySelect, QueryTrait, Select, Value,
    sea_query::{Expr, ExprTrait, SimpleExpr},
};

use super::{ListQuery, Listed, require_tenant};
use crate::{error::Result, scope::Scope};

/// Rows that are in memory at a time.
pub(super) const CHUNK: usize = 1_000;

/// A walk through everything that a list's filters match, in its order. Within a [snapshot](crate::Database::snapshot)
/// it sees every row once.
pub struct Walk<'q, E: Listed> {
    query: &'q ListQuery<E>,
    scope: Scope,
    stretch: Stretch,
    after: Option<(Option<Value>, i64)>,
}

/// Rows without a value stand together, at one end: comparing would lose them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stretch {
    Empty,
    Filled,
    End,
}

impl<E: Listed> ListQuery<E> {
    pub fn walk(&self, scope: &Scope) -> Walk<'_, E> {
        let stretch = if self.sort.nullable && !self.descending { Stretch::Empty } else { Stretch::Filled };
        Walk { query: self, scope: *scope, stretch, after: None }
    }

    /// What the filters match, in no order.
    pub fn matching(&self, db: &impl ConnectionTrait, scope: &Scope) -> Result<Select<E>> {
        require_tenant::<E>(scope)?;
        Ok(scope.find::<E>().filter(self.condition(db.get_database_backend(), false)))
    }
}

impl<E: Listed> Walk<'_, E> {
    /// The next rows; none at the end. `shape` chooses columns and joins what the rows show.
    pub async fn next<R: FromQueryResult + Send + Sync>(
        &mut self,
        db: &impl ConnectionTrait,
        shape: impl FnOnce(Select<E>) -> Select<E>,
    ) -> Result<Vec<R>> {
        let ids = self.next_ids(db).await?;
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let rows = self.scope.find::<E>().filter(E::ID.is_in(ids));
        Ok(shape(self.query.ordered(rows, false)).into_model::<R>().all(db).await?)
    }

    async fn next_ids(&mut self, db: &impl ConnectionTrait) -> Result<Vec<i64>> {
        while self.stretch != Stretch::End {
            let ids = self.ids(db).await?;
            if ids.len() < CHUNK {
                self.stretch = self.next_stretch();
                self.after = None;
            }
            if !ids.is_empty() {
                return Ok(ids);
            }
        }
        Ok(Vec::new())
    }

    fn next_stretch(&self) -> Stretch {
        match (self.stretch, self.query.descending) {
            (Stretch::Empty, false) => Stretch::Filled,
            (Stretch::Filled, true) if self.query.sort.nullable => Stretch::Empty,
            _ => Stretch::End,
        }
    }

    async fn ids(&mut self, db: &impl ConnectionTrait) -> Result<Vec<i64>> {
        let sort = self.query.sort;
        let column = || SimpleExpr::Column(sort.order().reference());
        let id = || SimpleExpr::Column(ColumnTrait::as_column_ref(&E::ID).into());
        let mut select = self.query.matching(db, &self.scope)?;
        if sort.nullable {
            let empty = self.stretch == Stretch::Empty;
            select = select.filter(if empty { column().is_null() } else { column().is_not_null() });
        }
        if let Some((value, last)) = &self.after {
            let last = Expr::val(*last);
            let (here, there) = match value {
                None => (id(), last),
                Some(value) => (Expr::tuple([column(), id()]), Expr::tuple([Expr::val(value.clone()), last])),
            };
            select = select.filter(if self.query.descending { here.lt(there) } else { here.gt(there) });
        }
        let statement = self
            .query
            .ordered(select, false)
            .select_only()
            .column_as(E::ID, "id")
            .expr_as(column(), "sorted")
            .limit(CHUNK as u64)
            .build(db.get_database_backend());
        let rows = db.query_all_raw(statement).await?;
        if let Some(last) = rows.last() {
            self.after = Some((sort.value_of(last, "sorted")?, last.try_get("", "id")?));
        }
        Ok(rows.iter().map(|row| row.try_get("", "id")).collect::<Result<_, _>>()?)
    }
}
