//! API for programs of integrators: they use their own numbers instead of ids, and read or write many records
//! at once.

use http_api::routes::Routes;

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
