//! Itineraries by hand, latest orders minute by minute, and generated networks against a simulation.

mod findings;
mod generated;
mod itineraries;
mod order_times;
