//! Webhooks: addresses of a tenant that receive events.
//!
//! The modules are the settings of a webhook ([`webhook`]), the types of events ([`event`]), the transaction
//! in which an event is written for its listeners ([`publish`]), the queue of each webhook ([`queue`]), its
//! deliveries ([`delivery`]), and the sender ([`sender`]), which signs requests according to Standard
//! Webhooks ([`signature`]).

pub mod codes;
pub mod delivery;
pub mod event;
pub mod permissions;
pub mod publish;
pub mod queue;
pub mod sender;
pub mod signature;
pub mod webhook;

pub use permissions::may;
