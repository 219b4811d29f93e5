//! Permissions that tests of a crate name although a crate above declares them. A program that links that
//! crate counts them once.

use values::{Permission, inventory, permission::DeclaredPermissions};

inventory::submit! {
    DeclaredPermissions {
        // sorted behind all crates
        crate_name: "~",
        permissions: &[
            Permission::named("article.create"),
            Permission::named("article.delete"),
            Permission::named("article.list"),
            Permission::named("article.update"),
            Permission::named("configure-external-api"),
            Permission::named("configure-ftp-import"),
            Permission::named("configure-webhooks"),
            Permission::named("import.create"),
            Permission::named("import.list"),
            Permission::named("import.view"),
            Permission::named("listing.create"),
            Permission::named("listing.delete"),
            Permission::named("listing.list"),
            Permission::named("listing.update"),
            Permission::named("listing.view"),
            Permission::named("matching.create"),
            Permission::named("matching.delete"),
            Permission::named("matching.list"),
            Permission::named("matching.update"),
            Permission::named("price_adjustment.create"),
            Permission::named("price_adjustment.delete"),
            Permission::named("price_adjustment.list"),
            Permission::named("price_adjustment.update"),
            Permission::named("price_adjustment.view"),
            Permission::named("price_list.create"),
            Permission::named("price_list.delete"),
            Permission::named("price_list.list"),
            Permission::named("price_list.update"),
            Permission::named("price_list.view"),
            Permission::named("shipping_node.create"),
            Permission::named("shipping_node.delete"),
            Permission::named("shipping_node.update"),
            Permission::named("stock.create"),
            Permission::named("stock.delete"),
            Permission::named("stock.list"),
            Permission::named("stock.update"),
            Permission::named("stock.view"),
            Permission::named("user.update"),
        ],
    }
}
