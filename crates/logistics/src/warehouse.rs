//! Warehouses of a tenant: name and short code are unique within the tenant, ignoring case; files name a
//! warehouse by its short code. An order before the cut-off counts for the same day.

pub mod closure;
pub mod cut_off_entity;
pub mod entity;
pub mod readiness;

use std::{collections::HashMap, iter::once};

use lists::{
    Creatable, Deletable, Detailed, Field, Listed, Managed, listed_reference,
    search::{self, SearchedColumns},
};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, FromQueryResult, QueryFilter, QuerySelect,
    QueryTrait, sea_query::SelectStatement,
};
use serde::Deserialize;
use store::{
    Database, NumberedColumns, Owner, Recorded, Resource, Scope, Scoped, Unique, Write, scope::Part, usage,
};
use tenancy::tenant::{self, Tenants};
use utoipa::ToSchema;
use validator::Validate;
use values::{
    ClockTime, Error, Instant, Phrase, Result, Validated, Weekday, fold,
    rule::{SHORT_CODE, clock_time, duration, printable},
    tidy,
};

use self::{
    closure::{Closure, Closures},
    cut_off_entity::Entity as CutOffRows,
    readiness::{CutOffs, Readiness},
};
use crate::{
    calendar::{self, DaysOff, Installation, region::Region},
    codes, permissions,
};

pub use self::entity::{ActiveModel, Column, Entity as Warehouses, Model as Warehouse};

impl Scoped for Warehouses {
    const ID: Column = Column::Id;
    const OWNER: Owner<Column> = Owner::Tenant(Column::TenantId);
}

impl Recorded for Warehouses {
    const RESOURCE: &'static Resource = &Resource::new::<Self>(
        "warehouses",
        Phrase { de: "Lager", en: "warehouses" },
        permissions::LIST_WAREHOUSES,
    )
    .refers(&[listed_reference::<Self, Tenants>("tenant_id")]);
    const NAME: Column = Column::Name;
    const VERSION: Column = Column::Version;
    const CREATED_AT: Column = Column::CreatedAt;
    const UPDATED_AT: Column = Column::UpdatedAt;
    const NUMBERED: Option<NumberedColumns<Column>> = Some(NumberedColumns::by_owner(Column::Change));
    const UNIQUE: &'static [Unique] = &[
        Unique::new("warehouse_tenant_id_name_fold_key", "name", codes::TAKEN),
        Unique::new("warehouse_tenant_id_short_code_fold_key", "short_code", codes::TAKEN),
    ];

    async fn remove_parts(scope: &Scope, tx: &Write, id: i64) -> Result<()> {
        // Closures of this warehouse alone are deleted too.
        for closure in
            scope.find::<Closures>().filter(self::closure::entity::Column::WarehouseId.eq(id)).all(tx).await?
        {
            scope.delete::<Closures>(tx, closure.id).await?;
        }
        scope.remove_parts::<CutOffRows>(tx, id, Condition::all()).await
    }
}

impl Listed for Warehouses {
    const FIELDS: &'static [Field] = &[
        Field::text("name", &Column::NameFold).sorted_by(&Column::NameSort),
        Field::text("short_code", &Column::ShortCodeFold).sorted_by(&Column::ShortCodeSort),
        Field::search("search", &Column::NameFold, &SEARCHED),
        Field::integer("preparation_duration_before", &Column::PreparationDurationBefore).unsorted(),
        Field::choice("region", &Column::Region, Region::CODES).optional().unsorted(),
        Field::id("tenant_id", &Column::TenantId),
        Field::time("updated_at", &Column::UpdatedAt),
    ];
    const DEFAULT_SORT: &'static str = "name";
    const ON_REPLICA: bool = true;
}

/// Selects the acting tenant's warehouses with these short codes, for filters of lists whose records refer to
/// warehouses.
pub fn ids_of_short_codes(scope: &Scope, short_codes: Vec<String>) -> SelectStatement {
    let short_codes = short_codes.iter().map(|code| fold(code.trim()));
    let select = scope.find::<Warehouses>().filter(Column::ShortCodeFold.is_in(short_codes));
    select.select_only().column(Column::Id).into_query()
}

const SEARCHED: SearchedColumns = SearchedColumns {
    columns: &[&Column::NameFold, &Column::ShortCodeFold, &Column::AddressFold],
    trigrams: None,
    references: &[],
    read: search::words,
    beginnings: None,
};

impl Part for CutOffRows {
    type Whole = Warehouses;
    const WHOLE: cut_off_entity::Column = cut_off_entity::Column::WarehouseId;
    const TENANT: Option<cut_off_entity::Column> = Some(cut_off_entity::Column::TenantId);
}

/// Weekday of the row that applies to every day without one of its own.
const USUAL: i64 = 0;

/// Input to create or change a warehouse.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct WarehouseInput {
    /// Name; unique within the tenant, ignoring case.
    #[schema(min_length = 1, max_length = 255, example = "Lager Duisburg")]
    #[validate(length(min = 1, max = 255), custom(function = printable))]
    pub name: String,
    /// Short code that files use; unique within the tenant, ignoring case.
    #[schema(min_length = 1, max_length = 255, pattern = "^[A-Za-z0-9_.,-]+$", example = "DU")]
    #[validate(length(min = 1, max = 255), custom(function = printable), regex(path = *SHORT_CODE, code = "invalid_short_code"))]
    pub short_code: String,
    /// Preparation of an order in minutes, from the cut-off of its day on, or from the order if there is no
    /// cut-off.
    #[schema(value_type = values::Minutes)]
    pub preparation_duration_before: i64,
    /// Cut-off: an order before it counts for the same day. Without one, preparation starts with the order.
    #[schema(value_type = Option<ClockTime>)]
    pub preparation_shift_time: Option<String>,
    #[schema(max_length = 255, example = "Stahlstraße 3, 47119 Duisburg")]
    #[validate(length(max = 255), custom(function = printable))]
    pub address: Option<String>,
    /// Region whose public holidays apply there; that of the installation if absent.
    pub region: Option<Region>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

tidy!(WarehouseInput: trim name, short_code; or_none address;);

/// Warehouse with its tenant and its cut-offs.
#[derive(Debug, Clone)]
pub struct WarehouseDetail {
    pub warehouse: Warehouse,
    /// Short code of the tenant.
    pub tenant: String,
    pub cut_offs: CutOffs,
}

/// Warehouse as other records refer to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, FromQueryResult)]
pub struct WarehouseName {
    pub id: i64,
    pub short_code: String,
}

/// Loads a warehouse with its cut-offs.
pub async fn view(db: &impl ConnectionTrait, scope: &Scope, id: i64) -> Result<WarehouseDetail> {
    let warehouse = scope.get::<Warehouses>(db, id).await?;
    Ok(Warehouses::detailed(db, scope, vec![warehouse]).await?.remove(0))
}

impl<C: ConnectionTrait> Detailed<C> for Warehouses {
    type Detail = WarehouseDetail;

    /// Loads the tenants and cut-offs of warehouses.
    async fn detailed(db: &C, scope: &Scope, warehouses: Vec<Warehouse>) -> Result<Vec<WarehouseDetail>> {
        let codes =
            tenant::short_codes(db, scope, warehouses.iter().map(|warehouse| warehouse.tenant_id)).await?;
        let rows = scope.parts::<CutOffRows>(warehouses.iter().map(|warehouse| warehouse.id)).all(db).await?;
        let mut cut_offs: HashMap<i64, CutOffs> = HashMap::new();
        for row in rows {
            let of_warehouse = cut_offs.entry(row.warehouse_id).or_default();
            match Weekday::from_number(row.weekday) {
                Some(weekday) => of_warehouse.by_weekday.push((weekday, row.cut_off)),
                None => of_warehouse.usual = Some(row.cut_off),
            }
        }
        let detail = |warehouse: Warehouse| WarehouseDetail {
            tenant: codes.get(&warehouse.tenant_id).cloned().unwrap_or_default(),
            cut_offs: cut_offs.remove(&warehouse.id).unwrap_or_default(),
            warehouse,
        };
        Ok(warehouses.into_iter().map(detail).collect())
    }
}

impl Managed for Warehouses {
    type Input = WarehouseInput;

    /// Updates a warehouse and its cut-offs.
    async fn update(
        db: &Database,
        scope: &Scope,
        id: i64,
        input: impl Into<Validated<WarehouseInput>>,
    ) -> Result<WarehouseDetail> {
        let input = input.into();
        let version = input.version;
        let (row, cut_off) = row(input)?;
        let tx = db.begin().await?;
        scope.update::<Self>(&tx, id, version, row).await?;
        set_cut_off(&tx, scope, id, cut_off).await?;
        finish(tx, scope, id).await
    }
}

impl Creatable for Warehouses {
    /// Creates a warehouse with its cut-offs.
    async fn create(
        db: &Database,
        scope: &Scope,
        input: impl Into<Validated<WarehouseInput>>,
    ) -> Result<WarehouseDetail> {
        let (row, cut_off) = row(input.into())?;
        let tx = db.begin().await?;
        let warehouse = scope.create::<Self>(&tx, row).await?;
        set_cut_off(&tx, scope, warehouse.id, cut_off).await?;
        finish(tx, scope, warehouse.id).await
    }
}

impl Deletable for Warehouses {
    /// Deletes a warehouse and its closures. Refused while other records refer to it.
    async fn delete(db: &Database, scope: &Scope, id: i64) -> Result<()> {
        usage::delete::<Self>(db, scope, id, |_| Ok(())).await
    }
}

/// Readiness of an order placed there at a given time, with its reasons.
pub async fn readiness(
    db: &impl ConnectionTrait,
    scope: &Scope,
    installation: &Installation,
    id: i64,
    at: Instant,
) -> Result<Readiness> {
    let warehouse = scope.get::<Warehouses>(db, id).await?;
    let days = closure::days_around(installation, once(at));
    let mut details = closure::with_calendars(db, scope, installation, vec![warehouse], days).await?;
    let (WarehouseDetail { warehouse, cut_offs, .. }, calendar) =
        details.remove(&id).ok_or_else(Error::not_found)?;
    readiness::ready(&calendar, &cut_offs, warehouse.preparation_duration_before, at)
}

/// Days of a year on which a warehouse does not work.
///
/// # Errors
/// At `year` if its holidays are not known.
pub async fn days_off(
    db: &impl ConnectionTrait,
    scope: &Scope,
    installation: &Installation,
    id: i64,
    year: i32,
) -> Result<DaysOff<Closure>> {
    let days = calendar::days_of_year(year)?;
    let warehouse = scope.get::<Warehouses>(db, id).await?;
    let closures = closure::find_in_days(db, scope, &warehouse, days).await?;
    Ok(DaysOff::new(installation, warehouse.region, year, closures))
}

async fn set_cut_off(tx: &Write, scope: &Scope, id: i64, cut_off: Option<ClockTime>) -> Result<()> {
    let usual = cut_off_entity::Column::Weekday.eq(USUAL);
    scope.remove_parts::<CutOffRows>(tx, id, usual).await?;
    let tenant = scope.tenant()?;
    let rows = cut_off.map(|cut_off| cut_off_entity::ActiveModel {
        tenant_id: Set(tenant),
        weekday: Set(USUAL),
        cut_off: Set(cut_off),
        ..Default::default()
    });
    scope.add_parts::<CutOffRows>(tx, id, rows).await
}

async fn finish(tx: Write, scope: &Scope, id: i64) -> Result<WarehouseDetail> {
    let detail = view(&tx, scope, id).await?;
    tx.commit().await?;
    Ok(detail)
}

/// Converts a validated input to a row and the default cut-off.
fn row(input: Validated<WarehouseInput>) -> Result<(ActiveModel, Option<ClockTime>)> {
    let (input, mut violations) = input.parts();
    let WarehouseInput { name, short_code, address, region, .. } = input;
    let before = duration(&mut violations, "preparation_duration_before", input.preparation_duration_before);
    let shift_time = input.preparation_shift_time.as_deref();
    let cut_off = clock_time(&mut violations, "preparation_shift_time", shift_time);
    violations.check()?;

    let row = ActiveModel {
        name_fold: Set(fold(&name)),
        name: Set(name),
        short_code_fold: Set(fold(&short_code)),
        short_code: Set(short_code),
        preparation_duration_before: Set(before.unwrap_or_default()),
        address_fold: Set(fold(address.as_deref().unwrap_or_default())),
        address: Set(address),
        region: Set(region),
        ..Default::default()
    };
    Ok((row, cut_off))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_follow_the_shared_rules() {
        testkit::rules::check_rows("warehouse.json", row);
    }
}
