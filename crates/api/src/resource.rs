//! What is published: one file per resource.

use crate::http::routes::Routes;

pub mod account;
pub mod article_type_groups;
pub mod article_types;
pub mod articles;
pub mod attributes;
pub mod audit;
pub mod categories;
pub mod category_images;
pub mod closures;
pub mod configuration;
pub mod demo_mails;
mod effect;
pub mod imports;
pub mod matchings;
pub mod materials;
pub mod password_reset;
pub mod personal_data;
pub mod processings;
mod readiness;
pub mod roles;
pub mod saved_views;
pub mod sessions;
pub mod tenant_groups;
pub mod tenants;
pub mod tokens;
pub mod trade_dimensions;
pub mod units;
pub mod users;
pub mod verification;
pub mod warehouses;

pub(crate) fn publish_all(routes: &mut Routes) {
    account::routes(routes);
    article_type_groups::routes(routes);
    article_types::routes(routes);
    articles::routes(routes);
    attributes::routes(routes);
    audit::routes(routes);
    categories::routes(routes);
    category_images::routes(routes);
    closures::routes(routes);
    configuration::routes(routes);
    demo_mails::routes(routes);
    imports::routes(routes);
    matchings::routes(routes);
    materials::routes(routes);
    password_reset::routes(routes);
    personal_data::routes(routes);
    processings::routes(routes);
    roles::routes(routes);
    saved_views::routes(routes);
    sessions::routes(routes);
    tenant_groups::routes(routes);
    tenants::routes(routes);
    tokens::routes(routes);
    trade_dimensions::routes(routes);
    units::routes(routes);
    users::routes(routes);
    verification::routes(routes);
    warehouses::routes(routes);
}
