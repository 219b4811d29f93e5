//! Headers: the meaning of each column of a file, by its German or English names in any spelling.

use std::{collections::HashSet, hash::Hash, slice};

use values::{Language, Message, Phrase, fold::slug};

use super::Cell;
use crate::codes;

mod irrelevant_columns;
pub mod measure;

/// Column that files may have. Case, umlauts, spaces and punctuation of its names are ignored.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Heading {
    /// Names in messages and sample files.
    pub de: &'static str,
    pub en: &'static str,
    /// Further names in use.
    pub synonyms: &'static [&'static str],
    /// Purpose of the column, if its name does not say it.
    pub help: Option<Phrase>,
}

impl Heading {
    /// Returns the heading in a language.
    pub fn label(&self, language: Language) -> &'static str {
        match language {
            Language::De => self.de,
            Language::En => self.en,
        }
    }

    /// Name of the field for programs, such as `article_number`; also recognised as the name of a column.
    pub fn key(&self) -> String {
        slug(self.en)
    }

    /// Own name of the column that matches this one.
    pub fn spelled_as(&self, name: &str) -> Option<&'static str> {
        let name_key = key(name);
        self.spellings().find(|name| key(name) == name_key)
    }

    /// All names, in both languages.
    pub fn spellings(&self) -> impl Iterator<Item = &'static str> {
        [self.de, self.en].into_iter().chain(self.synonyms.iter().copied())
    }
}

/// Columns of one kind of file.
#[derive(Debug, Clone, Copy)]
pub struct Headings {
    pub all: &'static [&'static Heading],
    /// Required columns: a file must have one column of each group.
    pub required: &'static [&'static [&'static Heading]],
    /// Groups of columns of which a file must have all or none.
    pub together: &'static [&'static [&'static Heading]],
    /// Known columns that are not read, so that an export can be imported unchanged.
    pub unread: &'static [&'static Heading],
    /// Columns that can have a unit after their name. After any other name, a unit makes it the name of a
    /// different column.
    pub units: &'static [&'static [WithUnit]],
}

/// Column that can have a unit after its name.
pub type WithUnit = (&'static Heading, UnitKind);

/// Kind of unit after the name of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnitKind {
    /// Unit of a price: `EUR/100 kg`.
    Price,
    /// Unit of quantities, any unit that the row's article has.
    Quantity,
    /// Unit of other numbers, which only the heading can name: `kg/m`, `Tage`.
    Other,
}

impl Headings {
    /// Column of this name.
    pub fn find(&self, name: &str) -> Option<&'static Heading> {
        let name_key = key(name);
        self.all.iter().copied().find(|heading| heading.spellings().any(|name| key(name) == name_key))
    }

    /// Kind of unit after a known name; `None` if the column cannot have one.
    pub fn unit_kind(&self, heading: &Heading) -> Option<UnitKind> {
        self.units
            .iter()
            .copied()
            .flatten()
            .find(|(unit_heading, _)| *unit_heading == heading)
            .map(|(_, kind)| *kind)
    }

    /// Meaning of a column, by its mapping or else by its name. A unit after the name counts in either case;
    /// a unit chosen in the mapping takes precedence over it. `further` is the same as for [`Layout::read`].
    pub fn meaning_of(
        &self,
        title: &Title,
        further: impl Fn(&str, Option<&str>) -> Option<i64>,
    ) -> Option<Column> {
        let name = title.name.trim();
        let column = match &title.mapping {
            ColumnMapping::ByName => self.meaning(name, further)?,
            ColumnMapping::Ignored => Column::Unread,
            ColumnMapping::Field(field) => {
                let column = self.meaning(field, further).filter(|column| column.key().is_some())?;
                let name_unit = measure::measure_of(name);
                match column {
                    Column::Known { heading, unit } => {
                        let name_unit = name_unit.filter(|_| self.unit_kind(heading).is_some());
                        Column::Known { heading, unit: unit.or(name_unit) }
                    }
                    Column::Further { id, unit } => Column::Further { id, unit: unit.or(name_unit) },
                    other => other,
                }
            }
        };
        Some(match &title.unit {
            Some(chosen) => column.with_unit(chosen),
            None => column,
        })
    }

    /// Meaning of a column with this name; `further` is the same as for [`Layout::read`].
    pub fn meaning(&self, text: &str, further: impl Fn(&str, Option<&str>) -> Option<i64>) -> Option<Column> {
        if text.is_empty() {
            return Some(Column::Nameless);
        }
        if is_own(text) {
            return Some(Column::Unread);
        }
        let of_further = |name: &str, unit: Option<&str>| {
            let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
            further(name, unit).map(|id| Column::Further { id, unit: unit.map(str::to_owned) })
        };
        let known_column = |name: &str, unit: Option<&str>| {
            let heading =
                self.find(name).filter(|heading| unit.is_none() || self.unit_kind(heading).is_some())?;
            Some(Column::Known { heading, unit: unit.map(str::to_owned) })
        };
        let column_named = |name: &str, unit: Option<&str>| {
            // braces are for further columns only
            let column = if name.starts_with('{') { None } else { known_column(name, unit) };
            column.or_else(|| of_further(name, unit))
        };
        // "Breite (innen)" may be the name of a further column, so the whole text is tried before a unit is
        // split off.
        let whole =
            if measure::has_lone_signs(text) { of_further(text, None) } else { column_named(text, None) };
        let cut = || measure::cuts(text).into_iter().find_map(|(name, unit)| column_named(name, Some(&unit)));
        whole.or_else(cut).or_else(|| self.is_irrelevant(text).then_some(Column::Unread))
    }
}

impl Headings {
    /// True for a column that no import reads. A heading of a known field is never ignored, whatever follows
    /// it.
    fn is_irrelevant(&self, text: &str) -> bool {
        let is_known = || {
            let names = measure::cuts(text).into_iter().map(|(name, _)| name);
            names.chain([text]).any(|name| self.find(name).is_some())
        };
        !text.starts_with('{') && irrelevant_columns::is_irrelevant(text) && !is_known()
    }
}

/// Columns that an error file adds, in order. They are ignored when it is uploaded again.
pub(super) const OWN: [[&str; 2]; 3] = [["Fehler", "Error"], ["Fehlercode", "Error code"], ["Zeile", "Line"]];

/// Meaning of a column, and the unit in brackets after its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Column {
    Known {
        heading: &'static Heading,
        unit: Option<String>,
    },
    /// Further column, which not all files of the kind have, by its id. It is named as people call it or,
    /// where that is ambiguous, by its placeholder: `{guete}`.
    Further {
        id: i64,
        unit: Option<String>,
    },
    /// Column that an error file added, or that is ignored.
    Unread,
    /// Column without a name: a spacer, as long as it is empty.
    Nameless,
}

/// Cell of a header: its name in the file, which messages use, and its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Title {
    pub name: String,
    pub mapping: ColumnMapping,
    /// Unit chosen in the mapping, in the notation that it would have after the name.
    pub unit: Option<String>,
}

/// Meaning of a column according to the mapping.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ColumnMapping {
    /// Unmapped: the name decides.
    #[default]
    ByName,
    /// Field, by its key.
    Field(String),
    /// Ignored column.
    Ignored,
}

impl Title {
    /// Creates a title that stands for the column of its name.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), mapping: ColumnMapping::ByName, unit: None }
    }

    /// Cells of a header without a mapping.
    pub fn from_header(header: &[Cell]) -> Vec<Self> {
        header.iter().map(|cell| Self::new(cell.as_str())).collect()
    }
}

/// Meanings of the columns of a file, one for each cell of the header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    pub columns: Vec<Column>,
    /// Names of the columns in the file.
    names: Vec<String>,
}

impl Layout {
    /// Reads a header. `further` returns the id of a further column by its name and the unit after it, if
    /// files of the kind have such columns and that one can have a unit.
    ///
    /// Fails with all problems together: missing, duplicate and unknown columns.
    pub fn read(
        headings: &Headings,
        header: &[Title],
        language: Language,
        further: impl Fn(&str, Option<&str>) -> Option<i64>,
    ) -> Result<Self, Vec<Message>> {
        let mut problems = Vec::new();
        let mut seen = HashSet::new();
        let mut columns = Vec::new();
        for title in header {
            let text = title.name.trim();
            let column = headings.meaning_of(title, &further);
            let key = column.as_ref().and_then(Column::key);
            if key.is_some_and(|key| !seen.insert(key)) {
                problems.push(codes::COLUMN_DUPLICATE.with("column", text));
            }
            match column {
                Some(column) => columns.push(column),
                None => problems.push(codes::COLUMN_UNKNOWN.with("column", text)),
            }
        }
        let names = header.iter().map(|title| title.name.trim().to_owned()).collect();
        let layout = Self { columns, names };
        let has = |heading: &&'static Heading| layout.position(heading).is_some();
        let required = headings.required.iter().copied().filter(|group| !group.iter().any(has));
        let started_groups = headings.together.iter().copied().filter(|group| group.iter().any(has));
        let missing_in_groups = started_groups
            .flat_map(|group| group.iter().filter(|heading| !has(heading)).map(slice::from_ref));
        let missing = required.chain(missing_in_groups).map(|group| {
            let labels: Vec<_> = group.iter().map(|heading| heading.label(language)).collect();
            let missing = codes::COLUMN_MISSING.with("column", labels.join("“ / „"));
            missing.list("found", layout.names.iter().map(String::as_str))
        });
        // Missing columns come first: in a file of another kind, all others are unknown.
        let problems: Vec<_> = missing.chain(problems).collect();
        if problems.is_empty() { Ok(layout) } else { Err(problems) }
    }

    /// Index of a known column.
    pub fn position(&self, heading: &Heading) -> Option<usize> {
        self.measured(heading).map(|(index, _)| index)
    }

    /// Index of a known column, and the unit in brackets after its name.
    pub fn measured(&self, heading: &Heading) -> Option<(usize, Option<&str>)> {
        self.columns.iter().enumerate().find_map(|(index, column)| match column {
            Column::Known { heading: column_heading, unit } if *column_heading == heading => {
                Some((index, unit.as_deref()))
            }
            _ => None,
        })
    }

    /// Name in the file of the column at an index.
    pub fn name_at(&self, index: usize) -> &str {
        self.names.get(index).map(String::as_str).unwrap_or_default()
    }

    /// Name in the file of the column of a heading.
    pub fn name(&self, heading: &Heading) -> &str {
        let name = self.position(heading).and_then(|index| self.names.get(index));
        name.map_or(heading.de, String::as_str)
    }

    /// Indexes of the columns without a name.
    pub fn nameless(&self) -> impl Iterator<Item = usize> {
        let nameless = |(_, column): &(usize, &Column)| **column == Column::Nameless;
        self.columns.iter().enumerate().filter(nameless).map(|(index, _)| index)
    }
}

/// Identity of a column, which must be unique within a file.
#[derive(Debug, PartialEq, Eq, Hash, Clone, Copy)]
pub enum Key {
    Known(&'static Heading),
    Further(i64),
}

impl Column {
    /// Identity of the column, if it has a meaning.
    pub fn key(&self) -> Option<Key> {
        match self {
            Self::Known { heading, .. } => Some(Key::Known(heading)),
            Self::Further { id, .. } => Some(Key::Further(*id)),
            Self::Unread | Self::Nameless => None,
        }
    }

    /// Unit after its name.
    pub fn unit(&self) -> Option<&str> {
        match self {
            Self::Known { unit, .. } | Self::Further { unit, .. } => unit.as_deref(),
            Self::Unread | Self::Nameless => None,
        }
    }

    /// Replaces the unit by a chosen one. The currency of the heading is preserved, because it cannot be
    /// chosen.
    fn with_unit(self, chosen: &str) -> Self {
        let chosen = match self.unit().and_then(measure::currency_in) {
            Some(currency) => format!("{currency}/{chosen}"),
            None => chosen.to_owned(),
        };
        match self {
            Self::Known { heading, .. } => Self::Known { heading, unit: Some(chosen) },
            Self::Further { id, .. } => Self::Further { id, unit: Some(chosen) },
            other => other,
        }
    }
}

/// True if a header cell names a column that an error file added.
pub fn is_own(text: &str) -> bool {
    !text.starts_with('{') && OWN.iter().flatten().any(|own| key(own) == key(text))
}

/// Name of a column in spreadsheets: A, B, ... AA.
pub fn letters(index: usize) -> String {
    let last = char::from(b'A' + u8::try_from(index % 26).unwrap_or_default());
    match index / 26 {
        0 => last.to_string(),
        before => letters(before - 1) + &last.to_string(),
    }
}

/// Normalises a name for comparison: without case, spaces and punctuation, and with umlauts written either
/// way.
pub fn key(name: &str) -> String {
    slug(name).replace('_', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    static TYPE: Heading = Heading { de: "Artikeltyp", en: "Article type", synonyms: &["Typ"], help: None };
    static NUMBER: Heading = Heading {
        de: "Artikelnummer",
        en: "Article number",
        synonyms: &["Art.-Nr.", "Artikel Nr"],
        help: None,
    };
    static FOREIGN: Heading =
        Heading { de: "Externe Artikelnummer", en: "External article number", synonyms: &[], help: None };
    static GRADE: Heading =
        Heading { de: "Werkstoff", en: "Material", synonyms: &["W.-Nr.", "Güte"], help: None };
    static WEIGHT: Heading =
        Heading { de: "Gewicht", en: "Weight", synonyms: &["weight_per_base_unit"], help: None };
    static WAREHOUSE: Heading =
        Heading { de: "Lager", en: "Warehouse", synonyms: &["Lagerkürzel"], help: None };
    static CURRENCY: Heading = Heading { de: "Währung", en: "Currency", synonyms: &[], help: None };

    const ARTICLES: Headings = Headings {
        all: &[&TYPE, &NUMBER, &GRADE, &WEIGHT],
        required: &[&[&TYPE]],
        together: &[],
        unread: &[],
        units: &[&[(&WEIGHT, UnitKind::Other)]],
    };
    const STOCKS: Headings = Headings {
        all: &[&NUMBER, &FOREIGN, &WAREHOUSE, &CURRENCY],
        required: &[&[&NUMBER, &FOREIGN], &[&WAREHOUSE]],
        together: &[&[&FOREIGN, &CURRENCY]],
        unread: &[],
        units: &[],
    };

    fn titles(header: &[&str]) -> Vec<Title> {
        header.iter().map(|text| Title::new(*text)).collect()
    }

    /// Attributes by key: Länge is 1, Höhe is 2, Breite (innen) is 3.
    fn attribute(name: &str, _: Option<&str>) -> Option<i64> {
        (1..)
            .zip(["laenge", "hoehe", "breiteinnen"])
            .find(|(_, attribute_key)| *attribute_key == key(name))
            .map(|(id, _)| id)
    }

    fn read(headings: &Headings, header: &[&str]) -> Result<Vec<Column>, Vec<String>> {
        Layout::read(headings, &titles(header), Language::De, attribute)
            .map(|layout| layout.columns)
            .map_err(|problems| problems.iter().map(|problem| problem.text(Language::De)).collect())
    }

    fn known_column(heading: &'static Heading) -> Column {
        Column::Known { heading, unit: None }
    }

    fn measure(id: i64, unit: &str) -> Column {
        Column::Further { id, unit: Some(unit.to_owned()) }
    }

    #[test]
    fn headings_are_recognised_in_any_spelling() {
        for (text, expected) in [
            ("Artikelnummer", &NUMBER),
            ("ARTIKELNUMMER ", &NUMBER),
            ("Art.-Nr.", &NUMBER),
            ("ArtNr", &NUMBER),
            ("article_number", &NUMBER),
            ("Article Number", &NUMBER),
            ("Artikel\nNr.", &NUMBER),
            ("W.-Nr.", &GRADE),
            ("Güte", &GRADE),
            ("GUETE", &GRADE),
            ("weight_per_base_unit", &WEIGHT),
        ] {
            assert_eq!(ARTICLES.meaning(text.trim(), attribute), Some(known_column(expected)), "{text}");
        }
        assert_eq!(STOCKS.meaning("Waehrung", attribute), Some(known_column(&CURRENCY)));
        assert_eq!(STOCKS.meaning("Artikeltyp", attribute), None, "a heading of other files");
        assert_eq!(STOCKS.meaning("Werkstoff", attribute), Some(Column::Unread), "a column that is not read");
    }

    #[test]
    fn units_are_read_from_brackets() {
        let header = ["Artikeltyp", "Länge [m]", "Hoehe (mm)", "Breite (innen)", "Gewicht [kg/m]"];
        assert_eq!(
            read(&ARTICLES, &header).unwrap(),
            [
                known_column(&TYPE),
                measure(1, "m"),
                measure(2, "mm"),
                Column::Further { id: 3, unit: None },
                Column::Known { heading: &WEIGHT, unit: Some("kg/m".to_owned()) },
            ]
        );
        let meaning = |text: &str| ARTICLES.meaning(text, attribute);
        assert_eq!(meaning("Breite (innen) [mm]"), Some(measure(3, "mm")));
        assert_eq!(meaning("Länge [Elle]"), Some(measure(1, "Elle")), "refused later, with the unit");
        assert_eq!(meaning("Länge (außen)"), None);
        assert_eq!(meaning("{laenge} [m]"), Some(measure(1, "m")));
        assert_eq!(meaning("{werkstoff}"), None, "braces hold further columns only");
    }

    #[test]
    fn brackets_without_a_usable_unit_make_a_heading_unknown() {
        let meaning = |text: &str| ARTICLES.meaning(text, attribute);
        for text in
            ["Artikelnummer [intern]", "Werkstoff [EN 10025]", "Artikelnummer [#]", "Gewicht %", "Typ [t]"]
        {
            assert_eq!(meaning(text), None, "{text}");
        }
        // refused later, with the sign
        assert_eq!(
            meaning("Gewicht [%]"),
            Some(Column::Known { heading: &WEIGHT, unit: Some("%".to_owned()) })
        );
        assert_eq!(meaning("Gewicht []"), Some(known_column(&WEIGHT)));
        // the mapping takes precedence
        let title = Title {
            mapping: ColumnMapping::Field("article_number".into()),
            ..Title::new("Artikelnummer [intern]")
        };
        assert_eq!(ARTICLES.meaning_of(&title, attribute), Some(known_column(&NUMBER)));
    }

    #[test]
    fn a_chosen_unit_replaces_the_one_of_the_heading_but_not_its_currency() {
        let unit = |name: &str, chosen: &str| {
            let title = Title { unit: Some(chosen.to_owned()), ..Title::new(name) };
            ARTICLES.meaning_of(&title, attribute).and_then(|column| column.unit().map(str::to_owned))
        };
        assert_eq!(unit("Gewicht [Elle]", "kg/m").as_deref(), Some("kg/m"));
        assert_eq!(unit("Gewicht", "kg").as_deref(), Some("kg"));
        assert_eq!(unit("Gewicht [CHF/t]", "100 kg").as_deref(), Some("CHF/100 kg"));
    }

    #[test]
    fn the_columns_of_an_error_file_and_spacers_are_ignored() {
        for own in [["Fehler", "Fehlercode", "Zeile"], ["Error", "Error code", "Line"]] {
            let header = [&["Artikeltyp", "", "Länge [m]"][..], &own].concat();
            let columns = read(&ARTICLES, &header).unwrap();
            assert_eq!(columns[1], Column::Nameless);
            assert_eq!(columns[3..], [Column::Unread, Column::Unread, Column::Unread]);
        }
    }

    #[test]
    fn a_mapping_takes_precedence_over_the_name_and_messages_use_the_name() {
        let said = |name: &str, mapping: ColumnMapping| Title { mapping, ..Title::new(name) };
        let field = |key: &str| ColumnMapping::Field(key.to_owned());
        let header = [
            said("Kram", field("article_type")),
            said("L [m]", field("{laenge}")),
            said("Werkstoff", ColumnMapping::Ignored),
            said("kg", field("weight")),
        ];
        let layout = Layout::read(&ARTICLES, &header, Language::De, attribute).unwrap();
        assert_eq!(
            layout.columns,
            [known_column(&TYPE), measure(1, "m"), Column::Unread, known_column(&WEIGHT)]
        );
        assert_eq!((layout.name(&TYPE), layout.name(&GRADE)), ("Kram", "Werkstoff"));
        let twice = [
            said("A", field("article_type")),
            said("Typ", ColumnMapping::ByName),
            said("B", field("colour")),
        ];
        let problems = Layout::read(&ARTICLES, &twice, Language::De, attribute).unwrap_err();
        let problems: Vec<_> = problems.iter().map(|problem| problem.text(Language::De)).collect();
        assert_eq!(problems, ["Die Spalte „Typ“ kommt mehrmals vor", "Die Spalte „B“ ist unbekannt"]);
    }

    #[test]
    fn all_problems_are_reported_together() {
        assert_eq!(
            read(&ARTICLES, &["Art.-Nr.", "Farbe", "Artikelnummer", "Länge [m]", "Laenge [mm]"]).unwrap_err(),
            [
                "Es fehlt die Spalte „Artikeltyp“; gefunden wurden: Art.-Nr., Farbe, Artikelnummer, Länge [m], Laenge [mm]",
                "Die Spalte „Farbe“ ist unbekannt",
                "Die Spalte „Artikelnummer“ kommt mehrmals vor",
                "Die Spalte „Laenge [mm]“ kommt mehrmals vor",
            ]
        );
    }

    #[test]
    fn one_of_several_columns_may_be_required() {
        assert!(read(&STOCKS, &["Externe Artikelnummer", "Lager", "Währung"]).is_ok());
        assert!(read(&STOCKS, &["Artikelnummer", "Lagerkuerzel"]).is_ok());
        assert_eq!(
            read(&STOCKS, &["Lagerkürzel"]).unwrap_err(),
            ["Es fehlt die Spalte „Artikelnummer“ / „Externe Artikelnummer“; gefunden wurden: Lagerkürzel"]
        );
    }

    #[test]
    fn some_columns_must_occur_together() {
        assert_eq!(
            read(&STOCKS, &["Artikelnummer", "Währung"]).unwrap_err(),
            [
                "Es fehlt die Spalte „Lager“; gefunden wurden: Artikelnummer, Währung",
                "Es fehlt die Spalte „Externe Artikelnummer“; gefunden wurden: Artikelnummer, Währung",
            ]
        );
    }
}
