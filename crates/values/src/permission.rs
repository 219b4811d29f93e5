//! Permissions and sets of them. Each crate declares its permissions under the names of the specification,
//! including its odd spellings.

use std::{
    borrow::Cow,
    collections::{HashMap, hash_map::Entry},
    sync::LazyLock,
};

use serde::{Deserialize, Deserializer, de::Error as _};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
};

use crate::code::written_as_name;

/// Permission that a role, a user or a token can have. Each crate declares its own with
/// [`permissions!`](crate::permissions!).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Permission {
    name: &'static str,
}

impl Permission {
    /// Permission of this name, which a crate declares that the caller's crate cannot use. A test compares
    /// all such names with the declared ones.
    pub const fn from_name(name: &'static str) -> Self {
        Self { name }
    }

    /// Returns the permissions of all crates of this program in the order of their places in a set.
    pub fn all() -> impl Iterator<Item = Self> {
        DECLARED.names.iter().map(|name| Self { name })
    }

    /// Name on the wire and in the database.
    pub fn as_str(self) -> &'static str {
        self.name
    }

    /// Parses a name; `None` for one that this version does not define, which then permits nothing.
    pub fn parse(name: &str) -> Option<Self> {
        DECLARED.places.get_key_value(name).map(|(name, _)| Self { name })
    }

    /// Place of the permission in a set; `None` if no crate declares it.
    fn place(self) -> Option<usize> {
        DECLARED.places.get(self.name).copied()
    }
}

written_as_name!(Permission);

impl<'de> Deserialize<'de> for Permission {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        Self::parse(&name).ok_or_else(|| D::Error::unknown_variant(&name, &DECLARED.names))
    }
}

impl PartialSchema for Permission {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Permission that a role, a user or a token can have."))
            .enum_values(Some(Self::all().map(Self::as_str)))
            .into()
    }
}

impl ToSchema for Permission {}

/// Permissions of a crate.
#[doc(hidden)]
pub struct DeclaredPermissions {
    /// Name of the crate, by which the sets are sorted.
    pub crate_name: &'static str,
    pub permissions: &'static [Permission],
}

inventory::collect!(DeclaredPermissions);

/// Permissions of all crates of this program: those of this crate, with which people enter, then by crate, in
/// the order of their declaration.
struct Declarations {
    names: Vec<&'static str>,
    /// Index of each name.
    places: HashMap<&'static str, usize>,
}

static DECLARED: LazyLock<Declarations> = LazyLock::new(|| {
    let mut sets: Vec<_> = inventory::iter::<DeclaredPermissions>().collect();
    sets.sort_unstable_by_key(|set| (set.crate_name != env!("CARGO_PKG_NAME"), set.crate_name));
    let mut declared = Declarations { names: Vec::new(), places: HashMap::new() };
    for name in sets.iter().flat_map(|set| set.permissions).map(|permission| permission.name) {
        if let Entry::Vacant(free) = declared.places.entry(name) {
            free.insert(declared.names.len());
            declared.names.push(name);
        }
    }
    assert!(declared.names.len() <= WORDS * 64, "crates declare more permissions than a set has room for");
    declared
});

/// Type that stands for a permission, to require it in a handler's signature: `Authorized<may::ListArticles>`.
pub trait Grants: 'static {
    const PERMISSION: Permission;
}

/// Type that stands for several permissions, any of which is enough.
pub trait GrantsAny: 'static {
    const ANY: &'static [Permission];
}

/// Declares the permissions of a crate: for each a constant, and a type in the module `may`.
#[macro_export]
macro_rules! permissions {
    ($($constant:ident $type:ident $name:literal)*) => {
        $(pub const $constant: $crate::Permission = $crate::Permission::from_name($name);)*

        /// Types that stand for single permissions.
        pub mod may {
            $(
                #[derive(Debug)]
                pub struct $type;

                impl $crate::permission::Grants for $type {
                    const PERMISSION: $crate::Permission = super::$constant;
                }
            )*
        }

        $crate::inventory::submit! {
            $crate::permission::DeclaredPermissions {
                crate_name: env!("CARGO_PKG_NAME"),
                permissions: &[$($constant,)*],
            }
        }
    };
}

/// Set of permissions, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct PermissionSet([u64; WORDS]);

/// Number of words of a set, which limits how many permissions a program can have.
const WORDS: usize = 4;

impl PermissionSet {
    /// Returns the set of all permissions.
    pub fn all() -> Self {
        let mut all = Self::default();
        (0..DECLARED.names.len()).for_each(|place| all.insert(place));
        all
    }

    fn insert(&mut self, place: usize) {
        if let Some(word) = self.0.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
    }

    fn has(self, place: usize) -> bool {
        self.0.get(place / 64).is_some_and(|word| word & 1 << (place % 64) != 0)
    }

    fn combine(mut self, other: Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word = combine(*word, other);
        }
        self
    }

    /// True if the permission is in the set.
    pub fn contains(self, permission: Permission) -> bool {
        permission.place().is_some_and(|place| self.has(place))
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

    /// Permissions of the set in the order of [`Permission::all`].
    pub fn iter(self) -> impl Iterator<Item = Permission> {
        let entries = Permission::all().enumerate().filter(move |(place, _)| self.has(*place));
        entries.map(|(_, permission)| permission)
    }

    /// Parses stored names; names that this version does not define are left out.
    pub fn parse<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        names.into_iter().filter_map(Permission::parse).collect()
    }
}

impl FromIterator<Permission> for PermissionSet {
    fn from_iter<I: IntoIterator<Item = Permission>>(permissions: I) -> Self {
        let mut set = Self::default();
        permissions.into_iter().filter_map(Permission::place).for_each(|place| set.insert(place));
        set
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

    const WORDS_APART: [&str; 3] = ["test.first", "test.second", "test.third"];

    inventory::submit! {
        DeclaredPermissions {
            crate_name: "tests",
            permissions: &[
                Permission::from_name("test.first"),
                Permission::from_name("test.second"),
                Permission::from_name("test.third"),
            ],
        }
    }

    #[test]
    fn permission_names_are_unique_and_parsed_back() {
        let names: std::collections::HashSet<_> = Permission::all().map(Permission::as_str).collect();
        assert_eq!(names.len(), Permission::all().count());
        assert!(WORDS_APART.iter().all(|name| names.contains(name)));
        for permission in Permission::all() {
            assert_eq!(Permission::parse(permission.as_str()), Some(permission));
            assert_eq!(serde_json::to_value(permission).unwrap(), permission.as_str());
            let read: Permission = serde_json::from_value(permission.as_str().into()).unwrap();
            assert_eq!(read, permission);
        }
        assert_eq!(Permission::parse("test.*"), None);
        assert!(serde_json::from_str::<Permission>("\"test.*\"").is_err());
    }

    #[test]
    fn set_operations_work_for_every_permission() {
        let all: Vec<_> = Permission::all().collect();
        for (index, one) in all.iter().enumerate() {
            let other = all[(index * 7 + 1) % all.len()];
            let (set, others) = (PermissionSet::from_iter([*one]), PermissionSet::from_iter([other]));
            let both: PermissionSet = [*one, other].into_iter().collect();
            assert_eq!(set.iter().collect::<Vec<_>>(), [*one]);
            assert_eq!(set.union(others), both);
            assert_eq!(both.without(*one), if *one == other { PermissionSet::default() } else { others });
            assert_eq!(set.intersection(others).is_empty(), *one != other);
            assert!(
                set.is_subset(both) && PermissionSet::all().difference(set).iter().count() == all.len() - 1
            );
        }
    }

    #[test]
    fn a_set_contains_declared_permissions_only() {
        let set = PermissionSet::parse(["test.first", "access-admin", "no.such"]);
        assert_eq!(set.iter().count(), 2);
        let [first, second] = ["test.first", "test.second"].map(Permission::from_name);
        assert!(set.contains(first) && !set.contains(second));
        assert_eq!(PermissionSet::all().iter().count(), Permission::all().count());
        assert!(set.is_subset(PermissionSet::all()) && !PermissionSet::all().is_subset(set));
        assert!(!set.without(first).contains(first));
        assert!(
            !PermissionSet::from_iter([Permission::from_name("no.such")])
                .contains(Permission::from_name("no.such"))
        );
    }
}
