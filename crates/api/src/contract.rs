//! Texts of the contract that belong to no single operation, and the operations that will be removed.

use http_api::{deprecation::Deprecation, routes::DocumentTexts};

/// Texts of the contract.
pub(crate) const TEXTS: DocumentTexts =
    DocumentTexts { tags: TAGS, property_descriptions: include_str!("property_descriptions.tsv") };

/// All operations that will be removed. A new one must also be added to the changelog of the contract.
pub(crate) const DEPRECATED: &[Deprecation] = &[];

/// All tags in the order in which they are shown: those for programs first.
const TAGS: &[(&str, &str)] = &[
    ("v1", "Calls for programs: your numbers in place of ids, many records in one call."),
    ("article_images", "Pictures of articles."),
    ("article_type_groups", "Groups of article types."),
    ("article_types", "Article types: the attributes, number and name of their articles."),
    ("articles", "Articles."),
    ("attention", "Counts for the start page: open work of the caller."),
    ("attributes", "Attributes of article types and their options."),
    ("audit", "The history of all records, and its undo."),
    ("background_work", "Jobs that run in the background."),
    ("categories", "The tree of categories."),
    ("category_images", "Pictures of categories and article types."),
    ("closures", "Days on which warehouses are closed."),
    ("configuration", "Settings of this installation."),
    ("demo_mails", "Mails of a demo."),
    ("email_change", "Links with which a change of the e-mail address is undone."),
    ("external_apis", "External APIs: systems of tenants that are called over HTTPS."),
    ("feeds", "Feeds: a light for each file that is fetched from a server."),
    ("ftp_settings", "FTP settings: the server of a tenant's files, and the schedules of fetching them."),
    ("held_prices", "Prices under review: implausible prices that wait for a release."),
    ("import_profiles", "Import profiles: settings for the files of one source."),
    ("imports", "Files of records: upload, preview, results, undo."),
    ("matchings", "Numbers of other systems and the articles, warehouses and tenants that they stand for."),
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
    ("roles", "Roles: named sets of permissions."),
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
    ("transformers", "Formats of files that become tables, with samples."),
    ("units", "Units and their factors."),
    ("unresolved_numbers", "Numbers of other systems without a matching."),
    ("users", "Users, their invitations and their personal data."),
    ("verification", "Links with which invited users set their first password."),
    ("views", "Saved views of lists."),
    ("warehouses", "Warehouses, their opening days and lead times."),
    ("webhook_deliveries", "Deliveries of events to webhooks: requests, attempts, repetition."),
    ("webhooks", "Webhooks: addresses of a tenant that receive events."),
];

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn deprecated_operations_exist_and_stay_for_a_year() {
        let permissions = crate::app::routes().permissions();
        for deprecation in DEPRECATED {
            let operation = deprecation.operation;
            assert!(deprecation.notice_period() >= TimeDelta::days(365), "{operation}");
            assert!(permissions.contains(&format!("{operation} ")), "{operation} is no operation");
        }
    }
}
