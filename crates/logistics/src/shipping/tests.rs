//! Itineraries by hand, looks at last legs, latest orders minute by minute, and generated networks against a
//! simulation.

mod findings;
mod generated;
mod itineraries;
mod last_legs;
mod order_times;
