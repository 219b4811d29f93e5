//! What programs of integrators work with: their own numbers in place of ids, many records at once, and only what they need.

use crate::http::routes::Routes;

pub(super) mod availability;
mod changes;
mod delivery_dates;
mod lookup;
mod price_lists;
mod put;
mod quotes;
mod read;

pub(crate) fn routes(routes: &mut Routes) {
    availability::routes(routes);
    changes::routes(routes);
    delivery_dates::routes(routes);
    lookup::routes(routes);
    price_lists::routes(routes);
    put::routes(routes);
    quotes::routes(routes);
    read::routes(routes);
}
