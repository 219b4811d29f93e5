//! What a run sees of the rows of a file, whatever type the import is of.

use futures_util::future::BoxFuture;
use kernel::{Decimal, Message, Result, Write};
use sea_orm::DbErr;
use serde_json::Value as Json;
use sheets::{Row, RowFault, number::Style, summing::SumColumns};

use crate::{
    import::row::Outcome,
    importer::{not_whole, stage::Aside},
    unresolved,
};

/// What became of a row.
#[derive(Debug, Clone)]
pub(crate) enum Applied {
    Done {
        outcome: Outcome,
        /// The record; nothing where a dry run would have made it.
        record_id: Option<i64>,
        /// What people call it.
        name: String,
        /// The fields that have changed.
        before: Option<Json>,
        after: Option<Json>,
        /// What there is to say although it was accepted.
        warnings: Vec<RowFault>,
        /// The change of a guarded value, in percent.
        change_percent: Option<Decimal>,
    },
    Refused(Vec<RowFault>),
    /// Nothing but a matching is missing: it waits for that.
    Unresolved(Vec<RowFault>),
}

impl Applied {
    /// A row of a record that there is not.
    pub(super) const SKIPPED: Self = Self::Done {
        outcome: Outcome::Skipped,
        record_id: None,
        name: String::new(),
        before: None,
        after: None,
        warnings: Vec::new(),
        change_percent: None,
    };

    /// A row that needs no record.
    pub(super) fn settled(name: String) -> Self {
        let (outcome, record_id, before, after) = (Outcome::Unchanged, None, None, None);
        Self::Done { outcome, record_id, name, before, after, warnings: Vec::new(), change_percent: None }
    }

    pub(crate) fn outcome(&self) -> Outcome {
        match self {
            Self::Done { outcome, .. } => *outcome,
            Self::Refused(_) => Outcome::Refused,
            Self::Unresolved(_) => Outcome::Unresolved,
        }
    }
}

/// The rows of one file on their way, whatever type the import is of.
pub(crate) trait Applying: Send {
    /// What kind of records the rows become.
    fn record(&self) -> &'static str;

    fn numbers(&self) -> Vec<usize>;

    /// The columns by which several rows of one record are added up, where the type can.
    fn sum_columns(&self) -> Option<SumColumns> {
        None
    }

    /// Says what the file's numbers look like.
    fn read_as(&mut self, style: Style);

    /// Applies rows in the transaction, in order; one outcome for each.
    fn apply<'a>(&'a mut self, tx: &'a Write, rows: &'a [Row]) -> BoxFuture<'a, Result<Vec<Applied>>>;

    /// Takes up rows of a dry run that an earlier worker has tried: which records they name counts for the rows behind them.
    fn remember<'a>(&'a mut self, _: &'a Write, _: &'a [Row]) -> BoxFuture<'a, Result<()>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// The records that a file which replaces all does not name.
    fn rest<'a>(&'a self, _: &'a Write) -> BoxFuture<'a, Result<Vec<i64>>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Removes records, or what such a file says of them; a dry run only tells what would become of them.
    fn remove<'a>(&'a self, _: &'a Write, _: &'a [i64]) -> BoxFuture<'a, Result<Vec<Applied>>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Whether what the rows want is kept aside until all of it becomes effective.
    fn keeps_aside(&self) -> bool {
        false
    }

    /// Plans rows whose wishes are kept aside, in order. It reads nothing that keeping aside writes, so that the rows before these
    /// may be on their way meanwhile.
    fn plan_aside<'a>(&'a mut self, _: &'a Write, _: &'a [Row]) -> BoxFuture<'a, Result<Planned>> {
        Box::pin(std::future::ready(Err(not_whole())))
    }

    /// Makes all effective that is kept aside; or says why it cannot be any more.
    fn switch<'a>(&'a self, _: &'a Write) -> BoxFuture<'a, Result<Result<(), Message>>> {
        Box::pin(std::future::ready(Ok(Ok(()))))
    }

    /// The last batch is committed: a dry run remembers its records.
    fn committed(&mut self);

    /// Whether a write failed because somebody else has just made a record of the same key.
    fn is_key_taken(&self, error: &DbErr) -> bool;
}

/// Rows that are planned and not kept aside yet.
pub(crate) struct Planned {
    /// One for each row.
    pub applied: Vec<Applied>,
    /// What they want.
    pub aside: Box<dyn Aside>,
    /// What some of them name that nothing matches.
    pub unmatched: Vec<unresolved::Seen>,
}
