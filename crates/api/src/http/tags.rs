//! The tags of the contract: groups of operations with a sentence about each.

use utoipa::openapi::tag::{Tag, TagBuilder};

/// All tags in the order in which they are shown: those for programs first.
const TAGS: &[(&str, &str)] = &[
    ("v1", "Calls for programs: your numbers in place of ids, many records in one call."),
    ("article_images", "Pictures of articles."),
    ("article_type_groups", "Groups of article types."),
    ("article_types", "Article types: the attributes, number and name of their articles."),
    ("articles", "Articles."),
    ("attention", "Counts for the start page: what waits for the caller."),
    ("attributes", "Attributes of article types and their options."),
    ("audit", "The history of all records, and its undo."),
    ("background_work", "Jobs that run in the background."),
    ("categories", "The tree of categories."),
    ("category_images", "Pictures of categories and article types."),
    ("closures", "Days on which warehouses are closed."),
    ("configuration", "How this installation is set up."),
    ("demo_mails", "Mails that a demo has written."),
    ("email_change", "Links with which a change of the e-mail address is undone."),
    ("ftp_settings", "FTP settings: the server of a tenant's files, and when they are fetched."),
    ("held_prices", "Prices under review: those that look like a mistake and wait for a release."),
    ("import_profiles", "Import profiles: how the files of one source are read."),
    ("imports", "Files of records: upload, preview, results, undo."),
    ("matchings", "Numbers of other systems and the articles, warehouses and tenants that they mean."),
    ("materials", "Materials."),
    ("partners", "Companies that can be named as customers and sellers."),
    ("password_reset", "Links for a new password."),
    (
        "price_adjustments",
        "Discounts and surcharges on sales prices, and the conditions under which they apply.",
    ),
    ("price_lists", "Price lists and their prices."),
    ("prices", "The prices of stocks."),
    ("processing_prices", "Prices of processings."),
    ("processings", "Processings: sawing, drilling and others."),
    ("quotes", "Prices of carts, and the prices of an article over time."),
    ("roles", "Roles: permissions that users have in common."),
    ("sample_carts", "Carts that show the effect of a change of prices."),
    ("search", "A search over records of all kinds."),
    ("sessions", "Signing in and out."),
    ("shipping", "Arrivals at shipping nodes, and findings of the network check."),
    ("shipping_legs", "Legs between shipping nodes and their departures."),
    ("shipping_node_closures", "Days on which shipping nodes are closed."),
    ("shipping_nodes", "Shipping nodes."),
    ("steel_catalogue", "The steel catalogue: master data that every steel trader needs."),
    ("stocks", "Stocks: the quantities of articles in warehouses."),
    ("surcharge_tables", "Surcharge tables and their values by month."),
    ("tenant_groups", "Groups of tenants."),
    ("tenants", "Tenants: the companies that trade here."),
    ("tokens", "Personal access tokens."),
    ("trade_dimensions", "Commercial lengths."),
    ("units", "Units and their factors."),
    ("unresolved_numbers", "Numbers of other systems that no matching knows yet."),
    ("users", "Users, their invitations and their personal data."),
    ("verification", "Links with which invited users set their first password."),
    ("views", "Saved views of lists."),
    ("warehouses", "Warehouses, their opening days and lead times."),
];

pub(super) fn all() -> impl Iterator<Item = Tag> {
    TAGS.iter().map(|(name, about)| TagBuilder::new().name(*name).description(Some(*about)).build())
}
