//! Lists: a table declares once what can be filtered and sorted; parser, SQL and documentation read that table.
//!
//! Pages are cut from an index on `(sort column, id)`, totals are kept ([`crate::totals`]). Where few rows match they are
//! found first, "contains" through a trigram index, and sorted afterwards; where many do, the sort order is walked, or
//! the page is found in an index of its own where that is slow ([`crate::page_index`]).

pub(crate) mod column;
mod count;
mod fetch;
mod field;
mod filter;
mod from;
mod grouped;
mod hits;
mod indexed;
mod open;
mod operator;
mod paging;
mod query;
mod ranked;
mod referring;
mod walk;

use std::marker::PhantomData;

use sea_orm::{Condition, Order, QueryOrder, Select, sea_query::NullOrdering};

pub use self::{
    column::AnyColumn,
    field::{Computed, Derived, Field, Finder, Kind, NameFinder, OwnId, Since, VisibleRows, read_yes_or_no},
    filter::within,
    hits::{Hit, Hits, Rank},
    open::{Meant, Open},
    operator::Operator,
    paging::{DEFAULT_SIZE, MAX_SIZE, Page, Paging},
    query::{ListQuery, fields, sorts},
    walk::Walk,
};
use crate::{
    code::Message,
    database::Database,
    error::Result,
    id::TenantId,
    scope::{Scope, Scoped},
};

/// A table that can be listed.
pub trait Listed: Scoped {
    /// What can be filtered and sorted by besides the own id.
    const FIELDS: &'static [Field];
    /// The row's own id; none where a row has another name.
    const OWN_ID: Option<Field> = Some(Field::own_id(&OwnId::<Self>(PhantomData)));
    /// The sort when none is asked for: `name` or `-updated_at`.
    const DEFAULT_SORT: &'static str;
    /// What its rows carry when `include` asks for it.
    const INCLUDES: &'static [&'static str] = &[];
    /// The name of filters whose second name is data: `attribute` in `filter[attribute][height]`.
    const OPEN: Option<&'static str> = None;
    /// What they mean, for the documentation.
    const OPEN_MEANING: &'static str = "";
    /// Rows that are in memory at a time when all are read; fewer where one may be long.
    const CHUNK: usize = 1_000;
    /// Whether it is of one tenant at a time: one over all would be too long to count, and of no use.
    const NEEDS_TENANT: bool = false;
    /// True if the list of all tenants is read from the replica. Never for rights and queues.
    const ON_REPLICA: bool = false;

    /// What open filters mean, each of them, or why it means nothing.
    fn meant(
        _db: &Database,
        _open: &[Open],
    ) -> impl Future<Output = Result<Vec<Result<Meant, Message>>>> + Send {
        std::future::ready(Ok(Vec::new()))
    }
}

/// Refuses whoever has to choose a tenant first.
fn require_tenant<E: Listed>(scope: &Scope) -> Result<()> {
    if E::NEEDS_TENANT { scope.tenant().map(|_| ()) } else { Ok(()) }
}

fn in_order<E: Listed>(scope: &Scope, select: Select<E>, sort: &Field, order: Order) -> Select<E> {
    let column = sort.order_for::<E>(scope);
    // SQLite sorts NULL first, PostgreSQL only where the statement says so. For a column without NULL it would then
    // not use its index.
    let select = if sort.nullable {
        let nulls = if order == Order::Asc { NullOrdering::First } else { NullOrdering::Last };
        select.order_by_with_nulls(column, order.clone(), nulls)
    } else {
        select.order_by(column, order.clone())
    };
    select.order_by(E::ID, order)
}

/// The rows that a filter finds by the id of what they refer to; of this tenant, where all rows are theirs.
///
/// # Panics
/// When the list has no such filter of a reference.
pub(crate) fn refers<E: Listed>(tenant: Option<TenantId>, filter: &str, id: i64) -> Condition {
    Condition::all().add(reference::<E>(filter).equals::<E>(&Scope::platform(), tenant, [id.into()]))
}

/// The same, without rows whose reference the caller may not see.
pub(crate) fn refers_for<E: Listed>(scope: &Scope, filter: &str, id: i64) -> Condition {
    let visible = reference::<E>(filter).visible_rows.map(|rows| rows(scope));
    refers::<E>(scope.sees_only::<E>(), filter, id).add_option(visible)
}

/// The table and the column that refer.
pub(crate) fn referring_column<E: Listed>(filter: &str) -> (String, &'static str) {
    let column = reference::<E>(filter).column;
    (column.table().to_string(), column.name())
}

fn reference<E: Listed>(filter: &str) -> &'static Field {
    let field = E::FIELDS.iter().find(|field| field.name == filter && field.kind == Kind::Id);
    field.unwrap_or_else(|| panic!("no list can be filtered by the reference {filter}"))
}

/// In the list's own order.
pub(crate) fn by_default<E: Listed>(scope: &Scope, select: Select<E>) -> Select<E> {
    ListQuery::default().ordered(scope, select, false)
}
