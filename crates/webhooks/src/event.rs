//! Events that are sent to receivers.

use sea_orm::{DeriveActiveEnum, EnumIter, FromJsonQueryResult, prelude::StringLen};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use values::Instant;

/// Kind of event. `test` is sent to a single webhook when a user requests it; webhooks cannot subscribe to
/// it.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    EnumIter,
    DeriveActiveEnum,
)]
#[schema(as = WebhookEvent, example = "import.finished")]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(32))")]
pub enum EventType {
    #[serde(rename = "import.finished")]
    #[sea_orm(string_value = "import.finished")]
    ImportFinished,
    #[serde(rename = "prices.held")]
    #[sea_orm(string_value = "prices.held")]
    PricesHeld,
    #[serde(rename = "stock.changed")]
    #[sea_orm(string_value = "stock.changed")]
    StockChanged,
    #[serde(rename = "price.changed")]
    #[sea_orm(string_value = "price.changed")]
    PriceChanged,
    #[serde(rename = "price_list.activated")]
    #[sea_orm(string_value = "price_list.activated")]
    PriceListActivated,
    #[serde(rename = "feed.late")]
    #[sea_orm(string_value = "feed.late")]
    FeedLate,
    #[serde(rename = "token.expiring")]
    #[sea_orm(string_value = "token.expiring")]
    TokenExpiring,
    #[serde(rename = "test")]
    #[sea_orm(string_value = "test")]
    Test,
}

impl EventType {
    pub const NAMES: &'static [&'static str] = &[
        "import.finished",
        "prices.held",
        "stock.changed",
        "price.changed",
        "price_list.activated",
        "feed.late",
        "token.expiring",
        "test",
    ];

    /// Name in the API and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ImportFinished => "import.finished",
            Self::PricesHeld => "prices.held",
            Self::StockChanged => "stock.changed",
            Self::PriceChanged => "price.changed",
            Self::PriceListActivated => "price_list.activated",
            Self::FeedLate => "feed.late",
            Self::TokenExpiring => "token.expiring",
            Self::Test => "test",
        }
    }

    /// True for events that are found by polling the changes of stocks.
    pub const fn is_polled(self) -> bool {
        matches!(self, Self::StockChanged | Self::PriceChanged)
    }
}

/// Events that a webhook listens to, as stored in the database.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, FromJsonQueryResult)]
pub struct EventTypes(pub Vec<EventType>);

impl EventTypes {
    /// True if the event type is among these.
    pub fn contains(&self, event: EventType) -> bool {
        self.0.contains(&event)
    }

    /// True if some are found by polling the changes of stocks.
    pub fn include_polled(&self) -> bool {
        self.0.iter().any(|event| event.is_polled())
    }
}

/// An event of a tenant.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub event_type: EventType,
    /// The record that it is about: `imports/42`. Events of one subject are delivered in their order.
    pub subject: String,
    pub data: Value,
}

/// The body of a request, with the attribute names of CloudEvents where they fit.
#[derive(Serialize)]
pub(crate) struct Envelope<'a> {
    pub(crate) id: &'a str,
    pub(crate) r#type: EventType,
    /// The public address of the installation.
    pub(crate) source: &'a str,
    pub(crate) subject: &'a str,
    pub(crate) timestamp: Instant,
    pub(crate) tenant_id: i64,
    pub(crate) data: &'a serde_json::value::RawValue,
}

#[cfg(test)]
mod tests {
    use sea_orm::{ActiveEnum, Iterable};

    use super::*;

    #[test]
    fn an_event_has_one_name_in_code_database_and_contract() {
        let all: Vec<EventType> = EventType::iter().collect();
        let names: Vec<&str> = all.iter().map(|event| event.as_str()).collect();
        assert_eq!(names, EventType::NAMES);
        for event in all {
            assert_eq!(event.to_value(), event.as_str());
            assert_eq!(serde_json::to_value(event).unwrap(), event.as_str());
        }
    }
}
