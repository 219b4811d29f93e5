//! What all domains share: errors and their texts, scope, lists, permissions, units, decimals, durations,
//! times of day, periods, prices. Knows no HTTP.

pub mod audit;
pub mod bulk;
pub mod clock;
pub mod clock_time;
pub mod code;
pub mod database;
pub mod deadline;
pub mod decimal;
pub mod duration;
pub mod error;
pub mod fault;
pub mod fold;
pub mod grant;
pub mod health;
pub mod list;
pub mod money;
pub mod period;
pub mod permission;
pub mod reference;
pub mod retention;
pub mod rule;
pub mod scope;
pub mod search;
pub mod signposts;
pub mod totals;
pub mod unit;
pub mod usage;

pub use clock::{Instant, now};
pub use clock_time::{ClockTime, Weekday};
pub use code::{Class, Code, Language, Message, Phrase, shortened};
pub use database::{Database, Snapshot, Write};
pub use decimal::Decimal;
pub use duration::Minutes;
pub use error::{Error, Result, Violation, Violations};
pub use fault::Fault;
pub use fold::{fold, fold_email};
pub use list::{Field, ListQuery, Listed, Page, Paging};
pub use money::Money;
pub use period::Period;
pub use permission::{Permission, PermissionSet, may};
pub use reference::{RecordReference, Referable, ReferenceFields};
pub use scope::{Owner, Part, Recorded, Scope, Scoped};
pub use unit::{Unit, UnitCategory};
