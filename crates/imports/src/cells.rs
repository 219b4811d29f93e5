//! The meaning of the cells of a row, for every type of import: an empty one leaves what is there, `#LEER` or `#EMPTY`
//! clears it, and what only looks like another text is taken for it.

use std::borrow::Cow;

use kernel::{
    Code, Decimal, Message, Result, UnitCategory, Violations,
    reader::{BasisReading, QuantityReading},
};
use sheets::{
    Cell, Row, RowFault,
    header::letters,
    is_blank,
    number::{self, Style},
    visible,
};

/// Written into a cell to clear what is there; an empty cell leaves it.
pub const CLEAR: &str = "#LEER";
/// The same in English.
pub const CLEAR_ENGLISH: &str = "#EMPTY";

/// What a cell wants.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Wanted<T> {
    /// The cell is empty: what is there stays.
    #[default]
    Keep,
    Clear,
    Set(T),
}

impl<T> Wanted<T> {
    /// What there is afterwards, where there was `existing` before.
    pub fn over(self, existing: Option<T>) -> Option<T> {
        match self {
            Self::Keep => existing,
            Self::Clear => None,
            Self::Set(value) => Some(value),
        }
    }
}

/// A row, and what its file's numbers look like.
#[derive(Debug, Clone, Copy)]
pub struct Line<'r> {
    pub row: &'r Row,
    pub style: Style,
}

impl<'r> Line<'r> {
    /// The text of a cell, empty where nobody sees any.
    pub fn text(self, index: usize) -> &'r str {
        self.row.cells.get(index).map(trimmed).unwrap_or_default()
    }

    /// What a cell wants, as `read` reads it; what cannot be read is reported and wants nothing.
    pub fn wanted<T>(
        self,
        index: usize,
        faults: &mut Vec<RowFault>,
        read: impl FnOnce(&'r Cell) -> Result<T, Message>,
    ) -> Wanted<T> {
        let Some(cell) = self.row.cells.get(index) else { return Wanted::Keep };
        match trimmed(cell) {
            "" => Wanted::Keep,
            CLEAR | CLEAR_ENGLISH => Wanted::Clear,
            _ => match read(cell) {
                Ok(value) => Wanted::Set(value),
                Err(message) => {
                    faults.push(RowFault::of_cell(index, message));
                    Wanted::Keep
                }
            },
        }
    }

    /// The same of a column that a file may lack.
    pub fn wanted_of<T>(
        self,
        index: Option<usize>,
        faults: &mut Vec<RowFault>,
        read: impl FnOnce(&'r Cell) -> Result<T, Message>,
    ) -> Wanted<T> {
        index.map_or(Wanted::Keep, |index| self.wanted(index, faults, read))
    }

    /// The text of a cell that names something: without any column, and where it is empty or cleared, nothing.
    pub fn name(self, index: Option<usize>) -> Result<Option<&'r str>, RowFault> {
        let Some(index) = index else { return Ok(None) };
        match self.text(index) {
            "" | CLEAR | CLEAR_ENGLISH => Ok(None),
            text if number::is_scientific(text) => {
                Err(RowFault::of_cell(index, Code::ScientificNumber.with("value", text)))
            }
            text => Ok(Some(meant(text))),
        }
    }

    /// The number in a cell.
    pub fn number(self, cell: &Cell) -> Result<Decimal, Message> {
        number::parse(cell, self.style)
    }

    /// The quantity in a cell, with a unit where it has its own: of `category`, where that is given.
    pub fn quantity(self, cell: &Cell, category: Option<UnitCategory>) -> Result<QuantityReading, Message> {
        number::parse_quantity(cell, self.style, category)
    }

    /// An amount and its unit, as a cell says them: `100 kg`.
    pub fn basis(self, cell: &Cell) -> Result<BasisReading, Message> {
        number::parse_basis(cell, self.style)
    }

    /// The number in a cell, of a field with fewer places: a spreadsheet's own number is rounded to them.
    pub fn number_to(self, cell: &Cell, places: usize) -> Result<Decimal, Message> {
        number::parse_to(cell, self.style, places)
    }

    /// Says which number was taken for a spreadsheet's own that has more places.
    pub fn rounding_note(self, index: Option<usize>, places: usize) -> Option<RowFault> {
        let cell = self.row.cells.get(index?).filter(|cell| number::is_rounded(cell, places))?;
        let number = self.number_to(cell, places).ok()?;
        let message = Message::from(Code::NumberRounded).number_of("value", number);
        Some(RowFault::of_cell(index?, message))
    }

    /// What stands in columns without a name, which must be empty.
    pub fn nameless(self, indexes: &[usize]) -> impl Iterator<Item = RowFault> {
        let filled = indexes.iter().copied().filter(move |index| !self.text(*index).is_empty());
        filled.map(|index| RowFault::of_cell(index, Code::ColumnUnknown.with("column", letters(index))))
    }
}

/// Everything that is wrong with a row, each thing once: what could not be read, and which rules are broken, in the
/// columns that hold what they speak of.
pub fn all_faults(
    mut faults: Vec<RowFault>,
    violations: Violations,
    column_of: impl Fn(&str) -> Option<usize>,
) -> Vec<RowFault> {
    for violation in violations {
        let column = column_of(&violation.path);
        let known = |fault: &RowFault| column.is_some() && fault.column == column;
        if !faults.iter().any(known) {
            faults.push(RowFault { column, message: violation.message });
        }
    }
    faults
}

/// What a text refers to: what is called exactly so, or else what looks the same.
pub fn referred<T>(text: &str, find: impl Fn(&str) -> Result<T, Message>) -> Result<T, Message> {
    find(text).or_else(|message| match visible(text) {
        Cow::Borrowed(_) => Err(message),
        Cow::Owned(seen) => find(&seen),
    })
}

/// True for the words that clear what is there.
pub fn is_clear(text: &str) -> bool {
    text == CLEAR || text == CLEAR_ENGLISH
}

/// The text that a cell means.
pub fn content(cell: &Cell) -> &str {
    meant(cell.as_str().trim())
}

/// A text as a cell holds it: an apostrophe in front makes it mean nothing but itself, also where it looks like that.
pub fn literal(text: &str) -> Cow<'_, str> {
    if is_special(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// What a cell that [`literal`] wrote means.
pub fn meant(text: &str) -> &str {
    text.strip_prefix('\'').filter(|_| is_special(text)).unwrap_or(text)
}

/// Whether a text, behind any apostrophes, would be taken for something else than itself.
fn is_special(text: &str) -> bool {
    let text = text.trim_start_matches('\'');
    is_clear(text) || number::is_scientific(text)
}

fn trimmed(cell: &Cell) -> &str {
    let text = cell.as_str().trim();
    if is_blank(text) { "" } else { text }
}
