//! Days on which a warehouse, or all of a tenant, are closed besides weekends and public holidays:
//! stocktaking, local holidays, company outings. At most one closure per day and warehouse. Closures are not
//! edited but deleted and created again.

pub mod entity;

use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

use chrono::{Days, NaiveDate};
use lists::{Deletable, Detailed, Field, Listed, listed_reference};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, QueryFilter, QueryOrder};
use serde::Deserialize;
use store::{Database, Owner, Recorded, Reference, Resource, Scope, Scoped, Unique};
use tenancy::tenant::Tenants;
use utoipa::ToSchema;
use validator::Validate;
use values::{Instant, Phrase, Result, TenantId, Validated, fold, rule::printable, tidy};

use super::{Warehouse, WarehouseDetail, Warehouses};
use crate::{
    calendar::{Calendar, HORIZON_DAYS, Installation},
    codes, permissions,
};

pub use self::entity::{ActiveModel, Column, Entity as Closures, Model as Closure};

impl Scoped for Closures {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for Closures {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "closures",
        Phrase { de: "Schließtage", en: "closures" },
        permissions::LIST_WAREHOUSES,
    )
    .refers(&[
        listed_reference::<Self, Tenants>("tenant_id"),
        Reference::loose::<Warehouses>("warehouse_id"),
    ]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const UNIQUE: &'static [Unique] =
        &[Unique::new("closure_tenant_id_warehouse_key_date_key", "date", codes::TAKEN)];
    /// Column left out of the history, because the reference says the same.
    const UNNOTED: &'static [Column] = &[Column::WarehouseKey];
}

impl Listed for Closures {
    const FIELDS: &'static [Field] = &[
        Field::date("date", &Column::Date),
        Field::text("name", &Column::NameFold).unsorted(),
        Field::id("warehouse_id", &Column::WarehouseId).optional(),
        Field::id("tenant_id", &Column::TenantId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "date";
}

/// Input to close a day.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct ClosureInput {
    /// Date, in the installation's time zone; a day has one closure per warehouse and one for all.
    pub date: NaiveDate,
    #[schema(min_length = 1, max_length = 255, example = "Inventur")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Id of the warehouse that is closed; `null` for all.
    pub warehouse_id: Option<i64>,
}

tidy!(ClosureInput: trim name;);

/// Creates a closure of one or all warehouses of a tenant.
pub async fn create(
    db: &Database,
    scope: &Scope,
    input: impl Into<Validated<ClosureInput>>,
) -> Result<Closure> {
    let (ClosureInput { date, name, warehouse_id }, mut violations) = input.into().parts();
    scope.claim::<Closures>()?;
    let tx = db.begin().await?;
    if let Some(id) = warehouse_id
        && scope.get::<Warehouses>(&tx, id).await.is_err()
    {
        violations.add("warehouse_id", codes::UNKNOWN_REFERENCE);
    }
    violations.check()?;
    let row = ActiveModel {
        date: Set(date),
        name_fold: Set(fold(&name)),
        name: Set(name),
        warehouse_id: Set(warehouse_id),
        warehouse_key: Set(warehouse_id.unwrap_or_default()),
        ..Default::default()
    };
    let closure = scope.create::<Closures>(&tx, row).await?;
    tx.commit().await?;
    Ok(closure)
}

impl<C: ConnectionTrait> Detailed<C> for Closures {
    type Detail = Closure;

    async fn detailed(_: &C, _: &Scope, rows: Vec<Closure>) -> Result<Vec<Closure>> {
        Ok(rows)
    }
}

impl Deletable for Closures {
    /// Deletes a closure.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        let tx = db.begin().await?;
        scope.delete::<Self>(&tx, id).await?;
        tx.commit().await
    }
}

/// Range of days around times in which closures can change an answer.
pub fn days_around(
    installation: &Installation,
    moments: impl Iterator<Item = Instant> + Clone,
) -> Range<NaiveDate> {
    let clock = Calendar::new(installation.clone(), None, []);
    let around = Days::new(2 * HORIZON_DAYS as u64);
    let first = moments.clone().min().map(|moment| clock.day_of(moment)).unwrap_or_default();
    let last = moments.max().map(|moment| clock.day_of(moment)).unwrap_or_default();
    first.checked_sub_days(around).unwrap_or(first)..last.checked_add_days(around).unwrap_or(last)
}

/// Loads the details of warehouses and their calendars for a range of days, by warehouse id.
pub async fn with_calendars(
    db: &impl ConnectionTrait,
    scope: &Scope,
    installation: &Installation,
    warehouses: Vec<Warehouse>,
    days: Range<NaiveDate>,
) -> Result<HashMap<i64, (WarehouseDetail, Calendar)>> {
    if warehouses.is_empty() {
        return Ok(HashMap::new());
    }
    let tenants: HashSet<TenantId> = warehouses.iter().map(|warehouse| warehouse.tenant_id).collect();
    let keys = warehouses.iter().map(|warehouse| warehouse.id).chain([0]);
    let closures = scope
        .find::<Closures>()
        .filter(Column::TenantId.is_in(tenants))
        .filter(Column::WarehouseKey.is_in(keys))
        .filter(Column::Date.gte(days.start))
        .filter(Column::Date.lt(days.end))
        .order_by_asc(Column::Date)
        .order_by_asc(Column::WarehouseKey)
        .all(db)
        .await?;
    let with_calendar = |detail: WarehouseDetail| {
        let Warehouse { id, tenant_id, region, .. } = detail.warehouse;
        let concerns =
            |closure: &&Closure| closure.tenant_id == tenant_id && [0, id].contains(&closure.warehouse_key);
        let own = closures.iter().filter(concerns).map(|closure| (closure.date, closure.name.clone()));
        let calendar = Calendar::new(installation.clone(), region, own);
        (id, (detail, calendar))
    };
    Ok(Warehouses::detailed(db, scope, warehouses).await?.into_iter().map(with_calendar).collect())
}

/// Loads the days on which a warehouse is closed; of two for the same day its own comes last.
pub async fn find_in_days(
    db: &impl ConnectionTrait,
    scope: &Scope,
    warehouse: &Warehouse,
    days: Range<NaiveDate>,
) -> Result<Vec<Closure>> {
    let closures = scope
        .acting_for(Some(warehouse.tenant_id))
        .find::<Closures>()
        .filter(Column::WarehouseKey.is_in([0, warehouse.id]))
        .filter(Column::Date.gte(days.start))
        .filter(Column::Date.lt(days.end))
        .order_by_asc(Column::Date)
        .order_by_asc(Column::WarehouseKey);
    Ok(closures.all(db).await?)
}
