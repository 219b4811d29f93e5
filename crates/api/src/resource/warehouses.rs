//! Warehouses over HTTP.

use chrono::{DateTime, Utc};
use kernel::{
    ClockTime, Minutes, may,
    usage::{self, Usage},
};
use logistics::{
    region::Region,
    warehouse::{self, Warehouse, WarehouseDetail, WarehouseInput, Warehouses},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Download, Listing, Shown, Whole, created, done, listing, shown},
        bulk::{self, BulkOutcome, Matching, Selection},
        export::{Export, Table, time},
        input::{About, Body, Db, Id, List, Server},
        routes::{Answer, Routes},
    },
    publish,
    resource::{readiness::ReadinessView, tenants::TenantReference},
    words,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "warehouses": list, export, create, view, update, delete, bulk_delete, usage, readiness);
}

/// A warehouse of a tenant.
#[derive(Serialize, ToSchema)]
#[schema(as = Warehouse)]
struct WarehouseView {
    id: i64,
    tenant: TenantReference,
    /// Unique within the tenant, whatever its case.
    name: String,
    /// What files call it; unique within the tenant, whatever its case.
    short_code: String,
    /// How long an order is prepared, from the cut-off of its day on, or from the order where there is no cut-off.
    preparation_duration_before: Minutes,
    /// The cut-off: an order that comes before it is of the same day.
    #[schema(required)]
    preparation_shift_time: Option<ClockTime>,
    #[schema(required)]
    address: Option<String>,
    /// Whose public holidays are kept there; `null`: the installation's.
    #[schema(required)]
    region: Option<Region>,
    /// Counts the changes; to be sent back with a change.
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<WarehouseDetail> for WarehouseView {
    fn from(WarehouseDetail { warehouse, tenant, cut_offs }: WarehouseDetail) -> Self {
        let Warehouse { id, name, short_code, preparation_duration_before, address, region, .. } = warehouse;
        let Warehouse { tenant_id, version, created_at, updated_at, .. } = warehouse;
        Self {
            id,
            tenant: TenantReference { id: tenant_id, short_code: tenant },
            name,
            short_code,
            preparation_duration_before,
            preparation_shift_time: cut_offs.usual,
            address,
            region,
            version,
            created_at,
            updated_at,
        }
    }
}

/// Lists warehouses.
#[utoipa::path(get, path = "/api/admin/warehouses")]
async fn list(
    by: Authorized<may::ListWarehouses>,
    Db(db): Db,
    List(query): List<Warehouses>,
) -> Answer<Listing<WarehouseView>> {
    Ok(listing(warehouse::list(&db, by.scope(), &query).await?))
}

/// Exports all warehouses that the filters match.
#[utoipa::path(get, path = "/api/admin/warehouses/export")]
async fn export(by: Authorized<may::ListWarehouses>, export: Export<Warehouses>) -> Answer<Download> {
    let table = Table {
        words: words!("warehouses"),
        columns: &[
            ("name", |row: &WarehouseDetail, _| row.warehouse.name.as_str().into()),
            ("short_code", |row, _| row.warehouse.short_code.as_str().into()),
            ("preparation_duration_before", |row, _| {
                row.warehouse.preparation_duration_before.to_string().as_str().into()
            }),
            ("preparation_shift_time", |row, _| {
                row.cut_offs.usual.map(|time| time.to_string()).as_deref().into()
            }),
            ("address", |row, _| row.warehouse.address.as_deref().into()),
            ("region", |row, words| words.choice("region", row.warehouse.region)),
            ("tenant_id", |row, _| row.tenant.as_str().into()),
            ("updated_at", |row, _| time(row.warehouse.updated_at)),
        ],
    };
    let detailed = async |db: &_, rows| warehouse::detailed(db, by.scope(), rows).await;
    Ok(export.table(by.scope(), &table, detailed).await?)
}

/// Creates a warehouse.
#[utoipa::path(post, path = "/api/admin/warehouses")]
async fn create(
    by: Authorized<may::CreateWarehouse>,
    Db(db): Db,
    Body(input): Body<WarehouseInput>,
) -> Answer<Created<WarehouseView>> {
    Ok(created(warehouse::create(&db, by.scope(), input).await?))
}

/// Shows a warehouse.
#[utoipa::path(get, path = "/api/admin/warehouses/{id}")]
async fn view(by: Authorized<may::ViewWarehouse>, Db(db): Db, Id(id): Id) -> Answer<Shown<WarehouseView>> {
    Ok(shown(warehouse::view(&db, by.scope(), id).await?))
}

/// Changes a warehouse.
#[utoipa::path(put, path = "/api/admin/warehouses/{id}")]
async fn update(
    by: Authorized<may::UpdateWarehouse>,
    Db(db): Db,
    Id(id): Id,
    Body(input): Body<WarehouseInput>,
) -> Answer<Shown<WarehouseView>> {
    Ok(shown(warehouse::update(&db, by.scope(), id, input).await?))
}

/// Deletes a warehouse that nothing refers to; its closures go with it.
#[utoipa::path(delete, path = "/api/admin/warehouses/{id}")]
async fn delete(by: Authorized<may::DeleteWarehouse>, Db(db): Db, Id(id): Id) -> Answer<Done> {
    Ok(done(warehouse::delete(&db, by.scope(), id).await?))
}

/// Deletes many warehouses, as far as each of them can be deleted.
#[utoipa::path(post, path = "/api/admin/warehouses/bulk-delete")]
async fn bulk_delete(
    by: Authorized<may::DeleteWarehouse>,
    Db(db): Db,
    About(request): About,
    matching: Matching<Warehouses>,
    Body(selection): Body<Selection>,
) -> Answer<Shown<BulkOutcome>> {
    let one = async |id, _: &str| warehouse::delete(&db, by.scope(), id).await;
    let records = (&db, by.scope());
    Ok(shown(
        bulk::each(records, &matching, &selection, warehouse::Column::Name, request.language, one).await?,
    ))
}

/// Shows where a warehouse is used.
#[utoipa::path(get, path = "/api/admin/warehouses/{id}/usage")]
async fn usage(by: Authorized<may::ViewWarehouse>, Db(db): Db, Id(id): Id) -> Answer<Shown<Whole<Usage>>> {
    Ok(shown(usage::of::<Warehouses>(&db, by.scope(), id).await?))
}

/// When something is ordered.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ReadinessInput {
    /// The moment of the order, in the years 2000 to 2099.
    at: DateTime<Utc>,
}

/// Shows when an order of a moment is ready in a warehouse, and why.
#[utoipa::path(post, path = "/api/admin/warehouses/{id}/readiness")]
async fn readiness(
    by: Authorized<may::ViewWarehouse>,
    Server(state): Server,
    Id(id): Id,
    Body(ReadinessInput { at }): Body<ReadinessInput>,
) -> Answer<Shown<ReadinessView>> {
    let installation = state.settings.installation();
    Ok(shown(warehouse::readiness(&state.db, by.scope(), &installation, id, at).await?))
}
