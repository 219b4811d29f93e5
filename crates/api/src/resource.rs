//! What is published: one file per resource.

use crate::http::routes::Routes;

pub mod configuration;
pub mod materials;
pub mod sessions;
pub mod tenants;
pub mod users;
pub mod verification;

pub(crate) fn publish_all(routes: &mut Routes) {
    configuration::routes(routes);
    materials::routes(routes);
    sessions::routes(routes);
    tenants::routes(routes);
    users::routes(routes);
    verification::routes(routes);
}
