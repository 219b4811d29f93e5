//! Health of feeds: a light for each, from its schedule, its runs and the imports of its files.
//!
//! An incident is a row while a light is late or broken, so that its beginning and its end are each announced
//! once.

mod incident;
mod incident_entity;
mod signs;

use chrono::TimeDelta;
use chrono_tz::Tz;
use sea_orm::{DeriveActiveEnum, EnumIter, prelude::StringLen};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use values::{Code, Instant};

pub use self::{
    incident::{IncidentChange, count_open, delete_orphaned, open_incidents, record_light},
    incident_entity::Model as Incident,
    signs::{FeedSigns, Rows, add_usual_rows, load_enabled_feeds},
};
use crate::{codes, run::RunOutcome, timetable::Timetable};

/// The time after a run within which its file may still come.
pub const GRACE: TimeDelta = TimeDelta::hours(1);

/// The state of a feed, worst first.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    EnumIter,
    DeriveActiveEnum,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = FeedLight)]
#[sea_orm(rs_type = "String", db_type = "String(StringLen::N(16))", rename_all = "snake_case")]
pub enum Light {
    /// The last run, or the import of the last file, has failed.
    Broken,
    /// A file was expected and has not come.
    Late,
    Green,
    /// The schedule is paused.
    Paused,
}

/// The facts that a light follows from.
#[derive(Debug, Clone)]
pub struct Facts<'a> {
    /// `None` while the schedule is paused.
    pub timetable: Option<&'a Timetable>,
    /// The last change of the settings: a file is expected by the first run after it.
    pub watched_since: Instant,
    /// The end of the last run that found a file, a new one or one with the same content.
    pub arrived_at: Option<Instant>,
    pub last_run: Option<(RunOutcome, Option<Code>)>,
    pub is_last_import_failed: bool,
}

impl Facts<'_> {
    /// Time by which the next file must have come.
    pub fn expected_by(&self, zone: Tz) -> Option<Instant> {
        let after = self.arrived_at.map_or(self.watched_since, |at| at.max(self.watched_since));
        let run = self.timetable?.next_run(zone, after)?;
        Some(run.at + GRACE)
    }

    /// Returns the light at a moment; `zone` is that of the schedule.
    pub fn light(&self, zone: Tz, now: Instant) -> Light {
        let is_failed = match self.last_run {
            // a file that is not there is late, not broken
            Some((RunOutcome::Failed, code)) => code != Some(codes::REMOTE_FILE_MISSING),
            _ => false,
        };
        if self.timetable.is_none() {
            Light::Paused
        } else if is_failed || self.is_last_import_failed {
            Light::Broken
        } else if self.expected_by(zone).is_some_and(|by| now > by) {
            Light::Late
        } else {
            Light::Green
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::Europe::Berlin;

    use super::*;

    fn at(text: &str) -> Instant {
        text.parse().unwrap()
    }

    /// Light of a feed that runs daily at 6 o'clock in Berlin, at a time on the 3rd of December.
    fn light(change: impl FnOnce(&mut Facts<'_>), now: &str) -> Light {
        let daily = Timetable::Daily { time: "06:00".parse().unwrap() };
        let mut facts = Facts {
            timetable: Some(&daily),
            watched_since: at("2026-11-01T00:00:00Z"),
            arrived_at: Some(at("2026-12-02T05:00:20Z")),
            last_run: Some((RunOutcome::Imported, None)),
            is_last_import_failed: false,
        };
        change(&mut facts);
        facts.light(Berlin, at(&format!("2026-12-03T{now}:00Z")))
    }

    #[test]
    fn a_file_is_late_an_hour_after_its_expected_run() {
        assert_eq!(light(|_| (), "04:59"), Light::Green);
        assert_eq!(light(|_| (), "06:00"), Light::Green);
        assert_eq!(light(|_| (), "06:01"), Light::Late);
        let missing = Some((RunOutcome::Failed, Some(codes::REMOTE_FILE_MISSING)));
        assert_eq!(light(|facts| facts.last_run = missing, "05:30"), Light::Green);
        assert_eq!(light(|facts| facts.last_run = missing, "06:01"), Light::Late);
        // one that came before its time counts
        assert_eq!(light(|facts| facts.arrived_at = Some(at("2026-12-03T05:00:20Z")), "23:00"), Light::Green);
    }

    #[test]
    fn a_feed_that_never_fetched_a_file_is_late_after_its_first_run() {
        let fresh = |facts: &mut Facts<'_>| {
            (facts.arrived_at, facts.last_run) = (None, None);
            facts.watched_since = at("2026-12-03T05:30:00Z");
        };
        assert_eq!(light(fresh, "23:00"), Light::Green);
        let older = |facts: &mut Facts<'_>| {
            (facts.arrived_at, facts.last_run) = (None, None);
        };
        assert_eq!(light(older, "23:00"), Light::Late);
    }

    #[test]
    fn failures_outrank_lateness_and_a_pause_hides_both() {
        let refused = Some((RunOutcome::Failed, Some(codes::REMOTE_SIGN_IN_REFUSED)));
        assert_eq!(light(|facts| facts.last_run = refused, "05:01"), Light::Broken);
        assert_eq!(light(|facts| facts.last_run = refused, "23:00"), Light::Broken);
        assert_eq!(light(|facts| facts.is_last_import_failed = true, "05:01"), Light::Broken);
        let waiting = Some((RunOutcome::Waiting, None));
        assert_eq!(light(|facts| facts.last_run = waiting, "05:01"), Light::Green);
        let paused = |facts: &mut Facts<'_>| (facts.timetable, facts.last_run) = (None, refused);
        assert_eq!(light(paused, "23:00"), Light::Paused);
    }
}
