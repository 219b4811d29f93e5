//! Staging of rows for files that take effect as a whole ([`crate::run::staging`]).

use futures_util::future::BoxFuture;
use store::{Scope, Write};
use values::{Message, Result};

use super::{Draft, Importer, Key, Model, not_whole};
use crate::import::Import;

/// Staging of a type whose files take effect as a whole or not at all.
pub trait Staging<I: Importer> {
    /// Plans rows, ready to be staged.
    fn stage(
        importer: &I,
        tx: &Write,
        scope: &Scope,
        import: i64,
        rows: Vec<RequestedChange<I>>,
    ) -> impl Future<Output = Result<StagePlan<I>>> + Send;

    /// Keys and lines that an earlier attempt has staged.
    fn staged(tx: &Write, import: &Import) -> impl Future<Output = Result<Vec<(Key, u32)>>> + Send;

    /// Puts everything staged into effect, or returns the reason why that is no longer possible.
    fn switch(
        importer: &I,
        tx: &Write,
        scope: &Scope,
        import: i64,
    ) -> impl Future<Output = Result<Result<(), Message>>> + Send;

    /// Deletes everything staged.
    fn forget(tx: &Write, import: &Import) -> impl Future<Output = Result<()>> + Send;
}

/// Refuses to stage, for types whose rows are written batch by batch.
impl<I: Importer> Staging<I> for () {
    fn stage(
        _: &I,
        _: &Write,
        _: &Scope,
        _: i64,
        _: Vec<RequestedChange<I>>,
    ) -> impl Future<Output = Result<StagePlan<I>>> + Send {
        std::future::ready(Err(not_whole()))
    }

    async fn staged(_: &Write, _: &Import) -> Result<Vec<(Key, u32)>> {
        Err(not_whole())
    }

    async fn switch(_: &I, _: &Write, _: &Scope, _: i64) -> Result<Result<(), Message>> {
        Err(not_whole())
    }

    async fn forget(_: &Write, _: &Import) -> Result<()> {
        Err(not_whole())
    }
}

/// Change that a row requests.
pub struct RequestedChange<I: Importer> {
    pub line: u32,
    pub before: Option<Model<I>>,
    pub becomes: PlannedState<I>,
}

/// Planned effect of rows.
pub struct StagePlan<I: Importer> {
    /// Future state of records that change, in no particular order; new ones have their final ids.
    pub will_be: Vec<Model<I>>,
    pub staged_rows: Box<dyn StagedRows>,
}

/// Changes that rows of a type request, to be stored.
pub trait StagedRows: Send + Sync {
    /// Stages the changes; may be repeated if an earlier transaction was not committed.
    fn save<'a>(&'a self, tx: &'a Write, scope: &'a Scope) -> BoxFuture<'a, Result<()>>;
}

/// Planned state of a record.
pub enum PlannedState<I: Importer> {
    Written(Draft<I>),
    /// Unchanged, and named by a row.
    Same,
    Gone,
}
