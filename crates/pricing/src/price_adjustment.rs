//! Price adjustments of tenants: discounts and surcharges in an explicit order, each with its targets,
//! audience, conditions and period. Records that an adjustment names cannot be deleted.

pub mod entity;
mod order;
pub mod record_entity;
mod references;
pub mod tenant_entity;
pub mod terms;
#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use chrono::{DateTime, SubsecRound, Utc};
use lists::{Creatable, Deletable, Detailed, Field, Listed, Managed, listed_reference};
use logistics::{
    calendar::{is_in_known_year, unknown_year},
    matching,
    warehouse::Warehouses,
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition as Filter, ConnectionTrait, FromJsonQueryResult, PaginatorTrait,
    QueryFilter, QueryOrder, QuerySelect,
};
use serde::{Deserialize, Serialize};
use store::{
    Database, Owner, Part, PriceRole, Recorded, Resource, Scope, Scoped, Unique, Write, scope::refuse_stale,
    usage,
};
use tenancy::{
    partner,
    tenant::{self, Tenants},
    tenant_group::{self, TenantGroups},
};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Decimal, Error, Instant, Period, Phrase, Result, TenantId, Validated, Violations, fold,
    rule::{self, printable},
    tidy,
};

use self::{
    record_entity::{self as price_adjustment_record, Entity as NamedRecords},
    references::AdjustmentReferences,
    tenant_entity::{self as price_adjustment_tenant, Entity as NamedTenants},
    terms::{Adjustment, ApplyTo, CalculationType, Operation, PurchaseConstraints, Value, check_source},
};
use crate::{
    codes,
    condition::ConditionInput,
    permissions,
    surcharge_table::{self, SurchargeTables, surcharges::CompiledTable},
};

pub use self::entity::{ActiveModel, Column, Entity as PriceAdjustments, Model as PriceAdjustment};
pub(crate) use self::order::arrange;
pub use self::order::{OrderInput, reorder};

/// Maximum number of adjustments of a tenant; every cart runs through all of them.
pub const ADJUSTMENTS_MAX: u64 = 200;

/// Ids in a column, in ascending order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult)]
#[serde(transparent)]
pub struct Ids(pub Vec<i64>);

impl Scoped for PriceAdjustments {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for PriceAdjustments {
    const PRICES: Option<PriceRole<Column>> = Some(PriceRole::Rules);
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "price_adjustments",
        Phrase { de: "Preisanpassungen", en: "price adjustments" },
        permissions::LIST_PRICE_ADJUSTMENTS,
    )
    .refers(&[
        listed_reference::<Self, Tenants>("tenant_id"),
        listed_reference::<Self, catalog::article::Articles>("article_id"),
        listed_reference::<Self, catalog::article_type::ArticleTypes>("article_type_id"),
        listed_reference::<Self, catalog::category::Categories>("category_id"),
        listed_reference::<Self, catalog::material::Materials>("material_id"),
        listed_reference::<Self, catalog::processing::Processings>("processing_id"),
        listed_reference::<Self, Warehouses>("warehouse_id"),
        listed_reference::<Self, SurchargeTables>("surcharge_table_id"),
        listed_reference::<Self, Tenants>("named_tenant_id"),
        listed_reference::<Self, TenantGroups>("named_tenant_group_id"),
    ]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const WHOLE: &'static [Column] = &[Column::Conditions, Column::ApplyTo, Column::PurchaseConstraints];
    const UNIQUE: &'static [Unique] =
        &[Unique::new("price_adjustment_tenant_id_name_fold_key", "name", codes::TAKEN)];

    async fn remove_parts(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
        scope.remove_parts::<NamedRecords>(tx, id, Filter::all()).await?;
        scope.remove_parts::<NamedTenants>(tx, id, Filter::all()).await
    }
}

/// Filter field for a record that an adjustment names, in its conditions or outside them.
macro_rules! naming {
    ($name:literal, $column:ident) => {
        Field::part_id(
            $name,
            &price_adjustment_record::Column::$column,
            &price_adjustment_record::Column::AdjustmentId,
        )
        .with_part_tenant()
        .optional()
    };
}

impl Listed for PriceAdjustments {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::integer("position", &Column::Position),
        Field::bool("active", &Column::Active).unsorted(),
        Field::choice("operation", &Column::Operation, &["discount", "surcharge"]).unsorted(),
        Field::choice("calculation_type", &Column::CalculationType, CalculationType::NAMES).unsorted(),
        Field::time("valid_from", &Column::ValidFrom).nullable().unsorted(),
        Field::time("valid_until", &Column::ValidUntil).nullable().unsorted(),
        Field::id("surcharge_table_id", &Column::SurchargeTableId).optional(),
        Field::id("tenant_id", &Column::TenantId),
        naming!("article_id", ArticleId),
        naming!("article_type_id", ArticleTypeId),
        naming!("category_id", CategoryId),
        naming!("material_id", MaterialId),
        naming!("processing_id", ProcessingId),
        naming!("warehouse_id", WarehouseId),
        naming!("named_tenant_group_id", NamedTenantGroupId),
        Field::part_id(
            "named_tenant_id",
            &price_adjustment_tenant::Column::NamedTenantId,
            &price_adjustment_tenant::Column::AdjustmentId,
        )
        .with_part_tenant()
        .optional(),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "position";
    const NEEDS_TENANT: bool = true;
}

impl Part for NamedRecords {
    type Whole = PriceAdjustments;
    const WHOLE: price_adjustment_record::Column = price_adjustment_record::Column::AdjustmentId;
    const TENANT: Option<price_adjustment_record::Column> = Some(price_adjustment_record::Column::TenantId);
    const IS_NOTED: bool = false;
}

impl Part for NamedTenants {
    type Whole = PriceAdjustments;
    const WHOLE: price_adjustment_tenant::Column = price_adjustment_tenant::Column::AdjustmentId;
    const TENANT: Option<price_adjustment_tenant::Column> = Some(price_adjustment_tenant::Column::TenantId);
    const IS_NOTED: bool = false;
}

/// Input that creates or changes a price adjustment.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct PriceAdjustmentInput {
    /// Name, unique among the adjustments of the tenant, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Großmengenrabatt")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// False to switch the adjustment off.
    #[serde(default = "yes")]
    #[schema(default = true)]
    pub active: bool,
    pub operation: Operation,
    /// Value in EUR, or in percent for a relative calculation: above zero, with at most 8 digits before and 4
    /// after the decimal point; at most 100 percent for a discount, 1,000 for a surcharge. Omitted if a
    /// surcharge table gives the value.
    #[schema(example = "3")]
    pub value: Option<Decimal>,
    /// Surcharge table that gives the value, by the month of the cart, instead of `value`. Only with the
    /// calculation per tonne.
    pub surcharge_table_id: Option<i64>,
    pub calculation_type: CalculationType,
    /// Conditions; without any, the adjustment always applies.
    pub conditions: Option<ConditionInput>,
    /// True to exclude the amount from the basis of later relative adjustments.
    #[serde(default)]
    pub ignore_on_further_adjustments: bool,
    pub apply_to: ApplyTo,
    /// Buyers that the adjustment is for; if neither tenants nor groups are given, all buyers.
    #[serde(default)]
    #[schema(max_items = 200)]
    #[validate(length(max = 200))]
    pub tenant_ids: Vec<i64>,
    /// Groups whose members the adjustment is for.
    #[serde(default)]
    #[schema(max_items = 200)]
    #[validate(length(max = 200))]
    pub tenant_group_ids: Vec<i64>,
    /// Tenants that the adjustment never applies to, even if they are members of a group.
    #[serde(default)]
    #[schema(max_items = 200)]
    #[validate(length(max = 200))]
    pub excluded_tenant_ids: Vec<i64>,
    /// Quantities that can be ordered in one line. They refuse a line and change no price.
    pub purchase_constraints: Option<PurchaseConstraints>,
    pub valid_from: Option<DateTime<Utc>>,
    /// First moment at which the adjustment is no longer valid, after its beginning.
    pub valid_until: Option<DateTime<Utc>>,
    /// Version that was edited; rejected if it is not the current one.
    pub version: Option<i64>,
}

tidy!(PriceAdjustmentInput: trim name;);

const fn yes() -> bool {
    true
}

/// Adjustment with the records that it refers to.
#[derive(Debug, Clone)]
pub struct PriceAdjustmentDetail {
    pub adjustment: PriceAdjustment,
    /// Short code of the tenant.
    pub tenant: String,
    /// Buyers that the adjustment is for, by company.
    pub tenants: Vec<(i64, String)>,
    /// Groups that the adjustment is for, by name.
    pub tenant_groups: Vec<(i64, String)>,
    /// Excluded tenants, by company.
    pub excluded_tenants: Vec<(i64, String)>,
    /// Surcharge table that gives the value.
    pub surcharge_table: Option<(i64, String)>,
}

impl Adjustment {
    /// Converts a row for the calculation, with the tables of its tenant.
    pub(crate) fn from_row(row: PriceAdjustment, tables: &HashMap<i64, Arc<CompiledTable>>) -> Result<Self> {
        let table = |id: i64| tables.get(&id).cloned().map(Value::OfTable);
        let value = match (row.value, row.surcharge_table_id) {
            (Some(value), _) => Some(Value::Fixed(value)),
            (None, id) => id.and_then(table),
        };
        Ok(Self {
            id: row.id,
            owner: Some(row.tenant_id),
            position: row.position,
            name: row.name,
            active: row.active,
            operation: row.operation,
            value: value.ok_or_else(|| Error::internal("a price adjustment without value"))?,
            calculation_type: row.calculation_type,
            conditions: row.conditions,
            ignore_on_further_adjustments: row.ignore_on_further_adjustments,
            apply_to: row.apply_to,
            tenant_ids: row.tenant_ids.0.into_iter().map(TenantId).collect(),
            tenant_group_ids: row.tenant_group_ids.0,
            excluded_tenant_ids: row.excluded_tenant_ids.0.into_iter().map(TenantId).collect(),
            purchase_constraints: row.purchase_constraints,
            valid_from: row.valid_from,
            valid_until: row.valid_until,
        })
    }
}

/// Loads an adjustment with the names that the caller can see.
pub async fn view(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<PriceAdjustmentDetail> {
    let adjustment = scope.get::<PriceAdjustments>(db, id).await?;
    Ok(PriceAdjustments::detailed(db, scope, vec![adjustment]).await?.remove(0))
}

impl<C: ConnectionTrait> Detailed<C> for PriceAdjustments {
    type Detail = PriceAdjustmentDetail;

    /// Loads the records that adjustments refer to.
    async fn detailed(
        db: &C,
        scope: &Scope,
        rows: Vec<PriceAdjustment>,
    ) -> Result<Vec<PriceAdjustmentDetail>> {
        let codes = tenant::short_codes(db, scope, rows.iter().map(|row| row.tenant_id)).await?;
        let buyers = rows.iter().flat_map(|row| row.tenant_ids.0.iter().chain(&row.excluded_tenant_ids.0));
        let buyers: BTreeSet<i64> = buyers.copied().collect();
        // the owner of an adjustment sees all its tenants, including those that the platform has named
        let companies = if buyers.is_empty() {
            Vec::new()
        } else {
            tenant::sorted_by_company(db, Some(buyers.into_iter().collect())).await?
        };
        let groups: BTreeSet<i64> =
            rows.iter().flat_map(|row| row.tenant_group_ids.0.iter().copied()).collect();
        let groups = tenant_group::names(db, &Scope::platform(), groups).await?;
        let tables =
            surcharge_table::names(db, scope, rows.iter().filter_map(|row| row.surcharge_table_id)).await?;
        let mut groups: Vec<(i64, String)> = groups.into_iter().collect();
        groups.sort_by_cached_key(|(id, name)| (fold(name), *id));
        // a deleted tenant has no name, but stays in the result: without it, the adjustment would seem to be
        // for all
        let names_of = |names: &[(i64, String)], ids: &Ids| {
            let missing_ids = ids.0.iter().filter(|id| !names.iter().any(|(named_id, _)| named_id == *id));
            let existing_names = names.iter().filter(|(id, _)| ids.0.contains(id)).cloned();
            existing_names.chain(missing_ids.map(|id| (*id, String::new()))).collect::<Vec<_>>()
        };
        let detail = |adjustment: PriceAdjustment| PriceAdjustmentDetail {
            tenant: codes.get(&adjustment.tenant_id).cloned().unwrap_or_default(),
            tenants: names_of(&companies, &adjustment.tenant_ids),
            tenant_groups: names_of(&groups, &adjustment.tenant_group_ids),
            excluded_tenants: names_of(&companies, &adjustment.excluded_tenant_ids),
            surcharge_table: adjustment
                .surcharge_table_id
                .map(|id| (id, tables.get(&id).cloned().unwrap_or_default())),
            adjustment,
        };
        Ok(rows.into_iter().map(detail).collect())
    }
}

/// Loads the adjustments of a seller for their book, in any order.
pub(crate) async fn load_for_seller(db: &impl ConnectionTrait, seller: TenantId) -> Result<Vec<Adjustment>> {
    let rows = Scope::platform().acting_for(Some(seller)).find::<PriceAdjustments>().all(db).await?;
    let tables = if rows.iter().any(|row| row.surcharge_table_id.is_some()) {
        surcharge_table::load_compiled(db, seller).await?
    } else {
        HashMap::new()
    };
    rows.into_iter().map(|row| Adjustment::from_row(row, &tables)).collect()
}

impl Managed for PriceAdjustments {
    type Input = PriceAdjustmentInput;

    /// Changes an adjustment.
    ///
    /// # Errors
    /// All violations, by field.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<PriceAdjustmentInput>>,
    ) -> Result<PriceAdjustmentDetail> {
        let input = input.into();
        let tx = db.begin().await?;
        change(&tx, scope, id, input).await?;
        finish(tx, scope, id).await
    }
}

impl Creatable for PriceAdjustments {
    /// Creates an adjustment after all others.
    ///
    /// # Errors
    /// All violations, by field.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<PriceAdjustmentInput>>,
    ) -> Result<PriceAdjustmentDetail> {
        let input = input.into();
        scope.claim::<Self>()?;
        let tx = db.begin().await?;
        let adjustment = insert(&tx, scope, input).await?;
        finish(tx, scope, adjustment.id).await
    }
}

/// Like [`PriceAdjustments::create`], in a transaction that the caller commits.
pub(crate) async fn insert(
    tx: &Write,
    scope: &Scope,
    input: impl Into<Validated<PriceAdjustmentInput>>,
) -> Result<PriceAdjustment> {
    let (input, violations) = input.into().parts();
    scope.claim::<PriceAdjustments>()?;
    // locks the tenant: concurrent creations get different positions, and do not exceed the maximum
    matching::lock_tenant(tx, scope).await?;
    let (row, references) = read(tx, scope, input, None, violations).await?;
    if scope.find::<PriceAdjustments>().count(tx).await? >= ADJUSTMENTS_MAX {
        return Err(codes::TOO_MANY.with("max", ADJUSTMENTS_MAX).into());
    }
    let last: Option<Option<i64>> = scope
        .find::<PriceAdjustments>()
        .select_only()
        .column_as(Column::Position.max(), "last")
        .into_tuple()
        .one(tx)
        .await?;
    let row = ActiveModel { position: Set(last.flatten().unwrap_or_default() + 1), ..row };
    let adjustment = scope.create::<PriceAdjustments>(tx, row).await?;
    references.write(tx, scope, &adjustment).await?;
    Ok(adjustment)
}

/// Like [`PriceAdjustments::update`], in a transaction that the caller commits.
pub(crate) async fn change(
    tx: &Write,
    scope: &Scope,
    id: i64,
    input: impl Into<Validated<PriceAdjustmentInput>>,
) -> Result<PriceAdjustment> {
    let (input, violations) = input.into().parts();
    let before = scope.get_locked::<PriceAdjustments>(tx, id).await?;
    let writer = scope.acting_for(Some(before.tenant_id));
    refuse_stale(input.version, before.version)?;
    let (row, references) = read(tx, &writer, input, Some(&before), violations).await?;
    let after = writer.update_from::<PriceAdjustments>(tx, &before, row).await?;
    PriceAdjustments::remove_parts(&writer, tx, id).await?;
    references.write(tx, &writer, &after).await?;
    Ok(after)
}

impl Deletable for PriceAdjustments {
    /// Deletes an adjustment.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, scope, id, |_| Ok(())).await
    }
}

/// Validates an input; returns the row and the named records. Tenants and groups that the adjustment already
/// names may stay, even if the caller cannot see them.
async fn read(
    db: &impl ConnectionTrait,
    scope: &Scope,
    input: PriceAdjustmentInput,
    before: Option<&PriceAdjustment>,
    mut violations: Violations,
) -> Result<(ActiveModel, AdjustmentReferences)> {
    let (value, table) = (input.value, input.surcharge_table_id);
    check_source(&mut violations, value, table, input.operation, input.calculation_type);
    if let Some(table) = table
        && surcharge_table::names(db, scope, [table]).await?.is_empty()
    {
        violations.add("surcharge_table_id", codes::UNKNOWN_REFERENCE);
    }
    let conditions = input.conditions.as_ref().and_then(|tree| tree.read(CONDITIONS, &mut violations));
    input.apply_to.check(&mut violations, APPLY_TO);
    if let Some(constraints) = &input.purchase_constraints {
        constraints.check(&mut violations, "purchase_constraints");
        if !input.apply_to.is_for_articles() {
            violations.add("purchase_constraints", codes::CONSTRAINTS_NEED_ARTICLES);
        }
    }
    for (field, ids) in [
        (TENANTS, &input.tenant_ids),
        (GROUPS, &input.tenant_group_ids),
        (EXCLUDED, &input.excluded_tenant_ids),
    ] {
        rule::unique(&mut violations, ids, |index| format!("{field}.{index}"));
    }
    for (index, _) in
        input.excluded_tenant_ids.iter().enumerate().filter(|(_, id)| input.tenant_ids.contains(id))
    {
        violations.add(format!("{EXCLUDED}.{index}"), codes::NAMED_AND_EXCLUDED);
    }
    if !input.excluded_tenant_ids.is_empty()
        && !input.tenant_ids.is_empty()
        && input.tenant_group_ids.is_empty()
    {
        violations.add(EXCLUDED, codes::EXCLUDES_NOBODY);
    }
    let (valid_from, valid_until) =
        (input.valid_from.map(|at| at.trunc_subsecs(6)), input.valid_until.map(|at| at.trunc_subsecs(6)));
    check_years(before, valid_from, valid_until, &mut violations);
    if let Some(from) = valid_from {
        rule::period(&mut violations, "valid_until", &Period::new(from, valid_until));
    }
    let references = AdjustmentReferences::new(&input, conditions.as_ref());
    references.check(db, scope, before, &mut violations).await?;
    violations.check()?;
    let sorted = |mut ids: Vec<i64>| {
        ids.sort_unstable();
        Set(Ids(ids))
    };
    let row = ActiveModel {
        name_fold: Set(fold(&input.name)),
        name: Set(input.name),
        active: Set(input.active),
        operation: Set(input.operation),
        value: Set(input.value),
        surcharge_table_id: Set(input.surcharge_table_id),
        calculation_type: Set(input.calculation_type),
        conditions: Set(conditions),
        ignore_on_further_adjustments: Set(input.ignore_on_further_adjustments),
        apply_to: Set(input.apply_to),
        tenant_ids: sorted(input.tenant_ids),
        tenant_group_ids: sorted(input.tenant_group_ids),
        excluded_tenant_ids: sorted(input.excluded_tenant_ids),
        purchase_constraints: Set(input.purchase_constraints),
        valid_from: Set(valid_from),
        valid_until: Set(valid_until),
        ..Default::default()
    };
    Ok((row, references))
}

/// Adds a violation for each new or changed time in a year without a known calendar.
fn check_years(
    before: Option<&PriceAdjustment>,
    from: Option<Instant>,
    until: Option<Instant>,
    violations: &mut Violations,
) {
    let was = before.map_or((None, None), |before| (before.valid_from, before.valid_until));
    for (field, at, was) in [("valid_from", from, was.0), ("valid_until", until, was.1)] {
        if at != was && at.is_some_and(|at| !is_in_known_year(&at)) {
            violations.add(field, unknown_year());
        }
    }
}

const CONDITIONS: &str = "conditions";
const APPLY_TO: &str = "apply_to";
const TENANTS: &str = "tenant_ids";
const GROUPS: &str = "tenant_group_ids";
const EXCLUDED: &str = "excluded_tenant_ids";

async fn finish(tx: Write, scope: &Scope, id: i64) -> Result<PriceAdjustmentDetail> {
    let detail = view(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(detail)
}
