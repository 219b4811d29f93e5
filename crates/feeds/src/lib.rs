//! Feeds: files of a tenant that are fetched on a schedule.
//!
//! It holds the rules of their timetables ([`timetable`]), the names of their files ([`file_pattern`]), clients
//! for the servers that have them ([`source`]), and readers of other formats ([`transformer`]). Settings and runs
//! will use them, with `background::schedule` for due work.

pub mod file_pattern;
pub mod source;
pub mod timetable;
pub mod transformer;
