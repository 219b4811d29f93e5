//! Values compiled from rows, read through the database and kept in memory.

use std::sync::Arc;

use super::{Database, Write};
use crate::{
    error::Result,
    kept::{Compiled, current},
    scope::Scope,
};

impl Database {
    /// What is compiled of a topic, as new as the scope's request or newer.
    pub async fn compiled<C: Compiled>(&self, scope: &Scope) -> Result<Arc<C>> {
        Ok(self.compiled_with_version(scope).await?.0)
    }

    /// The same with its version, for [`crate::Write::relies_on`].
    pub async fn compiled_with_version<C: Compiled>(&self, scope: &Scope) -> Result<(Arc<C>, i64)> {
        let wanted = match scope.versions().of(C::TOPIC) {
            Some(version) => version,
            None => current(self, C::TOPIC).await?,
        };
        self.compiled_since(wanted).await
    }

    /// What is compiled of a topic as it is now, whenever the request has begun.
    pub async fn compiled_now<C: Compiled>(&self) -> Result<(Arc<C>, i64)> {
        let version = current(self, C::TOPIC).await?;
        self.compiled_since(version).await
    }

    /// What is compiled of a topic as a transaction sees it. What is not kept is compiled through that transaction: nobody
    /// who holds a connection waits for another.
    pub async fn compiled_within<C: Compiled>(&self, tx: &Write) -> Result<Arc<C>> {
        let version = current(tx, C::TOPIC).await?;
        match self.compilations().place::<C>().since(version) {
            Some((compiled, _)) => Ok(compiled),
            None => Ok(Arc::new(C::compile(tx).await?)),
        }
    }

    /// The compilation of a topic in this version or a newer one, with its version.
    pub async fn compiled_since<C: Compiled>(&self, wanted: i64) -> Result<(Arc<C>, i64)> {
        let place = self.compilations().place::<C>();
        if let Some(compiled) = place.since(wanted) {
            return Ok(compiled);
        }
        // One compiles, the others take what comes of it.
        let _turn = place.turn.lock().await;
        if let Some(compiled) = place.since(wanted) {
            return Ok(compiled);
        }
        let snapshot = self.snapshot().await?;
        let version = current(&snapshot, C::TOPIC).await?;
        let compiled = Arc::new(C::compile(&snapshot).await?);
        place.keep(version, compiled.clone());
        Ok((compiled, version))
    }
}
