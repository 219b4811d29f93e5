//! Impact of an import on prices, over HTTP: a dry run is applied in a rehearsal.

use http_api::{
    access::Authorized,
    answer::OkJson,
    input::Id,
    publish,
    routes::{Answer, Routes},
};
use imports::import::{self, Imports, services::ImportServices};
use store::Database;
use values::TenantId;

use crate::{
    resource::impact::{ImpactCalculator, ImpactView},
    work,
};

/// Maximum number of rows of an import whose impact is calculated.
const ROWS_MAX: i64 = 10_000;

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, Imports: impact);
}

/// Previews the impact on prices of applying a dry run of at most 10,000 rows. Nothing is changed. Needs the
/// permissions for applying it, and `listing.view`.
#[utoipa::path(post, path = "/api/admin/imports/{id}/impact")]
async fn impact(
    by: Authorized<imports::may::CreateImport>,
    impacts: ImpactCalculator,
    Id(id): Id,
) -> Answer<OkJson<ImpactView>> {
    let (scope, state) = (by.scope(), &impacts.state);
    let seller = TenantId(scope.get::<Imports>(&state.db, id).await?.tenant_id);
    by.require_permission::<pricing::may::ViewPrice>()?;
    let rights = by.caller.rights;
    let uploader = import::uploader::Uploader { scope, rights, language: impacts.request.language };
    let change = async |db: &Database| {
        let authority = work::surroundings(&state.rehearsing(db.clone()));
        let services = ImportServices { db, ..work::services(state) };
        let import = import::dry_run::rehearse(services, &authority, uploader, id, ROWS_MAX).await?;
        Ok(import.rows_held.unsigned_abs())
    };
    impacts.rehearse(scope, seller, change).await
}
