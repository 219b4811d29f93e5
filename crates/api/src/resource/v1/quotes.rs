//! What carts cost, for programs.

use kernel::may;

use crate::{
    http::{
        access::{Asks, Authorized},
        answer::{Shown, Unpaged},
        input::{About, Body, Server},
        routes::{Answer, Routes},
    },
    publish,
    resource::quotes::{QuoteView, QuotesInput, calculated},
};

pub(super) fn routes(routes: &mut Routes) {
    publish!(routes, "v1": quotes);
}

/// Says what up to 100 carts cost at a moment, and on request why. A line that has no price is refused with the reason, and is no part
/// of its cart. Whoever is acted for sells or buys; a buyer sees the sales prices that apply to them, and nothing else.
#[utoipa::path(post, path = "/api/v1/quotes")]
async fn quotes(
    by: Asks<Authorized<may::ViewPrice>>,
    Server(state): Server,
    About(request): About,
    Body(input): Body<QuotesInput>,
) -> Answer<Shown<Unpaged<QuoteView>>> {
    calculated(&state, by.scope(), &request, input).await
}
