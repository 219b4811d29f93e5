//! Background work: queues whose rows are claimed by a lease, and repeated jobs. Independent of their
//! content.

mod attempts;
mod backoff;
mod ending;
mod entity;
mod frame;
mod home;
pub mod job;
pub mod lease;
mod leased_run;
pub mod outbox;
mod panics;
mod queue;
pub mod schedule;

pub use attempts::Attempts;
pub use ending::Ending;
pub use entity::Model as JobRow;
pub use frame::{Background, Board, Running};
pub use job::Job;
pub use lease::Leased;
pub use panics::Panics;
pub use queue::{Figures, Queue, Turn, work_off};
