//! Impact of a change of a surcharge table on prices, over HTTP.

use http_api::{
    access::Authorized,
    answer::OkJson,
    input::{Body, Id},
    publish,
    routes::{Answer, Routes},
};
use lists::Managed;
use pricing::{
    may,
    surcharge_table::{self, SurchargeTableInput, SurchargeTables, ValuesInput},
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
    publish!(routes, SurchargeTables: impact);
}

/// Change of a surcharge table as it would be saved: exactly one of these.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = SurchargeTableImpactInput, example = json!({ "values": { "values": [{ "material_id": 1, "month": "2026-12",
    "value": "1650" }] } }))]
struct ImpactInput {
    change: Option<SurchargeTableInput>,
    values: Option<ValuesInput>,
}

/// Previews the impact of a change of a surcharge table on prices. Nothing is changed; a change that would be
/// refused is refused here, too, unless it only needs a release. Needs the permission for the change, and for
/// seeing prices.
#[utoipa::path(post, path = "/api/admin/surcharge-tables/{id}/impact")]
async fn impact(
    by: Authorized<may::UpdatePriceAdjustment>,
    impacts: ImpactCalculator,
    Id(id): Id,
    Body(input): Body<ImpactInput>,
) -> Answer<OkJson<ImpactView>> {
    by.require_permission::<may::ViewPrice>()?;
    let scope = by.scope();
    let seller = surcharge_table::view(&impacts.state.db, scope, id).await?.table.tenant_id;
    impacts.rehearse(scope, seller, async |db| make(db, scope, id, input).await).await
}

/// Makes the change and returns the number of values that need a release.
async fn make(db: &Database, scope: &Scope, id: i64, input: ImpactInput) -> Result<u64> {
    match input {
        ImpactInput { change: Some(change), values: None } => {
            SurchargeTables::update(db, scope, id, change).await?;
            Ok(0)
        }
        ImpactInput { change: None, values: Some(values) } => {
            let put = async |release| {
                let values = ValuesInput { release, ..values.clone() };
                surcharge_table::put_values(db, scope, id, values).await.map(|_| ())
            };
            release(put).await
        }
        _ => Err(Violations::error("values", codes::ONE_CHANGE)),
    }
}
