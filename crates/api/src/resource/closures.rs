//! Closures over HTTP: days on which warehouses are closed.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::may;
use logistics::closure::{self, Closure, ClosureInput, Closures};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    http::{
        access::Authorized,
        answer::{Created, Done, Listing, created, done, listing},
        input::{Body, Db, Id, List},
        routes::{Answer, Routes},
    },
    publish,
};

pub(crate) fn routes(routes: &mut Routes) {
    publish!(routes, "closures": list, create, delete);
}

/// A day on which a warehouse, or all that a tenant has, are closed.
#[derive(Serialize, ToSchema)]
#[schema(as = Closure)]
struct ClosureView {
    id: i64,
    tenant_id: i64,
    /// In the installation's time zone.
    date: NaiveDate,
    name: String,
    /// Which warehouse; `null`: all.
    #[schema(required)]
    warehouse_id: Option<i64>,
    version: i64,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<Closure> for ClosureView {
    fn from(closure: Closure) -> Self {
        let Closure { id, tenant_id, date, name, warehouse_id, version, created_at, updated_at, .. } =
            closure;
        Self { id, tenant_id, date, name, warehouse_id, version, created_at, updated_at }
    }
}

/// Lists closures.
#[utoipa::path(get, path = "/api/admin/closures")]
async fn list(
    by: Authorized<may::ListWarehouses>,
    Db(db): Db,
    List(query): List<Closures>,
) -> Answer<Listing<ClosureView>> {
    Ok(listing(query.fetch::<Closure>(&db, by.scope(), |select| select).await?))
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

/// Deletes a closure.
#[utoipa::path(delete, path = "/api/admin/closures/{id}")]
async fn delete(by: Authorized<may::UpdateWarehouse>, Db(db): Db, Id(id): Id) -> Answer<Done> {
    Ok(done(closure::delete(&db, by.scope(), id).await?))
}
