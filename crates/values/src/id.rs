//! Ids that decide about access, as separate types so that they cannot be mixed up.

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
    /// Trading company.
    TenantId
    /// Person who signs in.
    UserId
    /// Feed, by which files of a tenant are fetched on a schedule.
    FeedId
    /// External API of a tenant, whose lists are fetched on a schedule.
    ExternalApiId
}

/// User, feed or external API on whose behalf work is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Principal {
    User(UserId),
    Feed(FeedId),
    ExternalApi(ExternalApiId),
}

impl Principal {
    /// Id of the user.
    pub fn user(self) -> Option<UserId> {
        match self {
            Self::User(user) => Some(user),
            Self::Feed(_) | Self::ExternalApi(_) => None,
        }
    }

    /// Id of the feed.
    pub fn feed(self) -> Option<FeedId> {
        match self {
            Self::Feed(feed) => Some(feed),
            Self::User(_) | Self::ExternalApi(_) => None,
        }
    }

    /// Id of the external API.
    pub fn external_api(self) -> Option<ExternalApiId> {
        match self {
            Self::ExternalApi(api) => Some(api),
            Self::User(_) | Self::Feed(_) => None,
        }
    }
}
