//! Feeds: files of a tenant that are fetched on a schedule.
//!
//! So far the rules of the schedule alone ([`timetable`]). Settings, sources and runs come next and use them: with
//! `background::schedule` for what is due, `outbound` for the way out and `secrets` for passwords.

pub mod timetable;
