//! What all resources share: who may call, what comes in, what goes out, how it is documented.

pub mod access;
pub mod answer;
pub mod body;
pub mod bulk;
mod components;
pub mod export;
pub mod input;
mod json;
pub(crate) mod pace;
pub mod picture;
pub mod problem;
pub mod request;
pub mod routes;
pub mod security;
pub mod upload;
