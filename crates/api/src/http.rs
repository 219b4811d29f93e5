//! What all resources share: who may call, what comes in, what goes out, how it is documented.

pub mod access;
pub mod again;
pub mod answer;
pub mod body;
pub mod bulk;
mod components;
pub mod contract;
pub mod events;
mod examples;
pub mod export;
mod filters;
pub mod input;
pub(crate) mod json;
pub(crate) mod limit;
pub(crate) mod pace;
pub mod picture;
pub mod problem;
mod refusals;
pub(crate) mod repeatable;
pub mod request;
pub mod routes;
pub mod security;
pub(crate) mod sent;
pub(crate) mod tagged;
mod tags;
pub mod upload;
