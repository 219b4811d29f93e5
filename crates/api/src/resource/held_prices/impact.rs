//! Impact of a release of prices on the prices of customers, over HTTP.

use http_api::{
    access::{Authorized, InSession},
    answer::OkJson,
    bulk::{BulkChange, Filters},
    input::Body,
    publish,
    routes::{Answer, Routes},
};
use pricing::{
    held_price::{HeldPrices, decision::HeldPriceChange},
    may,
};
use store::Database;

use super::decide;
use crate::resource::impact::{ImpactCalculator, ImpactView};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, HeldPrices: impact);
}

/// Previews the impact of a decision about prices under review on customers' prices. Prices that the caller
/// cannot decide about are left out. Nothing is changed. Needs the permission for the decision, and
/// `listing.view`.
#[utoipa::path(post, path = "/api/admin/held-prices/bulk-change/impact")]
async fn impact(
    by: InSession<Authorized<may::UpdatePrice>>,
    impacts: ImpactCalculator,
    filters: Filters<HeldPrices>,
    Body(BulkChange { selection, change }): Body<BulkChange<HeldPriceChange>>,
) -> Answer<OkJson<ImpactView>> {
    by.require_permission::<may::ViewPrice>()?;
    let scope = by.scope();
    let decision = async |db: &Database| {
        decide(db, scope, &filters, &selection, &change, impacts.request.language).await?;
        Ok(0)
    };
    impacts.rehearse(scope, scope.tenant()?, decision).await
}
