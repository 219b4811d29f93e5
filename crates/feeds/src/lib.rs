//! Feeds: files of a tenant that are fetched on a schedule, and external APIs of the tenant that are called
//! over HTTPS.
//!
//! The modules are the settings of a tenant's server ([`settings`]), timetables ([`timetable`]), patterns of
//! file names ([`file_pattern`]), clients for the servers ([`source`]), the selection of the files to fetch
//! ([`collection`]), readers of other formats ([`transformer`]), a test of the settings ([`connection_test`])
//! and external APIs ([`external_api`]). Due work is started by `background::schedule`.

pub mod codes;
pub mod collection;
pub mod connection_test;
pub mod external_api;
pub mod file_pattern;
pub mod health;
pub mod permissions;
pub mod run;
pub mod settings;
pub mod source;
pub mod timetable;
pub mod transformer;

pub use permissions::may;
