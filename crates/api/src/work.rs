//! Background work: the types of imports that there are, and that they run under the rights that their uploaders hold now.

use std::sync::{Arc, LazyLock};

use catalog::article_import::ArticleImporter;
use futures_util::future::BoxFuture;
use identity::caller;
use imports::{
    importer::Registry,
    worker::{Authority, Workers},
};
use kernel::{Database, Permission, Result, Scope, TenantId, UserId};
use logistics::matching_import::MatchingImporter;

use crate::state::State;

/// The types of imports, one line each.
pub static IMPORT_TYPES: LazyLock<Registry> =
    LazyLock::new(|| Registry::default().with::<ArticleImporter>().with::<MatchingImporter>());

/// Starts the workers of this process.
pub async fn start(state: &State) -> Result<Workers> {
    let authority = Arc::new(RightsOfUsers { db: state.db.clone() });
    let (db, storage, folder) = (state.db.clone(), state.storage.clone(), &state.settings.data_dir);
    Workers::start(db, storage, &IMPORT_TYPES, authority, folder, state.imports_waiting.clone()).await
}

struct RightsOfUsers {
    db: Database,
}

impl Authority for RightsOfUsers {
    fn scope_of<'a>(
        &'a self,
        user: UserId,
        tenant: TenantId,
        needs: &'a [Permission],
    ) -> BoxFuture<'a, Result<Option<Scope>>> {
        Box::pin(caller::of_job(&self.db, user, tenant, needs))
    }
}
