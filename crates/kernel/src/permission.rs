//! All permissions of the product under the names of the specification, including its odd spellings.

use std::collections::HashMap;

use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect,
    sea_query::{Expr, Func},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Result;

macro_rules! permissions {
    // `$wire` is a `tt` because the derive of the API documentation does not see a matched `literal`
    ($($name:ident $wire:tt)*) => {
        /// Permission that a role, a user or a token can have.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
        pub enum Permission { $(#[serde(rename = $wire)] $name,)* }

        impl Permission {
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Name on the wire and in the database.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $wire,)* }
            }

            /// Parses a name; `None` for one that this version does not define, which then permits nothing.
            pub fn parse(name: &str) -> Option<Self> {
                match name { $($wire => Some(Self::$name),)* _ => None }
            }
        }

        /// Types that stand for single permissions, to require one in a handler's signature:
        /// `Authorized<may::ListArticles>`.
        pub mod may {
            use super::{Grants, Permission};
            $(
                #[derive(Debug)]
                pub struct $name;
                impl Grants for $name { const PERMISSION: Permission = Permission::$name; }
            )*
        }
    };
}

/// Type that stands for a permission.
pub trait Grants: 'static {
    const PERMISSION: Permission;
}

/// Type that stands for several permissions, any of which is enough.
pub trait GrantsAny: 'static {
    const ANY: &'static [Permission];
}

permissions! {
    AccessAdmin "access-admin"  AccessShop "access-shop"
    ListAttributes "attribute.list"  ViewAttribute "attribute.view"  CreateAttribute "attribute.create"  UpdateAttribute "attribute.update"  DeleteAttribute "attribute.delete"
    ListMaterials "material.list"  ViewMaterial "material.view"  CreateMaterial "material.create"  UpdateMaterial "material.update"  DeleteMaterial "material.delete"
    ListTradeDimensions "trade_dimension.list"  ViewTradeDimension "trade_dimension.view"  CreateTradeDimension "trade_dimension.create"  UpdateTradeDimension "trade_dimension.update"  DeleteTradeDimension "trade_dimension.delete"
    ListArticleTypes "article_type.list"  ViewArticleType "article_type.view"  CreateArticleType "article_type.create"  UpdateArticleType "article_type.update"  DeleteArticleType "article_type.delete"
    ListArticleTypeGroups "article-type-group.list"  ViewArticleTypeGroup "article-type-group.view"  CreateArticleTypeGroup "article-type-group.create"  UpdateArticleTypeGroup "article-type-group.update"  DeleteArticleTypeGroup "article-type-group.delete"
    ListArticles "article.list"  ViewArticle "article.view"  CreateArticle "article.create"  UpdateArticle "article.update"  DeleteArticle "article.delete"
    ListMatchings "matching.list"  ViewMatching "matching.view"  CreateMatching "matching.create"  UpdateMatching "matching.update"  DeleteMatching "matching.delete"
    ListStocks "stock.list"  ViewStock "stock.view"  CreateStock "stock.create"  UpdateStock "stock.update"  DeleteStock "stock.delete"
    ListProcessings "processing.list"  ViewProcessing "processing.view"  CreateProcessing "processing.create"  UpdateProcessing "processing.update"  DeleteProcessing "processing.delete"
    ListPrices "listing.list"  ViewPrice "listing.view"  CreatePrice "listing.create"  UpdatePrice "listing.update"  DeletePrice "listing.delete"
    ListPriceLists "price_list.list"  ViewPriceList "price_list.view"  CreatePriceList "price_list.create"  UpdatePriceList "price_list.update"  DeletePriceList "price_list.delete"
    ListPriceAdjustments "price_adjustment.list"  ViewPriceAdjustment "price_adjustment.view"  CreatePriceAdjustment "price_adjustment.create"  UpdatePriceAdjustment "price_adjustment.update"  DeletePriceAdjustment "price_adjustment.delete"
    ListCategories "category.list"  ViewCategory "category.view"  CreateCategory "category.create"  UpdateCategory "category.update"  DeleteCategory "category.delete"
    ListTenants "tenant.list"  ViewTenant "tenant.view"  CreateTenant "tenant.create"  UpdateTenant "tenant.update"  DeleteTenant "tenant.delete"
    ListTenantGroups "tenant-group.list"  ViewTenantGroup "tenant-group.view"  CreateTenantGroup "tenant-group.create"  UpdateTenantGroup "tenant-group.update"  DeleteTenantGroup "tenant-group.delete"
    ListWarehouses "warehouse.list"  ViewWarehouse "warehouse.view"  CreateWarehouse "warehouse.create"  UpdateWarehouse "warehouse.update"  DeleteWarehouse "warehouse.delete"
    ListShippingNodes "shipping_node.list"  ViewShippingNode "shipping_node.view"  CreateShippingNode "shipping_node.create"  UpdateShippingNode "shipping_node.update"  DeleteShippingNode "shipping_node.delete"
    ListTokens "token.list"  ViewToken "token.view"  CreateToken "token.create"  UpdateToken "token.update"  DeleteToken "token.delete"
    ListImports "import.list"  ViewImport "import.view"  CreateImport "import.create"  DeleteImport "import.delete"
    ListUsers "user.list"  ViewUser "user.view"  CreateUser "user.create"  UpdateUser "user.update"  DeleteUser "user.delete"
    ListRoles "roles.list"  ViewRole "roles.view"  CreateRole "roles.create"  UpdateRole "roles.update"  DeleteRole "roles.delete"
    ConfigureExternalApi "configure-external-api"  ConfigureFtpImport "configure-ftp-import"  ConfigureWebhooks "configure-webhooks"
    ShareViews "view.share"
    ListAudit "audit.list"  ViewAudit "audit.view"
}

/// Set of permissions, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct PermissionSet([u64; WORDS]);

const WORDS: usize = Permission::ALL.len().div_ceil(64);

/// Returns the word and the bit of a permission.
const fn place(permission: Permission) -> (usize, u64) {
    (permission as usize / 64, 1 << (permission as usize % 64))
}

impl PermissionSet {
    pub const ALL: Self = {
        let mut words = [u64::MAX; WORDS];
        words[WORDS - 1] = u64::MAX >> (WORDS * 64 - Permission::ALL.len());
        Self(words)
    };

    fn combine(mut self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word = combine(*word, other);
        }
        self
    }

    /// True if the permission is in the set.
    pub fn contains(self, permission: Permission) -> bool {
        let (word, bit) = place(permission);
        self.0.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Returns the permissions that are in both sets.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        self.combine(other, |one, other| one & other)
    }

    /// Returns the permissions that are in either set.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        self.combine(other, |one, other| one | other)
    }

    /// Permissions that are not in the other set.
    #[must_use]
    pub fn difference(self, other: Self) -> Self {
        self.combine(other, |one, other| one & !other)
    }

    /// True if the set has no permission.
    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// Returns the set less one permission.
    #[must_use]
    pub fn without(self, permission: Permission) -> Self {
        self.difference(Self::from_iter([permission]))
    }

    /// True if the set contains at least one of these.
    pub fn contains_any(self, permissions: &[Permission]) -> bool {
        permissions.iter().any(|permission| self.contains(*permission))
    }

    /// True if `other` has all permissions of this set.
    pub fn is_subset(self, other: Self) -> bool {
        self.difference(other).is_empty()
    }

    /// Permissions of the set in the order of [`Permission::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        Permission::ALL.iter().copied().filter(move |permission| self.contains(*permission))
    }

    /// Permissions of each holder, from a table with a row for each permission. The database aggregates them,
    /// so that a holder with all permissions is read as one row instead of a hundred.
    #[expect(clippy::disallowed_methods, reason = "rights are what a scope is made of")]
    pub async fn by_holder<E: EntityTrait>(
        db: &impl ConnectionTrait,
        holder: E::Column,
        permission: E::Column,
        holders: impl IntoIterator<Item = i64>,
    ) -> Result<HashMap<i64, Self>> {
        let holders: Vec<i64> = holders.into_iter().collect();
        if holders.is_empty() {
            return Ok(HashMap::new());
        }
        let names = Expr::expr(Func::cust("string_agg").arg(Expr::col(permission)).arg(" "));
        let packed = E::find()
            .select_only()
            .column(holder)
            .column_as(names, "names")
            .filter(holder.is_in(holders))
            .group_by(holder);
        let packed: Vec<(i64, String)> = packed.into_tuple().all(db).await?;
        Ok(packed.into_iter().map(|(holder, names)| (holder, Self::parse(names.split(' ')))).collect())
    }

    /// Parses stored names; names that this version does not define are left out.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        names.into_iter().filter_map(Permission::parse).collect()
    }
}

impl FromIterator<Permission> for PermissionSet {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        permissions.into_iter().fold(Self::default(), |mut set, permission| {
            let (word, bit) = place(permission);
            if let Some(word) = set.0.get_mut(word) {
                *word |= bit;
            }
            set
        })
    }
}

impl std::fmt::Debug for PermissionSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter().map(Permission::as_str)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_are_unique() {
        let names: std::collections::HashSet<_> = Permission::ALL.iter().map(|p| p.as_str()).collect();
        assert_eq!(names.len(), Permission::ALL.len());
        for permission in Permission::ALL {
            assert_eq!(Permission::parse(permission.as_str()), Some(*permission));
            assert_eq!(serde_json::to_value(permission).unwrap(), permission.as_str());
        }
        assert_eq!(Permission::parse("article.*"), None);
    }

    #[test]
    fn sets_are_combined_one_by_one() {
        let all = Permission::ALL;
        for (index, one) in all.iter().enumerate() {
            let other = all[(index * 7 + 1) % all.len()];
            let (set, others) = (PermissionSet::from_iter([*one]), PermissionSet::from_iter([other]));
            let both: PermissionSet = [*one, other].into_iter().collect();
            assert_eq!(set.iter().collect::<Vec<_>>(), [*one]);
            assert_eq!(set.union(others), both);
            assert_eq!(both.without(*one), if *one == other { PermissionSet::default() } else { others });
            assert_eq!(set.intersection(others).is_empty(), *one != other);
            assert!(
                set.is_subset(both) && PermissionSet::ALL.difference(set).iter().count() == all.len() - 1
            );
        }
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        let set = PermissionSet::parse(["article.list", "access-admin", "no.such"]);
        assert_eq!(set.iter().count(), 2);
        assert!(set.contains(Permission::ListArticles) && !set.contains(Permission::DeleteArticle));
        assert_eq!(PermissionSet::ALL.iter().count(), Permission::ALL.len());
        assert!(set.is_subset(PermissionSet::ALL) && !PermissionSet::ALL.is_subset(set));
        assert!(!set.without(Permission::ListArticles).contains(Permission::ListArticles));
    }
}
