//! The input that creates or changes a webhook, and its rules.

use kernel::{
    Code, Input, Result, Validated,
    input::{Text, trim_or_none},
    rule::printable,
};
use outbound::{Tls, http::HttpsUrl};
use sea_orm::ActiveValue::Set;
use serde::Deserialize;
use utoipa::ToSchema;
use validator::Validate;

use super::ActiveModel;
use crate::event::{EventType, EventTypes};

/// The input that creates or changes a webhook.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct WebhookInput {
    /// The address that events are sent to: `https://`, without credentials.
    #[schema(min_length = 1, max_length = 2048, example = "https://erp.nordstahl.example/stalhof")]
    #[validate(length(min = 1, max = 2048), custom(function = printable))]
    pub url: String,
    /// The events that it receives, at least one; `test` is delivered in any case.
    #[schema(max_items = 50)]
    #[validate(length(max = 50))]
    pub events: Vec<EventType>,
    /// Certificates of authorities (PEM) that may vouch for the receiver, besides those that browsers trust.
    #[schema(max_length = 65536, example = "-----BEGIN CERTIFICATE-----")]
    #[validate(length(max = 65_536))]
    pub ca_certificate: Option<String>,
    /// The version that was edited; an older one than the current is refused.
    pub version: Option<i64>,
}

impl Input for WebhookInput {
    fn tidy(&mut self) {
        self.url.trim_in_place();
        trim_or_none(&mut self.ca_certificate);
    }
}

/// The input that replaces a secret.
#[derive(Debug, Clone, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct RotationInput {
    /// The hours for which the former secret signs besides the new one; 0: not at all.
    #[schema(minimum = 0, maximum = 168, example = 24)]
    #[validate(range(min = 0, max = 168))]
    pub overlap_hours: i64,
    /// The version that was looked at; an older one than the current is refused.
    pub version: Option<i64>,
}

impl Input for RotationInput {
    fn tidy(&mut self) {}
}

/// The row of an input that keeps the rules.
///
/// # Errors
/// All broken rules at their fields.
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
        wrong.add("events", Code::Required);
    }
    if let Some(certificates) = &input.ca_certificate
        && Tls::with_authorities(certificates.as_bytes()).is_err()
    {
        wrong.add("ca_certificate", Code::AuthorityInvalid);
    }
    wrong.check()?;
    Ok(ActiveModel {
        url: Set(input.url),
        events: Set(EventTypes(input.events)),
        ca_certificate: Set(input.ca_certificate),
        ..Default::default()
    })
}
