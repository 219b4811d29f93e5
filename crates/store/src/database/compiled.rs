//! Values compiled from rows, read through the database and cached in memory.

use std::sync::Arc;

use values::error::Result;

use super::{Database, Write};
use crate::{
    scope::Scope,
    versioned_cache::{Compiled, current},
};

impl Database {
    /// Compiled value of a topic, at least as new as the scope's request.
    pub async fn compiled<C: Compiled>(&self, scope: &Scope) -> Result<Arc<C>> {
        Ok(self.compiled_with_version(scope).await?.0)
    }

    /// Compiled value with its version, for [`crate::Write::relies_on`].
    pub async fn compiled_with_version<C: Compiled>(&self, scope: &Scope) -> Result<(Arc<C>, i64)> {
        let min_version = match scope.versions().version(C::TOPIC) {
            Some(version) => version,
            None => current(self, C::TOPIC).await?,
        };
        self.compiled_since(min_version).await
    }

    /// Compiled value of a topic in its current version, independent of the start of the request.
    pub async fn compiled_now<C: Compiled>(&self) -> Result<(Arc<C>, i64)> {
        let version = current(self, C::TOPIC).await?;
        self.compiled_since(version).await
    }

    /// Compiled value of a topic as a transaction sees it. A value that is not cached is compiled through
    /// that transaction, so that no holder of a connection waits for another one.
    pub async fn compiled_within<C: Compiled>(&self, tx: &Write) -> Result<Arc<C>> {
        let version = current(tx, C::TOPIC).await?;
        match self.compilations().slot::<C>().since(version) {
            Some((compiled, _)) => Ok(compiled),
            None => Ok(Arc::new(C::compile(tx).await?)),
        }
    }

    /// Compiled value of a topic in this version or a newer one, with its version.
    pub async fn compiled_since<C: Compiled>(&self, min_version: i64) -> Result<(Arc<C>, i64)> {
        let slot = self.compilations().slot::<C>();
        if let Some(compiled) = slot.since(min_version) {
            return Ok(compiled);
        }
        // One request compiles, the others wait and use its result.
        let _compiling = slot.compiling.lock().await;
        if let Some(compiled) = slot.since(min_version) {
            return Ok(compiled);
        }
        let snapshot = self.snapshot().await?;
        let version = current(&snapshot, C::TOPIC).await?;
        let compiled = Arc::new(C::compile(&snapshot).await?);
        slot.store(version, compiled.clone());
        Ok((compiled, version))
    }
}
