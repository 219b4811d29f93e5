//! Shipping: the network that goods travel over, and the arrivals of orders.

#[expect(clippy::indexing_slicing, reason = "the positions are those of the network")]
pub mod book;
pub mod check;
pub mod country;
pub mod delivery;
mod import_columns;
pub mod itinerary;
pub mod leg;
#[expect(clippy::indexing_slicing, reason = "the positions are of the network's own nodes and legs")]
pub mod network;
pub mod next_departures;
pub mod node;
pub mod order_days;
pub mod order_time;
#[expect(clippy::indexing_slicing, reason = "the positions are of the network's own nodes and weeks")]
mod scan;

#[cfg(test)]
mod tests;
