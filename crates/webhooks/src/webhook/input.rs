//! Input to create or change a webhook, and its rules.

use outbound::{Tls, http::HttpsUrl};
use sea_orm::ActiveValue::Set;
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;
use values::{
    Input, Result, Validated,
    input::{Text, trim_or_none},
    rule::printable,
};

use super::ActiveModel;
use crate::{
    codes,
    event::{EventType, EventTypes},
};

/// Input to create or change a webhook.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct WebhookInput {
    /// URL that events are sent to: `https://`, without credentials.
    #[schema(min_length = 1, max_length = 2048, example = "https://erp.nordstahl.example/stalhof")]
    #[validate(length(min = 1, max = 2048), custom(function = printable))]
    pub url: String,
    /// Events that it receives, at least one; `test` is always delivered.
    #[schema(max_items = 50)]
    #[validate(length(max = 50))]
    pub events: Vec<EventType>,
    /// Certificates of authorities (PEM) that are trusted for the receiver, in addition to those that
    /// browsers trust.
    #[schema(max_length = 65536, example = "-----BEGIN CERTIFICATE-----")]
    #[validate(length(max = 65_536))]
    pub ca_certificate: Option<String>,
    /// Version that was edited; rejected if it is older than the current one.
    pub version: Option<i64>,
}

impl Input for WebhookInput {
    fn tidy(&mut self) {
        self.url.trim_in_place();
        trim_or_none(&mut self.ca_certificate);
    }
}

/// Input to replace a secret.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct RotationInput {
    /// Number of hours for which the former secret also signs; 0 ends it immediately.
    #[schema(minimum = 0, maximum = 168, example = 24)]
    #[validate(range(min = 0, max = 168))]
    pub overlap_hours: i64,
    /// Version that the user has seen; rejected if it is older than the current one.
    pub version: Option<i64>,
}

impl Input for RotationInput {
    fn tidy(&mut self) {}
}

/// Converts an input to a row.
///
/// # Errors
/// All violated rules at their fields.
pub(super) fn read(input: Validated<WebhookInput>) -> Result<ActiveModel> {
    let (mut input, mut wrong) = input.parts();
    input.events.retain(|event| *event != EventType::Test);
    input.events.sort_unstable();
    input.events.dedup();
    if !input.url.is_empty()
        && let Err(failure) = HttpsUrl::parse(&input.url)
    {
        wrong.add("url", failure.code());
    }
    if input.events.is_empty() {
        wrong.add("events", codes::REQUIRED);
    }
    if let Some(certificates) = &input.ca_certificate
        && Tls::with_authorities(certificates.as_bytes()).is_err()
    {
        wrong.add("ca_certificate", codes::AUTHORITY_INVALID);
    }
    wrong.check()?;
    Ok(ActiveModel {
        url: Set(input.url),
        events: Set(EventTypes(input.events)),
        ca_certificate: Set(input.ca_certificate),
        ..Default::default()
    })
}
