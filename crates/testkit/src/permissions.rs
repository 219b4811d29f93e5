//! Permissions that tests of a crate name although a crate above declares them. A program that links that
//! crate counts them once.

use values::{Permission, inventory, permission::DeclaredPermissions};

inventory::submit! {
    DeclaredPermissions {
        // sorted behind all crates
        crate_name: "~",
        permissions: &[
            Permission::from_name("article.create"),
            Permission::from_name("article.delete"),
            Permission::from_name("article.list"),
            Permission::from_name("article.update"),
            Permission::from_name("configure-external-api"),
            Permission::from_name("configure-ftp-import"),
            Permission::from_name("configure-webhooks"),
            Permission::from_name("import.create"),
            Permission::from_name("import.list"),
            Permission::from_name("import.view"),
            Permission::from_name("listing.create"),
            Permission::from_name("listing.delete"),
            Permission::from_name("listing.list"),
            Permission::from_name("listing.update"),
            Permission::from_name("listing.view"),
            Permission::from_name("matching.create"),
            Permission::from_name("matching.delete"),
            Permission::from_name("matching.list"),
            Permission::from_name("matching.update"),
            Permission::from_name("price_adjustment.create"),
            Permission::from_name("price_adjustment.delete"),
            Permission::from_name("price_adjustment.list"),
            Permission::from_name("price_adjustment.update"),
            Permission::from_name("price_adjustment.view"),
            Permission::from_name("price_list.create"),
            Permission::from_name("price_list.delete"),
            Permission::from_name("price_list.list"),
            Permission::from_name("price_list.update"),
            Permission::from_name("price_list.view"),
            Permission::from_name("shipping_node.create"),
            Permission::from_name("shipping_node.delete"),
            Permission::from_name("shipping_node.update"),
            Permission::from_name("stock.create"),
            Permission::from_name("stock.delete"),
            Permission::from_name("stock.list"),
            Permission::from_name("stock.update"),
            Permission::from_name("stock.view"),
            Permission::from_name("user.update"),
        ],
    }
}
