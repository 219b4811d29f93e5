//! Imports as background work: their types, one line each, and the parts of this server that running imports
//! use.

use std::sync::{Arc, LazyLock};

use catalog::article::import::ArticleImporter;
use futures_util::future::BoxFuture;
use imports::{
    import::{
        Import,
        services::ImportServices,
        start::{self, FileToImport},
    },
    registry::Registry,
    run::{
        authority::Authority,
        worker::{self, ImportQueue},
    },
};
use logistics::{
    matching::{
        import::{MatchingDeleter, MatchingImporter},
        meta_data_import::MetaDataImporter,
    },
    shipping::{leg::import::ShippingLegImporter, node::import::ShippingNodeImporter},
    stock::import::StockImporter,
};
use migrations::PACKED_IMPORT_ROWS;
use pricing::{
    listing::import::{ListingImporter, PriceImporter},
    price_list,
    price_list_entry::import::PriceListImporter,
};
use storage::Storage;
use store::{Database, Scope, Write};
use values::{Permission, Principal, Result, TenantId};

use crate::{
    feed_versions, import_notice, import_progress::listeners::ImportListeners, job_scope::scope_of_job,
    server_process, state::State, webhook_events,
};

/// Types of imports, one line each.
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

/// Queue of imports, which run with the present permissions of their users and feeds.
pub fn imports(state: &State) -> ImportQueue {
    let authority = Arc::new(surroundings(state));
    let (db, storage, wake) = (state.db.clone(), state.storage.clone(), state.imports_waiting.clone());
    ImportQueue::new(db, storage, &IMPORT_TYPES, authority, wake)
}

/// Services of this server with which files are queued.
pub(crate) fn services(state: &State) -> ImportServices<'_> {
    ImportServices { db: &state.db, storage: &state.storage, registry: &IMPORT_TYPES }
}

/// Imports a file on disk for a user or a feed, as if they had uploaded it.
///
/// # Errors
/// If the principal may not import it, and for the reasons of a refused upload.
pub async fn start_import(state: &State, file: FileToImport<'_>) -> Result<Import> {
    let import = start::start(services(state), &surroundings(state), file).await?;
    state.imports_waiting.notify_one();
    Ok(import)
}

/// Returns the permissions and notifications of running imports.
pub fn surroundings(state: &State) -> impl Authority + use<> {
    Surroundings {
        db: state.db.clone(),
        site: state.settings.public_url.clone(),
        import_listeners: state.import_listeners.clone(),
    }
}

/// Runs all queued imports, without a server.
pub async fn import_all(db: &Database, storage: &Storage) -> Result<()> {
    let surroundings = Surroundings { db: db.clone(), site: String::new(), import_listeners: Arc::default() };
    worker::work_off(ImportServices { db, storage, registry: &IMPORT_TYPES }, &surroundings).await
}

struct Surroundings {
    db: Database,
    /// Public address of this installation.
    site: String,
    import_listeners: Arc<ImportListeners>,
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
            feed_versions::follow(tx, &self.db, import).await?;
            webhook_events::import_ended(tx, import).await?;
            import_notice::write(tx, &self.site, import).await
        })
    }

    fn packs_rows<'a>(&'a self, tx: &'a Write) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move { Ok(server_process::unprepared(tx, PACKED_IMPORT_ROWS).await?.is_none()) })
    }

    fn notify_progress(&self) {
        self.import_listeners.notify();
    }
}
