//! Impact of a change of stocks' prices on the prices of customers, over HTTP.

use http_api::{
    access::Authorized,
    answer::OkJson,
    input::Body,
    publish,
    routes::{Answer, Routes},
};
use pricing::{
    listing::{self, IMPACT_MAX, Listings, PriceOfStock, PricesInput},
    may,
};
use serde::Deserialize;
use store::Database;
use utoipa::ToSchema;
use values::Validated;

use crate::resource::impact::{ImpactCalculator, ImpactView};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, Listings: impact);
}

/// Prices of many stocks as they would be saved.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PricesImpactInput, example = json!({ "prices": [{ "id": 7, "external_price": { "price": "985", "unit": "t" } }] }))]
struct ImpactInput {
    /// Prices, each stock once.
    #[schema(min_items = 1, max_items = 5000)]
    prices: Vec<PriceOfStock>,
}

/// Previews the impact of a change of the prices of at most 5,000 stocks on customers' prices. Nothing is
/// changed; a change that would be refused is refused here, too. Prices that look like a mistake would go
/// under review, and are counted unchanged. Needs the permission for the change, and `listing.view`.
#[utoipa::path(post, path = "/api/admin/prices/impact")]
async fn impact(
    by: Authorized<may::UpdatePrice>,
    impacts: ImpactCalculator,
    Body(ImpactInput { prices }): Body<ImpactInput>,
) -> Answer<OkJson<ImpactView>> {
    by.require_permission::<may::ViewPrice>()?;
    let scope = by.scope();
    let input = Validated::from(PricesInput { prices });
    let change = async |db: &Database| {
        let details = listing::update_many(db, scope, input, IMPACT_MAX).await?;
        let waiting = details.iter().filter(|detail| detail.has_proposal_by(scope)).count();
        Ok(waiting as u64)
    };
    impacts.rehearse(scope, scope.tenant()?, change).await
}
