//! Warehouses over HTTP.

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    export::{Column, time},
    input::{Body, Id, Year},
    publish,
    routes::{Answer, Routes},
};
use logistics::{
    calendar::region::Region,
    may,
    warehouse::{self, WarehouseDetail, Warehouses},
};
use serde::Deserialize;
use store::Database;
use utoipa::ToSchema;
use values::{ClockTime, Minutes};

use crate::{
    resource::{
        by_name::by_name,
        crud::{Exportable, operations, view_of},
        days_off::DaysOffView,
        readiness::ReadinessView,
        search::findable,
        tenants::TenantReference,
        view::HasView,
    },
    state::Server,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Warehouses>(routes, "/api/admin/warehouses")
        .list::<may::ListWarehouses>("Lists warehouses.")
        .export::<may::ListWarehouses>("Exports all warehouses that match the filters.")
        .create::<may::CreateWarehouse>("Creates a warehouse.")
        .view::<may::ViewWarehouse>("Shows a warehouse.")
        .update::<may::UpdateWarehouse>("Changes a warehouse.")
        .by_name::<may::ViewWarehouse, may::UpdateWarehouse, may::CreateWarehouse>(
            "a warehouse by its short code",
        )
        .delete::<may::DeleteWarehouse>("Deletes an unused warehouse and its closures.")
        .bulk_delete::<may::DeleteWarehouse>("Deletes many warehouses and leaves those that are in use.")
        .usage::<may::ViewWarehouse>("Shows where a warehouse is used.");
    publish!(routes, Warehouses: readiness, calendar);
}

view_of! {
    /// A warehouse of a tenant.
    WarehouseView as Warehouse, of detail: WarehouseDetail, row detail.warehouse;
    tenant: TenantReference = TenantReference::new(detail.warehouse.tenant_id, detail.tenant),
    /// Unique within the tenant, ignoring case.
    #[schema(example = "Lager Duisburg")]
    name: String = detail.warehouse.name,
    /// Short code in files; unique within the tenant, ignoring case.
    #[schema(example = "DU")]
    short_code: String = detail.warehouse.short_code,
    /// Time for preparing an order, from the cut-off of its day on, or from the order if there is no cut-off.
    preparation_duration_before: Minutes = detail.warehouse.preparation_duration_before,
    /// Cut-off: an order before it counts for the same day.
    #[schema(required)]
    preparation_shift_time: Option<ClockTime> = detail.cut_offs.usual,
    #[schema(required, example = "Stahlstraße 3, 47119 Duisburg")]
    address: Option<String> = detail.warehouse.address,
    /// Region whose public holidays apply; `null` for the installation's.
    #[schema(required)]
    region: Option<Region> = detail.warehouse.region,
}

impl HasView for Warehouses {
    type Source = Database;
    type View = WarehouseView;
}

by_name!(Warehouses by short_code: warehouse::Column::ShortCodeFold, "short_code");
findable!(Warehouses, row => Some(row.short_code));

impl Exportable for Warehouses {
    const COLUMNS: &'static [Column<WarehouseDetail>] = &[
        ("name", |row, _| row.warehouse.name.as_str().into()),
        ("short_code", |row, _| row.warehouse.short_code.as_str().into()),
        ("preparation_duration_before", |row, _| {
            row.warehouse.preparation_duration_before.to_string().as_str().into()
        }),
        ("preparation_shift_time", |row, _| {
            row.cut_offs.usual.map(|time| time.to_string()).as_deref().into()
        }),
        ("address", |row, _| row.warehouse.address.as_deref().into()),
        ("region", |row, labels| labels.choice("region", row.warehouse.region)),
        ("tenant_id", |row, _| row.tenant.as_str().into()),
        ("updated_at", |row, _| time(row.warehouse.updated_at)),
    ];
}

/// Time of an order.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ReadinessInput {
    /// Time of the order, in the years 2000 to 2099.
    at: DateTime<Utc>,
}

/// Shows when an order is ready in a warehouse, with the reasons.
#[utoipa::path(post, path = "/api/admin/warehouses/{id}/readiness")]
async fn readiness(
    by: Authorized<may::ViewWarehouse>,
    Server(state): Server,
    Id(id): Id,
    Body(ReadinessInput { at }): Body<ReadinessInput>,
) -> Answer<OkJson<ReadinessView>> {
    let installation = state.settings.installation.clone();
    Ok(ok_json(warehouse::readiness(&state.db, by.scope(), &installation, id, at).await?))
}

/// Shows the days off of a warehouse in a year.
#[utoipa::path(get, path = "/api/admin/warehouses/{id}/calendar")]
async fn calendar(
    by: Authorized<may::ViewWarehouse>,
    Server(state): Server,
    Id(id): Id,
    Year(year): Year,
) -> Answer<OkJson<DaysOffView>> {
    let installation = state.settings.installation.clone();
    Ok(ok_json(warehouse::days_off(&state.db, by.scope(), &installation, id, year).await?))
}
