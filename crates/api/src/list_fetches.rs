//! Lists of external APIs that are fetched by schedule, as background work of this server.

use actix_web::web::Data;
use background::schedule::{ScheduleKind, ScheduleRow, ScheduledOutcome};
use feeds::{
    external_api::{
        due::SCHEDULE_KIND,
        fetch::{self, MetaDataFetcher},
        quantities::Asker,
    },
    run::RUN_LIMIT,
};
use values::Result;

use crate::{
    state::State,
    work::{self, IMPORT_TYPES},
};

/// The schedules of external APIs.
pub const KIND: ScheduleKind<Data<State>> = ScheduleKind {
    name: SCHEDULE_KIND,
    limit: RUN_LIMIT,
    run: |state, row| Box::pin(async move { fetch_lists(&state, &row).await }),
    next: |state, tx, row, _| Box::pin(fetch::next_due(tx, state.time_zone(), row)),
};

/// Fetches the lists of a due external API and queues their import, unless nothing has changed.
///
/// # Errors
/// Temporary failures.
pub async fn fetch_lists(state: &State, row: &ScheduleRow) -> Result<ScheduledOutcome> {
    let outcome = fetcher(state).run(&work::surroundings(state), row).await;
    state.imports_waiting.notify_one();
    outcome
}

/// Returns the parts of this server that fetches need.
pub fn fetcher(state: &State) -> MetaDataFetcher<'_> {
    MetaDataFetcher {
        asker: Asker { db: &state.db, outbound: &state.outbound, caller: &state.external_apis },
        storage: &state.storage,
        registry: &IMPORT_TYPES,
        keys: &state.keys,
    }
}
