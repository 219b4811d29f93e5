//! Questions of a running import to the side of users: the rights of its creator, and news of its progress.

use futures_util::future::BoxFuture;
use kernel::{Permission, Result, Scope, TenantId, UserId, Write};

use crate::import::Import;

/// Says what somebody who has started an import may do now, and hears how it gets on.
pub trait Authority: Send + Sync + 'static {
    /// Their scope, if they still hold all these rights.
    fn scope_of<'a>(
        &'a self,
        user: UserId,
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
