//! Interface between a run and the rows of a file, common to all types of imports.

use futures_util::future::BoxFuture;
use sea_orm::DbErr;
use serde_json::Value as Json;
use sheets::{Row, RowFault, number::Style, summing::SumColumns};
use store::Write;
use values::{Decimal, Message, Result};

use crate::{
    import::row::Outcome,
    importer::{not_whole, stage::StagedRows},
    unresolved,
};

/// Result of a row.
#[derive(Debug, Clone)]
pub(crate) enum RowResult {
    Done {
        outcome: Outcome,
        /// Id of the record; `None` if a dry run would have created it.
        record_id: Option<i64>,
        /// Name of the record.
        name: String,
        /// Changed fields.
        before: Option<Json>,
        after: Option<Json>,
        /// Warnings about an accepted row.
        warnings: Vec<RowFault>,
        /// Change of a value that is checked for plausibility, in percent.
        change_percent: Option<Decimal>,
    },
    Refused(Vec<RowFault>),
    /// Waits for a matching, which is all that is missing.
    Unresolved(Vec<RowFault>),
}

impl RowResult {
    /// Row whose record does not exist.
    pub(super) const SKIPPED: Self = Self::Done {
        outcome: Outcome::Skipped,
        record_id: None,
        name: String::new(),
        before: None,
        after: None,
        warnings: Vec::new(),
        change_percent: None,
    };

    /// Row that needs no record.
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

/// Rows of one file that are being applied, for any type of import.
pub(crate) trait Applying: Send {
    /// Kind of the records that the rows become.
    fn record(&self) -> &'static str;

    fn numbers(&self) -> Vec<usize>;

    /// Columns for summing several rows of one record, if the type supports it.
    fn sum_columns(&self) -> Option<SumColumns> {
        None
    }

    /// Sets the number style of the file.
    fn read_as(&mut self, style: Style);

    /// Applies rows in the transaction, in order; returns one result for each.
    fn apply<'a>(&'a mut self, tx: &'a Write, rows: &'a [Row]) -> BoxFuture<'a, Result<Vec<RowResult>>>;

    /// Restores the memory of rows that an earlier worker has already tried in a dry run: later rows must not
    /// repeat their records.
    fn remember<'a>(&'a mut self, _: &'a Write, _: &'a [Row]) -> BoxFuture<'a, Result<()>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Records that a file with the strategy `ReplaceAll` does not name.
    fn unnamed_ids<'a>(&'a self, _: &'a Write) -> BoxFuture<'a, Result<Vec<i64>>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Deletes records, or reduces them to their remainder; a dry run only returns the results.
    fn remove<'a>(&'a self, _: &'a Write, _: &'a [i64]) -> BoxFuture<'a, Result<Vec<RowResult>>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// True if rows are staged until all of them take effect.
    fn stages_rows(&self) -> bool {
        false
    }

    /// Plans rows to be staged, in order. It reads nothing that staging writes, so that the previous rows can
    /// be stored meanwhile.
    fn plan_staging<'a>(&'a mut self, _: &'a Write, _: &'a [Row]) -> BoxFuture<'a, Result<RowPlans>> {
        Box::pin(std::future::ready(Err(not_whole())))
    }

    /// Puts all staged rows into effect, or returns the reason why that is no longer possible.
    fn switch<'a>(&'a self, _: &'a Write) -> BoxFuture<'a, Result<Result<(), Message>>> {
        Box::pin(std::future::ready(Ok(Ok(()))))
    }

    /// Reports that the last batch is committed: a dry run remembers its records.
    fn committed(&mut self);

    /// True if a write failed because another writer has just created a record with the same key.
    fn is_key_taken(&self, error: &DbErr) -> bool;
}

/// Rows that are planned and not staged yet.
pub(crate) struct RowPlans {
    /// Results, one for each row.
    pub applied: Vec<RowResult>,
    /// Changes that the rows request.
    pub staged_rows: Box<dyn StagedRows>,
    /// Numbers in the rows without a matching.
    pub unmatched: Vec<unresolved::Occurrence>,
}
