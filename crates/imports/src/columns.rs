//! The columns that files of a type may have, as its importer declares them: what a header is recognised by, what somebody can
//! say that a column means, what a template shows, and what the screen says of it all.

use std::{collections::HashSet, fmt};

use kernel::Language;
use sheets::{
    Format,
    header::{Column, Heading, Headings, Meant, Title, UnitKind, is_own},
    table::{self, CellContent},
};

/// Columns that depend on what there is, as one for each attribute: found by their names.
#[derive(Default)]
pub struct Further {
    find: Option<Find>,
    columns: Vec<FurtherColumn>,
}

type Find = Box<dyn Fn(&str, Option<&str>) -> Option<i64> + Send + Sync>;

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FurtherColumn {
    pub id: i64,
    /// A name by which it is found, whatever else there is.
    pub key: String,
    pub de: String,
    pub en: String,
    /// Offered only where a file has it already.
    pub rare: bool,
    /// What the unit behind its name is the unit of, if there can be one.
    pub unit: Option<UnitKind>,
}

impl Further {
    /// Columns that `find` finds by a name and the unit behind it.
    pub fn new(
        columns: Vec<FurtherColumn>,
        find: impl Fn(&str, Option<&str>) -> Option<i64> + Send + Sync + 'static,
    ) -> Self {
        Self { find: Some(Box::new(find)), columns }
    }

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
pub struct Declared {
    pub headings: &'static Headings,
    pub further: Further,
}

/// What a column can mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// `article_number`; of an attribute its placeholder, `{hoehe}`.
    pub key: String,
    pub label: String,
    pub help: Option<&'static str>,
    /// By which other names a column is recognised.
    pub synonyms: Vec<&'static str>,
    /// What the unit behind a column's name is the unit of, if there can be one.
    pub unit: Option<UnitKind>,
}

/// What a column of a file was taken for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    Field {
        key: String,
        /// The name by which it was recognised.
        by: String,
    },
    /// Nobody reads it: an error file has added it, or it is left out.
    Unread,
    Nameless,
    Unknown,
}

impl Declared {
    /// What each column of a header was taken for.
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

    /// The column of a title, with the unit behind its name.
    pub(crate) fn column(&self, title: &Title) -> Option<Column> {
        self.headings.meaning_of(title, |name, unit| self.further.find(name, unit))
    }

    /// What the unit behind the name of a column of a field is the unit of, if there can be one.
    pub(crate) fn unit_kind(&self, field: &str) -> Option<UnitKind> {
        let known = self.read().find(|heading| heading.key() == field);
        match known {
            Some(heading) => self.headings.unit_kind(heading),
            None => self.further.columns.iter().find(|column| column.key == field)?.unit,
        }
    }

    /// The names of columns that nobody reads, as trade programs write them.
    pub(crate) fn bystanders<'t>(&self, titles: &'t [Title]) -> Vec<&'t str> {
        let is_one = |title: &&Title| {
            title.meant == Meant::ItsName
                && self.column(title) == Some(Column::Unread)
                && !is_own(title.name.trim())
        };
        titles.iter().filter(is_one).map(|title| title.name.trim()).collect()
    }

    fn is_unread(&self, heading: &Heading) -> bool {
        self.headings.unread.contains(&heading)
    }

    /// Whether a column can mean this.
    pub fn is_field(&self, key: &str) -> bool {
        let known = self.read().any(|heading| heading.key() == key);
        known || self.further.columns.iter().any(|column| column.key == key)
    }

    fn read(&self) -> impl Iterator<Item = &'static Heading> {
        self.headings.known.iter().copied().filter(|heading| !self.is_unread(heading))
    }

    /// What columns can mean: rare ones only where `used` says so.
    pub fn fields(&self, language: Language, used: &HashSet<&str>) -> Vec<Field> {
        let known = self.read().map(|heading| Field {
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
        known.chain(further).collect()
    }

    /// The label of a field.
    pub fn label(&self, key: &str, language: Language) -> String {
        let fields = self.fields(language, &HashSet::from([key]));
        fields.into_iter().find(|field| field.key == key).map_or_else(|| key.to_owned(), |field| field.label)
    }

    /// Of each of these groups of fields a file needs one.
    pub fn required(&self) -> Vec<Vec<String>> {
        keys(self.headings.required)
    }

    /// Of each of these groups of fields a file has all or none.
    pub fn together(&self) -> Vec<Vec<String>> {
        keys(self.headings.together)
    }
}

fn keys(groups: &[&[&Heading]]) -> Vec<Vec<String>> {
    groups.iter().map(|group| group.iter().map(|heading| heading.key()).collect()).collect()
}

/// What a file of a type looks like: its columns, and rows that are imported as they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Template {
    pub header: Vec<String>,
    pub rows: Vec<Vec<CellContent>>,
}

impl Template {
    /// The columns of these headings, and rows that say something of each.
    pub fn of(headings: &[&Heading], language: Language, rows: Vec<Vec<CellContent>>) -> Self {
        Self { header: headings.iter().map(|heading| heading.label(language).to_owned()).collect(), rows }
    }

    /// As a file.
    pub fn written<W: std::io::Write + std::io::Seek + Send>(
        self,
        target: W,
        format: Format,
    ) -> kernel::Result<W> {
        let header: Vec<_> = self.header.into_iter().map(CellContent::Text).collect();
        table::write(target, format, &header, &mut std::iter::once(self.rows))
    }
}
