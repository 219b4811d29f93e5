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
    /// A source from which a tenant's files are fetched on a schedule.
    FeedId
}

/// The user or the feed that work is done for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Principal {
    User(UserId),
    Feed(FeedId),
}

impl Principal {
    /// The id of the user.
    pub fn user(self) -> Option<UserId> {
        match self {
            Self::User(user) => Some(user),
            Self::Feed(_) => None,
        }
    }

    /// The id of the feed.
    pub fn feed(self) -> Option<FeedId> {
        match self {
            Self::User(_) => None,
            Self::Feed(feed) => Some(feed),
        }
    }
}
