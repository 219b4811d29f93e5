//! Price lists: prices for a period, for those that a list applies to. A tenant owns a list, or a group of tenants, whose list
//! the platform writes. Whether a list is pending, active or inactive follows from its period and the moment of reading.

mod applies;
pub mod audience;
pub mod change;
pub mod copy;
pub mod difference;
mod kind;
mod ownership;
pub mod timeline;
mod validity;

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, SubsecRound, Utc};
use kernel::{
    Code, Database, Error, Field, Instant, Listed, Owner, Part, Period, Permission, Phrase, Priced, Recorded,
    Reference, Resource, Result, Scope, Scoped, TenantId, Unique, Validated, Violations, Write,
    audit::Action,
    deadline, fold,
    list::Derived,
    now,
    rule::{self, printable},
    scope::refuse_stale,
    tidy, usage,
};
use sea_orm::{
    ActiveValue::Set,
    ColumnTrait, Condition, ConnectionTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, ExprTrait, Query, SelectStatement, SimpleExpr},
};
use serde::Deserialize;
use tenancy::{
    partner,
    tenant::{self, Tenants},
    tenant_group::{self, TenantGroups},
};
use utoipa::ToSchema;
use validator::Validate;

pub(crate) use self::ownership::{own, owns, refuse_others};
pub use self::{
    applies::{Applies, Rank, Whom},
    kind::{ListScope, ListType, Status},
};
use self::{
    audience::Named,
    ownership::{own_of, owned_by, owner},
};
pub use crate::entity::price_list::{ActiveModel, Column, Entity as PriceLists, Model as PriceList};
use crate::{
    entity::{
        price_list_excluded_tenant::{self, Entity as ListExcluded},
        price_list_tenant::{self, Entity as ListTenants},
        price_list_tenant_group::{self, Entity as ListGroups},
    },
    price_list_entry,
};

/// The lists of a status as it is now.
const OF_STATUS: Derived = |status| {
    let now = now();
    let lasts = Column::ValidUntil.is_null().or(Column::ValidUntil.gt(now).and(lasting()));
    match status {
        "pending" => Column::ValidFrom.gt(now).and(lasts),
        "active" => Column::ValidFrom.lte(now).and(lasts),
        // told in full, because what is unknown is not the contrary of anything
        _ => Column::ValidUntil.is_not_null().and(Column::ValidUntil.lte(now).or(lasting().not())),
    }
};

/// Whether a list with an end ever holds.
fn lasting() -> SimpleExpr {
    let column = |column: Column| Expr::col(column.as_column_ref());
    column(Column::ValidUntil).gt(column(Column::ValidFrom))
}

impl Scoped for PriceLists {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::TenantOrPlatform(Column::OwnerTenantId);

    /// Those of one's own company and its groups; of others the sales prices that apply to it.
    fn visible_to(scope: &Scope) -> Condition {
        let Ok(tenant) = scope.tenant() else { return Condition::all() };
        let applies = Condition::any()
            .add(Column::Scope.eq(ListScope::Global))
            .add(Column::Id.in_subquery(naming(tenant)))
            .add(Column::Id.in_subquery(naming_groups_of(tenant)));
        let applies = Condition::all().add(applies).add(Column::Id.not_in_subquery(excluding(tenant)));
        Condition::any()
            .add(owned_by(tenant))
            .add(Condition::all().add(Column::Type.eq(ListType::Sales)).add(applies))
    }
}

/// The lists that name a tenant.
fn naming(tenant: TenantId) -> SelectStatement {
    let mut lists = Query::select();
    lists.column(price_list_tenant::Column::PriceListId).from(ListTenants);
    lists.and_where(price_list_tenant::Column::TenantId.eq(tenant)).take()
}

/// The lists that leave a tenant out.
fn excluding(tenant: TenantId) -> SelectStatement {
    let mut lists = Query::select();
    lists.column(price_list_excluded_tenant::Column::PriceListId).from(ListExcluded);
    lists.and_where(price_list_excluded_tenant::Column::TenantId.eq(tenant)).take()
}

/// The lists that name a group which the tenant is in.
fn naming_groups_of(tenant: TenantId) -> SelectStatement {
    let mut lists = Query::select();
    lists.column(price_list_tenant_group::Column::PriceListId).from(ListGroups);
    lists
        .and_where(price_list_tenant_group::Column::TenantGroupId.in_subquery(tenant_group::ids_of(tenant)))
        .take()
}

impl Recorded for PriceLists {
    const PRICES: Option<Priced<Column>> = Some(Priced::Rules);
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "price_lists",
        Phrase { de: "Preislisten", en: "price lists" },
        Permission::ListPriceLists,
    )
    .refers(&[
        Reference::of::<Self, Tenants>("owner_tenant_id"),
        Reference::of::<Self, TenantGroups>("owner_tenant_group_id"),
        Reference::of::<Self, Tenants>("tenant_id"),
        Reference::of::<Self, TenantGroups>("tenant_group_id"),
        Reference::of::<Self, Tenants>("excluded_tenant_id"),
    ]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] = &[Unique::new("price_list_owner_name_fold_key", "name", Code::Taken)];
    /// It follows from the prices.
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
        Field::derived("status", &Column::ValidFrom, Status::NAMES, OF_STATUS),
        Field::choice("type", &Column::Type, ListType::NAMES).unsorted(),
        Field::choice("scope", &Column::Scope, ListScope::NAMES).unsorted(),
        Field::time("valid_from", &Column::ValidFrom),
        Field::time("valid_until", &Column::ValidUntil).nullable(),
        Field::id("owner_tenant_id", &Column::OwnerTenantId),
        Field::id("owner_tenant_group_id", &Column::OwnerTenantGroupId),
        Field::part_id(
            "tenant_id",
            &price_list_tenant::Column::TenantId,
            &price_list_tenant::Column::PriceListId,
        )
        .told_of(own),
        Field::part_id(
            "tenant_group_id",
            &price_list_tenant_group::Column::TenantGroupId,
            &price_list_tenant_group::Column::PriceListId,
        )
        .told_of(own),
        Field::part_id(
            "excluded_tenant_id",
            &price_list_excluded_tenant::Column::TenantId,
            &price_list_excluded_tenant::Column::PriceListId,
        )
        .told_of(own),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
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

/// The most tenants, and the most groups, that a list names.
const NAMED_MAX: usize = 500;

/// What a client says to create or change a price list.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct PriceListInput {
    /// Unique among the lists of its owner, whatever its case.
    #[schema(min_length = 1, max_length = 255, example = "Verkauf 2027")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Who owns it, unless a group does; one's own tenant. Cannot be changed afterwards.
    pub owner_tenant_id: Option<i64>,
    /// The group that owns it, for platform administrators. Cannot be changed afterwards.
    pub owner_tenant_group_id: Option<i64>,
    /// Cannot be changed once the list is valid.
    pub r#type: ListType,
    pub scope: ListScope,
    /// When it begins to hold: at least five minutes from now. Cannot be changed once the list is valid.
    #[schema(example = "2027-01-01T00:00:00Z")]
    pub valid_from: DateTime<Utc>,
    /// Whether it has an end.
    pub limited: bool,
    /// The first moment at which it no longer holds: behind the beginning, at least five minutes from now.
    #[schema(example = "2028-01-01T00:00:00Z")]
    pub valid_until: Option<DateTime<Utc>>,
    /// Of an own list: whom it applies to.
    #[serde(default)]
    #[schema(max_items = 500)]
    #[validate(length(max = 500))]
    pub tenant_ids: Vec<i64>,
    /// Of an own list: the groups that it applies to.
    #[serde(default)]
    #[schema(max_items = 500)]
    #[validate(length(max = 500))]
    pub tenant_group_ids: Vec<i64>,
    /// Tenants that it does not apply to: of a global list, or of one for groups.
    #[serde(default)]
    #[schema(max_items = 500)]
    #[validate(length(max = 500))]
    pub excluded_tenant_ids: Vec<i64>,
    /// The version that was edited; an older one than the current is refused.
    pub version: Option<i64>,
}

tidy!(PriceListInput: trim name;);

/// A list with what it refers to.
#[derive(Debug, Clone)]
pub struct PriceListDetail {
    pub list: PriceList,
    /// The company of the tenant that owns it.
    pub owner: Option<String>,
    /// The name of the group that owns it.
    pub owner_group: Option<String>,
    pub status: Status,
    /// Whether the caller's company owns it, itself or through a group. Who is meant is told to them alone.
    pub own: bool,
    /// Whether the caller may write it, as far as rights go.
    pub writable: bool,
    /// Whom it names, by company; empty for those who only buy by it.
    pub tenants: Vec<(i64, String)>,
    /// The groups that it names, by name; empty for those who only buy by it.
    pub tenant_groups: Vec<(i64, String)>,
    /// Whom it leaves out, by company; empty for those who only buy by it.
    pub excluded_tenants: Vec<(i64, String)>,
    pub price_count: u64,
    /// How many tenants it applies to now; none for those who only buy by it.
    pub audience_count: Option<u64>,
}

impl PriceList {
    pub fn period(&self) -> Period<Instant> {
        Period::new(self.valid_from, self.valid_until)
    }

    pub fn status(&self, moment: &Instant) -> Status {
        Status::of(&self.period(), moment)
    }

    /// What its prices say in the place of a tenant.
    pub fn owner_key(&self) -> i64 {
        self.owner_tenant_id.map_or(0, i64::from)
    }

    /// As whom the caller writes it.
    ///
    /// # Errors
    /// When it is not theirs to write.
    pub fn writer(&self, scope: &Scope) -> Result<Scope> {
        match self.owner_tenant_id {
            Some(owner) if scope.home().is_none_or(|home| home == owner) => Ok(scope.acting_for(Some(owner))),
            None if scope.is_platform() => Ok(scope.acting_for(None)),
            _ => Err(Code::NotOwnPriceList.into()),
        }
    }

    /// Refuses to change what has expired.
    pub fn refuse_expired(&self, moment: &Instant) -> Result<()> {
        match self.status(moment) {
            Status::Inactive => Err(Error::from(Code::PriceListExpired.with("name", &self.name))),
            Status::Pending | Status::Active => Ok(()),
        }
    }
}

pub async fn view(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<PriceListDetail> {
    let list = scope.get::<PriceLists>(db, id).await?;
    Ok(detailed(db, scope, vec![list]).await?.remove(0))
}

/// The names of lists that the caller sees.
pub async fn names(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, String>> {
    let ids: Vec<i64> = ids.into_iter().collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let names = scope.find::<PriceLists>().filter(Column::Id.is_in(ids)).select_only();
    let names: Vec<(i64, String)> = names.columns([Column::Id, Column::Name]).into_tuple().all(db).await?;
    Ok(names.into_iter().collect())
}

/// The list, locked, and as whom the caller writes it.
///
/// # Errors
/// When it is not theirs to write, or has expired.
pub(crate) async fn written(tx: &Write, scope: &Scope, id: i64) -> Result<(PriceList, Scope)> {
    let list = scope.get_locked::<PriceLists>(tx, id).await?;
    let writer = list.writer(scope)?;
    list.refuse_expired(&now())?;
    Ok((list, writer))
}

/// Lists with what they refer to.
pub async fn detailed(
    db: &impl ConnectionTrait,
    scope: &Scope,
    lists: Vec<PriceList>,
) -> Result<Vec<PriceListDetail>> {
    // Whose a list is says itself to whoever sees it, and to whom it applies to its owner.
    let all = Scope::platform();
    let ids: Vec<i64> = lists.iter().map(|list| list.id).collect();
    let own = own_of(db, scope, &ids).await?;
    let audiences = audience::of(db, &lists).await?;
    let named = audiences.values().flat_map(|audience| audience.named.iter().chain(&audience.excluded));
    let named = named.copied();
    let owners = lists.iter().filter_map(|list| list.owner_tenant_id).map(i64::from);
    let companies = tenant::companies(db, &all, owners.chain(named).map(TenantId)).await?;
    let mut companies: Vec<(i64, String)> =
        companies.into_iter().map(|(tenant, company)| (tenant.into(), company)).collect();
    companies.sort_by_cached_key(|(id, company)| (fold(company), *id));
    let groups = audiences.values().flat_map(|audience| audience.groups.iter().copied());
    let groups = groups.chain(lists.iter().filter_map(|list| list.owner_tenant_group_id));
    let groups: HashSet<i64> = groups.collect();
    let mut groups: Vec<(i64, String)> = tenant_group::names(db, &all, groups).await?.into_iter().collect();
    groups.sort_by_cached_key(|(id, name)| (fold(name), *id));
    let moment = now();
    let name_of = |named: &[(i64, String)], id: Option<i64>| {
        named.iter().find(|(known, _)| Some(*known) == id).map(|(_, name)| name.clone())
    };
    let among = |named: &[(i64, String)], ids: &[i64]| {
        named.iter().filter(|(id, _)| ids.contains(id)).cloned().collect::<Vec<_>>()
    };
    let detail = |list: PriceList| {
        let own = own.contains(&list.id);
        let audience = audiences.get(&list.id).filter(|_| own);
        PriceListDetail {
            owner: name_of(&companies, list.owner_tenant_id.map(i64::from)),
            owner_group: name_of(&groups, list.owner_tenant_group_id),
            status: list.status(&moment),
            own,
            writable: list.writer(scope).is_ok(),
            tenants: audience.map(|audience| among(&companies, &audience.named)).unwrap_or_default(),
            tenant_groups: audience.map(|audience| among(&groups, &audience.groups)).unwrap_or_default(),
            excluded_tenants: audience
                .map(|audience| among(&companies, &audience.excluded))
                .unwrap_or_default(),
            price_count: list.price_count.unsigned_abs(),
            audience_count: audience.map(|audience| audience.count),
            list,
        }
    };
    Ok(lists.into_iter().map(detail).collect())
}

/// # Errors
/// All broken rules at their fields; the times are judged by the clock of the server.
pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<PriceListInput>>,
) -> Result<PriceListDetail> {
    create_at(db, scope, input, now()).await
}

/// As [`create`], as if it were that moment: for lists that have begun long ago, as those of the demo.
pub async fn create_at(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<PriceListInput>>,
    moment: Instant,
) -> Result<PriceListDetail> {
    let tx = db.begin().await?;
    let list = insert(&tx, scope, input, None, moment).await?;
    finish(tx, &list.writer(scope)?, list.id).await
}

/// Inserts a list that keeps the rules. Whom the list names that it is made of, it may name as well.
pub(crate) async fn insert(
    tx: &Write,
    scope: &Scope,
    input: impl Into<Validated<PriceListInput>>,
    of: Option<&PriceList>,
    moment: Instant,
) -> Result<PriceList> {
    let (input, mut violations) = input.into().parts();
    let writer = owner(tx, scope, &input, &mut violations).await?;
    validity::check(None, &input, &moment, &mut violations);
    let kept = match of {
        Some(of) => audience::named_by(tx, of.id).await?,
        None => Named::default(),
    };
    check_internal(&input, of, &kept, &mut violations);
    let named = named(tx, scope, &input, &kept, &mut violations).await?;
    violations.check()?;
    let writer = writer.ok_or(Code::NotOwnPriceList)?;
    let row = ActiveModel { price_count: Set(0), ..row(&input) };
    let list = writer.create::<PriceLists>(tx, row).await?;
    write_named(tx, &writer, list.id, &named).await?;
    Ok(list)
}

/// # Errors
/// All broken rules at their fields. What is not changed is not judged again; what has expired is no longer changed.
pub async fn update(
    db: &Database,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<PriceListInput>>,
) -> Result<PriceListDetail> {
    let input = input.into();
    let tx = db.begin().await?;
    let writer = amend(&tx, scope, id, input).await?;
    finish(tx, &writer, id).await
}

/// The same in a transaction that the caller ends; as whom the list is written.
pub(crate) async fn amend(
    tx: &Write,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<PriceListInput>>,
) -> Result<Scope> {
    let (input, mut violations) = input.into().parts();
    let before = scope.get_locked::<PriceLists>(tx, id).await?;
    let writer = before.writer(scope)?;
    refuse_stale(input.version, before.version)?;
    let moment = now();
    before.refuse_expired(&moment)?;
    if input.owner_tenant_id != before.owner_tenant_id.map(i64::from) {
        violations.add("owner_tenant_id", Code::OwnerFixed);
    }
    if input.owner_tenant_group_id != before.owner_tenant_group_id {
        violations.add("owner_tenant_group_id", Code::OwnerFixed);
    }
    validity::check(Some(&before), &input, &moment, &mut violations);
    let kept = audience::named_by(tx, id).await?;
    check_internal(&input, Some(&before), &kept, &mut violations);
    let named = named(tx, scope, &input, &kept, &mut violations).await?;
    violations.check()?;
    let mut row = row(&input);
    row.owner_tenant_id = sea_orm::ActiveValue::NotSet;
    row.owner_tenant_group_id = sea_orm::ActiveValue::NotSet;
    let is_renamed = !named.is_same_as(&kept);
    if is_renamed || differs(&before, &row) {
        writer.update_from::<PriceLists>(tx, &before, row).await?;
    }
    if is_renamed {
        PriceLists::remove_parts(&writer, tx, id).await?;
        write_named(tx, &writer, id, &named).await?;
    }
    Ok(writer)
}

/// Deletes a list that is pending, with its prices. The history notes how many they were and each of them, so that all of it can
/// come back.
pub async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
    let writer = scope.get::<PriceLists>(db, id).await?.writer(scope)?;
    deadline::extend(deadline::MANY_RECORDS);
    let tx = db.begin_long().await?;
    let list = usage::release::<PriceLists>(&tx, &writer, id, |list| match list.status(&now()) {
        Status::Pending => Ok(()),
        Status::Active | Status::Inactive => Err(Code::PriceListInForce.into()),
    })
    .await?;
    let prices = price_list_entry::writing::remove_all(&tx, &writer, &list).await?;
    writer.delete::<PriceLists>(&tx, id).await?;
    if let Some(mut entry) = writer.entry::<PriceLists>(Action::Deleted, Some(&list), None) {
        entry.lose(DELETED_PRICES, prices);
        tx.note(entry);
    }
    tx.commit().await
}

/// How the history calls the number of prices that went with a list. Where it is not noted, they cannot come back.
pub const DELETED_PRICES: &str = "price_count";

/// Makes a list again that was deleted, with the prices that `next` gives until there are none.
///
/// # Errors
/// All broken rules at their fields, as of a new list.
pub async fn make_again(
    db: &Database,
    scope: &Scope,
    input: Validated<PriceListInput>,
    mut next: impl AsyncFnMut() -> Result<Vec<price_list_entry::ActiveModel>>,
) -> Result<()> {
    let tx = db.begin_long().await?;
    let list = insert(&tx, scope, input, None, now()).await?;
    let writer = list.writer(scope)?;
    loop {
        let rows = next().await?;
        if rows.is_empty() {
            return tx.commit().await;
        }
        price_list_entry::taken_back::make_list_again(&tx, &writer, &list, rows).await?;
    }
}

/// Which of these lists have got, changed or lost prices since they were made.
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

/// How many prices these lists hold.
pub async fn count_prices(
    db: &impl ConnectionTrait,
    scope: &Scope,
    ids: impl IntoIterator<Item = i64>,
) -> Result<u64> {
    let counts = scope.find::<PriceLists>().filter(Column::Id.is_in(ids)).select_only();
    let counts: Vec<i64> = counts.column(Column::PriceCount).into_tuple().all(db).await?;
    Ok(counts.into_iter().map(i64::unsigned_abs).sum())
}

/// Ends a list at once. A pending one ends where it would begin, and so never holds.
///
/// # Errors
/// When it has expired already.
pub async fn archive(db: &Database, scope: &Scope, id: i64, version: Option<i64>) -> Result<PriceListDetail> {
    let tx = db.begin().await?;
    let writer = end_at_once(&tx, scope, id, version).await?;
    finish(tx, &writer, id).await
}

/// The same in a transaction that the caller ends; whoever it is written by.
pub(crate) async fn end_at_once(tx: &Write, scope: &Scope, id: i64, version: Option<i64>) -> Result<Scope> {
    let before = scope.get_locked::<PriceLists>(tx, id).await?;
    let writer = before.writer(scope)?;
    refuse_stale(version, before.version)?;
    let moment = now();
    before.refuse_expired(&moment)?;
    end(tx, &writer, &before, Ord::max(moment, before.valid_from)).await?;
    Ok(writer)
}

/// Lets a list end.
pub(crate) async fn end(tx: &Write, writer: &Scope, before: &PriceList, until: Instant) -> Result<()> {
    let row = ActiveModel { valid_until: Set(Some(until)), ..Default::default() };
    writer.update_from::<PriceLists>(tx, before, row).await?;
    Ok(())
}

/// Adds an audience of a list of internal prices: what articles cost its owner concerns nobody else. Lists that have had one since it
/// was possible may keep it, and count for whom they name, as the calculation says.
fn check_internal(
    input: &PriceListInput,
    before: Option<&PriceList>,
    kept: &Named,
    violations: &mut Violations,
) {
    if input.r#type != ListType::Internal {
        return;
    }
    let before = before.filter(|before| before.r#type == ListType::Internal);
    let was_global = before.is_some_and(|before| before.scope == ListScope::Global);
    if input.scope == ListScope::Global && !was_global {
        violations.add("scope", Code::InternalForOwner);
    }
    for (field, named, kept) in [
        ("tenant_ids", &input.tenant_ids, &kept.named),
        ("tenant_group_ids", &input.tenant_group_ids, &kept.groups),
        ("excluded_tenant_ids", &input.excluded_tenant_ids, &kept.excluded),
    ] {
        let is_kept = |id: &i64| before.is_some() && kept.contains(id);
        if !named.iter().all(is_kept) {
            violations.add(field, Code::InternalForOwner);
        }
    }
}

/// Whom an input names and leaves out, in order. Whoever is named already may stay, also where the caller does not see them.
async fn named(
    db: &impl ConnectionTrait,
    scope: &Scope,
    input: &PriceListInput,
    kept: &Named,
    violations: &mut Violations,
) -> Result<Named> {
    let (tenants, groups, excluded) =
        (&input.tenant_ids, &input.tenant_group_ids, &input.excluded_tenant_ids);
    let is_global = input.scope == ListScope::Global;
    if is_global {
        for (field, named) in [("tenant_ids", tenants), ("tenant_group_ids", groups)] {
            if !named.is_empty() {
                violations.add(field, Code::AudienceOfGlobal);
            }
        }
    }
    if [tenants, groups, excluded].iter().any(|named| named.len() > NAMED_MAX) {
        return Ok(Named::default());
    }
    let is_of_group = input.owner_tenant_group_id.is_some() && tenants.is_empty();
    if !excluded.is_empty() && !is_global && groups.is_empty() && !is_of_group {
        violations.add("excluded_tenant_ids", Code::ExcludesNobody);
    }
    let known = partner::visible(db, scope, tenants.iter().chain(excluded).copied()).await?;
    let unknown = |ids: &[i64]| -> HashMap<i64, Code> {
        let unknown = ids.iter().filter(|id| !known.contains(id));
        unknown.map(|id| (*id, Code::UnknownReference)).collect()
    };
    let unnameable = tenant_group::unnameable(db, scope, groups.iter().copied()).await?;
    for (field, named, kept, wrong) in [
        ("tenant_ids", tenants, &kept.named, unknown(tenants)),
        ("tenant_group_ids", groups, &kept.groups, unnameable),
        ("excluded_tenant_ids", excluded, &kept.excluded, unknown(excluded)),
    ] {
        rule::unique(violations, named, |index| format!("{field}.{index}"));
        for (index, id) in named.iter().enumerate().filter(|(_, id)| !kept.contains(id)) {
            if let Some(code) = wrong.get(id) {
                violations.add(format!("{field}.{index}"), *code);
            }
        }
    }
    for (index, _) in excluded.iter().enumerate().filter(|(_, id)| tenants.contains(id)) {
        violations.add(format!("excluded_tenant_ids.{index}"), Code::NamedAndExcluded);
    }
    let sorted = |ids: &[i64]| {
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        ids
    };
    if is_global {
        return Ok(Named { excluded: sorted(excluded), ..Named::default() });
    }
    Ok(Named { named: sorted(tenants), groups: sorted(groups), excluded: sorted(excluded), count: 0 })
}

fn row(input: &PriceListInput) -> ActiveModel {
    ActiveModel {
        owner_tenant_group_id: Set(input.owner_tenant_group_id),
        name_fold: Set(fold(&input.name)),
        name: Set(input.name.clone()),
        r#type: Set(input.r#type),
        scope: Set(input.scope),
        valid_from: Set(input.valid_from.trunc_subsecs(6)),
        valid_until: Set(input.valid_until.map(|until| until.trunc_subsecs(6))),
        ..Default::default()
    }
}

/// Whether a row that is about to be written says something else.
fn differs(before: &PriceList, row: &ActiveModel) -> bool {
    row.name.try_as_ref() != Some(&before.name)
        || row.r#type.try_as_ref() != Some(&before.r#type)
        || row.scope.try_as_ref() != Some(&before.scope)
        || row.valid_from.try_as_ref() != Some(&before.valid_from)
        || row.valid_until.try_as_ref() != Some(&before.valid_until)
}

async fn write_named(tx: &Write, writer: &Scope, id: i64, named: &Named) -> Result<()> {
    let tenants = named
        .named
        .iter()
        .map(|tenant| price_list_tenant::ActiveModel { tenant_id: Set(*tenant), ..Default::default() });
    writer.add_parts::<ListTenants>(tx, id, tenants).await?;
    let excluded = named.excluded.iter().map(|tenant| price_list_excluded_tenant::ActiveModel {
        tenant_id: Set(*tenant),
        ..Default::default()
    });
    writer.add_parts::<ListExcluded>(tx, id, excluded).await?;
    let groups = named.groups.iter().map(|group| price_list_tenant_group::ActiveModel {
        tenant_group_id: Set(*group),
        ..Default::default()
    });
    writer.add_parts::<ListGroups>(tx, id, groups).await
}

pub(crate) async fn finish(tx: Write, scope: &Scope, id: i64) -> Result<PriceListDetail> {
    let detail = view(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(detail)
}
