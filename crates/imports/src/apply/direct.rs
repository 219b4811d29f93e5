//! Items of a call, applied like the rows of a file: by the same import types, with the same rules,
//! immediately and in one transaction. An item becomes a row under fixed headings; a fault of a cell is
//! reported at its field.

use std::time::Duration;

use background::Attempts;
use serde::{Deserialize, Deserializer};
use sheets::{Cell, Row, RowFault, header::Title};
use store::{Database, Scope, Write, deadline};
use values::{Decimal, Error, Language, Message, Result, Unit, Violation};

use super::{Applier, Applying, RowResult};
use crate::{
    cells::{CLEAR, CellChange, literal},
    codes,
    import::row::Outcome,
    importer::{Aim, Importer},
    run::contention::is_conflict,
};

/// Maximum time that a call waits for other writers.
const CONFLICT_TIMEOUT: Duration = Duration::from_mins(1);

/// Items as rows.
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Row>,
}

/// Column with the field from which its cells are made.
#[derive(Debug, Clone)]
pub struct Column {
    heading: String,
    field: String,
    /// Field at which a fault is reported if `field` is empty.
    fallback_field: Option<&'static str>,
}

/// Result of an item.
#[derive(Debug, Clone)]
pub struct AppliedItem {
    pub outcome: Outcome,
    /// Id of the record; `None` if the item was refused.
    pub record: Option<i64>,
    pub errors: Vec<FieldFault>,
    /// Warnings about an accepted item, including reasons for values under review.
    pub warnings: Vec<FieldFault>,
}

/// Fault or warning of an item.
#[derive(Debug, Clone)]
pub struct FieldFault {
    /// Name of the field; `None` for the item as a whole.
    pub field: Option<String>,
    pub message: Message,
}

impl From<&Violation> for FieldFault {
    fn from(Violation { path, message }: &Violation) -> Self {
        Self { field: Some(path.clone()), message: message.clone() }
    }
}

impl Column {
    /// Creates a column with the field that its faults are reported at.
    pub fn new(heading: impl Into<String>, field: impl Into<String>) -> Self {
        Self { heading: heading.into(), field: field.into(), fallback_field: None }
    }

    /// Sets an alternative field for the same value.
    #[must_use]
    pub fn or(self, fallback_field: &'static str) -> Self {
        Self { fallback_field: Some(fallback_field), ..self }
    }
}

impl Table {
    /// Creates a row for each item, with a cell for each column.
    pub fn new<T>(columns: Vec<Column>, items: &[T], cells: impl Fn(&T) -> Vec<Cell>) -> Self {
        let row = |(line, item)| Row { line, cells: cells(item), faults: Vec::new() };
        Self { rows: (0..).zip(items).map(row).collect(), columns }
    }

    fn header(&self) -> Vec<Title> {
        self.columns.iter().map(|column| Title::new(&*column.heading)).collect()
    }

    fn field_faults(&self, row: &Row, faults: Vec<RowFault>) -> Vec<FieldFault> {
        let field_fault =
            |RowFault { column, message }| FieldFault { field: self.field(row, column), message };
        faults.into_iter().map(field_fault).collect()
    }

    fn field(&self, row: &Row, index: Option<usize>) -> Option<String> {
        let cell_of = |field: &str| {
            let index = self.columns.iter().position(|column| column.field == field)?;
            row.cells.get(index).filter(|cell| !cell.as_str().is_empty())
        };
        let Column { field, fallback_field, .. } = self.columns.get(index?)?;
        let fallback_field =
            fallback_field.filter(|other| cell_of(field).is_none() && cell_of(other).is_some());
        Some(fallback_field.unwrap_or(field).to_owned())
    }
}

/// Items of one call that are being applied.
pub struct Call<I: Importer> {
    applier: Applier<I>,
    table: Table,
    attempts: Attempts,
}

impl<I: Importer> Call<I> {
    /// Prepares a call; refuses callers who may not upload a file of the same type.
    pub async fn prepare(db: &Database, scope: &Scope, table: Table, language: Language) -> Result<Self> {
        Self::into(db, scope, None, table, language).await
    }

    /// Prepares a call whose items are written into a target record.
    pub async fn into(
        db: &Database,
        scope: &Scope,
        aim: Option<i64>,
        table: Table,
        language: Language,
    ) -> Result<Self> {
        let scope = I::Aim::writer(db, scope, aim).await?;
        scope.tenant()?;
        I::TYPE.demand(scope.rights())?;
        scope.claim::<I::Record>()?;
        let prepared = I::prepare(db, &scope, &table.header(), language).await?;
        let mut importer =
            prepared.map_err(|problems| Error::internal(format!("own headings: {problems:?}")))?;
        importer.aim(I::Aim::from_id(aim), None);
        Ok(Self {
            applier: Applier::for_call(importer, scope),
            table,
            attempts: Attempts::within(CONFLICT_TIMEOUT),
        })
    }

    /// Marks the call as a dry run. The price guard is then skipped for callers who may not see prices:
    /// repeated tries would reveal them.
    pub fn set_dry_run(&mut self) {
        self.applier.set_trial();
    }

    /// Applies all items in the transaction; returns their results in order.
    pub async fn apply(&mut self, tx: &Write) -> Result<Vec<AppliedItem>> {
        let applied = self.applier.apply(tx, &self.table.rows).await?;
        let done = |(row, applied): (&Row, RowResult)| {
            let outcome = applied.outcome();
            let (record, errors, warnings) = match applied {
                RowResult::Done { record_id, warnings, .. } => (record_id, Vec::new(), warnings),
                RowResult::Refused(faults) | RowResult::Unresolved(faults) => (None, faults, Vec::new()),
            };
            let [errors, warnings] = [errors, warnings].map(|faults| self.table.field_faults(row, faults));
            AppliedItem { outcome, record, errors, warnings }
        };
        Ok(self.table.rows.iter().zip(applied).map(done).collect())
    }

    /// Waits before a retry, if the error was only a conflict with other writers.
    ///
    /// # Errors
    /// The error itself if it has another reason; [`codes::BUSY`] if the conflicts last too long.
    pub async fn wait_for_others(&mut self, error: Error) -> Result<()> {
        if !is_conflict(&error, &self.applier) {
            return Err(error);
        }
        deadline::extend(CONFLICT_TIMEOUT * 2);
        if self.attempts.pause().await { Ok(()) } else { Err(codes::BUSY.into()) }
    }
}

impl<I: Importer> std::fmt::Debug for Call<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.table.fmt(f)
    }
}

/// Deserializes a present field: `null` clears the value. The field needs `#[serde(default)]`, so that a
/// missing one is `Keep`.
impl<'de, T: Deserialize<'de>> Deserialize<'de> for CellChange<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

/// Value that can be written into a cell.
pub trait ToCell {
    fn to_cell(&self) -> Cell;
}

impl ToCell for String {
    fn to_cell(&self) -> Cell {
        Cell::Text(literal(self).into_owned())
    }
}

/// Written as a JSON value, which is parsed exactly; `Cell::Number` would be rounded.
impl ToCell for Decimal {
    fn to_cell(&self) -> Cell {
        Cell::Value { json: self.to_string() }
    }
}

impl ToCell for i64 {
    fn to_cell(&self) -> Cell {
        Cell::Number { number: self.to_string() }
    }
}

impl ToCell for Unit {
    fn to_cell(&self) -> Cell {
        Cell::Text(self.as_str().to_owned())
    }
}

impl<T: ToCell> ToCell for Option<T> {
    fn to_cell(&self) -> Cell {
        self.as_ref().map_or_else(Cell::default, ToCell::to_cell)
    }
}

impl<T: ToCell> ToCell for CellChange<T> {
    fn to_cell(&self) -> Cell {
        match self {
            Self::Keep => Cell::default(),
            Self::Clear => Cell::Text(CLEAR.to_owned()),
            Self::Set(value) => value.to_cell(),
        }
    }
}
