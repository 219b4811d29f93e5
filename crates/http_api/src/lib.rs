//! HTTP layer that all resources share: access, inputs, answers, documentation. It knows no resource and no
//! setting.

pub mod access;
pub mod answer;
pub mod answer_counters;
pub mod body;
pub mod bulk;
pub mod codes;
mod components;
pub mod context;
pub mod contract;
pub mod deprecation;
pub mod etag;
pub mod events;
mod examples;
pub mod export;
pub mod fair_queue;
mod field_selection;
mod filters;
mod idempotency_key;
pub mod idempotent;
pub mod if_match;
pub mod input;
pub mod items;
pub mod json;
mod keyed_call;
pub mod limit;
mod pace;
pub mod picture;
pub mod problem;
mod property_descriptions;
pub mod raw_body;
pub mod reauthorization;
mod refusals;
pub mod repeatable;
pub mod request;
pub mod request_limits;
pub mod request_span;
mod request_version;
pub mod routes;
pub mod security;
pub mod upload;

#[doc(hidden)]
pub use pastey;
