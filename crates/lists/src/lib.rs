//! Lists of records: filters, searches, sorts and pages, and the operations of a resource. Independent of
//! HTTP.

pub mod list;
pub mod managed;
pub mod search;

pub use list::{Field, ListQuery, Listed, Page, Paging, listed_reference};
pub use managed::{Changeable, Creatable, Deletable, Detailed, Managed, UnversionedField};
