//! Background work: queues whose rows are claimed by a lease, and repeated jobs. Independent of their
//! content.

mod attempts;
mod backoff;
pub mod codes;
mod entity;
mod frame;
pub mod job;
pub mod lease;
mod leased_run;
pub mod outbox;
mod panics;
mod process_identity;
mod queue;
pub mod schedule;
mod shutdown_signal;

pub use attempts::Attempts;
pub use backoff::Backoff;
pub use entity::Model as JobRow;
pub use frame::{Background, Board, Running};
pub use job::Job;
pub use lease::Leased;
pub use panics::Panics;
pub use queue::{Figures, NextStep, Queue, work_off};
pub use shutdown_signal::ShutdownSignal;
