//! Lists sorted by a referenced row: the rows of each group, which refer to the same row, are in the list's
//! own order. The sizes of the groups determine which of them a page shows, and from which row, so that any
//! page is read from an index on the reference.

use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, FromQueryResult, Order, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select,
    sea_query::{Asterisk, CaseStatement, Expr, ExprTrait, Func, JoinType, Query, SimpleExpr},
};
use store::{
    database::Database,
    page_index::{Group, PageIndex},
    scope::Scope,
};
use values::error::Result;

use super::{ListQuery, Listed, Page, count::Counts, fetch::Rows, field::Grouping, paging::Span};

/// Rows of a group that a page shows.
#[derive(Debug, Clone, Copy)]
struct Slice {
    group: Group,
    span: Span,
}

impl<E: Listed> ListQuery<E> {
    pub(super) async fn fetch_grouped<R: FromQueryResult + Send + Sync>(
        &self,
        grouping: Grouping,
        db: &Database,
        scope: &Scope,
        shape: impl FnOnce(Select<E>) -> Select<E>,
    ) -> Result<Page<R>> {
        let rows = self.rows(db, scope);
        let counts = rows.count(db).await?;
        let groups = self.groups(grouping, db, &rows, counts).await?;
        let total = groups.iter().map(|group| group.rows).sum();
        let slices = slices(&groups, self.span());
        let ids = self.ids_of_slices(grouping, &slices, db, scope, &rows, counts).await?;
        if ids.is_empty() {
            return Ok(self.paging.page_with(Vec::new(), total));
        }
        let page = grouping.in_order(scope.find::<E>().filter(E::ID.is_in(ids)), &slices);
        let page = self.within(grouping, None).ordered(scope, page, false).limit(self.span().size);
        Ok(self.paging.page_with(shape(page).into_model::<R>().all(db).await?, total))
    }

    /// Reads the ids of a page. A group that is shown in part is read as a list of its own; whole groups are
    /// read together.
    async fn ids_of_slices(
        &self,
        grouping: Grouping,
        slices: &[Slice],
        db: &Database,
        scope: &Scope,
        rows: &Rows<E>,
        counts: Counts,
    ) -> Result<Vec<i64>> {
        let ids_of =
            async |rows: Select<E>| Ok(rows.select_only().column(E::ID).into_tuple::<i64>().all(db).await?);
        let (whole, parts): (Vec<Slice>, Vec<Slice>) = slices.iter().partition(|slice| slice.is_whole());
        // A filter that many rows match is not evaluated through its index for the few rows of a group.
        let few = counts.are_few(rows);
        let mut ids: Vec<i64> = Vec::new();
        for Slice { group, span } in parts {
            let list = Self { span: Some(span), ..self.within(grouping, group.id) };
            let counts = Counts { total: group.rows, ..counts };
            let rows_of_group = list.rows(db, scope);
            let rows_of_group = if few { rows_of_group } else { rows_of_group.without_index() };
            let (page_ids, _) = list.read_counted(db, scope, &rows_of_group, counts, &ids_of).await?;
            ids.extend(page_ids);
        }
        if !whole.is_empty() {
            let groups = grouping.holds(whole.iter().map(|slice| slice.group.id));
            ids.extend(ids_of(rows.quickest(counts).clone().filter(groups)).await?);
        }
        Ok(ids)
    }

    /// Groups in the order of the list, cached like page indexes.
    async fn groups(
        &self,
        grouping: Grouping,
        db: &Database,
        rows: &Rows<E>,
        counts: Counts,
    ) -> Result<Vec<Group>> {
        let list = counts.is_large().then(|| self.key(rows));
        let lookup = db.page_indexes().look_up(list.clone(), 0).await;
        if let Some(PageIndex::Grouped(groups)) = lookup.index.as_deref() {
            return Ok(self.arranged(groups.clone()));
        }
        let read_at = db.page_indexes().writes().now();
        let groups = self.read_groups(grouping, db, rows.quickest(counts).clone()).await?;
        if let Some(list) = list {
            db.page_indexes().store(list, read_at, PageIndex::Grouped(groups.clone()));
        }
        Ok(self.arranged(groups))
    }

    /// Groups of a walk through all rows.
    pub(super) async fn all_groups(
        &self,
        grouping: Grouping,
        db: &impl ConnectionTrait,
        scope: &Scope,
    ) -> Result<Vec<Group>> {
        Ok(self.arranged(self.read_groups(grouping, db, self.matching(db, scope)?).await?))
    }

    /// Counts the rows of each group, in the order of the referenced rows.
    async fn read_groups(
        &self,
        grouping: Grouping,
        db: &impl ConnectionTrait,
        rows: Select<E>,
    ) -> Result<Vec<Group>> {
        const COUNTED: &str = "counted";
        const REFERRED: &str = "referred";
        let reference = Expr::col(grouping.column.reference());
        // The sum keeps SQLite from walking the reference's index and fetching each row for the filter.
        let reference = if self.has_filters_besides_references() { reference.add(0) } else { reference };
        let mut counted = rows.into_query();
        counted
            .clear_selects()
            .expr_as(reference, REFERRED)
            .expr_as(Func::count(Expr::col(Asterisk)), "rows")
            .add_group_by([Expr::col(REFERRED)]);
        let referred = || Expr::col((COUNTED, REFERRED));
        let mut groups = Query::select();
        groups
            .columns([(COUNTED, REFERRED), (COUNTED, "rows")])
            .from_subquery(counted, COUNTED)
            .join(JoinType::LeftJoin, grouping.id.table(), Expr::col(grouping.id.reference()).eq(referred()))
            .order_by_expr(Expr::col(grouping.key.reference()), Order::Asc)
            .order_by_expr(referred(), Order::Asc);
        let rows = db.query_all(&groups).await?;
        let groups = rows.iter().map(|row| {
            let rows = row.try_get::<i64>("", "rows")?.unsigned_abs();
            Ok(Group { id: row.try_get("", REFERRED)?, rows })
        });
        groups.collect()
    }

    /// Arranges the groups in either direction; rows without a reference come last.
    fn arranged(&self, mut groups: Vec<Group>) -> Vec<Group> {
        if self.descending {
            groups.reverse();
        }
        groups.sort_by_key(|group| group.id.is_none());
        groups
    }

    /// List of a group.
    pub(super) fn within(&self, grouping: Grouping, id: Option<i64>) -> Self {
        let own = Self::default();
        let descending = self.descending != own.descending;
        Self { sort: own.sort, descending, group: Some((grouping, id)), ..self.clone() }
    }
}

impl<E: Listed> Rows<E> {
    fn quickest(&self, counts: Counts) -> &Select<E> {
        if counts.are_few(self) { &self.matching_by_index } else { &self.matching }
    }
}

impl Grouping {
    /// Condition for rows that refer to one of these ids.
    pub(super) fn holds(self, ids: impl IntoIterator<Item = Option<i64>>) -> Condition {
        let (ids, none): (Vec<_>, Vec<_>) = ids.into_iter().partition(Option::is_some);
        let column = || Expr::col(self.column.reference());
        let among_ids = (!ids.is_empty()).then(|| column().is_in(ids));
        Condition::any().add_option(among_ids).add_option((!none.is_empty()).then(|| column().is_null()))
    }

    fn in_order<E: Listed>(self, rows: Select<E>, slices: &[Slice]) -> Select<E> {
        let place = (0_i64..).zip(slices).fold(CaseStatement::new(), |places, (place, slice)| {
            places.case(self.holds([slice.group.id]), place)
        });
        rows.order_by(SimpleExpr::Case(Box::new(place)), Order::Asc)
    }
}

impl Slice {
    fn is_whole(&self) -> bool {
        self.span.size == self.group.rows
    }
}

fn slices(groups: &[Group], page: Span) -> Vec<Slice> {
    let mut begin = 0;
    let mut slices = Vec::new();
    for group in groups {
        let offset = page.offset.saturating_sub(begin);
        let end = Ord::min(page.end().saturating_sub(begin), group.rows);
        if offset < end {
            slices.push(Slice { group: *group, span: Span { offset, size: end - offset } });
        }
        begin += group.rows;
    }
    slices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_may_span_several_groups_and_parts_of_groups() {
        let group = |id, rows| Group { id, rows };
        let groups = [group(Some(7), 50), group(Some(5), 1), group(Some(9), 2), group(None, 10)];
        let spans = |offset, size| {
            let slices = slices(&groups, Span { offset, size });
            slices
                .iter()
                .map(|slice| (slice.group.id, slice.span.offset, slice.span.size))
                .collect::<Vec<_>>()
        };
        assert_eq!(spans(0, 40), [(Some(7), 0, 40)]);
        assert_eq!(spans(0, 50), [(Some(7), 0, 50)]);
        assert_eq!(spans(40, 20), [(Some(7), 40, 10), (Some(5), 0, 1), (Some(9), 0, 2), (None, 0, 7)]);
        assert_eq!(spans(60, 40), [(None, 7, 3)]);
        assert_eq!(spans(63, 40), []);
    }
}
