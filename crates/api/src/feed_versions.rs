//! Versions of price lists that are created from the files of feeds.

use feeds::run::{self, PriceListVersions};
use futures_util::future::BoxFuture;
use imports::{
    import::{Import, uploader::needs_of_feed},
    import_type::ImportType,
};
use pricing::price_list::feed_version;
use store::{Database, Scope, Write};
use values::{Result, TenantId, now};

use crate::job_scope::scope_of_job;

/// Price lists of a database.
pub struct Versions {
    pub db: Database,
}

impl PriceListVersions for Versions {
    fn prepare<'a>(&'a self, scope: &'a Scope, name: &'a str) -> BoxFuture<'a, Result<i64>> {
        Box::pin(async move { Ok(feed_version::prepare(&self.db, scope, name, now()).await?.id) })
    }
}

/// Puts a prepared version of a price list into effect after the import of a feed's file has filled it.
pub async fn follow(tx: &Write, db: &Database, import: &Import) -> Result<()> {
    if import.r#type != ImportType::PriceList || !run::is_of_feed(tx, import).await? {
        return Ok(());
    }
    let Some(principal) = import.principal() else { return Ok(()) };
    let needs = needs_of_feed(import.r#type);
    let scope = scope_of_job(db, principal, TenantId(import.tenant_id), &needs).await?;
    match scope {
        Some(scope) => feed_version::follow(tx, &scope, import, now()).await,
        None => Ok(()),
    }
}
