//! Closures over HTTP: days on which warehouses are closed.

use chrono::NaiveDate;
use http_api::{
    access::Authorized,
    answer::{Created, created},
    input::{Body, Db},
    publish,
    routes::{Answer, Routes},
};
use logistics::{
    may,
    warehouse::closure::{self, Closure, ClosureInput, Closures},
};
use store::Database;

use crate::resource::{
    crud::{operations, view_of},
    view::HasView,
};

pub(crate) fn routes(routes: &mut Routes) {
    operations::<Closures>(routes, "/api/admin/closures")
        .list::<may::ListWarehouses>("Lists closures.")
        .delete::<may::UpdateWarehouse>("Deletes a closure.");
    publish!(routes, Closures: create);
}

view_of! {
    /// Day on which a warehouse, or all warehouses of a tenant, are closed.
    ClosureView as Closure, of row: Closure, row row;
    tenant_id: i64 = row.tenant_id.into(),
    /// Date in the installation's time zone.
    date: NaiveDate = row.date,
    #[schema(example = "Inventur")]
    name: String = row.name,
    /// Warehouse that is closed; `null`: all of the tenant.
    #[schema(required)]
    warehouse_id: Option<i64> = row.warehouse_id,
}

impl HasView for Closures {
    type Source = Database;
    type View = ClosureView;
}

/// Closes a warehouse, or all of them, for a day.
#[utoipa::path(post, path = "/api/admin/closures")]
async fn create(
    by: Authorized<may::UpdateWarehouse>,
    Db(db): Db,
    Body(input): Body<ClosureInput>,
) -> Answer<Created<ClosureView>> {
    Ok(created(closure::create(&db, by.scope(), input).await?))
}
