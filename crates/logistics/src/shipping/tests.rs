//! Tests of itineraries: by hand, of the examination of last legs, of latest orders minute by minute, and of
//! generated networks against a simulation.

mod findings;
mod generated;
mod itineraries;
mod last_legs;
mod order_times;
