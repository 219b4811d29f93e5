//! Days on which a shipping node is closed beside weekends and public holidays.

pub mod entity;

pub use self::entity::{ActiveModel, Column, Entity as NodeClosures, Model as NodeClosure};
