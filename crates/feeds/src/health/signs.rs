//! The signs by which the health of feeds is judged: their schedules, runs and imports.

use std::collections::HashMap;

use chrono::TimeDelta;
use chrono_tz::Tz;
use imports::import::{Column as ImportColumn, Import, ImportStatus, Imports};
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use values::{Instant, Message, Result, TenantId};

use super::{Facts, Light};
use crate::{
    run::{Column, Feed, FeedRun, FeedRuns, RunOutcome},
    settings::{FtpSettings, due, fields::FileKind},
};

/// The time within which imports say how many rows are usual, and how many imports.
const USUAL_WITHIN: TimeDelta = TimeDelta::days(60);
const USUAL_OF: usize = 10;
/// Imports that have come to their end by themselves.
const ENDED: [ImportStatus; 3] = [ImportStatus::Success, ImportStatus::PartialSuccess, ImportStatus::Failed];

/// A feed with its light and the signs that explain it.
#[derive(Debug, Clone)]
pub struct FeedSigns {
    pub feed: Feed,
    pub host: String,
    pub light: Light,
    /// The reason of the last failure, while the light is broken.
    pub reason: Option<Message>,
    pub arrived_at: Option<Instant>,
    /// Time by which the next file must have come.
    pub expected_by: Option<Instant>,
    pub next_run: Option<Instant>,
    /// The last file that came.
    pub file_name: Option<String>,
    pub rows: Option<Rows>,
}

/// The rows of the last import of a feed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rows {
    pub import_id: i64,
    pub total: i64,
    pub refused: i64,
    /// Rows that wait for a matching or a release.
    pub waiting: i64,
    /// The median of the imports before it ([`add_usual_rows`]); `None` without any.
    pub usual: Option<i64>,
}

/// Feeds of these settings whose files are enabled.
pub async fn load_enabled_feeds(
    db: &impl ConnectionTrait,
    zone: Tz,
    settings: &[FtpSettings],
    now: Instant,
) -> Result<Vec<FeedSigns>> {
    let of_feeds = Condition::all()
        .add(Column::TenantId.is_in(settings.iter().map(|settings| settings.tenant_id)))
        .add(Column::SettingsId.is_in(settings.iter().map(|settings| settings.id)));
    let last = latest(db, of_feeds.clone().add(Column::FinishedAt.is_not_null())).await?;
    let came = [RunOutcome::Imported, RunOutcome::NothingNew];
    let with_file = of_feeds.clone().add(Column::Outcome.is_in(came)).add(Column::Sha256.is_not_null());
    let arrived = latest(db, with_file).await?;
    let imported = latest(db, of_feeds.add(Column::ImportId.is_not_null())).await?;
    let imports = imports(db, &imported).await?;
    let mut feeds = Vec::new();
    for settings in settings {
        for kind in FileKind::ALL.into_iter().filter(|kind| due::is_enabled(settings, *kind)) {
            let feed = Feed { tenant: settings.tenant_id, settings_id: settings.id, kind };
            let import = imported.get(&feed).and_then(|run| imports.get(&run.import_id?));
            feeds.push(signs(zone, settings, feed, last.get(&feed), arrived.get(&feed), import, now));
        }
    }
    Ok(feeds)
}

/// Adds the usual numbers of rows.
pub async fn add_usual_rows(db: &impl ConnectionTrait, feeds: &mut [FeedSigns], now: Instant) -> Result<()> {
    let ids = || feeds.iter().map(|signs| signs.feed);
    let recent = Condition::all()
        .add(Column::TenantId.is_in(ids().map(|feed| feed.tenant)))
        .add(Column::SettingsId.is_in(ids().map(|feed| feed.settings_id)))
        .add(Column::ImportId.is_not_null())
        .add(Column::CreatedAt.gt(now - USUAL_WITHIN));
    let totals = totals(db, recent).await?;
    for signs in feeds {
        let Some(rows) = &mut signs.rows else { continue };
        let before = totals.get(&signs.feed).into_iter().flatten();
        let before = before.filter(|(import, _)| *import != rows.import_id).take(USUAL_OF);
        rows.usual = median(before.map(|(_, total)| *total));
    }
    Ok(())
}

fn signs(
    zone: Tz,
    settings: &FtpSettings,
    feed: Feed,
    last: Option<&FeedRun>,
    arrived: Option<&FeedRun>,
    import: Option<&Import>,
    now: Instant,
) -> FeedSigns {
    let timetable = due::timetable(settings, feed.kind);
    let failure = last.and_then(FeedRun::message);
    let failed_import = import.filter(|import| import.status == ImportStatus::Failed);
    let facts = Facts {
        timetable: timetable.as_ref(),
        watched_since: settings.updated_at,
        arrived_at: arrived.and_then(|run| run.finished_at),
        last_run: last.and_then(|run| Some((run.outcome?, failure.as_ref().map(|message| message.code)))),
        is_last_import_failed: failed_import.is_some(),
    };
    let light = facts.light(zone, now);
    let is_run_failed = last.is_some_and(|run| run.outcome == Some(RunOutcome::Failed));
    let reason = match light {
        Light::Broken if is_run_failed => failure,
        Light::Broken => failed_import.and_then(|import| import.status_messages().into_iter().next()),
        Light::Late | Light::Green | Light::Paused => None,
    };
    FeedSigns {
        feed,
        host: settings.host.clone(),
        light,
        reason,
        arrived_at: facts.arrived_at,
        expected_by: facts.expected_by(zone),
        next_run: timetable.and_then(|timetable| timetable.next_run(zone, now)).map(|run| run.at),
        file_name: arrived.and_then(|run| run.file_name.clone()),
        rows: import.map(|import| Rows {
            import_id: import.id,
            total: import.rows_total.unwrap_or(import.rows_done),
            refused: import.rows_refused,
            waiting: import.rows_held + import.rows_unresolved,
            usual: None,
        }),
    }
}

/// The latest run of each feed among those that meet a condition.
#[expect(clippy::disallowed_methods, reason = "of settings that the caller has found")]
async fn latest(db: &impl ConnectionTrait, condition: Condition) -> Result<HashMap<Feed, FeedRun>> {
    let newest = FeedRuns::find().select_only().column(Column::TenantId).column_as(Column::Id.max(), "id");
    let mut newest = newest.filter(condition);
    for column in [Column::TenantId, Column::SettingsId, Column::Kind] {
        newest = newest.group_by(column);
    }
    let newest: Vec<(TenantId, i64)> = newest.into_tuple().all(db).await?;
    if newest.is_empty() {
        return Ok(HashMap::new());
    }
    let (tenants, ids): (Vec<TenantId>, Vec<i64>) = newest.into_iter().unzip();
    let condition = Condition::all().add(Column::TenantId.is_in(tenants)).add(Column::Id.is_in(ids));
    let runs = FeedRuns::find().filter(condition).all(db).await?;
    Ok(runs.into_iter().map(|run| (Feed::from_run(&run), run)).collect())
}

/// The imports of these runs that have ended, by id.
#[expect(clippy::disallowed_methods, reason = "of settings that the caller has found")]
async fn imports(db: &impl ConnectionTrait, runs: &HashMap<Feed, FeedRun>) -> Result<HashMap<i64, Import>> {
    let of_runs = Condition::all()
        .add(ImportColumn::TenantId.is_in(runs.keys().map(|feed| feed.tenant)))
        .add(ImportColumn::Id.is_in(runs.values().filter_map(|run| run.import_id)))
        .add(ImportColumn::Status.is_in(ENDED));
    let imports = Imports::find().filter(of_runs).all(db).await?;
    Ok(imports.into_iter().map(|import| (import.id, import)).collect())
}

/// Ids and rows of the ended imports of feeds, latest first.
#[expect(clippy::disallowed_methods, reason = "of settings that the caller has found")]
async fn totals(db: &impl ConnectionTrait, condition: Condition) -> Result<HashMap<Feed, Vec<(i64, i64)>>> {
    let runs: Vec<(TenantId, i64, FileKind, i64)> = FeedRuns::find()
        .select_only()
        .columns([Column::TenantId, Column::SettingsId, Column::Kind, Column::ImportId])
        .filter(condition)
        .order_by_desc(Column::Id)
        .into_tuple()
        .all(db)
        .await?;
    let of_runs = Condition::all()
        .add(ImportColumn::TenantId.is_in(runs.iter().map(|(tenant, ..)| *tenant)))
        .add(ImportColumn::Id.is_in(runs.iter().map(|(.., import)| *import)))
        .add(ImportColumn::Status.is_in(ENDED))
        .add(ImportColumn::RowsTotal.is_not_null());
    let columns = Imports::find().select_only().columns([ImportColumn::Id, ImportColumn::RowsTotal]);
    let totals: Vec<(i64, i64)> = columns.filter(of_runs).into_tuple().all(db).await?;
    let totals: HashMap<i64, i64> = totals.into_iter().collect();
    let mut by_feed: HashMap<Feed, Vec<(i64, i64)>> = HashMap::new();
    for (tenant, settings_id, kind, import) in runs {
        if let Some(total) = totals.get(&import) {
            by_feed.entry(Feed { tenant, settings_id, kind }).or_default().push((import, *total));
        }
    }
    Ok(by_feed)
}

fn median(numbers: impl Iterator<Item = i64>) -> Option<i64> {
    let mut numbers: Vec<i64> = numbers.collect();
    numbers.sort_unstable();
    numbers.get(numbers.len().checked_sub(1)? / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_value_is_the_lower_median() {
        assert_eq!(median([].into_iter()), None);
        assert_eq!(median([7].into_iter()), Some(7));
        assert_eq!(median([9, 1].into_iter()), Some(1));
        assert_eq!(median([900, 2, 3].into_iter()), Some(3));
    }
}
