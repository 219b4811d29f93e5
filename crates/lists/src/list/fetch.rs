//! Reading a page of a list from the database.

use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, EntityTrait, FromQueryResult, Order, QueryFilter, QuerySelect,
    QueryTrait, Select,
};
use store::{audit, database::Database, list_key::ListKey, page_index::PageIndex, scope::Scope};
use values::{error::Result, id::TenantId};

use super::{Kind, ListQuery, Listed, Page, count::Counts, filter::Filter, in_order, require_tenant};
use crate::search::is_among;

/// Queries for the rows of a list.
pub(super) struct Rows<E: EntityTrait> {
    pub(super) backend: DbBackend,
    pub(super) scope: Scope,
    /// Tenant to which all rows belong, if there is only one.
    tenant: Option<TenantId>,
    /// Rows of the table that the scope sees.
    pub(super) all: Select<E>,
    /// Rows that match the filters.
    pub(super) matching: Select<E>,
    /// Matching rows, found through indexes if filters have any.
    pub(super) matching_by_index: Select<E>,
    /// True if a filter can find its rows through an index.
    pub(super) indexed: bool,
    pub(super) unfiltered: bool,
    /// True if the sort order must be walked, or the matches must be sorted.
    pub(super) has_filters_besides_references: bool,
}

impl<E: Listed> Rows<E> {
    /// Key that identifies a list of these rows.
    pub(super) fn key(&self, rows: &Select<E>) -> ListKey {
        let table = audit::table::<E>();
        ListKey { table, tenant: self.tenant, query: rows.build(self.backend).to_string() }
    }

    pub(super) fn without_index(self) -> Self {
        Self { matching_by_index: self.matching.clone(), indexed: false, ..self }
    }
}

impl<E: Listed> ListQuery<E> {
    /// Reads the rows of the page; `shape` chooses columns and joins further data.
    pub async fn fetch<R: FromQueryResult + Send + Sync>(
        &self,
        db: &Database,
        scope: &Scope,
        shape: impl FnOnce(Select<E>) -> Select<E> + Clone,
    ) -> Result<Page<R>> {
        require_tenant::<E>(scope)?;
        if !E::ON_REPLICA || scope.tenant().is_ok() {
            return self.fetch_through(db, scope, shape).await;
        }
        // boxed, because few lists are read from the replica
        Box::pin(db.on_replica(async |db| self.fetch_through(&db, scope, shape.clone()).await)).await
    }

    async fn fetch_through<R: FromQueryResult + Send + Sync>(
        &self,
        db: &Database,
        scope: &Scope,
        shape: impl FnOnce(Select<E>) -> Select<E>,
    ) -> Result<Page<R>> {
        if let Some(grouping) = self.sort.grouping {
            // boxed, because few lists have such a sort
            return Box::pin(self.fetch_grouped(grouping, db, scope, shape)).await;
        }
        if let Some(leading_rows) = self.find_leading_rows(db, scope).await? {
            return self.fetch_ranked(&leading_rows, db, scope, shape).await;
        }
        let backend = db.get_database_backend();
        let rows_of = async |ids| {
            let rows = self.unscoped_by(scope, backend, ids);
            Ok(shape(self.ordered(scope, rows, false)).into_model::<R>().all(db).await?)
        };
        let (rows, total) = self.read_page(db, scope, rows_of).await?;
        Ok(self.paging.page_with(rows, total))
    }

    /// True if at least one row matches.
    pub async fn finds_any(&self, db: &Database, scope: &Scope) -> Result<bool> {
        require_tenant::<E>(scope)?;
        let first = self.rows(db, scope).matching_by_index.select_only().column(E::ID).limit(1);
        Ok(first.into_tuple::<i64>().one(db).await?.is_some())
    }

    /// Reads the page by its query for ids, and the total.
    pub(super) async fn read_page<T>(
        &self,
        db: &Database,
        scope: &Scope,
        read: impl AsyncFnOnce(Select<E>) -> Result<T>,
    ) -> Result<(T, u64)> {
        let rows = self.rows(db, scope);
        let counts = rows.count(db).await?;
        self.read_counted(db, scope, &rows, counts, read).await
    }

    /// Reads the page by its query for ids, if the rows are already counted.
    pub(super) async fn read_counted<T>(
        &self,
        db: &Database,
        scope: &Scope,
        rows: &Rows<E>,
        counts: Counts,
        read: impl AsyncFnOnce(Select<E>) -> Result<T>,
    ) -> Result<(T, u64)> {
        let list = counts.is_large().then(|| self.key(rows));
        let lookup = db.page_indexes().look_up(list, self.distance(counts.total)).await;
        let index = lookup.index.as_deref();
        let total = index.map_or(counts.total, PageIndex::total);
        let ids = index.and_then(|index| self.ids_by_index(rows, index));
        let ids = ids.unwrap_or_else(|| self.ids_by_order(rows, counts, total));
        let page = read(ids).await?;
        if db.page_indexes().finish_read(&lookup) {
            self.build_in_background(db, scope, counts.are_few(rows), counts.entry_every());
        }
        Ok((page, total))
    }

    pub(super) fn rows(&self, db: &Database, scope: &Scope) -> Rows<E> {
        let backend = db.get_database_backend();
        let all = scope.find::<E>();
        let base = self.page_condition.as_ref().map(|condition| unscoped::<E>().filter(condition.clone()));
        let base = base.as_ref().unwrap_or(&all);
        Rows {
            backend,
            scope: *scope,
            tenant: scope.sees_only::<E>(),
            matching: base.clone().filter(self.condition_for(scope, backend, false)),
            matching_by_index: base.clone().filter(self.condition_for(scope, backend, true)),
            indexed: self.filters.iter().any(Filter::indexable),
            unfiltered: self.filters.is_empty() && self.resolved.is_empty() && self.group.is_none(),
            has_filters_besides_references: self.has_filters_besides_references()
                || self.combines_references(),
            all,
        }
    }

    pub(super) fn has_filters_besides_references(&self) -> bool {
        !self.resolved.is_empty() || self.filters.iter().any(|filter| filter.field.kind != Kind::Id)
    }

    /// True if the list is filtered by references that no index combines.
    fn combines_references(&self) -> bool {
        self.filters.len() > 1
            && self.filters.iter().any(|filter| filter.field.finder.is_some() || filter.field.whole.is_some())
    }

    /// Number of rows between the page and the nearer end of the list.
    fn distance(&self, total: u64) -> u64 {
        Ord::min(self.span().offset, total.saturating_sub(self.span().end()))
    }

    /// Query for the ids of the page, along the sort order or from all matching rows, sorted afterwards.
    fn ids_by_order(&self, rows: &Rows<E>, counts: Counts, total: u64) -> Select<E> {
        let matching = if counts.sorts_afterwards(rows, self.span().end()) {
            // OFFSET 0 keeps PostgreSQL's planner from walking the sort order; SQLite does not do that. An
            // array keeps it from scanning the whole table again to join the matches.
            let ids = rows.matching_by_index.clone().select_only().column(E::ID);
            let ids = if rows.backend == DbBackend::Postgres { ids.offset(0) } else { ids };
            rows.all.clone().filter(is_among::<E>(ids.into_query(), rows.backend))
        } else {
            rows.matching.clone()
        };
        let window = Window::new(self.span().offset, self.span().size, total);
        self.ordered(&rows.scope, matching, window.backwards).offset(window.offset).limit(window.limit)
    }

    /// Rows with ids that a scoped query has found.
    #[expect(clippy::disallowed_methods, reason = "the ids come out of a scope")]
    fn unscoped_by(&self, scope: &Scope, backend: DbBackend, page: Select<E>) -> Select<E> {
        let ids_of_page = E::ID.in_subquery(page.select_only().column(E::ID).into_query());
        let page_condition = self.page_condition.clone().filter(|_| backend == DbBackend::Postgres);
        let one_shard = scope.on_one_shard::<E>(backend).add_option(page_condition);
        scope.select_columns(E::find()).filter(one_shard.add(ids_of_page))
    }

    pub(super) fn ordered(&self, scope: &Scope, select: Select<E>, backwards: bool) -> Select<E> {
        let ascending = self.descending == backwards;
        in_order(scope, select, &self.sort, if ascending { Order::Asc } else { Order::Desc })
    }
}

/// Rows to read, and the end to start from: a page of the second half is nearer to the end.
struct Window {
    offset: u64,
    limit: u64,
    backwards: bool,
}

impl Window {
    fn new(offset: u64, size: u64, total: u64) -> Self {
        if offset > total / 2 {
            let limit = Ord::min(size, total.saturating_sub(offset));
            Self { offset: total.saturating_sub(offset + limit), limit, backwards: true }
        } else {
            Self { offset, limit: size, backwards: false }
        }
    }
}

/// Rows that the caller sees because they have been shown the record to which the rows belong.
#[expect(clippy::disallowed_methods, reason = "the caller has been shown what the rows are of")]
fn unscoped<E: Listed>() -> Select<E> {
    E::find()
}
