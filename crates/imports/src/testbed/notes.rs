//! Simplest possible type of import, and workers that tests control manually.

use sea_orm::{ActiveValue::Set, ConnectionTrait, Statement};
use sheets::{
    RowFault,
    header::{Heading, Headings, Layout, Title},
};
use store::{Database, Scope, Write};
use testkit::note::{self, Note, NoteRow, Notes};
use values::{Language, Message, Result, fold};

use super::Bed;
use crate::{
    cells::{CellChange, Line, content},
    codes,
    import_type::ImportType,
    importer::{FileColumns, Importer, KeyOf},
    revert::reversible::Reversible,
};

static NAME: Heading = Heading { de: "Name", en: "Name", synonyms: &[], help: None };
static NUMBER: Heading = Heading { de: "Zahl", en: "Number", synonyms: &[], help: None };
const HEADINGS: Headings =
    Headings { all: &[&NAME, &NUMBER], required: &[&[&NAME]], together: &[], unread: &[], units: &[] };

/// Importer of notes: the name identifies a note, the number is its content.
pub(crate) struct NoteImporter {
    name: usize,
    number: Option<usize>,
}

impl Reversible for NoteImporter {}

impl FileColumns for NoteImporter {
    const TYPE: ImportType = ImportType::Matching;
    const HEADINGS: &'static Headings = &HEADINGS;

    async fn prepare(
        _: &Database,
        _: &Scope,
        header: &[Title],
        language: Language,
    ) -> Result<Result<Self, Vec<Message>>> {
        let layout = Layout::read(&HEADINGS, header, language, |_, _| None);
        Ok(layout.map(|layout| Self {
            name: layout.position(&NAME).unwrap_or_default(),
            number: layout.position(&NUMBER),
        }))
    }

    fn numbers(&self) -> Vec<usize> {
        self.number.into_iter().collect()
    }

    fn key_column(&self) -> Option<usize> {
        Some(self.name)
    }
}

impl Importer for NoteImporter {
    type Record = Notes;
    type Aim = ();
    type Staging = ();
    type UnderReview = ();
    type Parts = ();

    async fn resolve(&mut self, _: &Write, _: &Scope, _: &[Line<'_>]) -> Result<()> {
        Ok(())
    }

    fn key(&self, line: Line<'_>) -> Result<KeyOf, Vec<RowFault>> {
        match line.name(Some(self.name)) {
            Ok(Some(name)) => Ok(KeyOf::from_name(name)),
            Ok(None) => Err(vec![RowFault::in_cell(self.name, codes::REQUIRED)]),
            Err(fault) => Err(vec![fault]),
        }
    }

    fn draft(&self, line: Line<'_>, existing: Option<&Note>) -> Result<NoteRow, Vec<RowFault>> {
        let mut faults = Vec::new();
        let number = self.number.map_or(CellChange::Keep, |index| {
            line.read_change(index, &mut faults, |cell| Ok(line.number(cell)?.millionths() / 1_000_000))
        });
        let name = line.row.cells.get(self.name).map(content).unwrap_or_default();
        let name = existing.map_or_else(|| name.to_owned(), |note| note.name.clone());
        let row = NoteRow {
            name_fold: Set(fold(&name)),
            name: Set(name),
            number: Set(number.over(existing.and_then(|note| note.number))),
            ..note::note("", None)
        };
        if faults.is_empty() { Ok(row) } else { Err(faults) }
    }
}

impl Bed {
    pub(crate) async fn new() -> Self {
        let bed = Self::for_importer::<NoteImporter>().await;
        note::table(&bed.db).await;
        bed
    }

    /// Notes sorted by name.
    pub(crate) async fn notes(&self) -> Vec<Note> {
        note::all(&self.db, &self.scope).await
    }

    /// Number of stored rows of the imports of both tenants.
    pub(crate) async fn stored_row_count(&self) -> i64 {
        let sql = "SELECT count(*) AS n FROM import_row";
        let statement = Statement::from_string(self.db.get_database_backend(), sql);
        self.db.query_one_raw(statement).await.unwrap().unwrap().try_get("", "n").unwrap()
    }
}
