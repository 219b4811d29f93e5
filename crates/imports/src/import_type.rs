//! Names of all import types on the wire, and the permissions that they require. The registry
//! ([`crate::registry`]) contains the types that are available.

use sea_orm::{DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize};
use sheets::Content;
use utoipa::ToSchema;
use values::{Permission, PermissionSet, Phrase, Result};

use crate::{codes, import::strategy::Strategy, record_permissions};

/// Type of an import, which determines the content of its file. `Listing` contains both sides of a stock,
/// `Price` and `Stock` one each; `PriceList` contains the prices of a price list, which is named separately.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(32))")]
#[schema(example = "Article")]
pub enum ImportType {
    #[sea_orm(string_value = "Listing")]
    Listing,
    #[sea_orm(string_value = "Price")]
    Price,
    #[sea_orm(string_value = "PriceList")]
    PriceList,
    #[sea_orm(string_value = "Stock")]
    Stock,
    #[sea_orm(string_value = "Article")]
    Article,
    #[sea_orm(string_value = "Matching")]
    Matching,
    #[sea_orm(string_value = "DeleteMatchings")]
    DeleteMatchings,
    #[sea_orm(string_value = "ExternalApiMetaData")]
    ExternalApiMetaData,
    #[sea_orm(string_value = "ShippingNode")]
    ShippingNode,
    #[sea_orm(string_value = "ShippingLeg")]
    ShippingLeg,
}

impl ImportType {
    pub const ALL: &'static [Self] = &[
        Self::Listing,
        Self::Price,
        Self::PriceList,
        Self::Stock,
        Self::Article,
        Self::Matching,
        Self::DeleteMatchings,
        Self::ExternalApiMetaData,
        Self::ShippingNode,
        Self::ShippingLeg,
    ];

    /// Names of all types, in the same order.
    pub const NAMES: &'static [&'static str] = &[
        "Listing",
        "Price",
        "PriceList",
        "Stock",
        "Article",
        "Matching",
        "DeleteMatchings",
        "ExternalApiMetaData",
        "ShippingNode",
        "ShippingLeg",
    ];

    /// Name on the wire and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Listing => "Listing",
            Self::Price => "Price",
            Self::PriceList => "PriceList",
            Self::Stock => "Stock",
            Self::Article => "Article",
            Self::Matching => "Matching",
            Self::DeleteMatchings => "DeleteMatchings",
            Self::ExternalApiMetaData => "ExternalApiMetaData",
            Self::ShippingNode => "ShippingNode",
            Self::ShippingLeg => "ShippingLeg",
        }
    }

    /// Words for an import without a name in lists.
    pub fn words(self) -> Phrase {
        let (de, en) = match self {
            Self::Listing => ("Bestände mit Preisen", "Stocks with prices"),
            Self::Price => ("Preise", "Prices"),
            Self::PriceList => ("Preise einer Preisliste", "Prices of a price list"),
            Self::Stock => ("Bestände", "Stocks"),
            Self::Article => ("Artikel", "Articles"),
            Self::Matching => ("Zuordnungen", "Matchings"),
            Self::DeleteMatchings => ("Zuordnungen löschen", "Delete matchings"),
            Self::ExternalApiMetaData => ("Metadaten externer APIs", "External API metadata"),
            Self::ShippingNode => ("Versandknoten", "Shipping nodes"),
            Self::ShippingLeg => ("Versandstrecken", "Shipping legs"),
        };
        Phrase { de, en }
    }

    /// Returns the type with a name; `None` if there is none.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }

    /// Permission that is required to see the content of another user's file.
    pub(crate) fn content(self) -> Option<Permission> {
        match self {
            Self::Listing | Self::Price => Some(record_permissions::VIEW_PRICE),
            Self::PriceList => Some(record_permissions::VIEW_PRICE_LIST),
            _ => None,
        }
    }

    /// Expected content of its files.
    pub fn holds(self) -> Content {
        match self {
            Self::ExternalApiMetaData => Content::Document(&["articles", "warehouses", "tenants"]),
            _ => Content::Table,
        }
    }

    /// True if its files take effect as a whole or not at all: see [`crate::run::staging`].
    pub(crate) const fn is_whole(self) -> bool {
        matches!(self, Self::PriceList)
    }

    /// Refuses callers who lack one of the required permissions.
    pub(crate) fn demand(self, rights: PermissionSet) -> Result<()> {
        match self.needs().iter().find(|permission| !rights.contains(**permission)) {
            Some(permission) => Err(codes::FORBIDDEN.with("permission", permission.as_str()).into()),
            None => Ok(()),
        }
    }

    /// Additional permissions for replacing all records: those for deleting such records manually, or the
    /// price list whose prices are replaced.
    pub fn needs_to_replace(self) -> &'static [Permission] {
        match self {
            Self::Listing => &[record_permissions::DELETE_STOCK, record_permissions::DELETE_PRICE],
            Self::Price => &[record_permissions::DELETE_PRICE],
            Self::Stock => &[record_permissions::DELETE_STOCK],
            Self::Matching => &[record_permissions::DELETE_MATCHING],
            Self::PriceList => &[record_permissions::DELETE_PRICE_LIST],
            Self::Article
            | Self::DeleteMatchings
            | Self::ExternalApiMetaData
            | Self::ShippingNode
            | Self::ShippingLeg => &[],
        }
    }

    /// Permissions for a file that is applied with this strategy.
    pub(crate) fn needs_of(self, strategy: Strategy) -> Vec<Permission> {
        match strategy {
            Strategy::ReplaceAll => [self.needs(), self.needs_to_replace()].concat(),
            Strategy::AddAndReplace | Strategy::OnlyExisting => self.needs().to_vec(),
        }
    }

    /// Permissions that are required besides importing as such. Checked again when the import runs.
    pub fn needs(self) -> &'static [Permission] {
        match self {
            Self::Article => &[record_permissions::CREATE_ARTICLE, record_permissions::UPDATE_ARTICLE],
            Self::Listing => &[
                record_permissions::CREATE_PRICE,
                record_permissions::UPDATE_PRICE,
                record_permissions::CREATE_STOCK,
                record_permissions::UPDATE_STOCK,
            ],
            Self::Price => &[record_permissions::CREATE_PRICE, record_permissions::UPDATE_PRICE],
            Self::PriceList => &[record_permissions::UPDATE_PRICE_LIST],
            Self::Stock => &[record_permissions::CREATE_STOCK, record_permissions::UPDATE_STOCK],
            Self::Matching => &[record_permissions::CREATE_MATCHING, record_permissions::UPDATE_MATCHING],
            Self::DeleteMatchings => &[record_permissions::DELETE_MATCHING],
            Self::ExternalApiMetaData => &[record_permissions::CONFIGURE_EXTERNAL_API],
            Self::ShippingNode => {
                &[record_permissions::CREATE_SHIPPING_NODE, record_permissions::UPDATE_SHIPPING_NODE]
            }
            Self::ShippingLeg => &[record_permissions::UPDATE_SHIPPING_NODE],
        }
    }
}
