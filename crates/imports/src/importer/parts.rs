//! Parts of records that rows of files describe, besides the columns of the record itself.

use sheets::RowFault;
use store::{Scope, Write, audit::Change};
use values::Result;

use super::{Importer, Model};
use crate::cells::Line;

/// Parts of a record as a row describes them.
pub trait RowParts<I: Importer>: Default + Send + Sync {
    /// Looks up the parts of all records that rows name.
    fn find(
        importer: &mut I,
        tx: &Write,
        scope: &Scope,
        records: &[&Model<I>],
    ) -> impl Future<Output = Result<()>> + Send;

    /// Reads the parts in a row; true if the record has them already.
    fn read(importer: &I, line: Line<'_>, existing: Option<&Model<I>>)
    -> Result<(Self, bool), Vec<RowFault>>;

    /// Writes the parts of all records that have just been written, and what follows from those records.
    fn write(
        importer: &I,
        tx: &Write,
        scope: &Scope,
        written: Vec<(&Model<I>, Self)>,
    ) -> impl Future<Output = Result<()>> + Send;

    /// The changes of the parts, for the history of the row.
    fn changes(&self, importer: &I, existing: Option<&Model<I>>) -> Vec<Change>;
}

impl<I: Importer> RowParts<I> for () {
    fn find(_: &mut I, _: &Write, _: &Scope, _: &[&Model<I>]) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    fn read(_: &I, _: Line<'_>, _: Option<&Model<I>>) -> Result<(Self, bool), Vec<RowFault>> {
        Ok(((), true))
    }

    fn write(
        _: &I,
        _: &Write,
        _: &Scope,
        _: Vec<(&Model<I>, Self)>,
    ) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }

    fn changes(&self, _: &I, _: Option<&Model<I>>) -> Vec<Change> {
        Vec::new()
    }
}
