//! Feeds: files of a tenant that are fetched on a schedule, and systems of theirs that are asked over HTTPS.
//!
//! It holds the settings of a tenant's server ([`settings`]), the rules of their timetables ([`timetable`]), the names of
//! their files ([`file_pattern`]), clients for the servers that have them ([`source`]), the choice of the files to fetch
//! ([`collection`]), readers of other formats ([`transformer`]), a test of the settings ([`connection_test`]) and, beside
//! them, external APIs ([`external_api`]). Due work goes by `background::schedule`.

pub mod collection;
pub mod connection_test;
pub mod external_api;
pub mod file_pattern;
pub mod health;
pub mod run;
pub mod settings;
pub mod source;
pub mod timetable;
pub mod transformer;
