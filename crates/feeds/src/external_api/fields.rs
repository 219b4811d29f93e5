//! Choices and groups of fields of external APIs, as they are stored and as the contract has them.

use sea_orm::{DeriveActiveEnum, EnumIter, FromJsonQueryResult, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;
use values::{Unit, rule::printable};

/// The way in which calls prove who sends them.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumIter, DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = ExternalApiAuthentication)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum Authentication {
    None,
    /// User name and password.
    Basic,
    /// A fixed token in the header `Authorization`.
    Bearer,
    /// A key in a header of its own.
    Header,
    /// A token that is fetched by client id and secret.
    #[serde(rename = "oauth2")]
    #[sea_orm(string_value = "oauth2")]
    Oauth2,
}

impl Authentication {
    pub const NAMES: &'static [&'static str] = &["none", "basic", "bearer", "header", "oauth2"];
}

/// The method of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ExternalApiMethod)]
pub enum CallMethod {
    #[serde(rename = "GET")]
    Get,
    #[serde(rename = "POST")]
    Post,
}

impl CallMethod {
    /// Name of the method in HTTP.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
        }
    }
}

/// The question for quantities, and the places in its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct AvailabilityEndpoint {
    pub method: CallMethod,
    /// Path and query below the base URL. `{article_number}` stands for the number of an article in the other
    /// system, `{article_numbers}` for those of all lines joined by commas, `{warehouse}` for the warehouse.
    #[schema(min_length = 1, max_length = 1000, example = "stock/{article_number}?site={warehouse}")]
    #[validate(length(min = 1, max = 1000), custom(function = printable))]
    pub path: String,
    /// JSON with the same placeholders inside its texts, with POST only. The innermost list that contains one
    /// is repeated for each line.
    #[serde(default)]
    #[schema(max_length = 16384, example = "{\"items\": [{\"sku\": \"{article_number}\"}]}")]
    #[validate(length(max = 16_384))]
    pub body: Option<String>,
    /// Maximum number of lines of one call; 1 unless path or body take several.
    #[schema(minimum = 1, maximum = 200, example = 1)]
    #[validate(range(min = 1, max = 200))]
    pub lines_max: i64,
    /// JSON pointer to the list of entries; without it the answer itself is the list, or the only entry.
    #[serde(default)]
    #[schema(max_length = 255, example = "/items")]
    #[validate(length(max = 255))]
    pub list: Option<String>,
    /// JSON pointer within an entry to the number of its article; required for several lines.
    #[serde(default)]
    #[schema(max_length = 255, example = "/sku")]
    #[validate(length(max = 255))]
    pub article_number: Option<String>,
    /// JSON pointer within an entry to its warehouse.
    #[serde(default)]
    #[schema(max_length = 255, example = "/site")]
    #[validate(length(max = 255))]
    pub warehouse: Option<String>,
    /// JSON pointer within an entry to its quantity.
    #[schema(max_length = 255, example = "/free")]
    #[validate(length(max = 255))]
    pub quantity: String,
    /// JSON pointer within an entry to the unit of its quantity.
    #[serde(default)]
    #[schema(max_length = 255, example = "/unit")]
    #[validate(length(max = 255))]
    pub unit: Option<String>,
    /// The unit of entries that name none; without it the base unit of the article.
    #[serde(default)]
    pub unit_if_missing: Option<Unit>,
    /// JSON pointer in the answer to the address of its next page. The header `Link` with `rel=next` works without.
    #[serde(default)]
    #[schema(max_length = 255, example = "/next")]
    #[validate(length(max = 255))]
    pub next_page: Option<String>,
}

/// The address of a list of numbers and names, and the places in its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = ExternalListEndpoint)]
pub struct ListEndpoint {
    /// Path and query below the base URL.
    #[schema(min_length = 1, max_length = 1000, example = "articles?size=500")]
    #[validate(length(min = 1, max = 1000), custom(function = printable))]
    pub path: String,
    /// JSON pointer to the list of entries; without it the answer itself is the list.
    #[serde(default)]
    #[schema(max_length = 255, example = "/items")]
    #[validate(length(max = 255))]
    pub list: Option<String>,
    /// JSON pointer within an entry to its number.
    #[schema(max_length = 255, example = "/number")]
    #[validate(length(max = 255))]
    pub number: String,
    /// JSON pointer within an entry to its name.
    #[serde(default)]
    #[schema(max_length = 255, example = "/name")]
    #[validate(length(max = 255))]
    pub name: Option<String>,
    /// JSON pointer within an entry to its GTIN; for articles only.
    #[serde(default)]
    #[schema(max_length = 255, example = "/ean")]
    #[validate(length(max = 255))]
    pub gtin: Option<String>,
    /// JSON pointer in the answer to the address of its next page. The header `Link` with `rel=next` works without.
    #[serde(default)]
    #[schema(max_length = 255, example = "/next")]
    #[validate(length(max = 255))]
    pub next_page: Option<String>,
}

/// The lists that the other system offers.
#[derive(
    Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, FromJsonQueryResult, ToSchema, Validate,
)]
#[serde(deny_unknown_fields)]
#[schema(as = ExternalMetaDataEndpoints)]
pub struct MetaDataEndpoints {
    /// The list of its articles.
    #[serde(default)]
    #[validate(nested)]
    pub articles: Option<ListEndpoint>,
    /// The list of its warehouses.
    #[serde(default)]
    #[validate(nested)]
    pub warehouses: Option<ListEndpoint>,
    /// List of the companies in the other system.
    #[serde(default)]
    #[validate(nested)]
    pub tenants: Option<ListEndpoint>,
}

/// The endpoint that a test calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ExternalApiEndpointName)]
pub enum EndpointName {
    Availability,
    Articles,
    Warehouses,
    Tenants,
}

impl EndpointName {
    /// Field of the settings with the endpoint.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Availability => "availability",
            Self::Articles => "meta_data.articles",
            Self::Warehouses => "meta_data.warehouses",
            Self::Tenants => "meta_data.tenants",
        }
    }
}

impl MetaDataEndpoints {
    /// Returns the endpoint of a list; `None` if it is not set up.
    pub fn get(&self, name: EndpointName) -> Option<&ListEndpoint> {
        match name {
            EndpointName::Availability => None,
            EndpointName::Articles => self.articles.as_ref(),
            EndpointName::Warehouses => self.warehouses.as_ref(),
            EndpointName::Tenants => self.tenants.as_ref(),
        }
    }

    /// The lists that are there, with their names.
    pub fn iter(&self) -> impl Iterator<Item = (EndpointName, &ListEndpoint)> {
        let names = [EndpointName::Articles, EndpointName::Warehouses, EndpointName::Tenants];
        names.into_iter().filter_map(|name| Some((name, self.get(name)?)))
    }
}
