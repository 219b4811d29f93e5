//! Background work: imports run under the rights that their uploaders hold now.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use identity::caller;
use imports::worker::{Authority, Workers};
use kernel::{Database, Permission, Result, Scope};

use crate::state::State;

/// Starts the workers of this process.
pub async fn start(state: &State) -> Result<Workers> {
    let authority = Arc::new(RightsOfUsers { db: state.db.clone() });
    let folder = &state.settings.data_dir;
    Workers::start(state.db.clone(), state.storage.clone(), authority, folder, state.imports_waiting.clone())
        .await
}

struct RightsOfUsers {
    db: Database,
}

impl Authority for RightsOfUsers {
    fn scope_of<'a>(
        &'a self,
        user: i64,
        tenant: i64,
        needs: &'a [Permission],
    ) -> BoxFuture<'a, Result<Option<Scope>>> {
        Box::pin(caller::of_job(&self.db, user, tenant, needs))
    }
}
