//! Values that all domains share: decimals, money, units, times, ids, texts in both languages, and the
//! machinery of error codes, permissions and checked input. Independent of HTTP.

pub mod clock;
pub mod clock_time;
pub mod code;
pub mod codes;
pub mod currency;
pub mod decimal;
pub mod duration;
pub mod error;
pub mod fault;
pub mod fold;
pub mod id;
pub mod in_use;
pub mod input;
pub mod message;
pub mod money;
pub mod natural;
pub mod order;
pub mod period;
pub mod permission;
pub mod permissions;
pub mod reader;
pub mod reference;
pub mod rule;
pub mod unit;
mod visible;

#[doc(hidden)]
pub use inventory;

pub use clock::{Instant, declare_time_zone, earliest_moment_at, local_time_in, now, time_zone, today};
pub use clock_time::{ClockTime, Weekday};
pub use code::{Class, Code, Language, Phrase};
pub use currency::Currency;
pub use decimal::Decimal;
pub use duration::Minutes;
pub use error::{Error, Result, Violation, Violations};
pub use fault::Fault;
pub use fold::{fold, fold_email, fold_written_umlauts};
pub use id::{ExternalApiId, FeedId, Principal, TenantId, UserId};
pub use input::{Input, Validated};
pub use message::{Message, shortened};
pub use money::Money;
pub use period::Period;
pub use permission::{Permission, PermissionSet};
pub use permissions::may;
pub use reference::{RecordReference, Referable, ReferenceFields};
pub use unit::{Unit, UnitCategory};
pub use visible::{is_invisible, visible};
