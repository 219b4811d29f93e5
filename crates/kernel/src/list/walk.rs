//! All that a list holds, a chunk at a time: each chunk begins behind the last row of the one before, so that its cost
//! does not grow with what lies before it.

use std::collections::VecDeque;

use sea_orm::{
    ColumnTrait, ConnectionTrait, FromQueryResult, QueryFilter, QuerySelect, QueryTrait, Select, Value,
    sea_query::{Expr, ExprTrait, SimpleExpr},
};

use super::{ListQuery, Listed, require_tenant};
use crate::{error::Result, page_index::Group, scope::Scope};

/// Ids that are read at a time.
const IDS: usize = 1_000;

/// A walk through everything that a list's filters match, in its order. Within a [snapshot](crate::Database::snapshot)
/// it sees every row once.
pub struct Walk<'q, E: Listed> {
    query: &'q ListQuery<E>,
    scope: Scope,
    /// What is walked through: all, or one after the other what refers to the same row.
    list: ListQuery<E>,
    groups: Option<std::vec::IntoIter<Group>>,
    stretch: Stretch,
    after: Option<(Option<Value>, i64)>,
    /// Ids whose rows are not read yet.
    ahead: VecDeque<i64>,
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

    /// What the filters match, in no order.
    pub fn matching(&self, db: &impl ConnectionTrait, scope: &Scope) -> Result<Select<E>> {
        require_tenant::<E>(scope)?;
        Ok(scope.find::<E>().filter(self.condition_for(scope, db.get_database_backend(), false)))
    }
}

impl<E: Listed> Walk<'_, E> {
    /// The next rows; none at the end. `shape` chooses columns and joins what the rows show.
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

    /// Whether there is one.
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
            let (here, there) = match value {
                None => (id(), last),
                Some(value) => (Expr::tuple([column(), id()]), Expr::tuple([Expr::val(value.clone()), last])),
            };
            select = select.filter(if self.list.descending { here.lt(there) } else { here.gt(there) });
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
