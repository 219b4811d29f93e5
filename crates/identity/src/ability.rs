//! What a personal access token is for. The one table of what each ability opens; a token never does more than its owner
//! may at that moment.

use kernel::{Permission, PermissionSet};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a personal access token can be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
pub enum Ability {
    /// Everything its owner may, except what decides who may what.
    #[serde(rename = "access-admin")]
    AccessAdmin,
    /// Entering the shop.
    #[serde(rename = "access-shop")]
    AccessShop,
    /// Uploading price files, also into price lists, and following these uploads.
    #[serde(rename = "import-prices")]
    ImportPrices,
    /// Uploading stock files, and following these uploads.
    #[serde(rename = "import-stocks")]
    ImportStocks,
    /// Uploading files that replace all: what they do not name goes. Besides the ability to upload them.
    #[serde(rename = "import-replace")]
    ImportReplace,
    /// Reading prices and price lists.
    #[serde(rename = "listings:read")]
    ReadListings,
    /// Reading stocks.
    #[serde(rename = "stock:availability")]
    ReadAvailability,
}

/// Who may what is decided by people: no token gets here, whatever its abilities and its owner.
const RESERVED: &[Permission] = &[
    Permission::ListTokens,
    Permission::ViewToken,
    Permission::CreateToken,
    Permission::UpdateToken,
    Permission::DeleteToken,
    Permission::CreateUser,
    Permission::UpdateUser,
    Permission::DeleteUser,
    Permission::CreateRole,
    Permission::UpdateRole,
    Permission::DeleteRole,
    Permission::CreateTenant,
    Permission::UpdateTenant,
    Permission::DeleteTenant,
    Permission::ConfigureExternalApi,
    Permission::ConfigureFtpImport,
    Permission::ConfigureWebhooks,
];

/// A line of the table.
struct Line {
    /// The operations that demand one of these.
    opens: Opens,
    /// What these operations ask for besides: without an operation of its own.
    carries: &'static [Permission],
    /// Those of both that come only if the owner has them: nobody needs them to make a token.
    if_held: &'static [Permission],
    /// Whether of these operations only those that read.
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

    /// The table.
    fn line(self) -> Line {
        use Permission::{
            AccessShop, CreateImport, CreatePrice, CreateStock, DeletePrice, DeletePriceList, DeleteStock,
            ListPriceLists, ListPrices, ListStocks, UpdatePrice, UpdatePriceList, UpdateStock, ViewImport,
            ViewPrice, ViewPriceList, ViewStock,
        };
        let line = |opens, carries, reads_only| Line { opens, carries, if_held: &[], reads_only };
        match self {
            Self::AccessAdmin => line(Opens::AllBut(RESERVED), &[], false),
            Self::AccessShop => line(Opens::Only(&[AccessShop]), &[], false),
            Self::ImportPrices => {
                let carried = &[CreatePrice, UpdatePrice, UpdatePriceList];
                let line = line(Opens::Only(&[CreateImport, ViewImport]), carried, false);
                Line { if_held: &[UpdatePriceList], ..line }
            }
            Self::ImportStocks => {
                line(Opens::Only(&[CreateImport, ViewImport]), &[CreateStock, UpdateStock], false)
            }
            Self::ImportReplace => {
                let carried = &[DeleteStock, DeletePrice, DeletePriceList];
                let line = line(Opens::Only(&[CreateImport, ViewImport]), carried, false);
                Line { if_held: carried, ..line }
            }
            Self::ReadListings => {
                let opened = Opens::Only(&[ListPrices, ViewPrice, ListPriceLists, ViewPriceList]);
                Line { if_held: &[ListPriceLists, ViewPriceList], ..line(opened, &[], true) }
            }
            Self::ReadAvailability => line(Opens::Only(&[ListStocks, ViewStock]), &[], true),
        }
    }

    /// The name on the wire and in the database.
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

    /// `None` for a name that this version does not know: never an ability.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|ability| ability.as_str() == name)
    }

    /// Whether it opens the operations that demand this permission: those that only read, or all.
    pub fn opens(self, permission: Permission, reading: bool) -> bool {
        let line = self.line();
        line.opens.set().contains(permission) && (reading || !line.reads_only)
    }

    /// The rights that a token has by it, if its owner has them.
    fn rights(self) -> PermissionSet {
        let line = self.line();
        line.opens.set().union(line.carries.iter().copied().collect())
    }

    /// What somebody must hold to make a token with it.
    pub fn needs(self) -> PermissionSet {
        let enter = PermissionSet::from_iter([Permission::AccessAdmin]);
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
            Self::AllBut(reserved) => PermissionSet::ALL.difference(reserved.iter().copied().collect()),
            Self::Only(opened) => opened.iter().copied().collect(),
        }
    }
}

/// What a token with these abilities may while its owner may this. Whoever may no longer enter the admin area has no
/// tokens for it either.
pub fn rights(abilities: &[Ability], owner: PermissionSet) -> PermissionSet {
    let enters = owner.contains(Permission::AccessAdmin);
    let usable = abilities.iter().filter(|ability| enters || **ability == Ability::AccessShop);
    usable.fold(PermissionSet::default(), |all, ability| all.union(ability.rights())).intersection(owner)
}

/// Abilities as they are stored: names with spaces between them. Unknown ones are none.
pub fn parse_all(stored: &str) -> Vec<Ability> {
    stored.split(' ').filter_map(Ability::parse).collect()
}

/// Their names, with this between them.
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
    fn names_read_back() {
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
    fn a_token_may_what_its_abilities_name_and_its_owner_may() {
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
            assert_eq!(rights(abilities, PermissionSet::ALL), set(expected), "{abilities:?}");
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
    fn who_cannot_enter_the_admin_area_has_no_tokens_for_it() {
        let owner = PermissionSet::ALL.without(Permission::AccessAdmin);
        assert_eq!(rights(Ability::ALL, owner), set(&["access-shop"]));
    }

    #[test]
    fn nothing_that_is_reserved_is_ever_a_right_of_a_token() {
        let all = rights(Ability::ALL, PermissionSet::ALL);
        let reserved: PermissionSet = RESERVED.iter().copied().collect();
        assert!(all.intersection(reserved).is_empty());
        assert_eq!(all.union(reserved), PermissionSet::ALL);
    }

    #[test]
    fn what_one_must_hold_to_give_it_is_what_the_form_knows() {
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
    fn what_only_reads_opens_nothing_that_writes() {
        for (ability, permission, reads, writes) in [
            (Ability::AccessAdmin, Permission::UpdateArticle, true, true),
            (Ability::AccessAdmin, Permission::UpdateUser, false, false),
            (Ability::ImportPrices, Permission::CreateImport, true, true),
            (Ability::ImportPrices, Permission::ListImports, false, false),
            // carried for the upload, not for an operation of its own
            (Ability::ImportPrices, Permission::CreatePrice, false, false),
            (Ability::ReadListings, Permission::ListPrices, true, false),
            (Ability::ReadAvailability, Permission::ViewStock, true, false),
        ] {
            assert_eq!(ability.opens(permission, true), reads, "{ability:?} {permission:?}");
            assert_eq!(ability.opens(permission, false), writes, "{ability:?} {permission:?}");
        }
    }
}
