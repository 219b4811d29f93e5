//! Wishes of the rows of a file that becomes effective as a whole ([`crate::run::staging`]), on their way into the database.

use futures_util::future::BoxFuture;
use kernel::{Message, Result, Scope, Write};

use super::{Draft, Importer, Key, Model, not_whole};
use crate::import::Import;

/// The way in which files of a type become effective as a whole or not at all.
pub trait Staging<I: Importer> {
    /// Plans rows, ready to be staged.
    fn stage(
        importer: &I,
        tx: &Write,
        scope: &Scope,
        import: i64,
        rows: Vec<Staged<I>>,
    ) -> impl Future<Output = Result<Planned<I>>> + Send;

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

/// Types whose rows are written batch by batch stage nothing.
impl<I: Importer> Staging<I> for () {
    fn stage(
        _: &I,
        _: &Write,
        _: &Scope,
        _: i64,
        _: Vec<Staged<I>>,
    ) -> impl Future<Output = Result<Planned<I>>> + Send {
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

/// What a row wants.
pub struct Staged<I: Importer> {
    pub line: u32,
    pub before: Option<Model<I>>,
    pub becomes: Becomes<I>,
}

/// What rows come to.
pub struct Planned<I: Importer> {
    /// The records as they will be that differ, in no order; those that are new have the ids that they will have.
    pub will_be: Vec<Model<I>>,
    pub aside: Box<dyn Aside>,
}

/// What rows of a type want, on its way into the database.
pub trait Aside: Send + Sync {
    /// Keeps it aside, also once more where an earlier transaction was not committed.
    fn keep<'a>(&'a self, tx: &'a Write, scope: &'a Scope) -> BoxFuture<'a, Result<()>>;
}

/// What a record becomes.
pub enum Becomes<I: Importer> {
    Written(Draft<I>),
    /// It stays as it is, and was named.
    Same,
    Gone,
}
