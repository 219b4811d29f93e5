//! Abilities of personal access tokens, and the one table of the operations that each of them opens. A token
//! can do what both its abilities and its owner's current permissions allow.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{
    Permission, PermissionSet,
    permissions::{ACCESS_ADMIN, ACCESS_SHOP},
};

use crate::permissions;

/// Purpose of a personal access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum Ability {
    /// All operations that the owner may use, except the administration of users, roles, tenants, tokens and
    /// connections.
    #[serde(rename = "access-admin")]
    AccessAdmin,
    /// Access to the shop.
    #[serde(rename = "access-shop")]
    AccessShop,
    /// Upload of price files, also into price lists, and the status of these uploads.
    #[serde(rename = "import-prices")]
    ImportPrices,
    /// Upload of stock files, and the status of these uploads.
    #[serde(rename = "import-stocks")]
    ImportStocks,
    /// Upload of files that replace everything: records that they do not name are deleted. Needed in addition
    /// to the ability to upload them.
    #[serde(rename = "import-replace")]
    ImportReplace,
    /// Read access to prices and price lists.
    #[serde(rename = "listings:read")]
    ReadListings,
    /// Read access to stocks.
    #[serde(rename = "stock:availability")]
    ReadAvailability,
}

/// Permissions that no token ever has, because only people decide who may do what.
const RESERVED: &[Permission] = &[
    permissions::LIST_TOKENS,
    permissions::VIEW_TOKEN,
    permissions::CREATE_TOKEN,
    permissions::UPDATE_TOKEN,
    permissions::DELETE_TOKEN,
    permissions::CREATE_USER,
    permissions::UPDATE_USER,
    permissions::DELETE_USER,
    permissions::CREATE_ROLE,
    permissions::UPDATE_ROLE,
    permissions::DELETE_ROLE,
    tenancy::permissions::CREATE_TENANT,
    tenancy::permissions::UPDATE_TENANT,
    tenancy::permissions::DELETE_TENANT,
    Permission::from_name("configure-external-api"),
    Permission::from_name("configure-ftp-import"),
    Permission::from_name("configure-webhooks"),
];

/// Upload of files, and the status of uploads.
const UPLOAD: &[Permission] = &[Permission::from_name("import.create"), Permission::from_name("import.view")];

const CREATE_PRICE: Permission = Permission::from_name("listing.create");
const UPDATE_PRICE: Permission = Permission::from_name("listing.update");
const DELETE_PRICE: Permission = Permission::from_name("listing.delete");
const LIST_PRICES: Permission = Permission::from_name("listing.list");
const VIEW_PRICE: Permission = Permission::from_name("listing.view");
const UPDATE_PRICE_LIST: Permission = Permission::from_name("price_list.update");
const DELETE_PRICE_LIST: Permission = Permission::from_name("price_list.delete");
const LIST_PRICE_LISTS: Permission = Permission::from_name("price_list.list");
const VIEW_PRICE_LIST: Permission = Permission::from_name("price_list.view");
const CREATE_STOCK: Permission = Permission::from_name("stock.create");
const UPDATE_STOCK: Permission = Permission::from_name("stock.update");
const DELETE_STOCK: Permission = Permission::from_name("stock.delete");
const LIST_STOCKS: Permission = Permission::from_name("stock.list");
const VIEW_STOCK: Permission = Permission::from_name("stock.view");

/// Line of the table of abilities.
struct Line {
    /// Permissions whose operations are opened.
    opens: Opens,
    /// Further permissions that these operations check, without their own operations being opened.
    carries: &'static [Permission],
    /// Permissions of both groups that apply only if the owner has them; they are not needed to create a
    /// token.
    if_held: &'static [Permission],
    /// True if only those of the operations that read are opened.
    reads_only: bool,
}

enum Opens {
    AllBut(&'static [Permission]),
    Only(&'static [Permission]),
}

impl Ability {
    pub const ALL: &'static [Self] = &[
        Self::AccessAdmin,
        Self::AccessShop,
        Self::ImportPrices,
        Self::ImportStocks,
        Self::ImportReplace,
        Self::ReadListings,
        Self::ReadAvailability,
    ];

    /// Table of abilities.
    fn line(self) -> Line {
        let line = |opens, carries, reads_only| Line { opens, carries, if_held: &[], reads_only };
        match self {
            Self::AccessAdmin => line(Opens::AllBut(RESERVED), &[], false),
            Self::AccessShop => line(Opens::Only(&[ACCESS_SHOP]), &[], false),
            Self::ImportPrices => {
                let carried = &[CREATE_PRICE, UPDATE_PRICE, UPDATE_PRICE_LIST];
                let line = line(Opens::Only(UPLOAD), carried, false);
                Line { if_held: &[UPDATE_PRICE_LIST], ..line }
            }
            Self::ImportStocks => line(Opens::Only(UPLOAD), &[CREATE_STOCK, UPDATE_STOCK], false),
            Self::ImportReplace => {
                let carried = &[DELETE_STOCK, DELETE_PRICE, DELETE_PRICE_LIST];
                Line { if_held: carried, ..line(Opens::Only(UPLOAD), carried, false) }
            }
            Self::ReadListings => {
                let opened = Opens::Only(&[LIST_PRICES, VIEW_PRICE, LIST_PRICE_LISTS, VIEW_PRICE_LIST]);
                Line { if_held: &[LIST_PRICE_LISTS, VIEW_PRICE_LIST], ..line(opened, &[], true) }
            }
            Self::ReadAvailability => line(Opens::Only(&[LIST_STOCKS, VIEW_STOCK]), &[], true),
        }
    }

    /// Name in the API and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::AccessAdmin => "access-admin",
            Self::AccessShop => "access-shop",
            Self::ImportPrices => "import-prices",
            Self::ImportStocks => "import-stocks",
            Self::ImportReplace => "import-replace",
            Self::ReadListings => "listings:read",
            Self::ReadAvailability => "stock:availability",
        }
    }

    /// Parses a name; `None` if this version does not know it, so it opens nothing.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|ability| ability.as_str() == name)
    }

    /// True if the ability opens the operations with this permission; `reading` says that the operation only
    /// reads.
    pub fn opens(self, permission: Permission, reading: bool) -> bool {
        let line = self.line();
        line.opens.set().contains(permission) && (reading || !line.reads_only)
    }

    /// Permissions that the ability gives to a token, if the owner has them.
    fn rights(self) -> PermissionSet {
        let line = self.line();
        line.opens.set().union(line.carries.iter().copied().collect())
    }

    /// Permissions that a user needs to create a token with this ability.
    pub fn needs(self) -> PermissionSet {
        let enter = PermissionSet::from_iter([ACCESS_ADMIN]);
        match self {
            Self::AccessAdmin => enter,
            Self::AccessShop => self.rights(),
            _ => {
                let if_held: PermissionSet = self.line().if_held.iter().copied().collect();
                self.rights().difference(if_held).union(enter)
            }
        }
    }
}

impl Opens {
    fn set(&self) -> PermissionSet {
        match self {
            Self::AllBut(reserved) => PermissionSet::all().difference(reserved.iter().copied().collect()),
            Self::Only(opened) => opened.iter().copied().collect(),
        }
    }
}

/// Permissions of a token with these abilities and an owner with these permissions. If the owner may not
/// enter the admin area, only the shop remains.
pub fn rights(abilities: &[Ability], owner: PermissionSet) -> PermissionSet {
    let enters = owner.contains(ACCESS_ADMIN);
    let usable = abilities.iter().filter(|ability| enters || **ability == Ability::AccessShop);
    usable.fold(PermissionSet::default(), |all, ability| all.union(ability.rights())).intersection(owner)
}

/// Parses stored abilities: names separated by spaces. Unknown names are ignored.
pub fn parse_all(stored: &str) -> Vec<Ability> {
    stored.split(' ').filter_map(Ability::parse).collect()
}

/// Joins the names of abilities with a separator.
pub fn names(abilities: &[Ability], between: &str) -> String {
    abilities.iter().map(|ability| ability.as_str()).collect::<Vec<_>>().join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> PermissionSet {
        let set = PermissionSet::parse(names.iter().copied());
        assert_eq!(set.iter().count(), names.len(), "{names:?}");
        set
    }

    #[test]
    fn ability_names_are_parsed_back() {
        for ability in Ability::ALL {
            assert_eq!(Ability::parse(ability.as_str()), Some(*ability));
            assert_eq!(serde_json::to_value(ability).unwrap(), ability.as_str());
        }
        assert_eq!(
            parse_all("listings:read no-such access-admin"),
            [Ability::ReadListings, Ability::AccessAdmin]
        );
        assert_eq!(parse_all(&names(Ability::ALL, " ")), Ability::ALL);
        assert_eq!(parse_all(""), []);
    }

    #[test]
    fn token_rights_are_those_of_its_abilities_that_its_owner_also_has() {
        let prices =
            &["import.create", "import.view", "listing.create", "listing.update", "price_list.update"][..];
        let lists = &["listing.list", "listing.view", "price_list.list", "price_list.view"][..];
        let stocks = &["import.create", "import.view", "stock.create", "stock.update"][..];
        for (abilities, expected) in [
            (&[][..], &[][..]),
            (&[Ability::AccessShop], &["access-shop"]),
            (&[Ability::ImportPrices], prices),
            (&[Ability::ImportStocks], stocks),
            (
                &[Ability::ImportReplace],
                &["import.create", "import.view", "stock.delete", "listing.delete", "price_list.delete"],
            ),
            (&[Ability::ReadListings], lists),
            (&[Ability::ReadAvailability], &["stock.list", "stock.view"]),
            (&[Ability::ReadListings, Ability::AccessShop], &[lists, &["access-shop"]].concat()),
        ] {
            assert_eq!(rights(abilities, PermissionSet::all()), set(expected), "{abilities:?}");
        }
        let owner = set(&["access-admin", "import.view", "listing.create", "article.list", "user.update"]);
        for (abilities, expected) in [
            (&[Ability::ImportPrices][..], &["import.view", "listing.create"][..]),
            (&[Ability::AccessAdmin], &["access-admin", "import.view", "listing.create", "article.list"]),
            (&[Ability::AccessShop], &[]),
        ] {
            assert_eq!(rights(abilities, owner), set(expected), "{abilities:?}");
        }
    }

    #[test]
    fn tokens_of_owners_without_admin_access_have_only_shop_rights() {
        let owner = PermissionSet::all().without(ACCESS_ADMIN);
        assert_eq!(rights(Ability::ALL, owner), set(&["access-shop"]));
    }

    #[test]
    fn reserved_permissions_are_never_rights_of_a_token() {
        let all = rights(Ability::ALL, PermissionSet::all());
        let reserved: PermissionSet = RESERVED.iter().copied().collect();
        assert!(all.intersection(reserved).is_empty());
        assert_eq!(all.union(reserved), PermissionSet::all());
    }

    #[test]
    fn required_permissions_of_abilities_match_the_shared_table() {
        #[derive(Deserialize)]
        struct Abilities {
            abilities: Vec<Needs>,
        }
        #[derive(Deserialize)]
        struct Needs {
            ability: Ability,
            needs: Vec<Permission>,
        }
        let Abilities { abilities } = testkit::rules::read("ability.json");
        assert_eq!(abilities.iter().map(|line| line.ability).collect::<Vec<_>>(), Ability::ALL);
        for Needs { ability, needs } in abilities {
            assert_eq!(ability.needs(), needs.into_iter().collect(), "{ability:?}");
        }
    }

    #[test]
    fn read_only_abilities_open_no_operation_that_writes() {
        for (ability, permission, reads, writes) in [
            (Ability::AccessAdmin, Permission::from_name("article.update"), true, true),
            (Ability::AccessAdmin, permissions::UPDATE_USER, false, false),
            (Ability::ImportPrices, Permission::from_name("import.create"), true, true),
            (Ability::ImportPrices, Permission::from_name("import.list"), false, false),
            // Needed by the upload, which does not open the operation itself.
            (Ability::ImportPrices, Permission::from_name("listing.create"), false, false),
            (Ability::ReadListings, Permission::from_name("listing.list"), true, false),
            (Ability::ReadAvailability, Permission::from_name("stock.view"), true, false),
        ] {
            assert_eq!(ability.opens(permission, true), reads, "{ability:?} {permission:?}");
            assert_eq!(ability.opens(permission, false), writes, "{ability:?} {permission:?}");
        }
    }
}
