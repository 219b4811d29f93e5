//! The schedules of FTP settings as rows of due work, one for each kind of files that is fetched.

use background::schedule::{self, Subject};
use chrono_tz::Tz;
use store::Write;
use values::{Instant, Result, Violations};

use super::{FtpSettings, fields::FileKind, rules};
use crate::timetable::Timetable;

/// The scheduled work for a kind of files.
pub fn subject(settings: &FtpSettings, kind: FileKind) -> Subject {
    Subject { tenant: settings.tenant_id, kind: kind.schedule_kind(), id: settings.id }
}

/// True if the files of a kind are fetched.
pub fn is_enabled(settings: &FtpSettings, kind: FileKind) -> bool {
    settings.file(kind).is_enabled
}

/// The timetable for a kind of files; `None` if they are not fetched now.
pub fn timetable(settings: &FtpSettings, kind: FileKind) -> Option<Timetable> {
    let schedule = settings.schedules.get(kind).filter(|schedule| !schedule.paused)?;
    let readable = rules::timetable(schedule, "", &mut Violations::new());
    readable.filter(|_| is_enabled(settings, kind))
}

/// Sets the due times of files for each kind whose schedule has changed. A run that is due already stays due
/// if its schedule is unchanged.
pub(super) async fn update(
    tx: &Write,
    zone: Tz,
    before: Option<&FtpSettings>,
    after: &FtpSettings,
    now: Instant,
) -> Result<()> {
    for kind in FileKind::ALL {
        let state =
            |settings: &FtpSettings| (is_enabled(settings, kind), settings.schedules.get(kind).cloned());
        if before.is_some_and(|before| state(before) == state(after)) {
            continue;
        }
        if is_enabled(after, kind) {
            let next = timetable(after, kind).and_then(|timetable| timetable.next_run(zone, now));
            schedule::set_due(tx, subject(after, kind), next.map(|run| run.at)).await?;
        } else if before.is_some() {
            schedule::remove(tx, subject(after, kind)).await?;
        }
    }
    Ok(())
}

/// Removes all due work of settings that are deleted.
pub(super) async fn remove(tx: &Write, settings: &FtpSettings) -> Result<()> {
    for kind in FileKind::ALL {
        schedule::remove(tx, subject(settings, kind)).await?;
    }
    Ok(())
}
