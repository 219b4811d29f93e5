//! Prices of carts, for programs.

use http_api::{
    access::{Authorized, ReadOnlyPost},
    answer::{OkJson, Unpaged},
    input::{Body, RequestInfo},
    publish,
    routes::{Answer, Routes},
};
use pricing::may;

use crate::{
    resource::quotes::{QuoteView, QuotesInput, calculate_quotes},
    state::Server,
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "v1": quotes);
}

/// Calculates the prices of up to 100 carts at a time, on request with explanations. A line without a price
/// is refused with the reason and is not part of its cart. The acting tenant is the seller or the buyer; a
/// buyer sees only the sales prices that apply to them.
#[utoipa::path(post, path = "/api/v1/quotes")]
async fn quotes(
    by: ReadOnlyPost<Authorized<may::ViewPrice>>,
    Server(state): Server,
    RequestInfo(request): RequestInfo,
    Body(input): Body<QuotesInput>,
) -> Answer<OkJson<Unpaged<QuoteView>>> {
    calculate_quotes(&state, by.scope(), &request, input).await
}
