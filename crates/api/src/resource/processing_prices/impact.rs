//! Impact of a change of a processing's price on the prices of customers, over HTTP.

use http_api::{
    access::Authorized,
    answer::OkJson,
    input::Body,
    publish,
    routes::{Answer, Routes},
};
use lists::{Creatable, Deletable, Managed};
use pricing::{
    may,
    processing_price::{ProcessingPriceInput, ProcessingPrices},
};
use serde::Deserialize;
use store::{Database, Scope};
use utoipa::ToSchema;
use values::{Result, Violations};

use crate::{
    codes,
    resource::impact::{ImpactCalculator, ImpactView, release},
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, ProcessingPrices: impact);
}

/// Change of prices of processings as it would be saved: exactly one of these.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ProcessingPriceImpactInput, example = json!({ "delete": { "id": 7 } }))]
struct ImpactInput {
    create: Option<ProcessingPriceInput>,
    update: Option<UpdateInput>,
    delete: Option<DeleteInput>,
}

/// Price of a processing to be changed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ProcessingPriceImpactUpdate)]
struct UpdateInput {
    id: i64,
    input: ProcessingPriceInput,
}

/// Price of a processing to be deleted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ProcessingPriceImpactDelete)]
struct DeleteInput {
    id: i64,
}

/// Previews the impact of a change of a processing's price on customers' prices. Nothing is changed; a change
/// that would be refused is refused here, too, unless it only needs a release. Needs the permission for the
/// change, and for seeing prices.
#[utoipa::path(post, path = "/api/admin/processing-prices/impact")]
async fn impact(
    by: Authorized<may::ViewPrice>,
    impacts: ImpactCalculator,
    Body(input): Body<ImpactInput>,
) -> Answer<OkJson<ImpactView>> {
    let scope = by.scope();
    let price_id = match &input {
        ImpactInput { create: Some(_), update: None, delete: None } => {
            by.require_permission::<may::CreatePrice>()?;
            None
        }
        ImpactInput { create: None, update: Some(UpdateInput { id, .. }), delete: None } => {
            by.require_permission::<may::UpdatePrice>()?;
            Some(*id)
        }
        ImpactInput { create: None, update: None, delete: Some(DeleteInput { id }) } => {
            by.require_permission::<may::DeletePrice>()?;
            Some(*id)
        }
        _ => return Err(Violations::error("create", codes::ONE_CHANGE).into()),
    };
    let seller = match price_id {
        Some(id) => scope.get::<ProcessingPrices>(&impacts.state.db, id).await?.tenant_id,
        None => scope.tenant()?,
    };
    impacts.rehearse(scope, seller, async |db| make(db, scope, input).await).await
}

/// Makes the change and returns the number of prices that need a release.
async fn make(db: &Database, scope: &Scope, input: ImpactInput) -> Result<u64> {
    if let Some(input) = input.create {
        ProcessingPrices::create(db, scope, input).await?;
    }
    if let Some(DeleteInput { id }) = input.delete {
        ProcessingPrices::delete(db, scope, id).await?;
    }
    let Some(UpdateInput { id, input }) = input.update else { return Ok(0) };
    let update = async |release| {
        let input = ProcessingPriceInput { release, ..input.clone() };
        ProcessingPrices::update(db, scope, id, input).await.map(|_| ())
    };
    release(update).await
}
