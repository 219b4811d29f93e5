//! Columns of a running import of nodes or legs.

use imports::cells::{Line, all_faults};
use sheets::{
    RowFault,
    header::{Heading, Headings, Layout, Title},
};
use values::{Language, Message, Violations};

/// Columns of a type of import, and the fields that violations name.
pub(super) type Fields<const N: usize> = [(&'static Heading, &'static str); N];

/// Positions of columns in a file.
pub(super) struct ImportColumns<const N: usize> {
    fields: &'static Fields<N>,
    pub(super) positions: [Option<usize>; N],
    nameless: Vec<usize>,
}

impl<const N: usize> ImportColumns<N> {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub(super) fn read(
        headings: &'static Headings,
        fields: &'static Fields<N>,
        header: &[Title],
        language: Language,
    ) -> Result<Self, Vec<Message>> {
        let layout = Layout::read(headings, header, language, |_, _| None)?;
        let positions = fields.each_ref().map(|(heading, _)| layout.position(heading));
        Ok(Self { fields, positions, nameless: layout.nameless().collect() })
    }

    /// Faults of cells below columns without a name.
    pub(super) fn nameless(&self, line: Line<'_>) -> Vec<RowFault> {
        line.nameless(&self.nameless).collect()
    }

    /// Adds violations to the faults of cells, at the columns of their fields.
    pub(super) fn faults(&self, faults: Vec<RowFault>, violations: Violations) -> Vec<RowFault> {
        all_faults(faults, violations, |path| {
            let field = path.split('.').next().unwrap_or(path);
            let mut columns = self.fields.iter().zip(self.positions);
            columns.find(|((_, column_field), _)| *column_field == field)?.1
        })
    }
}
