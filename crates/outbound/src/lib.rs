//! Outgoing connections to hosts that users have entered; all of them go through here.
//!
//! A name is resolved once, every address is checked, and the connection uses a checked address
//! ([`Outbound`]). On top of it are an HTTP client ([`http::Client`]) and plain connections for other
//! protocols ([`Outbound::connect`], [`Outbound::connect_data`]). The reasons of a failed connection are a
//! closed list ([`Failure`]) that quotes nothing of the other side. Used by `feeds`, external APIs and
//! webhooks.

mod address;
pub mod codes;
mod connect;
mod failure;
mod host;
pub mod http;
mod service;
mod tls;

pub use address::{Network, NotANetwork, Rules};
pub use connect::{CONNECT_WITHIN, Outbound, Resolve};
pub use failure::{Failure, byte_size};
pub use host::Host;
pub use service::ServiceClient;
pub use tls::{NoAuthorities, Tls};

#[cfg(test)]
mod spellings;
