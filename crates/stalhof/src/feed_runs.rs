//! Runs of feeds as background work of this server, with the other schedules of tenants.

use actix_web::web::Data;
use api::{
    feed_versions::Versions,
    list_fetches,
    state::State,
    work::{self, IMPORT_TYPES},
};
use background::schedule::{ScheduleKind, ScheduleRow, ScheduledOutcome};
use feeds::{
    run::{self, FeedRunner, RUN_LIMIT},
    settings::fields::FileKind,
    source::{Connector, Limits},
};
use values::Result;

/// The schedules of feeds, one for each kind of files, and of external APIs.
pub static KINDS: &[ScheduleKind<Data<State>>] = &[
    ScheduleKind {
        name: FileKind::Price.schedule_kind(),
        limit: RUN_LIMIT,
        run: |state, row| Box::pin(async move { fetch(&state, &row, FileKind::Price).await }),
        next: |state, tx, row, _| Box::pin(run::next_due(tx, state.time_zone(), row, FileKind::Price)),
    },
    ScheduleKind {
        name: FileKind::Stock.schedule_kind(),
        limit: RUN_LIMIT,
        run: |state, row| Box::pin(async move { fetch(&state, &row, FileKind::Stock).await }),
        next: |state, tx, row, _| Box::pin(run::next_due(tx, state.time_zone(), row, FileKind::Stock)),
    },
    list_fetches::KIND,
];

/// Fetches the files of a due feed and queues their imports.
///
/// # Errors
/// Temporary failures.
pub async fn fetch(state: &State, row: &ScheduleRow, kind: FileKind) -> Result<ScheduledOutcome> {
    let authority = work::surroundings(state);
    let connector =
        Connector::new(state.outbound.clone(), Limits::default()).with_plain_ftp(state.settings.plain_ftp);
    let runner = FeedRunner {
        db: &state.db,
        storage: &state.storage,
        registry: &IMPORT_TYPES,
        authority: &authority,
        price_lists: &Versions { db: state.db.clone() },
        keys: &state.keys,
        connector: &connector,
        zone: state.time_zone(),
        settle_pause: state.settle_pause,
    };
    let outcome = runner.run(row, kind).await;
    state.imports_waiting.notify_one();
    outcome
}
