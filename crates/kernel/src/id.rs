//! Ids that decide what somebody may see: types of their own, so that they cannot be mixed up.

use sea_orm::DeriveValueType;
use serde::{Deserialize, Serialize};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {
        $(
            $(#[$doc])*
            #[derive(
                Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, DeriveValueType,
            )]
            #[serde(transparent)]
            pub struct $name(pub i64);

            impl From<$name> for i64 {
                fn from($name(id): $name) -> Self {
                    id
                }
            }

            impl std::fmt::Display for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    self.0.fmt(f)
                }
            }
        )*
    };
}

ids! {
    /// A trading company.
    TenantId
    /// A person who signs in.
    UserId
}
