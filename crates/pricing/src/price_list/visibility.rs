//! Visibility of lists: a caller sees the lists of their own company under the internal name, and those of
//! others that apply to it, once they have begun or are announced, under the name for customers.

use sea_orm::{
    ColumnTrait, Condition,
    sea_query::{CaseStatement, Expr, ExprTrait, Query, SelectStatement, SimpleExpr},
};
use store::Scope;
use tenancy::tenant_group;
use values::{Instant, TenantId};

use super::{
    Column, ListExcluded, ListGroups, ListScope, ListTenants, ListType, PriceList, ever_in_effect_condition,
    excluded_tenant_entity as price_list_excluded_tenant, ownership::owned_by,
    tenant_entity as price_list_tenant, tenant_group_entity as price_list_tenant_group,
};

/// Condition for the visible lists: those of the caller's company and its groups, and the sales lists of
/// others that apply to it and are shown at this moment.
pub(crate) fn visible_at(scope: &Scope, moment: Instant) -> Condition {
    let Ok(tenant) = scope.tenant() else { return Condition::all() };
    let applies = Condition::any()
        .add(Column::Scope.eq(ListScope::Global))
        .add(Column::Id.in_subquery(naming(tenant)))
        .add(Column::Id.in_subquery(naming_groups_of(tenant)));
    let of_others = Condition::all()
        .add(Column::Type.eq(ListType::Sales))
        .add(applies)
        .add(Column::Id.not_in_subquery(excluding(tenant)))
        .add(shown_at(moment));
    Condition::any().add(owned_by(tenant)).add(of_others)
}

/// Condition for the lists that customers see at a moment: announced ones, and those that have begun. A list
/// that ended before it began is shown only if it is announced.
fn shown_at(moment: Instant) -> Condition {
    let has_begun = Condition::all()
        .add(Column::ValidFrom.lte(moment))
        .add(Column::ValidUntil.is_null().or(ever_in_effect_condition()));
    Condition::any().add(Column::Announce.eq(true)).add(has_begun)
}

/// Returns the expressions of a list's name as the caller sees it. Users of a tenant see the name for
/// customers, unless their company owns the list; users of the platform, who may write any list, see the
/// stored name.
pub(super) fn visible_names(scope: &Scope) -> Vec<(Column, SimpleExpr)> {
    let Some(home) = scope.home() else { return Vec::new() };
    let visible_column = |own: Column, name_for_others: SimpleExpr| {
        let name = CaseStatement::new()
            .case(owned_by(home), Expr::col(own.as_column_ref()))
            .finally(name_for_others);
        (own, SimpleExpr::Case(Box::new(name)))
    };
    let column = |column: Column| Expr::col(column.as_column_ref());
    vec![
        visible_column(Column::Name, column(Column::CustomerName).if_null(column(Column::Name))),
        visible_column(Column::NameFold, column(Column::CustomerNameFold)),
        visible_column(Column::NameSort, column(Column::CustomerNameSort)),
    ]
}

impl PriceList {
    /// Name that customers see.
    pub fn name_for_customers(&self) -> &str {
        self.customer_name.as_deref().unwrap_or(&self.name)
    }

    /// True if customers see the list at a moment.
    pub fn is_shown_at(&self, moment: &Instant) -> bool {
        self.announce || self.valid_from <= *moment && !self.period().is_empty()
    }
}

/// Subquery for the lists that name a tenant.
fn naming(tenant: TenantId) -> SelectStatement {
    let mut lists = Query::select();
    lists.column(price_list_tenant::Column::PriceListId).from(ListTenants);
    lists.and_where(price_list_tenant::Column::TenantId.eq(tenant)).take()
}

/// Subquery for the lists that exclude a tenant.
fn excluding(tenant: TenantId) -> SelectStatement {
    let mut lists = Query::select();
    lists.column(price_list_excluded_tenant::Column::PriceListId).from(ListExcluded);
    lists.and_where(price_list_excluded_tenant::Column::TenantId.eq(tenant)).take()
}

/// Subquery for the lists that name a group of the tenant.
fn naming_groups_of(tenant: TenantId) -> SelectStatement {
    let mut lists = Query::select();
    lists.column(price_list_tenant_group::Column::PriceListId).from(ListGroups);
    lists
        .and_where(price_list_tenant_group::Column::TenantGroupId.in_subquery(tenant_group::ids_of(tenant)))
        .take()
}
