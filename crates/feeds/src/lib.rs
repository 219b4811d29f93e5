//! Feeds: files of a tenant that are fetched on a schedule.
//!
//! It holds the rules of their timetables ([`timetable`]). Settings, sources and runs will use them, with
//! `background::schedule` for due work, `outbound` for connections and `secrets` for passwords.

pub mod timetable;
