//! Quantity of one stock, requested from the tenant's own system.

use chrono::{DateTime, Utc};
use http_api::{
    access::Authorized,
    answer::{OkJson, ok_json},
    input::{Id, RequestInfo},
    publish,
    request_limits::REQUEST_TIMEOUT,
    routes::{Answer, Routes},
};
use logistics::{
    may,
    stock::{self, Availability, Stocks, availability::AnsweredBy},
};
use serde::Serialize;
use store::deadline;
use utoipa::ToSchema;
use values::{Decimal, Unit};

use crate::{live_stock, resource::v1::availability::AnsweredByView, state::Server};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, Stocks: live);
}

/// Present quantity of a stock.
#[derive(Serialize, ToSchema)]
#[schema(as = LiveStock)]
struct LiveView {
    answered_by: AnsweredByView,
    /// Quantity; `null` if it is not known, and for a stock that is always available.
    #[schema(required, example = "36.3")]
    quantity: Option<Decimal>,
    /// Base unit of the article.
    unit: Unit,
    /// Time of the answer.
    #[schema(required)]
    as_of: Option<DateTime<Utc>>,
    /// Reason why it is not live, in the language of `Accept-Language`.
    #[schema(required, example = "Der Server „erp.lieferant.example“ hat nicht rechtzeitig geantwortet.")]
    reason: Option<String>,
}

/// Requests the quantity of a stock from the tenant's own system within the timeout of its API. Without an
/// answer in time, the last known quantity is returned with the reason.
#[utoipa::path(get, path = "/api/admin/stocks/{id}/live")]
async fn live(
    by: Authorized<may::ViewStock>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Id(id): Id,
) -> Answer<OkJson<LiveView>> {
    let detail = stock::view(&state.db, by.scope(), id).await?;
    let unit = detail.article.base_unit;
    if detail.stock.availability_type != Availability::ExternalApi {
        let answered_by = AnsweredBy::Stock.into();
        let as_of =
            Some(detail.confirmed_at.map_or(detail.stock.updated_at, |at| at.max(detail.stock.updated_at)));
        return Ok(ok_json(LiveView {
            answered_by,
            quantity: detail.stock.quantity,
            unit,
            as_of,
            reason: None,
        }));
    }
    deadline::extend(REQUEST_TIMEOUT);
    let owner = by.scope().acting_for(Some(detail.stock.tenant_id));
    let answers = live_stock::request_quantities(&state, &owner, vec![detail.stock]).await?;
    let quantity = answers.quantities.get(&id);
    let answered_by = AnsweredBy::external(quantity);
    let is_live = answered_by == AnsweredBy::Live;
    let reason = answers.reasons.get(&id).filter(|_| !is_live).map(|reason| reason.text(request.language));
    Ok(ok_json(LiveView {
        answered_by: answered_by.into(),
        quantity: quantity.map(|quantity| quantity.quantity),
        unit,
        as_of: quantity.map(|quantity| quantity.as_of),
        reason,
    }))
}
