//! Scope of jobs that users, feeds and external APIs have started.

use feeds::external_api;
use identity::caller;
use store::{Database, Scope};
use values::{Permission, Principal, Result, TenantId};

/// Returns the scope of a job that a user, a feed or an external API has started earlier, if they still exist
/// and still have the permissions.
pub async fn scope_of_job(
    db: &Database,
    principal: Principal,
    tenant: TenantId,
    needs: &[Permission],
) -> Result<Option<Scope>> {
    let exists = match principal {
        // decided by the permissions of the user
        Principal::User(_) => true,
        Principal::Feed(feed) => feeds::run::exists(db, tenant, feed).await?,
        Principal::ExternalApi(api) => external_api::by_id(db, tenant, api).await?.is_some(),
    };
    if exists { caller::scope_of_job(db, principal, tenant, needs).await } else { Ok(None) }
}
