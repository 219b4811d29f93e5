//! How a list is read from its signposts ([`crate::signposts`]), and how they are set along it.

use sea_orm::{
    ColumnTrait, ConnectionTrait, DbBackend, DbErr, IdenStatic, Order, QueryFilter, QuerySelect, QueryTrait,
    Select,
    sea_query::{
        Alias, CommonTableExpression, Expr, ExprTrait, JoinType, Query, SimpleExpr, UnionType, WithClause,
        WithQuery,
    },
};

use super::{AnyColumn, Field, ListQuery, Listed, count, in_order};
use crate::{
    database::Database,
    error::Result,
    scope::Scope,
    signposts::{Along, Signpost},
};

impl<E: Listed> ListQuery<E> {
    /// Sets signposts along the list, whatever its page, at every so many rows, which pages are then read from until
    /// something is written. `through_index` where few match.
    pub async fn set_signposts(
        &self,
        db: &Database,
        scope: &Scope,
        through_index: bool,
        every: u64,
    ) -> Result<()> {
        let backend = db.get_database_backend();
        let rows = |through_index| scope.find::<E>().filter(self.condition(backend, through_index));
        let way = self.way(backend, &rows(false));
        let writes = db.signposts().writes(&way);
        let along = if every == 1 {
            Along::Each(ids_of(db, self.sort, rows(through_index)).await?)
        } else {
            along(db, self.sort, rows(false), every).await?
        };
        db.signposts().set(&way, writes, along);
        Ok(())
    }

    /// What tells lists apart whose signposts stand in different places.
    pub(super) fn way(&self, backend: DbBackend, matching: &Select<E>) -> String {
        format!("{} {}", matching.build(backend), self.sort.name)
    }

    /// The rows of the page: those that signposts stand at, or from the nearest one on.
    pub(super) fn signposted(
        &self,
        backend: DbBackend,
        along: &Along,
        scoped: &Select<E>,
        matching: &Select<E>,
    ) -> Option<Select<E>> {
        let (offset, size, total) = (self.paging.offset(), self.paging.size, along.total());
        let size = Ord::min(size, total.saturating_sub(offset));
        // A page of a descending list is read upwards, and turned afterwards as every page is sorted.
        let first = if self.descending { total.saturating_sub(offset + size) } else { offset };
        if let Some(ids) = along.at(first, size) {
            return Some(scoped.clone().filter(E::ID.is_in(ids)));
        }
        let (post, further) = along.before(first)?;
        let ids = matching.clone().filter(from_here_on::<E>(backend, &self.sort, post));
        Some(in_order(ids, &self.sort, Order::Asc).offset(further).limit(size))
    }
}

/// The rows from a signpost on.
fn from_here_on<E: Listed>(backend: DbBackend, sort: &Field, post: &Signpost) -> SimpleExpr {
    // SQLite compares a rowid within an index only with what has a collation, which a parameter has not by itself.
    let id = match backend {
        DbBackend::Sqlite => Expr::cust_with_values("? COLLATE BINARY", [post.id]),
        _ => Expr::val(post.id),
    };
    not_before::<E>(sort, Expr::val(post.value.clone()), id)
}

fn not_before<E: Listed>(sort: &Field, value: SimpleExpr, id: SimpleExpr) -> SimpleExpr {
    let here = [SimpleExpr::Column(sort.column.reference()), SimpleExpr::Column(E::ID.reference())];
    Expr::tuple(here).gte(Expr::tuple([value, id]))
}

/// The ids of all rows in ascending order: as one text, because so many rows as answers would take a hundred times as much
/// memory. An id beyond 32 bits is an error: its list goes without signposts.
async fn ids_of<E: Listed>(db: &Database, sort: Field, matching: Select<E>) -> Result<Vec<u32>> {
    let rows = matching.select_only().column_as(SimpleExpr::Column(sort.column.reference()), "value");
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
    ids.split_terminator(',').map(|id| id.parse().map_err(|_| DbErr::Type(id.to_owned()).into())).collect()
}

/// Signposts at every so many rows, leapt from one to the next, which costs no more than counting.
async fn along<E: Listed>(db: &Database, sort: Field, matching: Select<E>, every: u64) -> Result<Along> {
    let column = || SimpleExpr::Column(sort.column.reference());
    // Nothing can be compared with NULL; such rows come first.
    let before =
        if sort.nullable { count(db, &matching.clone().filter(column().is_null()), None).await? } else { 0 };
    let matching = matching.filter(column().is_not_null());
    let rows = db.query_all(&leaps(&sort, &matching, every)).await?;
    let posts: Result<Vec<_>, DbErr> = rows
        .iter()
        .filter_map(|row| {
            let value = sort.value_of(row, "value").transpose()?;
            Some(value.and_then(|value| Ok(Signpost { value, id: row.try_get("", "id")? })))
        })
        .collect();
    let posts = posts?;
    let total = match posts.last() {
        Some(last) => {
            let behind = matching.filter(from_here_on::<E>(db.get_database_backend(), &sort, last));
            before + every * (posts.len() as u64 - 1) + count(db, &behind, None).await?
        }
        None => before,
    };
    Ok(Along::Every { every, posts, before, total })
}

/// The value and the id of the first row, and again and again of the one so many further.
fn leaps<E: Listed>(sort: &Field, matching: &Select<E>, every: u64) -> WithQuery {
    let first = matching.clone().select_only();
    let first = first.column_as(SimpleExpr::Column(sort.column.reference()), "value").column_as(E::ID, "id");
    let first = in_order(first, sort, Order::Asc).limit(1).into_query();
    // The sign takes the id's affinity away, which would keep SQLite from comparing the rowid within an index.
    let from_post = not_before::<E>(sort, Expr::col(("post", "value")), Expr::cust("+\"post\".\"id\""));
    let next = matching.clone().select_only().column(E::ID).filter(from_post);
    let next = in_order(next, sort, Order::Asc).offset(every).limit(1).into_query();
    let leapt = |column: &str| Expr::col(("leapt", Alias::new(column)));
    let mut leap = Query::select();
    leap.expr(leapt(sort.column.name())).expr(leapt(E::ID.as_str())).from("post");
    leap.join_as(JoinType::InnerJoin, E::default(), "leapt", leapt(E::ID.as_str()).eq(next));
    let mut all = Query::select();
    all.columns(["value", "id"]).from_subquery(first, "first").union(UnionType::All, leap);
    let mut posts = CommonTableExpression::new();
    posts.table_name("post").columns(["value", "id"]).query(all);
    let mut with = WithClause::new();
    with.recursive(true).cte(posts);
    with.query(Query::select().columns(["value", "id"]).from("post").take())
}
