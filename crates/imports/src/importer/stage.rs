//! Wishes of the rows of a file that becomes effective as a whole ([`crate::run::staging`]), on their way into the database.

use futures_util::future::BoxFuture;
use kernel::{Result, Scope, Write};

use super::{Draft, Importer, Model};

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
