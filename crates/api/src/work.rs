//! Background work: the queues and jobs that there are, one line each, and the types of imports.

use std::sync::{Arc, LazyLock};

use actix_web::web::Data;
use background::Background;
use catalog::article::import::ArticleImporter;
use futures_util::future::BoxFuture;
use identity::caller;
use imports::{
    import::{
        Import,
        start::{self, FileToImport},
    },
    registry::Registry,
    run::{
        authority::Authority,
        worker::{self, ImportQueue},
    },
};
use kernel::{Database, Permission, Principal, Result, Scope, TenantId, Write};
use logistics::{
    matching::{
        import::{MatchingDeleter, MatchingImporter},
        meta_data_import::MetaDataImporter,
    },
    shipping::{leg::import::ShippingLegImporter, node::import::ShippingNodeImporter},
    stock::import::StockImporter,
};
use pricing::{
    listing::import::{ListingImporter, PriceImporter},
    price_list,
    price_list_entry::import::PriceListImporter,
};
use storage::Storage;

use crate::{
    cleaning, feed_runs, import_notice, live::listeners::Live, post::Post, replays::Replays, state::State,
};

/// The types of imports, one line each.
pub static IMPORT_TYPES: LazyLock<Registry> = LazyLock::new(|| {
    Registry::default()
        .with::<ArticleImporter>()
        .with::<MatchingImporter>()
        .with::<MatchingDeleter>()
        .with::<StockImporter>()
        .with::<PriceImporter>()
        .with::<ListingImporter>()
        .with::<PriceListImporter>()
        .with::<MetaDataImporter>()
        .with::<ShippingNodeImporter>()
        .with::<ShippingLegImporter>()
});

/// All queues and jobs.
pub fn registered(state: &Data<State>) -> Background {
    Background::new(state.db.clone(), state.panics.clone())
        .queue(imports(state))
        .queue(Replays::new(state.clone(), &IMPORT_TYPES))
        .queue(Post(state.clone()))
        .schedules(state.clone(), feed_runs::KINDS)
        .jobs(state.clone(), cleaning::JOBS)
}

/// Imports run under the rights that their users and feeds hold now.
pub fn imports(state: &State) -> ImportQueue {
    let authority = Arc::new(surroundings(state));
    let (db, storage, wake) = (state.db.clone(), state.storage.clone(), state.imports_waiting.clone());
    ImportQueue::new(db, storage, &IMPORT_TYPES, authority, wake)
}

/// Imports a file on disk for a user or a feed, as if they had uploaded it.
///
/// # Errors
/// If the principal may not import it, and as an upload is refused.
pub async fn start_import(state: &State, file: FileToImport<'_>) -> Result<Import> {
    let engine = (&state.db, &state.storage, &*IMPORT_TYPES);
    let import = start::start(engine, &surroundings(state), file).await?;
    state.imports_waiting.notify_one();
    Ok(import)
}

/// Who is told when an import ends.
pub(crate) fn surroundings(state: &State) -> impl Authority + use<> {
    Surroundings { db: state.db.clone(), site: state.settings.public_url(), live: state.live.clone() }
}

/// Imports whatever is queued, where no server does.
pub(crate) async fn import_all(db: &Database, storage: &Storage) -> Result<()> {
    let surroundings = Surroundings { db: db.clone(), site: String::new(), live: Arc::default() };
    worker::work_off(db, storage, &IMPORT_TYPES, &surroundings).await
}

/// Returns the scope of a job that a user or a feed has started earlier, if they still exist and may still
/// do it.
pub(crate) async fn scope_of_job(
    db: &Database,
    principal: Principal,
    tenant: TenantId,
    needs: &[Permission],
) -> Result<Option<Scope>> {
    if let Principal::Feed(feed) = principal
        && !feeds::run::exists(db, tenant, feed).await?
    {
        return Ok(None);
    }
    caller::of_job(db, principal, tenant, needs).await
}

struct Surroundings {
    db: Database,
    /// Where people find this installation.
    site: String,
    live: Arc<Live>,
}

impl Authority for Surroundings {
    fn scope_of<'a>(
        &'a self,
        principal: Principal,
        tenant: TenantId,
        needs: &'a [Permission],
    ) -> BoxFuture<'a, Result<Option<Scope>>> {
        Box::pin(scope_of_job(&self.db, principal, tenant, needs))
    }

    fn ends<'a>(&'a self, tx: &'a Write, import: &'a Import) -> BoxFuture<'a, Result<()>> {
        Box::pin(async move {
            price_list::note_import(tx, import).await?;
            feed_runs::follow(tx, &self.db, import).await?;
            import_notice::write(tx, &self.site, import).await
        })
    }

    fn moved(&self) {
        self.live.moved();
    }
}
