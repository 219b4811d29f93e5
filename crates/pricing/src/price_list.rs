//! Price lists: prices for a period and an audience. A list is owned by a tenant, or by a group of tenants,
//! in which case the platform writes it. The status (pending, active or inactive) is derived from the period
//! and the current moment.

mod applies;
pub mod audience;
pub mod change;
pub mod copy;
pub mod deletion;
mod detail;
pub mod difference;
pub mod entity;
pub mod excluded_tenant_entity;
pub mod feed_version;
mod input;
mod kind;
mod ownership;
mod price_history;
pub mod seller_lists;
pub mod tenant_entity;
pub mod tenant_group_entity;
pub mod timeline;
mod validity;
pub(crate) mod visibility;
mod writing;

use lists::{Field, Listed, list::ChoiceCondition, listed_reference};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, QueryFilter, QueryOrder, QuerySelect,
    sea_query::{Expr, ExprTrait, SimpleExpr},
};
use store::{Owner, Part, PriceRole, Recorded, Resource, Scope, Scoped, Unique, Write};
use tenancy::{tenant::Tenants, tenant_group::TenantGroups};
use values::{Error, Instant, Period, Phrase, Result, now};

pub use self::entity::{ActiveModel, Column, Entity as PriceLists, Model as PriceList};
pub use self::{
    applies::{Applies, AudienceIds, Rank},
    detail::{PriceListDetail, names, view},
    input::PriceListInput,
    kind::{ListScope, ListType, Status},
    price_history::{PriceCounts, note_import, note_prices},
    writing::{archive, create_at},
};
use self::{
    excluded_tenant_entity::{self as price_list_excluded_tenant, Entity as ListExcluded},
    tenant_entity::{self as price_list_tenant, Entity as ListTenants},
    tenant_group_entity::{self as price_list_tenant_group, Entity as ListGroups},
};

pub(crate) use self::{
    ownership::{own_lists, owned_by, owns, refuse_others},
    writing::{amend, end, end_at_once, finish, insert, lock_for_change},
};
use crate::{codes, permissions};

/// Filter for the lists that have a status now.
const OF_STATUS: ChoiceCondition = |status| {
    let now = now();
    let lasts = Column::ValidUntil.is_null().or(Column::ValidUntil.gt(now).and(ever_in_effect_condition()));
    match status {
        "pending" => Column::ValidFrom.gt(now).and(lasts),
        "active" => Column::ValidFrom.lte(now).and(lasts),
        // written out instead of negated, because the negation of `NULL` is `NULL`
        _ => Column::ValidUntil
            .is_not_null()
            .and(Column::ValidUntil.lte(now).or(ever_in_effect_condition().not())),
    }
};

/// Condition that a list with an end is ever in effect.
fn ever_in_effect_condition() -> SimpleExpr {
    let column = |column: Column| Expr::col(column.as_column_ref());
    column(Column::ValidUntil).gt(column(Column::ValidFrom))
}

impl Scoped for PriceLists {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::TenantOrPlatform(Column::OwnerTenantId);

    fn visible_to(scope: &Scope) -> Condition {
        visibility::visible_at(scope, now())
    }

    fn substitutes(scope: &Scope) -> Vec<(Column, SimpleExpr)> {
        visibility::visible_names(scope)
    }
}

impl Recorded for PriceLists {
    const PRICES: Option<PriceRole<Column>> = Some(PriceRole::Rules);
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "price_lists",
        Phrase { de: "Preislisten", en: "price lists" },
        permissions::LIST_PRICE_LISTS,
    )
    .refers(&[
        listed_reference::<Self, Tenants>("owner_tenant_id"),
        listed_reference::<Self, TenantGroups>("owner_tenant_group_id"),
        listed_reference::<Self, Tenants>("tenant_id"),
        listed_reference::<Self, TenantGroups>("tenant_group_id"),
        listed_reference::<Self, Tenants>("excluded_tenant_id"),
    ]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] = &[Unique::new("price_list_owner_name_fold_key", "name", codes::TAKEN)];
    /// The count is derived from the prices.
    const UNNOTED: &'static [Column] = &[Column::PriceCount];

    async fn remove_parts(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
        scope.remove_parts::<ListTenants>(tx, id, Condition::all()).await?;
        scope.remove_parts::<ListExcluded>(tx, id, Condition::all()).await?;
        scope.remove_parts::<ListGroups>(tx, id, Condition::all()).await
    }
}

impl Listed for PriceLists {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::text("customer_name", &Column::CustomerNameFold).optional().unsorted(),
        Field::derived("status", &Column::ValidFrom, Status::NAMES, OF_STATUS),
        Field::choice("type", &Column::Type, ListType::NAMES).unsorted(),
        Field::choice("scope", &Column::Scope, ListScope::NAMES).unsorted(),
        Field::time("valid_from", &Column::ValidFrom),
        Field::time("valid_until", &Column::ValidUntil).nullable(),
        Field::id("owner_tenant_id", &Column::OwnerTenantId).optional(),
        Field::id("owner_tenant_group_id", &Column::OwnerTenantGroupId).optional(),
        Field::part_id(
            "tenant_id",
            &price_list_tenant::Column::TenantId,
            &price_list_tenant::Column::PriceListId,
        )
        .optional()
        .visible_in(own_lists),
        Field::part_id(
            "tenant_group_id",
            &price_list_tenant_group::Column::TenantGroupId,
            &price_list_tenant_group::Column::PriceListId,
        )
        .optional()
        .visible_in(own_lists),
        Field::part_id(
            "excluded_tenant_id",
            &price_list_excluded_tenant::Column::TenantId,
            &price_list_excluded_tenant::Column::PriceListId,
        )
        .optional()
        .visible_in(own_lists),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
    const ON_REPLICA: bool = true;
}

impl Part for ListTenants {
    type Whole = PriceLists;
    const WHOLE: price_list_tenant::Column = price_list_tenant::Column::PriceListId;
}

impl Part for ListExcluded {
    type Whole = PriceLists;
    const WHOLE: price_list_excluded_tenant::Column = price_list_excluded_tenant::Column::PriceListId;
}

impl Part for ListGroups {
    type Whole = PriceLists;
    const WHOLE: price_list_tenant_group::Column = price_list_tenant_group::Column::PriceListId;
}

impl PriceList {
    /// Period in which the list is in effect.
    pub fn period(&self) -> Period<Instant> {
        Period::new(self.valid_from, self.valid_until)
    }

    /// Status of the list at a moment.
    pub fn status(&self, moment: &Instant) -> Status {
        Status::at_moment(&self.period(), moment)
    }

    /// Tenant id in the rows of its prices; 0 for the list of a group.
    pub fn owner_key(&self) -> i64 {
        self.owner_tenant_id.map_or(0, i64::from)
    }

    /// Returns the scope with which the caller writes the list.
    ///
    /// # Errors
    /// [`codes::NOT_OWN_PRICE_LIST`] if the caller cannot write it.
    pub fn writer(&self, scope: &Scope) -> Result<Scope> {
        match self.owner_tenant_id {
            Some(owner) if scope.home().is_none_or(|home| home == owner) => Ok(scope.acting_for(Some(owner))),
            None if scope.is_platform() => Ok(scope.acting_for(None)),
            _ => Err(codes::NOT_OWN_PRICE_LIST.into()),
        }
    }

    /// Rejects changes of an expired list.
    pub fn refuse_expired(&self, moment: &Instant) -> Result<()> {
        match self.status(moment) {
            Status::Inactive => Err(Error::from(codes::PRICE_LIST_EXPIRED.with("name", &self.name))),
            Status::Pending | Status::Active => Ok(()),
        }
    }
}

/// Returns those of these lists that were changed since their creation, including changes of their prices.
pub async fn with_changed_prices(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<i64>> {
    let column = |column: Column| Expr::col(column.as_column_ref());
    let changed = scope
        .find::<PriceLists>()
        .filter(Column::Id.is_in(ids))
        .filter(column(Column::UpdatedAt).gt(column(Column::CreatedAt)));
    Ok(changed.select_only().column(Column::Id).into_tuple().all(db).await?)
}

/// Loads the lists of the acting tenant and of its groups that have begun between two moments and are still
/// in effect at the second one.
pub async fn find_begun(
    db: &impl ConnectionTrait,
    scope: &Scope,
    after: Instant,
    until: Instant,
) -> Result<Vec<PriceList>> {
    let begun = scope
        .find::<PriceLists>()
        .filter(owned_by(scope.tenant()?))
        .filter(Column::ValidFrom.gt(after))
        .filter(Column::ValidFrom.lte(until))
        .filter(Column::ValidUntil.is_null().or(Column::ValidUntil.gt(until)))
        .order_by_asc(Column::ValidFrom)
        .order_by_asc(Column::Id);
    Ok(begun.all(db).await?)
}

/// Returns the total number of prices of these lists.
pub async fn count_prices(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<u64> {
    let counts = scope.find::<PriceLists>().filter(Column::Id.is_in(ids)).select_only();
    let counts: Vec<i64> = counts.column(Column::PriceCount).into_tuple().all(db).await?;
    Ok(counts.into_iter().map(i64::unsigned_abs).sum())
}
