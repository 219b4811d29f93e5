//! Meaning of the cells of a row, for every type of import: an empty cell leaves the value unchanged, `#LEER`
//! or `#EMPTY` clears it, and a text that looks the same as another is treated as equal.

use std::borrow::Cow;

use sheets::{
    Cell, Row, RowFault,
    header::letters,
    is_blank,
    number::{self, Style},
    visible,
};
use values::{
    Decimal, Message, Result, UnitCategory, Violations,
    reader::{BasisReading, QuantityReading},
};

use crate::codes;

/// Content of a cell that clears the value; an empty cell leaves it unchanged.
pub const CLEAR: &str = "#LEER";
/// English form of [`CLEAR`].
pub const CLEAR_ENGLISH: &str = "#EMPTY";

/// Change that a cell requests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CellChange<T> {
    /// Leaves the value unchanged, since the cell is empty.
    #[default]
    Keep,
    Clear,
    Set(T),
}

impl<T> CellChange<T> {
    /// Returns the new value, given the existing one.
    pub fn over(self, existing: Option<T>) -> Option<T> {
        match self {
            Self::Keep => existing,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }
}

/// Row with the number style of its file.
#[derive(Debug, Clone, Copy)]
pub struct Line<'r> {
    pub row: &'r Row,
    pub style: Style,
}

impl<'r> Line<'r> {
    /// Text of a cell; empty if it has no visible characters.
    pub fn text(self, index: usize) -> &'r str {
        self.row.cells.get(index).map(trimmed).unwrap_or_default()
    }

    /// Reads the change that a cell requests. A cell that cannot be read adds a fault and leaves the value
    /// unchanged.
    pub fn read_change<T>(
        self,
        index: usize,
        faults: &mut Vec<RowFault>,
        read: impl FnOnce(&'r Cell) -> Result<T, Message>,
    ) -> CellChange<T> {
        let Some(cell) = self.row.cells.get(index) else { return CellChange::Keep };
        match trimmed(cell) {
            "" => CellChange::Keep,
            CLEAR | CLEAR_ENGLISH => CellChange::Clear,
            _ => match read(cell) {
                Ok(value) => CellChange::Set(value),
                Err(message) => {
                    faults.push(RowFault::in_cell(index, message));
                    CellChange::Keep
                }
            },
        }
    }

    /// Reads the change that a cell requests, in a column that a file may lack.
    pub fn read_optional<T>(
        self,
        index: Option<usize>,
        faults: &mut Vec<RowFault>,
        read: impl FnOnce(&'r Cell) -> Result<T, Message>,
    ) -> CellChange<T> {
        index.map_or(CellChange::Keep, |index| self.read_change(index, faults, read))
    }

    /// Text of a cell with a name; `None` without such a column, and if the cell is empty or clears the
    /// value.
    pub fn name(self, index: Option<usize>) -> Result<Option<&'r str>, RowFault> {
        let Some(index) = index else { return Ok(None) };
        match self.text(index) {
            "" | CLEAR | CLEAR_ENGLISH => Ok(None),
            text if number::is_scientific(text) => {
                Err(RowFault::in_cell(index, codes::SCIENTIFIC_NUMBER.with("value", text)))
            }
            text => Ok(Some(decode_literal(text))),
        }
    }

    /// Parses the number in a cell.
    pub fn number(self, cell: &Cell) -> Result<Decimal, Message> {
        number::parse(cell, self.style)
    }

    /// Parses the quantity in a cell, with a unit if the cell has one; the unit must belong to `category` if
    /// that is given.
    pub fn quantity(self, cell: &Cell, category: Option<UnitCategory>) -> Result<QuantityReading, Message> {
        number::parse_quantity(cell, self.style, category)
    }

    /// Parses an amount and its unit: `100 kg`.
    pub fn basis(self, cell: &Cell) -> Result<BasisReading, Message> {
        number::parse_basis(cell, self.style)
    }

    /// Parses the number of a field with fewer decimal places, to which a spreadsheet's own number is
    /// rounded.
    pub fn number_to(self, cell: &Cell, places: usize) -> Result<Decimal, Message> {
        number::parse_to(cell, self.style, places)
    }

    /// Note with the rounded number, if a spreadsheet's own number has more decimal places.
    pub fn rounding_note(self, index: Option<usize>, places: usize) -> Option<RowFault> {
        let cell = self.row.cells.get(index?).filter(|cell| number::is_rounded(cell, places))?;
        let number = self.number_to(cell, places).ok()?;
        let message = Message::from(codes::NUMBER_ROUNDED).number_of("value", number);
        Some(RowFault::in_cell(index?, message))
    }

    /// Faults for filled cells in columns without a name, which must be empty.
    pub fn nameless(self, indexes: &[usize]) -> impl Iterator<Item = RowFault> {
        let filled = indexes.iter().copied().filter(move |index| !self.text(*index).is_empty());
        filled.map(|index| RowFault::in_cell(index, codes::COLUMN_UNKNOWN.with("column", letters(index))))
    }
}

/// Combines the faults of a row: cells that could not be read, and broken rules in the columns of their
/// fields. Each column has only one fault.
pub fn all_faults(
    mut faults: Vec<RowFault>,
    violations: Violations,
    column_of: impl Fn(&str) -> Option<usize>,
) -> Vec<RowFault> {
    for violation in violations {
        let column = column_of(&violation.path);
        let is_in_column = |fault: &RowFault| column.is_some() && fault.column == column;
        if !faults.iter().any(is_in_column) {
            faults.push(RowFault { column, message: violation.message });
        }
    }
    faults
}

/// Finds a reference by exactly this text, or else by the text without invisible characters.
pub fn referred<T>(text: &str, find: impl Fn(&str) -> Result<T, Message>) -> Result<T, Message> {
    find(text).or_else(|message| match visible(text) {
        Cow::Borrowed(_) => Err(message),
        Cow::Owned(visible_text) => find(&visible_text),
    })
}

/// True for the words that clear a value.
pub fn is_clear(text: &str) -> bool {
    text == CLEAR || text == CLEAR_ENGLISH
}

/// Text that a cell means.
pub fn content(cell: &Cell) -> &str {
    decode_literal(cell.as_str().trim())
}

/// Encodes a text for a cell: an apostrophe is prefixed if the text would otherwise have a special meaning.
pub fn literal(text: &str) -> Cow<'_, str> {
    if is_special(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Decodes a cell that [`literal`] has encoded.
pub fn decode_literal(text: &str) -> &str {
    text.strip_prefix('\'').filter(|_| is_special(text)).unwrap_or(text)
}

/// True if a text, after any apostrophes, has a special meaning.
fn is_special(text: &str) -> bool {
    let text = text.trim_start_matches('\'');
    is_clear(text) || number::is_scientific(text)
}

fn trimmed(cell: &Cell) -> &str {
    let text = cell.as_str().trim();
    if is_blank(text) { "" } else { text }
}
