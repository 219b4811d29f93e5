//! Basics that all domains share: errors and their texts, scope, lists, permissions, units, decimals,
//! durations, times of day, periods, prices. Independent of HTTP.

pub mod audit;
mod blocking;
mod bulk;
pub mod change_feed;
pub mod clock;
pub mod clock_time;
pub mod code;
pub mod codes;
pub mod constraint;
pub mod currency;
pub mod database;
pub mod deadline;
pub mod decimal;
mod deleted_record;
pub mod duration;
pub mod error;
pub mod fault;
pub mod first_commit;
pub mod fold;
pub mod grant;
pub mod health;
pub mod id;
pub mod in_use;
pub mod input;
pub mod list;
mod list_key;
pub mod managed;
pub mod message;
pub mod money;
pub mod months;
pub mod natural;
pub mod order;
mod page_index;
pub mod past;
pub mod period;
pub mod permission;
pub mod reader;
mod recent;
pub mod reconstruction;
pub mod reference;
pub mod retention;
pub mod rule;
pub mod scope;
pub mod search;
pub mod spans;
pub mod standing;
pub mod statements;
mod totals;
pub mod unit;
pub mod usage;
pub mod versioned_cache;
mod visible;
mod writes;

pub use blocking::run_blocking;
pub use clock::{Instant, declare_time_zone, first_shown_in, now, shown_in, time_zone, today};
pub use clock_time::{ClockTime, Weekday};
pub use code::{Class, Code, Language, Phrase};
pub use currency::Currency;
pub use database::{Database, MIGRATING, POSTGRES_CONNECTIONS, ReplicaFigures, Snapshot, Write};
pub use decimal::Decimal;
pub use deleted_record::Numbered;
pub use duration::Minutes;
pub use error::{Error, Result, Violation, Violations};
pub use fault::Fault;
pub use fold::{fold, fold_email, fold_written_umlauts};
pub use id::{ExternalApiId, FeedId, Principal, TenantId, UserId};
pub use input::{Input, Validated};
pub use list::{Field, ListQuery, Listed, Page, Paging};
pub use managed::{Changeable, Deletable, Detailed, Managed, UnversionedField};
pub use message::{Message, shortened};
pub use money::Money;
pub use period::Period;
pub use permission::{Permission, PermissionSet, may};
pub use recent::Recent;
pub use reference::{RecordReference, Referable, ReferenceFields};
pub use scope::{
    Owner, Part, Recorded, Scope, Scoped, Unique,
    many::Keyed,
    resource::{self, Reference, Resource},
};
pub use unit::{Unit, UnitCategory};
pub use versioned_cache::{Compiled, PriceRole, Topic, VersionedCache, Versions};
pub use visible::{is_invisible, visible};
pub use writes::ChangedRows;
