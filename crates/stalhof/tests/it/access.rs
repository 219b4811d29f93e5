//! Access checks of all operations, read from the contract: who is refused, in every operation.

mod foreign;
mod indirect;
mod roles;
mod tokens;
mod unseen_prices;

use std::collections::{HashMap, hash_map::Entry};

use actix_web::http::Method;
use values::{Permission, PermissionSet, permissions};

pub(crate) use self::tokens::tables;
pub(crate) use self::tokens::token;
use crate::{
    document::document,
    support::{TestApp, all_but},
};

/// Public operations. An addition needs a review.
const PUBLIC: &[&str] = &[
    "configuration.view",
    "sessions.create",
    "demo_mails.list",
    "password_reset.request",
    "password_reset.view",
    "password_reset.update",
    "password_reset.strength",
    "email_change.view",
    "email_change.undo",
    "verification.view",
    "verification.update",
    "verification.strength",
];

/// Operations that need a session but no permission.
const SIGNED_IN: &[&str] = &[
    "sessions.list",
    "sessions.view",
    "sessions.delete",
    "sessions.end",
    "sessions.end_others",
    "users.me",
    "users.own_email_changes",
    "users.own_data",
    "users.update_me",
    "users.change_password",
    "users.password_strength",
    "transformers.list",
    "units.list",
    "v1.article_changes",
    "v1.articles",
    "v1.warehouse_changes",
    "v1.warehouses",
];

/// Operations of these that every token may call as well.
const ANY_TOKEN: &[&str] = &[
    "users.me",
    "transformers.list",
    "units.list",
    "v1.article_changes",
    "v1.articles",
    "v1.warehouse_changes",
    "v1.warehouses",
];

/// Operations that need a permission and a person, not a token: those that decide about permissions, and
/// those of a person's own account.
const PEOPLE_ONLY: &[&str] = &[
    "external_apis.calls",
    "external_apis.close_breaker",
    "external_apis.create",
    "external_apis.delete",
    "external_apis.import_meta_data",
    "external_apis.list",
    "external_apis.next_runs",
    "external_apis.options",
    "external_apis.patch",
    "external_apis.preview_runs",
    "external_apis.test_request",
    "external_apis.update",
    "external_apis.view",
    "feeds.view",
    "ftp_settings.create",
    "ftp_settings.delete",
    "ftp_settings.list",
    "ftp_settings.next_runs",
    "ftp_settings.options",
    "ftp_settings.patch",
    "ftp_settings.pause",
    "ftp_settings.preview_runs",
    "ftp_settings.repeat",
    "ftp_settings.resume",
    "ftp_settings.run",
    "ftp_settings.runs",
    "ftp_settings.test_connection",
    "ftp_settings.trust_host_key",
    "ftp_settings.update",
    "ftp_settings.view",
    "held_prices.bulk_change",
    "held_prices.impact",
    "price_lists.decide_prices",
    "roles.create",
    "roles.delete",
    "roles.patch",
    "roles.update",
    "tenants.create",
    "tenants.delete",
    "tenants.effect",
    "tenants.patch",
    "tenants.update",
    "tokens.create",
    "tokens.delete",
    "tokens.list",
    "tokens.rotate",
    "tokens.update",
    "tokens.view",
    "users.change",
    "users.create",
    "users.delete",
    "users.invite",
    "users.personal_data",
    "users.revoke_invitation",
    "users.send_password_reset",
    "attention.view",
    "audit.impact",
    "audit.request_impact",
    "audit.undo",
    "audit.undo_request",
    "search.search",
    "steel_catalogue.fill",
    "views.choose",
    "views.create",
    "views.delete",
    "views.list",
    "views.update",
    "webhook_deliveries.send_again",
    "webhook_deliveries.view",
    "webhooks.create",
    "webhooks.delete",
    "webhooks.deliveries",
    "webhooks.list",
    "webhooks.options",
    "webhooks.patch",
    "webhooks.pause",
    "webhooks.resume",
    "webhooks.rotate_secret",
    "webhooks.test",
    "webhooks.update",
    "webhooks.view",
];

const UPLOADS: &[&str] = &[
    "unresolved_numbers.replay",
    "import_profiles.create",
    "import_profiles.patch",
    "import_profiles.save_all",
    "import_profiles.update",
    "import_profiles.usage",
    "import_profiles.view",
    "imports.apply",
    "imports.columns",
    "imports.correct",
    "imports.create",
    "imports.error_file",
    "imports.error_groups",
    "imports.errors",
    "imports.forget_mapping",
    "imports.impact",
    "imports.inspect",
    "imports.rows",
    "imports.template",
    "imports.undo",
    "imports.upload_file",
    "imports.view",
    "v1.imports",
    "v1.put_prices",
    "v1.put_prices_of_list",
    "v1.put_stocks",
];

/// Operations that each ability opens; `access-admin` opens all that are not for people only.
const TOKENS: &[(&str, &[&str])] = &[
    ("access-shop", &[]),
    ("import-prices", UPLOADS),
    ("import-stocks", UPLOADS),
    (
        "listings:read",
        &[
            "held_prices.list",
            "partners.export_price_sheet",
            "partners.list",
            "partners.price_sheet",
            "partners.terms",
            "partners.view",
            "price_lists.audience",
            "price_lists.export",
            "price_lists.export_prices",
            "price_lists.list",
            "price_lists.prices",
            "price_lists.view",
            "prices.list",
            "prices.view",
            "prices.export",
            "processing_prices.list",
            "processing_prices.view",
            "processing_prices.export",
            "quotes.calculate",
            "quotes.over_time",
            "v1.listing",
            "v1.listings",
            "v1.price_list",
            "v1.price_list_changes",
            "v1.price_lists",
            "v1.prices_of_list",
            "v1.quotes",
        ],
    ),
    (
        "stock:availability",
        &[
            "shipping.cart_dates",
            "shipping.stock_dates",
            "stocks.list",
            "stocks.view",
            "stocks.export",
            "stocks.live",
            "stocks.sums",
            "v1.availability",
            "v1.changes",
            "v1.delivery_dates",
            "v1.stock",
            "v1.stocks",
        ],
    ),
];

/// Operations whose permission has another name than theirs, with the reason.
const OTHER_VERBS: &[(&str, &str)] = &[
    ("external_apis.calls", "configure-external-api"),
    ("external_apis.close_breaker", "configure-external-api"),
    ("external_apis.create", "configure-external-api"),
    ("external_apis.delete", "configure-external-api"),
    ("external_apis.import_meta_data", "configure-external-api"),
    ("external_apis.list", "configure-external-api"),
    ("external_apis.next_runs", "configure-external-api"),
    ("external_apis.options", "configure-external-api"),
    ("external_apis.patch", "configure-external-api"),
    ("external_apis.preview_runs", "configure-external-api"),
    ("external_apis.test_request", "configure-external-api"),
    ("external_apis.update", "configure-external-api"),
    ("external_apis.view", "configure-external-api"),
    ("feeds.view", "configure-ftp-import"),
    ("ftp_settings.create", "configure-ftp-import"),
    ("ftp_settings.delete", "configure-ftp-import"),
    ("ftp_settings.list", "configure-ftp-import"),
    ("ftp_settings.next_runs", "configure-ftp-import"),
    ("ftp_settings.options", "configure-ftp-import"),
    ("ftp_settings.patch", "configure-ftp-import"),
    ("ftp_settings.pause", "configure-ftp-import"),
    ("ftp_settings.preview_runs", "configure-ftp-import"),
    ("ftp_settings.repeat", "configure-ftp-import"),
    ("ftp_settings.resume", "configure-ftp-import"),
    ("ftp_settings.run", "configure-ftp-import"),
    ("ftp_settings.runs", "configure-ftp-import"),
    ("ftp_settings.test_connection", "configure-ftp-import"),
    ("ftp_settings.trust_host_key", "configure-ftp-import"),
    ("ftp_settings.update", "configure-ftp-import"),
    ("ftp_settings.view", "configure-ftp-import"),
    ("webhook_deliveries.send_again", "configure-webhooks"),
    ("webhook_deliveries.view", "configure-webhooks"),
    ("webhooks.create", "configure-webhooks"),
    ("webhooks.delete", "configure-webhooks"),
    ("webhooks.deliveries", "configure-webhooks"),
    ("webhooks.list", "configure-webhooks"),
    ("webhooks.options", "configure-webhooks"),
    ("webhooks.patch", "configure-webhooks"),
    ("webhooks.pause", "configure-webhooks"),
    ("webhooks.resume", "configure-webhooks"),
    ("webhooks.rotate_secret", "configure-webhooks"),
    ("webhooks.test", "configure-webhooks"),
    ("webhooks.update", "configure-webhooks"),
    ("webhooks.view", "configure-webhooks"),
    ("audit.impact", "access-admin"), // what the undo does
    ("audit.request_impact", "access-admin"),
    ("audit.undo", "access-admin"), // and what the records need that are written
    ("audit.undo_request", "access-admin"),
    ("background_work.view", "audit.view"), // what has happened, as the history
    ("import_profiles.update", "import.create"), // settings of imports, and what one of their type needs
    ("import_profiles.patch", "import.create"),
    ("import_profiles.save_all", "import.create"),
    ("import_profiles.bulk_delete", "import.delete"),
    ("imports.apply", "import.create"), // another import, of a file that was uploaded
    ("imports.impact", "import.create"), // shows what applying does, and needs its right
    ("imports.stop", "import.delete"),  // cancels it while it runs
    ("imports.correct", "import.create"), // another import, of rows of one; and what its type needs
    ("imports.undo", "import.create"),  // another import, of the rows of one; and what its type needs
    ("article_types.preview", "article_type.view"), // shows what would be rendered
    ("article_types.effect", "article_type.update"), // shows what a change would do
    ("article_types.effect_file", "article_type.update"), // the same as a file
    ("attributes.effect", "attribute.update"),
    ("materials.effect", "material.update"),
    ("articles.preview", "article.view"), // shows what would be rendered
    ("articles.quantities", "article.view"), // shows a quantity of the article
    ("attributes.reorder", "attribute.update"), // changes positions
    ("categories.relocate", "category.update"), // changes parent and position
    ("categories.tree", "category.list"), // the list in another shape
    ("article_images.delete", "article.update"), // part of the article
    ("article_images.thumbnail", "article.view"),
    ("category_images.delete", "category.update"), // part of the category
    ("category_images.delete_article_type", "category.update"),
    ("category_images.thumbnail", "category.view"),
    ("category_images.thumbnail_article_type", "category.view"),
    ("category_images.update_article_type", "category.update"),
    ("category_images.view_article_type", "category.view"),
    ("v1.put_prices", "import.create"), // as an upload, and what one of its type needs
    ("v1.put_stocks", "import.create"),
    ("v1.imports", "import.view"), // one's own
    ("v1.price_list", "price_list.view"),
    ("v1.price_lists", "price_list.list"),
    ("v1.prices_of_list", "price_list.view"), // part of the list
    ("v1.put_prices_of_list", "import.create"),
    ("v1.listing", "listing.view"),
    ("v1.listings", "listing.list"),
    ("v1.stock", "stock.view"),
    ("v1.stocks", "stock.list"),
    ("v1.availability", "stock.list"), // asked of many at once
    ("v1.changes", "stock.list"),
    ("v1.matching_changes", "matching.list"),
    ("v1.material_changes", "material.list"),
    ("v1.price_list_changes", "price_list.view"), // part of the list
    ("quotes.calculate", "listing.view"),         // asked of many at once
    ("partners.terms", "price_list.list"),        // with the lists that apply
    ("partners.price_sheet", "listing.view"),     // what one article costs, of all
    ("partners.export_price_sheet", "listing.view"),
    ("steel_catalogue.fill", "article_type.create"), // with whatever it refers to
    ("quotes.over_time", "listing.view"),
    ("v1.quotes", "listing.view"),
    ("imports.columns", "import.create"), // what goes before one
    ("imports.inspect", "import.create"),
    ("imports.template", "import.create"),
    ("imports.forget_mapping", "import.create"), // of what files to come are offered
    ("imports.error_groups", "import.view"),     // part of the import
    ("imports.errors", "import.view"),           // part of the import
    ("imports.error_file", "import.view"),       // part of the import
    ("imports.events", "import.list"),           // the list, as it changes
    ("imports.rows", "import.view"),             // part of the import
    ("imports.upload_file", "import.view"),      // part of the import
    ("processings.preview", "processing.view"),  // shows what would be rendered
    ("tenants.effect", "tenant.update"),         // shows what a change would do
    ("tenant_groups.bulk_delete", "tenant-group.delete"),
    ("tokens.rotate", "token.create"), // makes another one
    ("users.change", "user.update"),   // a part of the record
    ("users.invite", "user.create"),   // the other half of creating one
    ("users.revoke_invitation", "user.create"),
    ("users.personal_data", "user.update"), // as with tokens and sessions
    ("users.send_password_reset", "user.update"), // changes how the user signs in
    ("users.rights", "user.view"),          // explains the record
    ("attention.view", "access-admin"),     // of what the caller may list
    ("search.search", "access-admin"),      // of what the caller may list
    ("views.list", "access-admin"),         // one's own, and what others share
    ("views.create", "access-admin"),
    ("views.update", "access-admin"),
    ("views.delete", "access-admin"),
    ("views.choose", "access-admin"),
    ("closures.list", "warehouse.list"), // part of the calendar of warehouses
    ("closures.create", "warehouse.update"),
    ("closures.delete", "warehouse.update"),
    ("shipping.findings", "shipping_node.list"), // explains the list
    ("shipping.itineraries", "shipping_node.view"), // ways between nodes
    ("shipping.order_days", "shipping_node.view"),
    ("shipping.cart_dates", "stock.list"), // as for programs
    ("shipping.stock_dates", "stock.list"),
    ("v1.delivery_dates", "stock.list"), // combines the stock with the way
    ("warehouses.readiness", "warehouse.view"), // explains the record
    ("warehouses.calendar", "warehouse.view"), // belongs to the record
    ("warehouses.bulk_delete", "warehouse.delete"),
    ("shipping_nodes.list", "shipping_node.list"),
    ("shipping_nodes.bulk_delete", "shipping_node.delete"),
    ("shipping_nodes.calendar", "shipping_node.view"), // belongs to the record
    ("shipping_node_closures.list", "shipping_node.list"), // part of the calendar of nodes
    ("shipping_node_closures.create", "shipping_node.update"),
    ("shipping_node_closures.delete", "shipping_node.update"),
    ("shipping_legs.list", "shipping_node.list"), // legs have no rights of their own
    ("shipping_legs.create", "shipping_node.update"),
    ("shipping_legs.view", "shipping_node.view"),
    ("shipping_legs.update", "shipping_node.update"),
    ("shipping_legs.delete", "shipping_node.update"),
    ("shipping_legs.bulk_delete", "shipping_node.update"),
    ("shipping_legs.of_node", "shipping_node.view"),
    ("shipping_legs.create_from_node", "shipping_node.update"),
    ("shipping_legs.next_departures", "shipping_node.view"), // explains the record
    ("matchings.bulk_delete", "matching.delete"),
    ("stocks.bulk_delete", "stock.delete"),
    ("stocks.bulk_change", "stock.update"),
    ("stocks.live", "stock.view"),
    ("stocks.sums", "stock.list"),   // adds up the list
    ("prices.list", "listing.list"), // a price is the price side of a listing
    ("prices.export", "listing.list"),
    ("prices.view", "listing.view"),
    ("prices.update", "listing.update"),
    ("prices.patch", "listing.update"),
    ("prices.update_many", "listing.update"),
    ("prices.impact", "listing.update"), // shows what a change would do, and needs its right
    ("prices.delete", "listing.delete"),
    ("prices.bulk_delete", "listing.delete"),
    ("processing_prices.list", "listing.list"), // and listing.view: they are nothing but prices
    ("processing_prices.export", "listing.list"),
    ("processing_prices.create", "listing.create"),
    ("processing_prices.view", "listing.view"),
    ("processing_prices.update", "listing.update"),
    ("processing_prices.patch", "listing.update"),
    ("processing_prices.delete", "listing.delete"),
    ("processing_prices.bulk_delete", "listing.delete"),
    ("held_prices.list", "listing.view"),
    ("held_prices.bulk_change", "listing.update"),
    ("held_prices.impact", "listing.update"), // shows what a decision would do, and needs its right
    ("price_adjustments.bulk_delete", "price_adjustment.delete"),
    ("price_adjustments.read_conditions", "price_adjustment.view"), // of no record
    ("price_adjustments.reorder", "price_adjustment.update"),
    ("price_adjustments.findings", "price_adjustment.list"), // explains the list
    ("price_adjustments.impact", "price_adjustment.view"), // shows what a change would do, and needs its right
    ("surcharge_tables.list", "price_adjustment.list"),    // what adjustments are counted with
    ("surcharge_tables.export", "price_adjustment.list"),
    ("surcharge_tables.create", "price_adjustment.create"),
    ("surcharge_tables.view", "price_adjustment.view"),
    ("surcharge_tables.update", "price_adjustment.update"),
    ("surcharge_tables.patch", "price_adjustment.update"),
    ("surcharge_tables.delete", "price_adjustment.delete"),
    ("surcharge_tables.bulk_delete", "price_adjustment.delete"),
    ("surcharge_tables.usage", "price_adjustment.view"),
    ("surcharge_tables.values", "price_adjustment.view"),
    ("surcharge_tables.update_values", "price_adjustment.update"),
    ("price_lists.archive", "price_list.update"),    // ends it
    ("price_lists.copy", "price_list.create"),       // makes another one
    ("price_lists.preview_copy", "price_list.view"), // shows what a copy would be
    ("price_lists.audience", "price_list.view"),     // explains the record
    ("price_lists.timeline", "price_list.view"),
    ("processing_prices.impact", "listing.view"), // shows what a change would do, and needs its right
    ("surcharge_tables.impact", "price_adjustment.update"),
    ("price_lists.impact", "price_list.view"), // shows what it does, or a change would, and needs its right
    ("price_lists.bulk_delete", "price_list.delete"),
    ("price_lists.deletion_impact", "price_list.delete"), // shows what it would do
    ("price_lists.prices", "price_list.view"),            // parts of the list
    ("price_lists.export_prices", "price_list.view"),
    ("price_lists.update_prices", "price_list.update"),
    ("price_lists.change_prices", "price_list.update"),
    ("price_lists.decide_prices", "price_list.update"),
    ("sample_carts.list", "price_adjustment.list"), // carts that adjustments are tried on
    ("sample_carts.export", "price_adjustment.list"),
    ("sample_carts.create", "price_adjustment.create"),
    ("sample_carts.view", "price_adjustment.view"),
    ("sample_carts.difference", "price_adjustment.view"),
    ("sample_carts.update", "price_adjustment.update"),
    ("sample_carts.patch", "price_adjustment.update"),
    ("sample_carts.accept", "price_adjustment.update"),
    ("sample_carts.delete", "price_adjustment.delete"),
    ("sample_carts.bulk_delete", "price_adjustment.delete"),
    ("unresolved_numbers.list", "matching.list"),
    ("unresolved_numbers.list_suggestions", "matching.view"),
    ("unresolved_numbers.view", "matching.view"),
    ("unresolved_numbers.resolve", "matching.create"),
    ("unresolved_numbers.bulk_match", "matching.create"),
    ("unresolved_numbers.replay", "import.create"),
    ("unresolved_numbers.bulk_change", "matching.update"),
    ("materials.bulk_delete", "material.delete"),
    ("attributes.bulk_delete", "attribute.delete"),
    ("article_type_groups.bulk_delete", "article-type-group.delete"),
    ("processings.bulk_delete", "processing.delete"),
    ("trade_dimensions.bulk_delete", "trade_dimension.delete"),
    ("article_types.bulk_delete", "article_type.delete"),
    ("articles.bulk_delete", "article.delete"),
    ("materials.bulk_change", "material.update"),
    ("attributes.bulk_change", "attribute.update"),
    ("article_types.bulk_change", "article_type.update"),
    ("articles.bulk_change", "article.update"),
    ("articles.bulk_effect", "article.update"), // shows what it would do
];

/// Verbs of every resource that need the permission of another verb.
const VERBS: &[(&str, &str)] = &[
    ("export", "list"),  // the list as a file
    ("usage", "view"),   // part of the record
    ("patch", "update"), // fields of the record
    ("put", "update"),   // and the right to create, where it does
];

#[derive(Clone)]
struct Operation {
    id: String,
    method: Method,
    path: String,
    permission: Option<Permission>,
    /// Permissions of which one is sufficient.
    any_of: Vec<Permission>,
}

fn operations() -> Vec<Operation> {
    let document = document();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let permission = operation["x-permission"].as_str();
            operations.push(Operation {
                id: operation["operationId"].as_str().unwrap().to_owned(),
                method: Method::from_bytes(method.to_uppercase().as_bytes()).unwrap(),
                path: path.clone(),
                permission: permission.map(|name| Permission::parse(name).unwrap()),
                any_of: operation["x-any-permission"].as_array().map_or_else(Vec::new, |names| {
                    names.iter().map(|name| Permission::parse(name.as_str().unwrap()).unwrap()).collect()
                }),
            });
        }
    }
    operations
}

/// Fills the parameters of a path with placeholder values.
fn anywhere(path: &str) -> String {
    let parts = path.split('/').map(|part| match part {
        "{token}" => "lnk_x",
        part if part.starts_with('{') => "1",
        part => part,
    });
    parts.collect::<Vec<_>>().join("/")
}

#[actix_web::test]
async fn operations_need_a_session_and_the_permission() {
    let app = TestApp::new().await;
    let unrelated = app.caller(None, PermissionSet::all().without(permissions::ACCESS_ADMIN)).await;
    let mut without = HashMap::new();
    let mut checked = 0;
    for operation in operations() {
        let uri = anywhere(&operation.path);
        let call = |client: crate::support::Client| {
            let method = operation.method.clone();
            let uri = uri.clone();
            async move { client.send(method, &uri, None).await.status.as_u16() }
        };
        if !operation.any_of.is_empty() {
            let none = operation.any_of.iter().fold(PermissionSet::all(), |set, right| set.without(*right));
            assert_eq!(call(app.anonymous()).await, 401, "{} is public", operation.id);
            assert_eq!(call(app.caller(None, none).await).await, 403, "{} needs none of them", operation.id);
            assert_eq!(call(unrelated.clone()).await, 403, "{} does not need access-admin", operation.id);
            for right in operation.any_of {
                let holder = app.caller(None, none.union([right].into_iter().collect())).await;
                assert_ne!(call(holder).await, 403, "{} wants more than {right:?}", operation.id);
            }
            checked += 1;
            continue;
        }
        let Some(permission) = operation.permission else {
            assert!(
                PUBLIC.contains(&&*operation.id) || SIGNED_IN.contains(&&*operation.id),
                "{} declares no permission",
                operation.id
            );
            let expected_refusal = SIGNED_IN.contains(&&*operation.id);
            assert_eq!(call(app.anonymous()).await == 401, expected_refusal, "{}", operation.id);
            continue;
        };
        assert_eq!(call(app.anonymous()).await, 401, "{} is public", operation.id);
        let without = match without.entry(permission) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(app.caller(None, all_but(permission)).await),
        };
        assert_eq!(
            call(without.clone()).await,
            403,
            "{} does not need {}",
            operation.id,
            permission.as_str()
        );
        assert_eq!(call(unrelated.clone()).await, 403, "{} does not need access-admin", operation.id);
        checked += 1;
    }
    assert!(checked >= 7, "the walk has found {checked} operations");
}

#[actix_web::test]
async fn a_token_reaches_only_operations_of_its_ability() {
    let app = TestApp::new().await;
    let owner = app.platform().await;
    let known: Vec<String> = operations().into_iter().map(|operation| operation.id).collect();
    let listed = TOKENS.iter().flat_map(|(_, opened)| *opened).chain(PEOPLE_ONLY).chain(ANY_TOKEN);
    for operation in listed {
        assert!(known.iter().any(|known| known == operation), "there is no {operation}");
    }
    let abilities =
        TOKENS.iter().map(|(ability, opened)| (*ability, Some(*opened))).chain([("access-admin", None)]);
    for (ability, opened) in abilities {
        let (_, client) = token(&app, &owner, &[ability]).await;
        for operation in operations() {
            let id = operation.id.as_str();
            if PUBLIC.contains(&id) {
                continue;
            }
            let people_only =
                PEOPLE_ONLY.contains(&id) || SIGNED_IN.contains(&id) && !ANY_TOKEN.contains(&id);
            let admitted =
                ANY_TOKEN.contains(&id) || opened.map_or(!people_only, |opened| opened.contains(&id));
            let uri = anywhere(&operation.path);
            let answer = client.send(operation.method, &uri, None).await;
            if admitted {
                assert!(!matches!(answer.status.as_u16(), 401 | 403), "{ability} does not reach {id}");
            } else {
                let code = if people_only { "session_required" } else { "ability_missing" };
                assert_eq!(answer.is(403)["code"], code, "{ability} reaches {id}");
            }
        }
    }
}

#[test]
fn an_operation_needs_the_permission_of_its_own_verb() {
    for operation in operations() {
        let Some(permission) = operation.permission else { continue };
        let exception = OTHER_VERBS.iter().find(|(id, _)| *id == operation.id);
        let (resource, verb) = operation.id.split_once('.').unwrap();
        if let Some((_, expected)) = exception {
            assert_eq!(permission.as_str(), *expected, "{}", operation.id);
            continue;
        }
        let (area, ending) = permission.as_str().rsplit_once('.').unwrap();
        // the record by another key than its id
        let verb = verb.split("_by_").next().unwrap();
        let demanded = VERBS.iter().find(|(of, _)| *of == verb).map_or(verb, |(_, right)| right);
        assert_eq!(ending, demanded, "{}", operation.id);
        let same =
            resource.replace(['_', '-'], "").starts_with(&area.replace(['_', '-'], "")[..area.len().min(5)]);
        assert!(same, "{} is guarded by {}", operation.id, permission.as_str());
    }
}

#[actix_web::test]
async fn unknown_paths_and_methods_are_answered_with_a_code_and_the_usual_headers() {
    let app = TestApp::new().await;
    let client = app.anonymous();
    assert_eq!(client.get("/api/admin/nothing").await.is(404)["code"], "not_found");
    assert_eq!(client.get("/api").await.is(404)["code"], "not_found");
    let answer = client.delete("/api/admin/materials").await;
    assert_eq!(answer.is(405)["code"], "method_not_allowed");
    assert_eq!(answer.header("allow"), "GET, HEAD, POST");
    assert!(!answer.header("x-request-id").is_empty());
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert!(answer.header("content-security-policy").starts_with("default-src 'none'"));
    client.get("/healthz").await.is(204);
    client.get("/readyz").await.is(204);
}
