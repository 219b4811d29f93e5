//! Columns that files of a type may have, as its importer declares them: the names by which headers are
//! recognised, the fields for mappings, the content of a template, and the texts on screen.

use std::{collections::HashSet, fmt};

use sheets::{
    Format,
    header::{Column, ColumnMapping, Heading, Headings, Title, UnitKind, is_own},
    table::{self, CellContent},
};
use values::Language;

/// Columns that depend on records, such as one for each attribute; they are found by name.
#[derive(Default)]
pub struct Further {
    find: Option<Find>,
    columns: Vec<FurtherColumn>,
}

type Find = Box<dyn Fn(&str, Option<&str>) -> Option<i64> + Send + Sync>;

/// Column that depends on a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FurtherColumn {
    pub id: i64,
    /// Unambiguous name by which it is found.
    pub key: String,
    pub de: String,
    pub en: String,
    /// True if it is offered only for a file that already has it.
    pub rare: bool,
    /// Kind of unit after its name; `None` if it cannot have one.
    pub unit: Option<UnitKind>,
}

impl Further {
    /// Creates columns that `find` finds by a name and the unit after it.
    pub fn new(
        columns: Vec<FurtherColumn>,
        find: impl Fn(&str, Option<&str>) -> Option<i64> + Send + Sync + 'static,
    ) -> Self {
        Self { find: Some(Box::new(find)), columns }
    }

    /// Returns the id of the object that a column stands for; `None` if there is none.
    pub fn find(&self, name: &str, unit: Option<&str>) -> Option<i64> {
        self.find.as_ref().and_then(|find| find(name, unit))
    }
}

impl fmt::Debug for Further {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.columns.fmt(f)
    }
}

/// All columns that a file of a type may have.
#[derive(Debug)]
pub struct DeclaredColumns {
    pub headings: &'static Headings,
    pub further: Further,
}

/// Field to which a column can be mapped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Key such as `article_number`; for an attribute its placeholder, `{hoehe}`.
    pub key: String,
    pub label: String,
    pub help: Option<&'static str>,
    /// Further names by which a column is recognised.
    pub synonyms: Vec<&'static str>,
    /// Kind of unit after a column's name; `None` if it cannot have one.
    pub unit: Option<UnitKind>,
}

/// Recognised meaning of a column of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    Field {
        key: String,
        /// Name by which it was recognised.
        by: String,
    },
    /// Ignored: an error file has added it, or it is left out.
    Unread,
    Nameless,
    Unknown,
}

impl DeclaredColumns {
    /// Recognised meanings of the columns of a header.
    pub fn meanings(&self, header: &[Title]) -> Vec<Meaning> {
        header.iter().map(|title| self.meaning(title)).collect()
    }

    fn meaning(&self, title: &Title) -> Meaning {
        match self.column(title) {
            None => Meaning::Unknown,
            Some(Column::Unread) => Meaning::Unread,
            Some(Column::Nameless) => Meaning::Nameless,
            Some(Column::Known { heading, .. }) if self.is_unread(heading) => Meaning::Unread,
            Some(Column::Known { heading, .. }) => {
                let name = title.name.trim();
                let by = heading.spelled_as(name).unwrap_or(name);
                Meaning::Field { key: heading.key(), by: by.to_owned() }
            }
            Some(Column::Further { id, .. }) => match self.further.columns.iter().find(|one| one.id == id) {
                Some(column) => Meaning::Field { key: column.key.clone(), by: title.name.trim().to_owned() },
                None => Meaning::Unknown,
            },
        }
    }

    /// Column of a title, with the unit after its name.
    pub(crate) fn column(&self, title: &Title) -> Option<Column> {
        self.headings.meaning_of(title, |name, unit| self.further.find(name, unit))
    }

    /// Kind of unit after the name of a field's column; `None` if it cannot have one.
    pub(crate) fn unit_kind(&self, field: &str) -> Option<UnitKind> {
        let heading = self.headings_to_read().find(|heading| heading.key() == field);
        match heading {
            Some(heading) => self.headings.unit_kind(heading),
            None => self.further.columns.iter().find(|column| column.key == field)?.unit,
        }
    }

    /// Names of irrelevant columns, as trade programs write them.
    pub(crate) fn irrelevant_columns<'t>(&self, titles: &'t [Title]) -> Vec<&'t str> {
        let is_one = |title: &&Title| {
            title.mapping == ColumnMapping::ByName
                && self.column(title) == Some(Column::Unread)
                && !is_own(title.name.trim())
        };
        titles.iter().filter(is_one).map(|title| title.name.trim()).collect()
    }

    fn is_unread(&self, heading: &Heading) -> bool {
        self.headings.unread.contains(&heading)
    }

    /// True if a column can be mapped to this field.
    pub fn is_field(&self, key: &str) -> bool {
        let is_heading = self.headings_to_read().any(|heading| heading.key() == key);
        is_heading || self.further.columns.iter().any(|column| column.key == key)
    }

    fn headings_to_read(&self) -> impl Iterator<Item = &'static Heading> {
        self.headings.all.iter().copied().filter(|heading| !self.is_unread(heading))
    }

    /// Fields to which columns can be mapped; rare ones only if they are `used`.
    pub fn fields(&self, language: Language, used: &HashSet<&str>) -> Vec<Field> {
        let heading_fields = self.headings_to_read().map(|heading| Field {
            key: heading.key(),
            label: heading.label(language).to_owned(),
            help: heading.help.map(|help| help.text(language)),
            synonyms: heading.synonyms.to_vec(),
            unit: self.headings.unit_kind(heading),
        });
        let offered = |column: &&FurtherColumn| !column.rare || used.contains(&*column.key);
        let further = self.further.columns.iter().filter(offered).map(|column| Field {
            key: column.key.clone(),
            label: if language == Language::De { &column.de } else { &column.en }.clone(),
            help: None,
            synonyms: Vec::new(),
            unit: column.unit,
        });
        heading_fields.chain(further).collect()
    }

    /// Label of a field.
    pub fn label(&self, key: &str, language: Language) -> String {
        let fields = self.fields(language, &HashSet::from([key]));
        fields.into_iter().find(|field| field.key == key).map_or_else(|| key.to_owned(), |field| field.label)
    }

    /// Groups of fields of which a file needs at least one each.
    pub fn required(&self) -> Vec<Vec<String>> {
        keys(self.headings.required)
    }

    /// Groups of fields of which a file must have all or none.
    pub fn together(&self) -> Vec<Vec<String>> {
        keys(self.headings.together)
    }
}

fn keys(groups: &[&[&Heading]]) -> Vec<Vec<String>> {
    groups.iter().map(|group| group.iter().map(|heading| heading.key()).collect()).collect()
}

/// Sample file of a type: its columns, and rows that can be imported unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Template {
    pub header: Vec<String>,
    pub rows: Vec<Vec<CellContent>>,
}

impl Template {
    /// Creates a template with the columns of these headings.
    pub fn new(headings: &[&Heading], language: Language, rows: Vec<Vec<CellContent>>) -> Self {
        Self { header: headings.iter().map(|heading| heading.label(language).to_owned()).collect(), rows }
    }

    /// Writes the template as a file.
    pub fn written<W: std::io::Write + std::io::Seek + Send>(
        self,
        target: W,
        format: Format,
    ) -> values::Result<W> {
        let header: Vec<_> = self.header.into_iter().map(CellContent::Text).collect();
        table::write(target, format, &header, &mut std::iter::once(self.rows))
    }
}
