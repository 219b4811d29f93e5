//! Reading a page through a page index ([`store::page_index`]), and building one.

use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, IdenStatic, Order, QueryFilter, QuerySelect, QueryTrait,
    Select,
    sea_query::{
        Alias, CommonTableExpression, Expr, ExprTrait, JoinType, Query, SimpleExpr, UnionType, WithClause,
        WithQuery,
    },
};
use store::{
    database::Database,
    list_key::ListKey,
    page_index::{Ids, IndexEntry, PageIndex},
    scope::Scope,
};
use values::error::Result;

use super::{AnyColumn, Field, ListQuery, Listed, count::count, fetch::Rows, in_order, paging::Span};

impl<E: Listed> ListQuery<E> {
    /// Builds the page index of the list with an entry at every `every`th row; pages use it until the next
    /// write. `through_index` is for few matching rows.
    pub async fn build_page_index(
        &self,
        db: &Database,
        scope: &Scope,
        through_index: bool,
        every: u64,
    ) -> Result<()> {
        let rows = self.rows(db, scope);
        let read_at = db.page_indexes().writes().now();
        // the entries of a sparse index are compared with the stored columns, not with substitutes
        let index = if every == 1 || !E::substitutes(scope).is_empty() {
            let source_rows =
                if through_index { rows.matching_by_index.clone() } else { rows.matching.clone() };
            PageIndex::Dense(ids_of(db, scope, self.sort, source_rows).await?)
        } else {
            sparse(db, scope, self.sort, rows.matching.clone(), every).await?
        };
        db.page_indexes().store(self.key(&rows), read_at, index);
        Ok(())
    }

    pub(super) fn build_in_background(&self, db: &Database, scope: &Scope, through_index: bool, every: u64) {
        let (query, db, scope) = (self.clone(), db.primary(), *scope);
        tokio::spawn(async move {
            if let Err(error) = query.build_page_index(&db, &scope, through_index, every).await {
                tracing::warn!(%error, "the page index of a list");
            }
        });
    }

    /// Key that identifies a list including its sort order.
    pub(super) fn key(&self, rows: &Rows<E>) -> ListKey {
        let key = rows.key(&rows.matching);
        ListKey { query: format!("{} {}", key.query, self.sort.sort_name()), ..key }
    }

    /// Query for the ids of the page: from a dense index, or from the nearest entry of a sparse one on.
    /// `None` if no entry is before the page.
    pub(super) fn ids_by_index(&self, rows: &Rows<E>, index: &PageIndex) -> Option<Select<E>> {
        let (Span { offset, size }, total) = (self.span(), index.total());
        let size = Ord::min(size, total.saturating_sub(offset));
        // A page of a descending list is read in ascending order; sorting the page afterwards reverses it.
        let first = if self.descending { total.saturating_sub(offset + size) } else { offset };
        if let Some(ids) = index.ids(first, size) {
            return Some(rows.all.clone().filter(E::ID.is_in(ids)));
        }
        let (entry, further) = index.entry_before(first)?;
        let ids = rows.matching.clone().filter(not_before_entry::<E>(rows.backend, &self.sort, entry));
        Some(in_order(&rows.scope, ids, &self.sort, Order::Asc).offset(further).limit(size))
    }
}

/// Condition for rows starting at an entry.
fn not_before_entry<E: Listed>(backend: DbBackend, sort: &Field, entry: &IndexEntry) -> SimpleExpr {
    // SQLite compares a rowid within an index only with a value that has a collation; a parameter has none.
    let id = match backend {
        DbBackend::Sqlite => Expr::cust_with_values("? COLLATE BINARY", [entry.id]),
        _ => Expr::val(entry.id),
    };
    not_before::<E>(sort, Expr::val(entry.value.clone()), id)
}

fn not_before<E: Listed>(sort: &Field, value: SimpleExpr, id: SimpleExpr) -> SimpleExpr {
    let here = [SimpleExpr::Column(sort.order().reference()), SimpleExpr::Column(E::ID.reference())];
    Expr::tuple(here).gte(Expr::tuple([value, id]))
}

/// Ids of all rows in ascending order, aggregated into one text: as result rows they would take a hundred
/// times as much memory.
async fn ids_of<E: Listed>(db: &Database, scope: &Scope, sort: Field, matching: Select<E>) -> Result<Ids> {
    let rows = matching.select_only().expr_as(sort.order_for::<E>(scope), "value");
    let joined = match db.get_database_backend() {
        DbBackend::Sqlite => "group_concat(id, ',' ORDER BY value, id)",
        _ => "string_agg(id::text, ',' ORDER BY value NULLS FIRST, id)",
    };
    let mut ids = Query::select();
    ids.expr_as(Expr::cust(joined), "ids")
        .from_subquery(rows.column_as(E::ID, "id").into_query(), "matching");
    let row = db.query_one(&ids).await?;
    let ids: Option<String> = row.map(|row| row.try_get("", "ids")).transpose()?.flatten();
    let ids = ids.unwrap_or_default();
    let ids = ids.split_terminator(',').map(|id| id.parse().map_err(|_| DbErr::Type(id.to_owned())));
    Ok(ids.collect::<Result<Vec<i64>, _>>()?.into())
}

/// Builds an index with an entry at every `every`th row. Each entry is found from the one before, which costs
/// no more than counting.
async fn sparse<E: Listed>(
    db: &Database,
    scope: &Scope,
    sort: Field,
    matching: Select<E>,
    every: u64,
) -> Result<PageIndex> {
    let column = || SimpleExpr::Column(sort.order().reference());
    // NULL cannot be compared; such rows come first.
    let empty =
        if sort.nullable { count(db, &matching.clone().filter(column().is_null())).await? } else { 0 };
    let matching = matching.filter(column().is_not_null());
    let rows = db.query_all(&every_nth(scope, &sort, &matching, every)).await?;
    let entries = rows.iter().filter_map(|row| {
        let value = sort.value_of(row, "value").transpose()?;
        Some(value.and_then(|value| Ok(IndexEntry { value, id: row.try_get("", "id")? })))
    });
    let entries = entries.collect::<Result<Vec<_>, DbErr>>()?;
    let total = match entries.last() {
        Some(last) => {
            let behind = matching.filter(not_before_entry::<E>(db.get_database_backend(), &sort, last));
            empty + every * (entries.len() as u64 - 1) + count(db, &behind).await?
        }
        None => empty,
    };
    Ok(PageIndex::Sparse { every, entries, empty, total })
}

/// Query for value and id of the first row and of every `every`th row after it.
fn every_nth<E: Listed>(scope: &Scope, sort: &Field, matching: &Select<E>, every: u64) -> WithQuery {
    let first = matching.clone().select_only();
    let first = first.column_as(SimpleExpr::Column(sort.order().reference()), "value").column_as(E::ID, "id");
    let first = in_order(scope, first, sort, Order::Asc).limit(1).into_query();
    // The plus sign removes the id's affinity, which would keep SQLite from comparing the rowid within an
    // index.
    let from_entry = not_before::<E>(sort, Expr::col(("entry", "value")), Expr::cust("+\"entry\".\"id\""));
    let next_id = matching.clone().select_only().column(E::ID).filter(from_entry);
    let next_id = in_order(scope, next_id, sort, Order::Asc).offset(every).limit(1).into_query();
    let next = |column: &str| Expr::col(("next", Alias::new(column)));
    let mut step = Query::select();
    step.expr(next(sort.order().name())).expr(next(E::ID.as_str())).from("entry");
    step.join_as(JoinType::InnerJoin, E::default(), "next", next(E::ID.as_str()).eq(next_id));
    let mut all = Query::select();
    all.columns(["value", "id"]).from_subquery(first, "first").union(UnionType::All, step);
    let mut entries = CommonTableExpression::new();
    entries.table_name("entry").columns(["value", "id"]).query(all);
    let mut with = WithClause::new();
    with.recursive(true).cte(entries);
    with.query(Query::select().columns(["value", "id"]).from("entry").take())
}
