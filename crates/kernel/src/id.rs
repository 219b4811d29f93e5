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
    /// An external API of a tenant, whose lists are fetched on a schedule.
    ExternalApiId
}

/// The user, the feed or the external API that work is done for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Principal {
    User(UserId),
    Feed(FeedId),
    ExternalApi(ExternalApiId),
}

impl Principal {
    /// The id of the user.
    pub fn user(self) -> Option<UserId> {
        match self {
            Self::User(user) => Some(user),
            Self::Feed(_) | Self::ExternalApi(_) => None,
        }
    }

    /// The id of the feed.
    pub fn feed(self) -> Option<FeedId> {
        match self {
            Self::Feed(feed) => Some(feed),
            Self::User(_) | Self::ExternalApi(_) => None,
        }
    }

    /// The id of the external API.
    pub fn external_api(self) -> Option<ExternalApiId> {
        match self {
            Self::ExternalApi(api) => Some(api),
            Self::User(_) | Self::Feed(_) => None,
        }
    }
}
