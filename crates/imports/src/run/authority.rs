//! Interface from a running import to users and feeds: the permissions of its principal, and news of its
//! progress.

use futures_util::future::BoxFuture;
use store::{Scope, Write};
use values::{Permission, Principal, Result, TenantId};

use crate::import::Import;

/// Provides the current permissions of an import's principal, and is notified of its progress.
pub trait Authority: Send + Sync + 'static {
    /// Scope of a principal that still has all these permissions.
    fn scope_of<'a>(
        &'a self,
        principal: Principal,
        tenant: TenantId,
        needs: &'a [Permission],
    ) -> BoxFuture<'a, Result<Option<Scope>>>;

    /// Called when an import ends, in the transaction that records it, so that follow-up work happens exactly
    /// once.
    fn ends<'a>(&'a self, _tx: &'a Write, _import: &'a Import) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// True if all running server processes read packed rows: those of the former version do not.
    fn packs_rows<'a>(&'a self, _tx: &'a Write) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async { Ok(true) })
    }

    /// Called when an import begins, makes progress or ends.
    fn notify_progress(&self) {}
}
