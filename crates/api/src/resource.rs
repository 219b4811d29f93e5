//! All published resources: one file per resource, and one line here.

use ::imports::{import::Imports, import_profile::ImportProfiles, unresolved::UnresolvedNumbers};
use ::webhooks::webhook::Webhooks;
use catalog::{
    article::Articles,
    article_type::{ArticleTypes, group::ArticleTypeGroups},
    attribute::Attributes,
    category::Categories,
    material::Materials,
    processing::Processings,
    trade_dimension::TradeDimensions,
};
use feeds::{external_api::ExternalApis, settings::FtpSettingsTable};
use http_api::{export::ScreenTexts, routes::Routes, screen_texts};
use identity::{role::Roles, saved_view::SavedViews, token::Tokens, user::Users};
use logistics::{
    matching::Matchings,
    shipping::{
        leg::ShippingLegs,
        node::{ShippingNodes, closure::NodeClosures},
    },
    stock::Stocks,
    warehouse::{Warehouses, closure::Closures},
};
use pricing::{
    guard, held_price::HeldPrices, listing::Listings, permissions, price_adjustment::PriceAdjustments,
    price_list::PriceLists, price_list_entry::Entries, processing_price::ProcessingPrices,
    sample_cart::SampleCarts, surcharge_table::SurchargeTables,
};
use store::{Recorded, Resource, Scope, resource};
use tenancy::{tenant::Tenants, tenant_group::TenantGroups};
use values::{Error, Message, Result};

pub mod account;
pub mod article_images;
pub mod article_type_groups;
pub mod article_types;
pub mod articles;
mod attention;
pub mod attributes;
pub mod audit;
pub mod background_work;
mod by_name;
pub mod categories;
pub mod category_images;
pub mod closures;
pub mod configuration;
mod crud;
mod days_off;
pub mod demo_mails;
mod effect;
pub mod email_changes;
mod external_apis;
mod feed_board;
mod ftp_settings;
pub mod held_prices;
mod history;
mod impact;
pub mod import_profiles;
pub mod imports;
mod item_fault;
pub mod matchings;
pub mod materials;
mod partners;
pub mod password_reset;
pub mod personal_data;
mod price_adjustments;
mod price_list_prices;
mod price_lists;
pub mod prices;
mod processing_prices;
pub mod processings;
mod quotes;
mod readiness;
mod record_update;
pub mod roles;
mod sample_carts;
pub mod saved_views;
mod search;
pub mod sessions;
mod shipping;
pub mod shipping_legs;
pub mod shipping_node_closures;
pub mod shipping_nodes;
mod steel_catalogue;
pub mod stocks;
mod surcharge_tables;
pub mod tenant_groups;
pub mod tenants;
pub mod tokens;
pub mod trade_dimensions;
mod transformers;
mod undo;
pub mod units;
pub mod unresolved_numbers;
pub mod users;
mod v1;
pub mod verification;
mod view;
pub mod warehouses;
pub mod webhooks;

/// Resource with the texts of its screen and its operations.
pub(crate) struct PublishedResource {
    pub(crate) resource: &'static Resource,
    /// Texts of its screen; `None` if it has no form.
    pub(crate) texts: Option<ScreenTexts>,
    /// Search of its records, if the global search includes them.
    pub(crate) find: Option<search::Find>,
    routes: fn(&mut Routes),
}

/// Declares a resource: `published!(materials: Materials, "materials", searchable)` names the module, the
/// table, the file of the screen's texts, and `searchable` if the global search includes its records.
macro_rules! published {
    ($file:ident: $table:ty) => {
        PublishedResource { resource: <$table as Recorded>::RESOURCE, texts: None, find: None, routes: $file::routes }
    };
    ($file:ident: $table:ty, $texts:literal) => {
        PublishedResource { texts: Some(screen_texts!($texts)), ..published!($file: $table) }
    };
    ($file:ident: $table:ty, $texts:literal, searchable) => {
        PublishedResource { find: Some(search::find::<$table>), ..published!($file: $table, $texts) }
    };
}

/// All resources. A test fails if a table with a history is missing here.
pub(crate) const ALL: &[PublishedResource] = &[
    published!(article_type_groups: ArticleTypeGroups, "articleTypeGroups", searchable),
    published!(article_types: ArticleTypes, "articleTypes", searchable),
    published!(articles: Articles, "articles", searchable),
    published!(attributes: Attributes, "attributes", searchable),
    published!(categories: Categories, "categories", searchable),
    published!(closures: Closures, "warehouses"),
    published!(external_apis: ExternalApis, "externalApis"),
    published!(ftp_settings: FtpSettingsTable, "ftpSettings"),
    published!(held_prices: HeldPrices),
    published!(import_profiles: ImportProfiles, "importProfiles", searchable),
    published!(imports: Imports, "imports"),
    published!(matchings: Matchings, "matchings", searchable),
    published!(materials: Materials, "materials", searchable),
    published!(price_list_prices: Entries, "priceListPrices"),
    published!(price_adjustments: PriceAdjustments, "priceAdjustments", searchable),
    published!(price_lists: PriceLists, "priceLists", searchable),
    published!(prices: Listings, "prices"),
    published!(processing_prices: ProcessingPrices, "processingPrices"),
    published!(processings: Processings, "processings", searchable),
    published!(roles: Roles, "roles", searchable),
    published!(sample_carts: SampleCarts, "sampleCarts"),
    published!(saved_views: SavedViews),
    published!(shipping_legs: ShippingLegs, "shippingLegs"),
    published!(shipping_node_closures: NodeClosures, "shippingNodes"),
    published!(shipping_nodes: ShippingNodes, "shippingNodes", searchable),
    published!(stocks: Stocks, "stocks"),
    published!(surcharge_tables: SurchargeTables, "surchargeTables", searchable),
    published!(tenant_groups: TenantGroups, "tenantGroups", searchable),
    published!(tenants: Tenants, "tenants", searchable),
    published!(tokens: Tokens, "tokens", searchable),
    published!(trade_dimensions: TradeDimensions, "tradeDimensions", searchable),
    published!(unresolved_numbers: UnresolvedNumbers),
    published!(users: Users, "users", searchable),
    published!(warehouses: Warehouses, "warehouses", searchable),
    published!(webhooks: Webhooks, "webhooks"),
];

/// Returns a message as its reader may see it: without prices in its code and text for those who may not see
/// any.
fn visible_message(scope: &Scope, message: &Message) -> Message {
    let discreet = guard::without_prices(message).filter(|_| !scope.may(permissions::VIEW_PRICE));
    discreet.unwrap_or_else(|| message.clone())
}

/// Returns messages by [`visible_message`], each once per position: otherwise their number would reveal
/// prices.
pub(crate) fn visible_messages<'a, P: PartialEq>(
    scope: &Scope,
    messages: impl IntoIterator<Item = (P, &'a Message)>,
) -> Vec<(P, Message)> {
    let mut visible = Vec::new();
    for (place, message) in messages {
        let one = (place, visible_message(scope, message));
        if !visible.contains(&one) {
            visible.push(one);
        }
    }
    visible
}

/// Returns the texts of a resource's screen.
pub(crate) fn texts_of<E: Recorded>() -> Result<ScreenTexts> {
    let own = ALL.iter().find(|published| published.resource.name == E::RESOURCE.name);
    let texts = own.and_then(|published| published.texts);
    texts.ok_or_else(|| Error::internal("a resource without words"))
}

pub(crate) fn publish_all(routes: &mut Routes) {
    resource::declare(ALL.iter().map(|published| published.resource));
    for published in ALL {
        (published.routes)(routes);
    }
    account::routes(routes);
    article_images::routes(routes);
    attention::routes(routes);
    feed_board::routes(routes);
    audit::routes(routes);
    background_work::routes(routes);
    category_images::routes(routes);
    configuration::routes(routes);
    demo_mails::routes(routes);
    partners::routes(routes);
    password_reset::routes(routes);
    email_changes::routes(routes);
    personal_data::routes(routes);
    quotes::routes(routes);
    search::routes(routes);
    sessions::routes(routes);
    shipping::routes(routes);
    steel_catalogue::routes(routes);
    undo::routes(routes);
    transformers::routes(routes);
    units::routes(routes);
    v1::routes(routes);
    verification::routes(routes);
}
