//! Impact of a change of price adjustments, over HTTP.

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::OkJson,
    input::Body,
    publish,
    routes::{Answer, Routes},
};
use pricing::{
    impact::{AdjustmentChange, adjustment_impact},
    may,
    price_adjustment::{OrderInput, PriceAdjustmentInput, PriceAdjustments},
};
use serde::Deserialize;
use utoipa::ToSchema;
use values::Violations;

use crate::{
    codes,
    resource::impact::{ImpactCalculator, ImpactView, moment},
    state::State,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, PriceAdjustments: impact);
}

/// Change of price adjustments as it would be saved: exactly one of these.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceAdjustmentImpactInput, example = json!({ "delete": { "id": 7 } }))]
struct ImpactInput {
    create: Option<PriceAdjustmentInput>,
    update: Option<UpdateInput>,
    delete: Option<DeleteInput>,
    order: Option<OrderInput>,
    /// Single time at which prices are compared. By default now, or the beginning of the adjustment if that is
    /// later, and all times that the change names.
    at: Option<DateTime<Utc>>,
}

/// Price adjustment to be changed.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceAdjustmentImpactUpdate)]
struct UpdateInput {
    id: i64,
    input: PriceAdjustmentInput,
}

/// Price adjustment to be deleted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = PriceAdjustmentImpactDelete)]
struct DeleteInput {
    id: i64,
}

/// Previews the impact of a change of price adjustments. Nothing is changed; a change that would be refused
/// is refused here, too. Needs the permission for the change, and for seeing prices.
#[utoipa::path(post, path = "/api/admin/price-adjustments/impact")]
async fn impact(
    by: Authorized<may::ViewPriceAdjustment>,
    impacts: ImpactCalculator,
    Body(ImpactInput { create, update, delete, order, at }): Body<ImpactInput>,
) -> Answer<OkJson<ImpactView>> {
    by.require_permission::<may::ViewPrice>()?;
    let change = match (create, update, delete, order) {
        (Some(input), None, None, None) => {
            by.require_permission::<may::CreatePriceAdjustment>()?;
            AdjustmentChange::Create(input.into())
        }
        (None, Some(UpdateInput { id, input }), None, None) => {
            by.require_permission::<may::UpdatePriceAdjustment>()?;
            AdjustmentChange::Update { id, input: input.into() }
        }
        (None, None, Some(DeleteInput { id }), None) => {
            by.require_permission::<may::DeletePriceAdjustment>()?;
            AdjustmentChange::Delete { id }
        }
        (None, None, None, Some(input)) => {
            by.require_permission::<may::UpdatePriceAdjustment>()?;
            AdjustmentChange::Order(input.into())
        }
        _ => return Err(Violations::error("create", codes::ONE_CHANGE).into()),
    };
    let at = moment(at)?;
    let calculate =
        async |state: &State| adjustment_impact(&state.db, by.scope(), state.calculator(), change, at).await;
    impacts.answer(calculate).await
}
