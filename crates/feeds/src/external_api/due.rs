//! The schedule of an external API as a row of due work.

use background::schedule::{self, Subject};
use chrono_tz::Tz;
use store::Write;
use values::{Instant, Result, Violations};

use super::ExternalApi;
use crate::{settings::rules, timetable::Timetable};

/// The kind of schedule by which lists are fetched (`background::schedule`).
pub const SCHEDULE_KIND: &str = "external_api_meta_data";

/// The scheduled work for an external API.
pub fn subject(api: &ExternalApi) -> Subject {
    Subject { tenant: api.tenant_id, kind: SCHEDULE_KIND, id: api.id }
}

/// The timetable of the lists; `None` if they are not fetched now.
pub fn timetable(api: &ExternalApi) -> Option<Timetable> {
    let is_fetched = api.active && api.meta_data.iter().next().is_some();
    let schedule = api.schedule.as_ref().filter(|schedule| is_fetched && !schedule.paused)?;
    rules::timetable(schedule, "", &mut Violations::new())
}

/// Sets when lists are due next, if that has changed: a run that is due already stays due otherwise.
pub(super) async fn update(
    tx: &Write,
    zone: Tz,
    before: Option<&ExternalApi>,
    after: &ExternalApi,
    now: Instant,
) -> Result<()> {
    let timetable_before = before.and_then(timetable);
    match timetable(after) {
        Some(timetable) if timetable_before == Some(timetable) => Ok(()),
        Some(timetable) => {
            let next = timetable.next_run(zone, now);
            schedule::set_due(tx, subject(after), next.map(|run| run.at)).await
        }
        None if timetable_before.is_some() => remove(tx, after).await,
        None => Ok(()),
    }
}

/// Removes the due work of an API.
pub(super) async fn remove(tx: &Write, api: &ExternalApi) -> Result<()> {
    schedule::remove(tx, subject(api)).await
}
