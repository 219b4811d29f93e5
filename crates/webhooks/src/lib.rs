//! Webhooks: addresses of a tenant that receive events.
//!
//! It holds the settings of a webhook ([`webhook`]), the events that there are ([`event`]), the transaction in which one is
//! written for those who listen ([`publish`]), the queue of each webhook ([`queue`]), its deliveries ([`delivery`]), and the
//! sender ([`sender`]), whose requests are signed as Standard Webhooks says ([`signature`]).

pub mod delivery;
pub mod event;
pub mod publish;
pub mod queue;
pub mod sender;
pub mod signature;
pub mod webhook;
