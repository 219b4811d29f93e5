//! References between resources, found through the lists of the referring resources.

use sea_orm::{
    ColumnTrait, IdenStatic, QueryFilter, QuerySelect, QueryTrait,
    sea_query::{Asterisk, Expr, Func, SelectStatement},
};
use store::scope::{
    Owner, Recorded, Scope,
    resource::{Keeping, Reference},
};
use values::id::TenantId;

use super::{Field, Kind, Listed, by_default, referring_column, refers, refers_for};

/// Reference by which the records of `By` prevent the deletion of those of `To`. `filter` is the filter of
/// their list that finds them; if there is none, this does not compile.
pub const fn listed_reference<By: Listed + Recorded, To: Recorded>(filter: &'static str) -> Reference {
    assert!(has_filter(By::FIELDS, filter), "the list has no filter by this reference");
    let keeping = Keeping { count: count::<By>, examples: examples::<By>, among: among::<By> };
    Reference::keeping::<To>(filter, keeping)
}

const fn has_filter(mut fields: &[Field], name: &str) -> bool {
    while let [field, others @ ..] = fields {
        if matches!(field.kind, Kind::Id) && same(field.name.as_bytes(), name.as_bytes()) {
            return true;
        }
        fields = others;
    }
    false
}

/// Compares two slices in a const function, where `==` is not available.
const fn same(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([a, one_left @ ..], [b, other_left @ ..]) = (one, other) {
        if *a != *b {
            return false;
        }
        (one, other) = (one_left, other_left);
    }
    one.is_empty() && other.is_empty()
}

#[expect(clippy::disallowed_methods, reason = "a foreign key knows no tenant, so neither does the count")]
fn count<E: Listed>(tenant: Option<TenantId>, field: &str, id: i64) -> SelectStatement {
    let own = sole_owner::<E>(tenant);
    let refers = refers::<E>(own.map(|(_, tenant)| tenant), field, id);
    let own = own.map(|(owner, tenant)| owner.eq(tenant));
    let mut count = E::find().filter(refers.add_option(own)).into_query();
    count.clear_selects().expr_as(Func::count(Expr::col(Asterisk)), "total");
    count
}

/// Owner column of the referring records, with the tenant, if each record belongs to one.
fn sole_owner<E: Listed>(tenant: Option<TenantId>) -> Option<(E::Column, TenantId)> {
    match E::OWNER {
        Owner::Tenant(owner) => tenant.map(|tenant| (owner, tenant)),
        _ => None,
    }
}

/// Query that uses the index for each id, because a single id may have a million references.
fn among<E: Listed>(tenant: Option<TenantId>, field: &str, ids: &[i64]) -> String {
    let (table, column) = referring_column::<E>(field);
    let ids = ids.iter().map(|id| format!("({id})")).collect::<Vec<_>>().join(", ");
    let own = sole_owner::<E>(tenant);
    let own = own.map(|(owner, tenant)| format!("\"{table}\".\"{}\" = {tenant} AND ", owner.as_str()));
    let own = own.unwrap_or_default();
    format!(
        "SELECT CAST(column1 AS bigint) FROM (VALUES {ids}) AS ids \
         WHERE EXISTS (SELECT 1 FROM \"{table}\" WHERE {own}\"{table}\".\"{column}\" = column1)"
    )
}

const EXAMPLES: u64 = 5;

fn examples<E: Listed + Recorded>(scope: &Scope, field: &str, id: i64) -> SelectStatement {
    let select = scope.find::<E>().filter(refers_for::<E>(scope, field, id));
    by_default::<E>(scope, select)
        .select_only()
        .column_as(E::ID, "id")
        .expr_as(scope.column::<E>(E::NAME), "name")
        .limit(EXAMPLES)
        .into_query()
}
