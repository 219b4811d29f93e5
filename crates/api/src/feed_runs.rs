//! Runs of feeds as background work of this server.

use actix_web::web::Data;
use background::schedule::{ScheduleKind, ScheduleRow, ScheduledOutcome};
use feeds::{
    run::{self, FeedRunner, PriceListVersions, RUN_LIMIT},
    settings::fields::FileKind,
    source::{Connector, Limits},
};
use futures_util::future::BoxFuture;
use imports::{
    import::{Import, uploader::needs_of_feed},
    import_type::ImportType,
};
use kernel::{Database, Result, Scope, TenantId, Write, now};
use pricing::price_list::feed_version;

use crate::{
    state::State,
    work::{self, IMPORT_TYPES},
};

/// The schedules of feeds, one for each kind of files.
pub static KINDS: &[ScheduleKind<Data<State>>] = &[
    ScheduleKind {
        name: FileKind::Price.schedule_kind(),
        limit: RUN_LIMIT,
        run: |state, row| Box::pin(async move { fetch(&state, &row, FileKind::Price).await }),
        next: |state, tx, row, _| Box::pin(run::next_due(tx, zone(state), row, FileKind::Price)),
    },
    ScheduleKind {
        name: FileKind::Stock.schedule_kind(),
        limit: RUN_LIMIT,
        run: |state, row| Box::pin(async move { fetch(&state, &row, FileKind::Stock).await }),
        next: |state, tx, row, _| Box::pin(run::next_due(tx, zone(state), row, FileKind::Stock)),
    },
];

fn zone(state: &State) -> chrono_tz::Tz {
    state.settings.installation().time_zone
}

/// Price lists of a database.
struct Versions {
    db: Database,
}

impl PriceListVersions for Versions {
    fn prepare<'a>(&'a self, scope: &'a Scope, name: &'a str) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move { Ok(feed_version::prepare(&self.db, scope, name, now()).await?.id) })
    }
}

/// Lets the version of a price list follow that the import of a feed's file has filled.
pub(crate) async fn follow(tx: &Write, db: &Database, import: &Import) -> Result<()> {
    if import.r#type != ImportType::PriceList || !run::is_of_feed(tx, import).await? {
        return Ok(());
    }
    let Some(principal) = import.principal() else { return Ok(()) };
    let needs = needs_of_feed(import.r#type);
    let scope = work::scope_of_job(db, principal, TenantId(import.tenant_id), &needs).await?;
    match scope {
        Some(scope) => feed_version::follow(tx, &scope, import, now()).await,
        None => Ok(()),
    }
}

/// Fetches the files of a feed that is due and queues their imports.
///
/// # Errors
/// Failures that pass by themselves.
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
        zone: zone(state),
        settle_pause: state.settle_pause,
    };
    let outcome = runner.run(row, kind).await;
    state.imports_waiting.notify_one();
    outcome
}
