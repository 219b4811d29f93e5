//! Walk through all rows of a list in chunks. Each chunk begins after the last row of the one before, so that
//! its cost does not grow with the number of previous rows.

use std::collections::VecDeque;

use sea_orm::{
    ColumnTrait, ConnectionTrait, FromQueryResult, QueryFilter, QuerySelect, QueryTrait, Select, Value,
    sea_query::{Expr, ExprTrait, SimpleExpr},
};
use store::{page_index::Group, scope::Scope};
use values::error::Result;

use super::{ListQuery, Listed, require_tenant};

/// Number of ids that are read at a time.
const IDS: usize = 1_000;

/// Walk through all rows that match a list's filters, in its order. Within a
/// [snapshot](store::Database::snapshot) it returns every row once.
pub struct Walk<'q, E: Listed> {
    query: &'q ListQuery<E>,
    scope: Scope,
    /// List that is being walked: all rows, or one group after the other.
    list: ListQuery<E>,
    groups: Option<std::vec::IntoIter<Group>>,
    stretch: Stretch,
    after: Option<(Option<Value>, i64)>,
    /// Ids whose rows have not been read yet.
    ahead: VecDeque<i64>,
}

/// Part of the list: rows without a value are together at one end, since a comparison would miss them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stretch {
    Empty,
    Filled,
    End,
}

impl<E: Listed> ListQuery<E> {
    /// Starts a walk over all rows of the query in batches.
    pub fn walk(&self, scope: &Scope) -> Walk<'_, E> {
        let stretch = if self.sort.grouping.is_some() { Stretch::End } else { self.first_stretch() };
        Walk {
            query: self,
            scope: *scope,
            list: self.clone(),
            groups: None,
            stretch,
            after: None,
            ahead: VecDeque::new(),
        }
    }

    fn first_stretch(&self) -> Stretch {
        if self.sort.nullable && !self.descending { Stretch::Empty } else { Stretch::Filled }
    }

    /// Rows that match the filters, without an order.
    pub fn matching(&self, db: &impl ConnectionTrait, scope: &Scope) -> Result<Select<E>> {
        require_tenant::<E>(scope)?;
        Ok(scope.find::<E>().filter(self.condition_for(scope, db.get_database_backend(), false)))
    }
}

impl<E: Listed> Walk<'_, E> {
    /// Reads the next rows; empty at the end. `shape` chooses columns and joins further data.
    pub async fn next<R: FromQueryResult + Send + Sync>(
        &mut self,
        db: &impl ConnectionTrait,
        shape: impl FnOnce(Select<E>) -> Select<E>,
    ) -> Result<Vec<R>> {
        if self.ahead.is_empty() {
            self.ahead = self.next_ids(db).await?.into();
        }
        let ids: Vec<_> = self.ahead.drain(..Ord::min(E::CHUNK, self.ahead.len())).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let rows = self.scope.find::<E>().filter(E::ID.is_in(ids));
        Ok(shape(self.list.ordered(&self.scope, rows, false)).into_model::<R>().all(db).await?)
    }

    async fn next_ids(&mut self, db: &impl ConnectionTrait) -> Result<Vec<i64>> {
        while self.stretch != Stretch::End || self.enter_next_group(db).await? {
            let ids = self.ids(db).await?;
            if ids.len() < IDS {
                self.stretch = self.next_stretch();
                self.after = None;
            }
            if !ids.is_empty() {
                return Ok(ids);
            }
        }
        Ok(Vec::new())
    }

    /// Moves on to the next group; false if there is none.
    async fn enter_next_group(&mut self, db: &impl ConnectionTrait) -> Result<bool> {
        let Some(grouping) = self.query.sort.grouping else { return Ok(false) };
        let groups = match &mut self.groups {
            Some(groups) => groups,
            none => none.insert(self.query.all_groups(grouping, db, &self.scope).await?.into_iter()),
        };
        let Some(group) = groups.next() else { return Ok(false) };
        self.list = self.query.within(grouping, group.id);
        self.stretch = self.list.first_stretch();
        Ok(true)
    }

    fn next_stretch(&self) -> Stretch {
        match (self.stretch, self.list.descending) {
            (Stretch::Empty, false) => Stretch::Filled,
            (Stretch::Filled, true) if self.list.sort.nullable => Stretch::Empty,
            _ => Stretch::End,
        }
    }

    async fn ids(&mut self, db: &impl ConnectionTrait) -> Result<Vec<i64>> {
        let sort = self.list.sort;
        let column = || sort.order_for::<E>(&self.scope);
        let id = || SimpleExpr::Column(ColumnTrait::as_column_ref(&E::ID).into());
        let mut select = self.list.matching(db, &self.scope)?;
        if sort.nullable {
            let empty = self.stretch == Stretch::Empty;
            select = select.filter(if empty { column().is_null() } else { column().is_not_null() });
        }
        if let Some((value, last)) = &self.after {
            let last = Expr::val(*last);
            let (key, last_key) = match value {
                None => (id(), last),
                Some(value) => (Expr::tuple([column(), id()]), Expr::tuple([Expr::val(value.clone()), last])),
            };
            select = select.filter(if self.list.descending { key.lt(last_key) } else { key.gt(last_key) });
        }
        let statement = self
            .list
            .ordered(&self.scope, select, false)
            .select_only()
            .column_as(E::ID, "id")
            .expr_as(column(), "sorted")
            .limit(IDS as u64)
            .build(db.get_database_backend());
        let rows = db.query_all_raw(statement).await?;
        if let Some(last) = rows.last() {
            self.after = Some((sort.value_of(last, "sorted")?, last.try_get("", "id")?));
        }
        Ok(rows.iter().map(|row| row.try_get("", "id")).collect::<Result<_, _>>()?)
    }
}
