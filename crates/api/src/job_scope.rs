//! The scope of jobs that users and feeds have started.

use identity::caller;
use kernel::{Database, Permission, Principal, Result, Scope, TenantId};

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
