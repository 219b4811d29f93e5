//! Questions of a running import to the side of users and feeds: the rights of its principal, and news of its progress.

use futures_util::future::BoxFuture;
use kernel::{Permission, Principal, Result, Scope, TenantId, Write};

use crate::import::Import;

/// Says what the principal of an import may do now, and hears how it gets on.
pub trait Authority: Send + Sync + 'static {
    /// The scope of a principal that still holds all these rights.
    fn scope_of<'a>(
        &'a self,
        principal: Principal,
        tenant: TenantId,
        needs: &'a [Permission],
    ) -> BoxFuture<'a, Result<Option<Scope>>>;

    /// An import ends: told in the transaction that says so, so that what is done about it is done exactly once.
    fn ends<'a>(&'a self, _tx: &'a Write, _import: &'a Import) -> BoxFuture<'a, Result<()>> {
        Box::pin(async { Ok(()) })
    }

    /// An import has begun, got on or ended.
    fn moved(&self) {}
}
