//! The only way out: connections to hosts that a user has named.
//!
//! A name is resolved once, every address is checked, and the connection goes to a checked address ([`Outbound`]). Above it
//! stand an HTTP client ([`http::Client`]) and, for other protocols, plain connections ([`Outbound::connect`],
//! [`Outbound::connect_data`]). Why a connection failed is one of a closed list ([`Failure`]) that quotes nothing of the
//! other side. The next user is `feeds`; then external APIs and webhooks.

mod address;
mod connect;
mod failure;
mod host;
pub mod http;
mod service;
mod tls;

pub use address::{Network, NotANetwork, Rules};
pub use connect::{CONNECT_WITHIN, Outbound, Resolve};
pub use failure::Failure;
pub use host::Host;
pub use service::ServiceClient;
pub use tls::{NoAuthorities, Tls};

#[cfg(test)]
mod spellings;
