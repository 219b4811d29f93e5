//! Lists: a table declares its filters and sort orders once; parser, SQL and documentation read that
//! declaration.
//!
//! Pages are read from a database index on `(sort column, id)`, and totals are cached ([`store::totals`]). If
//! few rows match, they are found first ("contains" through a trigram index) and sorted afterwards. If many
//! match, the sort order is walked, or, where that is slow, the page is found in a page index
//! ([`store::page_index`]).

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
use store::{
    database::Database,
    scope::{Scope, Scoped},
};
use values::{error::Result, id::TenantId, message::Message};

pub use self::{
    field::{
        ChoiceCondition, Field, Finder, Kind, NameFinder, OwnId, Since, ValueExpression, VisibleRows,
        read_yes_or_no,
    },
    filter::within,
    hits::{Hit, Hits, Rank},
    open::{OpenFilter, ResolvedFilter},
    operator::Operator,
    paging::{DEFAULT_SIZE, MAX_SIZE, Page, Paging},
    query::{ListQuery, fields, sorts},
    referring::listed_reference,
    walk::Walk,
};
pub use store::column::AnyColumn;

/// Table that can be listed.
pub trait Listed: Scoped {
    /// Fields for filters and sort orders, besides the row's own id.
    const FIELDS: &'static [Field];
    /// Field of the row's own id; `None` if rows have another key.
    const OWN_ID: Option<Field> = Some(Field::own_id(&OwnId::<Self>(PhantomData)));
    /// Default sort: `name` or `-updated_at`.
    const DEFAULT_SORT: &'static str;
    /// Names that `include` accepts, to add data to the rows.
    const INCLUDES: &'static [&'static str] = &[];
    /// Name of filters whose second name is data: `attribute` in `filter[attribute][height]`.
    const OPEN: Option<&'static str> = None;
    /// Description of these filters for the documentation.
    const OPEN_MEANING: &'static str = "";
    /// Rows that are in memory at a time while all are read; smaller if a row may be long.
    const CHUNK: usize = 1_000;
    /// True if the list needs a tenant: one of all tenants would be too long to count, and useless.
    const NEEDS_TENANT: bool = false;
    /// True if the list of all tenants is read from the replica. Never for permissions and queues.
    const ON_REPLICA: bool = false;

    /// Resolves open filters: the meaning of each, or a message for one that has none.
    fn resolve_open_filters(
        _db: &Database,
        _open: &[OpenFilter],
    ) -> impl Future<Output = Result<Vec<Result<ResolvedFilter, Message>>>> + Send {
        std::future::ready(Ok(Vec::new()))
    }
}

/// Refuses callers that must choose a tenant first.
fn require_tenant<E: Listed>(scope: &Scope) -> Result<()> {
    if E::NEEDS_TENANT { scope.tenant().map(|_| ()) } else { Ok(()) }
}

fn in_order<E: Listed>(scope: &Scope, select: Select<E>, sort: &Field, order: Order) -> Select<E> {
    let column = sort.order_for::<E>(scope);
    // SQLite sorts NULL first, PostgreSQL only if the statement says so. For a column without NULL,
    // PostgreSQL would then not use its index.
    let select = if sort.nullable {
        let nulls = if order == Order::Asc { NullOrdering::First } else { NullOrdering::Last };
        select.order_by_with_nulls(column, order.clone(), nulls)
    } else {
        select.order_by(column, order.clone())
    };
    select.order_by(E::ID, order)
}

/// Condition for rows that refer to the row `id`; restricted to a tenant if all rows are that tenant's.
///
/// # Panics
/// If the list has no filter of this name that is a reference.
pub(crate) fn refers<E: Listed>(tenant: Option<TenantId>, filter: &str, id: i64) -> Condition {
    Condition::all().add(reference::<E>(filter).equals::<E>(&Scope::platform(), tenant, [id.into()]))
}

/// Condition of [`refers`] without rows whose reference the caller may not see.
pub(crate) fn refers_for<E: Listed>(scope: &Scope, filter: &str, id: i64) -> Condition {
    let visible = reference::<E>(filter).visible_rows.map(|rows| rows(scope));
    refers::<E>(scope.sees_only::<E>(), filter, id).add_option(visible)
}

/// Table and column of a reference.
pub(crate) fn referring_column<E: Listed>(filter: &str) -> (String, &'static str) {
    let column = reference::<E>(filter).column;
    (column.table().to_string(), column.name())
}

fn reference<E: Listed>(filter: &str) -> &'static Field {
    let field = E::FIELDS.iter().find(|field| field.name == filter && field.kind == Kind::Id);
    field.unwrap_or_else(|| panic!("no list can be filtered by the reference {filter}"))
}

/// Sorts by the default sort of the list.
pub(crate) fn by_default<E: Listed>(scope: &Scope, select: Select<E>) -> Select<E> {
    ListQuery::default().ordered(scope, select, false)
}
