//! Effect of an import on prices, over HTTP: a dry run is applied in a rehearsal.

use imports::import::{self, Imports};
use kernel::{Database, TenantId, may};
use pricing::impact::of_rehearsal;

use crate::{
    http::{
        access::Authorized,
        answer::Shown,
        input::{About, Id, Server},
        routes::{Answer, Routes},
    },
    publish,
    resource::impact::{ImpactView, in_turn},
    work::{self, IMPORT_TYPES},
};

/// The most rows of an import whose effect is calculated.
const ROWS_MAX: i64 = 10_000;

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, Imports: impact);
}

/// Shows what a dry run of at most 10,000 rows would do to prices once it is applied. Nothing is changed. Needs what applying it needs,
/// and `listing.view`.
#[utoipa::path(post, path = "/api/admin/imports/{id}/impact")]
async fn impact(
    by: Authorized<may::CreateImport>,
    Server(state): Server,
    About(request): About,
    Id(id): Id,
) -> Answer<Shown<ImpactView>> {
    let scope = by.scope();
    let seller = TenantId(scope.get::<Imports>(&state.db, id).await?.tenant_id);
    by.demand::<may::ViewPrice>()?;
    let uploader = import::uploader::Uploader { scope, rights: by.caller.rights, language: request.language };
    let change = async |db: &Database| {
        let authority = work::surroundings(&state.rehearsing(db.clone())?);
        let import = import::dry_run::rehearse(
            (db, &state.storage, &IMPORT_TYPES),
            &authority,
            uploader,
            id,
            ROWS_MAX,
        )
        .await?;
        Ok(import.rows_held.unsigned_abs())
    };
    let calculated = async || of_rehearsal(&state.db, scope, state.calculator(), seller, change).await;
    Ok(Shown(ImpactView::new(in_turn(&state, calculated).await?, request.language)))
}
